"""The hot files: their names, their sections, and replacing one section and nothing else. Pure."""

import re
from typing import NamedTuple

SCRATCHPAD = "SCRATCHPAD.md"
WORKING = "WORKING.md"
TASK_QUEUE = "TASK-QUEUE.md"
ROOT = "memory/ROOT.md"
# Files of layer 1 with their target sizes in lines (the seed's table); ROOT.md is measured in tokens.
TARGET_LINES = {SCRATCHPAD: 150, WORKING: 100, TASK_QUEUE: 50, "MEMORY.md": 50, "USER.md": 50}
# What the original writes where nothing stands yet.
PLACEHOLDERS = frozenset({"(no active tasks)", "(none)", "(empty)"})

_COMMENT = r"(?s)<!--.*?(?:-->|\Z)"
_HEADING = r"(#{1,6})(?:[ \t]+(.*?))?[ \t]*$"


class Section(NamedTuple):
    """One section of a hot file, as positions in its list of lines."""

    title: str
    level: int
    start: int  # 0-based line of the heading
    end: int  # first line behind the section


def sections(lines: list[str], level: int = 2) -> list[Section]:
    """Return the sections of one heading level, in order; headings in comments and code fences are none."""
    hidden = hidden_lines(lines)
    heads: list[tuple[int, int, str]] = []
    for number, line in enumerate(lines):
        if (
            number not in hidden
            and line.startswith("#")
            and (match := re.match(_HEADING, line.rstrip("\r\n")))
        ):
            heads.append((number, len(match[1]), (match[2] or "").strip()))
    found = []
    for index, (start, depth, title) in enumerate(heads):
        if depth == level:
            end = next((n for n, d, _ in heads[index + 1 :] if d <= level), len(lines))
            found.append(Section(title, depth, start, end))
    return found


def hidden_lines(lines: list[str]) -> set[int]:
    """Positions of lines that lie inside an HTML comment or a code fence."""
    hidden: set[int] = set()
    fence, comment = "", False
    for number, line in enumerate(lines):
        if comment:
            hidden.add(number)
            comment = "-->" not in line
            continue
        match = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            hidden.add(number)
            if match and match[1][0] == fence[0] and len(match[1]) >= len(fence):
                fence = ""
        elif match:
            hidden.add(number)
            fence = match[1]
        elif "<!--" in line and "-->" not in line.split("<!--")[-1]:
            comment = True
    return hidden


def without_comments(text: str) -> str:
    """Return a text without its HTML comments; those inside code fences count as comments too."""
    return re.sub(_COMMENT, "", text) if "<!--" in text else text


def content_lines(text: str) -> list[str]:
    """Return the lines of a hot file that say something: no headings, comments, blanks, placeholders."""
    lines = (line.strip() for line in without_comments(text).split("\n"))
    return [line for line in lines if line and not re.match(_HEADING, line) and line not in PLACEHOLDERS]


def is_template(text: str) -> bool:
    """True when a hot file holds nothing but headings, comments and placeholders."""
    return not content_lines(text) and not _own_headings(text)


def _own_headings(text: str) -> bool:
    """Whether a heading stands there that no template has: a task without anything below it."""
    known = {
        "working",
        "scratchpad",
        "task queue",
        "queued",
        "current state",
        "cross-task lessons",
        "pending decisions",
    }
    for line in without_comments(text).split("\n"):
        match = re.match(_HEADING, line)
        if match and (match[2] or "").strip().lower() not in known:
            return True
    return False


def guard_imports(text: str) -> str:
    """Return text in which no `@word` outside code is taken for a file to import: it stands in backticks."""
    if "@" not in text:
        return text
    out: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if match and (not fence or (match[1][0] == fence[0] and len(match[1]) >= len(fence))):
            fence = "" if fence else match[1]
        out.append(line if fence or "@" not in line else _guard_line(line))
    return "\n".join(out)


def _guard_line(line: str) -> str:
    parts = re.split(r"(`+)", line)
    out, tick = [], ""
    for part in parts:
        if part.startswith("`"):
            tick = "" if part == tick else (tick or part)
            out.append(part)
        else:
            out.append(part if tick else re.sub(r"(?<![\w`@])@[^\s`]+", _ticked, part))
    return "".join(out)


def _ticked(match: re.Match[str]) -> str:
    word = match[0].rstrip(".,;:!?)]}'\"")
    return f"`{word}`{match[0][len(word) :]}" if len(word) > 1 else match[0]
