"""What the commands of `hipo brain` share: text from stdin, their JSON, output that must arrive."""

import os
import select
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.brain.openlists import open_lists
from hipocampus.cli.context import Here
from hipocampus.cli.render import print_text
from hipocampus.errors import HipoError, UsageError, WriteError
from hipocampus.files import decode, read_bytes

if TYPE_CHECKING:
    from hipocampus.brain.conversation import Turn
    from hipocampus.brain.handoff import Handoff
    from hipocampus.brain.stores import ListStore

PIPE_SECONDS = 2.0  # how long a pipe that may hold a message is waited for


def brain_lists(here: Here) -> "ListStore":
    """Return the store of conversations and handoffs that the settings name."""
    return open_lists(here.config.brain, here.store, here.now)


def turn_json(turn: "Turn") -> dict[str, object]:
    """Return a turn with the fields of its record."""
    return {
        "ts": turn.ts,
        "agent_id": turn.agent_id,
        "role": turn.role,
        "content": turn.content,
        "tags": list(turn.tags),
    }


def note_json(note: "Handoff") -> dict[str, object]:
    """Return a note with the fields of its record."""
    return {
        "ts": note.ts,
        "from_agent_id": note.from_agent_id,
        "to_agent_id": note.to_agent_id,
        "summary": note.summary,
        "links": dict(note.links),
    }


def redacted_words(counts: dict[str, int]) -> str:
    """Return what was taken out, as the end of a line; "" for nothing."""
    return "; redacted: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) if counts else ""


def needed_text(value: str | None, where: str) -> str:
    """The text that a command needs: its argument, else stdin."""
    if value is not None and value != "-":
        return value
    if value is None and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError(f"{where}: there is no text", "give it as an argument or on stdin")
    return stdin_text()


def given_text(message: str) -> str:
    """Return an argument, or stdin where it is `-`."""
    return stdin_text() if message == "-" else message


def piped_text() -> str:
    """What a pipe or file on stdin holds; "" for a terminal, nothing at all, or a pipe on which nobody writes."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if stat.S_ISREG(kind):
        return stdin_text()
    if not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        return ""
    if (
        os.name != "nt" and not select.select([sys.stdin], [], [], PIPE_SECONDS)[0]
    ):  # Windows waits for sockets alone
        return ""
    return stdin_text()


def stdin_text() -> str:
    """Return the whole of stdin."""
    if sys.stdin is None:
        raise UsageError("stdin: it is closed", "give the text as an argument")
    return decode(sys.stdin.buffer.read())


def document_text(file: str) -> str:
    """Return a file's text; HipoError when there is none."""
    data = read_bytes(Path(file))
    if data is None:
        raise HipoError(f"{file}: there is no such file", "check the path")
    return decode(data)


def print_surely(text: str) -> None:
    """Print what is cleared once it was read; WriteError when it did not leave this process."""
    # Where the caller closed stdout, hipo opened another one, which takes everything.
    if getattr(sys.stdout, "name", "") == os.devnull:
        raise WriteError("stdout: it is closed", "nothing was cleared; give the words somewhere to go")
    print_text(text)
