"""What is finished leaves the hot files for the raw log; what is unfinished stays where it is."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.command import Ran

from hipocampus.memory.entries import parse_log
from hipocampus.memory.store import MemoryStore
from hipocampus.session.tidy import Tidied, tidy

NOW = datetime(2026, 3, 15, 14, 32, tzinfo=UTC)

WORKING = """# Working

## Shipped [done]
### Decisions
- ship on Monday

## All ticked
### Next Steps
- [x] one
- [x] two

## Goes on
### Next Steps
- [x] begun
  with care
- [ ] end it
- [x] parent
  - [ ] child

## Said so
- Status: done

## Ticked, but not the rest
### Next Steps
- [x] one
- look at it again

<!-- form
-->
"""


def memory(root: Path, **files: str) -> MemoryStore:
    (root / "memory").mkdir()
    for name, text in files.items():
        (root / f"{name.replace('_', '-')}.md").write_text(text, encoding="utf-8")
    return MemoryStore(root)


def tidied(store: MemoryStore, everything: bool = True, dry_run: bool = False) -> Tidied:
    return tidy(store, 3000, everything=everything, dry_run=dry_run, session=None, now=NOW, zone=UTC)


def content(store: MemoryStore, name: str) -> str:
    return (store.root / name).read_text(encoding="utf-8")


def test_finished_tasks_and_steps_move_and_unfinished_ones_stay(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=WORKING)
    done = tidied(store)
    assert content(store, "WORKING.md") == (
        "# Working\n\n## Goes on\n### Next Steps\n- [ ] end it\n- [x] parent\n  - [ ] child\n\n"
        "## Ticked, but not the rest\n### Next Steps\n- look at it again\n\n<!-- form\n-->\n"
    )
    entries = {e.topic: e.body for e in parse_log(content(store, "memory/2026-03-15.md")).entries}
    assert set(entries) == {"Shipped", "All ticked", "Said so", "Goes on", "Ticked, but not the rest"}
    assert "- decisions: ship on Monday" in entries["Shipped"]
    assert "  - one\n  - two" in entries["All ticked"]
    assert entries["Goes on"] == "- outcome: begun\n  with care"
    assert done.files[1].unfinished == ["Goes on", "Ticked, but not the rest"]


def test_a_file_within_its_target_is_left_alone(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=WORKING)
    done = tidied(store, everything=False)
    assert content(store, "WORKING.md") == WORKING
    assert (done.files[1].moved, done.files[1].finished, done.entries) == ((), 5, 0) or done.files[
        1
    ].finished == 5
    assert not (store.memory / "2026-03-15.md").exists()


def test_a_file_over_its_target_is_tidied_and_what_is_left_is_reported(tmp_path: Path) -> None:
    queue = "## Queued\n" + "".join(f"- [ ] open {n}\n" for n in range(60)) + "- [x] shut\n"
    store = memory(tmp_path, TASK_QUEUE=queue, WORKING=WORKING)
    done = tidied(store, everything=False)
    size = done.files[2]
    assert (size.lines, size.target_lines, size.lines_after, list(size.moved), size.over) == (
        62,
        50,
        61,
        ["shut"],
        True,
    )
    assert len(size.unfinished) == 60
    assert content(store, "TASK-QUEUE.md") == queue.replace("- [x] shut\n", "")
    assert content(store, "WORKING.md") == WORKING


@pytest.mark.parametrize(
    "line",
    [
        "- [x] thing",
        "- [X] thing",
        "- ~~thing~~",
        "* thing ✅",
        "- ✔ thing",
        "- thing (done)",
        "1. [done] thing",
        "- [완료] thing",
    ],
)
def test_marks_of_a_finished_item(tmp_path: Path, line: str) -> None:
    store = memory(
        tmp_path, SCRATCHPAD=f"## Current State\n- stays\n{line}\n  with more\n", TASK_QUEUE=f"{line}\n"
    )
    tidied(store)
    assert content(store, "SCRATCHPAD.md") == "## Current State\n- stays\n"
    assert content(store, "TASK-QUEUE.md") == ""
    log = content(store, "memory/2026-03-15.md")
    assert "## thing [project]" in log
    assert (
        "## Finished items of the scratchpad [project]\n<!-- 14:32 -->\n- outcome: thing\n  with more\n"
        in log
    )


@pytest.mark.parametrize(
    "line", ["- [ ] thing", "- thing", "- Port [x]", "- ~~half~~ of it", "- [x] thing\n  - [ ] below"]
)
def test_marks_of_an_unfinished_item(tmp_path: Path, line: str) -> None:
    store = memory(tmp_path, SCRATCHPAD=f"## Current State\n{line}\n", TASK_QUEUE=f"{line}\n")
    assert tidied(store).entries == 0
    assert content(store, "TASK-QUEUE.md") == f"{line}\n"


def test_items_below_a_heading_such_as_done_are_finished(tmp_path: Path) -> None:
    store = memory(tmp_path, TASK_QUEUE="## Queued\n- a\n\n## Done\n- b\n- c\n  - [ ] open\n")
    tidied(store)
    assert content(store, "TASK-QUEUE.md") == "## Queued\n- a\n\n## Done\n- c\n  - [ ] open\n"


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=WORKING)
    done = tidied(store, dry_run=True)
    assert "Shipped" in done.files[1].moved
    assert content(store, "WORKING.md") == WORKING
    assert not (store.memory / "2026-03-15.md").exists()


def test_tidying_twice_changes_nothing_more(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=WORKING)
    tidied(store)
    working, log = content(store, "WORKING.md"), content(store, "memory/2026-03-15.md")
    assert tidied(store).entries == 0
    assert (content(store, "WORKING.md"), content(store, "memory/2026-03-15.md")) == (working, log)


def test_tidying_counts_raw_lines_and_no_checkpoint(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=WORKING)
    tidied(store)
    state = store.read_state()
    assert state is not None
    assert (state.checkpoints, state.raw_lines) == (
        0,
        len(content(store, "memory/2026-03-15.md").splitlines()),
    )


@pytest.mark.parametrize("auto", [True, False])
def test_a_compaction_tidies_first_when_the_settings_say_so(
    root: Path, hipo: Callable[..., Ran], auto: bool
) -> None:
    queue = "## Queued\n" + "- [ ] open\n" * 55 + "- [x] shut the door\n"
    (root / "TASK-QUEUE.md").write_text(queue, encoding="utf-8")
    (root / "hipocampus.config.json").write_text(
        f'{{"tidy": {{"auto": {str(auto).lower()}}}}}', encoding="utf-8"
    )
    ran = hipo("compact")
    assert ("tidied TASK-QUEUE.md: 1 finished → memory/2026-03-15.md" in ran.err) == auto
    assert ("shut the door" in content(MemoryStore(root), "TASK-QUEUE.md")) != auto
    if auto:
        assert "## shut the door" in content(MemoryStore(root), "memory/daily/2026-03-15.md")
    assert "tidied" not in hipo("compact").err
