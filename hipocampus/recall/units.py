"""Cut a Markdown file of the memory into sections (entries) and units (what is found and shown as one).

Pure. A section is an entry of a raw log, a dated part of a node, or a headed part of a note. Inside it
a unit is one speaker turn, or a run of list items and paragraphs up to `UNIT_CHARS`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hipocampus.memory import speech

UNIT_CHARS = 500
"""Longest unit in characters. Longer ones win on length alone and leave no room in 2,000 characters."""

TYPES = ("project", "feedback", "user", "reference")

_HEADING = re.compile(r"^(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.M)
_TYPED = re.compile(r"^(.*?)\s*\[(project|feedback|user|reference)\]\s*$", re.I)
_DATE = re.compile(r"^(\d{4}-\d\d-\d\d)\b")
_CONVERSATION = re.compile(r"^(?:\*\*)?[^\W\d_][^:：\n]{0,30}(?:\*\*)?[:：]", re.M)


class Unit(NamedTuple):
    """One findable piece; lines are 1-based and inclusive. `role` is "person", "assistant", "other" or "note".
    `facts` is what each sentence tells of the person who speaks, as numbers in a row; see `with_facts`."""

    line_start: int
    line_end: int
    role: str
    speaker: str
    text: str
    facts: str = ""


class Section(NamedTuple):
    """One entry or headed part. `type` is "" when nothing says it; `date` is that of the heading, if it has one."""

    line_start: int
    line_end: int
    topic: str
    type: str
    date: str
    supersedes: tuple[str, ...]
    units: list[Unit]


class Dated(NamedTuple):
    """A section of a file: with its topic key, its first and last day (ISO or ""), the topic keys that it
    supersedes, one a line, and what tells all of this apart from any other."""

    section: Section
    key: str
    first: str
    last: str
    supersedes: str
    digest: str = ""


def split_sections(text: str, *, raw: bool) -> list[Section]:
    """Return the sections of `text` in order, without those that are empty.

    In raw logs only level-two headings begin a section; elsewhere every heading does, and a topic below
    the first level carries its parents ("Auth > Tokens").
    """
    fenced = _fences(text)
    body_at = 0 if raw else _frontmatter_end(text)  # in a log `---` is a rule, wherever it stands
    marks = [
        m
        for m in _headings(text, body_at)
        if not (raw and len(m[1]) != 2) and not any(a < m.start() < b for a, b in fenced)
    ]
    found: list[Section] = []
    starts = [body_at, *(m.start() for m in marks)]
    ends = [*starts[1:], len(text)]
    line = 1 + text.count("\n", 0, body_at)
    trail: list[tuple[int, str]] = []
    day = ""
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        mark = marks[index - 1] if index else None
        topic = kind = ""
        if mark is not None:
            topic, kind = split_type(mark[2])
            if not raw:
                depth = len(mark[1])
                dated = _DATE.match(topic)
                if dated and depth == 1:
                    day, trail, topic = dated[1], [], ""
                else:
                    trail = [*(t for t in trail if t[0] < depth), (depth, topic)]
                    topic = " > ".join(name for _, name in trail)
        found += _section(text, start, end, line, mark, topic, kind, "" if raw else day)
        line += text.count("\n", start, end)
    return found


def _headings(text: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the headings of a text from a line's begin on. Only lines that begin with `#` are looked at."""
    if not text.startswith("#", at):
        at = text.find("\n#", at) + 1
        if not at:
            return
    while True:
        if match := _HEADING.match(text, at):
            yield match
        at = text.find("\n#", at) + 1
        if not at:
            return


def split_type(heading: str) -> tuple[str, str]:
    """Return topic and type of a heading; an unknown bracket stays in the topic and the type is ""."""
    match = _TYPED.match(heading)
    return (match[1], match[2].lower()) if match and match[1] else (heading, "")


def _section(
    text: str, start: int, end: int, line: int, mark: re.Match[str] | None, topic: str, kind: str, day: str
) -> list[Section]:
    """Return the section as a list of one, or of none when nothing stands in it."""
    at = start if mark is None else mark.end()
    body = text[at:end]
    stripped = body.rstrip()
    first = line + text.count("\n", start, at)
    last = first + stripped.count("\n")
    units = _units(body, first)
    if mark is None:
        # The `# 2026-03-15` title of a log is no content.
        units = [u for u in units if not _HEADING.fullmatch(u.text)]
    if not units:
        if not topic:
            return []
        units = [Unit(line, line, "note", "", topic)]
    return [Section(line, max(line, last), topic, kind, day, _superseded(body), units)]


def _superseded(body: str) -> tuple[str, ...]:
    """Return the topics that a section says it supersedes."""
    if "supersedes:" not in body.casefold():
        return ()
    pattern = re.compile(r"^[ \t]*[-*][ \t]+supersedes:[ \t]*(.*(?:\n[ \t]+[-*][ \t]+.*)*)", re.M | re.I)
    values = (value.strip(" \t-*") for match in pattern.finditer(body) for value in match[1].split("\n"))
    return tuple(filter(None, values))


def _units(body: str, first_line: int) -> list[Unit]:
    """Return the units of a section's text, whose first line is `first_line`."""
    if _CONVERSATION.search(body):
        turns = speech.turns(body, first_line)
        if any(t.speaker for t in turns):
            return [u for turn in turns for u in _of_turn(turn)]
    return [Unit(a, b, "note", "", piece) for a, b, piece in _pack(body, first_line)]


def _of_turn(turn: speech.Turn) -> list[Unit]:
    role = turn.role if turn.speaker else "note"
    pieces = [(turn.line_start, turn.line_end, turn.text)] if turn.text else []
    if len(turn.text) > UNIT_CHARS:
        pieces = _pack(turn.text, turn.line_start)
    return [Unit(a, b, role, turn.speaker, text) for a, b, text in pieces]


def with_facts(section: Section) -> Section:
    """Return a section whose units tell what their sentences say of the person who speaks. Judging takes longer
    than a whole search, so it is done once, when the text comes in."""
    units = [
        unit._replace(facts=_facts(unit.text)) if unit.role in (speech.PERSON, speech.OTHER) else unit
        for unit in section.units
    ]
    return section._replace(units=units)


def _facts(text: str) -> str:
    from hipocampus.memory.facts import fact_score  # a log to which notes were added has nobody who speaks

    return " ".join(f"{fact_score(sentence):.3g}" for sentence in speech.sentences(text))


def _pack(text: str, first_line: int) -> list[tuple[int, int, str]]:
    """Cut `text` into pieces of at most `UNIT_CHARS`, at blank lines, line ends, sentences or words."""
    found: list[tuple[int, int, str]] = []
    at, size, line, counted = 0, len(text), first_line, 0
    while at < size:
        end = _cut_at(text, at, size)
        piece = text[at:end]
        lead = len(piece) - len(piece.lstrip())
        body = piece.strip()
        line += text.count("\n", counted, at + lead)
        counted = at + lead
        if body:
            # Indentation of the first line is meaning in a list, so only whole blank lines go.
            begin = text.rfind("\n", at, at + lead) + 1 if "\n" in piece[:lead] else at
            shown = text[begin:end].rstrip()
            found.append((line, line + body.count("\n"), shown if shown.strip() else body))
        at = end
    return found


def _cut_at(text: str, at: int, size: int) -> int:
    """Return where the piece that begins at `at` ends."""
    limit = at + UNIT_CHARS
    if limit >= size:
        return size
    for mark, least in (("\n\n", UNIT_CHARS // 2), ("\n", UNIT_CHARS // 4)):
        cut = text.rfind(mark, at + least, limit)
        if cut > 0:
            return cut + len(mark)
    ends = [text.rfind(mark, at + UNIT_CHARS // 4, limit) for mark in (". ", "? ", "! ", "。", "；")]
    if max(ends) > 0:
        return max(ends) + 1
    cut = text.rfind(" ", at + UNIT_CHARS // 4, limit)
    return cut + 1 if cut > 0 else limit


def _fences(text: str) -> list[tuple[int, int]]:
    """Return the spans of closed code fences; one that never closes is taken for text, so that a reply cut
    in the middle of its code does not swallow the entries after it."""
    if "```" not in text and "~~~" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in re.finditer(r"^[ >]{0,6}(`{3,}|~{3,})(.*)$", text, re.M):
        if opened is None:
            if "`" not in match[2] or match[1][0] == "~":
                opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]) and not match[2].strip():
            spans.append((opened.start(), match.end()))
            opened = None
    return spans


def _frontmatter_end(text: str) -> int:
    """Return where the body begins: after a leading `---` block with a key, else 0 (also when it never closes)."""
    if not text.startswith("---\n"):
        return 0
    end = text.find("\n---", 3)
    while end >= 0:
        after = text.find("\n", end + 1)
        if text[end + 1 : after if after >= 0 else None].rstrip() == "---":
            if not re.search(r"^[\w-]+[ \t]*:", text[4 : end + 1], re.M):  # text between two rules
                return 0
            return after + 1 if after >= 0 else len(text)
        end = text.find("\n---", end + 4)
    return 0
