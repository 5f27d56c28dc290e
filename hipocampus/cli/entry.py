"""The program's entry: hooks and the daily commands go a short way that loads no command-line library."""

import contextlib
import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import Never

# Objects between two looks for cycles; Python looks every 700. A command makes few cycles and ends soon, and the
# looks were a twentieth of its time.
GC_OBJECTS = 100_000


def main(arguments: Sequence[str] | None = None) -> Never:
    """Run the command line and end the process with its exit status."""
    gc.set_threshold(GC_OBJECTS)
    try:
        sys.exit(_status(arguments))
    except KeyboardInterrupt:  # before the boundary was loaded
        sys.exit(130)
    finally:
        gc.freeze()  # Python looks for cycles twice more while it ends, among objects that go with the process


def _status(arguments: Sequence[str] | None) -> int:
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        _open_closed_streams()
    if arguments is None:
        arguments = [_as_utf8(word) for word in sys.argv[1:]]
    if "hook" in arguments[:5]:
        from hipocampus.cli.hookcall import hook_call, serve

        call = hook_call(arguments)
        if call is not None:
            with contextlib.suppress(KeyboardInterrupt):  # meant for the agent; its hook ends as always
                serve(call)
            return 0
    speak_utf8()
    return run(list(arguments))


def run(words: list[str]) -> int:
    """Run the command line with these words and return the exit status."""
    from hipocampus.cli.boundary import guarded

    def called() -> int:
        from hipocampus.cli.shortway import read_words

        known = read_words(words)
        if known is not None:
            return known.run()
        from hipocampus.cli.app import run_app

        return run_app(words)

    return guarded(called, debug="--debug" in words)


def speak_utf8() -> None:
    """Make the standard streams UTF-8 whatever the locale says; what has no encoding becomes a mark."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _as_utf8(word: str) -> str:
    return os.fsencode(word).decode("utf-8", "replace")


def _open_closed_streams() -> None:
    """Open what the caller closed (`>&-`): else the next file that hipo opens, a log or a lock, would be its stdout.

    Such a stream has the name of the null device, by which it is known where words must not be lost.
    """
    for handle, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8", opener=partial(_open_as, handle)))  # noqa: SIM115


def _open_as(handle: int, path: str, _flags: int) -> int:
    """Open a file under this number."""
    opened = os.open(path, os.O_RDWR)
    if opened != handle:
        os.dup2(opened, handle)
        os.close(opened)
    return handle
