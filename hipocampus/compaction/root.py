"""The text of memory/ROOT.md: four sections that tell the whole memory in at most `cap_tokens`.

Pure. What months give comes from `rootparts.py`; here it is ranked and fitted. The cap wins; kept in
this order: typed user and feedback, Active Context, what people said about themselves, project topics,
references, history. Lines that somebody else wrote stay until the cap forces them out.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

from hipocampus.compaction.rootparts import SUPERSEDES, MonthPart, Said, Topic, merge_parts
from hipocampus.memory import facts
from hipocampus.memory.entries import topic_key
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

# Shares of the cap that a class may take before those behind it have had something: without them a
# thousand rules, or a thousand conversations, would leave no line for what is going on.
_TYPED_SHARE = 0.55
_ACTIVE_SHARE = 0.2
_TALK_SHARE = 0.04  # of Active Context, for conversations that nobody made an entry of
_LATER_SHARE = 0.06  # kept free by what people said, for projects, references and history

_RANKS = {"feedback": 0, "user": 0, "project": 3, "reference": 4}
_FACTS_A_LINE = 7
_LINE_CHARS = 480
_FRONT_TOKENS = 40  # the frontmatter that is written above the body, with room for keys of others


class RootText(NamedTuple):
    """The body of ROOT.md without frontmatter, its estimated tokens with it, and the hashes of hipo's own lines."""

    body: str
    tokens: int
    own_lines: list[str]


class _Line(NamedTuple):
    section: str
    text: str
    rank: int = 0  # order within its section; lines of one rank stand as they were chosen


def line_hash(line: str) -> str:
    """Return the mark by which hipo knows a line of ROOT.md as its own."""
    return blake2b(line.strip().encode(), digest_size=6).hexdigest()


def render_root(
    parts: list[MonthPart],
    standing: str,
    today: date,
    cap_tokens: int,
    own_lines: Iterable[str] | None = None,
) -> RootText:
    """Return ROOT.md for `today` from the parts of all months, oldest first.

    `standing` is the body of the ROOT.md that stands, "" without one; lines of it that are not in
    `own_lines` are somebody's. Without `own_lines` (None) the lines of hipo's own shapes are its own.
    """
    part = merge_parts(parts) if parts else MonthPart("", "", [], [], [], {}, [], {})
    foreign = _foreign(standing, None if own_lines is None else set(own_lines), part)
    room = cap_tokens - _FRONT_TOKENS - sum(estimate_tokens(f"## {name}\n\n") for name in SECTIONS)
    chosen = _choose(part, foreign, today, room)
    while True:
        body = _body(chosen, foreign.outside)
        tokens = estimate_tokens(body) + _FRONT_TOKENS
        if tokens <= cap_tokens or not (chosen or foreign.outside):
            break
        if chosen:
            chosen.pop()
        else:
            foreign = foreign._replace(outside="")
    own = [line_hash(line.text) for line in chosen if line not in foreign.lines]
    return RootText(body, tokens, own)


# -- what stands ---------------------------------------------------------------------------------


class _Foreign(NamedTuple):
    lines: list[_Line]  # lines in the four sections
    outside: str  # text in front of and behind them


_OWN_SHAPE = re.compile(
    r"^- (?:.+ \[(?:project|feedback|user|reference), \d+d(?:, \?)?\](?::.*)?|.+ → (?:\d{4}-(?:\d\d-\d\d|W\d\d|\d\d).*|\S+/\S+)"
    r"|\+[\d,]+ (?:project|feedback|user|reference).*: hipo recall.*|\d{4}(?:-(?:\d\d|Q\d))?(?:~(?:\d{4}(?:-\d\d)?|\d\d))?: .*"
    r"|Again and again: .*)$"
)


def _foreign(standing: str, own: set[str] | None, part: MonthPart) -> _Foreign:
    """Return what somebody else wrote into the ROOT.md that stands."""
    rules = {topic_key(t.name) for t in part.topics if t.type in ("feedback", "user")}
    section = ""
    lines: list[_Line] = []
    outside: list[str] = []
    comment = False
    for line in standing.split("\n"):
        text = line.strip()
        if comment or text.startswith("<!--"):
            comment = "-->" not in text
            if section or own is None:
                continue
        if line.startswith("## "):
            name = line[3:].strip()
            section = next(
                (
                    s
                    for s in SECTIONS
                    if s.partition(" (")[0].casefold() == name.partition(" (")[0].casefold()
                ),
                "",
            )
            if not section:
                outside.append(line)
            continue
        if not section:
            outside.append(line)
        elif text and not _is_own(text, own, rules):
            lines.append(_Line(section, line.rstrip(), 5))
    return _Foreign(list(dict.fromkeys(lines)), re.sub(r"\n{3,}", "\n\n", "\n".join(outside)).strip("\n"))


def _is_own(text: str, own: set[str] | None, rules: set[str]) -> bool:
    if own is not None:
        return line_hash(text) in own
    if _OWN_SHAPE.match(text):
        return True
    said = topic_key(text.removeprefix("- "))
    return text.startswith("- ") and any(said == rule or said.startswith(f"{rule}:") for rule in rules)


# -- what is kept --------------------------------------------------------------------------------


class _Budget:
    """Lines taken so far, in order of importance, and the tokens that are left."""

    def __init__(self, room: int) -> None:
        self.left = room
        self.lines: list[_Line] = []

    def take(self, lines: list[_Line], share: int | None = None) -> int:
        """Take lines from the front while they fit into `share` (all that is left without one); return how many."""
        room = self.left if share is None else min(share, self.left)
        taken = 0
        for line in lines:
            cost = estimate_tokens(line.text + "\n")
            if cost > room:
                break
            room -= cost
            self.left -= cost
            self.lines.append(line)
            taken += 1
        return taken


def _choose(part: MonthPart, foreign: _Foreign, today: date, room: int) -> list[_Line]:
    """Return the lines of ROOT.md, most important first."""
    typed = [t for t in part.topics if t.type in ("feedback", "user")]
    projects = [t for t in part.topics if t.type == "project"]
    references = [t for t in part.topics if t.type == "reference"]
    active = _active(projects + references, today)
    talks = _talks(part, today)
    index = [_index_line(t, today) for t in typed]
    budget = _Budget(room - estimate_tokens(foreign.outside))
    total = budget.left
    reserve = _cost(_more_lines(part, []))
    budget.left -= reserve

    shown = budget.take(index, int(total * _TYPED_SHARE))
    lively = budget.take(active, int(total * _ACTIVE_SHARE))
    heard = budget.take(talks, int(total * (_TALK_SHARE if active or part.said else _ACTIVE_SHARE)))
    budget.take(foreign.lines)
    rules = [
        _Line(PATTERNS, _safe(f"- {t.name}: {t.text}"))
        for t in typed[:shown]
        if t.text and t.type == "feedback"
    ]
    fresh = [_index_line(t, today) for t in projects if _age(t, today) <= INDEX_DAYS]
    old = [_index_line(t, today) for t in projects if _age(t, today) > INDEX_DAYS]
    sources = [_index_line(t, today) for t in references]
    needed = _cost([*fresh, *old, *sources, *_history(part, today, total)])
    keep = min(needed, int(total * _LATER_SHARE)) if part.said else 0
    ruled = budget.take([*rules, *_recurring(part)], max(0, (budget.left - keep) // 2))
    budget.take(_said_lines(part.said, today, budget.left - keep))
    timeline = _history(part, today, max(budget.left // 3, min(budget.left, total // 16)))
    held = _cost(timeline)
    budget.take(fresh, budget.left - held)
    budget.take(sources, budget.left - held)
    budget.take(timeline)
    budget.take(old)
    # What is left goes to those that their shares had cut.
    if shown < len(index):
        shown += budget.take(index[shown:])
    budget.take(active[lively:])
    budget.take(talks[heard:])
    budget.take([*rules, *_recurring(part)][ruled:])
    budget.left += reserve
    more = _more_lines(part, typed[:shown])
    budget.take(more)
    kept = len(budget.lines) - len(more)
    return budget.lines[kept:] + budget.lines[:kept]


def _cost(lines: list[_Line]) -> int:
    return sum(estimate_tokens(line.text + "\n") for line in lines)


def _age(topic: Topic, today: date) -> int:
    day = parse_day(topic.day)
    return max(0, (today - day).days) if day else 0


def _index_line(topic: Topic, today: date) -> _Line:
    """Return the line of a topic in the index: `- Billing api [reference, 45d, ?]: sandbox url → knowledge/billing.md`."""
    age = _age(topic, today)
    check = ", ?" if topic.type == "reference" and age > CHECK_DAYS else ""
    pointer = topic.pointer if topic.pointer.startswith(("knowledge/", "plans/")) else ""
    text = (
        topic.text.replace(f" ({pointer})", "").replace(pointer, "").strip(" ;,") if pointer else topic.text
    )
    text = SUPERSEDES.sub("", text)
    if topic.type == "feedback" and text.endswith(")") and " (" in text:
        text = text[: text.rindex(" (")]
    body = f": {facts.shorten(text, 110 if topic.type == 'user' else 80)}" if text else ""
    return _Line(
        INDEX,
        _safe(f"- {topic.name} [{topic.type}, {age}d{check}]{body}{f' → {pointer}' if pointer else ''}"),
        _RANKS[topic.type],
    )


def _more_lines(part: MonthPart, shown: list[Topic]) -> list[_Line]:
    """Return the line that counts the feedback and user entries without a line of their own."""
    out = []
    for kind in ("feedback", "user"):
        left = len(part.keys.get(kind, ())) - sum(1 for t in shown if t.type == kind)
        if left > 0:
            out.append(_Line(INDEX, f"- +{left:,} {kind}: hipo recall --type {kind}", 1))
    return out


def _active(topics: list[Topic], today: date) -> list[_Line]:
    """Return a line for each topic of the last seven days, newest first."""
    recent = sorted(
        (t for t in topics if _age(t, today) < ACTIVE_DAYS and t.count), key=lambda t: t.day, reverse=True
    )
    out: list[_Line] = []
    for topic in recent[:24]:
        text = "; ".join(dict.fromkeys(x for x in (topic.text, topic.done) if x))
        pointer = f"; {topic.pointer}" if topic.pointer and topic.pointer not in text else ""
        text = f": {facts.shorten(text, 180)}" if text else ""
        out.append(_Line(ACTIVE, _safe(f"- {topic.name}{text}{pointer} → {topic.day}")))
    return out


def _talks(part: MonthPart, today: date) -> list[_Line]:
    """Return a line a day for the conversations of the last seven days, newest first."""
    days: dict[str, list[str]] = {}
    for day, talk in part.talks:
        then = parse_day(day)
        if then and 0 <= (today - then).days < ACTIVE_DAYS + 1:
            days.setdefault(day, []).append(talk)
    out: list[_Line] = []
    for day in sorted(days, reverse=True):
        text, shown = "", 0
        for talk in days[day]:
            if shown and len(text) + len(talk) > 110:
                break
            text += ("; " if text else "") + talk
            shown += 1
        more = f"; +{len(days[day]) - shown} more" if len(days[day]) > shown else ""
        out.append(_Line(ACTIVE, _safe(f"- Talked about: {text}{more} → {day}")))
    return out


def _said_lines(said: list[Said], today: date, room: int) -> list[_Line]:
    """Return what people said about themselves within `room` tokens: best first, grouped by theme.

    A line holds up to four sentences of one theme; its age is that of the latest one.
    """
    groups: dict[str, list[Said]] = {}
    left = room
    for one in said:
        line_cost = estimate_tokens(f"- {one.theme} [user, 99d]: \n")
        cost = estimate_tokens(_dated(one, today) + "; ") + (line_cost + _FACTS_A_LINE - 1) // _FACTS_A_LINE
        if cost > left:
            break
        left -= cost
        groups.setdefault(one.theme, []).append(one)
    lines: list[_Line] = []
    for theme, group in groups.items():
        group.sort(key=lambda s: (s.day, s.text), reverse=True)
        for some in _packed(group, today):
            age = max(0, (today - date.fromisoformat(some[0].day)).days)
            text = "; ".join(_dated(s, today) for s in some)
            lines.append(_Line(INDEX, _safe(f"- {theme} [user, {age}d]: {text}"), 2))
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


def _history(part: MonthPart, today: date, room: int) -> list[_Line]:
    """Return the timeline within `room` tokens: months, else quarters, else years, oldest years out first."""
    lines: list[_Line] = []
    for quarters_after, years_after in ((10_000, 10_000), (6, 10_000), (3, 24), (3, 9), (0, 3), (0, 0)):
        groups: dict[str, Counter[str]] = {}
        months: dict[str, list[str]] = {}
        for month, theme, number in part.themes:
            age = (today.year - int(month[:4])) * 12 + today.month - int(month[5:7])
            name = month if age < quarters_after else (_quarter(month) if age < years_after else month[:4])
            groups.setdefault(name, Counter())[theme] += number
            months.setdefault(name, []).append(month)
        lines = [
            _Line(HISTORY, _safe(f"- {_span(n, months[n])}: {', '.join(_few(found))}"))
            for n, found in groups.items()
        ]
        if sum(estimate_tokens(line.text + "\n") for line in lines) <= room:
            return lines
    while lines and sum(estimate_tokens(line.text + "\n") for line in lines) > room:
        lines.pop(0)
    return lines


def _quarter(month: str) -> str:
    return f"{month[:4]}-Q{(int(month[5:7]) + 2) // 3}"


def _span(name: str, months: list[str]) -> str:
    """Return how a group of months is named: `2026-03`, `2026-01~03`, `2025`."""
    if "Q" not in name:
        return name
    return months[0] if months[0] == months[-1] else f"{months[0]}~{months[-1][5:]}"


def _few(found: Counter[str], most: int = 6) -> list[str]:
    """Return the themes that come up most, first ones first."""
    return [theme for theme, _ in found.most_common(most)]


def _recurring(part: MonthPart) -> list[_Line]:
    """Return the line of what comes up again and again in the last two months, if anything does."""
    last = sorted({month for month, _, _ in part.themes})[-2:]
    counts: Counter[str] = Counter()
    for month, theme, number in part.themes:
        if month in last:
            counts[theme] += number
    often = [f"{theme} ×{number}" for theme, number in counts.most_common(7) if number >= 3]
    return [_Line(PATTERNS, _safe(f"- Again and again: {', '.join(often)}"))] if often else []


# -- how it is written ----------------------------------------------------------------------------

_AT = re.compile(r"(?<![\w`@])(@[\w./-]*\w)(?!`)")


def _safe(line: str) -> str:
    """Put `@words` in backticks: platforms that import ROOT.md would take them for files."""
    return _AT.sub(r"`\1`", line) if "@" in line else line


def _body(chosen: list[_Line], outside: str) -> str:
    blocks = [outside] if outside else []
    for section in SECTIONS:
        lines = [line.text for line in sorted(chosen, key=lambda line: line.rank) if line.section == section]
        blocks.append("\n".join([f"## {section}", *lines]))
    return "\n\n".join(blocks)
