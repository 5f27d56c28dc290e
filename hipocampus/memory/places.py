"""Places of the memory: what `2026-03-15:40-60`, `2026-W11`, `root` or a path names. Pure but for asking what exists."""

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.memory.periods import Level, parse_day, parse_period
from hipocampus.memory.store import MemoryStore

_RANGE = re.compile(r"(?P<name>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?\Z", re.ASCII | re.S)


class Place(NamedTuple):
    """A file of the memory, or some lines of it."""

    name: str  # as it is shown: `2026-03-15:40-60`, `2026-W11`, `root`, `knowledge/x.md`
    path: Path
    level: Level | None  # None for a file that is no node and no raw log
    raw: bool  # whether the file is a raw log
    first: int = 0  # 1-based lines; 0 means the whole file
    last: int = 0

    @property
    def day(self) -> date | None:
        """The day of a raw log or a daily node."""
        return parse_day(self.name[:10]) if self.raw or self.level is Level.DAILY else None


def parse_place(store: MemoryStore, text: str) -> Place | None:
    """Return the place that a text names, whether or not its file exists; None when it names none.

    A day means its daily node where there is one, else its raw log; with line numbers, the raw log.
    """
    text = text.strip()
    match = _RANGE.match(text)
    if match and (place := parse_place(store, match["name"])) is not None:
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if not 1 <= first <= last:
            return None
        if place.level is Level.DAILY and not match["name"].endswith(".md"):
            place = _log(store, place.name)
        return place._replace(name=f"{place.name}:{text.rsplit(':', 1)[1]}", first=first, last=last)
    if text.casefold() in ("root", "root.md"):
        return Place("root", store.node_path(Level.ROOT, ""), Level.ROOT, False)
    if found := parse_period(text):
        level, _ = found
        path = store.node_path(level, text)
        if level is Level.DAILY and not path.is_file():
            return _log(store, text)
        return Place(text, path, level, False)
    inside = store.inside(text)
    return _of_path(store, inside) if inside is not None else None


def _of_path(store: MemoryStore, path: Path) -> Place | None:
    relative = store.relative(path)
    if relative.startswith("memory/.hipo/"):
        return None
    if relative == "memory/ROOT.md":
        return Place("root", path, Level.ROOT, False)
    folder, _, stem = relative.removesuffix(".md").rpartition("/")
    if folder == "memory" and parse_day(stem):
        return Place(relative, path, None, True)
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        if folder == f"memory/{level}" and (found := parse_period(stem)) and found[0] is level:
            return Place(stem, path, level, False)
    return Place(relative, path, None, False)


def _log(store: MemoryStore, day: str) -> Place:
    return Place(day, store.log_path(date.fromisoformat(day)), None, True)
