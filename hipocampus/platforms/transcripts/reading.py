"""What every reader shares: a message, where a reading stands, and a file's lines in bounded memory."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.clock import parse_instant
from hipocampus.errors import ReadError

USER = "user"
ASSISTANT = "assistant"
IMAGE = "[image]"  # what stands in a log for a picture or a file that came with a message
LINE_BYTES = 24 << 20  # a longer line is a tool's output; what people type, images included, stays below
CHUNK_BYTES = 1 << 20


class Message(NamedTuple):
    """One thing that somebody said. `id` is the platform's own, the same in every copy of a history."""

    id: str
    role: str  # USER or ASSISTANT
    text: str
    at: datetime | None  # UTC


@dataclass
class Reading:
    """Where a reading of one transcript stands, and what it met. Readers keep it up to date as they go."""

    offset: int = 0  # bytes taken in; where the next reading begins
    session: str = ""  # the session's id, where the file names it
    cwd: str = ""  # the folder in which the session worked
    started: datetime | None = None  # UTC, the first time that the file names
    broken: int = 0  # lines that could not be read
    too_long: int = 0  # lines of more than LINE_BYTES, left out

    def saw(self, at: datetime | None) -> None:
        if at is not None and self.started is None:
            self.started = at


Reader = Callable[[Path, Reading], Iterator[Message]]


def rows(path: Path, reading: Reading, wanted: re.Pattern[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file of JSON lines from `reading.offset` on, those that match `wanted`.

    A line that does not match is not parsed. Broken lines are counted; one at the very end, which is still
    being written, is left for the next time.
    """
    for line, complete in _lines(path, reading):
        if not wanted.search(line):
            continue
        row = parse_object(line)
        if row is not None:
            yield row
        elif complete:
            reading.broken += 1
        else:
            reading.offset -= len(line)


def parse_object(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object that a line holds, None when it holds none."""
    try:
        row = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _lines(path: Path, reading: Reading) -> Iterator[tuple[bytes, bool]]:
    """Yield each line and whether it ends with a newline; `reading.offset` is moved behind it first."""
    try:
        with path.open("rb", buffering=CHUNK_BYTES) as file:
            file.seek(reading.offset)
            while line := file.readline(LINE_BYTES):
                size = len(line)
                complete = line.endswith(b"\n")
                if size == LINE_BYTES and not complete:
                    del line
                    rest, complete = _skip_line(file.readline)
                    reading.offset += size + rest
                    reading.too_long += 1
                    continue
                reading.offset += size
                yield line, complete
    except OSError as error:
        raise ReadError(
            f"{path}: cannot be read ({error.strerror or error})", "check that the transcript is still there"
        ) from error


def _skip_line(readline: Callable[[int], bytes]) -> tuple[int, bool]:
    size = 0
    while part := readline(CHUNK_BYTES):
        size += len(part)
        if part.endswith(b"\n"):
            return size, True
    return size, False


def when(value: object) -> datetime | None:
    """Return the instant that a row's time names: ISO 8601, or milliseconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return parse_instant(value)


def text_of(content: object, kinds: frozenset[str]) -> str:
    """Return what a message's content says: a string, or the text of its blocks, images as placeholders."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = []
    for block in content:
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, dict):
            parts.append(_block_text(block, kinds))
    return "\n\n".join(part for part in parts if part.strip())


def _block_text(block: dict[str, Any], kinds: frozenset[str]) -> str:
    kind = block.get("type")
    if kind in kinds or (kind is None and "text" in block):
        text = block.get("text")
        return without_injected(text) if isinstance(text, str) else ""
    if kind in IMAGE_KINDS or "inlineData" in block or "fileData" in block:
        return IMAGE
    return ""


IMAGE_KINDS = frozenset({"image", "input_image", "document", "file", "image_url"})


_INJECTED = "system-reminder|hook_context|session_context|environment_context|hipo-memory"


@cache
def _injected() -> re.Pattern[str]:
    return re.compile(rf"<({_INJECTED})\b[^>]*>.*?</\1>\n?|\A\s*<({_INJECTED})\b[^>]*>(?!.*</\2>).*\Z", re.S)


def without_injected(text: str) -> str:
    """Return a message without the blocks that a platform or hipo itself put into it."""
    return _injected().sub("", text).strip() if "<" in text else text.strip()
