"""Where the platforms keep the transcripts of a project, and which of them memory has not taken in."""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path

from hipocampus.clock import parse_instant
from hipocampus.config import Config, environment
from hipocampus.errors import HipoError, ReadError
from hipocampus.files import read_bytes, replace_file
from hipocampus.memory.store import MemoryStore
from hipocampus.platforms.ingest import CURSORS, ENDED, Ingested, Source, ingest
from hipocampus.platforms.transcripts import claude_code, codex, gemini, openclaw, opencode
from hipocampus.platforms.transcripts.reading import Message, Reader, Reading, parse_object
from hipocampus.session.sessions import FILE as SESSIONS

READERS: dict[str, Reader] = {
    "claude-code": claude_code.read,
    "codex": codex.read,
    "opencode": opencode.read,
    "gemini": gemini.read,
    "openclaw": openclaw.read,
}
HEAD_BYTES = 1 << 16  # of a transcript that are looked at to tell whose it is
_SQLITE = b"SQLite format 3\x00"


def source_of(path: Path, session: str = "", platform: str = "") -> Source | None:
    """Return a transcript as a source; whose it is, is told by its first lines. None when it is not there."""
    if not path.is_file():
        return None
    name = platform or _platform_of(path)
    return Source(name, path, READERS[name], session)


def _platform_of(path: Path) -> str:
    for row in _head_rows(path):
        if "payload" in row or row.get("type") == "session_meta":
            return "codex"
        if "$set" in row or "projectHash" in row:
            return "gemini"
        kind = row.get("type")
        if kind == "session" or (kind == "message" and isinstance(row.get("message"), dict)):
            return "openclaw"
        if "info" in row and "messages" in row:
            return "opencode"
        if "uuid" in row or "sessionId" in row:
            return "claude-code"
    return "claude-code"


def _head_rows(path: Path, most: int = 20) -> Iterator[dict[str, object]]:
    try:
        with path.open("rb") as file:
            lines = file.read(HEAD_BYTES).split(b"\n")
    except OSError:  # the reading itself says what is wrong
        return
    for line in lines[:most]:
        if row := parse_object(line):
            yield row


# --- the transcripts of a project ---


def find(platform: str, root: Path) -> list[Source]:
    """Return the transcripts that a platform keeps of sessions in `root` or below it, oldest first."""
    return sorted(_FINDERS[platform](root), key=lambda s: (_modified(s.path), s.part))


def from_path(platform: str, path: Path, root: Path) -> list[Source]:
    """Return the transcripts that a path names: one file, a folder of them, or a database."""
    if path.is_dir():
        endings = (".json", ".jsonl") if platform in ("gemini", "opencode") else (".jsonl",)
        files = [f for f in sorted(path.rglob("*")) if f.suffix in endings and f.is_file()]
        return [Source(platform, f, READERS[platform]) for f in files if "subagents" not in f.parts]
    if not path.is_file():
        raise ReadError(f"{path}: no such transcript", "name a transcript or a folder of them")
    if platform == "opencode" and (_starts_with(path, _SQLITE)):
        return _database(path, root)
    return [Source(platform, path, READERS[platform])]


def _claude_code(root: Path) -> list[Source]:
    base = _claude_projects()
    slugs = {_slug(root), _slug(root.resolve())}
    starts = tuple(start for slug in slugs for start in (f"{slug}-", f"{slug[:200]}-"))
    names = [name for name in _names(base) if name in slugs or name.startswith(starts)]
    files = [f for name in names for f in (base / name).glob("*.jsonl")]
    # A folder's name is ambiguous (/a/b-c and /a/b/c): the rows say where the session worked.
    return [Source("claude-code", f, claude_code.read) for f in files if _inside(f, root)]


def claude_memory(root: Path) -> Path | None:
    """Return the folder of what Claude Code remembers by itself of this project, None where there is none."""
    folder = _claude_projects() / _slug(root) / "memory"
    return folder if folder.is_dir() else None


def _claude_projects() -> Path:
    return Path(environment("CLAUDE_CONFIG_DIR") or _home() / ".claude") / "projects"


def _slug(root: Path) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", str(root))


def _codex(root: Path) -> list[Source]:
    base = Path(environment("CODEX_HOME") or _home() / ".codex")
    files = [f for part in ("sessions", "archived_sessions") for f in (base / part).rglob("rollout-*.jsonl")]
    return [Source("codex", f, codex.read) for f in files if _inside(f, root)]


def _gemini(root: Path) -> list[Source]:
    base = _home() / ".gemini" / "tmp"
    import hashlib

    wanted = {hashlib.sha256(str(folder).encode()).hexdigest() for folder in (root, root.resolve())}
    found = []
    for file in base.glob("*/chats/session-*.json*"):
        head = next(_head_rows(file, 1), {})
        hashes = {head.get("projectHash"), file.parent.parent.name}
        if head.get("kind", "main") == "main" and hashes & wanted:
            found.append(Source("gemini", file, gemini.read))
    return found


def _openclaw(root: Path) -> list[Source]:
    base = _home() / ".openclaw" / "agents"
    return [Source("openclaw", f, openclaw.read) for f in base.glob("*/sessions/*.jsonl") if _inside(f, root)]


def _opencode(root: Path) -> list[Source]:
    share = environment("XDG_DATA_HOME")
    path = (Path(share) if share else _home() / ".local" / "share") / "opencode" / "opencode.db"
    return _database(path, root) if path.is_file() else []


def _database(path: Path, root: Path) -> list[Source]:
    return [
        Source("opencode", path, partial(_read_session, session=key), key, key)
        for key, _ in opencode.sessions(path, root)
    ]


def _read_session(path: Path, reading: Reading, *, session: str) -> Iterator[Message]:
    return opencode.read_session(path, session, reading)


_FINDERS = {
    "claude-code": _claude_code,
    "codex": _codex,
    "opencode": _opencode,
    "gemini": _gemini,
    "openclaw": _openclaw,
}


def _inside(path: Path, root: Path) -> bool:
    """Whether the session of a transcript worked in `root` or below, and was no subagent's."""
    for row in _head_rows(path, 60):
        payload = row.get("payload")
        told = payload if isinstance(payload, dict) else row
        source, cwd = told.get("source"), told.get("cwd")
        if isinstance(source, dict) and "subagent" in source:
            return False
        if isinstance(cwd, str) and cwd:
            folder, wanted = Path(cwd).resolve(), root.resolve()
            return folder == wanted or wanted in folder.parents
    return False


def _home() -> Path:
    return Path.home()


def _names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:  # this client was never used here
        return []


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile; reading it says so
        return 0.0


def _starts_with(path: Path, magic: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(magic)) == magic


# --- what is still to be taken in ---


def unread_bytes(store: MemoryStore, source: Source) -> int:
    """Return how much of a transcript was not read yet, in bytes."""
    record = store.read_own(CURSORS).get(source.key)
    offset = record.get("offset") if isinstance(record, dict) else 0
    try:
        return max(0, source.path.stat().st_size - (offset if isinstance(offset, int) else 0))
    except OSError:  # gone: nothing to read
        return 0


def ended_sources(
    store: MemoryStore, current: str, now: datetime, stale_hours: float
) -> tuple[list[Source], int]:
    """Return the transcripts of sessions that ended, and how many bytes of the list of them were read.

    A session that nobody has seen for `stale_hours` counts as ended: its client may have been killed.
    """
    data = read_bytes(store.hidden / ENDED) or b""
    told = [row for line in data.split(b"\n") if (row := parse_object(line))]
    paths = {str(row.get("transcript")): str(row.get("session") or "") for row in told}
    limit = now - timedelta(hours=stale_hours)
    for session, record in store.read_own(SESSIONS).items():
        if session != current and isinstance(record, dict) and isinstance(record.get("transcript"), str):
            seen = parse_instant(record.get("seen"))
            if seen is None or seen < limit:
                paths.setdefault(record["transcript"], session)
    sources = [source_of(Path(path), session) for path, session in paths.items()]
    fresh = [source for source in sources if source and unread_bytes(store, source)]
    return fresh, len(data)


def forget_ended(store: MemoryStore, size: int) -> None:
    """Take the first `size` bytes off the list of ended sessions: their transcripts are in memory now."""
    with store.lock():
        data = read_bytes(store.hidden / ENDED) or b""
        replace_file(store.hidden / ENDED, data[size:], durable=False, mode=0o600)


def ingest_all(store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None) -> list[str]:
    """Take in every transcript of this project that its platforms keep; return remarks, a line each."""
    platforms = [name for name in config.platforms if name in _FINDERS] or list(_FINDERS)
    sources = [source for name in platforms for source in find(name, store.root)]
    ended, size = ended_sources(store, "", now, 0)
    known = {source.key for source in sources}
    sources += [source for source in ended if source.key not in known]
    done, notes = ingest_each(store, sources, now, zone)
    if size and not notes:
        forget_ended(store, size)
    if messages := sum(one.messages for one in done):
        count = sum(1 for one in done if one.messages)
        notes.insert(0, f"took in {messages} messages of {count} session{'s' if count != 1 else ''}")
    return notes


def ingest_each(
    store: MemoryStore,
    sources: list[Source],
    now: datetime,
    zone: tzinfo | None,
    *,
    since: date | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> tuple[list[Ingested], list[str]]:
    """Take in several transcripts; one that fails is named in the remarks and the rest goes on.

    `progress` hears how many are done, of how many, and which one is next.
    """
    done: list[Ingested] = []
    notes: list[str] = []
    for number, source in enumerate(sources):
        if progress:
            progress(number, len(sources), source.part or source.path.name)
        try:
            done.append(ingest(store, source, now=now, zone=zone, since=since, dry_run=dry_run))
        except ReadError as error:
            notes.append(str(error))
        except HipoError as error:
            notes.append(f"{source.path}: not taken in: {error}")
    return done, notes
