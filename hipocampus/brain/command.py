"""A program as a model: the prompt on its stdin, the reply on its stdout.

It runs in an empty temporary folder and with `HIPO_OFF=1`, so that an agent's own hooks stay silent and its
transcript never becomes memory.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hipocampus.brain.client import ModelError
from hipocampus.redact import redact

TIME_LIMIT_SECONDS = 600.0


def run_command(
    command: Sequence[str], prompt: str, root: Path, *, limit_seconds: float = TIME_LIMIT_SECONDS
) -> str:
    """Return what a program answers to a prompt. A path with a slash is seen from the project's root.

    Errors: ModelError when it cannot be started, fails, says nothing, or takes longer than `limit_seconds`; then
    everything that it started in its session is ended.
    """
    if not command:
        raise ModelError("command: no program is named", 'set brain.command, as ["claude", "-p"]')
    program = _program(command[0], root)
    with tempfile.TemporaryDirectory(prefix="hipo-") as folder:
        try:
            process = subprocess.Popen(
                [program, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, "HIPO_OFF": "1"},
                start_new_session=True,
            )
        except OSError as error:
            raise ModelError(
                f"command {command[0]}: cannot be started ({error.strerror})", "check brain.command"
            ) from None
        with process:  # closes the pipes, whatever happens
            try:
                out, err = process.communicate(prompt.encode("utf-8", "replace"), limit_seconds)
            except subprocess.TimeoutExpired:
                raise ModelError(
                    f"command {command[0]}: no answer within {limit_seconds:g} s",
                    "try again, or name another program",
                ) from None
            finally:
                _end(process)
    return _answer(command[0], process.returncode, out, err)


def _program(name: str, root: Path) -> str:
    if "/" in name or os.sep in name:
        return str(root / name)
    found = shutil.which(name)
    if found is None:
        raise ModelError(f"command {name}: not found", "install it, or correct brain.command")
    return str(Path(found).absolute())  # a relative PATH would be seen from the temporary folder


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and what it started, and wait for it. One that has ended already is left alone."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


def _answer(name: str, status: int, out: bytes, err: bytes) -> str:
    reply = out.decode("utf-8", "replace")
    if status:
        said = " ".join((err or out).decode("utf-8", "replace").split())[:200]
        raise ModelError(
            f"command {name}: ended with {status}" + (f" ({redact(said).text})" if said else ""),
            "run it by hand to see more",
        )
    if not reply.strip():
        raise ModelError(f"command {name}: the reply is empty", "run it by hand to see more")
    return reply
