"""What stands in a raw log in place of something that was forgotten: the date, and marks that keep it from coming back. Pure.

A mark is a short piece of a hash. It tells a text that is written again, and tells nobody what the text was:
many texts have the same one.
"""

import re
from collections.abc import Iterable
from datetime import date
from hashlib import sha256

from hipocampus.memory.entries import Entry, parse_log

NAMELESS = "Conversation"  # the topic of an entry whose own told what was forgotten

_MARK_CHARS = 8  # hexadecimal; one line in four thousand million is taken for another
_TOMBSTONE = re.compile(r"^(?:<!--|#) forgotten \d{4}-\d\d-\d\d((?: [0-9a-f]{8})*)(?: -->)?[ \t]*$")


def tombstone(day: date, marks: Iterable[str] = (), *, yaml: bool = False) -> str:
    """Return the line that stands for something forgotten on `day`; `yaml` for a line within frontmatter."""
    words = " ".join(["forgotten", day.isoformat(), *dict.fromkeys(marks)])
    return f"# {words}" if yaml else f"<!-- {words} -->"


def marks_in(lines: Iterable[str]) -> list[str]:
    """Return the marks of all tombstones among some lines."""
    return [mark for line in lines if (match := _TOMBSTONE.match(line)) for mark in match[1].split()]


def entry_mark(entry: Entry) -> str:
    """Return the mark of a whole entry; its comment does not count."""
    return _mark("\0".join(entry.key))


def line_mark(line: str) -> str:
    """Return the mark of one line; white space at its ends does not count."""
    return _mark(line.strip())


def without_forgotten(text: str, marks: frozenset[str]) -> str | None:
    """Return the text of one entry without lines that were forgotten; None when nothing else is left of it.

    A topic that was made from such a line goes with it.
    """
    entry = parse_log(text).entries[0]
    if entry_mark(entry) in marks:
        return None
    lines = text.split("\n")
    gone = [line for line in lines[1:] if line.strip() and line_mark(line) in marks]
    if not gone:
        return text
    kept = [line for line in lines[1:] if not line.strip() or line_mark(line) not in marks]
    words = _words(entry.topic)
    told = words and len(words & _words(" ".join(gone))) * 2 > len(words)
    rest = "\n".join([f"## {NAMELESS} [{entry.type}]" if told else lines[0], *kept])
    return rest if parse_log(rest).entries[0].body.strip() else None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _mark(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:_MARK_CHARS]
