"""Many processes at once, processes that are killed, stopped or out of room: nothing is lost, nothing is torn."""

import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Never

import pytest
from support.command import begin_process
from support.trees import at, compacted, places, snapshot, write_logs

from hipocampus.compaction.begin import MARK
from hipocampus.compaction.run import compact
from hipocampus.config import Config
from hipocampus.memory.entries import parse_log
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.store import Draft, MemoryStore
from hipocampus.session.checkpoint import checkpoint

WRITERS = 20
STATE = "memory/.compaction-state.json"
DAY = "2026-03-15"

# Checkpoints one after the other, each acknowledged by a line.
CHECKPOINT = """
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from hipocampus.config import Config
from hipocampus.memory.store import Draft, MemoryStore
from hipocampus.session.checkpoint import checkpoint
store = MemoryStore(Path.cwd(), 60)
sys.stdin.readline()
for n in range(int(sys.argv[2])):
    drafts = [Draft(f"Topic {sys.argv[1]}-{n}", "project", "", "- outcome: step")]
    checkpoint(store, Config().compaction, drafts, [], session=None, day=date(2026, 3, 15),
               now=datetime(2026, 3, 15, 9, tzinfo=UTC), zone=UTC)
    print(f"{sys.argv[1]}-{n}", flush=True)
"""
HOLD = """
import sys, time
from pathlib import Path
from hipocampus.memory.store import MemoryStore
with MemoryStore(Path.cwd()).lock():
    print("held", flush=True)
    time.sleep(600)
"""
IMPATIENT = """
from pathlib import Path
from hipocampus.memory.store import MemoryStore
try:
    with MemoryStore(Path.cwd(), wait_seconds=0.3).lock():
        print("got it")
except Exception as error:
    print(type(error).__name__, error)
"""


def month_of_logs(root: Path, days: int = 28, lines: int = 60) -> None:
    write_logs(
        root,
        {
            f"2026-02-{day:02}": f"# 2026-02-{day:02}\n\n## Topic {day} [project]\n"
            + "".join(f"- step {n} of {day}\n" for n in range(lines))
            for day in range(1, days + 1)
        },
    )


def test_twenty_checkpoints_at_once_while_a_compaction_runs_lose_no_entry_and_no_count(root: Path) -> None:
    month_of_logs(root)

    def save(number: int) -> None:
        drafts = [Draft(f"Topic {number}", "project", "", "- outcome: step")]
        checkpoint(
            MemoryStore(root, 60),
            Config().compaction,
            drafts,
            [],
            session=None,
            day=None,
            now=at(DAY),
            zone=UTC,
        )

    work = [partial(save, number) for number in range(WRITERS)]
    work.insert(WRITERS // 2, lambda: compact(MemoryStore(root, 60), Config(), at(DAY), UTC, forced=True))
    assert all_at_once(work) == [0] * (WRITERS + 1)
    log = (root / f"memory/{DAY}.md").read_text()
    topics = [entry.topic for entry in parse_log(log).entries]
    assert sorted(topics) == sorted(f"Topic {number}" for number in range(WRITERS))
    assert log.count("\n") == 1 + 4 * WRITERS  # the title, then a blank line and three lines for each entry
    state = json.loads((root / STATE).read_text())
    count = state["checkpointsSinceLastCompaction"]  # those that came after the compaction wrote its zeros
    assert 0 <= count <= WRITERS
    assert state["rawLinesSinceLastCompaction"] == 4 * count + (1 if count == WRITERS else 0)
    compacted(root, DAY)
    assert parse_node((root / f"memory/daily/{DAY}.md").read_text()).body.count("## Topic") == WRITERS
    assert len([p for p in places(root) if p.startswith("daily/")]) == 29


def test_of_the_same_entry_from_ten_processes_one_is_written_and_counted(root: Path) -> None:
    def save() -> None:
        drafts = [Draft("Payment flow", "project", "", "- outcome: step")]
        checkpoint(
            MemoryStore(root, 60),
            Config().compaction,
            drafts,
            [],
            session=None,
            day=None,
            now=at(DAY),
            zone=UTC,
        )

    assert all_at_once([save] * 10) == [0] * 10
    assert len(parse_log((root / f"memory/{DAY}.md").read_text()).entries) == 1
    assert json.loads((root / STATE).read_text())["checkpointsSinceLastCompaction"] == 1


def all_at_once(work: Sequence[Callable[[], object]]) -> list[int]:
    """Run each piece of work in a process of its own, begun at the same moment, and return how each ended."""
    gate, opened = os.pipe()
    children = []
    for piece in work:
        child = os.fork()
        if not child:
            os.close(opened)
            os.read(gate, 1)  # until the gate opens for all
            _work_and_exit(piece)
        children.append(child)
    os.close(gate)
    os.close(opened)
    return [os.waitpid(child, 0)[1] for child in children]


def _work_and_exit(work: Callable[[], object]) -> Never:
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def test_two_compactions_at_once_make_the_tree_once(root: Path) -> None:
    month_of_logs(root, days=10)
    both = [begin_process(root, "compact", "--force", "--json", now="2026-03-15T09:00:00Z") for _ in range(2)]
    said = [json.loads(process.communicate(timeout=120)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert any(report["ran"] for report in said)
    for report in said:
        assert report["ran"] or report["skipped_because"] == "another compaction is running"
    assert len([p for p in places(root) if p.startswith("daily/")]) == 10


def test_killed_at_any_write_a_compaction_leaves_no_torn_file_and_the_next_command_finishes(
    root: Path, tmp_path: Path
) -> None:
    """A child of this process runs the compaction and is killed at its first, second, third … system call that writes."""
    expected = tmp_path / "expected"
    for tree in (root, expected):
        month_of_logs(tree, days=3, lines=3)
        (tree / "hipocampus.config.json").write_text("{}\n")
    compacted(expected, "2026-03-15")
    logs = {name: data for name, data in snapshot(root).items() if name.startswith("memory/2026")}
    for number in range(1, 1000):
        if not dies_at(number, lambda: compacted(root, "2026-03-15")):
            break
        assert_nothing_torn(root, logs)
        must_run = mark(root).exists() or not (root / STATE).exists()
        assert compact(MemoryStore(root), Config(), at(DAY), UTC).ran == must_run
        assert without_leftovers(root) == without_leftovers(expected)
        clear(root)
    assert number > 20  # there were that many writes, each was the last one once
    assert without_leftovers(root) == without_leftovers(expected)


def dies_at(number: int, work: Callable[[], object]) -> bool:
    """Run work in a child that is killed at its n-th writing system call, half a file written; False if it ended before."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or status == 0, "the child failed by itself"
        return os.WIFSIGNALED(status)
    calls = itertools.count(1)
    write, replace, unlink = os.write, Path.replace, Path.unlink

    def half(handle: int, data: bytes) -> int:
        if next(calls) == number:
            write(handle, bytes(data)[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return write(handle, data)

    def before(real: Callable[..., object]) -> Callable[..., object]:
        def call(*words: object, **options: object) -> object:
            if next(calls) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*words, **options)

        return call

    os.write, Path.replace, Path.unlink = half, before(replace), before(unlink)  # type: ignore[assignment,method-assign]
    _work_and_exit(work)


def assert_nothing_torn(root: Path, logs: dict[str, bytes]) -> None:
    for name, data in snapshot(root).items():
        if name.endswith(".md") and name.count("/") == 2:
            node = parse_node(data.decode())
            assert node.body_intact and node.text("summary"), name
    assert {name: data for name, data in snapshot(root).items() if name in logs} == logs
    for path in [root / STATE, *(root / "memory/.hipo").glob("*.json")]:
        if path.exists():
            json.loads(path.read_text())


def without_leftovers(root: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(root).items() if not name.endswith(".tmp")}


def clear(root: Path) -> None:
    """Take everything derived away, so that the next run has it all to write."""
    for folder in ("daily", "weekly", "monthly", ".hipo"):
        shutil.rmtree(root / "memory" / folder, ignore_errors=True)
    for path in (root / "memory").glob("[!2]*.*"):
        path.unlink()
    (root / STATE).unlink(missing_ok=True)


def mark(root: Path) -> Path:
    return root / "memory/.hipo" / MARK


def test_killed_at_any_moment_a_checkpoint_loses_nothing_that_was_acknowledged(root: Path) -> None:
    chance = random.Random(11)
    acknowledged: list[str] = []
    for round_ in range(5):
        process = begin_process(root, str(round_), "400", program=CHECKPOINT)
        assert process.stdin and process.stdout
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        rest = process.communicate()[0].decode().split("\n")
        acknowledged += [f"Topic {line}" for line in (f"{round_}-0", *rest) if re.fullmatch(r"\d+-\d+", line)]
        log = (root / "memory/2026-03-15.md").read_bytes()
        assert log.endswith(b"- outcome: step\n")
        json.loads((root / STATE).read_text())
    topics = [entry.topic for entry in parse_log(log.decode()).entries]
    assert set(acknowledged) <= set(topics) and len(set(topics)) == len(topics)
    assert (
        len(topics) - len(set(acknowledged)) <= 5
    )  # at most one a round was written and not yet acknowledged
    count = json.loads((root / STATE).read_text())["checkpointsSinceLastCompaction"]
    assert len(set(acknowledged)) <= count <= len(topics)


def test_a_stopped_process_that_holds_the_lock_gives_a_clear_error_and_a_killed_one_never_blocks(
    root: Path,
) -> None:
    holder = begin_process(root, program=HOLD)
    assert holder.stdout and holder.stdout.readline() == b"held\n"
    os.kill(holder.pid, signal.SIGSTOP)
    try:
        waited = begin_process(root, program=IMPATIENT).communicate(timeout=60)[0].decode()
        assert waited.startswith("LockTimeout") and f"(pid {holder.pid})" in waited
        assert str(root / "memory/.hipo/lock") in waited and "waited 0.3 s" in waited
    finally:
        os.kill(holder.pid, signal.SIGKILL)
        holder.communicate()
    assert begin_process(root, program=IMPATIENT).communicate(timeout=60)[0] == b"got it\n"


def test_without_room_for_a_file_the_entry_is_printed_back_and_the_old_log_stands(root: Path) -> None:
    """A limit on the size of files stands in for a full disk: every write beyond it fails."""
    old = "# 2026-03-15\n\n" + "".join(f"## Topic {n} [project]\n- outcome: x\n\n" for n in range(300))
    write_logs(root, {"2026-03-15": old})
    done = limited(root, 4096, "checkpoint", "Payment flow", "--outcome", "nothing is lost")
    assert done.returncode == 1
    assert (root / "memory/2026-03-15.md").read_text() == old
    first, *rest = done.stderr.decode().split("\n")
    assert first.startswith("hipo: ") and "2026-03-15.md: not written (File too large)" in first
    assert "## Payment flow [project]" in rest and "- outcome: nothing is lost" in rest
    assert not (root / STATE).exists()
    done = limited(root, 4096, "compact", "--force")
    assert done.returncode == 1 and b"Traceback" not in done.stderr
    assert b"daily/2026-03-15.md: not written" in done.stderr
    assert not [name for name in snapshot(root, own=True) if name.endswith(".tmp")]
    assert not any((root / "memory" / "daily").glob("*.md"))


def limited(root: Path, most_bytes: int, *words: str) -> subprocess.CompletedProcess[bytes]:
    program = (
        f"import resource, signal; resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, {most_bytes}))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nfrom hipocampus.cli.entry import main\nmain()"
    )
    process = begin_process(root, *words, program=program)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_stdout_is_an_error_and_no_traceback(root: Path) -> None:
    write_logs(root, {"2026-03-15": "## A\n- outcome: x\n"})
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command(), "show", "2026-03-15"], cwd=root, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 1 and done.stderr.startswith(b"hipo: ") and done.stderr.count(b"\n") == 1


def test_a_reader_that_goes_away_is_no_error(root: Path) -> None:
    write_logs(root, {"2026-03-15": "words\n" * 100_000})
    process = subprocess.Popen(
        [*command(), "show", "2026-03-15"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout and process.stderr
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_an_interrupt_ends_with_130_and_no_traceback(root: Path) -> None:
    holder = begin_process(root, program=HOLD)
    assert holder.stdout and holder.stdout.readline() == b"held\n"
    waiting = begin_process(root, "checkpoint", "Topic", "--outcome", "x")
    time.sleep(0.2)
    while waiting.poll() is None:  # however long its start takes
        waiting.send_signal(signal.SIGINT)
        time.sleep(0.2)
    _, err = waiting.communicate()
    holder.kill()
    holder.communicate()
    assert b"hipo: a bug" not in err
    assert waiting.returncode in (130, -signal.SIGINT)  # before main() has begun, Python itself ends


def command() -> list[str]:
    import sys

    return [sys.executable, "-m", "hipocampus"]


def wait_for(path: Path) -> None:
    limit = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < limit
        time.sleep(0.002)
