"""The compaction chain: raw logs to daily, weekly and monthly nodes, in this order, each from the level below.

What to do follows from the sources and the nodes that stand, never from the state file: a run that died
is finished by the next one, and a run with nothing changed writes nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date

from hipocampus.compaction.cache import Cache, read_waiting, write_waiting
from hipocampus.compaction.late import add_late, is_snapshot, missing_entries
from hipocampus.compaction.origin import Origin, is_torn, origin_of, unreadable
from hipocampus.compaction.report import Action, NodeDone
from hipocampus.compaction.sources import (
    LIMITS,
    Part,
    Sources,
    concatenation,
    covers_of,
    node_file,
    source_hash,
)
from hipocampus.errors import HipoError, ReadError
from hipocampus.memory.entries import Entry
from hipocampus.memory.nodes import (
    Cover,
    Frontmatter,
    Node,
    Status,
    Summary,
    hash_text,
    parse_covers,
    parse_node,
    render_node,
)
from hipocampus.memory.periods import Level, days_of, parse_day, parse_month, parse_week, week_of
from hipocampus.memory.store import MemoryStore, Problem

MOST_CHARS = 300  # of a topic's name in frontmatter
MOST_TOPICS = 500  # named in a node's frontmatter; the body counts all of them

Progress = Callable[[int, int, str], None]


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
        self.notes: list[str] = []
        self.sources = Sources(store, today, cache)
        self._waiting: set[str] = set()

    def run(self) -> None:
        """Bring every node that may need it up to date."""
        before = read_waiting(self.store)
        self._waiting = set(before)
        days, weeks, months = self._due()
        total, count = len(days) + len(weeks) + len(months), 0
        with self._held() as breathe:
            for level, names in ((Level.DAILY, days), (Level.WEEKLY, weeks), (Level.MONTHLY, months)):
                for name in names:
                    breathe()
                    self._bring_up_to_date(level, name)
                    count += 1
                    self.progress(count, total, f"{level} {name}")
            if not self.dry_run:
                self.sources.seen.save()
                if self._waiting != before:
                    write_waiting(self.store, self._waiting)

    @contextmanager
    def _held(self) -> Iterator[Callable[[], None]]:
        """Hold the tree's lock and yield what lets others go first between two nodes; a dry run needs neither."""
        if self.dry_run:
            yield lambda: None
            return
        with self.store.lock() as lock:
            yield lock.breathe

    # --- which nodes need a look ---

    def _due(self) -> tuple[list[str], list[str], list[str]]:
        """The days, weeks and months that may not say what lies below them."""
        logs, names, settled = self.sources.logs, self.sources.names, self.cache.settled
        gone = self.cache.forget_missing(logs)
        days = {*self.cache.changed_logs(logs), *(logs.keys() - names[Level.DAILY])}
        days |= logs.keys() & self.cache.unsettled[Level.DAILY]
        orphans = {n for n in names[Level.DAILY] - logs.keys() if parse_day(n)}
        weeks = {str(week_of(date.fromisoformat(d))) for d in days | orphans | set(gone)}
        weeks |= self.cache.gone(Level.WEEKLY, names[Level.WEEKLY])
        weeks |= {n for n in names[Level.WEEKLY] - settled[Level.WEEKLY] if parse_week(n)}
        known = [week for week in map(parse_week, weeks) if week]
        # The other days of these weeks, too: a node that somebody put back must not speak for its log above.
        days |= logs.keys() & {day.isoformat() for week in known for day in days_of(week)}
        months = {str(week.month) for week in known}
        months |= self.cache.gone(Level.MONTHLY, names[Level.MONTHLY])
        months |= {n for n in names[Level.MONTHLY] - settled[Level.MONTHLY] if parse_month(n)}
        return sorted(days), sorted(weeks), sorted(months)

    # --- one node ---

    def _bring_up_to_date(self, level: Level, name: str) -> None:
        try:
            if level is Level.DAILY and self._is_settled_day(name):
                return
            parts = self.sources.parts(level, name)
            node = self.sources.node(level, name)
        except ReadError as error:
            self._skip(level, name, str(error))
            return
        lost = self.sources.lost(level, name)
        for message in lost:
            self._name(level, name, message)
        if lost and node is not None:  # what it holds of the file that cannot be read must not go
            self.cache.settle(level, name, False)
            return
        if not parts:
            self.cache.forget(level, name)
            return
        try:
            self._update(level, name, node, parts)
        except HipoError as error:
            self._skip(level, name, str(error))
        if lost:
            self.cache.settle(level, name, False)

    def _update(self, level: Level, name: str, node: Node | None, parts: list[Part]) -> None:
        status = self.status(level, name, parts)
        covers, sources = covers_of(parts), source_hash(parts)
        if level is Level.DAILY and (log := self.sources.log(name)):
            self.sources.count(log.redacted)
        if node is not None and is_torn(node):
            self._set_aside(level, name)
            node = None
        if node is None:
            self._write(level, name, None, parts, status, covers, sources, Action.CREATED)
            return
        origin = origin_of(node, self.sources.source_lines(parts))
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

    def _set_aside(self, level: Level, name: str) -> None:
        """Keep the bytes of a node that was cut off beside it, and say so; the node is made anew."""
        aside = "" if self.dry_run else self.store.set_aside(self.store.node_path(level, name))
        self.notes.append(
            f"{node_file(level, name)}: cut off in its frontmatter; made anew"
            + (f", the old bytes are {aside}" if aside else "")
        )

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
        node = self.sources.node(Level.DAILY, name)
        if node is None or not node.body_intact or not node.text("summary"):
            return False
        over = date.fromisoformat(name) < self.today
        if node.is_fixed != over or parse_covers(node.items("covers")) != {name: self.sources.cover(name)}:
            return False
        self._note(Level.DAILY, name, node, Action.UNCHANGED)
        return True

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
        changes |= {
            "topics": [topic[:MOST_CHARS] for topic in topics[:MOST_TOPICS]],
            "summary": str(summary),
            "body-hash": hash_text(body),
            "lines": None,
        }
        changes["waiting"] = True if self.waiting and summary is Summary.EXTRACTIVE else None
        self._store_node(level, name, front, changes, body, action)

    def _mechanical(self, level: Level, parts: list[Part]) -> tuple[str, list[str], Summary]:
        limit = LIMITS[level]
        body = parts[0].body if level is Level.DAILY else concatenation(parts)
        if body.count("\n") + 1 <= limit:
            return body, list(dict.fromkeys(t for part in parts for t in part.topics)), Summary.VERBATIM
        from hipocampus.compaction.summarize import Source, summarize  # loaded only for what is too long

        note = parts[0].note
        given = [Source(p.name, p.name, p.numbered or p.body, p.topics, p.exact) for p in parts]
        short = summarize(level, given, limit - 2 if note else limit)
        body = self.sources.clean(short.body)
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
        seen = self.sources.seen.of(key, node, covers)
        late: list[tuple[str, Entry]] = []
        for day in sorted(covers):
            before = seen.get(day)
            if before is not None and before.cover == covers[day]:
                continue
            log = self.sources.log(day)
            if log is not None:
                late += [(day, e) for e in missing_entries(log, before, node.body) if not is_snapshot(e)]
        if unreadable(node):
            self.problems.append(
                Problem(node_file(level, name), 1, "the frontmatter cannot be read; its text is kept")
            )
        if not late:
            self.sources.seen.remember(key, covers, self.sources.log)
            if unreadable(node):
                self._note(level, name, node, Action.UNCHANGED)
            else:
                self._set_status(level, name, node, status)
            return
        body = self.sources.clean(add_late(node.body, late, LIMITS[level], dated=level is not Level.DAILY))
        changes: dict[str, object] = {}
        if not unreadable(node):
            changes = self.front(level, name, parts, status, covers, sources)
            topics = [*node.items("topics"), *(entry.heading for _, entry in late)]
            kind = Summary.LLM if origin is Origin.MODEL else Summary.MANUAL
            changes |= {"topics": list(dict.fromkeys(topics))[-MOST_TOPICS:], "summary": str(kind)}
            changes |= {"waiting": True, "body-hash": hash_text(body)}
        self._store_node(
            level, name, node.front, changes, body, Action.REOPENED if node.is_fixed else Action.REBUILT
        )
        self.sources.seen.remember(key, covers, self.sources.log)

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
        self.sources.put(level, name, node)
        self._note(level, name, node, action)

    def _note(self, level: Level, name: str, node: Node, action: Action) -> None:
        summary = node.text("summary") or str(Summary.MANUAL)
        self.done.append(
            NodeDone(
                node_file(level, name), str(level), node.status, summary, action, node.body.count("\n") + 1
            )
        )
        self.cache.settle(level, name, node.is_fixed)
        waits = node.text("waiting") == "true"
        (self._waiting.add if waits else self._waiting.discard)(f"{level}/{name}")

    def _skip(self, level: Level, name: str, message: str) -> None:
        """Leave a node as it is, say why, and look at it again the next time."""
        self._name(level, name, message)
        self.cache.settle(level, name, False)

    def _name(self, level: Level, name: str, message: str) -> None:
        """Name what is wrong, once: the file that the message begins with, else the node."""
        path = node_file(level, name)
        where, colon, what = message.removeprefix(f"{self.store.root}/").partition(": ")
        if colon and where.startswith("memory/"):
            path, message = where, what
        problem = Problem(path, 0, message)
        if problem not in self.problems:
            self.problems.append(problem)
