"""Output: plain when piped, readable on a terminal. The only module that imports rich."""

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from hipocampus.errors import WriteError
from hipocampus.files import reason

if TYPE_CHECKING:
    from rich.console import Console

_ESCAPES = "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?)|[\x00-\x08\x0b-\x1f\x7f-\x9f]"


def is_terminal() -> bool:
    """True when stdout is a terminal, where colour and boxes may be used."""
    return sys.stdout.isatty()


def plain(text: str) -> str:
    """Return memory text as it may go to any output: without terminal codes and control characters."""
    if text.replace("\n", "").isprintable():  # nearly all is, and then no pattern is compiled
        return text
    return re.sub(_ESCAPES, "", text)


def print_text(text: str = "") -> None:
    """Print text to stdout as it is: no wrapping, no colour, no markup."""
    _to_stdout(plain(text))


def print_json(value: Any) -> None:
    """Print one JSON document to stdout."""
    _to_stdout(json.dumps(value, ensure_ascii=False, indent=2))


def print_piece(text: str) -> None:
    """Print a piece of a text that is still coming: without a newline, and at once."""
    _to_stdout(plain(text), end="")


def _to_stdout(text: str, end: str = "\n") -> None:
    """Print text at once; a WriteError where stdout cannot take it. A reader that went away is no failure of ours."""
    try:
        sys.stdout.write(f"{text}{end}")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise stdout_failed(error) from error


def print_exactly(data: bytes) -> None:
    """Write bytes to stdout as they are, and make sure that they left; a WriteError where it cannot take them."""
    try:
        if data:
            sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise stdout_failed(error) from error


def stdout_failed(error: OSError) -> WriteError:
    """Return the failure of stdout as people read it. Nothing more goes there."""
    discard(sys.stdout)
    return WriteError(f"stdout: not written ({reason(error)})", "make room there, then try again")


def discard(stream: TextIO) -> None:
    """Lead a stream into nothing: what it holds back must not fail again when the process ends."""
    with contextlib.suppress(OSError, ValueError):  # a stream without a handle, or one that is closed
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)


def print_notes(lines: Iterable[str]) -> None:
    """Print remarks to stderr, a line each: talk that must not mix with data."""
    for line in lines:
        print_error(plain(f"hipo: {line}"))


def print_error(text: str) -> None:
    """Print text to stderr. Where stderr takes nothing, nobody can be told, and the work or the exit status goes on."""
    try:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def console(error: bool = False) -> "Console":
    """Return a rich console for a terminal. Memory text must be passed as `rich.text.Text`, never as markup."""
    from rich.console import Console

    return Console(stderr=error, markup=False, highlight=False, emoji=False)
