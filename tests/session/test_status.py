"""Status tells what the memory holds and what is due: to a person, to a pipe and to a script."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import compacted, write_logs

from hipocampus.cli.context import open_at
from hipocampus.cli.render_status import page_text
from hipocampus.memory.store import MemoryStore
from hipocampus.session.status import MemoryStatus, calendar_start, status_of

ENTRY = "# {day}\n\n## Topic\n- outcome: done\n\n## Other [user]\n- outcome: x\n"
LOGS = {day: ENTRY.format(day=day) for day in ("2024-12-30", "2026-02-02", "2026-03-02", "2026-03-14")}


def status(root: Path, **options: object) -> MemoryStatus:
    here = open_at(root)
    values = {"handoffs": {}, "conversations": 0, **options}
    now = datetime(2026, 3, 15, 9, tzinfo=UTC)
    return status_of(here.store, here.config, now, UTC, **values)  # type: ignore[arg-type]


@pytest.fixture
def tree(root: Path) -> Path:
    write_logs(root, LOGS)
    (root / "memory" / "ROOT.md").write_text("---\ntype: root\n---\n\n## Topics Index\n", encoding="utf-8")
    compacted(root, "2026-03-15")
    return root


def test_the_last_year_and_the_coverage_of_each_level(tree: Path) -> None:
    write_logs(tree, {"2026-03-15": "no headings, but words\n"})
    shown = status(tree)
    assert dict(shown.days) == {"2026-02-02": 2, "2026-03-02": 2, "2026-03-14": 2, "2026-03-15": 1}
    assert (shown.logs, shown.first_day, shown.last_day) == (5, "2024-12-30", "2026-03-15")
    counts = {
        level.level: (level.nodes, level.fixed, level.tentative, level.missing) for level in shown.levels
    }
    assert counts == {"daily": (4, 4, 0, 1), "weekly": (4, 2, 2, 0), "monthly": (3, 2, 1, 0)}


def test_a_calendar_begins_on_the_monday_52_weeks_before_this_one() -> None:
    assert calendar_start(datetime(2026, 3, 15).date()).isoformat() == "2025-03-10"


def test_looking_writes_nothing(tree: Path, hipo: Callable[..., Hipo]) -> None:
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}
    hipo("status")
    hipo("status", "--json")
    assert {path: path.stat().st_mtime_ns for path in tree.rglob("*")} == before


def test_nothing_due_prints_nothing(tree: Path, hipo: Callable[..., Hipo]) -> None:
    assert hipo("status", "--due") == (0, "", "")
    assert hipo("status", "--due", "--json").json == {"due": []}


def test_what_is_due_is_named_with_what_to_do(tree: Path, hipo: Hipo) -> None:
    (tree / "WORKING.md").write_text("# Working\n" + "## [x] a\n- x\n" * 60, encoding="utf-8")
    (tree / "SCRATCHPAD.md").write_text("# S\n" + "- x\n" * 160, encoding="utf-8")
    (tree / "memory" / "brain" / "handoffs").mkdir(parents=True)
    (tree / "memory" / "brain" / "handoffs" / "reviewer.jsonl").write_text(
        '{"a":1}\n{"b":2}\n', encoding="utf-8"
    )
    store = MemoryStore(tree)
    with store.lock():
        store.count(301, 0)
    hipo.now = "2026-03-15T10:00:00Z"
    assert hipo("status", "--due").out.splitlines() == [
        "compaction is due (raw-lines): hipo compact",
        "SCRATCHPAD.md has 161 of 150 lines: nothing in it is marked as finished",
        "WORKING.md has 121 of 100 lines: hipo tidy",
        "2 handoffs for reviewer: hipo brain handoff read --for reviewer",
    ]


def test_a_pipe_gets_plain_lines(tree: Path, hipo: Hipo) -> None:
    hipo.now = "2026-03-15T10:00:00Z"
    out = hipo("status").out
    assert "\x1b" not in out
    assert "  2026-03: 4 entries on 2 days\n" in out
    assert "weekly: 4 nodes (2 fixed, 2 tentative)\n" in out
    assert "compaction: next due at 12:00; 1.0 of 3 hours, 0 of 300 raw lines, 0 of 5 checkpoints\n" in out
    assert "index: none yet" in out


def test_json_has_everything(tree: Path, hipo: Hipo) -> None:
    document = hipo("status", "--json").json
    assert document["days"]["2026-03-14"] == 2
    assert document["compaction"]["next_at"] == "2026-03-15T12:00:00Z"
    assert document["levels"][0] == {
        "level": "daily", "nodes": 4, "fixed": 4, "tentative": 0, "waiting": 0, "missing": 0, "other": 0,
    }  # fmt: skip
    assert document["index"] is None


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_the_page_fits_the_screen_and_says_it_without_colour(tree: Path, width: int) -> None:
    (tree / "WORKING.md").write_text("x\n" * 120, encoding="utf-8")
    page = page_text(status(tree, handoffs={"a[bold]b": 1}), "next due at 12:00", width)
    assert max(len(line) for line in page.splitlines()) <= width
    assert "█" in page
    assert "over" in page
    assert "a[bold]b" in page.replace("\n", "").replace("  ", "")


def test_an_empty_memory_has_a_page_too(root: Path) -> None:
    page = page_text(status(root), "due now", 80)
    assert "nothing yet" in page


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_told(tree: Path, hipo: Hipo) -> None:
    (tree / "memory" / "2026-03-13.md").mkdir()
    (tree / "WORKING.md").mkdir()
    ran = hipo("status")
    assert ran.status == 0
    assert "due: " in ran.out
    assert "2026-03-13.md: cannot be read" in ran.out
    assert "weekly: 4 nodes" in ran.out
