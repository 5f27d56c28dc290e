"""What `hipo hook` does, without the command line's libraries: it runs at every prompt, and must be quick."""

import contextlib
import os
import select
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hipocampus.cli.spawn import spawn_compaction
from hipocampus.config import environment, is_off
from hipocampus.errors import HipoError
from hipocampus.platforms.hook import Actions, Event, Moment, report, run

STDIN_SECONDS = 1.0  # for the JSON to arrive; a client writes it at once
INPUT_BYTES = 16 << 20  # of JSON on stdin; a longer one is cut, and so describes nothing


class HookCall(NamedTuple):
    """A call of `hipo hook`: what was named, and the words that it does not know."""

    root: str | None
    event: str | None
    unknown: tuple[str, ...] = ()


def hook_call(words: Iterable[str]) -> HookCall | None:
    """Return what a call of `hipo hook` names; None for every other call, and where help is asked for.

    What it does not know is no wrong usage: an exit status of 2 would block the agent's prompt.
    """
    root, plain, unknown, rest = None, [], [], iter(words)
    for word in rest:
        if word in ("--help", "-h", "--version"):
            return None
        if word == "--root":
            root = next(rest, None)
        elif word.startswith("--root="):
            root = word.removeprefix("--root=")
        elif word.startswith("-"):
            unknown += [word] if word not in ("--", "--debug") else []
        else:
            plain.append(word)
    if plain[:1] != ["hook"]:
        return None
    return HookCall(root, plain[1] if len(plain) > 1 else None, (*unknown, *plain[2:]))


def serve(call: HookCall) -> None:
    """Handle one event: JSON from stdin, the answer to stdout. Never fails, never waits for an open pipe."""
    if is_off():
        return
    raw, root = "", call.root or environment("HIPO_ROOT")
    try:
        raw = read_stdin()
        if call.unknown:
            report(raw, call.event, root, HipoError(f"hook: does not know {' '.join(call.unknown)}"))
        answer = run(raw, call.event, root, _open, ACTIONS)
        if failure := _print(answer) if answer else None:
            report(raw, call.event, root, failure)
    except Exception as error:  # a bug outside of what run guards; the session goes on
        report(raw, call.event, root, error)


def _print(answer: str) -> HipoError | None:
    """Print the answer; return why it could not be: stdout is full, or its reader has gone."""
    try:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.flush()
    except OSError as error:
        with contextlib.suppress(
            OSError
        ):  # what the stream still holds goes nowhere: Python would end with 120
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return HipoError(f"the answer was not written ({error.strerror or error})")
    return None


def read_stdin() -> str:
    """Return what stands on stdin: all of it, or what came until the JSON was whole or the time was over."""
    try:
        handle = sys.stdin.fileno()
        if os.isatty(handle):
            return ""
    except (AttributeError, OSError, ValueError):  # there is no stdin
        return ""
    data = bytearray()
    limit = time.monotonic() + STDIN_SECONDS
    while len(data) < INPUT_BYTES and (left := limit - time.monotonic()) > 0:
        ready, _, _ = select.select([handle], [], [], left)
        if not ready:
            break
        part = os.read(handle, 1 << 16)
        if not part:
            break
        data += part
        if data.rstrip().endswith(b"}") and _is_whole(data):
            break
    return data.decode("utf-8", "replace")


def _is_whole(data: bytearray) -> bool:
    import json

    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _open(root: Path, wait_seconds: float) -> Moment:
    from hipocampus import clock
    from hipocampus.config import load_config
    from hipocampus.memory.store import MemoryStore

    config = load_config(root)
    return Moment(MemoryStore(root, wait_seconds), config, clock.now(), config.zone)


def _start(moment: Moment, event: Event, loaded: frozenset[str]) -> str:
    from hipocampus.session.start import start

    begun = start(
        moment.store,
        moment.config,
        moment.now,
        moment.zone,
        session=event.session or None,
        source=event.source or "startup",
        loaded=loaded,
        handoffs=_handoffs(moment.store.memory),
        spawn=spawn_compaction,
    )
    return _plain(begun.context)


def _plain(text: str) -> str:
    """Text without the terminal codes and control characters that a memory's files may hold."""
    if all(char >= " " or char in "\n\t" for char in text) and "\x7f" not in text:
        return text
    from hipocampus.memory.store import clean

    return clean(text).text


def _handoffs(memory: Path) -> int:
    if not (memory / "brain" / "handoffs").is_dir():
        return 0
    from hipocampus.brain.waiting import unread_handoffs

    return unread_handoffs(memory)


def _compact(moment: Moment) -> None:
    from hipocampus.compaction.run import compact
    from hipocampus.platforms.hook import log_failure

    # Whatever the triggers say: what comes after the agent's own compaction starts from these files.
    done = compact(moment.store, moment.config, moment.now, moment.zone, forced=True)
    if done.ran and "openclaw" in moment.config.platforms:
        from hipocampus.platforms.openclaw import refresh_mirror

        refresh_mirror(moment.store.root)
    for problem in done.problems:
        log_failure(moment.store.root, "compaction", HipoError(f"{problem.path}: {problem.message}"))


def _spawn_ingest(root: Path) -> None:
    spawn_compaction(root, "--ingest")


ACTIONS = Actions(start=_start, compact=_compact, spawn_ingest=_spawn_ingest)
