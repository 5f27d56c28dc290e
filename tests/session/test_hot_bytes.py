"""Whatever people keep in their hot files: an edit adds or removes its own lines, and no other byte changes."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.config import CompactionConfig
from hipocampus.errors import HipoError
from hipocampus.memory.store import MemoryStore
from hipocampus.session import notes, tasks, tidy
from hipocampus.session.tasklist import visible_end

NOW = datetime(2026, 3, 15, 14, 32, tzinfo=UTC)

LINES = [
    b"# Working", b"## Queued", b"## In Progress", b"## Current State", b"## Port the parser", b"## [x] shipped it",
    b"### Key Files", b"### Decisions", b"### Next Steps", b"### Mine", b"- [ ] open step", b"- [x] ticked step",
    b"- plain item", b"  - nested", b"  continued", b"* star", b"1. first", b"2) second", b"- ~~struck~~", b"**Bold**: text",
    b"- **Bold task**: and why", b"prose", b"", b"", b"<!-- one line -->", b"<!-- opens", b"## inside -->", b"-->", b"```",
    b"```py", b"    code", b"---", b"| a | b |", b"\xff\xfe invalid", "- 한국어 작업 — 이유".encode(), b"- @import/me",
    b"(no active tasks)", b"- a\tb", b"\t- tabbed", b"-", b"##", b"- context: because", b"- files:", b"Status: done",
    b"\xc2\x85 odd", b"\x0c feed", "\u2028 separator".encode(),
]  # fmt: skip

hot_bytes = st.builds(
    lambda bom, lines, newline, end: bom + newline.join(lines) + (newline if end else b""),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.lists(st.sampled_from(LINES), max_size=25),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
)


@contextmanager
def memory(**files: bytes) -> Iterator[MemoryStore]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "memory").mkdir()
        for name, data in files.items():
            (root / f"{name.replace('_', '-')}.md").write_bytes(data)
        yield MemoryStore(root)


def pieces(data: bytes) -> list[bytes]:
    """The lines of a file; a line that `hipo` made a comment counts as what it was."""
    lines = re.split(rb"\r\n|\n|\r", data.removeprefix(b"\xef\xbb\xbf"))
    return [re.sub(rb"^<!-- (\(no active tasks\)) -->$", rb"\1", line) for line in lines]


def is_part(short: list[bytes], long: list[bytes]) -> bool:
    """Whether `short` is `long` with one run of lines taken out, and blank lines beside it."""
    start = 0
    while start < min(len(short), len(long)) and short[start] == long[start]:
        start += 1
    end = 0
    while end < min(len(short), len(long)) - start and short[-1 - end] == long[-1 - end]:
        end += 1
    return not any(line.strip() for line in short[start : len(short) - end])


def kept(before: bytes, after: bytes) -> None:
    """The mark at the start, the line ends, and the end without a newline are as they were."""
    assert before.startswith(b"\xef\xbb\xbf") == after.startswith(b"\xef\xbb\xbf")
    if b"\r\n" in before:
        assert b"\n" not in after.replace(b"\r\n", b"")
    else:
        assert b"\r" not in after


@settings(max_examples=30, deadline=None)
@given(hot_bytes)
def test_adding_a_task_only_adds_its_lines(queue: bytes) -> None:
    with memory(TASK_QUEUE=queue) as store:
        added = tasks.add_task(store, "A new task", context=["why"])
        after = (store.root / "TASK-QUEUE.md").read_bytes()
        assert is_part(pieces(queue), pieces(after))
        kept(queue, after)
        assert b"A new task" in pieces(after)[added.line_start - 1]
        assert "A new task" in [t.title for t in tasks.read_tasks(store)[1]]


@settings(max_examples=30, deadline=None)
@given(hot_bytes)
def test_a_new_section_in_working_only_adds_its_lines_and_leaves_without_a_trace(working: bytes) -> None:
    with memory(WORKING=working) as store:
        tasks.start_task(store, "A new task", new=True, session=None, now=NOW, zone=UTC)
        after = (store.root / "WORKING.md").read_bytes()
        assert is_part(pieces(working), pieces(after))
        kept(working, after)
        tasks.close_task(
            store, CompactionConfig(), "A new task", "done", more={}, session=None, now=NOW, zone=UTC
        )
        again = (store.root / "WORKING.md").read_bytes()
        assert is_part(pieces(again), pieces(after))
        lines = pieces(working)
        if visible_end([line.decode("utf-8", "replace") for line in lines]) < len(lines):
            return  # a fence that is never closed runs through the new section too
        assert [p for p in pieces(again) if p.strip()] == [p for p in pieces(working) if p.strip()]


@settings(max_examples=30, deadline=None)
@given(hot_bytes, st.integers(0, 20))
def test_closing_a_task_removes_its_lines_and_the_log_has_every_word_of_them(
    working: bytes, which: int
) -> None:
    with memory(WORKING=working) as store:
        found = tasks.read_tasks(store)[0]
        if not found:
            return
        task = found[which % len(found)]
        try:
            tasks.close_task(
                store, CompactionConfig(), task.title, "done", more={}, session=None, now=NOW, zone=UTC
            )
        except HipoError:  # another title holds this one
            return
        after = (store.root / "WORKING.md").read_bytes()
        kept(working, after)
        gone = [t for t in found if t.key == task.key]
        lines = pieces(working)
        if len(gone) == 1:
            assert is_part(pieces(after), lines)
        log = (store.memory / "2026-03-15.md").read_text(encoding="utf-8")
        for one in gone:
            for line in lines[one.start : one.end]:
                for word in re.findall(r"\w{3,}", line.decode("utf-8", "replace")):
                    assert word in log or word.lower() in (
                        "status",
                        "context",
                        "next",
                        "steps",
                        "key",
                        "files",
                        "decisions",
                    )


@settings(max_examples=30, deadline=None)
@given(hot_bytes, st.sampled_from(["Current State", "Cross-Task Lessons"]))
def test_a_note_only_adds_its_line_and_its_removal_undoes_it(scratchpad: bytes, section: str) -> None:
    with memory(SCRATCHPAD=scratchpad) as store:
        notes.add_note(store, section, "Zebra crossing")
        after = (store.root / "SCRATCHPAD.md").read_bytes()
        assert is_part(pieces(scratchpad), pieces(after))
        kept(scratchpad, after)
        notes.remove_note(store, section, "zebra")
        again = (store.root / "SCRATCHPAD.md").read_bytes()
        assert is_part(pieces(again), pieces(after))


@settings(max_examples=30, deadline=None)
@given(hot_bytes, hot_bytes, hot_bytes)
def test_tidying_only_takes_lines_away_and_never_an_open_step(one: bytes, two: bytes, three: bytes) -> None:
    with memory(SCRATCHPAD=one, WORKING=two, TASK_QUEUE=three) as store:
        tidy.tidy(store, 3000, everything=True, dry_run=False, session=None, now=NOW, zone=UTC)
        for name, before in (("SCRATCHPAD.md", one), ("WORKING.md", two), ("TASK-QUEUE.md", three)):
            after = (store.root / name).read_bytes()
            kept(before, after)
            rest = iter(pieces(before))
            assert all(any(line == other for other in rest) for line in pieces(after) if line.strip())
            assert pieces(after).count(b"- [ ] open step") == pieces(before).count(b"- [ ] open step")
