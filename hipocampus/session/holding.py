"""Where a thing stands that is to be forgotten: words somebody names, or the lines of a place. Pure but for reading."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hipocampus.errors import HipoError, UsageError
from hipocampus.files import read_bytes
from hipocampus.memory.entries import Entry, parse_log, split_lines
from hipocampus.memory.hot import TARGET_LINES
from hipocampus.memory.periods import Level
from hipocampus.memory.places import parse_place
from hipocampus.memory.store import MemoryStore, Problem

LEAST_CHARS = 3  # of the words that name a thing; fewer would stand everywhere
COPY_CHARS = 20  # a line of this length, elsewhere word for word, is a copy

_CJK = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Held(NamedTuple):
    """Lines of one file that hold the thing."""

    path: str  # relative to the root
    first: int  # 1-based
    last: int
    kind: str  # "raw" | "hot" | "note" | "node" | "brain"
    text: str  # the first of the lines


class Thing:
    """What is to be forgotten. `exact`: the lines of a place, and copies of them; else words, wherever they stand."""

    def __init__(
        self, words: str, lines: Sequence[str] = (), entries: Sequence[Entry] = (), least: int = COPY_CHARS
    ) -> None:
        self.exact = not words
        self.keys = {entry.key for entry in entries}
        self._lines = {line.strip(" \t-*") for line in lines if len(line.strip(" \t-*")) >= least}
        folded = [re.escape(word) for word in fold(words).split()]
        self._pattern = re.compile(r"\s+".join(folded)) if folded else None

    def spans(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """Return the runs of lines that hold the thing, 0-based, ends exclusive, in order, none twice."""
        if self._pattern is None:
            found = [(n, n + 1) for n, line in enumerate(lines) if line.strip(" \t-*") in self._lines]
            return merged(found)
        folded = [fold(line) for line in lines]
        starts, at = [], 0
        for line in folded:
            starts.append(at)
            at += len(line) + 1
        found = []
        number = 0
        for match in self._pattern.finditer("\n".join(folded)):
            while number + 1 < len(starts) and starts[number + 1] <= match.start():
                number += 1
            last = number
            while last + 1 < len(starts) and starts[last + 1] < match.end():
                last += 1
            found.append((number, last + 1))
        return merged(found)

    def is_in(self, text: str) -> bool:
        """Whether a text holds the thing, in any of its lines."""
        return bool(self.spans(text.split("\n")))


def fold(text: str) -> str:
    """Return a text as it is compared: composed, without case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans in order, those that touch or overlap made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def thing_of(store: MemoryStore, text: str) -> tuple[Thing, list[Held]]:
    """Return what a place or some words name, and for a place the lines that it names."""
    place = parse_place(store, text)
    if place is not None and (
        place.level is not None or store.relative(place.path) in set(text_files(store))
    ):
        return _of_place(store, text)
    words = " ".join(text.split())
    if len(words) < (LEAST_CHARS - 1 if _CJK.search(words) else LEAST_CHARS):
        raise UsageError(
            f"forget: {text!r} is too short", f"name at least {LEAST_CHARS} characters of it, or a place"
        )
    return Thing(words), []


def _of_place(store: MemoryStore, text: str) -> tuple[Thing, list[Held]]:
    place = parse_place(store, text)
    assert place is not None
    if place.level is Level.DAILY and place.day and not text.endswith(".md"):
        place = parse_place(store, f"memory/{place.day}.md") or place
    if place.level is not None and not place.first:
        raise UsageError(
            f"forget: {text}: a node repeats what its logs say", f"name the logs: hipo show {text} --down"
        )
    lines = read_lines(store, store.relative(place.path))
    if not lines:
        raise HipoError(
            f"forget: {store.relative(place.path)}: there is nothing", "hipo status shows what there is"
        )
    first, last = (place.first, min(place.last, len(lines))) if place.first else (1, len(lines))
    if first > len(lines):
        raise HipoError(f"forget: {text}: the file has {len(lines)} lines", f"use a line up to {len(lines)}")
    entries: list[Entry] = []
    if place.raw:
        if not place.first and lines[0].startswith("# "):
            first = 2  # the title with the date stays
        log = parse_log("\n".join(lines))
        entries = [e for e in log.entries if first <= e.line_start <= last]
        last = max([last, *(e.line_end for e in entries)])
    own = lines[first - 1 : last]
    relative = store.relative(place.path)
    held = Held(relative, first, last, kind_of(store, relative), next((x for x in own if x.strip()), ""))
    if held.kind == "node":
        return Thing("", own, entries, 1), [held]
    # A comment tells when an entry was written: others of the same minute have it too.
    return Thing("", [line for line in own if not line.lstrip().startswith("<!--")], entries), [held]


def kind_of(store: MemoryStore, path: str) -> str:
    """Return what sort of file a path names."""
    place = parse_place(store, path)
    if place is not None and place.raw:
        return "raw"
    if place is not None and place.level is not None:
        return "node"
    if path in TARGET_LINES:
        return "hot"
    return "brain" if path.startswith("memory/brain/") else "note"


def text_files(store: MemoryStore) -> Iterator[str]:
    """Yield the paths of all Markdown files that belong to the memory: logs, hot files, notes, nodes."""
    yield from (f"memory/{name}" for name in sorted(p.name for p in store.memory.glob("*.md")))
    yield from (name for name in TARGET_LINES if (store.root / name).is_file())
    for folder in ("knowledge", "plans"):
        yield from sorted(store.relative(p) for p in (store.root / folder).rglob("*.md") if p.is_file())
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        yield from (f"memory/{level}/{name}.md" for name in sorted(store.node_names(level)))


def brain_files(store: MemoryStore) -> list[str]:
    """Return the paths of conversations and handoffs in files."""
    return sorted(store.relative(p) for p in (store.memory / "brain").rglob("*.jsonl") if p.is_file())


def read_lines(store: MemoryStore, path: str) -> list[str]:
    """Return a file's lines as the other modules number them; what is no UTF-8 is carried as surrogates."""
    data = read_bytes(store.root / path) or b""
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return split_lines(text.replace("\r\n", "\n").replace("\r", "\n"))


def find(store: MemoryStore, thing: Thing) -> tuple[list[Held], list[Problem]]:
    """Return every place in the tree that holds the thing, nodes included, and the files that cannot be read.

    In a raw log a line that belongs to a heading means its whole entry; the copy of an entry elsewhere counts
    whole too, and single lines of other logs do not count as copies.
    """
    held: list[Held] = []
    problems: list[Problem] = []
    for path in text_files(store):
        try:
            lines = read_lines(store, path)
        except HipoError as error:
            problems.append(Problem(path, 0, error.message))
            continue
        kind = kind_of(store, path)
        spans = raw_spans(thing, lines) if kind == "raw" else thing.spans(lines)
        held += [Held(path, start + 1, end, kind, lines[start]) for start, end in spans]
    for path in brain_files(store):
        for number, line in enumerate(read_lines(store, path)):
            if said := next((text for text in texts_in(line) if thing.is_in(text)), None):
                held.append(Held(path, number + 1, number + 1, "brain", said.split("\n")[0]))
    return held, problems


def raw_spans(thing: Thing, lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the lines of a raw log that hold the thing: whole entries where their heading or all of them does."""
    entries = parse_log("\n".join(lines)).entries
    if thing.exact:
        return merged([(e.line_start - 1, e.line_end) for e in entries if e.key in thing.keys and e.body])
    spans = thing.spans(lines)
    heads = {e.line_start - 1: e for e in entries}
    whole = [
        (e.line_start - 1, e.line_end)
        for start, end in spans
        for n in range(start, end)
        if (e := heads.get(n))
    ]
    return merged([*spans, *whole])


def texts_in(line: str) -> Iterator[str]:
    """Yield the texts in a line of JSON; the line itself when it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        yield line
        return
    yield from _texts(value)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
