"""What `hipo status` does."""

from pathlib import Path

from hipocampus.cli.context import Call, opened
from hipocampus.cli.render import is_terminal, print_json, print_notes, print_text
from hipocampus.cli.status_text import as_document, as_text, next_due
from hipocampus.cli.words import FLAG, Words
from hipocampus.files import read_bytes
from hipocampus.session.status import status_of

WORDS = Words({"--due": ("due", FLAG), "--json": ("as_json", FLAG)})


def run_status(call: Call, *, due: bool = False, as_json: bool = False) -> None:
    """Print what the memory holds, or only what is due."""
    here = opened(call)
    status = status_of(
        here.store,
        here.config,
        here.now,
        here.zone,
        handoffs=_handoffs(here.store.memory),
        conversations=len(_files(here.store.memory, "conversations")),
    )
    if as_json:
        print_json({"due": status.due_lines()} if due else as_document(status))
    elif due:
        for line in status.due_lines():
            print_text(line)
    elif is_terminal():
        from hipocampus.cli.render_status import show_status

        show_status(status, next_due(status, here.zone))
    else:
        print_text(as_text(status, next_due(status, here.zone)))
        print_notes(status.compaction.notes)


def _files(memory: Path, kind: str) -> list[Path]:
    return sorted((memory / "brain" / kind).glob("*.jsonl"))


def _handoffs(memory: Path) -> dict[str, int]:
    """Unread notes per agent, counted in the files."""
    found = {}
    for path in _files(memory, "handoffs"):
        count = sum(bool(line.strip()) for line in (read_bytes(path) or b"").split(b"\n"))
        if count:
            found[path.stem] = count
    return found
