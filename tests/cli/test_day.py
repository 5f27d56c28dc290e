"""The commands of the working day as people and scripts call them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import Ran

Run = Callable[..., Ran]


def test_a_day_in_the_life_of_a_task(root: Path, hipo: Run) -> None:
    assert hipo("task", "list").out == "no tasks\n"
    assert hipo("task", "add", "Port the parser", "--context", "stops at 2 GB").out == (
        "added Port the parser → TASK-QUEUE.md:6\n"
    )
    assert hipo("task", "start", "parser", "--session", "4f1c9a2b77", "--step", "read").out == (
        "started Port the parser → WORKING.md:3\n"
    )
    assert (
        hipo("task", "note", "parser", "decisions", "stream by line").out
        == "noted Port the parser → WORKING.md:10\n"
    )
    assert hipo("task", "list").out == (
        "Port the parser (in progress, since 2026-03-15 09:00 session 4f1c9a2b, 1 step open) → WORKING.md:3\n"
    )
    assert hipo("task", "done", "parser", "--outcome", "12 tests").out == (
        "done Port the parser → memory/2026-03-15.md:3-9\ntaken out of WORKING.md\n"
        "1 step left open: the entry has what was not done\n"
        "compaction is due: cooldown never run, 9 raw lines (due above 300), 1 checkpoints (due above 5)\n"
    )
    assert "## Port the parser [project]\n" in (root / "memory" / "2026-03-15.md").read_text(encoding="utf-8")


def test_scripts_get_one_document(root: Path, hipo: Run) -> None:
    added = hipo("task", "add", "A", "--json").json
    assert added == {
        "action": "added", "title": "A", "path": "TASK-QUEUE.md", "line_start": 6, "line_end": 6, "redacted": {},
        "private_lines": 0,
    }  # fmt: skip
    assert hipo("task", "list", "--json").json["tasks"][0]["state"] == "queued"
    dropped = hipo("task", "drop", "A", "--json").json
    assert dropped == {
        "action": "dropped", "title": "A", "path": "memory/2026-03-15.md", "line_start": 3, "line_end": 5, "entries": 1,
        "removed_from": ["TASK-QUEUE.md"], "open_steps": 0, "redacted": {}, "private_lines": 0, "checkpoints": 1,
        "raw_lines": 5, "due": True,
    }  # fmt: skip
    noted = hipo("note", "state", "waiting", "--json").json
    assert (noted["action"], noted["section"], noted["line_start"]) == ("added", "Current State", 5)
    assert hipo("tidy", "--json").json["files"][0]["target_lines"] == 150


def test_tidy_tells_people_what_moved_and_what_is_unfinished(root: Path, hipo: Run) -> None:
    (root / "TASK-QUEUE.md").write_text("- [x] shut\n" + "- [ ] open\n" * 55, encoding="utf-8")
    assert hipo("tidy", "--dry-run").out.splitlines()[2:5] == [
        "TASK-QUEUE.md: 56 of 50 lines, 55 after; still over its size",
        "  would move: shut",
        "  unfinished: open",
    ]
    assert "  moved: shut\n" in hipo("tidy").out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["task", "start", "x y"], 1, "hipo: task: no task fits 'x y'; queued: nothing; see hipo task list"),
        (
            ["task", "note", "x", "weather", "t"],
            2,
            "no section 'weather'; use key-files, decisions, errors or next-steps",
        ),
        (["task", "add", " "], 2, "the title is empty"),
        (["task", "done", ""], 2, "the name is empty"),
        (["note", "state", "x", "--remove"], 1, "stands nowhere in Current State"),
    ],
)
def test_what_goes_wrong_is_one_line(root: Path, hipo: Run, words: list[str], status: int, said: str) -> None:
    ran = hipo(*words)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["task", "note", "tidy", "status", "forget", "export"])
def test_help_has_examples_that_stand_on_lines_of_their_own(hipo: Run, command: str) -> None:
    out = hipo(command, "--help").out
    assert f"\n    hipo {command}" in out


@pytest.mark.parametrize("command", ["task", "note", "tidy", "status"])
def test_a_session_without_memory_writes_nothing(
    root: Path, hipo: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("HIPO_OFF", "1")
    before = sorted(path.name for path in root.iterdir())
    words = {"task": ["add", "x"], "note": ["state", "x"]}.get(command, [])
    assert hipo(command, *words) == (0, "", "")
    assert sorted(path.name for path in root.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["task", "add", "Port it", "--context", "since it stops"], "Port it\nsince it stops"),
        (["task", "start", "--new", "Port it", "--step", "read"], "Port it\nread"),
        (["task", "note", "build", "decisions", "pin it"], "pin it"),
        (["task", "done", "build", "--outcome", "pinned"], "pinned"),
        (["note", "state", "waits"], "waits"),
    ],
)
def test_text_that_cannot_be_stored_is_handed_back(
    root: Path, hipo: Run, words: list[str], kept: str
) -> None:
    hipo("task", "start", "--new", "Fix the build")
    for name in ("TASK-QUEUE.md", "SCRATCHPAD.md", "memory/2026-03-15.md"):
        (root / name).mkdir()
    if words[1] in ("start", "note"):
        (root / "WORKING.md").unlink()
        (root / "WORKING.md").mkdir()
    ran = hipo(*words)
    assert ran.status == 1
    _, *below = ran.err.splitlines()
    assert below == (["```", *kept.split("\n"), "```"] if "\n" in kept else [kept])
