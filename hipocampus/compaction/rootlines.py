"""The lines of ROOT.md: how a topic, a fact, the last days and the timeline are said.

Pure. `root.py` decides which of them are kept.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

from hipocampus.compaction.rootparts import MonthPart, Said, Topic
from hipocampus.memory import facts
from hipocampus.memory.hot import guard_imports
from hipocampus.memory.periods import parse_day
from hipocampus.memory.tokens import estimate_tokens

ACTIVE = "Active Context (recent ~7 days)"
PATTERNS = "Recent Patterns"
HISTORY = "Historical Summary"
INDEX = "Topics Index"
SECTIONS = (ACTIVE, PATTERNS, HISTORY, INDEX)

ACTIVE_DAYS = 7
CHECK_DAYS = 30  # a reference older than this gets `?`
INDEX_DAYS = 90  # a project topic older than this leaves the index when others need its room

_RANKS = {"feedback": 0, "user": 0, "project": 3, "reference": 4}
_FACTS_A_LINE = 7
_HEAD_TOKENS = 12  # what a further line costs before it says anything
_LEAST_TOKENS = 8  # of a line of the timeline: a dash, a month, a word
NAME_CHARS = 100
_LINE_CHARS = 480


class Line(NamedTuple):
    section: str
    text: str
    rank: int = 0  # order within its section; lines of one rank stand as they were chosen


def cost_of(lines: list[Line]) -> int:
    return sum(_tokens(line.text) for line in lines)


def cost_up_to(most: int, lines: Iterable[Line]) -> int:
    """Return what lines cost, or `most` where they cost more: lines behind that are not asked for."""
    total = 0
    for line in lines:
        total += _tokens(line.text)
        if total >= most:
            return most
    return total


@lru_cache(maxsize=1024)
def _tokens(line: str) -> int:
    """Return what a line costs with its line end; fitting asks for the same lines again and again."""
    return estimate_tokens(line + "\n")


def age_of(topic: Topic, today: date) -> int:
    day = parse_day(topic.day)
    return max(0, (today - day).days) if day else 0


def index_lines(topics: Iterable[Topic], today: date) -> Iterator[Line]:
    """Give the line of each topic in the index: `- Billing api [reference, 45d, ?]: sandbox url → knowledge/billing.md`.

    One at a time: a large memory has more topics than the index has room for.
    """
    return (_index_line(topic, today) for topic in topics)


def _index_line(topic: Topic, today: date) -> Line:
    age = age_of(topic, today)
    check = ", ?" if topic.type == "reference" and age > CHECK_DAYS else ""
    pointer = topic.pointer if topic.pointer.startswith(("knowledge/", "plans/")) else ""
    text = (
        topic.text.replace(f" ({pointer})", "").replace(pointer, "").strip(" ;,") if pointer else topic.text
    )
    if topic.type == "feedback" and text.endswith(")") and " (" in text:
        text = text[: text.rindex(" (")]
    body = f": {facts.shorten(text, 110 if topic.type == 'user' else 80)}" if text else ""
    return Line(
        INDEX,
        safe(f"- {_name(topic)} [{topic.type}, {age}d{check}]{body}{f' → {pointer}' if pointer else ''}"),
        _RANKS[topic.type],
    )


def _name(topic: Topic) -> str:
    """A topic as an index shows it: one that is a whole text is cut, so that it leaves room for the others."""
    return facts.shorten(topic.name, NAME_CHARS)


def more_lines(part: MonthPart, shown: list[Topic]) -> list[Line]:
    """Return the line that counts the feedback and user entries without a line of their own."""
    out = []
    for kind in ("feedback", "user"):
        left = len(part.keys.get(kind, ())) - sum(1 for t in shown if t.type == kind)
        if left > 0:
            out.append(Line(INDEX, f"- +{left:,} {kind}: hipo recall --type {kind}", 1))
    return out


def active_lines(topics: list[Topic], today: date) -> list[Line]:
    """Return a line for each topic of the last seven days, newest first."""
    recent = sorted(
        (t for t in topics if age_of(t, today) < ACTIVE_DAYS and t.times),
        key=lambda t: (t.day, t.at),
        reverse=True,
    )
    out: list[Line] = []
    for topic in recent[:24]:
        text = "; ".join(dict.fromkeys(x for x in (topic.text, topic.done) if x))
        pointer = f"; {topic.pointer}" if topic.pointer and topic.pointer not in text else ""
        text = f": {facts.shorten(text, 180)}" if text else ""
        out.append(Line(ACTIVE, safe(f"- {_name(topic)}{text}{pointer} → {topic.day}")))
    return out


def talk_lines(part: MonthPart, today: date) -> list[Line]:
    """Return a line a day for the conversations of the last seven days, newest first."""
    days: dict[str, list[str]] = {}
    for day, talk in part.talks:
        then = parse_day(day)
        if then and 0 <= (today - then).days < ACTIVE_DAYS + 1:
            days.setdefault(day, []).append(talk)
    out: list[Line] = []
    for day in sorted(days, reverse=True):
        text, shown = "", 0
        for talk in days[day]:
            if shown and len(text) + len(talk) > 110:
                break
            text += ("; " if text else "") + talk
            shown += 1
        more = f"; +{len(days[day]) - shown} more" if len(days[day]) > shown else ""
        out.append(Line(ACTIVE, safe(f"- Talked about: {text}{more} → {day}")))
    return out


def said_lines(said: list[Said], today: date, room: int) -> list[Line]:
    """Return what people said about themselves within `room` tokens: best first, grouped by theme.

    A line holds a few sentences of one theme; its age is that of the latest one. They stand at length when
    all of them fit.
    """
    if room <= 0:
        return []
    at_length = _by_theme([one._replace(text=one.full or one.text) for one in said], today)
    if cost_of(at_length) <= room:
        return at_length
    costs = [estimate_tokens(_dated(one, today)) + 1 for one in said]
    number = _fitting([cost + _HEAD_TOKENS // _FACTS_A_LINE + 1 for cost in costs], room)
    while True:
        lines = _by_theme(said[:number], today)
        left = room - cost_of(lines)
        if left < 0 and number:
            number -= 1
            continue
        more = _fitting(costs[number:], left - _HEAD_TOKENS)
        if not more:
            return lines
        number += more
        if cost_of(_by_theme(said[:number], today)) > room:
            return lines


def _fitting(costs: list[int], room: int) -> int:
    """Return how many of the first costs fit into `room`."""
    number = 0
    for cost in costs:
        room -= cost
        if room < 0:
            break
        number += 1
    return number


def _by_theme(said: list[Said], today: date) -> list[Line]:
    groups: dict[str, list[Said]] = {}
    for one in said:
        groups.setdefault(one.theme, []).append(one)
    lines: list[Line] = []
    for theme, group in groups.items():
        group.sort(key=lambda s: (s.day, s.text), reverse=True)
        for some in _packed(group, today):
            age = max(0, (today - date.fromisoformat(some[0].day)).days)
            text = "; ".join(_dated(s, today) for s in some)
            lines.append(Line(INDEX, safe(f"- {theme} [user, {age}d]: {text}"), 2))
    return lines


def _packed(group: list[Said], today: date) -> list[list[Said]]:
    """Cut a theme into lines of a few sentences, evenly filled."""
    count = max(-(-len(group) // _FACTS_A_LINE), -(-sum(len(s.text) for s in group) // _LINE_CHARS))
    size, rest = divmod(len(group), count)
    out, at = [], 0
    for number in range(count):
        end = at + size + (1 if number < rest else 0)
        out.append(group[at:end])
        at = end
    return [some for some in out if some]


def _dated(one: Said, today: date) -> str:
    year = one.day[:4]
    return one.text if year == f"{today.year}" or year in one.text else f"{one.text} ({year})"


def history_lines(part: MonthPart, today: date, room: int) -> list[Line]:
    """Return the timeline within `room` tokens: months, else quarters, else years, oldest years out first."""
    told: dict[str, list[tuple[str, int]]] = {}
    for month, theme, number in part.themes:
        told.setdefault(month, []).append((theme, number))

    @cache
    def line_of(name: str, months: tuple[str, ...]) -> Line:
        found: dict[str, int] = {}
        for month in months:
            for theme, number in told[month]:
                found[theme] = found.get(theme, 0) + number
        return Line(HISTORY, safe(f"- {_span(name, months)}: {', '.join(_few(found))}"))

    ages = {m: (today.year - int(m[:4])) * 12 + today.month - int(m[5:7]) for m in told}
    lines: list[Line] = []
    for quarters_after, years_after in ((10_000, 10_000), (6, 10_000), (3, 24), (3, 9), (0, 3), (0, 0)):
        groups: dict[str, list[str]] = {}
        for m, age in ages.items():
            name = m if age < quarters_after else (_quarter(m) if age < years_after else m[:4])
            groups.setdefault(name, []).append(m)
        if years_after and len(groups) * _LEAST_TOKENS > room:
            continue  # no need to put the lines together: they cannot fit
        newest_first = (line_of(name, tuple(some)) for name, some in reversed(groups.items()))
        lines = _fit(newest_first, room)[::-1]
        if len(lines) == len(groups):
            break
    return lines


def _fit(lines: Iterable[Line], room: int) -> list[Line]:
    """Return the first lines that fit into `room` tokens; those behind them are not asked for."""
    found: list[Line] = []
    for line in lines:
        room -= cost_of([line])
        if room < 0:
            break
        found.append(line)
    return found


def _quarter(month: str) -> str:
    return f"{month[:4]}-Q{(int(month[5:7]) + 2) // 3}"


def _span(name: str, months: Sequence[str]) -> str:
    """Return how a group of months is named: `2026-03`, `2026-01~03`, `2025`."""
    if "Q" not in name:
        return name
    return months[0] if months[0] == months[-1] else f"{months[0]}~{months[-1][5:]}"


def _few(found: Mapping[str, int], most: int = 6) -> list[str]:
    """Return the themes that come up most, first ones first."""
    return [theme for theme, _ in _apart(found, most)]


def _apart(found: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    """Return `most` themes with their numbers, most first: of a topic and the words in it, the topic alone."""
    kept: list[tuple[str, int, set[str]]] = []
    often = sorted(found.items(), key=lambda pair: -pair[1])[: 4 * most]
    for theme, number in often:
        words = set(theme.casefold().split())
        for at, (_, _, named) in enumerate(kept):
            if words <= named:
                break
            if named <= words:
                kept[at] = (theme, number, words)
                break
        else:
            kept.append((theme, number, words))
    return [(theme, number) for theme, number, _ in kept[:most]]


def recurring_lines(part: MonthPart) -> list[Line]:
    """Return the line of what comes up again and again in the last two months, if anything does."""
    last = sorted({month for month, _, _ in part.themes})[-2:]
    counts: dict[str, int] = {}
    for month, theme, number in part.themes:
        if month in last:
            counts[theme] = counts.get(theme, 0) + number
    often = [f"{theme} ×{number}" for theme, number in _apart(counts, 7) if number >= 3]
    return [Line(PATTERNS, safe(f"- Again and again: {', '.join(often)}"))] if often else []


def safe(line: str) -> str:
    """Put `@words` in backticks: platforms that import ROOT.md would take them for files."""
    return guard_imports(line)
