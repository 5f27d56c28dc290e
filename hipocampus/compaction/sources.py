"""What nodes are made from: raw logs and nodes of the level below, as they stand now and as a pass leaves them.

Reads each file at most once a pass. Nodes that a pass wrote are put back here, so that the level above sees
them, in a dry run too.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from hipocampus.compaction.cache import Cache
from hipocampus.compaction.late import is_snapshot
from hipocampus.compaction.rawlog import ReadyLog, ready_log
from hipocampus.compaction.seen import SeenEntries
from hipocampus.errors import ReadError
from hipocampus.files import decode, read_bytes
from hipocampus.memory.entries import Entry, split_lines
from hipocampus.memory.listing import Version
from hipocampus.memory.nodes import Cover, Node, cover_of, hash_text, parse_covers
from hipocampus.memory.periods import Level, Month, Week, days_of, parse_month, parse_week, week_of
from hipocampus.memory.store import MemoryStore, add_counts, clean

LIMITS = {Level.DAILY: 200, Level.WEEKLY: 300, Level.MONTHLY: 500}  # lines of a rendered body, hard
READY_LOGS = 40  # raw logs kept in memory, made ready: a month's and some


class Part(NamedTuple):
    """One source of a node: its name (`2026-03-09`, `2026-W10`), and the node or the log as it stands now."""

    name: str
    path: str  # relative to the root
    body: str
    topics: list[str]
    covers: dict[str, Cover]
    fixed: bool
    numbered: str = ""  # a log with its own line numbers, for places in a summary
    exact: bool = False
    note: str = ""
    entries: tuple[Entry, ...] = ()


class Sources:
    """The logs and nodes of one tree during one pass."""

    def __init__(self, store: MemoryStore, today: date, cache: Cache) -> None:
        self.store, self.today, self.cache = store, today, cache
        self.logs: dict[str, Version] = store.log_stats(cache.days)
        self.names = {level: store.node_names(level) for level in LIMITS}
        self.seen = SeenEntries(store)
        self.redacted: dict[str, int] = {}
        self._nodes: dict[tuple[Level, str], Node | None] = {}
        self._ready: dict[str, ReadyLog | None] = {}
        self._lost: dict[tuple[Level, str], str] = {}

    def parts(self, level: Level, name: str) -> list[Part]:
        """Return the sources of a node, oldest first; ReadError when one cannot be read."""
        return list(self._each_part(level, name))

    def lost(self, level: Level, name: str) -> list[str]:
        """Return what was wrong with the nodes below this one that could not be read for its parts."""
        if level is Level.DAILY or not self._lost:
            return []
        below, names = self._below(level, name)
        return [self._lost[below, source] for source in names if (below, source) in self._lost]

    def _each_part(self, level: Level, name: str) -> Iterator[Part]:
        if level is Level.DAILY:
            part = self._log_part(name)
            if part:
                yield part
            return
        below, names = self._below(level, name)
        for source in names:
            part = self._node_part(below, source)
            if part:
                yield part

    def _below(self, level: Level, name: str) -> tuple[Level, list[str]]:
        if level is Level.WEEKLY:
            week = parse_week(name)
            return Level.DAILY, [d.isoformat() for d in days_of(week)] if week else []
        month = parse_month(name)
        return Level.WEEKLY, [str(week) for week in weeks_of(month)] if month else []

    def _log_part(self, day: str) -> Part | None:
        if day not in self.logs:
            return None
        log = self.log(day)
        if log is None or log.is_empty:
            return None
        topics = list(dict.fromkeys(e.heading for e in log.entries if e.topic and not is_snapshot(e)))
        return Part(
            name=day,
            path=f"memory/{day}.md",
            body=log.body,
            topics=topics,
            covers={day: log.cover},
            fixed=date.fromisoformat(day) < self.today,
            numbered=log.numbered,
            exact=log.exact,
            note=log.note,
            entries=tuple(log.entries),
        )

    def _node_part(self, level: Level, name: str) -> Part | None:
        if name not in self.names[level] and (level, name) not in self._nodes:
            return None
        try:
            node = self.node(level, name)
        except ReadError as error:
            self._lost[level, name] = error.message
            return None
        if node is None or not node.body.strip():
            return None
        covers = parse_covers(node.items("covers")) or self.seen.covers(f"{level}/{name}")
        return Part(
            name=name,
            path=node_file(level, name),
            body=node.body if _is_own(node) else self.clean(node.body),
            topics=node.items("topics"),
            covers=covers,
            fixed=node.is_fixed,
        )

    def source_lines(self, parts: list[Part]) -> Iterator[str]:
        """Every line that a copy made from this node's sources may hold, also of the logs far below."""
        for part in parts:
            yield from split_lines(part.body)
        days = [day for part in parts for day in part.covers]
        for day in days:
            log = self.log(day)
            if log is not None:
                yield from log.raw_lines
                yield from log.lines

    def log(self, day: str) -> ReadyLog | None:
        """Return a raw log ready for nodes, None when there is none; ReadError when it cannot be read."""
        if day not in self._ready:
            data = self._read(day)
            log = None if data is None else ready_log(day, decode(data))
            if log is not None and day in self.logs:
                self.cache.remember_log(day, self.logs[day])
            if len(self._ready) >= READY_LOGS:
                self._ready.pop(next(iter(self._ready)))
            self._ready[day] = log
        return self._ready[day]

    def node(self, level: Level, name: str) -> Node | None:
        """A node as it stands, or as this pass wrote it."""
        if (level, name) not in self._nodes:
            self._nodes[level, name] = (
                self.store.read_node(level, name) if name in self.names[level] else None
            )
        return self._nodes[level, name]

    def known(self, level: Level) -> dict[str, Node]:
        """The nodes of a level that this pass read or wrote, by name."""
        return {name: node for (at, name), node in self._nodes.items() if at is level and node is not None}

    def put(self, level: Level, name: str, node: Node) -> None:
        """Take in a node as this pass leaves it."""
        self._nodes[level, name] = node
        self.names[level].add(name)

    def count(self, redacted: dict[str, int]) -> None:
        """Add to what was taken out of nodes."""
        self.redacted = add_counts(self.redacted, redacted)

    def cover(self, day: str) -> Cover | None:
        """Return the cover of a whole log, None when there is none."""
        stat = self.logs.get(day)
        if stat is None:
            return None
        cover = cover_of(day, decode(self._read(day) or b""))
        self.cache.remember_log(day, stat)
        return cover

    def _read(self, day: str) -> bytes | None:
        path = self.store.log_path(date.fromisoformat(day))
        data = read_bytes(path)
        if data is None and path.is_symlink():
            raise ReadError(f"{path}: a link to a file that is not there", "mend the link or remove it")
        return data

    def clean(self, text: str) -> str:
        """Return text fit for a node, and count what was taken out of it."""
        cleaned = clean(text)
        if cleaned.redacted:
            self.count(cleaned.redacted)
        return cleaned.text


def node_file(level: Level, name: str) -> str:
    """Return a node's path relative to the root."""
    return f"memory/{level.value}/{name}.md"


def _is_own(node: Node) -> bool:
    """Whether hipo wrote the body as it stands, so that it is clean already."""
    return bool(node.text("summary")) and node.body_intact


def covers_of(parts: Iterable[Part]) -> dict[str, Cover]:
    """Return what a node made from these sources has taken in, by day."""
    covers: dict[str, Cover] = {}
    for part in parts:
        covers.update(part.covers)
    return covers


def source_hash(parts: Iterable[Part]) -> str:
    """Return the hash that changes when any source of a node does."""
    return hash_text("\x00".join(f"{part.name}\n{part.body}" for part in parts))


def concatenation(parts: Iterable[Part]) -> str:
    """Return the bodies one after the other, each under a heading with its name (which a log may bring along)."""
    out = []
    for part in parts:
        title = f"# {part.name}"
        own = part.body if part.body.split("\n", 1)[0].rstrip() == title else f"{title}\n\n{part.body}"
        out.append(own.strip("\n"))
    return "\n\n".join(out)


def weeks_of(month: Month) -> list[Week]:
    """Return the weeks whose Thursday lies in the month, in order."""
    first = week_of(date(month.year, month.number, 1))
    start = first.monday.toordinal()
    weeks = [week_of(date.fromordinal(start + 7 * n)) for n in range(6)]
    return [week for week in weeks if week.month == month]
