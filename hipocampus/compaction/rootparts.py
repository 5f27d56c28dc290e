"""What a span of months gives to ROOT.md, small enough to be kept in a cache, and merged with other spans.

Pure. A part holds the candidates of each class, trimmed to what ROOT could ever show, and counts of
the rest. `merge_parts` gives the part of a longer span: merging is associative, so closed months can
be kept as one part.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple
from zlib import crc32

from hipocampus.memory.entries import topic_key

MOST = {"feedback": 80, "user": 80, "project": 90, "reference": 50}
"""Topics of a type that a part keeps, newest first. A ROOT of 3,000 tokens holds at most about 120 lines."""

MOST_SAID = 240
MOST_TALKS = 60

_ROOM_COST = 0.07
"""Points of score that a character of a telegram costs: shorter facts leave room for others."""


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


def add_topic(found: dict[tuple[str, str], Topic], topic: Topic) -> None:
    """Take a topic in, merged with an earlier mention of it."""
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


def newest(topics: Iterable[Topic]) -> list[Topic]:
    return sorted(topics, key=lambda t: (t.day, t.at), reverse=True)


def trimmed(part: MonthPart) -> MonthPart:
    """Return the part with at most as many candidates of each class as ROOT could show."""
    room = dict(MOST)
    topics: list[Topic] = []
    gone: set[int] = set()
    for topic in newest(part.topics):
        if topic.day <= part.replaced.get(topic_key(topic.name), ""):
            gone.add(mark_of(topic.name))
            continue
        if room.get(topic.type, 0) > 0:
            room[topic.type] -= 1
            topics.append(topic)
    return part._replace(
        topics=topics,
        said=best_said(part.said, MOST_SAID) if part.said else [],
        talks=sorted(part.talks, reverse=True)[:MOST_TALKS],
        keys={kind: [m for m in marks if m not in gone] for kind, marks in part.keys.items()}
        if gone
        else part.keys,
    )


def mark_of(name: str) -> int:
    """Return the mark by which a topic is counted."""
    return crc32(topic_key(name).encode())


@cache
def said_words() -> re.Pattern[str]:
    """The words that count in what people said; two characters of a script without spaces are one."""
    return re.compile(r"\w{3,}|[가-힣\u3040-\u30ff\u4e00-\u9fff]{2}")


def best_said(said: list[Said], most: int) -> list[Said]:
    """Return the best sentences, one a conversation first; near repetitions once."""
    find_words = said_words().findall
    ranked = sorted(said, key=lambda s: (_ROOM_COST * len(s.text) - s.score, s.day, s.text))
    sizes: list[int] = []
    by_word: dict[str, list[int]] = {}
    taken: dict[tuple[str, str], int] = {}
    out: list[tuple[int, Said]] = []
    for one in ranked:
        words = {w[:6] for w in find_words(one.text.casefold())}
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
            add_topic(found, topic)
        for kind, marks in part.keys.items():
            keys.setdefault(kind, set()).update(marks)
    return trimmed(
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
