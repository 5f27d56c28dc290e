"""Run `hipo`: in this process, which is fast, or as the real program."""

import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hipocampus.cli.entry import run

NOW = "2026-03-15T09:00:00Z"


class Ran(NamedTuple):
    """What a call of the program did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Hipo:
    """Calls of the command line in this process, on one memory, at one moment."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.now = NOW
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str, stdin: str | bytes | None = None, cwd: Path | None = None) -> Ran:
        """Run the words; stdin is empty as from /dev/null unless a text is given."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        with (
            tempfile.TemporaryFile() as text,
            Path(os.devnull).open("rb") as nothing,
            self._monkeypatch.context() as patch,
        ):
            text.write(data or b"")
            text.seek(0)
            given = nothing if data is None else text
            out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="") for _ in range(2))
            patch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8", errors="replace"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            patch.setenv("HIPO_NOW", self.now)
            patch.chdir(cwd or self.root)
            status = run(list(words))
            out.flush()
            err.flush()
            sys.stdin.close()
        return Ran(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]


def hipo_process(
    root: Path, *words: str, stdin: str | bytes | None = None, now: str = NOW, **environment: str
) -> Ran:
    """Run the real program to its end."""
    done = begin_process(root, *words, now=now, **environment)
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = done.communicate(data or b"", timeout=120)
    return Ran(done.returncode, out.decode(), err.decode())


def begin_process(
    root: Path, *words: str, now: str = NOW, program: str = "", **environment: str
) -> subprocess.Popen[bytes]:
    """Start the real program, or a few lines of Python in its place, and return the process."""
    command = (
        [sys.executable, "-c", program, *words] if program else [sys.executable, "-m", "hipocampus", *words]
    )
    return subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, "HIPO_NOW": now, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
