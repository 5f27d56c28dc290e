"""Time compaction and start on a tree of ten years, as ratios that hold on any machine.

    python bench/tree.py [--days 3650] [--keep DIR]

Prints, each as a ratio of medians in one run:
  cold      a first compaction, against reading all logs and writing each node once
  changed   compaction after one changed log, against a minimal Typer program's start-up
  same      compaction with nothing changed, against the same
  start     `hipo start` with nothing due, against the same
"""

import argparse
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from hipocampus.memory.periods import week_of

MINIMAL = """import typer
app = typer.Typer()
@app.command()
def a(): print("a")
@app.command()
def b(): print("b")
app()
"""
FIRST = date(2016, 1, 1)
TYPES = ("project", "project", "project", "feedback", "user", "reference")


def make_tree(root: Path, days: int) -> date:
    """Write `days` logs of about four entries each; return the last day."""
    memory = root / "memory"
    memory.mkdir(parents=True)
    (root / "hipocampus.config.json").write_text("{}\n")
    for name in ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"):
        (root / name).write_text(f"# {name[:-3].title()}\n\n## Current State\n- all is well\n")
    (memory / "ROOT.md").write_text("---\ntype: root\n---\n")
    for number in range(days):
        day = FIRST + timedelta(days=number)
        entries = []
        for n in range(3 + number % 3):
            topic = f"Topic {(number * 7 + n * 131) % 700}"
            kind = TYPES[(number + n) % len(TYPES)]
            if kind == "feedback":
                body = f"- rule: keep module {number % 97} small\n- why: it grew in week {number // 7}\n- how-to-apply: every review of area {n}"
            else:
                body = (
                    f"- request: look at case {number * 10 + n} of the importer\n"
                    f"- analysis: files of shard {number % 13} arrive late, {n * 17 + 3} of them twice\n"
                    f"- decisions:\n  - retry {n + 2} times — the queue is slow at night\n  - log the id {number:05d}-{n}\n"
                    f"- outcome: src/importer/part_{number % 40}.py, {n + 4} tests, v1.{number % 30}.{n}\n"
                    f"- references: knowledge/importer-{number % 25}.md"
                )
            entries.append(f"## {topic} [{kind}]\n<!-- 1{n}:05 -->\n{body}\n")
        (memory / f"{day}.md").write_text(f"# {day}\n\n" + "\n".join(entries))
    return FIRST + timedelta(days=days - 1)


def run(command: list[str], env: dict[str, str]) -> float:
    """Return the wall seconds of a process that must succeed."""
    began = time.perf_counter()
    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - began


def paired(one: Callable[[], float], other: Callable[[], float], runs: int) -> tuple[float, float, float]:
    """Return the medians of two measurements taken in turn, and the median of their ratios."""
    pairs = [(one(), other()) for _ in range(runs)]
    return (
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def read_and_write(root: Path, scratch: Path) -> float:
    """Read every log and write as many bytes as there are in every node, each once."""
    nodes = [
        p for level in ("daily", "weekly", "monthly") for p in sorted((root / "memory" / level).glob("*.md"))
    ]
    contents = [p.read_bytes() for p in nodes]
    began = time.perf_counter()
    for path in sorted((root / "memory").glob("*.md")):
        path.read_bytes()
    for number, data in enumerate(contents):
        temporary = scratch / f"{number}.tmp"
        temporary.write_bytes(data)
        temporary.replace(scratch / f"{number}.md")
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=3650)
    parser.add_argument("--runs", type=int, default=31)
    parser.add_argument("--keep", type=Path, help="make the tree here and leave it")
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="hipo-bench-"))
    root = options.keep or base / "tree"
    last = make_tree(root, options.days)
    # Byte code must be cached, or every run compiles the package anew and measures that.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = {**kept, "HIPO_NOW": f"{last + timedelta(days=1)}T09:00:00Z", "TZ": "UTC"}
    # As a hook or cron calls it; -m of Python loads more.
    script = shutil.which("hipo", path=Path(sys.executable).parent)
    hipo = [*([script] if script else [sys.executable, "-m", "hipocampus"]), "--root", str(root)]
    minimal = base / "minimal.py"
    minimal.write_text(MINIMAL)
    log = root / "memory" / f"{last}.md"

    cold = run([*hipo, "compact", "--force"], env)
    scratch = base / "scratch"
    scratch.mkdir()
    plain = statistics.median(read_and_write(root, scratch) for _ in range(3))
    weeks = len({week_of(FIRST + timedelta(days=n)) for n in range(options.days)})
    print(f"tree: {options.days} logs, {weeks} weeks")
    print(f"cold     {cold:7.3f} s   plain reading and writing {plain:7.3f} s   ratio {cold / plain:6.2f}")

    text, number = log.read_text(), itertools.count()

    def changed() -> float:
        log.write_text(f"{text}\n## One more [project]\n- outcome: {next(number)} done\n")
        return run([*hipo, "compact", "--force"], env)

    def startup() -> float:
        return run([sys.executable, str(minimal), "a"], env)

    measures: dict[str, Callable[[], float]] = {
        "changed": changed,
        "same": lambda: run([*hipo, "compact", "--force"], env),
        "start": lambda: run([*hipo, "start"], env),
    }
    for name, measure in measures.items():
        measure()
        ours, theirs, ratio = paired(measure, startup, options.runs)
        print(f"{name:8s} {ours:7.3f} s   minimal Typer program     {theirs:7.3f} s   ratio {ratio:6.2f}")
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
