"""What earlier runs learned about files, so that the work of a run grows with what changed.

Lives in `.hipo/`, may be deleted at any time, and then costs one slower run. A file counts as known while
its size and time are the same.
"""

from typing import NamedTuple

from hipocampus.memory.nodes import Cover
from hipocampus.memory.periods import Level
from hipocampus.memory.store import FileStat, MemoryStore

FILE = "compaction.json"
WAITING_FILE = "waiting.json"
VERSION = 1
NODE_LEVELS = (Level.DAILY, Level.WEEKLY, Level.MONTHLY)


class LogFact(NamedTuple):
    """A raw log as it stood when it was read last: its version, and the cover of all its lines."""

    stat: FileStat
    cover: Cover


class Cache:
    """The facts of one tree, read whole and written whole."""

    def __init__(self, store: MemoryStore, *, empty: bool = False) -> None:
        raw = {} if empty else store.read_own(FILE)
        if raw.get("version") != VERSION:
            raw = {}
        self._store = store
        self._logs: dict[str, list[object]] = _table(raw.get("logs"))
        self.settled = {level: _names(raw.get(level.value)) for level in NODE_LEVELS}
        # tentative ones, and ones that could not be brought up to date: looked at again even if the file is gone
        self.unsettled = {level: _names(raw.get(f"unsettled-{level.value}")) for level in NODE_LEVELS}
        self.root_key = str(raw.get("root") or "")
        self._before = (
            dict(self._logs),
            {level: set(names) for level, names in self.settled.items()},
            {level: set(names) for level, names in self.unsettled.items()},
            self._rest(),
        )

    @staticmethod
    def empty(store: MemoryStore) -> "Cache":
        """A cache that knows nothing, so that every file is looked at."""
        return Cache(store, empty=True)

    def log(self, day: str, stat: FileStat) -> Cover | None:
        """Return the cover of a whole log when it is known in this version."""
        known = self._logs.get(day)
        if (
            not isinstance(known, list)
            or len(known) != 4
            or known[0] != stat.size
            or known[1] != stat.mtime_ns
        ):
            return None
        return Cover(day, int(str(known[2])), str(known[3]))

    def remember_log(self, day: str, fact: LogFact) -> None:
        self._logs[day] = [fact.stat.size, fact.stat.mtime_ns, fact.cover.lines, fact.cover.hash]

    def changed_logs(self, stats: dict[str, FileStat]) -> list[str]:
        """Return the days whose log is new or has another version than the one that is known, oldest first."""
        known = self._logs
        changed = []
        for day, stat in stats.items():
            fact = known.get(day)
            if not fact or fact[0] != stat[0] or fact[1] != stat[1]:
                changed.append(day)
        return changed

    def forget_missing(self, stats: dict[str, FileStat]) -> list[str]:
        """Drop logs that are gone, and return their days."""
        gone = [day for day in self._logs if day not in stats]
        for day in gone:
            del self._logs[day]
        return gone

    def settle(self, level: Level, name: str, settled: bool) -> None:
        """Remember of a node that it says what lies below it for good, or that it is to be looked at again."""
        (self.settled[level].add if settled else self.settled[level].discard)(name)
        (self.unsettled[level].discard if settled else self.unsettled[level].add)(name)

    def forget(self, level: Level, name: str) -> None:
        """Remember nothing of a node that has nothing to say."""
        self.settled[level].discard(name)
        self.unsettled[level].discard(name)

    def gone(self, level: Level, names: set[str]) -> set[str]:
        """Return the nodes that were there, or should have been, and are not among `names`."""
        return (self.settled[level] | self.unsettled[level]) - names

    @property
    def is_new(self) -> bool:
        """True when nothing is known yet."""
        return not self._logs

    def save(self) -> None:
        """Write the facts when they changed."""
        if self._before == (self._logs, self.settled, self.unsettled, self._rest()):
            return
        state: dict[str, object] = {"version": VERSION, "logs": self._logs, **self._rest()}
        for level in NODE_LEVELS:
            state[level.value] = " ".join(sorted(self.settled[level]))
            state[f"unsettled-{level.value}"] = " ".join(sorted(self.unsettled[level]))
        self._store.write_own(FILE, state)

    def _rest(self) -> dict[str, str]:
        return {"root": self.root_key}


def read_waiting(store: MemoryStore) -> set[str]:
    """Return the nodes that wait for a summary, as daily/2026-03-09."""
    return _names(store.read_own(WAITING_FILE).get("nodes"))


def write_waiting(store: MemoryStore, nodes: set[str]) -> None:
    """Remember the nodes that wait for a summary; the file is read at every session's start, so it is small."""
    store.write_own(WAITING_FILE, {"nodes": " ".join(sorted(nodes))})


def _table(value: object) -> dict[str, list[object]]:
    if not isinstance(value, dict):
        return {}
    return value  # its rows are checked when they are used: 3,650 of them are read at every run


def _names(value: object) -> set[str]:
    return set(value.split()) if isinstance(value, str) else set()
