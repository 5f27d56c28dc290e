"""Somebody edits, moves or deletes files while hipo works on them; a machine syncs; git leaves its marks."""

import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hipocampus.config import load_config
from hipocampus.errors import ChangedMeanwhile
from hipocampus.memory.entries import parse_log
from hipocampus.memory.store import MemoryStore
from hipocampus.session.forget import carry_out, plan
from nothing_lost.commands import COMMANDS, LATER, stdin_of
from nothing_lost.faults import Fault, call, calls, digests
from nothing_lost.test_killed import Few, Look

MINE = "written by hand while hipo ran"
LOG = "memory/2026-03-16.md"
STEPS = 2  # moments of each command at which somebody does something


def add_line(path: Path) -> None:
    """What an editor does that is told to save: the whole file anew, with one more line."""
    text = path.read_text("utf-8") if path.exists() else ""
    path.write_text(f"{text}\n## By hand [project]\n- outcome: {MINE}\n")


EDITED = [
    ("checkpoint", LOG),
    ("task done", LOG),
    ("import", LOG),
    ("compact", LOG),
    ("start", LOG),
    ("note", "SCRATCHPAD.md"),
    ("task note", "WORKING.md"),
    ("task add", "TASK-QUEUE.md"),
    ("compact", "memory/daily/2026-03-05.md"),
    ("compact", "memory/weekly/2026-W11.md"),
    ("doctor --fix", "memory/monthly/2026-03.md"),
]


@pytest.mark.parametrize(("name", "file"), EDITED)
def test_what_somebody_writes_meanwhile_stays(
    name: str, file: str, undisturbed: Look, trial: Callable[[], Path], few: Few
) -> None:
    command, whole = COMMANDS[name], undisturbed(name).ended
    # Between the last look and the rename nothing can be told; that is the one step that is left out.
    moments = [
        n for n, s in enumerate(whole.steps, 1) if s.call in ("open", "replace", "fsync") and s.path != file
    ]
    before_it = [n - 1 for n, step in enumerate(whole.steps, 1) if step == ("replace", file) and n > 1]
    for moment in {*few(moments, STEPS, EDITED.index((name, file))), *before_it}:
        root = trial()
        fault = Fault(moment, meanwhile=lambda root=root: add_line(root / file))
        ended = call(root, command.words, stdin=stdin_of(command, root), now=LATER, fault=fault)
        assert ended.status in (0, 1) and "a bug in hipo" not in ended.err, (moment, ended)
        assert MINE in (root / file).read_text("utf-8"), (moment, whole.steps[moment - 1])
        assert command.kept(root) or command.says in ended.err, (moment, ended)
        again = calls(root, [(["compact", "--force"], "")] * 2, now=LATER)
        assert again[-1].status == 0, (moment, again)
        assert MINE in (root / file).read_text("utf-8")
        if file == LOG:
            assert MINE in (root / "memory/daily/2026-03-16.md").read_text("utf-8")


GONE = [
    "memory/daily",
    "memory/.hipo",
    "memory/2026-03-05.md",
    "memory/ROOT.md",
    "WORKING.md",
    "memory/brain",
    "knowledge",
]


@pytest.mark.parametrize("name", ["compact", "start", "task done", "forget", "turn add", "import"])
def test_what_vanishes_meanwhile_stops_nothing(
    name: str, undisturbed: Look, trial: Callable[[], Path], few: Few
) -> None:
    command, whole = COMMANDS[name], undisturbed(name).ended
    number = list(COMMANDS).index(name)
    for turn in few(list(range(len(GONE))), 2, number):
        file = GONE[turn]
        for moment in few(list(range(1, len(whole.steps) + 1)), 1, turn * 5):
            root = trial()
            fault = Fault(moment, meanwhile=lambda root=root, file=file: take_away(root / file))
            ended = call(root, command.words, stdin=stdin_of(command, root), now=LATER, fault=fault)
            assert ended.status in (0, 1) and "a bug in hipo" not in ended.err, (file, moment, ended)
            if (name, file) != (
                "turn add",
                "memory/brain",
            ):  # there it may have been taken away with the turn in it
                assert command.kept(root) or command.says in ended.err, (file, moment, ended)
            done, init, last = calls(
                root,
                [(command.words, stdin_of(command, root)), (["init"], ""), (["compact", "--force"], "")],
                now=LATER,
            )
            assert (done.status in (0, 1), init.status, last.status) == (True, 0, 0), (
                file,
                moment,
                done,
                init,
                last,
            )


def take_away(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", *words],
        cwd=folder,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_two_machines_that_share_the_logs_by_git_have_every_entry_of_both(
    lived_in: Path, tmp_path: Path
) -> None:
    here, hub, there = tmp_path / "project", tmp_path / "hub.git", tmp_path / "there"
    shutil.copytree(lived_in, here)
    assert call(here, ["init", "--shared"], now=LATER).status == 0
    git(tmp_path, "init", "--bare", str(hub))
    git(here, "init")
    git(here, "add", "-A")
    git(here, "commit", "-m", "memory")
    git(here, "push", str(hub), "HEAD:main")
    git(tmp_path, "clone", str(hub), str(there))
    assert call(there, ["init"], now=LATER).status == 0  # hot files are each machine's own
    for machine in (here, there):
        for n in range(3):
            words = [
                "checkpoint",
                f"{machine.name} {n}",
                "--outcome",
                f"{machine.name} did {n}",
                "--file",
                "a.py",
            ]
            assert call(machine, words, now=LATER).status == 0
        assert call(machine, ["compact", "--force"], now=LATER).status == 0
        git(machine, "add", "-A")
        git(machine, "commit", "-m", machine.name)
    git(here, "push", str(hub), "HEAD:main")
    git(there, "pull", "--no-rebase", "--no-edit", str(hub), "main")
    git(there, "push", str(hub), "HEAD:main")
    git(here, "pull", "--no-rebase", "--no-edit", str(hub), "main")
    bodies = set()
    for machine in (here, there):
        log = (machine / LOG).read_text("utf-8")
        entries = parse_log(log).entries
        assert sorted(e.topic for e in entries if " " in e.topic and e.topic[-1].isdigit()) == sorted(
            f"{name} {n}" for name in ("project", "there") for n in range(3)
        )
        assert all(f"did {e.topic[-1]}" in e.body for e in entries if e.topic[-1].isdigit()), log
        compacted, checked = calls(machine, [(["compact", "--force"], ""), (["doctor"], "")], now=LATER)
        assert compacted.status == 0 and checked.status == 0, (compacted, checked)
        bodies.add((machine / "memory/daily/2026-03-16.md").read_bytes())
    assert len(bodies) == 1  # the same logs make the same node


def test_lines_that_moved_since_a_person_agreed_to_forget_them_are_left(trial: Callable[[], Path]) -> None:
    root = trial()
    store, config, zone = MemoryStore(root), load_config(root), UTC
    planned = plan(store, "leaky bucket")
    log = root / "memory/2026-03-05.md"
    log.write_text(
        log.read_text("utf-8").replace("# 2026-03-05\n", "# 2026-03-05\n\n## New [user]\n- rule: stay\n")
    )
    before = digests(root)
    with pytest.raises(ChangedMeanwhile, match=r"memory/2026-03-05\.md:\d+: somebody wrote to it"):
        carry_out(store, config, planned, datetime(2026, 3, 16, 9, tzinfo=UTC), zone)
    assert {k: v for k, v in digests(root).items() if "/.hipo/" not in k} == {
        k: v for k, v in before.items() if "/.hipo/" not in k
    }
