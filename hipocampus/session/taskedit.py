"""Where tasks go in the hot files, and how they are written there: lists as people keep them, sections as the template has them."""

import re
from collections.abc import Sequence

from hipocampus.errors import UsageError
from hipocampus.memory.entries import topic_key
from hipocampus.memory.hot import hidden_lines, sections
from hipocampus.session.hotfile import HotFile, bullet
from hipocampus.session.tasklist import (
    CONTAINERS,
    FINISHED_TITLES,
    PARTS,
    Form,
    Task,
    content_end,
    items,
    outside,
    visible_end,
)
from hipocampus.session.taskparts import NAMES, Parts

_KEY = re.compile(r"(?:context|files?|references?|decisions?|errors?):[ \t]+")
_BULLET = re.compile(r"( {0,3})([-*+]|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?")


def part_heading(word: str) -> str:
    """Return the heading of the section that a word means: `next` and `next-steps` mean `Next Steps`."""
    key = topic_key(word.replace("-", " ").replace("_", " "))
    heads = {topic_key(part): part for part in PARTS}
    by_part = {NAMES[topic]: head for topic, head in heads.items()}
    named = by_part.get(NAMES.get(key, NAMES.get(key.replace(" and ", " & "), "")))
    fits = [head for topic, head in heads.items() if topic.startswith(key)] if key else []
    if named or len(fits) == 1:
        return named or fits[0]
    raise UsageError(f"task note: no section {word!r}", "use key-files, decisions, errors or next-steps")


def place_in_queue(lines: list[str]) -> tuple[int, str, bool]:
    """Where a new bullet goes in TASK-QUEUE.md, what it begins with, and whether it joins what stands above it."""
    heads = sections(lines, 2)
    loose = [item for start, end in outside(lines, heads) for item in items(lines, start, end)]
    heads = [head for head in heads if topic_key(head.title) not in FINISHED_TITLES]
    named = [head for head in heads if topic_key(head.title) == "queued"]
    named = named or [head for head in heads if topic_key(head.title) in CONTAINERS]
    named = named or [head for head in heads if any(items(lines, head.start + 1, head.end))]
    if not named:
        return (
            (loose[-1].end, _lead(lines[loose[-1].start]), True) if loose else (_text_end(lines), "- ", False)
        )
    start, end = named[0].start + 1, named[0].end
    end = next((deeper.start for deeper in sections(lines[:end], 3) if deeper.start > start), end)
    if inside := list(items(lines, start, end)):
        return inside[-1].end, _lead(lines[inside[-1].start]), True
    hidden = hidden_lines(lines)
    while start < end and (start in hidden or (lines[start].strip() and not lines[start].startswith("#"))):
        start += 1
    return start, "- ", True


def _text_end(lines: list[str]) -> int:
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return end


def _lead(line: str) -> str:
    """What a further bullet of this list begins with: the same marker, the next number, an open box if it has one."""
    match = _BULLET.match(line)
    if match is None:
        return "- "
    marker = f"{int(match[3]) + 1}{match[4]}" if match[3] else match[2]
    return f"{match[1]}{marker}{match[5]}" + ("[ ] " if match[6] else "")


def place_in_working(lines: list[str]) -> int:
    """Where a new section goes in WORKING.md: behind the last task, before comments set apart at the end."""
    heads = sections(lines, 2)
    end = visible_end(lines)
    if heads:
        return min(end, content_end(lines, heads[-1].start, heads[-1].end))
    return min(end, content_end(["", *lines], 0, len(lines) + 1) - 1) if lines else 0


def section_lines(
    hot: HotFile, title: str, kind: str, stamp: str, parts: Parts, steps: Sequence[str]
) -> list[str]:
    typed = f" [{kind}]" if kind != "project" else ""
    lines = [f"## {' '.join(hot.clean(title))}{typed}", f"<!-- started {stamp} -->"]
    lines += _bullets(hot, parts.context) + _loose(hot, parts)
    texts = {
        "Key Files": _bullets(hot, parts.files),
        "Decisions": _bullets(hot, parts.decisions),
        "Errors & Corrections": _bullets(hot, parts.errors),
        "Next Steps": [
            *_bullets(hot, parts.done_steps, "- [x] "),
            *_bullets(hot, [*parts.open_steps, *(s for s in steps if s.strip())], "- [ ] "),
        ],
    }
    for heading, inside in texts.items():
        lines += ["", f"### {heading}", *inside]
    if parts.references:
        lines += ["", "### References", *_bullets(hot, parts.references)]
    return lines


def _bullets(hot: HotFile, texts: Sequence[str], lead: str = "- ") -> list[str]:
    return [line for text in texts for line in bullet(hot.clean(text), lead)]


def _loose(hot: HotFile, parts: Parts) -> list[str]:
    return ["", *hot.clean("\n".join(parts.loose))] if parts.loose else []


def complete(hot: HotFile, task: Task, parts: Parts) -> Task:
    """Add to a task what `parts` say beyond it, each text where its kind stands; return the task as it is then."""
    sections_of = {
        "Key Files": parts.files,
        "Decisions": parts.decisions,
        "Errors & Corrections": parts.errors,
    }
    task = _add_above(hot, task, [("", parts.context), ("references", parts.references), ("", parts.loose)])
    for heading, texts in sections_of.items():
        task = _add_below(hot, task, heading, texts, "- ")
    task = _add_below(hot, task, "Next Steps", parts.done_steps, "- [x] ")
    return _add_below(hot, task, "Next Steps", parts.open_steps, "- [ ] ")


def _add_above(hot: HotFile, task: Task, named: Sequence[tuple[str, Sequence[str]]]) -> Task:
    """Add what has no section of its own, below the task's first line."""
    there, lines = _said_in(hot, task), []
    for key, texts in named:
        for text in texts:
            new = bullet(hot.clean(f"{key}: {text}" if key else text))
            lines += new if _said(new[0]) not in there else []
    if task.form is Form.ITEM:
        hot.insert(task.end, ["  " + line for line in lines])
    else:
        hot.insert(task.start + (2 if task.started else 1), lines)
    return task._replace(end=task.end + len(lines))


def _add_below(hot: HotFile, task: Task, heading: str, texts: Sequence[str], lead: str) -> Task:
    """Add what belongs into a section of the task."""
    for text in texts:
        lines = bullet(hot.clean(text), lead) if text.strip() else []
        if lines and _said(lines[0]) not in _said_in(hot, task):
            before = len(hot.lines)
            note_at(hot, task, heading, lines)
            task = task._replace(end=task.end + len(hot.lines) - before)
    return task


def _said_in(hot: HotFile, task: Task) -> set[str]:
    return {_said(line) for line in hot.lines[task.start : task.end]}


def _said(line: str) -> str:
    """What a line says, whatever its bullet, box and key are."""
    keyed = _KEY.sub("", line.strip(" \t-*+[]x"))
    return topic_key(keyed)


def note_at(hot: HotFile, task: Task, heading: str, lines: list[str]) -> int:
    """Put a note's lines into the part of a task, and return where."""
    if task.form is Form.ITEM:
        key = {"Key Files": "files", "Decisions": "decisions", "Errors & Corrections": "errors"}.get(heading)
        first = lines[0].replace("- ", f"- {key}: ", 1) if key else lines[0]
        hot.insert(task.end, ["  " + line for line in (first, *lines[1:])])
        return task.end
    level = len(hot.lines[task.start]) - len(hot.lines[task.start].lstrip("#"))
    wanted = NAMES[topic_key(heading)]
    own = hot.lines[task.start : task.end]
    for part in sections(own, level + 1):
        if NAMES.get(topic_key(part.title)) == wanted:
            hot.hide_placeholder(task.start + part.start, task.start + part.end)
            at = task.start + min(content_end(own, part.start, part.end), visible_end(own))
            hot.insert(at, lines)
            return at
    at = task.start + visible_end(own)
    hot.insert(at, ["", f"{'#' * (level + 1)} {heading}", *lines])
    return at + 2
