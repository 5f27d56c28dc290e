"""Read what one monthly node gives to ROOT.md.

Pure. The part that comes out, and what parts of several months make together, is defined in `rootparts.py`.
"""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from hipocampus.compaction import items as kinds
from hipocampus.compaction.entities import themes
from hipocampus.compaction.items import Item, quoted
from hipocampus.compaction.reading import Source, one_line, read_items
from hipocampus.compaction.rootparts import (
    MonthPart,
    Said,
    Topic,
    add_topic,
    mark_of,
    newest,
    said_words,
    trimmed,
)
from hipocampus.memory import facts
from hipocampus.memory.entries import SNAPSHOT_TOPIC, parse_heading, topic_key
from hipocampus.memory.periods import parse_day, parse_week

MOST_THEMES = 6
LEAST_WORDS = 3  # "Yup, October 19" says nothing where it stands alone
TELEGRAM_CHARS = 120
TEXT_CHARS = 110

_SUPERSEDES = re.compile(r" ?\(supersedes (.+)\)$")

# A path begins where a run of its characters does: tried at every character, words without a slash cost most.
_POINTER = re.compile(
    r"(?:knowledge|plans)/[\w./-]*\w|https?://[^\s),]+|(?<![\w.-])(?:[\w.-]+/)+[\w-]+\.\w+|\b[\w-]+\.(?:py|js|ts|rs|go|md)\b"
)


def month_part(period: str, body: str, topics: list[str]) -> MonthPart:
    """Return what the monthly node of `period` (`2026-03`) gives to ROOT.md."""
    items = read_items(Source(period, period, body, topics, False))
    found: dict[tuple[str, str], Topic] = {}
    said: list[Said] = []
    talks: dict[str, str] = {}
    for number, item in enumerate(items):
        if item.kind in (kinds.SAID, kinds.TOPIC) and item.type == "user" and quoted(item.text):
            one = _said(item, period)
            if len(said_words().findall(one.text)) >= LEAST_WORDS:
                said.append(one)
        if item.kind == kinds.TOPIC and quoted(item.text):
            talks[item.topic] = max(talks.get(item.topic, ""), _day(item, period))
        elif item.kind in (kinds.TOPIC, kinds.WHOLE):
            add_topic(found, _topic(item, period, number))
    for heading in topics if not talks else ():
        _name_only(found, heading, period)
    decided: dict[tuple[str, str], str] = {}
    for item in items:
        if item.kind in (kinds.DECISION, kinds.DONE):
            _enrich(found, item, talks, decided, period)
    about = [
        (period, name, n) for name, n in themes([i for i in items if i.kind == kinds.TOPIC], MOST_THEMES)
    ]
    if len(about) < 3:
        named = {name for _, name, _ in about}
        fresh = [
            t for t in newest(found.values()) if t.type in ("project", "reference") and t.name not in named
        ]
        about += [(period, t.name, t.times) for t in fresh][: MOST_THEMES - len(about)]
    replaced = {
        topic_key(name): _day(item, period)
        for item in items
        if item.kind in (kinds.TOPIC, kinds.WHOLE) and "supersedes" in item.text
        for name in _superseded(item)
    }
    cut = [t for t in topics if not talks or t.endswith("[feedback]")]
    keys = _keys([*cut, *(f"{t.name} [{t.type}]" for t in found.values())], talks)
    spoken = [(day, topic) for topic, day in talks.items()]
    part = MonthPart(period, period, list(found.values()), said, spoken, keys, about, replaced)
    return trimmed(part)


def _pointer(text: str) -> str:
    """Return the first path or address that a text names, "" when there is none."""
    found = _POINTER.search(text) if "/" in text or "." in text else None
    return found[0] if found else ""


def _name_only(found: dict[tuple[str, str], Topic], heading: str, period: str) -> None:
    """Add a topic that a node names and says nothing about: a thin summary must not take it out of the index.

    Its day is not known any more; it counts as the first of the month, behind what the node speaks of.
    """
    name, kind, _ = parse_heading(heading)
    if name and topic_key(name) != topic_key(SNAPSHOT_TOPIC):
        found.setdefault((topic_key(name), kind), Topic(name, kind, f"{period}-01", 1, "", "", ""))


def _keys(topics: Iterable[str], talks: Iterable[str]) -> dict[str, list[int]]:
    """Return the marks of the feedback and user topics.

    Conversations are indexed as user, too, and a node names them even where it has no line for them: in a
    month with conversations, user topics count only where they stand in its text.
    """
    known = {topic_key(name) for name in talks}
    found: dict[str, set[int]] = {"feedback": set(), "user": set()}
    for heading in topics:
        name, kind, _ = parse_heading(heading)
        if kind in found and topic_key(name) not in known:
            found[kind].add(mark_of(name))
    return {kind: sorted(marks) for kind, marks in found.items()}


def _superseded(item: Item) -> list[str]:
    """Return the topics that an item says it supersedes."""
    match = _SUPERSEDES.search(one_line(item).text if item.kind == kinds.WHOLE else item.text)
    return match[1].split("; ") if match else []


def _day(item: Item, period: str) -> str:
    """Return the day of an item's latest mention; of a week its Sunday, of a month its first day."""
    return _day_of(item.day, period)


@lru_cache(maxsize=512)  # hundreds of items name a few days
def _day_of(name: str, period: str) -> str:
    if week := parse_week(name):
        return week.sunday.isoformat()
    return name if parse_day(name) else f"{period}-01"


def _said(item: Item, period: str) -> Said:
    # Their patterns are for talk alone.
    from hipocampus.compaction.lifethemes import shown_theme, theme_of
    from hipocampus.compaction.reldates import resolve_dates
    from hipocampus.memory.telegram import telegram

    day = _day(item, period)
    who, spoken = _speaker(item.text[1:-1])
    text = resolve_dates(spoken, date.fromisoformat(day))
    short = who + telegram(text, TELEGRAM_CHARS, spoken)
    full = who + telegram(text, 2 * TELEGRAM_CHARS, spoken, 1.0)
    theme = shown_theme(theme_of(item.text), short)
    return Said(item.score, day, theme, short, item.topic, full if full != short else "")


def _speaker(text: str) -> tuple[str, str]:
    """Return the name before what somebody said where several people talk ("Mina: "), and what was said."""
    match = re.match(r"[^\W\d_a-z][\w.'-]{0,24}(?: [^\W\d_a-z][\w.'-]{0,24})?: (?=\S)", text)
    return (match[0], text[match.end() :]) if match else ("", text)


def _topic(item: Item, period: str, number: int) -> Topic:
    text = item.text
    if item.kind == kinds.WHOLE:
        text = one_line(item).text
    text = _SUPERSEDES.sub("", text)  # what it takes the place of has no line any more
    pointer = _pointer(text)
    return Topic(
        item.topic,
        item.type,
        _day(item, period),
        item.times,
        facts.shorten(text, TEXT_CHARS),
        pointer,
        "",
        item.line or number,
    )


def _enrich(
    found: dict[tuple[str, str], Topic],
    item: Item,
    talks: dict[str, str],
    decided: dict[tuple[str, str], str],
    period: str,
) -> None:
    """Give a topic the decisions of its latest day as text, its latest outcome, and the path that they name.

    `decided` remembers the day of the decisions that a topic's text holds.
    """
    key = (topic_key(item.topic), item.type)
    topic = found.get(key)
    if topic is None:
        if item.topic in talks and item.kind == kinds.DECISION:
            found[key] = Topic(
                item.topic, "project", _day(item, period), 0, facts.telegram(item.text), "", ""
            )
        return
    path = topic.pointer or _pointer(item.text)
    text = facts.shorten(item.text, TEXT_CHARS) if topic.times else facts.telegram(item.text)
    if item.kind == kinds.DECISION:
        day = _day(item, period)
        if decided.get(key) == day and text not in topic.text:
            text = facts.shorten(f"{topic.text}; {text}", TEXT_CHARS)
        decided[key] = day
        found[key] = topic._replace(text=text, pointer=path)
    else:
        found[key] = topic._replace(done=text, pointer=path)
