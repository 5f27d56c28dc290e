"""What a task says, taken apart: context, files, decisions, errors, steps, and the rest word for word. Pure.

The same parts make the task's section in WORKING.md when it is started, and its entry when it is closed.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from hipocampus.memory.entries import FIELD_ORDER, render_fields, topic_key
from hipocampus.memory.hot import PLACEHOLDERS, sections
from hipocampus.session.tasklist import Form, Task, items

CONTEXT, FILES, DECISIONS, ERRORS, STEPS, REFERENCES = (
    "context",
    "files",
    "decisions",
    "errors",
    "steps",
    "references",
)

# Headings of a task's sections and keys of its bullets, and the part that they hold.
NAMES = {
    "context": CONTEXT,
    "request": CONTEXT,
    "key files": FILES,
    "files": FILES,
    "file": FILES,
    "decisions": DECISIONS,
    "decision": DECISIONS,
    "errors & corrections": ERRORS,
    "errors": ERRORS,
    "error": ERRORS,
    "analysis": ERRORS,
    "next steps": STEPS,
    "next step": STEPS,
    "next": STEPS,
    "steps": STEPS,
    "references": REFERENCES,
    "reference": REFERENCES,
}

_KEYED = re.compile(r"\**([A-Za-z][A-Za-z &-]{2,30}?)\**:\**(?:[ \t]+(.*))?$", re.S)
_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_STAMP = re.compile(r"<!-- started .*? -->[ \t]*$")


class Parts(NamedTuple):
    """The parts of a task, each a list of texts in order."""

    context: list[str]
    files: list[str]
    decisions: list[str]
    errors: list[str]
    open_steps: list[str]
    done_steps: list[str]
    references: list[str]
    loose: list[str]  # lines that are none of these, word for word


def read_parts(lines: list[str], task: Task) -> Parts:
    """Return the parts of a task that stands in these lines. No text of it is left out, but for hipo's own stamp."""
    parts = Parts([], [], [], [], [], [], [], [])
    if task.rest:
        parts.context.append(task.rest)
    body = lines[task.start + 1 : task.end]
    if task.form is Form.ITEM:
        _read_items(dedented(body), CONTEXT, parts)
        return parts
    if body and _STAMP.match(body[0]):
        body = body[1:]
    level = len(lines[task.start]) - len(lines[task.start].lstrip("#"))
    heads = sections(body, level + 1)
    _read_items(body[: heads[0].start if heads else len(body)], CONTEXT, parts)
    for head in heads:
        part = NAMES.get(topic_key(head.title))
        inner = body[head.start + 1 : head.end]
        if part and _only_bullets(inner):
            _read_items(inner, part, parts)
        elif any(line.strip() for line in inner) or part is None:
            parts.loose.extend(_trimmed(body[head.start : head.end]))
    return parts


def render_body(parts: Parts, outcome: str, more: dict[str, list[str]], undone: str) -> str:
    """Return the body of the entry that a closed task becomes.

    `outcome` comes first, the ticked steps after it; `more` adds values per field; steps that were
    left open stand under the key `undone`.
    """
    values: dict[str, list[str]] = {
        "request": parts.context,
        "analysis": parts.errors,
        "decisions": parts.decisions,
        "outcome": [outcome, *parts.done_steps],
        "files": parts.files,
        "references": parts.references,
    }
    for key, texts in more.items():
        values[key] = _once([*values.get(key, []), *texts])
    blocks = [render_fields({key: values[key] for key in FIELD_ORDER if key in values})]
    if parts.open_steps:
        blocks.append("\n".join([f"- {undone}:", *(f"  - {_continued(text)}" for text in parts.open_steps)]))
    body = "\n".join(blocks)
    return body + ("\n\n" + "\n".join(parts.loose) if parts.loose else "")


def _read_items(lines: list[str], part: str, parts: Parts) -> None:
    """Sort the bullets of some lines into parts; what is no bullet is loose."""
    at = 0
    for item in items(lines, 0, len(lines)):
        parts.loose.extend(_trimmed(lines[at : item.start]))
        at = item.end
        own = lines[item.start : item.end]
        keyed = _KEYED.match(item.text)
        named = NAMES.get(topic_key(keyed[1])) if keyed else None
        nested = dedented(own[1:])
        if keyed and named and not (keyed[2] or "").strip() and _only_bullets(nested):
            _read_items(nested, named, parts)
        elif keyed and named:
            _put(parts, named, "\n".join([keyed[2] or "", *nested]).strip())
        elif part == CONTEXT and nested and _only_bullets(nested) and _has_boxes(nested):
            parts.context.append(item.text)
            _read_items(nested, part, parts)
        else:
            _put(parts, part, "\n".join([item.text, *nested]).strip())
    parts.loose.extend(_trimmed(lines[at:]))


def _put(parts: Parts, part: str, text: str) -> None:
    if not text or text in PLACEHOLDERS:
        return
    if part in (STEPS, CONTEXT) and (box := _BOX.match(text)):
        (parts.open_steps if box[1] == " " else parts.done_steps).append(text[box.end() :].strip())
    elif part == STEPS:
        parts.open_steps.append(text)
    else:
        {
            CONTEXT: parts.context,
            FILES: parts.files,
            DECISIONS: parts.decisions,
            ERRORS: parts.errors,
            REFERENCES: parts.references,
        }[part].append(text)


def _only_bullets(lines: list[str]) -> bool:
    covered = {n for item in items(lines, 0, len(lines)) for n in range(item.start, item.end)}
    return all(n in covered or not line.strip() for n, line in enumerate(lines))


def _has_boxes(lines: list[str]) -> bool:
    return any(_BOX.match(line[match.end() :]) for line in lines if (match := _BULLET.match(line)))


def dedented(lines: list[str]) -> list[str]:
    """Return lines without the white space that all of them begin with."""
    depths = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    cut = min(depths, default=0)
    return [line[min(cut, len(line) - len(line.lstrip(" \t"))) :] for line in lines]


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _continued(text: str) -> str:
    return "\n    ".join(line.rstrip() for line in text.split("\n") if line.strip())


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
