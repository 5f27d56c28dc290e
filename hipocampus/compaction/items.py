"""The lines of a summary: one item a line, written and read back without loss.

    - Payment flow [project] ×3: refactor the endpoint → 2026-03-15:3, 2026-03-16
    - [feedback] +12 more → 2026-03-15

Every line ends with the places it came from, so that it can be followed down to its source. The level
above reads these lines as they were meant; `reading.py` turns any other text into items.
"""

import re
from typing import NamedTuple

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

_PLACE = r"(?:\d{4}-(?:\d\d-\d\d(?::\d+(?:-\d+)?)?|W\d\d|\d\d)|root)"
PLACES = re.compile(rf"(?:^| )→ ({_PLACE}(?:, {_PLACE})*)$")
_LINE = re.compile(r"^(.+?)(?: \[(project|feedback|user|reference)\])(?: ×(\d+))?(?:: (.*))?$", re.S)
_PLAIN = re.compile(r"^(.+?)(?: ×(\d+))?(?:: (.*))?$", re.S)
_MORE = re.compile(r"^\[(project|feedback|user|reference)\] \+(\d+) more$")


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
    at = line.rfind("→ ")
    if at < 0 or not (match := PLACES.search(line, max(0, at - 1))):
        return line, ()
    return line[: match.start()].rstrip(), tuple(match[1].split(", "))


def parse_item(line: str, kind: str, topics: frozenset[str] | set[str] = frozenset()) -> Item | None:
    """Return the item of a bullet in a section of `kind`; None when it holds nothing.

    Tolerant: it reads what models and people write, too (bold topics, no type, no place). A topic that
    holds a colon is recognised when it is one of `topics`.
    """
    text, places = parse_places(" ".join(line.lstrip("-*+• ").split()))
    if not text:
        return None
    if text[0] == "[" and (match := _MORE.match(text)):
        return Item(MORE, "", match[1], "", places, int(match[2]))
    if " [" in text and (match := _LINE.match(text)):
        said = match[4] or ""
        own = SAID if kind in (LESSON, SAID) and quoted(said) else kind
        return Item(own, unstarred(match[1]), match[2], said, places, int(match[3] or 1))
    known = _known_topic(text, topics)
    if known:
        return Item(kind, known, "project", text[len(known) + 2 :], places)
    match = _PLAIN.match(text)
    if match is None:
        return None
    topic, times, rest = unstarred(match[1]), match[2], match[3]
    if rest is None and kind not in (TOPIC, ENTITY):
        return Item(kind, "", "project", text, places)
    return Item(kind, topic.rstrip(":"), "project", (rest or "").lstrip("* "), places, int(times or 1))


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
