"""A memory to wire, and transcripts to read, without the real home."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from hipocampus.memory.store import MemoryStore
from hipocampus.session.init import plan_tree

FIXTURES = Path(__file__).parent / "fixtures"
NOW = datetime(2026, 3, 10, 10, 0, tzinfo=UTC)
DAY = date(2026, 3, 10)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder, in which clients keep their transcripts."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with an empty memory."""
    folder = tmp_path / "project"
    folder.mkdir()
    for change in plan_tree(folder, DAY, []):  # as apply does, without waiting for the disk
        if change.folder:
            change.path.mkdir()
        else:
            change.path.write_bytes(change.after or b"")
    return folder


@pytest.fixture
def store(root: Path) -> MemoryStore:
    return MemoryStore(root)


Row = dict[str, Any]


def said(number: int, role: str, text: str, **more: Any) -> Row:
    """A row of a Claude Code transcript: `u1` at 09:01, and so on."""
    content: Any = text if role == "user" else [{"type": "text", "text": text}]
    return {
        "type": role,
        "uuid": f"u{number}",
        "sessionId": "s1",
        "timestamp": f"2026-03-10T09:{number % 60:02d}:00.000Z",
        "message": {"role": role, "content": content},
        **more,
    }


@pytest.fixture
def transcript(tmp_path: Path) -> Callable[..., Path]:
    """Write rows into a transcript; the same name again replaces it."""

    def write(rows: list[Row], name: str = "s1.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write
