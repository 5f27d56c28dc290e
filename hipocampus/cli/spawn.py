"""Compactions that outlive the process which begins them; they log into `.hipo/compaction.log`."""

import sys
from pathlib import Path


def spawn_compaction(root: Path, *options: str) -> None:
    """Start `hipo compact --quiet` with further options in a session of its own."""
    import subprocess

    with (root / "memory" / ".hipo" / "compaction.log").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "--root", str(root), "compact", *options, "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=root,
        )
