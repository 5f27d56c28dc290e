"""The table of README.md names a test for each row, and the tests of this folder stand in it."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent


def names_below(folder: Path) -> set[str]:
    found = (
        re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M) for path in folder.rglob("test_*.py")
    )
    return {name for names in found for name in names}


def test_every_row_has_a_test_and_every_test_a_row() -> None:
    rows = [line for line in (FOLDER / "README.md").read_text("utf-8").split("\n") if line.startswith("| ")][
        2:
    ]
    named = {name for row in rows for name in re.findall(r"`(test_\w+)`", row)}
    assert len(named) == len(rows)
    assert named <= names_below(FOLDER.parent)
    assert names_below(FOLDER) - named == {"test_every_row_has_a_test_and_every_test_a_row"}
