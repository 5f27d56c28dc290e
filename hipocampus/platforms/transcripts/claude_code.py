"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl`."""

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

_WANTED = re.compile(rb'"type"\s*:\s*"(?:user|assistant)"')
_TEXT = frozenset({"text"})
# Rows that Claude Code writes with the role of a person or an agent although neither said them.
_NOT_SAID = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_NOT_TYPED = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-",
    "<task-notification>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "[Request interrupted by user",
)


def read(path: Path, reading: Reading) -> Iterator[Message]:
    """Yield the messages of a transcript from `reading.offset` on."""
    for number, row in enumerate(rows(path, reading, _WANTED)):
        role = row.get("type")
        if role not in (USER, ASSISTANT) or any(row.get(key) for key in _NOT_SAID):
            continue
        at = when(row.get("timestamp"))
        reading.saw(at)
        reading.session = reading.session or str(row.get("sessionId") or "")
        reading.cwd = reading.cwd or str(row.get("cwd") or "")
        text = _said(row, role)
        if text:
            yield Message(str(row.get("uuid") or f"{reading.offset}-{number}"), role, text, at)


def _said(row: dict[str, Any], role: str) -> str:
    message = row.get("message")
    if not isinstance(message, dict) or row.get("promptSource") == "system":
        return ""
    if message.get("model") == "<synthetic>":
        return ""
    text = without_injected(text_of(message.get("content"), _TEXT))
    return "" if role == USER and text.startswith(_NOT_TYPED) else text
