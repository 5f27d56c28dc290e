"""What `hipo hook` does, without the command line's libraries: it runs at every prompt, and must be quick."""

import os
import select
import sys
import time
from pathlib import Path

from hipocampus.config import environment, is_off
from hipocampus.platforms.hook import Actions, Event, Moment, run

STDIN_SECONDS = 1.0  # for the JSON to arrive; a client writes it at once
INPUT_BYTES = 16 << 20  # of JSON on stdin; a longer one is cut, and so describes nothing


def serve(root: str | None, event: str | None) -> None:
    """Handle one event: JSON from stdin, the answer to stdout. Never raises, never waits for an open pipe."""
    if is_off():
        return
    answer = run(read_stdin(), event, root or environment("HIPO_ROOT"), _open, ACTIONS)
    if answer:
        sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.flush()


def fast_words(words: list[str]) -> tuple[str | None, str | None] | None:
    """Return root and event when the words are a plain call of `hipo hook`; None for anything else."""
    root = None
    if len(words) > 2 and words[0] == "--root":
        root, words = words[1], words[2:]
    if not words or words[0] != "hook" or len(words) > 2 or any(word.startswith("-") for word in words):
        return None
    return root, words[1] if len(words) == 2 else None


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
        spawn=_spawn_compaction,
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
    from hipocampus.errors import HipoError
    from hipocampus.platforms.hook import log_failure

    report = compact(moment.store, moment.config, moment.now, moment.zone)
    if report.ran and "openclaw" in moment.config.platforms:
        from hipocampus.platforms.openclaw import refresh_mirror

        refresh_mirror(moment.store.root)
    for problem in report.problems:
        log_failure(moment.store.root, "compaction", HipoError(f"{problem.path}: {problem.message}"))


def _spawn_compaction(root: Path) -> None:
    from hipocampus.cli.start import spawn_compaction

    spawn_compaction(root)


def _spawn_ingest(root: Path) -> None:
    import subprocess

    with (root / "memory" / ".hipo" / "compaction.log").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "--root", str(root), "compact", "--ingest", "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=root,
        )


ACTIONS = Actions(start=_start, compact=_compact, spawn_ingest=_spawn_ingest)
