"""Read a file of the memory into what the index holds of it: clean sections, their days, their facts."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.memory.entries import topic_key
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.store import clean
from hipocampus.recall.listing import Listed
from hipocampus.recall.schema import NODE_LEVELS, digest_of
from hipocampus.recall.units import Dated, Section, split_sections, with_facts


class Read(NamedTuple):
    """A file as read. `sections` are those after the first `kept`, which the index has already; `text` is kept
    for ROOT.md alone; `problem` says why there is nothing."""

    digest: str
    made: str
    text: str
    kept: int
    sections: list[Dated]
    problem: str


def read_file(root: Path, item: Listed, known: Sequence[str] = ()) -> Read | None:
    """Return a file as the index holds it; None when it has gone. `known` are the digests of the sections that
    the index has of it: most logs only grow, and what stands before is not judged and indexed again."""
    try:
        data = (root / item.path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return Read("", "", "", 0, [], f"{item.path}: cannot be read ({files.reason(error)})")
    text = files.decode(data)
    if item.level == "root":
        return Read(digest_of(data), "", clean(text).text, 0, [], "")
    made = _made(text) if item.level in NODE_LEVELS else ""
    sections = sections_of(item.path, item.level, text)
    kept = sum(1 for _ in takewhile(_is_same, zip(sections, known, strict=False)))
    new = [dated._replace(section=with_facts(dated.section)) for dated in sections[kept:]]
    return Read(digest_of(data), made, "", kept, new, "")


def _is_same(pair: tuple[Dated, str]) -> bool:
    return pair[0].digest == pair[1]


def _made(text: str) -> str:
    """Return how a node came about when all of it comes from the files below, else ""."""
    node = parse_node(text)
    made = node.text("summary")
    return made if made in ("verbatim", "extractive") and node.body_intact else ""


def sections_of(path: str, level: str, text: str) -> list[Dated]:
    """Return the sections of a file, without what they tell of their persons.

    Secrets, private passages and terminal codes are taken out first; lines are those of the file.
    """
    first, last = dates_of(path, level)
    cleaned = clean(text).text
    lines = None if cleaned.count("\n") == text.count("\n") else _line_map(text, cleaned)
    rows = []
    for section in split_sections(cleaned, raw=level == "raw"):
        begin, end = (section.date, section.date) if section.date else (first, last)
        keys = "\n".join(topic_key(name) for name in section.supersedes)
        if lines is not None:
            section = _moved(section, lines)
        dated = Dated(section, topic_key(section.topic), begin, end, keys)
        rows.append(dated._replace(digest=digest_of(_spelled(dated).encode())))
    return rows


def _spelled(dated: Dated) -> str:
    """Return all that the index holds of a section as one text. Its facts follow from it."""
    units = (f"{u.line_start} {u.line_end} {u.role} {u.speaker}\0{u.text}" for u in dated.section.units)
    return "\0".join((*map(str, dated[1:-1]), *map(str, dated.section[:-1]), *units))


def _line_map(before: str, after: str) -> list[int]:
    """Return, for each line of `after` (from 1), the line of `before` that it came from."""
    from difflib import SequenceMatcher

    old, new = before.split("\n"), after.split("\n")
    found = [1] * (len(new) + 1)
    for _, low, high, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for number in range(begin, end):
            # What was taken out stood before: a changed line is the last of those that it replaces.
            found[number + 1] = 1 + max(low, high - end + number)
    return found


def _moved(section: Section, lines: list[int]) -> Section:
    units = [u._replace(line_start=lines[u.line_start], line_end=lines[u.line_end]) for u in section.units]
    return section._replace(
        line_start=lines[section.line_start], line_end=lines[section.line_end], units=units
    )


def dates_of(path: str, level: str) -> tuple[str, str]:
    """Return the first and last day that a file's name stands for, as ISO dates; "" and "" when for none."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    try:
        if level in ("raw", "daily"):
            return (date.fromisoformat(name).isoformat(),) * 2 if len(name) == 10 else ("", "")
        if level == "weekly":
            year, week = name.split("-W")
            monday = date.fromisocalendar(int(year), int(week), 1)
            return monday.isoformat(), (monday + timedelta(6)).isoformat()
        if level == "monthly":
            begin = date.fromisoformat(f"{name}-01")
            return begin.isoformat(), ((begin + timedelta(31)).replace(day=1) - timedelta(1)).isoformat()
    except ValueError:
        pass
    return "", ""
