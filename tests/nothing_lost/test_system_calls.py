"""The same from outside, by strace: the real program, killed or failing at a real system call."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nothing_lost.commands import LATER, WORD
from nothing_lost.faults import calls

LOG = "memory/2026-03-16.md"


def can_trace() -> bool:
    """Whether strace is there and may trace: containers often forbid it."""
    if shutil.which("strace") is None:
        return False
    tried = subprocess.run(["strace", "-f", "-o", os.devnull, "true"], capture_output=True, check=False)
    return tried.returncode == 0


pytestmark = pytest.mark.skipif(not can_trace(), reason="strace is not installed, or may not trace here")


def traced(root: Path, inject: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the real program with a fault at a system call: `fsync:signal=KILL:when=2`."""
    return subprocess.run(
        [
            "strace",
            "-f",
            "-qq",
            "-o",
            os.devnull,
            "-e",
            f"inject={inject}",
            sys.executable,
            "-m",
            "hipocampus",
            *words,
        ],
        cwd=root,
        env={**os.environ, "HIPO_NOW": LATER, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


SAVE = ("checkpoint", "Payment flow", "--outcome", f"token bucket {WORD}")


@pytest.mark.parametrize(
    "inject",
    [
        "fsync:signal=KILL:when=1",
        "fsync:signal=KILL:when=2",
        "/^rename:signal=KILL:when=1",
        "/^rename:signal=KILL:when=2",
    ],
)
def test_the_program_killed_at_a_system_call_is_healed(inject: str, trial: Callable[[], Path]) -> None:
    root = trial()
    old = {path: path.read_bytes() for path in (root / "memory").glob("2026-*.md")}
    done = traced(root, inject, *SAVE)
    assert done.returncode != 0 and not done.stdout, done
    assert all(path.read_bytes() == data for path, data in old.items())
    json.loads((root / "memory/.compaction-state.json").read_text())
    ended = calls(root, [(list(SAVE), ""), (["compact", "--force"], ""), (["doctor"], "")], now=LATER)
    assert [e.status for e in ended] == [0, 0, 0], ended
    assert (root / LOG).read_text().count(WORD) == 1 and not list(root.rglob("*.tmp"))


@pytest.mark.parametrize(
    ("inject", "said"),
    [
        ("fsync:error=EIO:when=1", "Input/output error"),
        ("/^rename:error=EROFS:when=1", "Read-only file system"),
        ("fsync:error=ENOSPC", "No space left on device"),
    ],
)
def test_the_program_told_that_a_call_failed_gives_the_text_back(
    inject: str, said: str, trial: Callable[[], Path]
) -> None:
    root = trial()
    done = traced(root, inject, *SAVE)
    line, *rest = done.stderr.splitlines()
    assert done.returncode == 1 and line.startswith("hipo: ") and said in line and "; " in line
    assert f"- outcome: token bucket {WORD}" in rest
    assert not (root / LOG).exists() and not list(root.rglob("*.tmp"))
