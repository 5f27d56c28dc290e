"""Hot files over their size: what is finished moves into the raw log. What is unfinished is only reported."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import NamedTuple

from hipocampus.files import read_text
from hipocampus.memory.entries import render_fields, split_lines, topic_key
from hipocampus.memory.hot import ROOT, SCRATCHPAD, TARGET_LINES, TASK_QUEUE, WORKING, sections
from hipocampus.memory.store import Draft, MemoryStore, Problem
from hipocampus.memory.tokens import estimate_tokens
from hipocampus.session.checkpoint import comment
from hipocampus.session.hotfile import HotFile, shown
from hipocampus.session.sessions import session_day
from hipocampus.session.tasklist import (
    FINISHED_TITLES,
    Form,
    Item,
    Task,
    count_steps,
    items,
    queued_tasks,
    unmark,
    working_tasks,
)
from hipocampus.session.taskparts import NAMES, STEPS, dedented, read_parts, render_body

SCRATCHPAD_TOPIC = "Finished items of the scratchpad"


@dataclass(frozen=True)
class FileSize:
    """A hot file against its target, and what of it is finished."""

    path: str
    lines: int
    target_lines: int
    lines_after: int  # the same as `lines` where nothing is moved
    moved: Sequence[str] = ()  # titles of what went into the raw log, or would go
    finished: int = 0  # what could be moved; it stays where the file is within its target
    unfinished: Sequence[str] = ()  # what stays because it is not finished

    @property
    def over(self) -> bool:
        return self.lines_after > self.target_lines


@dataclass(frozen=True)
class Tidied:
    """What tidying did; `path` and the lines name its entries in the raw log."""

    files: Sequence[FileSize]
    root_tokens: int
    root_cap: int
    dry_run: bool
    path: str = ""
    line_start: int = 0
    line_end: int = 0
    entries: int = 0
    redacted: Mapping[str, int] = field(default_factory=dict)
    raw_lines: int = 0
    problems: Sequence[Problem] = ()


class Move(NamedTuple):
    """Lines that leave a hot file, and what they become: an entry, or one outcome in the entry of their topic."""

    start: int
    end: int
    title: str
    topic: str
    type: str
    body: str  # of a task's whole entry, "" for an item
    outcome: str  # what a finished item says, "" for a whole task


def tidy(
    store: MemoryStore,
    root_cap: int,
    *,
    everything: bool,
    dry_run: bool,
    session: str | None,
    now: datetime,
    zone: tzinfo | None,
) -> Tidied:
    """Move what is finished out of the hot files that exceed their target, out of all of them with `everything`.

    The entries are written before anything is taken out, and count as raw lines.
    """
    tokens = estimate_tokens(read_text(store.root / ROOT) or "")
    with store.lock():
        hot_files = [HotFile(store.root, name) for name in (SCRATCHPAD, WORKING, TASK_QUEUE)]
        sizes, moves = [], []
        for hot in hot_files:
            size, chosen = _plan(hot, everything)
            moves += chosen
            for move in reversed(chosen):
                hot.remove(move.start, move.end)
            sizes.append(replace(size, lines_after=len(hot.lines)) if chosen else size)
        sizes += _platform_files(store)
        if dry_run or not moves:
            return Tidied(sizes, tokens, root_cap, dry_run)
        day = session_day(store, session, now, zone)
        stamp = comment(now, zone, day, session)
        written = store.append_entries(day, _drafts(moves, stamp))
        state, problems = store.count(written.lines, 0)
        for hot in hot_files:
            if hot.existed:
                hot.save()
    return Tidied(
        sizes,
        tokens,
        root_cap,
        dry_run,
        written.path,
        written.line_start,
        written.line_end,
        written.entries,
        written.redacted,
        state.raw_lines,
        problems,
    )


def sizes_of(store: MemoryStore) -> list[FileSize]:
    """Return the hot files that exist, with their sizes and what could be tidied. Nothing is written."""
    hot_files = [HotFile(store.root, name) for name in (SCRATCHPAD, WORKING, TASK_QUEUE)]
    return [_plan(hot, False)[0] for hot in hot_files if hot.existed] + list(_platform_files(store))


def _plan(hot: HotFile, everything: bool) -> tuple[FileSize, list[Move]]:
    """What of a file is to be moved, in its order, and its size before and after; nothing is changed yet."""
    target = TARGET_LINES[hot.name]
    if not hot.existed:
        return FileSize(hot.name, 0, target, 0), []
    lines = hot.lines
    moves = sorted(_moves(hot.name, lines))
    chosen = moves if everything or len(lines) > target else []
    left = len(lines) - sum(move.end - move.start for move in chosen)
    return (
        FileSize(
            hot.name,
            len(lines),
            target,
            left,
            [shown(move.title) for move in chosen],
            len(moves),
            [shown(title) for title in _unfinished(hot.name, lines)],
        ),
        chosen,
    )


def _drafts(moves: Sequence[Move], stamp: str) -> list[Draft]:
    """The entries that the moved lines become: one a task, and one for all finished items of a topic."""
    drafts = [Draft(move.topic, move.type, stamp, move.body) for move in moves if move.body]
    outcomes: dict[tuple[str, str], list[str]] = {}
    for move in moves:
        if not move.body:
            outcomes.setdefault((move.topic, move.type), []).append(move.outcome)
    bodies = {key: render_fields({"outcome": texts}) for key, texts in outcomes.items()}
    return [*drafts, *(Draft(topic, kind, stamp, body) for (topic, kind), body in bodies.items())]


def _platform_files(store: MemoryStore) -> Iterator[FileSize]:
    """MEMORY.md and USER.md: somebody's notes about the person, which only that somebody shortens."""
    for name, target in TARGET_LINES.items():
        if name in (SCRATCHPAD, WORKING, TASK_QUEUE):
            continue
        text = read_text(store.root / name)
        if text is not None:
            size = len(split_lines(text))
            yield FileSize(name, size, target, size)


def _moves(name: str, lines: list[str]) -> Iterator[Move]:
    if name == SCRATCHPAD:
        yield from _scratchpad_moves(lines)
        return
    tasks = working_tasks(lines, name) if name == WORKING else queued_tasks(lines, name)
    for task in tasks:
        if task.finished:
            yield _task_move(lines, task)
        elif name == WORKING and task.form is Form.SECTION:
            yield from _step_moves(lines, task)


def _task_move(lines: list[str], task: Task) -> Move:
    parts = read_parts(lines, task)
    body = render_body(parts, f"done (marked as finished in {task.file})", {}, "not done")
    return Move(task.start, task.end, task.title, shown(task.title), task.type, shown(body), "")


def _step_moves(lines: list[str], task: Task) -> Iterator[Move]:
    """The ticked steps of a task that goes on: each is removed by itself, all are told under the task's name."""
    own = lines[task.start : task.end]
    level = len(own[0]) - len(own[0].lstrip("#"))
    for part in sections(own, level + 1):
        if NAMES.get(topic_key(part.title)) != STEPS:
            continue
        for item in items(own, part.start + 1, part.end):
            if (text := _finished_text(own, item)) is not None:
                span = task.start + item.start, task.start + item.end
                said = shown(_outcome(own, item, text))
                yield Move(*span, f"{task.title}: {text}", shown(task.title), task.type, "", said)


def _scratchpad_moves(lines: list[str]) -> Iterator[Move]:
    heads = sections(lines, 2)
    spans = [(0, heads[0].start if heads else len(lines), "")]
    spans += [(head.start + 1, head.end, head.title) for head in heads]
    for start, end, title in spans:
        for item in items(lines, start, end):
            text = _finished_text(lines, item)
            if (
                text is None
                and topic_key(title) in FINISHED_TITLES
                and not count_steps(lines, item.start, item.end)[0]
            ):
                text = item.text
            if text:
                said = shown(_outcome(lines, item, text))
                yield Move(item.start, item.end, text, SCRATCHPAD_TOPIC, "project", "", said)


def _finished_text(lines: list[str], item: Item) -> str | None:
    """What a ticked or struck bullet says; None for one that is not finished or has open boxes below it."""
    text, done = unmark(item.text)
    return text if done and not count_steps(lines, item.start + 1, item.end)[0] else None


def _outcome(lines: list[str], item: Item, text: str) -> str:
    return "\n".join([text, *dedented([line for line in lines[item.start + 1 : item.end] if line.strip()])])


def _unfinished(name: str, lines: list[str]) -> list[str]:
    if name == SCRATCHPAD:
        return []
    tasks = working_tasks(lines, name) if name == WORKING else queued_tasks(lines, name)
    return [task.title for task in tasks if not task.finished]
