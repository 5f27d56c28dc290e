"""Gemini CLI's transcripts: `~/.gemini/tmp/<project>/chats/session-*.jsonl`, and `.json` of older versions."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hipocampus.files import read_bytes
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

_WANTED = re.compile(rb'"(?:sessionId|type)"\s*:')
_TEXT = frozenset({"text"})
_ROLES = {"user": USER, "gemini": ASSISTANT, "model": ASSISTANT}


def read(path: Path, reading: Reading) -> Iterator[Message]:
    """Yield the messages of a transcript from `reading.offset` on.

    A line `{"$set": {"messages": [...]}}` repeats a history that was resumed: its ids tell that.
    """
    if path.suffix == ".json":
        yield from _read_whole(path, reading)
        return
    for row in rows(path, reading, _WANTED):
        changed = row.get("$set")
        listed = changed.get("messages") if isinstance(changed, dict) else [row]
        _head(row, reading)
        yield from _messages(listed, reading)


def _read_whole(path: Path, reading: Reading) -> Iterator[Message]:
    data = read_bytes(path) or b""
    reading.offset = 0  # such a file is rewritten as a whole: the ids say what is new
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        reading.broken += 1
        return
    if isinstance(document, dict):
        _head(document, reading)
        yield from _messages(document.get("messages"), reading)


def _head(row: dict[str, Any], reading: Reading) -> None:
    if isinstance(row.get("sessionId"), str):
        reading.session = reading.session or row["sessionId"]
        reading.saw(when(row.get("startTime")))


def _messages(listed: object, reading: Reading) -> Iterator[Message]:
    for row in listed if isinstance(listed, list) else []:
        role = _ROLES.get(str(row.get("type"))) if isinstance(row, dict) else None
        if role is None:
            continue
        at = when(row.get("timestamp"))
        reading.saw(at)
        text = without_injected(text_of(row.get("content"), _TEXT))
        if text and isinstance(row.get("id"), str):
            yield Message(row["id"], role, text, at)
