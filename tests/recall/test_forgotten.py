"""What is forgotten is also gone from what qmd made of the memory."""

from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import write_logs


@pytest.mark.parametrize("own", [True, False], ids=["both indexes", "qmd's alone"])
def test_forget_deletes_what_qmd_made_of_the_memory(
    root: Path, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    hipo = Hipo(root, monkeypatch)
    write_logs(root, {"2026-03-04": "# 2026-03-04\n\n## Move [user]\n- outcome: marzipan lane 5\n"})
    if own:
        hipo("recall", "marzipan")
    made = root / "memory/.hipo/qmd/cache"
    made.mkdir(parents=True)
    for path in (made.parent / "index.sqlite", made / "page"):
        path.write_bytes(b"\x00marzipan lane 5\x00")
    hipo("forget", "marzipan lane", "--yes")
    left = [p for p in (root / "memory").rglob("*") if p.is_file() and b"marzipan" in p.read_bytes()]
    assert left == []
