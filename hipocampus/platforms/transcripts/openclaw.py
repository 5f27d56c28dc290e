"""OpenClaw's transcripts: `~/.openclaw/agents/<agent>/sessions/<session>.jsonl`."""

import re
from collections.abc import Iterator
from pathlib import Path

from hipocampus.platforms.transcripts.reading import (
    ASSISTANT,
    USER,
    Message,
    Reading,
    rows,
    text_of,
    when,
    without_injected,
)

_WANTED = re.compile(rb'"type"\s*:\s*"(?:session|message)"')
_TEXT = frozenset({"text"})


def read(path: Path, reading: Reading) -> Iterator[Message]:
    """Yield the messages of a transcript from `reading.offset` on."""
    for row in rows(path, reading, _WANTED):
        at = when(row.get("timestamp"))
        if row.get("type") == "session":
            reading.saw(at)
            reading.session = reading.session or str(row.get("id") or "")
            reading.cwd = reading.cwd or str(row.get("cwd") or "")
            continue
        message = row.get("message")
        if row.get("type") != "message" or not isinstance(message, dict):
            continue
        role = message.get("role")
        if role not in (USER, ASSISTANT):
            continue
        reading.saw(at)
        text = without_injected(text_of(message.get("content"), _TEXT))
        # The heartbeat asks every half hour, and nobody asked it to.
        if text and text != "HEARTBEAT_OK" and not text.startswith("Read HEARTBEAT.md"):
            yield Message(str(row.get("id") or f"{reading.session}-{reading.offset}"), role, text, at)
