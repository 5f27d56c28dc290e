"""How many handoffs wait in the files, for the line at a session's start. Loads nothing else of the brain."""

from pathlib import Path

from hipocampus.files import read_bytes


def unread_handoffs(memory: Path) -> int:
    """Return the number of notes in memory/brain/handoffs/, whoever they are for."""
    files = sorted((memory / "brain" / "handoffs").glob("*.jsonl"))
    return sum(
        len([line for line in (read_bytes(file) or b"").split(b"\n") if line.strip()]) for file in files
    )
