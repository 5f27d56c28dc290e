"""What an importer finds, and how it gets into the raw logs: each entry once, with where it came from."""

import hashlib
import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.errors import ReadError, WriteError
from hipocampus.files import encode, make_folder, read_bytes, replace_file
from hipocampus.memory.entries import TYPES, parse_log, squeeze
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import Draft, MemoryStore, Problem, add_counts, clean
from hipocampus.platforms.importers.encodings import Decoded, decode_note
from hipocampus.session.worth import Omitted, shrink

LEDGER = "imports.json"  # what was imported: digest -> where it stands
NOTE_CHARS = 200_000  # of one note; more is no note
_DATE = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_HEADING = re.compile(r"^(#{1,5})(?=[ \t])", re.M)


class Found(NamedTuple):
    """One entry that another tool's memory holds."""

    day: date
    topic: str
    type: str
    body: str
    origin: str  # the file it came from, relative to what was imported
    comment: str = ""  # what stood in its comment there
    encoding: str = "utf-8"  # of its file


class Copied(NamedTuple):
    """A file that is taken over as it is, where nothing stands yet."""

    target: str  # relative to the root
    text: str
    encoding: str = "utf-8"  # of its file


@dataclass
class Imported:
    """What an import did."""

    entries: int = 0
    duplicates: int = 0
    lines: int = 0
    places: list[str] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # files that stood here already
    redacted: dict[str, int] = field(default_factory=dict)
    private_lines: int = 0
    omitted: list[Omitted] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    encodings: dict[str, str] = field(default_factory=dict)  # file -> what it was taken for, where not UTF-8


def take_in(
    store: MemoryStore, kind: str, found: list[Found], copies: list[Copied], *, dry_run: bool
) -> Imported:
    """Append what is new to the raw logs of its days and count its lines. Twice is once."""
    done = Imported()
    told = [(one.origin, one.encoding) for one in found] + [(copy.target, copy.encoding) for copy in copies]
    done.encodings = {name: encoding for name, encoding in told if encoding != "utf-8"}
    with store.lock() if not dry_run else _Nothing():
        ledger = store.read_own(LEDGER)
        by_day: dict[date, list[tuple[str, Draft]]] = {}
        for one in found:
            key = _digest(kind, one)
            if key in ledger:
                done.duplicates += 1
                continue
            body, omitted = shrink(one.body[:NOTE_CHARS])
            done.omitted += omitted
            origin = " ".join(clean(one.origin).text.split())
            by_day.setdefault(one.day, []).append(
                (key, Draft(one.topic, one.type, _provenance(one, kind, origin), body))
            )
        if dry_run:
            done.entries = sum(map(len, by_day.values()))
            done.places = [store.relative(store.log_path(day)) for day in sorted(by_day)]
        else:
            _write(store, by_day, ledger, done)
        _copy(store, copies, done, dry_run)
    return done


def _write(
    store: MemoryStore,
    by_day: dict[date, list[tuple[str, Draft]]],
    ledger: dict[str, object],
    done: Imported,
) -> None:
    for day, drafts in sorted(by_day.items()):
        written = store.append_entries(day, [draft for _, draft in drafts])
        done.entries += written.entries
        done.duplicates += written.duplicates
        done.lines += written.lines
        done.redacted = add_counts(done.redacted, written.redacted)
        done.private_lines += written.private_lines
        if written.entries:
            done.places.append(f"{written.path}:{written.line_start}-{written.line_end}")
        ledger.update({key: day.isoformat() for key, _ in drafts})
        store.write_own(LEDGER, ledger)
    if done.lines:
        done.problems += store.count(done.lines, 0)[1]


def _copy(store: MemoryStore, copies: list[Copied], done: Imported, dry_run: bool) -> None:
    for copy in copies:
        path = store.inside(copy.target)
        if path is None:
            continue
        if path.exists():
            done.kept.append(copy.target)
            continue
        done.copied.append(copy.target)
        if dry_run:
            continue
        cleaned = clean(copy.text)
        done.redacted = add_counts(done.redacted, cleaned.redacted)
        try:
            make_folder(path.parent)
            replace_file(path, encode(cleaned.text))
        except WriteError as error:
            done.problems.append(Problem(copy.target, 0, error.message))


def _provenance(one: Found, kind: str, origin: str) -> str:
    """The comment of an imported entry: what stood there, and where it comes from."""
    before = f"{one.comment}, " if one.comment and "-->" not in one.comment else ""
    return f"{before}imported from {kind}: {origin}"


def _digest(kind: str, one: Found) -> str:
    told = f"{kind}\0{one.origin}\0{one.topic}\0{one.type}\0{squeeze(one.body)}"
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=9).hexdigest()


class _Nothing:
    """In place of the lock where nothing is written."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> None:
        return None


# --- reading notes ---


class Note(NamedTuple):
    """A Markdown file: its frontmatter, and its text without it."""

    meta: dict[str, Any]
    text: str
    path: Path
    encoding: str = "utf-8"


def read_decoded(path: Path) -> Decoded:
    """Return a file as text; ReadError when it cannot be read, or nothing says what its bytes mean."""
    data = read_bytes(path)
    if data is None:
        raise ReadError(f"{path}: is not there any more", "start the import again")
    found = decode_note(data)
    if found is None:
        raise ReadError(
            f"{path}: neither UTF-8 nor for certain anything else; left out",
            "save it as UTF-8 and import it again",
        )
    return found


def read_note(path: Path) -> Note:
    """Return a note; frontmatter that is no YAML is left out. ReadError when the file cannot be read."""
    text, encoding = read_decoded(path)
    if not text.startswith("---"):
        return Note({}, text, path, encoding)
    import frontmatter
    import yaml

    try:
        meta, body = frontmatter.parse(text)
    except (yaml.YAMLError, ValueError, TypeError):
        _, _, rest = text.partition("\n---")
        return Note({}, rest.partition("\n")[2], path, encoding)
    return Note(meta if isinstance(meta, dict) else {}, body, path, encoding)


def markdown_files(folder: Path) -> list[Path]:
    """Return the Markdown files below a folder, sorted; what is hidden or in a bin is left out."""
    found = []
    for path in sorted(folder.rglob("*.md")):
        inner = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") or part == "node_modules" for part in inner):
            found.append(path)
    return found


def day_of(note: Note, *keys: str) -> date:
    """Return the day of a note: in its frontmatter, in its name or folders, else when it was last changed."""
    for key in (*keys, "date", "created", "created_at", "day", "modified", "updated"):
        if day := _as_day(note.meta.get(key)):
            return day
    for part in (note.path.stem, *reversed(note.path.parent.parts[-2:])):
        for match in _DATE.finditer(part):
            if day := parse_day(f"{match[1]}-{match[2]}-{match[3]}"):
                return day
    try:
        return datetime.fromtimestamp(note.path.stat().st_mtime, UTC).date()
    except OSError as error:
        raise ReadError(f"{note.path}: cannot be read ({error.strerror})", "check its permissions") from error


def _as_day(value: object) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return parse_day(value.strip()[:10]) if isinstance(value, str) else None


def title_of(note: Note) -> str:
    """Return what a note is called: in its frontmatter, in its first heading, by its name."""
    for key in ("title", "name"):
        if isinstance(note.meta.get(key), str) and note.meta[key].strip():
            return str(note.meta[key]).strip()
    for line in note.text.split("\n"):
        if line.startswith("# ") and line[2:].strip():
            title = line[2:].strip()
            return title if not parse_day(title) else f"Notes of {title}"
        if line.strip():
            break
    bare = _DATE.sub("", note.path.stem).strip(" -_.")
    if bare:
        return bare.replace("_", " ")
    return f"Notes of {note.path.stem}"


def body_of(note: Note) -> str:
    """Return a note's text as the body of an entry: without its title, headings two levels down."""
    lines = note.text.strip("\n").split("\n")
    if lines and lines[0].startswith("# "):
        lines = lines[1:]
    text = _HEADING.sub(lambda m: "#" * max(3, min(6, len(m[1]) + 1)), "\n".join(lines).strip("\n"))
    tags = note.meta.get("tags")
    if isinstance(tags, list) and tags:
        text += "\n\nTags: " + ", ".join(str(tag) for tag in tags)
    elif isinstance(tags, str) and tags.strip():
        text += f"\n\nTags: {tags.strip()}"
    return text.strip("\n")


def type_of(note: Note, default: str = "project") -> str:
    """Return the type that a note's frontmatter names, where it is one of memory's own."""
    named = note.meta.get("type")
    if not isinstance(named, str) and isinstance(note.meta.get("metadata"), dict):
        named = note.meta["metadata"].get("type")
    return named.strip().lower() if isinstance(named, str) and named.strip().lower() in TYPES else default


def log_entries(text: str, day: date, origin: str) -> list[Found]:
    """Return the entries of a raw log; what stands before the first one is an entry of its own."""
    log = parse_log(text)
    found = []
    lead = "\n".join(line for line in log.preamble.split("\n") if not parse_day(line.strip("# \t"))).strip(
        "\n"
    )
    if lead.strip():
        found.append(Found(day, f"Notes of {day}", "project", lead, origin))
    for entry in log.entries:
        if entry.topic or entry.body:
            topic = entry.topic or f"Notes of {day}"
            found.append(Found(day, topic, entry.type, entry.body, origin, entry.comment))
    return found
