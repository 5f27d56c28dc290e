"""Which tasks the hot files hold, and where each one stands. Pure; people's own order and formats are read as they are.

In WORKING.md a task is a section; in TASK-QUEUE.md it is a bullet, or a section of its own. Files written
by hand may have bullets in the one and sections in the other.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from hipocampus.memory.entries import parse_heading, topic_key
from hipocampus.memory.hot import PLACEHOLDERS, Section, hidden_lines, sections

TITLE_CHARS = 100  # a longer first line becomes the context of a shortened title

# Headings that hold tasks and are none.
CONTAINERS = frozenset(
    {
        "active", "active task", "active tasks", "backlog", "current", "current task", "current tasks", "doing",
        "in progress", "next", "now", "queue", "queued", "task", "tasks", "to do", "todo", "up next", "wip",
        "work in progress", "working", "대기", "진행 중", "할 일", "작업 중",
    }
)  # fmt: skip
FINISHED_TITLES = frozenset({"archive", "archived", "closed", "completed", "done", "finished", "완료"})
# The sections of a task in WORKING.md, in the template's order.
PARTS = ("Key Files", "Decisions", "Errors & Corrections", "Next Steps")

_PART_KEYS = frozenset({*(topic_key(part) for part in PARTS), "references", "files", "errors", "steps"})
_ITEM = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_STEP = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]|$)")
_MARK = r"[(\[](?:done|completed?|finished|완료)[)\]]|[✅✔☑]\ufe0f?"
_MARK_FIRST = re.compile(rf"(?:{_MARK})[ \t:]*", re.I)
_MARK_LAST = re.compile(rf"[ \t]*(?:{_MARK})[ \t]*$", re.I)
_STRUCK = re.compile(r"~~(.+)~~$")
_BOLD = re.compile(r"\*\*(.+?)\*\*[ \t]*(?:[:—–-]+[ \t]*)?(.*)$", re.S)
_STATUS = re.compile(r"[-*+ \t]*\**status\**[ \t]*:[ \t*]*(?:done|completed?|finished|완료)\b", re.I)
_STAMP = re.compile(r"<!-- started (.*?) -->[ \t]*$")


class Form(StrEnum):
    """How a task is written."""

    SECTION = "section"
    ITEM = "item"


class Task(NamedTuple):
    """A task as it stands in a hot file; positions are 0-based, blank lines behind it left out."""

    title: str
    type: str  # of the entry that it becomes
    file: str
    form: Form
    start: int
    end: int
    finished: bool  # somebody marked it as done, and no step of it is open
    started: str  # "2026-03-15 14:32 session 4f1c" when hipo moved it here, else ""
    open_steps: int
    done_steps: int
    rest: str  # what its first line says behind the title
    under: str  # the heading that it stands below, "" for none

    @property
    def key(self) -> str:
        return topic_key(self.title)


class Item(NamedTuple):
    """A bullet with all that belongs to it."""

    start: int
    end: int
    indent: int
    marker: str
    text: str  # its first line behind the marker


def working_tasks(lines: list[str], file: str) -> list[Task]:
    """Return the tasks of WORKING.md in order: its sections, or what stands under headings such as `In Progress`."""
    found: list[Task] = []
    heads = sections(lines, 2)
    for start, end in outside(lines, heads):
        found += _items(lines, start, end, file, "", False)
    for head in heads:
        if topic_key(head.title) in CONTAINERS | FINISHED_TITLES:
            found += _inside(lines, head, file, topic_key(head.title) in FINISHED_TITLES)
        else:
            found.append(_section(lines, head, file, "", False))
    return sorted(found, key=lambda task: task.start)


def queued_tasks(lines: list[str], file: str) -> list[Task]:
    """Return the tasks of TASK-QUEUE.md in order: its bullets, sections below a heading, sections without bullets."""
    found: list[Task] = []
    heads = sections(lines, 2)
    for start, end in outside(lines, heads):
        found += _items(lines, start, end, file, "", False)
    for head in heads:
        key = topic_key(head.title)
        inside = _inside(lines, head, file, key in FINISHED_TITLES)
        if inside or key in CONTAINERS | FINISHED_TITLES:
            found += inside
        elif any(_says(line) for line in lines[head.start + 1 : content_end(lines, head.start, head.end)]):
            found.append(_section(lines, head, file, "", False))
    return sorted(found, key=lambda task: task.start)


def outside(lines: list[str], heads: list[Section]) -> list[tuple[int, int]]:
    """Return the stretches that lie in none of these sections: before the first, and below headings of level one."""
    starts = [0, *(head.end for head in heads)]
    ends = [*(head.start for head in heads), len(lines)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if start < end]


def items(lines: list[str], start: int, end: int) -> Iterator[Item]:
    """Return the bullets between two positions, outermost only, each with what is indented below it."""
    hidden = {start + at for at in hidden_lines(lines[start:end])}
    at = start
    while at < end:
        match = None if at in hidden else _ITEM.match(lines[at])
        if match is None or (lines[at].strip("-*+_ \t") == "" and len(lines[at].strip()) >= 3):
            at += 1
            continue
        stop = at + 1
        while stop < end and _belongs(lines, stop, end, len(match[1]), hidden):
            stop += 1
        while not lines[stop - 1].strip():
            stop -= 1
        yield Item(at, stop, len(match[1]), match[2], (match[3] or "").strip())
        at = stop


def _belongs(lines: list[str], at: int, end: int, indent: int, hidden: set[int]) -> bool:
    """Whether a line behind a bullet still belongs to it."""
    line = lines[at]
    if not line.strip():
        behind = next((n for n in range(at + 1, end) if lines[n].strip()), end)
        return behind < end and _is_indented(lines[behind], indent)
    if at in hidden:
        return _is_indented(line, indent) or at - 1 in hidden
    if _is_indented(line, indent):
        return True
    return not (
        _ITEM.match(line)
        or _HEADING.match(line)
        or line.startswith(("<!--", "---", "***", "___", "```", "~~~"))
    )


def _is_indented(line: str, indent: int) -> bool:
    return line.startswith("\t") or len(line) - len(line.lstrip(" ")) > indent


def content_end(lines: list[str], start: int, end: int) -> int:
    """Return where a section's own text ends: before blank lines, and comments set apart at its end."""
    hidden = hidden_lines(lines[start:end])
    while end > start + 1:
        if not lines[end - 1].strip():
            end -= 1
            continue
        if not lines[end - 1].rstrip().endswith("-->"):
            return end
        first = end - 1
        while first - start in hidden:
            first -= 1
        apart = first < end - 1 or not lines[first - 1].strip()
        if first <= start or not lines[first].startswith("<!--") or not apart or _STAMP.match(lines[first]):
            return end
        end = first
    return end


def visible_end(lines: list[str]) -> int:
    """Return where the visible lines end: before a comment or code fence that is never closed, else at the end."""
    hidden = hidden_lines([*lines, "text"])
    at = len(lines)
    if at not in hidden:
        return at
    while at in hidden:
        at -= 1
    opens = at >= 0 and "<!--" in lines[at] and "-->" not in lines[at].split("<!--")[-1]
    return at if opens else at + 1


def _inside(lines: list[str], head: Section, file: str, finished: bool) -> list[Task]:
    inner = [
        s._replace(start=s.start + head.start, end=s.end + head.start)
        for s in sections(lines[head.start : head.end], 3)
        if topic_key(s.title) not in _PART_KEYS
    ]
    first = inner[0].start if inner else head.end
    found = _items(lines, head.start + 1, first, file, head.title, finished)
    return found + [_section(lines, s, file, head.title, finished) for s in inner]


def _items(lines: list[str], start: int, end: int, file: str, under: str, finished: bool) -> list[Task]:
    found = []
    for item in items(lines, start, end):
        title, rest, marked = split_title(item.text)
        if not title or title in PLACEHOLDERS:
            continue
        opened, done = count_steps(lines, item.start + 1, item.end)
        title, kind, _ = parse_heading(title)
        is_done = (marked or finished) and not opened
        found.append(
            Task(title, kind, file, Form.ITEM, item.start, item.end, is_done, "", opened, done, rest, under)
        )
    return found


def _section(lines: list[str], head: Section, file: str, under: str, finished: bool) -> Task:
    end = content_end(lines, head.start, head.end)
    text, kind, _ = parse_heading(head.title)
    title, marked = unmark(text)
    opened, done = count_steps(lines, head.start + 1, end)
    stamp = _STAMP.match(lines[head.start + 1]) if head.start + 1 < end else None
    marked = marked or finished or any(_STATUS.match(line) for line in lines[head.start + 1 : end])
    is_done = not opened and (marked or (done > 0 and _all_ticked(lines, head, end)))
    return Task(
        title or text or "(untitled)",
        kind,
        file,
        Form.SECTION,
        head.start,
        end,
        is_done,
        stamp[1] if stamp else "",
        opened,
        done,
        "",
        under,
    )


def _all_ticked(lines: list[str], head: Section, end: int) -> bool:
    """Whether every bullet of the task's Next Steps, or of the whole task when it has none, is ticked."""
    own = lines[head.start : end]
    steps = [s for s in sections(own, head.level + 1) if topic_key(s.title) == "next steps"]
    start, stop = (steps[0].start + 1, steps[0].end) if steps else (1, len(own))
    return all(_BOX.match(item.text) for item in items(own, start, stop))


def count_steps(lines: list[str], start: int, end: int) -> tuple[int, int]:
    """Return how many check boxes between two positions are open, and how many are ticked."""
    marks = [match[1] for line in lines[start:end] if (match := _STEP.match(line))]
    return marks.count(" "), len(marks) - marks.count(" ")


def unmark(text: str) -> tuple[str, bool]:
    """Return a title without the marks of a finished task, and whether it had one. An open box is taken off too."""
    text = text.strip()
    done = False
    if box := _BOX.match(text):
        done = box[1] != " "
        text = text[box.end() :].strip()
    for mark in (_MARK_FIRST.match(text), _MARK_LAST.search(text)):
        if mark and mark[0].strip():
            done, text = True, text.replace(mark[0], "", 1) if mark.start() == 0 else text[: mark.start()]
    if struck := _STRUCK.match(text.strip()):
        done, text = True, struck[1]
    return text.strip(), done


def split_title(text: str) -> tuple[str, str, bool]:
    """Return the title of a bulleted task, what its line says behind it, and whether it is marked as finished."""
    text, done = unmark(text)
    if bold := _BOLD.match(text):
        title, rest = bold[1].strip().rstrip(":"), bold[2].strip()
    else:
        parts = re.split(r"[ \t]+(?:—|–|--)[ \t]+", text, maxsplit=1)
        title, rest = parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""
    if len(title) > TITLE_CHARS:
        cut = title.rfind(" ", TITLE_CHARS // 2, TITLE_CHARS)
        return title[: cut if cut > 0 else TITLE_CHARS].rstrip(" ,;:") + "…", text, done
    return title, rest, done


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("<!--") and line.strip() not in PLACEHOLDERS
