"""kill -9 at every call that changes the disk: a file is the old or the new one, and the next command heals the rest."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nothing_lost.commands import COMMANDS, LATER, Command, stdin_of
from nothing_lost.conftest import Undisturbed
from nothing_lost.faults import Ended, Fault, call, calls

HEALED = 2  # kills of each command after which everything is tried
LINES_OF_THEIR_OWN = ("hook.log", "ended.jsonl", "messages.seen", "lock", "compaction.lock", "readers.lock")
Few = Callable[[list[int], int, int], list[int]]
Look = Callable[[str], Undisturbed]


def is_own(name: str) -> bool:
    return name.startswith("memory/.hipo/")


@pytest.mark.parametrize("name", COMMANDS)
def test_at_every_moment_each_file_is_the_old_or_the_new_one(name: str, undisturbed: Look) -> None:
    before, ended, after = undisturbed(name)
    assert ended.versions is not None
    torn = []
    for number, moment in enumerate(ended.moments, 1):
        for path, seen in moment.items():
            allowed = {before.get(path), after.get(path), *ended.versions.get(path, ())}
            if seen not in allowed and not path.endswith((".tmp", *LINES_OF_THEIR_OWN)):
                torn.append((number, ended.steps[number - 1], path))
        gone = (before.keys() & after.keys()) - moment.keys()  # in between, though it is not to be removed
        torn += [(number, ended.steps[number - 1], path) for path in gone if not is_own(path)]
    assert not torn


@pytest.mark.parametrize("name", COMMANDS)
def test_after_a_kill_the_next_command_heals_the_rest(
    name: str, undisturbed: Look, trial: Callable[[], Path], few: Few
) -> None:
    command, whole = COMMANDS[name], undisturbed(name).ended
    changing = [
        n for n, step in enumerate(whole.steps, 1) if step.call in ("write", "replace", "unlink", "mkdir")
    ]
    for at in few(changing, HEALED, list(COMMANDS).index(name)):
        root = trial()
        logs = {path: path.read_bytes() for path in (root / "memory").glob("2026-*.md")}
        killed = call(root, command.words, stdin=stdin_of(command, root), now=LATER, fault=Fault(at))
        if killed.status is not None:  # it was quicker this time, and let nobody go first: fewer steps
            assert len(killed.steps) < at
            continue
        assert_whole(root, logs, command, killed)
        assert_healed(root, command, (at, whole.steps[at - 1]))


def assert_whole(root: Path, logs: dict[Path, bytes], command: Command, killed: Ended) -> None:
    for path, text in logs.items():
        assert command.words[0] == "forget" or path.read_bytes().startswith(text.rstrip(b"\n")), path
    for path in (root / "memory").rglob("*.json"):
        assert json.loads(path.read_text("utf-8")) is not None
    if killed.out:  # it was told that it is done
        assert command.kept(root) >= 1


def assert_healed(root: Path, command: Command, where: object) -> None:
    """The same call again, then a compaction: everything is there, once, and no check finds a fault."""
    again, compacted, checked = calls(
        root,
        [(command.words, stdin_of(command, root)), (["compact", "--force"], ""), (["doctor"], "")],
        now=LATER,
    )
    assert again.status in (0, 1), (where, again)
    assert 1 <= command.kept(root) <= command.most, (where, again)
    assert compacted.status == 0, (where, compacted)
    assert checked.status == 0, (where, checked.out)
    assert not list(root.rglob("*.tmp")), where
    state = json.loads((root / "memory/.compaction-state.json").read_text())
    assert (state["rawLinesSinceLastCompaction"], state["checkpointsSinceLastCompaction"]) == (0, 0)
