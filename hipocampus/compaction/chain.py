"""The compaction chain: raw logs to daily, weekly and monthly nodes, in this order, each from the level below.

What to do follows from the sources and the nodes that stand, never from the state file: a run that died
is finished by the next one, and a run with nothing changed writes nothing.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import date

from hipocampus.compaction.cache import Cache, LogFact, read_waiting, write_waiting
from hipocampus.compaction.late import Seen, add_late, entry_hash, is_snapshot, missing_entries
from hipocampus.compaction.origin import Origin, origin_of, unreadable
from hipocampus.compaction.rawlog import ReadyLog, ready_log
from hipocampus.compaction.report import Action, NodeDone
from hipocampus.errors import HipoError, ReadError
from hipocampus.files import decode, read_bytes
from hipocampus.memory.entries import Entry, split_lines
from hipocampus.memory.nodes import (
    Cover,
    Frontmatter,
    Node,
    Status,
    Summary,
    cover_of,
    hash_text,
    parse_covers,
    parse_node,
    render_node,
)
from hipocampus.memory.periods import Level, Month, Week, days_of, parse_day, parse_month, parse_week, week_of
from hipocampus.memory.store import FileStat, MemoryStore, Problem, add_counts, clean

LIMITS = {Level.DAILY: 200, Level.WEEKLY: 300, Level.MONTHLY: 500}  # lines of a rendered body, hard
SEEN_FILE = "seen.json"

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Part:
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
    entries: list[Entry] = field(default_factory=list)


class Chain:
    """One pass over a tree. Nodes that were read or written are kept, so that a dry run sees its own work."""

    def __init__(
        self,
        store: MemoryStore,
        today: date,
        cache: Cache,
        *,
        waiting: bool,
        dry_run: bool,
        progress: Progress | None = None,
    ) -> None:
        self.store, self.today, self.cache = store, today, cache
        self.waiting = waiting  # a model is configured: summaries by rule wait for it
        self.dry_run = dry_run
        self.progress = progress or (lambda _done, _total, _what: None)
        self.done: list[NodeDone] = []
        self.problems: list[Problem] = []
        self.redacted: dict[str, int] = {}
        self.logs: dict[str, FileStat] = {}
        self._nodes: dict[tuple[Level, str], Node | None] = {}
        self._ready: dict[str, ReadyLog | None] = {}
        self._names: dict[Level, set[str]] = {}
        self._seen: dict[str, object] = {}
        self._seen_changed = False
        self._waiting: set[str] = set()

    def prepare(self) -> None:
        """List the tree: what logs and nodes there are."""
        self.logs = self.store.log_stats()
        self._names = {level: set(self.store.node_names(level)) for level in LIMITS}
        self._seen = self.store.read_own(SEEN_FILE)

    def parts(self, level: Level, name: str) -> list[Part]:
        """Return the sources of a node, oldest first; ReadError when one cannot be read. After `prepare`."""
        return list(self._parts(level, name))

    def run(self) -> None:
        """Bring every node that may need it up to date."""
        self.prepare()
        before = read_waiting(self.store)
        self._waiting = set(before)
        days, weeks, months = self._due()
        total, count = len(days) + len(weeks) + len(months), 0
        for level, names in ((Level.DAILY, days), (Level.WEEKLY, weeks), (Level.MONTHLY, months)):
            for name in names:
                with self._step():
                    self._bring_up_to_date(level, name)
                count += 1
                self.progress(count, total, f"{level} {name}")
                if level is Level.DAILY:
                    self._ready.pop(name, None)
        if self._seen_changed and not self.dry_run:
            self.store.write_own(SEEN_FILE, self._seen)
        if self._waiting != before and not self.dry_run:
            write_waiting(self.store, self._waiting)

    def _step(self) -> AbstractContextManager[object]:
        """One node's read and write under the tree's lock; between two of them others may go first."""
        if self.dry_run:
            return nullcontext()
        lock = self.store.lock()
        lock.breathe()
        return lock

    # --- which nodes need a look ---

    def _due(self) -> tuple[list[str], list[str], list[str]]:
        settled = self.cache.settled
        gone = self.cache.forget_missing(self.logs)
        changed = set(self.cache.changed_logs(self.logs))
        days = (
            changed
            | (self.logs.keys() - settled[Level.DAILY])
            | (self.logs.keys() - self._names[Level.DAILY])
        )
        orphans = {n for n in self._names[Level.DAILY] - self.logs.keys() if parse_day(n)}
        weeks = {str(week_of(date.fromisoformat(d))) for d in days | orphans | set(gone)}
        weeks |= settled[Level.WEEKLY] - self._names[Level.WEEKLY]
        weeks |= {n for n in self._names[Level.WEEKLY] - settled[Level.WEEKLY] if parse_week(n)}
        months = {str(week.month) for week in map(parse_week, weeks) if week}
        months |= settled[Level.MONTHLY] - self._names[Level.MONTHLY]
        months |= {n for n in self._names[Level.MONTHLY] - settled[Level.MONTHLY] if parse_month(n)}
        return sorted(days), sorted(weeks), sorted(months)

    # --- one node ---

    def _bring_up_to_date(self, level: Level, name: str) -> None:
        try:
            if level is Level.DAILY and self._is_settled_day(name):
                return
            parts = list(self._parts(level, name))
            node = self.node(level, name)
        except ReadError as error:
            self._skip(level, name, error.message)
            return
        if not parts:
            self.cache.settled[level].discard(name)
            return
        try:
            self._update(level, name, node, parts)
        except HipoError as error:
            self._skip(level, name, error.message)

    def _update(self, level: Level, name: str, node: Node | None, parts: list[Part]) -> None:
        status = self.status(level, name, parts)
        covers, sources = covers_of(parts), source_hash(parts)
        if node is None:
            self._write(level, name, None, parts, status, covers, sources, Action.CREATED)
            return
        origin = origin_of(node, self._source_lines(level, name, parts))
        if origin in (Origin.PLACEHOLDER, Origin.MECHANICAL):
            same_logs = parse_covers(node.items("covers")) == covers
            stays = same_logs and (node.is_fixed or node.text("source-hash") == sources)
            if stays and origin is Origin.MECHANICAL and node.text("summary"):
                self._set_status(level, name, node, status)
                return
            action = Action.REOPENED if node.is_fixed and origin is Origin.MECHANICAL else Action.REBUILT
            self._write(level, name, node, parts, status, covers, sources, action)
            return
        self._keep_somebodys(level, name, node, parts, status, covers, sources, origin)

    def status(self, level: Level, name: str, parts: list[Part]) -> Status:
        """Return whether a node with these sources is fixed by now."""
        if level is Level.DAILY:
            closed = date.fromisoformat(name) < self.today
        else:
            period = parse_week(name) or parse_month(name)
            closed = period is not None and period.is_closed(self.today) and all(part.fixed for part in parts)
        return Status.FIXED if closed else Status.TENTATIVE

    def _is_settled_day(self, name: str) -> bool:
        """Whether a day's node says what its log says, so that the log need not be made ready for it."""
        node = self.node(Level.DAILY, name)
        if node is None or not node.body_intact or not node.text("summary"):
            return False
        over = date.fromisoformat(name) < self.today
        if node.is_fixed != over or parse_covers(node.items("covers")) != {name: self._cover(name)}:
            return False
        self._note(Level.DAILY, name, node, Action.UNCHANGED)
        return True

    def _cover(self, day: str) -> Cover | None:
        """The cover of a whole log, from the cache where its version is known."""
        stat = self.logs.get(day)
        if stat is None:
            return None
        cover = self.cache.log(day, stat)
        if cover is None:
            data = read_bytes(self.store.log_path(date.fromisoformat(day)))
            cover = cover_of(day, decode(data or b""))
            self.cache.remember_log(day, LogFact(stat, cover))
        return cover

    def _write(
        self,
        level: Level,
        name: str,
        node: Node | None,
        parts: list[Part],
        status: Status,
        covers: dict[str, Cover],
        sources: str,
        action: Action,
    ) -> None:
        body, topics, summary = self._mechanical(level, parts)
        front = node.front if node else None
        changes = self.front(level, name, parts, status, covers, sources)
        changes |= {"topics": topics, "summary": str(summary), "body-hash": hash_text(body), "lines": None}
        changes["waiting"] = True if self.waiting and summary is Summary.EXTRACTIVE else None
        self._store_node(level, name, front, changes, body, action)

    def _mechanical(self, level: Level, parts: list[Part]) -> tuple[str, list[str], Summary]:
        from hipocampus.compaction.summarize import Source, summarize

        limit = LIMITS[level]
        body = parts[0].body if level is Level.DAILY else concatenation(parts)
        if body.count("\n") + 1 <= limit:
            return body, list(dict.fromkeys(t for part in parts for t in part.topics)), Summary.VERBATIM
        note = parts[0].note
        given = [Source(p.name, p.name, p.numbered or p.body, p.topics, p.exact) for p in parts]
        short = summarize(level, given, limit - 2 if note else limit)
        body = self._clean(short.body)
        return (f"{body}\n\n{note}" if note else body), short.topics, Summary.EXTRACTIVE

    def front(
        self,
        level: Level,
        name: str,
        parts: list[Part],
        status: Status,
        covers: dict[str, Cover],
        sources: str,
    ) -> dict[str, object]:
        """Return the frontmatter that follows from a node's sources."""
        front: dict[str, object] = {"type": str(level), "status": str(status), "period": name}
        if week := parse_week(name):
            front["dates"] = f"{week.monday} to {week.sunday}"
        elif level is Level.MONTHLY:
            front["weeks"] = [part.name for part in parts]
        front["source-files"] = [part.path for part in parts]
        front["covers"] = [str(covers[day]) for day in sorted(covers)]
        front["source-hash"] = sources
        return front

    def _set_status(self, level: Level, name: str, node: Node, status: Status) -> None:
        """Close or reopen a node whose text stays. Its frontmatter changes by that one line."""
        if node.status == status or (node.is_fixed and unreadable(node)):
            self._note(level, name, node, Action.UNCHANGED)
        elif node.is_fixed and level is not Level.DAILY and status is Status.TENTATIVE:
            self._note(level, name, node, Action.UNCHANGED)  # a fixed node stays fixed while its logs do
        else:
            action = Action.FIXED if status is Status.FIXED else Action.REBUILT
            self._store_node(level, name, node.front, {"status": str(status)}, node.body, action)

    # --- somebody's text ---

    def _keep_somebodys(
        self,
        level: Level,
        name: str,
        node: Node,
        parts: list[Part],
        status: Status,
        covers: dict[str, Cover],
        sources: str,
        origin: Origin,
    ) -> None:
        key = f"{level}/{name}"
        seen = self._seen_of(key, node, covers)
        late: list[tuple[str, Entry]] = []
        for day in sorted(covers):
            before = seen.get(day)
            if before is not None and before.cover == covers[day]:
                continue
            log = self._log(day)
            if log is not None:
                late += [(day, e) for e in missing_entries(log, before, node.body) if not is_snapshot(e)]
        if unreadable(node):
            self.problems.append(
                Problem(self._path(level, name), 1, "the frontmatter cannot be read; its text is kept")
            )
        if not late:
            self._remember_seen(key, covers)
            if unreadable(node):
                self._note(level, name, node, Action.UNCHANGED)
            else:
                self._set_status(level, name, node, status)
            return
        body = self._clean(add_late(node.body, late, LIMITS[level], dated=level is not Level.DAILY))
        changes: dict[str, object] = {}
        if not unreadable(node):
            changes = self.front(level, name, parts, status, covers, sources)
            topics = [*node.items("topics"), *(entry.heading for _, entry in late)]
            kind = Summary.LLM if origin is Origin.MODEL else Summary.MANUAL
            changes |= {"topics": list(dict.fromkeys(topics)), "summary": str(kind)}
            changes |= {"waiting": True, "body-hash": hash_text(body)}
        self._store_node(
            level, name, node.front, changes, body, Action.REOPENED if node.is_fixed else Action.REBUILT
        )
        self._remember_seen(key, covers)

    def _seen_of(self, key: str, node: Node, covers: dict[str, Cover]) -> dict[str, Seen]:
        """What somebody's node has taken in: its covers, else the logs as they stood when it was first seen."""
        known = self._seen.get(key)
        known = known if isinstance(known, dict) else {}
        hashes = {day: frozenset(v[1:]) for day, v in known.items() if isinstance(v, list) and v}
        written = parse_covers(node.items("covers"))
        if not written:
            written = parse_covers([str(v[0]) for v in known.values() if isinstance(v, list) and v])
        if not written and not known:
            return {day: Seen(cover, None) for day, cover in covers.items()}
        return {day: Seen(cover, hashes.get(day)) for day, cover in written.items()}

    def _remember_seen(self, key: str, covers: dict[str, Cover]) -> None:
        known = self._seen.get(key)
        known = known if isinstance(known, dict) else {}
        now: dict[str, object] = {}
        for day, cover in covers.items():
            before = known.get(day)
            if isinstance(before, list) and before and before[0] == str(cover):
                now[day] = before
            elif (log := self._log(day)) is not None:
                now[day] = [str(cover), *(entry_hash(entry) for entry in log.entries)]
        if now != known:
            self._seen[key] = now
            self._seen_changed = True

    # --- sources ---

    def _parts(self, level: Level, name: str) -> Iterator[Part]:
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
        log = self._log(day)
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
            entries=log.entries,
        )

    def _node_part(self, level: Level, name: str) -> Part | None:
        if name not in self._names[level] and (level, name) not in self._nodes:
            return None
        try:
            node = self.node(level, name)
        except ReadError:
            return None
        if node is None or not node.body.strip():
            return None
        key = f"{level}/{name}"
        covers = parse_covers(node.items("covers"))
        if not covers and isinstance(known := self._seen.get(key), dict):
            covers = parse_covers([str(v[0]) for v in known.values() if isinstance(v, list) and v])
        return Part(
            name=name,
            path=self._path(level, name),
            body=node.body if _is_own(node) else self._clean(node.body),
            topics=node.items("topics"),
            covers=covers,
            fixed=node.is_fixed,
        )

    def _source_lines(self, level: Level, name: str, parts: list[Part]) -> Iterator[str]:
        """Every line that a copy made from this node's sources may hold, also of the logs far below."""
        for part in parts:
            yield from split_lines(part.body)
        days = [day for part in parts for day in part.covers]
        for day in days:
            log = self._log(day)
            if log is not None:
                yield from log.raw_lines
                yield from log.lines

    def _log(self, day: str) -> ReadyLog | None:
        """A raw log ready for nodes, None when there is none; ReadError when it cannot be read."""
        if day not in self._ready:
            data = read_bytes(self.store.log_path(date.fromisoformat(day)))
            log = None if data is None else ready_log(day, decode(data))
            if log is not None and day in self.logs:
                self.cache.remember_log(day, LogFact(self.logs[day], log.cover))
                if len(self._ready) > 40:
                    self._ready.pop(next(iter(self._ready)))
            self._ready[day] = log
        return self._ready[day]

    def node(self, level: Level, name: str) -> Node | None:
        """A node as it stands, or as this pass wrote it."""
        if (level, name) not in self._nodes:
            self._nodes[level, name] = (
                self.store.read_node(level, name) if name in self._names[level] else None
            )
        return self._nodes[level, name]

    def known(self, level: Level) -> dict[str, Node]:
        """The nodes of a level that this pass read or wrote, by name."""
        return {name: node for (at, name), node in self._nodes.items() if at is level and node is not None}

    # --- results ---

    def _store_node(
        self,
        level: Level,
        name: str,
        front: Frontmatter | None,
        changes: dict[str, object],
        body: str,
        action: Action,
    ) -> None:
        text = render_node(front, changes, body) if front or changes else f"{body}\n"
        if not self.dry_run:
            self.store.write_node(level, name, text)
        node = parse_node(text)
        self._nodes[level, name] = node
        self._names[level].add(name)
        self._note(level, name, node, action)
        if level is Level.DAILY and action is not Action.FIXED and (log := self._ready.get(name)):
            self.redacted = add_counts(self.redacted, log.redacted)

    def _note(self, level: Level, name: str, node: Node, action: Action) -> None:
        summary = node.text("summary") or str(Summary.MANUAL)
        self.done.append(
            NodeDone(
                self._path(level, name), str(level), node.status, summary, action, node.body.count("\n") + 1
            )
        )
        settled = self.cache.settled[level]
        (settled.add if node.is_fixed else settled.discard)(name)
        waits = node.text("waiting") == "true"
        (self._waiting.add if waits else self._waiting.discard)(f"{level}/{name}")

    def _skip(self, level: Level, name: str, message: str) -> None:
        self.problems.append(Problem(self._path(level, name), 0, message))
        self.cache.settled[level].discard(name)
        self._nodes.pop((level, name), None)

    def _clean(self, text: str) -> str:
        cleaned = clean(text)
        if cleaned.redacted:
            self.redacted = add_counts(self.redacted, cleaned.redacted)
        return cleaned.text

    def _path(self, level: Level, name: str) -> str:
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
