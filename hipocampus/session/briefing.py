"""The context that an agent begins with: the hot files, cut to their shares of bytes line by line. Pure."""

import re
from typing import NamedTuple

from hipocampus.memory.hot import SCRATCHPAD, TASK_QUEUE, WORKING, without_comments
from hipocampus.memory.nodes import body_of

ROOT = "memory/ROOT.md"
CAP_BYTES = 9500  # of UTF-8; a hook's text is cut by the clients beyond about this
# Shares of the bytes; what one leaves unused flows on in this order.
SHARES = {"head": 1200, WORKING: 2500, SCRATCHPAD: 1600, TASK_QUEUE: 900, ROOT: 3300}
ORDER = (WORKING, SCRATCHPAD, TASK_QUEUE, ROOT)

_AGE = re.compile(r"\[(project|feedback|user|reference)(?:, (\d+)d)?")


class Shown(NamedTuple):
    """One hot file as the context shows it."""

    path: str
    text: str  # "" when there is nothing to show
    lines: int  # of the file
    left_out: int  # lines with content that found no room, or not whole


class _Line(NamedTuple):
    number: int
    text: str
    rank: tuple[int, int]  # lower is kept first
    heading: int  # depth of a heading, 0 for content


def fit_files(texts: dict[str, str], room: int) -> list[Shown]:
    """Return the files in ORDER, together within `room` bytes of UTF-8, each within its share and what others leave.

    Whole lines only; a line longer than all the room its file has is cut at a word.
    """
    lines = {path: _lines(path, texts[path]) for path in ORDER if path in texts}
    need = {path: _size(path, rows) for path, rows in lines.items()}
    share = dict.fromkeys(lines, 0)
    left = room
    for path in lines:
        share[path] = min(need[path], SHARES[path], left)
        left -= share[path]
    for path in lines:
        more = min(need[path] - share[path], left)
        share[path] += more
        left -= more
    out = []
    for path, rows in lines.items():
        kept = _choose(path, rows, share[path])
        texts_of = {row.number: row.text for row in rows}
        whole = {row.number for row in kept if row.text == texts_of[row.number]}
        left_out = sum(1 for row in rows if not row.heading and row.text and row.number not in whole)
        total = texts[path].count("\n") + (not texts[path].endswith("\n")) if texts[path] else 0
        body = "\n".join(row.text for row in kept).strip("\n")
        out.append(Shown(path, f"{title(path)}\n{body}\n" if body.strip() else "", total, left_out))
    return out


def title(path: str) -> str:
    """The line that stands above a file's text."""
    return f"==== {path} ===="


def utf8(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


def cut_at_word(text: str, room: int) -> str:
    """Return a line within `room` bytes, cut between words, with an ellipsis where something is missing."""
    if utf8(text) <= room:
        return text
    if room < 4:
        return ""
    kept = text.encode("utf-8", "replace")[: room - 3].decode("utf-8", "ignore")
    while kept and re.match(
        r"[\u0300-\u036f\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]", text[len(kept) : len(kept) + 1]
    ):
        kept = kept[:-1]
    head, space, _ = kept.rpartition(" ")
    return (head if space and len(head) > len(kept) // 2 else kept).rstrip(" ,;:\u200d") + "…"


def _size(path: str, rows: list[_Line]) -> int:
    return utf8(title(path)) + 1 + sum(utf8(row.text) + 1 for row in rows) + 1 if rows else 0


def _choose(path: str, rows: list[_Line], room: int) -> list[_Line]:
    """The lines that fit, best first, back in the order of the file, with the headings above them."""
    if _size(path, rows) <= room:
        return rows
    left = room - utf8(title(path)) - 2
    kept: dict[int, _Line] = {}
    for row in sorted(
        (row for row in rows if not row.heading and row.text.strip()), key=lambda row: row.rank
    ):
        above = [head for head in _headings_above(rows, row) if head.number not in kept]
        cost = sum(utf8(r.text) + 1 for r in [*above, row])
        if cost > left and not kept:
            row = row._replace(text=cut_at_word(row.text, left - sum(utf8(h.text) + 1 for h in above) - 1))
            cost = left if row.text else left + 1
        if cost <= left:
            kept.update({r.number: r for r in [*above, row]})
            left -= cost
    return [kept[number] for number in sorted(kept)]


def _headings_above(rows: list[_Line], row: _Line) -> list[_Line]:
    out: list[_Line] = []
    depth = 9
    for other in reversed(rows):
        if other.number < row.number and other.heading and other.heading < depth:
            out.append(other)
            depth = other.heading
    return out


def _lines(path: str, text: str) -> list[_Line]:
    body = body_of(text) if path == ROOT else text
    body = without_comments(body)
    rows: list[_Line] = []
    section = ""
    blank = True
    for number, line in enumerate(body.split("\n")):
        if not line.strip():
            if not blank:
                rows.append(_Line(number, "", (9, number), 0))
            blank = True
            continue
        blank = False
        match = re.match(r"(#{1,6})\s+(.*)", line)
        if match:
            depth = len(match[1])
            section = match[2] if depth <= 2 else section
            rows.append(_Line(number, line.rstrip(), (0, number), depth))
        else:
            rows.append(_Line(number, line.rstrip(), _rank(path, section, line, number), 0))
    return _without_empty_sections(rows)


def _without_empty_sections(rows: list[_Line]) -> list[_Line]:
    """The lines without headings that have nothing below them, as fresh templates are full of."""
    return [
        row
        for index, row in enumerate(rows)
        if not row.heading or _has_content(rows[index + 1 :], row.heading)
    ]


def _has_content(below: list[_Line], depth: int) -> bool:
    for row in below:
        if row.heading and row.heading <= depth:
            return False
        if not row.heading and row.text.strip():
            return True
    return False


def _rank(path: str, section: str, line: str, number: int) -> tuple[int, int]:
    """What is kept first: Current State, Active Context, user and feedback lines, newest index lines."""
    name = section.lower()
    if path == SCRATCHPAD:
        order = {"current state": 0, "pending decisions": 1, "cross-task lessons": 3}
        return order.get(name, 2), number if name != "cross-task lessons" else -number
    if path == ROOT:
        if name.startswith("active context"):
            return 0, number
        match = _AGE.search(line)
        if name.startswith("recent patterns") or (match and match[1] in ("user", "feedback")):
            return 1, number
        if name.startswith("historical"):
            return 4, -number
        return 2, int(match[2]) * 1000 + number if match and match[2] else number
    return 0, number
