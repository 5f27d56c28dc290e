"""What one month gives to ROOT.md, small enough to be kept in a cache, and merged with other months.

Pure. A part holds the candidates of each class, trimmed to what ROOT could ever show, and counts of
the rest. `merge_parts` gives the part of a longer span: merging is associative, so closed months can
be kept as one part.
"""

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from zlib import crc32

from hipocampus.compaction import items as kinds
from hipocampus.compaction.entities import themes
from hipocampus.compaction.items import Item, quoted
from hipocampus.compaction.lifethemes import shown_theme, theme_of
from hipocampus.compaction.reading import Source, one_line, read_items
from hipocampus.compaction.reldates import resolve_dates
from hipocampus.memory import facts
from hipocampus.memory.entries import SNAPSHOT_TOPIC, parse_heading, topic_key
from hipocampus.memory.periods import parse_day, parse_week
from hipocampus.memory.telegram import telegram

MOST = {"feedback": 80, "user": 80, "project": 90, "reference": 50}
"""Topics of a type that a part keeps, newest first. A ROOT of 3,000 tokens holds at most about 120 lines."""

MOST_SAID = 240
MOST_TALKS = 60
MOST_THEMES = 6
LEAST_WORDS = 3  # "Yup, October 19" says nothing where it stands alone
TELEGRAM_CHARS = 120
TEXT_CHARS = 110

SUPERSEDES = re.compile(r"\(supersedes ([^()]+)\)$")
_ROOM_COST = 0.07
"""Points of score that a character of a telegram costs: shorter facts leave room for others."""

_NAMED = re.compile(r"[^\W\d_a-z][\w.'-]{0,24}(?: [^\W\d_a-z][\w.'-]{0,24})?: (?=\S)")
_WORDS = re.compile(r"\w{3,}|[가-힣\u3040-\u30ff\u4e00-\u9fff]{2}")
_POINTER = re.compile(
    r"(?:knowledge|plans)/[\w./-]*\w|https?://[^\s),]+|(?:[\w.-]+/)+[\w-]+\.\w+|\b[\w-]+\.(?:py|js|ts|rs|go|md)\b"
)


class Topic(NamedTuple):
    """A topic with its latest mention. `text` is the best line on it, `pointer` a path that it names or ""."""

    name: str
    type: str
    day: str
    times: int
    text: str
    pointer: str
    done: str  # the latest outcome, "" without one
    at: int = (
        0  # what orders the topics of one day: the line of the latest mention, else its place in the node
    )


class Said(NamedTuple):
    """What a person said about themselves on `day`, as a telegram."""

    score: float
    day: str
    theme: str
    text: str
    source: str  # topic of the conversation: one sentence of each is shown first
    full: str  # the telegram with all its words, for a memory that has room; "" when it is the same


class MonthPart(NamedTuple):
    """What a span of months gives to ROOT.md. Made of strings, numbers and lists: `to_json`, `from_json`."""

    first: str
    last: str
    topics: list[Topic]
    said: list[Said]
    talks: list[tuple[str, str]]  # (day, topic) of conversations, newest first
    keys: dict[str, list[int]]  # "feedback" and "user" -> marks of all their topics, also those trimmed here
    themes: list[tuple[str, str, int]]  # (month, what it was about, how often), oldest first
    replaced: dict[str, str]  # key of a topic that another one supersedes -> day on which it did

    def to_json(self) -> list[object]:
        return list(self)

    @staticmethod
    def from_json(data: list[object]) -> "MonthPart":
        """Return the part that `to_json` gave. Raises ValueError or TypeError for anything else."""
        first, last, topics, said, talks, keys, found, replaced = data
        return MonthPart(
            str(first),
            str(last),
            [Topic(*topic) for topic in topics],  # type: ignore[attr-defined]
            [Said(*one) for one in said],  # type: ignore[attr-defined]
            [(day, topic) for day, topic in talks],  # type: ignore[attr-defined]
            {kind: list(marks) for kind, marks in dict(keys).items()},  # type: ignore[call-overload]
            [(month, theme, number) for month, theme, number in found],  # type: ignore[attr-defined]
            dict(replaced),  # type: ignore[call-overload]
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
            if len(_WORDS.findall(one.text)) >= LEAST_WORDS:
                said.append(one)
        if item.kind == kinds.TOPIC and quoted(item.text):
            talks[item.topic] = max(talks.get(item.topic, ""), _day(item, period))
        elif item.kind in (kinds.TOPIC, kinds.WHOLE):
            _add(found, _topic(item, period, number))
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
            t for t in _newest(found.values()) if t.type in ("project", "reference") and t.name not in named
        ]
        about += [(period, t.name, t.times) for t in fresh][: MOST_THEMES - len(about)]
    replaced = {
        topic_key(match[1]): _day(item, period)
        for item in items
        if item.kind == kinds.TOPIC and (match := SUPERSEDES.search(item.text))
    }
    cut = [t for t in topics if not talks or t.endswith("[feedback]")]
    keys = _keys([*cut, *(f"{t.name} [{t.type}]" for t in found.values())], talks)
    spoken = [(day, topic) for topic, day in talks.items()]
    part = MonthPart(period, period, list(found.values()), said, spoken, keys, about, replaced)
    return _trimmed(part)


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
            found[kind].add(crc32(topic_key(name).encode()))
    return {kind: sorted(marks) for kind, marks in found.items()}


def _day(item: Item, period: str) -> str:
    """Return the day of an item's latest mention; of a week its Sunday, of a month its first day."""
    name = item.day
    if week := parse_week(name):
        return week.sunday.isoformat()
    return name if parse_day(name) else f"{period}-01"


def _said(item: Item, period: str) -> Said:
    day = _day(item, period)
    who, spoken = _speaker(item.text[1:-1])
    text = resolve_dates(spoken, date.fromisoformat(day))
    short = who + telegram(text, TELEGRAM_CHARS, spoken)
    full = who + telegram(text, 2 * TELEGRAM_CHARS, spoken, 1.0)
    theme = shown_theme(theme_of(item.text), short)
    return Said(item.score, day, theme, short, item.topic, full if full != short else "")


def _speaker(text: str) -> tuple[str, str]:
    """Return the name before what somebody said where several people talk ("Mina: "), and what was said."""
    match = _NAMED.match(text)
    return (match[0], text[match.end() :]) if match else ("", text)


def _topic(item: Item, period: str, number: int) -> Topic:
    text = item.text
    if item.kind == kinds.WHOLE:
        text = one_line(item).text
    pointer = _POINTER.search(text)
    return Topic(
        item.topic,
        item.type,
        _day(item, period),
        item.times,
        facts.shorten(text, TEXT_CHARS),
        pointer[0] if pointer else "",
        "",
        item.line or number,
    )


def _add(found: dict[tuple[str, str], Topic], topic: Topic) -> None:
    key = (topic_key(topic.name), topic.type)
    found[key] = _joined(found[key], topic) if key in found else topic


def _joined(one: Topic, two: Topic) -> Topic:
    """Return one topic of two mentions: the later one, with what only the earlier one knows."""
    old, new = (one, two) if (one.day, one.at) <= (two.day, two.at) else (two, one)
    return new._replace(
        times=old.times + new.times,
        text=new.text or old.text,
        pointer=new.pointer or old.pointer,
        done=new.done or old.done,
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
    pointer = _POINTER.search(item.text)
    path = topic.pointer or (pointer[0] if pointer else "")
    text = facts.shorten(item.text, TEXT_CHARS) if topic.times else facts.telegram(item.text)
    if item.kind == kinds.DECISION:
        day = _day(item, period)
        if decided.get(key) == day and text not in topic.text:
            text = facts.shorten(f"{topic.text}; {text}", TEXT_CHARS)
        decided[key] = day
        found[key] = topic._replace(text=text, pointer=path)
    else:
        found[key] = topic._replace(done=text, pointer=path)


def _newest(topics: Iterable[Topic]) -> list[Topic]:
    return sorted(topics, key=lambda t: (t.day, t.at), reverse=True)


def _trimmed(part: MonthPart) -> MonthPart:
    """Return the part with at most as many candidates of each class as ROOT could show."""
    room = dict(MOST)
    topics: list[Topic] = []
    for topic in _newest(part.topics):
        if topic.day <= part.replaced.get(topic_key(topic.name), ""):
            continue
        if room.get(topic.type, 0) > 0:
            room[topic.type] -= 1
            topics.append(topic)
    return part._replace(
        topics=topics,
        said=best_said(part.said, MOST_SAID),
        talks=sorted(part.talks, reverse=True)[:MOST_TALKS],
    )


def best_said(said: list[Said], most: int) -> list[Said]:
    """Return the best sentences, one a conversation first; near repetitions once."""
    ranked = sorted(said, key=lambda s: (_ROOM_COST * len(s.text) - s.score, s.day, s.text))
    sizes: list[int] = []
    by_word: dict[str, list[int]] = {}
    taken: dict[tuple[str, str], int] = {}
    out: list[tuple[int, Said]] = []
    for one in ranked:
        words = {w[:6] for w in _WORDS.findall(one.text.casefold())}
        shared: dict[int, int] = {}
        for word in words:
            for number in by_word.get(word, ()):
                shared[number] = shared.get(number, 0) + 1
        enough = 3 * len(words)
        if any(both > 1 and (both * 5 >= enough or both * 5 >= 3 * sizes[at]) for at, both in shared.items()):
            continue
        for word in words:
            by_word.setdefault(word, []).append(len(sizes))
        sizes.append(len(words))
        key = (one.day, one.source)
        out.append((taken.get(key, 0), one))
        taken[key] = taken.get(key, 0) + 1
        if len(out) >= most * 2:
            break
    return [one for _, one in sorted(out, key=lambda pair: pair[0])][:most]


def merge_parts(parts: list[MonthPart]) -> MonthPart:
    """Return one part for all, oldest first. Associative, so that closed months can be kept merged."""
    if len(parts) == 1:
        return parts[0]
    found: dict[tuple[str, str], Topic] = {}
    keys: dict[str, set[int]] = {}
    replaced: dict[str, str] = {}
    for part in parts:
        for key, day in part.replaced.items():
            replaced[key] = max(day, replaced.get(key, ""))
        for topic in part.topics:
            _add(found, topic)
        for kind, marks in part.keys.items():
            keys.setdefault(kind, set()).update(marks)
    return _trimmed(
        MonthPart(
            min((p.first for p in parts), default=""),
            max((p.last for p in parts), default=""),
            list(found.values()),
            [one for part in parts for one in part.said],
            [talk for part in parts for talk in part.talks],
            {kind: sorted(marks) for kind, marks in keys.items()},
            sorted((theme for part in parts for theme in part.themes), key=lambda t: t[0]),
            replaced,
        )
    )
