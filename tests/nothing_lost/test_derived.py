"""What is derived can be emptied, cut or written by others in their own way: it is made again from what stands below it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nothing_lost.commands import LATER
from nothing_lost.faults import call


@pytest.mark.parametrize("left", ["", "---\ntype: ro", "---\ntype: root\n---\n", None])
def test_an_emptied_root_is_built_again_from_the_whole_tree(
    left: str | None, trial: Callable[[], Path]
) -> None:
    root = trial()
    path = root / "memory/ROOT.md"
    assert call(root, ["compact", "--force"], now=LATER).status == 0
    topics = [line for line in path.read_text("utf-8").split("\n") if line.startswith("- ") and "[" in line]
    assert any("Short answers [feedback" in line for line in topics)
    path.unlink() if left is None else path.write_text(left)
    assert call(root, ["compact", "--force"], now=LATER).status == 0
    again = path.read_text("utf-8")
    assert again.startswith("---\ntype: root") and all(line in again for line in topics)


def test_dates_that_others_wrote_without_quotes_come_out_as_text(trial: Callable[[], Path]) -> None:
    root = trial()
    node = "---\ntype: daily\nstatus: fixed\nperiod: 2026-02-27\ncreated: 2026-02-27 10:00:00\n---\n\n## Zebra [project]\n- outcome: striped\n"
    (root / "memory/daily/2026-02-27.md").write_text(node)
    for words in (
        ["recall", "zebra", "--json"],
        ["doctor", "--json"],
        ["status", "--json"],
        ["compact", "--force", "--json"],
    ):
        ended = call(root, words, now=LATER)
        assert ended.status in (0, 1) and json.loads(ended.out), ended
        if words[0] == "recall":
            (found, *_) = json.loads(ended.out)["results"]
            assert (found["path"], found["date"]) == ("memory/daily/2026-02-27.md", "2026-02-27")
    assert (root / "memory/daily/2026-02-27.md").read_text().startswith(node[: node.index("---\n\n")])
