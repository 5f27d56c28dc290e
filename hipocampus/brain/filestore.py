"""Conversations and handoffs as files: `memory/brain/<folder>/<id>.jsonl`, a line each."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from hipocampus.brain.stores import Kind
from hipocampus.clock import parse_instant
from hipocampus.files import encode, make_folder, read_text, remove_file, replace_file
from hipocampus.lock import FileLock
from hipocampus.memory.store import MemoryStore


class FileLists:
    """The lists of one memory tree. `now` (UTC) decides whose lifetime is over."""

    def __init__(self, store: MemoryStore, now: datetime) -> None:
        self.store = store
        self.now = now

    def place(self, kind: Kind, name: str) -> str:
        return self.store.relative(self._path(kind, name))

    def push(self, kind: Kind, name: str, lines: list[str]) -> None:
        path = self._path(kind, name)
        with self.store.lock():
            self._sweep(path.parent, kind)
            self._write(path, [*self._lines(path, kind), *lines][-kind.keep :])

    def read(self, kind: Kind, name: str) -> list[str]:
        return self._lines(self._path(kind, name), kind)

    @contextmanager
    def taking(self, kind: Kind, name: str) -> Iterator[list[str]]:
        """Readers take turns on a lock of their own, so that a slow output blocks nobody who writes."""
        hidden = self.store.ensure_hidden()
        with FileLock(hidden / "readers.lock", self.store.wait_seconds):
            lines = self.read(kind, name)
            yield lines
            self.remove(kind, name, lines)

    def remove(self, kind: Kind, name: str, lines: list[str]) -> None:
        path = self._path(kind, name)
        if not lines:
            return
        with self.store.lock():
            left = self._lines(path, kind)
            for line in lines:
                if line in left:
                    left.remove(line)
            self._write(path, left)

    def _path(self, kind: Kind, name: str) -> Path:
        return self.store.memory / "brain" / kind.folder / f"{name}.jsonl"

    def _lines(self, path: Path, kind: Kind) -> list[str]:
        text = read_text(path)
        if text is None:
            return []
        lines = [line for line in text.split("\n") if line.strip()]
        return [] if self._is_over(lines, kind.lifetime) else lines[-kind.keep :]

    def _is_over(self, lines: list[str], lifetime: timedelta) -> bool:
        """Whether the latest line with a time is older than the lifetime. Without any time, it is not."""
        for line in reversed(lines):
            if (at := line_time(line)) is not None:
                return self.now - at > lifetime
        return False

    def _write(self, path: Path, lines: list[str]) -> None:
        if not lines:
            remove_file(path)
            return
        if not path.parent.is_dir():
            make_folder(path.parent)
        replace_file(path, encode("\n".join(lines) + "\n"))

    def _sweep(self, folder: Path, kind: Kind) -> None:
        """Remove the lists of a folder whose lifetime is over; young files are not even read."""
        if not folder.is_dir():
            return
        limit = (self.now - kind.lifetime).timestamp()
        for path in folder.glob("*.jsonl"):
            if path.is_file() and path.stat().st_mtime < limit:
                with_lines = [line for line in (read_text(path) or "").split("\n") if line.strip()]
                if self._is_over(with_lines, kind.lifetime):
                    remove_file(path)


def line_time(line: str) -> datetime | None:
    """Return the instant of a record, None when the line is damaged or has none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return parse_instant(value.get("ts")) if isinstance(value, dict) else None
