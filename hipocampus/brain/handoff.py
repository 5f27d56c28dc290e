"""Handoffs: notes that one agent leaves for another, redacted before they are stored."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from hipocampus.brain.ids import checked_id
from hipocampus.brain.stores import HANDOFFS, ListStore
from hipocampus.clock import iso_utc
from hipocampus.errors import UsageError
from hipocampus.memory.store import add_counts, clean
from hipocampus.session.hotfile import Unsaved


class Handoff(NamedTuple):
    """One note in an agent's inbox. `line` is the record as it is stored."""

    ts: str  # ISO 8601, UTC
    from_agent_id: str
    to_agent_id: str
    summary: str
    links: Mapping[str, str]
    line: str = ""


def parse_handoff(line: str) -> Handoff:
    """Return the note of a stored line. A damaged line is a note too, its text as it stands: none is lost.

    Links that another writer stored as a list, or with nested values, are shown as text under their place.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not isinstance(value.get("summary"), str):
        return Handoff("", "", "", line, {}, line)
    return Handoff(
        str(value.get("ts") or ""),
        str(value.get("from_agent_id") or ""),
        str(value.get("to_agent_id") or ""),
        value["summary"],
        _links(value.get("links")),
        line,
    )


def _links(value: object) -> dict[str, str]:
    if isinstance(value, list):
        value = {str(number): item for number, item in enumerate(value, 1)}
    if not isinstance(value, dict):
        return {}
    return {
        str(key): item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        for key, item in value.items()
    }


def render_handoff(note: Handoff) -> str:
    """Return a note as its line."""
    record = {
        "ts": note.ts,
        "from_agent_id": note.from_agent_id,
        "to_agent_id": note.to_agent_id,
        "summary": note.summary,
        "links": dict(note.links),
    }
    return json.dumps(record, ensure_ascii=False)


class StoredHandoff(NamedTuple):
    """A note as it was stored, where, and what was taken out of it (kind of secret -> how many)."""

    note: Handoff
    place: str
    redacted: dict[str, int]


def make_handoff(
    to: str, sender: str, summary: str, links: Mapping[str, str], now: datetime
) -> tuple[Handoff, dict[str, int]]:
    """Return a note that may be stored, and what was taken out of it. UsageError for wrong ids or no text."""
    to, sender = checked_id("agent", to), checked_id("agent", sender)
    cleaned = clean(summary.strip("\n"))
    if not cleaned.text.strip():
        raise UsageError("handoff: there is no text to hand over", "give it as an argument or on stdin")
    values = {clean(key).text: clean(value) for key, value in links.items()}
    counts = add_counts(cleaned.redacted, *(value.redacted for value in values.values()))
    kept = {key: value.text for key, value in values.items()}
    note = Handoff(iso_utc(now), sender, to, cleaned.text, kept)
    return note._replace(line=render_handoff(note)), counts


def write_handoff(
    lists: ListStore, to: str, sender: str, summary: str, links: Mapping[str, str], now: datetime
) -> StoredHandoff:
    """Leave a note in an agent's inbox, redacted."""
    note, counts = make_handoff(to, sender, summary, links, now)
    with Unsaved(note.summary, *(f"{key}: {value}" for key, value in note.links.items())):
        lists.push(HANDOFFS, note.to_agent_id, [note.line])
    return StoredHandoff(note, lists.place(HANDOFFS, note.to_agent_id), counts)


def read_handoffs(lists: ListStore, agent: str) -> list[Handoff]:
    """Return the notes in an agent's inbox, oldest first, and leave them there."""
    lines = lists.read(HANDOFFS, checked_id("agent", agent))
    return [parse_handoff(line) for line in lines]


@contextmanager
def taking_handoffs(lists: ListStore, agent: str) -> Iterator[list[Handoff]]:
    """Give the notes of an inbox to one reader; they are gone when the block ends well, else they stay."""
    with lists.taking(HANDOFFS, checked_id("agent", agent)) as lines:
        yield [parse_handoff(line) for line in lines]


def remove_handoffs(lists: ListStore, agent: str, notes: Sequence[Handoff]) -> None:
    """Clear these notes of an inbox, because they have been answered."""
    lists.remove(HANDOFFS, checked_id("agent", agent), [note.line for note in notes])
