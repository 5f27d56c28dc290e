"""The lines of a summary: one item a line, written and read back without loss.

    - Payment flow [project] ×3: refactor the endpoint → 2026-03-15:3, 2026-03-16
    - [feedback] +12 more → 2026-03-15

Every line ends with the places it came from, so that it can be followed down to its source. The level
above reads these lines as they were meant; `reading.py` turns any other text into items.
"""

import re
from typing import NamedTuple

from hipocampus.memory.entries import TYPES

TOPIC = "topic"  # an entry, or a conversation, with the best line that it has
WHOLE = "whole"  # a user or feedback entry with its whole text
MORE = "more"  # entries that are counted only
SAID = "said"  # a further sentence of a person about themselves
DECISION = "decision"
DONE = "done"
LESSON = "lesson"
OPEN = "open"
ENTITY = "entity"

MOST_PLACES = 6
"""Places on one line; more of them shrink to the days, then to the first and the last ones."""

_PLACE = re.compile(r"(?:\d{4}-(?:\d\d-\d\d(?::\d+(?:-\d+)?)?|W\d\d|\d\d)|root)\Z")
_MORE = r"\[(project|feedback|user|reference)\] \+(\d+) more\Z"


class Item(NamedTuple):
    """One thing that a source says. `text` is one line; `places` are in the order of the sources."""

    kind: str
    topic: str
    type: str
    text: str
    places: tuple[str, ...]
    times: int = 1  # entries that a TOPIC, WHOLE or MORE stands for
    score: float = 0.0  # best first within a kind; derived from the text, so that a line need not carry it

    @property
    def day(self) -> str:
        """The latest place without its line: what "newest first" sorts by."""
        if len(self.places) == 1:
            return self.places[0].partition(":")[0]
        return max([place.partition(":")[0] for place in self.places], default="")

    @property
    def line(self) -> int:
        """The last line that its places on the latest day name, 0 when they name none."""
        if not any(":" in place for place in self.places):
            return 0
        day = f"{self.day}:"
        lines = (place.partition(":")[2].partition("-")[0] for place in self.places if place.startswith(day))
        return max((int(line) for line in lines if line.isdecimal()), default=0)


def quoted(text: str) -> bool:
    """True when a text is a person's own sentence: it stands in quotes."""
    return len(text) > 2 and text[0] == '"' and text[-1] == '"'


def render_item(item: Item) -> str:
    """Return the line of an item, without a line end."""
    arrow = f" → {', '.join(shown_places(item.places))}" if item.places else ""
    if item.kind == MORE:
        return f"- [{item.type}] +{item.times} more{arrow}"
    if not item.topic:
        return f"- {item.text}{arrow}"
    kind = f" [{item.type}]" if item.kind in (TOPIC, SAID) else ""
    times = f" ×{item.times}" if item.times != 1 and item.kind in (TOPIC, ENTITY) else ""
    text = f": {item.text}" if item.text else ""
    return f"- {item.topic}{kind}{times}{text}{arrow}"


def shown_places(places: tuple[str, ...]) -> tuple[str, ...]:
    """Return the places that a line names: all of at most MOST_PLACES, else days, else first and last days."""
    if len(places) <= MOST_PLACES:
        return places
    days = tuple(dict.fromkeys(place.partition(":")[0] for place in places))
    half = MOST_PLACES // 2
    return days if len(days) <= MOST_PLACES else (*days[:half], *days[-half:])


def parse_places(line: str) -> tuple[str, tuple[str, ...]]:
    """Return a line without its `→ places`, and the places; () when it names none."""
    head, arrow, tail = line.rpartition("→ ")
    if not arrow or (head and head[-1] != " "):
        return line, ()
    places = tuple(tail.split(", "))
    return (head.rstrip(), places) if all(map(_PLACE.match, places)) else (line, ())


def parse_item(line: str, kind: str, topics: frozenset[str] | set[str] = frozenset()) -> Item | None:
    """Return the item of a bullet in a section of `kind`; None when it holds nothing.

    Tolerant: it reads what models and people write, too (bold topics, no type, no place). A topic that
    holds a colon is recognised when it is one of `topics`.
    """
    text, places = parse_places(" ".join(line.lstrip("-*+• ").split()))
    if not text:
        return None
    if text[0] == "[" and (match := re.match(_MORE, text)):
        return Item(MORE, "", match[1], "", places, int(match[2]))
    if " [" in text and (typed := _typed(text)):
        topic, of_type, times, said = typed
        own = SAID if kind in (LESSON, SAID) and quoted(said) else kind
        return Item(own, unstarred(topic), of_type, said, places, times)
    known = _known_topic(text, topics)
    if known:
        return Item(kind, known, "project", text[len(known) + 2 :], places)
    at = text.find(": ", 1)
    if at < 0 and kind not in (TOPIC, ENTITY):
        return Item(kind, "", "project", text, places)
    topic, times = _counted(text if at < 0 else text[:at])
    rest = "" if at < 0 else text[at + 2 :].lstrip("* ")
    return Item(kind, unstarred(topic).rstrip(":"), "project", rest, places, times)


def _typed(text: str) -> tuple[str, str, int, str] | None:
    """Return topic, type, times and text of `topic [type] ×3: text`; None when no type stands where it should."""
    at = text.find(" [", 1)
    while at > 0:
        end = text.find("]", at)
        if end > 0 and text[at + 2 : end] in TYPES:
            head, _, said = text[end + 1 :].partition(": ")
            mark, times = _counted(head)
            if not mark:
                return text[:at], text[at + 2 : end], times, said
        at = text.find(" [", at + 1)
    return None


def _counted(text: str) -> tuple[str, int]:
    """Return a text without the ` ×3` at its end, and the number; 1 where it has none."""
    before, cross, number = text.rpartition(" ×")
    return (before, int(number)) if cross and number.isdecimal() else (text, 1)


def _known_topic(text: str, topics: frozenset[str] | set[str]) -> str:
    """Return the longest of `topics` that `text` begins with, followed by a colon; "" when there is none."""
    at = text.rfind(": ")
    while at > 0:
        if text[:at] in topics:
            return text[:at]
        at = text.rfind(": ", 0, at)
    return ""


def unstarred(topic: str) -> str:
    """Return a topic without the bold marks that models put around it."""
    return topic.strip().strip("*").rstrip(":").strip() or topic
