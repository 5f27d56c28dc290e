"""A session carried into a fresh one: a conversation, its handoffs and WORKING.md, good once and for a day.

The capsule is a file in `.hipo/capsules/`, compressed, readable by its owner only, with a checksum of its own. The
token names it, and the memory that it belongs to.
"""

import hashlib
import json
import re
import secrets
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from hipocampus.brain.cap import fenced
from hipocampus.brain.conversation import Turn, parse_turn, read_turns, render_turn
from hipocampus.brain.handoff import Handoff, parse_handoff, read_handoffs, render_handoff
from hipocampus.brain.prompt import handoff_text
from hipocampus.brain.sections import age_of
from hipocampus.brain.stores import CONVERSATIONS, HANDOFFS, ListStore
from hipocampus.clock import iso_utc, parse_instant
from hipocampus.errors import HipoError, UsageError
from hipocampus.files import make_folder, read_bytes, read_text, remove_file, replace_file
from hipocampus.lock import FileLock
from hipocampus.memory.hot import WORKING, is_template, without_comments
from hipocampus.memory.store import MemoryStore, clean

LIFETIME = timedelta(days=1)
MAGIC = "hipo-capsule 1"
USED = b"used"  # what is left of a capsule that was resumed, for a day or two
_TOKEN = re.compile(r"hs-([0-9a-f]{8})-([0-9a-f]{16})")


class Capsule(NamedTuple):
    """What a session takes along."""

    made_at: str  # ISO 8601, UTC
    conversation: str
    agent: str
    turns: Sequence[Turn]
    notes: Sequence[Handoff]
    working: str
    places: Mapping[str, str]  # "conversation", "handoffs" -> where they stand


def export_capsule(
    store: MemoryStore, lists: ListStore, conversation: str | None, agent: str | None, now: datetime
) -> str:
    """Write a capsule and return its token. Nothing is cleared. HipoError when there is nothing to carry."""
    turns = read_turns(lists, conversation) if conversation else []
    notes = read_handoffs(lists, agent) if agent else []
    text = read_text(store.root / WORKING) or ""
    working = "" if is_template(text) else clean(without_comments(text)).text
    if not turns and not notes and not working.strip():
        raise HipoError(
            "sync export: there is nothing to carry over",
            "name a --conversation or an --agent that has something",
        )
    value = {
        "made_at": iso_utc(now),
        "conversation": conversation or "",
        "agent": agent or "",
        "turns": [render_turn(turn._replace(content=clean(turn.content).text)) for turn in turns],
        "notes": [render_handoff(note._replace(summary=clean(note.summary).text)) for note in notes],
        "working": working,
        "places": {
            "conversation": lists.place(CONVERSATIONS, conversation) if conversation else "",
            "handoffs": lists.place(HANDOFFS, agent) if agent else "",
        },
    }
    payload = zlib.compress(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), 9)
    header = f"{MAGIC} {iso_utc(now + LIFETIME)}"
    data = f"{header} {_checksum(header, payload)}\n".encode() + payload
    name = secrets.token_hex(8)
    with store.lock():
        folder = store.ensure_hidden() / "capsules"
        make_folder(folder, 0o700)
        _sweep(folder, now)
        replace_file(folder / name, data, mode=0o600)
    return f"hs-{_memory_tag(store)}-{name}"


@contextmanager
def resuming(store: MemoryStore, token: str, now: datetime) -> Iterator[Capsule]:
    """Give the capsule of a token to one reader; it is used up when the block ends well, else it stays.

    UsageError for what is no token. HipoError for one that was used, expired, is damaged, or belongs elsewhere.
    """
    match = _TOKEN.fullmatch(token.strip())
    if match is None:
        raise UsageError("sync resume: this is not a token", "use what `hipo brain sync export` printed")
    if match[1] != _memory_tag(store):
        raise HipoError(
            "sync resume: the token is foreign, it belongs to another memory",
            "call it in that project, or with its --root",
        )
    with FileLock(store.ensure_hidden() / "readers.lock", store.wait_seconds):
        path = store.hidden / "capsules" / match[2]
        capsule = _open(path, now)
        yield capsule
        replace_file(path, USED, mode=0o600)


def _open(path: Path, now: datetime) -> Capsule:
    data = read_bytes(path)
    again = "export the session again"
    if data is None:
        raise HipoError("sync resume: the token's capsule is gone, it has expired or was removed", again)
    if data == USED:
        raise HipoError("sync resume: the token was used already, it is good once", again)
    header, _, payload = data.partition(b"\n")
    parts = header.decode("utf-8", "replace").rsplit(" ", 2)
    until = parse_instant(parts[1]) if len(parts) == 3 and parts[0] == MAGIC else None
    if until is None or parts[2] != _checksum(f"{parts[0]} {parts[1]}", payload):
        raise HipoError("sync resume: the token's capsule is damaged, its checksum is wrong", again)
    if now > until:
        raise HipoError(f"sync resume: the token expired at {parts[1]}, it is good for a day", again)
    return _parse(json.loads(zlib.decompress(payload)))


def _parse(value: dict[str, object]) -> Capsule:
    def texts(name: str) -> list[str]:
        items = value.get(name)
        return [str(item) for item in items] if isinstance(items, list) else []

    places = value.get("places")
    return Capsule(
        str(value.get("made_at") or ""),
        str(value.get("conversation") or ""),
        str(value.get("agent") or ""),
        [turn for turn in map(parse_turn, texts("turns")) if turn is not None],
        [parse_handoff(line) for line in texts("notes")],
        str(value.get("working") or ""),
        {str(key): str(item) for key, item in places.items()} if isinstance(places, dict) else {},
    )


def render_capsule(capsule: Capsule, now: datetime) -> str:
    """Return a capsule as context for a fresh session: WORKING.md, the notes, the turns, each in a fence."""
    out = [f"# Session carried over ({age_of(capsule.made_at, now) or 'at an unknown time'})"]
    if capsule.working.strip():
        out.append(f"## {WORKING}\n{fenced(capsule.working)}")
    if capsule.notes:
        out.append(f"## Handoffs to {capsule.agent} ({capsule.places.get('handoffs', '')}, newest first)")
        for note in reversed(capsule.notes):
            out.append(
                f"from {note.from_agent_id or 'unknown'} · {age_of(note.ts, now)}\n{fenced(handoff_text(note))}"
            )
    if capsule.turns:
        out.append(f"## Conversation {capsule.conversation} ({capsule.places.get('conversation', '')})")
        out += [f"{turn.role} · {age_of(turn.ts, now)}\n{fenced(turn.content)}" for turn in capsule.turns]
    return "\n\n".join(out)


def _checksum(header: str, payload: bytes) -> str:
    return "sha256:" + hashlib.sha256(header.encode() + b"\n" + payload).hexdigest()


def _memory_tag(store: MemoryStore) -> str:
    """What tells this memory from another: its folder."""
    return hashlib.sha256(str(store.memory.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _sweep(folder: Path, now: datetime) -> None:
    """Remove capsules whose day is long over, and what is left of used ones."""
    limit = (now - 2 * LIFETIME).timestamp()
    for path in folder.iterdir():
        if path.is_file() and path.stat().st_mtime < limit:
            remove_file(path)
