"""The extractive summary of a daily, weekly or monthly node: what its sources say, in at most N lines.

Pure, and the same sources give the same bytes. What people said about themselves and feedback stand
first, then decisions, outcomes, open items, references, requests and analysis. Every entry is at least
counted with its place, and every line names the place that it came from.
"""

from collections.abc import Iterable
from typing import NamedTuple

from hipocampus.compaction import items as kinds
from hipocampus.compaction.entities import entities, themes
from hipocampus.compaction.items import Item, render_item
from hipocampus.compaction.reading import Source, one_line, read_items
from hipocampus.memory.entries import guard_headings, topic_key
from hipocampus.memory.periods import Level

__all__ = ["Source", "Summary", "summarize"]

# Shares of the lines that each kind of line may take before the others have had theirs; what one
# leaves unused flows on, in this order.
_SHARES = {
    kinds.TOPIC: 0.46,
    kinds.DECISION: 0.18,
    kinds.DONE: 0.15,
    kinds.OPEN: 0.06,
    kinds.LESSON: 0.1,
    kinds.ENTITY: 0.05,
}
_MOST_ENTITIES = 15
MOST_MERGED = 64  # places of one topic that are told apart by line
_MOST_THEMES = 10


class Summary(NamedTuple):
    """Body of a node, without frontmatter and a newline at its end, and its topics in order."""

    body: str
    topics: list[str]


class _Gathered(NamedTuple):
    """The items of all sources, merged: one a topic, no line twice."""

    topics: list[Item]
    whole: list[Item]
    more: dict[tuple[str, str], int]  # (type, source place) -> entries that are counted only
    lines: dict[str, list[Item]]  # kind -> items
    home: dict[str, str]  # place -> place of the source that it came from
    last: str  # place of the last source


def summarize(level: Level, sources: list[Source], limit: int) -> Summary:
    """Return the summary of `sources`, oldest first, in at most `limit` lines."""
    got = _gather(sources)
    names = [f"{item.topic} [{item.type}]" for item in _ordered(got.whole) + got.topics]
    body = _render(level, got, limit)
    return Summary(body, list(dict.fromkeys(names)))


def _gather(sources: list[Source]) -> _Gathered:
    topics: dict[tuple[str, str], Item] = {}
    whole: dict[tuple[str, str, str], Item] = {}
    more: dict[tuple[str, str], int] = {}
    lines: dict[str, dict[tuple[str, str], Item]] = {}
    home: dict[str, str] = {}
    for source in sources:
        for item in read_items(source):
            home.update(dict.fromkeys(item.places, source.place))
            if item.kind == kinds.MORE:
                key = (item.type, source.place)
                more[key] = more.get(key, 0) + item.times
            elif item.kind == kinds.WHOLE:
                at = (topic_key(item.topic), item.type, item.text)
                whole[at] = _merged(whole[at], item) if at in whole else item
            elif item.kind == kinds.TOPIC:
                name = (topic_key(item.topic), item.type)
                old = topics.get(name)
                topics[name] = _merged(old, item) if old else item
                # Two conversations of one name: what the other one said stays, as a line of its own.
                for other in (old, item) if old and kinds.quoted(old.text) else ():
                    if other.text != topics[name].text:
                        key = (topic_key(other.topic), topic_key(other.text))
                        lines.setdefault(kinds.SAID, {})[key] = other._replace(kind=kinds.SAID, times=1)
            else:
                said = (topic_key(item.topic), "" if item.topic == "Working state" else topic_key(item.text))
                of_kind = lines.setdefault(item.kind, {})
                of_kind[said] = _merged(of_kind[said], item) if said in of_kind else item
    kept = {kind: list(found.values()) for kind, found in lines.items()}
    kept[kinds.OPEN] = _still_open(kept.get(kinds.OPEN, []), kept)
    best = {topic_key(item.text) for item in topics.values() if item.text}
    kept[kinds.SAID] = [item for item in kept.get(kinds.SAID, []) if topic_key(item.text) not in best]
    place = sources[-1].place if sources else ""
    return _Gathered(_ordered(topics.values()), list(whole.values()), more, kept, home, place)


def _merged(old: Item, new: Item) -> Item:
    """Return two mentions of one thing as one: all places, the name as last written, the better text."""
    places = tuple(dict.fromkeys((*old.places, *new.places)))
    if len(places) > MOST_MERGED:  # a line shows days by then; thousands of places would cost quadratic time
        places = tuple(dict.fromkeys(place.partition(":")[0] for place in places))
    keep_old = not new.text or old.score > new.score
    source = old if keep_old else new
    return source._replace(topic=new.topic, places=places, times=old.times + new.times)


def _still_open(found: list[Item], lines: dict[str, list[Item]]) -> list[Item]:
    """Drop open items of topics on which something was done or decided later."""
    closed: dict[str, str] = {}
    for item in [*lines.get(kinds.DONE, ()), *lines.get(kinds.DECISION, ())]:
        key = topic_key(item.topic)
        closed[key] = max(closed.get(key, ""), item.day)
    return [item for item in found if not item.topic or closed.get(topic_key(item.topic), "") <= item.day]


def _ordered(topics: Iterable[Item]) -> list[Item]:
    """Feedback and user entries newest first, what people said best first, then the others newest first."""

    def rank(item: Item) -> tuple[int, float]:
        typed = item.type in ("feedback", "user")
        said = kinds.quoted(item.text)
        group = (1 if said else 0) if typed else (3 if item.type == "reference" else 2)
        return group, -item.score if said else 0.0

    newest = sorted(topics, key=lambda item: (item.day, item.line), reverse=True)
    return sorted(newest, key=rank)


def _render(level: Level, got: _Gathered, limit: int) -> str:
    whole = _whole_entries(got.whole)
    topics = got.topics
    if sum(block.count("\n") + 2 for block in whole) > limit // 2:
        whole, topics = [], _ordered([*_one_lines(got.whole), *got.topics])
    room = limit - sum(block.count("\n") + 2 for block in whole)
    lines = _lines_of(level, got, topics)
    room -= 2 * sum(1 for found in lines.values() if found) + 2
    shares = _share(lines, topics, room)
    blocks = [*whole, _topic_block(level, topics, got, shares.pop("", 0))]
    for heading, found in lines.items():
        if shares[heading] > 0:
            blocks.append("\n".join([f"## {heading}", *found[: shares[heading]]]))
    body = "\n\n".join(block for block in blocks if block)
    rows = body.split("\n")
    return body if len(rows) <= limit else "\n".join(rows[:limit]).rstrip()


def _lines_of(level: Level, got: _Gathered, topics: list[Item]) -> dict[str, list[str]]:
    """Return the rendered lines of every section behind Topics, best first."""
    lines = got.lines
    opened = sorted(lines.get(kinds.OPEN, []), key=lambda item: -item.score)
    lessons = [*sorted(lines[kinds.SAID], key=lambda item: -item.score), *lines.get(kinds.LESSON, [])]
    carried: list[Item] = []
    out: dict[str, list[Item]] = {
        "Key Decisions": lines.get(kinds.DECISION, [])[::-1],
        "Tasks Completed": lines.get(kinds.DONE, [])[::-1],
        "Open Items": opened,
        "Lessons Learned": lessons,
    }
    if level is Level.MONTHLY:
        carried = [item for item in opened if got.home.get(item.places[-1]) != got.last]
        out["Open Items"] = [item for item in opened if item not in carried]
    everything = [item for found in lines.values() for item in found] + topics
    text = {heading: [render_item(item) for item in found] for heading, found in out.items()}
    if level is Level.WEEKLY:
        text["Entities Referenced"] = [render_item(i) for i in entities(everything, 1)[:_MOST_ENTITIES]]
    if level is Level.MONTHLY:
        text["Key Themes"] = [f"- {name} ×{count}" for name, count in themes(topics, _MOST_THEMES)]
        text["Recurring Entities"] = [render_item(i) for i in entities(everything, 2)[:_MOST_ENTITIES]]
        text["Carried Forward"] = [render_item(item) for item in carried]
    return text


_SECTION_SHARES = {
    "": _SHARES[kinds.TOPIC],
    "Key Decisions": _SHARES[kinds.DECISION],
    "Tasks Completed": _SHARES[kinds.DONE],
    "Open Items": _SHARES[kinds.OPEN],
    "Lessons Learned": _SHARES[kinds.LESSON],
    "Entities Referenced": _SHARES[kinds.ENTITY],
    "Key Themes": 0.02,
    "Recurring Entities": 0.03,
    "Carried Forward": 0.03,
}


def _share(lines: dict[str, list[str]], topics: list[Item], room: int) -> dict[str, int]:
    """Return how many lines each section gets; "" is Topics. The sum is at most `room`."""
    need = {"": len(topics) + 1, **{heading: len(found) for heading, found in lines.items()}}
    room = max(0, room)
    given = {heading: min(n, int(room * _SECTION_SHARES[heading])) for heading, n in need.items()}
    left = room - sum(given.values())
    for heading in sorted(need, key=lambda h: 0 if h == "" else 1):
        extra = min(need[heading] - given[heading], left)
        given[heading] += extra
        left -= extra
    return given


def _topic_block(level: Level, topics: list[Item], got: _Gathered, room: int) -> str:
    """Return the section Topics in at most `room` lines below its heading; what has no line is counted."""
    cut = len(topics)
    while True:
        more = dict(got.more)
        for item in topics[cut:]:
            for place, count in _by_source(item, got.home):
                more[item.type, place] = more.get((item.type, place), 0) + count
        spans = _spans(topics[cut:]) if level is Level.DAILY else {}
        rows = _more_rows(more, spans, room)
        over = min(cut, room) + len(rows) - room if cut + len(rows) > room else 0
        if cut + len(rows) <= room or cut == 0:
            break
        cut = max(0, min(cut, room) - max(1, over)) if cut > room else max(0, cut - max(1, over))
    if not topics and not rows:
        return ""
    out = ["## Topics"]
    for group in (("feedback", "user"), ("project", "reference")):
        out += [render_item(item) for item in topics[:cut] if item.type in group]
        out += [render_item(item) for item in rows if item.type in group]
    return "\n".join(out)


def _by_source(item: Item, home: dict[str, str]) -> list[tuple[str, int]]:
    """Return how many of an item's entries stand in which source: one a place, the rest in the last."""
    places = [home.get(place, place) for place in item.places]
    found: dict[str, int] = {}
    for place in places[: item.times]:
        found[place] = found.get(place, 0) + 1
    rest = item.times - sum(found.values())
    if rest and places:
        found[places[-1]] = found.get(places[-1], 0) + rest
    return list(found.items())


def _more_rows(more: dict[tuple[str, str], int], spans: dict[tuple[str, str], str], room: int) -> list[Item]:
    """Return the `+N more` lines: one a type and source, or one a type when that would take a third of the room."""
    rows = [
        Item(kinds.MORE, "", kind, "", (spans.get((kind, place), place),), count)
        for (kind, place), count in sorted(more.items())
    ]
    if len(rows) <= max(4, room // 3):
        return rows
    by_type: dict[str, tuple[int, list[str]]] = {}
    for (kind, place), count in sorted(more.items()):
        total, places = by_type.get(kind, (0, []))
        by_type[kind] = (total + count, [*places, place])
    return [Item(kinds.MORE, "", kind, "", tuple(places), n) for kind, (n, places) in by_type.items()]


def _spans(cut: list[Item]) -> dict[tuple[str, str], str]:
    """Return for each type and raw log the lines between which its cut entries stand: `2026-03-15:40-900`."""
    found: dict[tuple[str, str], list[int]] = {}
    for item in cut:
        for place in item.places:
            day, _, line = place.partition(":")
            if line:
                numbers = [int(n) for n in line.split("-")]
                found.setdefault((item.type, day), []).extend(numbers)
    return {
        (kind, day): f"{day}:{min(n)}" + (f"-{max(n)}" if max(n) > min(n) else "")
        for (kind, day), n in found.items()
    }


def _whole_entries(found: list[Item]) -> list[str]:
    """Return user and feedback entries with their whole text, newest first; the comment carries the place."""
    blocks = []
    for item in sorted(found, key=lambda item: (item.day, item.line), reverse=True):
        comment, text = "", item.text
        if text.startswith("<!-- "):
            first, _, text = text.partition("\n")
            comment = first[5:-4].strip() + " "
        where = ", ".join(kinds.shown_places(item.places))
        lines = [f"## {item.topic} [{item.type}]", f"<!-- {comment}→ {where} -->"]
        if text.strip():
            lines.append(guard_headings(text.strip("\n")))
        blocks.append("\n".join(lines))
    return blocks


def _one_lines(found: list[Item]) -> list[Item]:
    merged: dict[tuple[str, str], Item] = {}
    for item in found:
        line = one_line(item)
        key = (topic_key(item.topic), item.type)
        merged[key] = _merged(merged[key], line) if key in merged else line
    return list(merged.values())
