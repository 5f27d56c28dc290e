"""Print a place of the memory, and walk the tree from it: up to ROOT.md, down to the raw entries."""

import re
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.errors import HipoError, UsageError
from hipocampus.files import read_text
from hipocampus.memory.entries import Entry, parse_log, split_lines, topic_key
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.periods import Level, Month, Week, days_of, parse_day, parse_month, parse_week, week_of
from hipocampus.memory.places import Place, parse_place
from hipocampus.memory.store import MemoryStore

DATED = re.compile(r"\d{4}-(?:\d\d(?:-\d\d)?|W\d\d)(?::[\d-]*)?\Z", re.ASCII)
MOST_LINES = 6  # lines of one level above that are shown for a place


class PlaceMissing(HipoError):
    """The place is well formed and nothing stands there."""


class Line(NamedTuple):
    """A line of a file, with its 1-based number."""

    number: int
    text: str


class Step(NamedTuple):
    """A place next to the one that was asked for: one above it or one below it."""

    place: str
    path: str
    title: str
    lines: list[Line]


class Shown(NamedTuple):
    """A place and its surroundings."""

    place: str
    path: str
    line_start: int
    line_end: int
    text: str
    up: list[Step]
    down: list[Step]


def show(store: MemoryStore, text: str, *, up: bool, down: bool) -> Shown:
    """Return a place with its text, what stands above it (nearest first) and what lies below it."""
    place = parse_place(store, text)
    if place is None and DATED.match(text.strip()):
        raise UsageError(
            f"show: {text!r} is no day, week or month of the calendar", "look at: hipo show root --down"
        )
    if place is None:
        raise UsageError(
            f"show: {text!r} is no place",
            "use root, 2026-03, 2026-W11, 2026-03-15, 2026-03-15:40-60 or a file here",
        )
    if not place.path.exists():
        raise PlaceMissing(f"show: {store.relative(place.path)}: there is nothing", _elsewhere(store, place))
    whole = read_text(place.path) or ""
    lines = split_lines(whole)
    if place.first > len(lines):
        raise PlaceMissing(
            f"show: {place.name}: the file has {len(lines)} lines", f"use a line up to {len(lines)}"
        )
    first, last = (place.first, min(place.last, len(lines))) if place.first else (1, len(lines))
    return Shown(
        place=place.name,
        path=store.relative(place.path),
        line_start=first,
        line_end=last,
        text="\n".join(lines[first - 1 : last]),
        up=_above(store, place, lines, first, last) if up else [],
        down=_below(store, place, whole) if down else [],
    )


def _elsewhere(store: MemoryStore, place: Place) -> str:
    """What to look at instead of a place that does not exist."""
    if place.level is Level.MONTHLY:
        days = [date.fromisoformat(day) for day in store.log_names() if day.startswith(f"{place.name}-")]
        months = sorted({str(week_of(day).month) for day in days} & store.node_names(Level.MONTHLY))
        if months:
            return f"look at {' and '.join(months)}: a week belongs to the month of its Thursday"
    if re.fullmatch(r"\d{4}", place.name, re.ASCII):
        months = sorted(name for name in store.node_names(Level.MONTHLY) if name.startswith(f"{place.name}-"))
        if months:
            return f"look at its months: {', '.join(months)}"
    return "hipo status shows what there is"


# --- up ---


def _above(store: MemoryStore, place: Place, lines: list[str], first: int, last: int) -> list[Step]:
    """The entry of a line, the day, the week, the month and ROOT.md: what each says about the place."""
    steps: list[Step] = []
    words: set[str] = set()
    day = place.day if place.raw else None
    if place.raw and place.first:
        entry = _entry_at("\n".join(lines), first, last)
        if entry is not None:
            words = {topic_key(entry.topic)}
            name = f"{day}:{entry.line_start}-{entry.line_end}" if day else place.name
            steps.append(Step(name, store.relative(place.path), f"{entry.topic} [{entry.type}]", []))
    marks = _marks(place, day)
    for level, name in _path_up(place, day):
        path = store.node_path(level, name)
        if path.is_file():
            steps.append(_step_up(store, level, name, path, marks, words))
        if level is not Level.ROOT:
            marks |= {name}
    return steps


def _path_up(place: Place, day: date | None) -> list[tuple[Level, str]]:
    week: Week | None = None
    month: Month | None = None
    path: list[tuple[Level, str]] = []
    if day is None and place.level is Level.DAILY:
        day = parse_day(place.name[:10])
    elif day is not None:
        path.append((Level.DAILY, day.isoformat()))
    if day is not None:
        week = week_of(day)
        path.append((Level.WEEKLY, str(week)))
    elif place.level is Level.WEEKLY:
        week = parse_week(place.name.split(":")[0])
    if week is not None:
        month = week.month
        path.append((Level.MONTHLY, str(month)))
    if place.level is not Level.ROOT:
        path.append((Level.ROOT, ""))
    return path


def _marks(place: Place, day: date | None) -> set[str]:
    """The names by which nodes above refer to the place."""
    if day is not None:
        return {day.isoformat()}
    name = place.name.split(":")[0]
    found = {name}
    if week := parse_week(name):
        found |= {d.isoformat() for d in days_of(week)}
    return found


def _step_up(
    store: MemoryStore, level: Level, name: str, path: Path, marks: set[str], words: set[str]
) -> Step:
    text = read_text(path) or ""
    node = parse_node(text)
    offset = len(split_lines(text)) - len(split_lines(node.body))
    found: list[Line] = []
    for number, line in enumerate(split_lines(node.body), offset + 1):
        folded = topic_key(line)
        by_topic = any(word and word in folded for word in words)
        by_place = not words and "→" in line and any(mark in line.rsplit("→", 1)[1] for mark in marks)
        if line.strip() and (by_topic or by_place):
            found.append(Line(number, line.strip()))
    title = (
        f"{node.status}, {node.text('summary')}".strip(", ")
        if level is not Level.ROOT
        else "the index of everything"
    )
    shown = found[:MOST_LINES]
    return Step("root" if level is Level.ROOT else name, store.relative(path), title, shown)


def _entry_at(text: str, first: int, last: int) -> Entry | None:
    for entry in parse_log(text).entries:
        if entry.line_start <= last and entry.line_end >= first:
            return entry
    return None


# --- down ---


def _below(store: MemoryStore, place: Place, text: str) -> list[Step]:
    name = place.name.split(":")[0]
    if place.level is Level.ROOT:
        months = sorted(n for n in store.node_names(Level.MONTHLY) if parse_month(n))
        return [_node_step(store, Level.MONTHLY, n) for n in reversed(months)]
    if place.level is Level.MONTHLY:
        names = sorted(store.node_names(Level.WEEKLY))
        weeks = [n for n in names if (w := parse_week(n)) and str(w.month) == name]
        return [_node_step(store, Level.WEEKLY, n) for n in weeks]
    if place.level is Level.WEEKLY and (week := parse_week(name)):
        days = {d.isoformat() for d in days_of(week)}
        there = store.node_names(Level.DAILY) & days
        logs = {d for d in days if store.log_path(date.fromisoformat(d)).is_file()} - there
        steps = [_node_step(store, Level.DAILY, n) for n in there]
        steps += [Step(d, f"memory/{d}.md", "raw log, no daily node yet", []) for d in logs]
        return sorted(steps)
    if place.level is Level.DAILY and (day := parse_day(name)):
        return _entries_step(name, read_text(store.log_path(day)) or "", 0, 0)
    if place.raw and place.day:
        return _entries_step(place.day.isoformat(), text, place.first, place.last)
    return [
        Step(p, p, "mentioned", [])
        for p in dict.fromkeys(re.findall(r"(?:knowledge|plans|memory)/[\w./-]+\.md", text))
    ]


def _entries_step(day: str, text: str, first: int, last: int) -> list[Step]:
    entries = [
        e for e in parse_log(text).entries if not first or (e.line_end >= first and e.line_start <= last)
    ]
    return [
        Step(f"{day}:{e.line_start}-{e.line_end}", f"memory/{day}.md", f"{e.topic} [{e.type}]".strip(), [])
        for e in entries
    ]


def _node_step(store: MemoryStore, level: Level, name: str) -> Step:
    path = store.node_path(level, name)
    node = parse_node(read_text(path) or "")
    topics = node.items("topics")
    said = ", ".join(topics[:5]) + (f" and {len(topics) - 5} more" if len(topics) > 5 else "")
    return Step(name, store.relative(path), said or node.status, [])
