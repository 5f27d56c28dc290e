"""The text of memory/ROOT.md: four sections that tell the whole memory in at most `cap_tokens`.

Pure. What months give comes from `rootparts.py`, how it is said from `rootlines.py`; here it is ranked and
fitted. The cap wins; kept in this order: typed user and feedback, Active Context, what people said about
themselves, project topics, references, history. Lines that somebody else wrote stay until the cap forces
them out.
"""

import re
from collections.abc import Iterable
from datetime import date
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from hipocampus.compaction.rootlines import (
    INDEX_DAYS,
    PATTERNS,
    SECTIONS,
    Line,
    active_lines,
    age_of,
    cost_of,
    cost_up_to,
    history_lines,
    index_lines,
    more_lines,
    recurring_lines,
    safe,
    said_lines,
    talk_lines,
)
from hipocampus.compaction.rootparts import MonthPart, merge_parts
from hipocampus.memory.entries import topic_key
from hipocampus.memory.tokens import estimate_tokens

# Shares of the cap that a class may take before those behind it have had something: without them a
# thousand rules, or a thousand conversations, would leave no line for what is going on.
_TYPED_SHARE = 0.55
_ACTIVE_SHARE = 0.2
_TALK_SHARE = 0.04  # of Active Context, for conversations that nobody made an entry of
_LATER_SHARE = 0.08  # kept free by what people said, for projects, references and history

_SOMEBODYS = 5  # rank of lines that somebody else wrote: behind those of hipo's own
_FRONT_TOKENS = 40  # the frontmatter that is written above the body, with room for keys of others


class RootText(NamedTuple):
    """The body of ROOT.md without frontmatter, its estimated tokens with it, and the hashes of hipo's own lines."""

    body: str
    tokens: int
    own_lines: list[str]


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
    lines: list[Line]  # lines in the four sections
    outside: str  # text in front of and behind them


@cache
def _own_shape() -> re.Pattern[str]:
    """A line as hipo writes them, asked for where nobody wrote down which lines are its own."""
    return re.compile(
        r"^- (?:.+ \[(?:project|feedback|user|reference), \d+d(?:, \?)?\](?::.*)?|.+ → (?:\d{4}-(?:\d\d-\d\d|W\d\d|\d\d).*|\S+/\S+)"
        r"|\+[\d,]+ (?:project|feedback|user|reference).*: hipo recall.*|\d{4}(?:-(?:\d\d|Q\d))?(?:~(?:\d{4}(?:-\d\d)?|\d\d))?: .*"
        r"|Again and again: .*)$"
    )


def _foreign(standing: str, own: set[str] | None, part: MonthPart) -> _Foreign:
    """Return what somebody else wrote into the ROOT.md that stands."""
    rules = (
        {topic_key(t.name) for t in part.topics if t.type in ("feedback", "user")} if own is None else set()
    )
    section = ""
    lines: list[Line] = []
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
            lines.append(Line(section, line.rstrip(), _SOMEBODYS))
    return _Foreign(list(dict.fromkeys(lines)), re.sub(r"\n{3,}", "\n\n", "\n".join(outside)).strip("\n"))


def _is_own(text: str, own: set[str] | None, rules: set[str]) -> bool:
    if own is not None:
        return line_hash(text) in own
    if _own_shape().match(text):
        return True
    said = topic_key(text.removeprefix("- "))
    return text.startswith("- ") and any(said == rule or said.startswith(f"{rule}:") for rule in rules)


# -- what is kept --------------------------------------------------------------------------------


class _Budget:
    """Lines taken so far, in order of importance, and the tokens that are left."""

    def __init__(self, room: int) -> None:
        self.left = room
        self.lines: list[Line] = []
        self._places: dict[tuple[str, str], int] = {}

    def take(self, lines: Iterable[Line], share: int | None = None) -> int:
        """Take lines from the front while they fit into `share` (all that is left without one); return how many.

        Lines behind the first that does not fit are not asked for. One that stands there already, as somebody's
        that hipo would write itself, takes its place.
        """
        room = self.left if share is None else min(share, self.left)
        taken = 0
        for line in lines:
            at = self._places.setdefault((line.section, line.text), len(self.lines))
            if at < len(self.lines):
                if self.lines[at].rank == _SOMEBODYS:
                    self.lines[at] = line
                taken += 1
                continue
            cost = cost_of([line])
            if cost > room:
                del self._places[line.section, line.text]
                break
            room -= cost
            self.left -= cost
            self.lines.append(line)
            taken += 1
        return taken


def _choose(part: MonthPart, foreign: _Foreign, today: date, room: int) -> list[Line]:
    """Return the lines of ROOT.md, most important first."""
    typed = [t for t in part.topics if t.type in ("feedback", "user")]
    projects = [t for t in part.topics if t.type == "project"]
    references = [t for t in part.topics if t.type == "reference"]
    active = active_lines(projects + references, today)
    talks = talk_lines(part, today)
    budget = _Budget(room - estimate_tokens(foreign.outside))
    total = budget.left
    reserve = cost_of(more_lines(part, []))
    budget.left -= reserve

    shown = budget.take(index_lines(typed, today), int(total * _TYPED_SHARE))
    lively = budget.take(active, int(total * _ACTIVE_SHARE))
    heard = budget.take(talks, int(total * (_TALK_SHARE if active or part.said else _ACTIVE_SHARE)))
    budget.take(
        [line for line in foreign.lines if cost_of([line]) <= total // 4]
    )  # no single line starves the rest
    rules = [
        Line(PATTERNS, safe(f"- {t.name}: {t.text}"))
        for t in typed[:shown]
        if t.text and t.type == "feedback"
    ]
    fresh = [t for t in projects if age_of(t, today) <= INDEX_DAYS]
    old = [t for t in projects if age_of(t, today) > INDEX_DAYS]
    keep = 0
    if part.said:
        most = int(total * _LATER_SHARE)
        keep = cost_up_to(most, index_lines([*projects, *references], today))
        if keep < most:
            keep = min(most, keep + cost_of(history_lines(part, today, most)))
    patterns = [*rules, *recurring_lines(part)]
    ruled = budget.take(patterns, max(0, (budget.left - keep) // 2))
    budget.take(said_lines(part.said, today, budget.left - keep))
    timeline = history_lines(part, today, max(budget.left // 3, min(budget.left, total // 16)))
    held = cost_of(timeline)
    budget.take(index_lines(fresh, today), budget.left - held)
    budget.take(index_lines(references, today), budget.left - held)
    budget.take(timeline)
    budget.take(index_lines(old, today))
    # What is left goes to those that their shares had cut.
    shown += budget.take(index_lines(typed[shown:], today))
    budget.take(active[lively:])
    budget.take(talks[heard:])
    budget.take(patterns[ruled:])
    budget.left += reserve
    more = more_lines(part, typed[:shown])
    budget.take(more)
    kept = len(budget.lines) - len(more)
    return budget.lines[kept:] + budget.lines[:kept]


def _body(chosen: list[Line], outside: str) -> str:
    blocks = [outside] if outside else []
    for section in SECTIONS:
        lines = [line.text for line in sorted(chosen, key=lambda line: line.rank) if line.section == section]
        blocks.append("\n".join([f"## {section}", *lines]))
    return "\n\n".join(blocks)
