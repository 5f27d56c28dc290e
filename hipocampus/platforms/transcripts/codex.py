"""Codex's transcripts: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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

_WANTED = re.compile(rb'"type"\s*:\s*"(?:session_meta|message)"')
_TEXT = frozenset({"input_text", "output_text", "text"})
_NOT_TYPED = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<skill>",
)


def read(path: Path, reading: Reading) -> Iterator[Message]:
    """Yield the messages of a transcript from `reading.offset` on."""
    for row in rows(path, reading, _WANTED):
        payload = row.get("payload")
        if not isinstance(payload, dict):
            continue
        at = when(row.get("timestamp"))
        reading.saw(at)
        if row.get("type") == "session_meta":
            reading.session = reading.session or str(payload.get("id") or "")
            reading.cwd = reading.cwd or str(payload.get("cwd") or "")
        elif (text := _said(row, payload)) and row.get("type") == "response_item":
            yield Message(_identity(row, payload, text), payload["role"], text, at)


def _said(row: dict[str, Any], payload: dict[str, Any]) -> str:
    role = payload.get("role") if payload.get("type") == "message" else None
    extra = row.get("metadata")
    if role not in (USER, ASSISTANT) or (isinstance(extra, dict) and extra.get("compaction_output")):
        return ""
    content = payload.get("content")
    if role == USER and isinstance(content, list):
        content = [block for block in content if not _is_context(block)]
    return without_injected(text_of(content, _TEXT))


def _is_context(block: object) -> bool:
    text = block.get("text") if isinstance(block, dict) else None
    return isinstance(text, str) and text.lstrip().startswith(_NOT_TYPED)


def _identity(row: dict[str, Any], payload: dict[str, Any], text: str) -> str:
    """The message's own id; older versions give none, so its time and text stand for it."""
    own = payload.get("id")
    if isinstance(own, str) and own:
        return own
    told = f"{row.get('timestamp')}\0{payload.get('role')}\0{text}"
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=12).hexdigest()
