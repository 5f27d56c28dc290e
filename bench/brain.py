"""Time `hipo brain prompt` on a tree of ten years, as a ratio to the start-up of a minimal Typer program.

    python bench/brain.py [--days 3650] [--runs 9]

The index of recall is built before the clock runs. Prints, each as a ratio of medians taken in turn:
  message    persona, snippets and the message
  shared     and the hot files, handoffs and the history
  no match   a message that nothing in the memory fits
"""

import argparse
import os
import shutil
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from tree import MINIMAL, make_tree, paired, run


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=3650)
    parser.add_argument("--runs", type=int, default=9)
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="hipo-bench-"))
    root = base / "tree"
    last = make_tree(root, options.days)
    # Byte code must be cached, or every run compiles the package anew and measures that.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "HIPO_NOW": f"{last + timedelta(days=1)}T09:00:00Z", "TZ": "UTC"}
    brain = [sys.executable, "-m", "hipocampus", "--root", str(root), "brain"]
    minimal = base / "minimal.py"
    minimal.write_text(MINIMAL)
    for number in range(20):
        run([*brain, "handoff", "write", "--to", "builder", f"note {number} " + "words " * 30], env)
        run([*brain, "turn", "add", "--conversation", "c1", "--role", "user", f"turn {number}"], env)
    question = "how often is the importer retried at night?"
    shared = ["--agent", "builder", "--conversation", "c1", "--hot"]
    calls = {"message": [question], "shared": [question, *shared], "no match": ["xyzzy plugh"]}
    print(f"tree: {options.days} logs")
    for name, words in calls.items():
        command = [*brain, "prompt", *words]
        run(command, env)
        ours, theirs, ratio = paired(
            lambda command=command: run(command, env),
            lambda: run([sys.executable, str(minimal), "a"], env),
            options.runs,
        )
        print(f"{name:9s} {ours:7.3f} s   minimal Typer program {theirs:7.3f} s   ratio {ratio:5.2f}")
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
