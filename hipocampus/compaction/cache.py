"""What earlier runs learned about files, so that the work of a run grows with what changed.

Lives in `.hipo/`, may be deleted at any time, and then costs one slower run. A file counts as known while
its size and time are the same.
"""

import re
from collections.abc import Collection

from hipocampus.memory.listing import Version
from hipocampus.memory.periods import Level
from hipocampus.memory.store import MemoryStore

FILE = "compaction.json"
OLDER_FILE = "compaction-older.json"  # logs of the years before the last one, which hardly ever change
WAITING_FILE = "waiting.json"
VERSION = 4
NODE_LEVELS = (Level.DAILY, Level.WEEKLY, Level.MONTHLY)
_DAYS = r"(?:\d{4}-\d\d-\d\d(?: |$))*"
_PERIODS = (Level.WEEKLY, Level.MONTHLY)
_NAMES = (
    "days",
    *(level.value for level in _PERIODS),
    *(f"unsettled-{level.value}" for level in NODE_LEVELS),
)


class Cache:
    """The facts of one tree, read whole and written whole."""

    def __init__(self, store: MemoryStore, *, empty: bool = False) -> None:
        raw = {} if empty else store.read_own(FILE)
        if raw.get("version") != VERSION or not all(isinstance(raw.get(key), str) for key in _NAMES):
            raw = {}
        self._store = store
        older = store.read_own(OLDER_FILE) if raw.get("older") else {}
        if older.get("number") != raw.get("older"):  # a run died between the two
            raw, older = {}, {}
        self._number = older.get("number")
        self._before = str(older.get("before") or "")
        self._older_changed = False
        self._logs = {**_versions(older), **_versions(raw)}
        # of days none: each has its log above, and those that are not settled are the few below
        self.settled = {level: _names(raw.get(level.value)) for level in _PERIODS}
        # tentative ones, and ones that could not be brought up to date: looked at again even if the file is gone
        self.unsettled = {level: _names(raw.get(f"unsettled-{level.value}")) for level in NODE_LEVELS}
        self.root_key = self._root_before = str(raw.get("root") or "")
        self._changed = False

    @staticmethod
    def empty(store: MemoryStore) -> "Cache":
        """A cache that knows nothing, so that every file is looked at."""
        return Cache(store, empty=True)

    def remember_log(self, day: str, stat: Version) -> None:
        """Remember that a log was read in this version."""
        if self._logs.get(day) != stat:
            self._logs[day] = stat
            self._note_change(day)

    def changed_logs(self, stats: dict[str, Version]) -> list[str]:
        """Return the days whose log is new or has another version than the one that is known, oldest first."""
        known = self._logs
        return [day for day, stat in stats.items() if known.get(day) != stat]

    def forget_missing(self, stats: dict[str, Version]) -> list[str]:
        """Drop logs that are gone, and return their days."""
        gone = sorted(self._logs.keys() - stats.keys())
        for day in gone:
            del self._logs[day]
            self._note_change(day)
            self.unsettled[Level.DAILY].discard(day)
        return gone

    def _note_change(self, day: str) -> None:
        self._changed = True
        self._older_changed = self._older_changed or day < self._before

    def settle(self, level: Level, name: str, settled: bool) -> None:
        """Remember of a node that it says what lies below it for good, or that it is to be looked at again."""
        known, again = self.settled.get(level), self.unsettled[level]
        if (name in again) is settled or (known is not None and (name in known) is not settled):
            self._changed = True
        (again.discard if settled else again.add)(name)
        if known is not None:
            (known.add if settled else known.discard)(name)

    def forget(self, level: Level, name: str) -> None:
        """Remember nothing of a node that has nothing to say."""
        for names in (self.settled.get(level), self.unsettled[level]):
            if names and name in names:
                names.discard(name)
                self._changed = True

    def gone(self, level: Level, names: set[str]) -> set[str]:
        """Return the weeks or months that had a node, or should have had, and are not among `names`."""
        return (self.settled[level] | self.unsettled[level]) - names

    @property
    def days(self) -> Collection[str]:
        """The days whose log is known."""
        return self._logs.keys()

    @property
    def is_new(self) -> bool:
        """True when nothing is known yet."""
        return not self._logs

    def save(self) -> None:
        """Write the facts when they changed."""
        if not self._changed and self.root_key == self._root_before:
            return
        year = max(self._logs, default="")[:4]
        if self._older_changed or year != self._before:
            self._save_older(year)
        state = {"version": VERSION, "root": self.root_key, "older": self._number}
        state |= _columns({day: version for day, version in self._logs.items() if day >= year})
        for level, names in self.settled.items():
            state[level.value] = " ".join(sorted(names))
        for level, names in self.unsettled.items():
            state[f"unsettled-{level.value}"] = " ".join(sorted(names))
        self._store.write_own(FILE, state)

    def _save_older(self, year: str) -> None:
        """Write the logs from before `year`, under a new number, which the other file names."""
        older = {day: version for day, version in self._logs.items() if day < year}
        last = self._store.read_own(OLDER_FILE).get("number")
        if older or last is not None:
            self._number = last + 1 if isinstance(last, int) else 1
            self._store.write_own(OLDER_FILE, {"number": self._number, "before": year, **_columns(older)})


def read_waiting(store: MemoryStore) -> set[str]:
    """Return the nodes that wait for a summary, as daily/2026-03-09."""
    return _names(store.read_own(WAITING_FILE).get("nodes"))


def write_waiting(store: MemoryStore, nodes: set[str]) -> None:
    """Remember the nodes that wait for a summary; the file is read at every session's start, so it is small."""
    store.write_own(WAITING_FILE, {"nodes": " ".join(sorted(nodes))})


def _columns(logs: dict[str, Version]) -> dict[str, object]:
    """What `_versions` reads."""
    return {
        "days": " ".join(logs),
        "sizes": [size for size, _ in logs.values()],
        "times": [time for _, time in logs.values()],
    }


def _versions(raw: dict[str, object]) -> dict[str, Version]:
    """Return the versions of the logs, as size and time by day; none when what was saved is damaged.

    One list a column: thousands of logs are read at every run, and a list of numbers is read fastest.
    """
    text, sizes, times = str(raw.get("days") or ""), raw.get("sizes"), raw.get("times")
    days = text.split() if re.fullmatch(_DAYS, text, re.ASCII) else []
    if (
        not isinstance(sizes, list)
        or not isinstance(times, list)
        or not len(days) == len(sizes) == len(times)
    ):
        return {}
    return dict(zip(days, zip(sizes, times, strict=True), strict=True))


def _names(value: object) -> set[str]:
    return set(value.split()) if isinstance(value, str) else set()
