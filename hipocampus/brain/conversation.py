"""Turns of a conversation: one JSON object a line, redacted before it is stored."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from hipocampus.brain.ids import checked_id
from hipocampus.brain.stores import CONVERSATIONS, ListStore
from hipocampus.clock import iso_utc
from hipocampus.errors import UsageError
from hipocampus.memory.store import clean
from hipocampus.session.hotfile import Unsaved

ROLES = ("user", "assistant")


class Turn(NamedTuple):
    """One message of a conversation. `line` is the record as it is stored."""

    ts: str  # ISO 8601, UTC
    agent_id: str
    role: str
    content: str
    tags: tuple[str, ...] = ()
    line: str = ""


def parse_turn(line: str) -> Turn | None:
    """Return the turn of a stored line, None when the line is damaged. Unknown fields are passed over."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("content"), str):
        return None
    tags = value.get("tags")
    return Turn(
        str(value.get("ts") or ""),
        str(value.get("agent_id") or ""),
        str(value.get("role") or "user"),
        value["content"],
        tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        line,
    )


def render_turn(turn: Turn) -> str:
    """Return a turn as its line."""
    record = {
        "ts": turn.ts,
        "agent_id": turn.agent_id,
        "role": turn.role,
        "content": turn.content,
        "tags": list(turn.tags),
    }
    return json.dumps(record, ensure_ascii=False)


class StoredTurn(NamedTuple):
    """A turn as it was stored, where, and what was taken out of it (kind of secret -> how many)."""

    turn: Turn
    place: str
    redacted: dict[str, int]


def append_turn(
    lists: ListStore,
    conversation: str,
    role: str,
    content: str,
    *,
    agent: str = "",
    tags: Sequence[str] = (),
    now: datetime,
) -> StoredTurn:
    """Store one turn at the end of a conversation, redacted. UsageError for an id or text that cannot be one."""
    conversation = checked_id("conversation", conversation)
    cleaned = clean(content.strip("\n"))
    if not cleaned.text.strip():
        raise UsageError("turn: there is no text to store", "give it as an argument or on stdin")
    kept = tuple(clean(tag).text for tag in tags)
    turn = Turn(iso_utc(now), clean(agent).text, role, cleaned.text, kept)
    turn = turn._replace(line=render_turn(turn))
    with Unsaved(turn.content):
        lists.push(CONVERSATIONS, conversation, [turn.line])
    return StoredTurn(turn, lists.place(CONVERSATIONS, conversation), cleaned.redacted)


def read_turns(lists: ListStore, conversation: str) -> list[Turn]:
    """Return the turns of a conversation, oldest first; damaged lines are passed over."""
    lines = lists.read(CONVERSATIONS, checked_id("conversation", conversation))
    return [turn for turn in map(parse_turn, lines) if turn is not None]


def remove_turns(lists: ListStore, conversation: str, turns: Sequence[Turn]) -> None:
    """Take these turns out of a conversation, because they stand somewhere else now."""
    lists.remove(CONVERSATIONS, checked_id("conversation", conversation), [turn.line for turn in turns])
