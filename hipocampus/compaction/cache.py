"""What earlier runs learned about files, so that the work of a run grows with what changed.

Lives in `.hipo/`, may be deleted at any time, and then costs one slower run. A file counts as known while
its size and time are the same.
"""

from typing import NamedTuple

from hipocampus.memory.nodes import Cover
from hipocampus.memory.periods import Level
from hipocampus.memory.store import FileStat, MemoryStore

FILE = "compaction.json"
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
        self.waiting = _names(raw.get("waiting"))  # nodes that wait for a summary, as daily/2026-03-09
        self.root_key = str(raw.get("root") or "")
        self.snapshot = str(raw.get("snapshot") or "")
        self._before = self._state()

    @staticmethod
    def empty(store: MemoryStore) -> "Cache":
        """A cache that knows nothing, so that every file is looked at."""
        return Cache(store, empty=True)

    def log(self, day: str, stat: FileStat) -> Cover | None:
        """Return the cover of a whole log when it is known in this version."""
        known = self._logs.get(day)
        if known is None or known[0] != stat.size or known[1] != stat.mtime_ns:
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
            if fact is None or fact[0] != stat[0] or fact[1] != stat[1]:
                changed.append(day)
        return changed

    def forget_missing(self, stats: dict[str, FileStat]) -> list[str]:
        """Drop logs that are gone, and return their days."""
        gone = [day for day in self._logs if day not in stats]
        for day in gone:
            del self._logs[day]
        return gone

    @property
    def is_new(self) -> bool:
        """True when nothing is known yet."""
        return not self._logs

    def save(self) -> None:
        """Write the facts when they changed."""
        state = self._state()
        if state != self._before:
            self._store.write_own(FILE, state)
            self._before = state

    def _state(self) -> dict[str, object]:
        return {
            "version": VERSION,
            "logs": dict(self._logs),
            **{level.value: " ".join(sorted(self.settled[level])) for level in NODE_LEVELS},
            "waiting": " ".join(sorted(self.waiting)),
            "root": self.root_key,
            "snapshot": self.snapshot,
        }


def _table(value: object) -> dict[str, list[object]]:
    if not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if isinstance(v, list) and len(v) == 4}


def _names(value: object) -> set[str]:
    return set(value.split()) if isinstance(value, str) else set()
