"""The sections of a prompt: titled lists of items, fitted to a cap. Pure.

An item is a piece of memory: it stands in a fence that it cannot close, below a line with its place and age.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from hipocampus.brain.cap import fenced
from hipocampus.clock import parse_instant

RAG_CHARS = 2000  # the caps of FORMATS.md, in characters of the whole section
HANDOFF_CHARS = 1500
HISTORY_CHARS = 2000
HOT_CHARS = 6000
WORTH_CUTTING_CHARS = 160  # below that room a further item is left out rather than cut


class Item(NamedTuple):
    """One piece of memory: the line above it, its text, and the path that it comes from."""

    head: str
    text: str
    source: str


class Section(NamedTuple):
    """One part of a prompt as it stands there. `cap` is None for what is never shortened."""

    name: str
    text: str
    cap: int | None
    included: int
    left_out: int
    shortened: int  # how many of the included ones were cut
    sources: tuple[str, ...]
    whole: tuple[int, ...] = ()  # positions of the items that stand there whole, in the order they were given

    @property
    def chars(self) -> int:
        return len(self.text)


class Wanted(NamedTuple):
    """What a section would hold. `items` are in the order in which they are kept."""

    name: str
    title: str
    items: Sequence[Item]
    cap: int
    in_time: bool = False  # items are newest first: kept without a gap, and shown oldest first
    more: int = 0  # items behind these, which have no room in the cap whatever happens


def fit_section(wanted: Wanted, room: int) -> Section:
    """Return a section of at most `room` characters (and its cap): whole items, the last one cut if need be."""
    room = min(room, wanted.cap)
    kept: list[str] = []
    sources: list[str] = []
    left = room - len(wanted.title)
    shortened = 0
    whole: list[int] = []
    for number, item in enumerate(wanted.items):
        block = f"{item.head}\n{fenced(item.text)}"
        if len(block) + 1 > left:
            block = "" if kept and left < WORTH_CUTTING_CHARS else _cut(item, left - 1)
            if not block:
                if wanted.in_time or (kept and left < WORTH_CUTTING_CHARS):
                    break
                continue
            shortened += 1
        else:
            whole.append(number)
        kept.append(block)
        sources.append(item.source)
        left -= len(block) + 1
        if shortened:
            break
    if wanted.in_time:
        kept.reverse()
    text = "\n".join([wanted.title, *kept]) if kept else ""
    unique = tuple(dict.fromkeys(source for source in sources if source))
    left_out = len(wanted.items) - len(kept) + wanted.more
    return Section(wanted.name, text, wanted.cap, len(kept), left_out, shortened, unique, tuple(whole))


def _cut(item: Item, room: int) -> str:
    inside = fenced(item.text, room - len(item.head) - 1)
    return f"{item.head}\n{inside}" if inside else ""


def share_out(wants: Sequence[int], weights: Sequence[int], room: int) -> list[int]:
    """Return how many characters each section may take: in proportion to its weight, and what one does not
    need flows on to the others."""
    shares = [0] * len(wants)
    waiting = [n for n, want in enumerate(wants) if want > 0]
    while waiting:
        total = sum(weights[n] for n in waiting)
        satisfied = [n for n in waiting if wants[n] <= room * weights[n] // total]
        if not satisfied:
            for n in waiting:
                shares[n] = max(0, room * weights[n] // total)
            break
        for n in satisfied:
            shares[n] = wants[n]
        room -= sum(wants[n] for n in satisfied)
        waiting = [n for n in waiting if n not in satisfied]
    return shares


def age_of(ts: str, now: datetime) -> str:
    """Return how long ago an instant was, in words; "" when the record has no time."""
    at = parse_instant(ts)
    if at is None:
        return ""
    seconds = max(0, int((now - at).total_seconds()))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


def days_ago(days: int | None) -> str:
    """Return an age in days as words; "" for what has no date."""
    if days is None:
        return ""
    return "today" if days <= 0 else "yesterday" if days == 1 else f"{days} days ago"
