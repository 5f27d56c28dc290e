"""Entries of a raw log: parse and render them. Pure; what a log means is settled here and nowhere else."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

TYPES = ("project", "feedback", "user", "reference")
# The order in which an entry's fields are written; each key's values stand in nested bullets when several.
FIELD_ORDER = (
    "request",
    "analysis",
    "decisions",
    "outcome",
    "files",
    "references",
    "supersedes",
    "rule",
    "why",
    "how-to-apply",
)
SNAPSHOT_TOPIC = "Working State Snapshot"
PASSING_MARKS = ("temporary", "test run", "delete later", "임시", "테스트 중", "나중에 삭제")

# Patterns of what not every command meets; `re` keeps them when they were compiled once.
_FENCE = r" {0,3}(`{3,}|~{3,})(.*)$"
_FIELD = r"[-*] ([A-Za-z][A-Za-z -]{0,30}):(?:[ \t]+(.*))?$"
_NESTED = r" {2,}[-*] (.*)$"


class Entry(NamedTuple):
    """One section of a raw log: heading, an optional comment line, body."""

    topic: str  # without the type; "" when the heading is empty
    type: str  # one of TYPES; "project" when the heading names none
    comment: str  # what stands inside <!-- --> right below the heading, "" without one
    body: str  # everything after heading and comment, no newline at either end
    line_start: int  # 1-based line of the heading in its log
    line_end: int  # last line of the section that is not blank
    typed: bool = False  # whether the heading named a known type

    @property
    def heading(self) -> str:
        return f"{self.topic} [{self.type}]"

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two entries of one log the same: topic, type and text."""
        return topic_key(self.topic), self.type, squeeze(self.body)


class Log(NamedTuple):
    """A raw log as parsed: what stands before the first entry, and the entries."""

    preamble: str
    entries: list[Entry]
    lines: int


def parse_log(text: str) -> Log:
    """Return the entries of a raw log (plain text with `\\n`). Every line belongs to exactly one part."""
    lines = split_lines(text)
    heads = heading_lines(lines)
    first = heads[0] if heads else len(lines)
    ends = [*heads[1:], len(lines)]
    entries = [_entry(lines, start, end) for start, end in zip(heads, ends, strict=False)]
    return Log("\n".join(lines[:first]).strip("\n"), entries, len(lines))


def split_lines(text: str) -> list[str]:
    """Return the lines of a text; a newline at its end opens no further line."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def heading_lines(lines: list[str]) -> list[int]:
    """Return the 0-based positions of level-two headings in column 0 that stand outside code fences.

    A fence that is never closed hides nothing: the entries behind it are still entries.
    """
    found: list[int] = []
    inside: list[int] = []  # headings since the fence was opened; they count if it is never closed
    fence = ""
    for number, line in enumerate(lines):
        head = line[:1]
        if head == "#":
            if line.startswith("##") and (line[2:3] in ("", " ", "\t")):
                (inside if fence else found).append(number)
        elif head in ("`", "~", " ") and (match := _fence(line)):
            if not fence:
                if not (match[1][0] == "`" and "`" in match[2]):
                    fence = match[1]
            elif match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
                fence, inside = "", []
    return found + inside if fence else found


def _entry(lines: list[str], start: int, end: int) -> Entry:
    topic, kind, typed = parse_heading(lines[start][2:])
    first, comment = start + 1, ""
    if first < end and (whole := _comment_line(lines[first])):
        comment, first = whole[4:-3].strip(), first + 1
    while end > first and not lines[end - 1].strip():
        end -= 1
    body = "\n".join(lines[first:end]).strip("\n")
    return Entry(topic, kind, comment, body, start + 1, end, typed)


def _fence(line: str) -> re.Match[str] | None:
    """The mark of a code fence and what follows it, None where no fence stands."""
    return re.match(_FENCE, line) if line.lstrip(" ").startswith(("```", "~~~")) else None


def _comment_line(line: str) -> str:
    """A line that is one comment, without blanks behind it; "" for any other."""
    bare = line.rstrip(" \t")
    return bare if bare.startswith("<!--") and bare.endswith("-->") and len(bare) >= 7 else ""


def parse_heading(text: str) -> tuple[str, str, bool]:
    """Return topic, type, and whether the type was named. Another bracketed word stays in the topic."""
    text = text.strip()
    at = text.rfind("[") if text.endswith("]") else -1
    if at >= 0 and (kind := text[at + 1 : -1].strip().lower()) in TYPES:
        return text[:at].strip(), kind, True
    return text, "project", False


@lru_cache(maxsize=8192)  # a large tree asks a million times, mostly for the same topics
def topic_key(topic: str) -> str:
    """Return what two spellings of one topic have in common: NFC, casefold, single spaces."""
    if topic.isascii():  # the same, at a fifth of the cost
        return " ".join(topic.lower().split())
    import unicodedata  # half a millisecond that plain English need not pay

    folded = unicodedata.normalize("NFC", topic).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def squeeze(text: str) -> str:
    """Return a text without the white space that means nothing at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def fields(body: str) -> dict[str, list[str]]:
    """Return the fields of an entry's body, each key with its values in order.

    `- key: text` gives one value; nested bullets below give one value each; lines indented below a
    bullet continue it. Lines that are no field are left to `loose_lines`.
    """
    found: dict[str, list[str]] = {}
    values: list[str] | None = None
    for line in body.split("\n"):
        if match := re.match(_FIELD, line):
            values = found.setdefault(match[1].strip().lower(), [])
            if match[2]:
                values.append(match[2].strip())
        elif values is not None and (nested := re.match(_NESTED, line)):
            values.append(nested[1].strip())
        elif values and line.startswith("  "):
            values[-1] += "\n" + line.strip()
        elif line.strip():
            values = None
    return {key: values for key, values in found.items() if values}


def loose_lines(body: str) -> list[str]:
    """Return the lines of a body that belong to no field, blank ones left out."""
    out: list[str] = []
    in_field = False
    for line in body.split("\n"):
        if re.match(_FIELD, line):
            in_field = True
        elif in_field and line.startswith("  "):
            continue
        elif line.strip():
            in_field = False
            out.append(line)
    return out


def render_entry(topic: str, kind: str, comment: str, body: str) -> str:
    """Return an entry as it stands in a raw log, ending with a newline.

    Lines of the body that would forge a heading are indented by four, and a fence left open is closed,
    so that the entry ends where it ends.
    """
    lines = [f"## {clean_topic(topic)} [{kind}]"]
    if comment := re.sub("--+", "-", clean_topic(comment)):
        lines.append(f"<!-- {comment} -->")
    lines += guard_headings(body.strip("\n")).split("\n") if body.strip() else []
    return "\n".join(line.rstrip() for line in lines) + "\n"


def render_fields(values: Mapping[str, Iterable[str]]) -> str:
    """Return the body of an entry from its fields, in the order of FIELD_ORDER, empty ones left out."""
    out: list[str] = []
    for key in FIELD_ORDER:
        texts = [text.strip() for text in values.get(key, ()) if text.strip()]
        if len(texts) == 1:
            out.append(f"- {key}: {_continued(texts[0], '  ')}")
        elif texts:
            out.append(f"- {key}:")
            out += [f"  - {_continued(text, '    ')}" for text in texts]
    return "\n".join(out)


def _continued(text: str, indent: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first.strip(), *(indent + line.rstrip() if line.strip() else "" for line in rest)])


def clean_topic(topic: str) -> str:
    """Return a topic as one line of text."""
    return " ".join(topic.split())


def guard_headings(text: str) -> str:
    """Return text that can forge no entry: level-two headings indented by four, open fences closed."""
    lines = [
        "    " + line if line.startswith("##") and line[2:3] in ("", " ", "\t") else line
        for line in text.split("\n")
    ]
    if fence := open_fence(lines):
        lines.append(fence)
    return "\n".join(lines)


def open_fence(lines: list[str]) -> str:
    """Return the code fence that is still open after these lines, "" when all are closed."""
    fence = ""
    for line in lines:
        if match := _fence(line):
            if not fence:
                if not (match[1][0] == "`" and "`" in match[2]):
                    fence = match[1]
            elif match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
                fence = ""
    return fence


def is_passing(heading: str, body: str) -> bool:
    """True when an entry is marked as passing, so that no node keeps it.

    The mark is a bracketed word in the heading, the whole topic, or a bullet or line that is nothing else.
    """
    bracketed = (part.partition("]") for part in heading.split("[")[1:])
    if any(closed and topic_key(word) in PASSING_MARKS for word, closed, _ in bracketed):
        return True
    topic, _, _ = parse_heading(heading)
    if topic_key(topic) in PASSING_MARKS:
        return True
    return any(
        topic_key(line.strip(" \t-*.")) in PASSING_MARKS for line in body.split("\n") if len(line) < 40
    )
