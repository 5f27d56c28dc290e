"""Documents into knowledge/, and questions to the memory with the chunk around each answer."""

import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.brain.chunks import chunks
from hipocampus.brain.prompt import MOST_RESULTS, checked_query
from hipocampus.errors import HipoError, UsageError
from hipocampus.files import make_folder, read_text, write_text
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.store import MemoryStore, clean
from hipocampus.recall import Hit, search

MOST_CHARS = 20_000  # of a document
SLUG_CHARS = 60


class Ingested(NamedTuple):
    """A document that was taken in: where it stands, and what was taken out of it."""

    path: str
    title: str
    source: str
    chars: int
    chunks: int
    replaced: bool
    redacted: dict[str, int]


def ingest(store: MemoryStore, text: str, source: str, day: date) -> Ingested:
    """Write a document into knowledge/ with its source and date; the same source again replaces it.

    HipoError for more than 20,000 characters, or none; nothing is written then.
    """
    if len(text) > MOST_CHARS:
        raise HipoError(
            f"ingest {source}: {len(text)} characters, at most {MOST_CHARS} are taken", "split the document"
        )
    cleaned = clean(parse_node(text).body.strip("\n"))
    if not cleaned.text.strip():
        raise HipoError(f"ingest {source}: there is no text in it", "name a document with text")
    source = " ".join(clean(source).text.split())
    if not source:
        raise UsageError("ingest: the source has no name", "give one with --source")
    title = _title(cleaned.text, source)
    with store.lock():
        known = _path_of(store, source)
        path = known or _free_path(store, title)
        if not path.parent.is_dir():
            make_folder(path.parent)
        write_text(path, _document(title, source, day, cleaned.text))
    count = len(chunks(cleaned.text))
    return Ingested(
        store.relative(path), title, source, len(cleaned.text), count, known is not None, cleaned.redacted
    )


def _document(title: str, source: str, day: date, text: str) -> str:
    heading = "" if re.match(r"#\s", text) else f"# {title}\n\n"
    return f"---\nsource: {_quoted(source)}\ndate: {day.isoformat()}\n---\n\n{heading}{text}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _title(text: str, source: str) -> str:
    """The document's first heading, else the name of its source."""
    match = re.search(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", text, re.M)
    return " ".join(match[1].split())[:120] if match else Path(source).stem or source


def _path_of(store: MemoryStore, source: str) -> Path | None:
    """Return the document that came from a source, None when there is none."""
    for path in sorted((store.root / "knowledge").glob("*.md")):
        if path.is_file() and source_of(read_text(path) or "") == source:
            return path
    return None


def source_of(text: str) -> str:
    """Return the source that a document names in its frontmatter, "" for one that was not ingested."""
    match = re.match(r'---\n(?:(?!---).*\n)*?source: "((?:[^"\\]|\\.)*)"\n', text)
    return re.sub(r"\\(.)", r"\1", match[1]) if match else ""


def _free_path(store: MemoryStore, title: str) -> Path:
    slug = slug_of(title)
    number, path = 1, store.root / "knowledge" / f"{slug}.md"
    while path.exists() or path.is_symlink():
        number += 1
        path = path.with_name(f"{slug}-{number}.md")
    return path


def slug_of(title: str) -> str:
    """Return a title as a file name: letters and digits of any script, joined by `-`."""
    words = re.findall(r"\w+", unicodedata.normalize("NFC", title).casefold().replace("_", " "))
    slug = "-".join(words)[:SLUG_CHARS].strip("-")
    while len(slug.encode()) > 3 * SLUG_CHARS:
        slug = slug[:-1]
    return (
        slug
        if slug and not re.fullmatch(r"(?:con|prn|aux|nul|com\d|lpt\d)", slug)
        else f"document-{slug}".rstrip("-")
    )


class Found(NamedTuple):
    """A result: the hit, and the text to read: the chunk of an ingested document around it, else its own."""

    hit: Hit
    line_start: int
    line_end: int
    text: str


def query(store: MemoryStore, text: str, n: int, today: date) -> tuple[list[Found], list[str]]:
    """Return what the memory has on a question, best first, one a chunk, and the problems on the way.

    UsageError for more than 500 characters or more than 20 results.
    """
    checked_query(text)
    if not 1 <= n <= MOST_RESULTS:
        raise UsageError(f"query: -n {n}: out of range", f"use 1 to {MOST_RESULTS}")
    done = search(store.root, text, today=today, n=MOST_RESULTS)
    found: list[Found] = []
    seen: set[tuple[str, int]] = set()
    for hit in done.hits:
        one = _around(store, hit)
        if (hit.path, one.line_start) not in seen:
            seen.add((hit.path, one.line_start))
            found.append(one)
    return found[:n], [*done.notes, *done.problems]


def _around(store: MemoryStore, hit: Hit) -> Found:
    own = Found(hit, hit.line_start, hit.line_end, clean(hit.text).text)
    if hit.level != "knowledge":
        return own
    document = read_text(store.root / hit.path) or ""
    if not source_of(document):
        return own
    body = parse_node(document).body
    before = document.find(body)
    skipped = document.count("\n", 0, max(before, 0))
    for chunk in chunks(body):
        if chunk.line_start + skipped <= hit.line_start <= chunk.line_end + skipped:
            text = clean(body[chunk.start : chunk.end]).text.strip("\n")
            return Found(hit, chunk.line_start + skipped, chunk.line_end + skipped, text)
    return own
