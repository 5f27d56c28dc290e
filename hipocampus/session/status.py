"""What a memory holds and what is due, as values. Reads much and writes nothing, not even the index."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, tzinfo
from pathlib import Path

from hipocampus.clock import local_day
from hipocampus.compaction.begin import look
from hipocampus.compaction.cache import read_waiting
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.files import decode, read_bytes, read_text
from hipocampus.memory.entries import heading_lines, split_lines
from hipocampus.memory.hot import ROOT
from hipocampus.memory.nodes import Status, parse_node
from hipocampus.memory.periods import Level, parse_period, week_of
from hipocampus.memory.store import MemoryStore
from hipocampus.memory.tokens import estimate_tokens
from hipocampus.session.briefing import CAP_BYTES, ORDER, utf8
from hipocampus.session.start import compose
from hipocampus.session.tidy import FileSize, sizes_of

CALENDAR_DAYS = 371  # 53 whole weeks

INDEX_FILE = "recall.sqlite3"  # in .hipo/; named here so that looking for it loads nothing
HEAD_BYTES = 4096  # of a node: where its frontmatter stands

_STATUS = re.compile(rb"^status:[ \t]*[\"']?(fixed|tentative)[\"']?[ \t]*\r?$", re.M)


@dataclass(frozen=True)
class LevelCount:
    """How far one level of the tree covers what lies below it."""

    level: str
    nodes: int
    fixed: int
    tentative: int
    waiting: int  # for a summary
    missing: int  # periods with logs that have no node yet
    other: int  # nodes whose status is neither


@dataclass(frozen=True)
class StartBudget:
    """What a session's start would print now."""

    bytes: int
    cap_bytes: int
    tokens: int
    shortened: Mapping[str, int]  # hot file -> lines that find no room


@dataclass(frozen=True)
class Due:
    """The counters against the triggers. `next_at` is when the cooldown ends; None when a run is due."""

    due: bool
    triggers: list[str]
    hours_since: float | None
    cooldown_hours: float
    raw_lines: int
    checkpoints: int
    next_at: datetime | None
    notes: list[str]


@dataclass(frozen=True)
class IndexInfo:
    """What the recall index holds. It is made by the first search and can be deleted at any time."""

    bytes: int
    files: Mapping[str, int]  # level -> how many
    sections: int
    damaged: str = ""


@dataclass(frozen=True)
class MemoryStatus:
    """Everything that `hipo status` shows."""

    root: Path
    today: date
    logs: int
    first_day: str
    last_day: str
    days: Mapping[str, int]  # day of the last year -> entries
    levels: list[LevelCount]
    hot: list[FileSize]
    root_tokens: int
    root_cap: int
    start: StartBudget
    compaction: Due
    waiting: list[str]  # paths of nodes that wait for a summary
    index: IndexInfo | None
    handoffs: Mapping[str, int] = field(default_factory=dict)  # agent -> unread notes
    conversations: int = 0
    problems: list[str] = field(default_factory=list)

    def due_lines(self) -> list[str]:
        """What somebody should see to, a line each; empty when there is nothing."""
        lines = []
        if self.compaction.due:
            lines.append(f"compaction is due ({', '.join(self.compaction.triggers)}): hipo compact")
        if self.waiting:
            lines.append(
                f"{_count(len(self.waiting), 'node waits', 'nodes wait')} for a summary: hipo compact --pending"
            )
        for size in self.hot:
            if size.lines > size.target_lines:
                what = "hipo tidy" if size.finished else "nothing in it is marked as finished"
                lines.append(f"{size.path} has {size.lines} of {size.target_lines} lines: {what}")
        if self.root_tokens > self.root_cap:
            lines.append(f"{ROOT} has {self.root_tokens} of {self.root_cap} tokens: hipo compact --force")
        for agent, unread in self.handoffs.items():
            lines.append(
                f"{_count(unread, 'handoff', 'handoffs')} for {agent}: hipo brain handoff read --for {agent}"
            )
        return lines + self.problems


def status_of(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    *,
    handoffs: Mapping[str, int],
    conversations: int,
) -> MemoryStatus:
    """Return the state of a memory. What cannot be read is named in `problems`, and the rest is told."""
    problems: list[str] = []
    today = local_day(now, zone)
    logs = store.log_names()
    waiting = read_waiting(store)
    try:
        hot = sizes_of(store)
    except HipoError as error:
        hot = []
        problems.append(str(error))
    texts = _hot_texts(store, problems)
    return MemoryStatus(
        root=store.root,
        today=today,
        logs=len(logs),
        first_day=logs[0] if logs else "",
        last_day=logs[-1] if logs else "",
        days=_entries(store, logs, today, problems),
        levels=[_level(store, level, logs, waiting, problems) for level in Level if level is not Level.ROOT],
        hot=hot,
        root_tokens=estimate_tokens(texts.get(ROOT, "")),
        root_cap=config.compaction.root_max_tokens,
        start=_budget(texts),
        compaction=_due(store, config, now),
        waiting=sorted(f"memory/{name}.md" for name in waiting),
        index=_index(store),
        handoffs=handoffs,
        conversations=conversations,
        problems=[problem.removeprefix(f"{store.root}/") for problem in dict.fromkeys(problems)],
    )


def calendar_start(today: date) -> date:
    """Return the Monday with which the calendar of the last year begins."""
    return week_of(today).monday - timedelta(days=CALENDAR_DAYS - 7)


def _entries(store: MemoryStore, logs: Iterable[str], today: date, problems: list[str]) -> dict[str, int]:
    first = calendar_start(today).isoformat()
    found = {}
    for day in logs:
        if first <= day:
            try:
                text = store.read_log(date.fromisoformat(day)) or ""
            except HipoError as error:
                problems.append(str(error))
                continue
            entries = len(heading_lines(split_lines(text)))
            found[day] = entries or int(bool(text.strip()))
    return found


def _level(
    store: MemoryStore, level: Level, logs: list[str], waiting: set[str], problems: list[str]
) -> LevelCount:
    names = [name for name in sorted(store.node_names(level)) if (p := parse_period(name)) and p[0] is level]
    counts = {Status.FIXED: 0, Status.TENTATIVE: 0}
    for name in names:
        try:
            if (status := _status(store.node_path(level, name))) in counts:
                counts[Status(status)] += 1
        except HipoError as error:
            problems.append(str(error))
    wanted = {_period(level, day) for day in logs}
    return LevelCount(
        level=str(level),
        nodes=len(names),
        fixed=counts[Status.FIXED],
        tentative=counts[Status.TENTATIVE],
        waiting=sum(name.startswith(f"{level}/") for name in waiting),
        missing=len(wanted - set(names)),
        other=len(names) - sum(counts.values()),
    )


def _period(level: Level, day: str) -> str:
    if level is Level.DAILY:
        return day
    week = week_of(date.fromisoformat(day))
    return str(week) if level is Level.WEEKLY else str(week.month)


def _status(path: Path) -> str:
    """A node's status from its first bytes; a node that is written in another way is parsed as a whole."""
    data = read_bytes(path) or b""
    head = data[:HEAD_BYTES]
    end = head.find(b"\n---", 4)
    if end > 0 and head.startswith(b"---") and (match := _STATUS.search(head, 0, end + 1)):
        return match[1].decode()
    return parse_node(decode(data)).status


def _hot_texts(store: MemoryStore, problems: list[str]) -> dict[str, str]:
    texts = {}
    for path in ORDER:
        try:
            text = read_text(store.root / path)
        except HipoError as error:
            problems.append(str(error))
            continue
        if text is not None:
            texts[path] = text
    return texts


def _budget(texts: dict[str, str]) -> StartBudget:
    context, shown = compose([], texts)
    return StartBudget(
        bytes=utf8(context),
        cap_bytes=CAP_BYTES,
        tokens=estimate_tokens(context),
        shortened={one.path: one.left_out for one in shown if one.left_out},
    )


def _due(store: MemoryStore, config: Config, now: datetime) -> Due:
    begun = look(store, config, now)
    verdict = begun.verdict
    left = None
    if not begun.due and verdict.hours_since is not None:
        left = now + timedelta(hours=verdict.cooldown_hours - verdict.hours_since)
    return Due(
        due=begun.due,
        triggers=[str(trigger) for trigger in begun.triggers],
        hours_since=verdict.hours_since,
        cooldown_hours=verdict.cooldown_hours,
        raw_lines=verdict.raw_lines,
        checkpoints=verdict.checkpoints,
        next_at=left,
        notes=list(begun.notes),
    )


def _index(store: MemoryStore) -> IndexInfo | None:
    """What the index holds; SQLite is loaded only where there is one."""
    path = store.hidden / INDEX_FILE
    stat = store.stat_of(path)
    if stat is None:
        return None
    from hipocampus.recall.index import DAMAGE, IndexDamaged, open_index

    try:
        index = open_index(path, write=False)
    except IndexDamaged as error:
        return IndexInfo(stat.size, {}, 0, str(error))
    try:
        files: dict[str, int] = {}
        for state in index.files().values():
            files[state.level] = files.get(state.level, 0) + 1
        return IndexInfo(stat.size, files, index.section_counts([])[0])
    except DAMAGE as error:
        return IndexInfo(stat.size, {}, 0, str(error))
    finally:
        index.close()


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
