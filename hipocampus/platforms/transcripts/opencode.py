"""OpenCode's sessions: what `opencode export ID` prints, or its database `opencode.db`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hipocampus.errors import ReadError
from hipocampus.files import read_bytes
from hipocampus.platforms.transcripts.reading import (
    ASSISTANT,
    IMAGE,
    USER,
    Message,
    Reading,
    when,
    without_injected,
)


def read(path: Path, reading: Reading) -> Iterator[Message]:
    """Yield the messages of one exported session; the file is read as a whole."""
    data = read_bytes(path) or b""
    reading.offset = 0
    try:
        document = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        reading.broken += 1
        return
    if not isinstance(document, dict):
        reading.broken += 1
        return
    info = document.get("info")
    if isinstance(info, dict):
        _head(info, reading)
    for message in document.get("messages") or []:
        if isinstance(message, dict) and isinstance(message.get("info"), dict):
            parts = [part for part in message.get("parts") or [] if isinstance(part, dict)]
            yield from _message(message["info"], parts, reading)


def sessions(database: Path, folder: Path) -> list[tuple[str, int]]:
    """Return id and last change (milliseconds) of the database's sessions in `folder`, oldest first.

    Sessions of subagents are left out.
    """
    query = (
        "select id, time_updated from session where directory = ? and parent_id is null order by time_created"
    )
    return [(str(key), int(updated)) for key, updated in _rows(database, query, (str(folder),))]


def read_session(database: Path, session: str, reading: Reading) -> Iterator[Message]:
    """Yield the messages of one session in the database."""
    for directory, created in _rows(
        database, "select directory, time_created from session where id = ?", (session,)
    ):
        _head({"id": session, "directory": directory, "time": {"created": created}}, reading)
    query = (
        "select m.id, m.data, p.data from message m left join part p on p.message_id = m.id "
        "where m.session_id = ? order by m.time_created, m.id, p.time_created, p.id"
    )
    last, info, parts = "", {}, []  # type: str, dict[str, Any], list[dict[str, Any]]
    for key, message, part in _rows(database, query, (session,)):
        if key != last:
            yield from _message(info, parts, reading)
            last, info, parts = str(key), {**_object(message), "id": key}, []
        parts.append(_object(part))
    yield from _message(info, parts, reading)


def _rows(database: Path, query: str, values: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    import sqlite3  # a foreign database, read only; hipo's own index is recall's

    try:
        connection = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        try:
            yield from connection.execute(query, values)
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise ReadError(
            f"{database}: OpenCode's database cannot be read ({error})",
            "import what `opencode export ID` prints instead",
        ) from error


def _object(text: object) -> dict[str, Any]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _head(info: dict[str, Any], reading: Reading) -> None:
    reading.session = reading.session or str(info.get("id") or "")
    reading.cwd = reading.cwd or str(info.get("directory") or "")
    time = info.get("time")
    reading.saw(when(time.get("created")) if isinstance(time, dict) else None)


def _message(info: dict[str, Any], parts: list[dict[str, Any]], reading: Reading) -> Iterator[Message]:
    role = info.get("role")
    if role not in (USER, ASSISTANT) or info.get("summary") is True or info.get("mode") == "compaction":
        return
    said = []
    for part in parts:
        text = part.get("text")
        if part.get("type") == "text" and isinstance(text, str):
            if not part.get("synthetic") and not part.get("ignored"):
                said.append(without_injected(text))
        elif part.get("type") == "file" and role == USER:
            said.append(IMAGE)
    time = info.get("time")
    at = when(time.get("created")) if isinstance(time, dict) else None
    reading.saw(at)
    body = "\n\n".join(text for text in said if text)
    if body:
        yield Message(str(info.get("id")), role, body, at)
