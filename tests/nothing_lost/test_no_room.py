"""A full, broken, foreign or read-only disk at every call that changes it: one line, nothing half written, the text printed back."""

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nothing_lost.commands import COMMANDS, LATER, stdin_of
from nothing_lost.faults import Fault, call, digests
from nothing_lost.test_killed import Few, Look, assert_healed, assert_whole, is_own

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.ENAMETOOLONG)
PARTIAL = (
    "compact",
    "start",
    "forget",
    "doctor --fix",
)  # they go on with the rest, and name each file that failed
TRIED = 2  # failures of each command


@pytest.mark.parametrize("name", COMMANDS)
def test_a_disk_that_fails_is_said_and_nothing_is_half_done(
    name: str, undisturbed: Look, trial: Callable[[], Path], few: Few
) -> None:
    command, (before, whole, _) = COMMANDS[name], undisturbed(name)
    turn = list(COMMANDS).index(name)
    root = trial()
    logs = {path: path.read_bytes() for path in (root / "memory").glob("2026-*.md")}
    for at in few(list(range(1, len(whole.steps) + 1)), TRIED, turn):
        fault = Fault(at, ERRORS[(at + turn) % len(ERRORS)], lasts=(at + turn) % 2 == 0)
        where = (whole.steps[at - 1], os.strerror(fault.error), fault.lasts)
        trial()
        ended = call(root, command.words, stdin=stdin_of(command, root), now=LATER, fault=fault)
        said = ended.out + ended.err
        assert ended.status == 0 if command.is_hook else ended.status in (0, 1), (where, ended)
        assert "Traceback" not in said and "a bug in hipo" not in said, (where, said)
        if ended.status == 1:
            assert os.strerror(fault.error) in said, (where, said)
            assert name in PARTIAL or re.match(r"hipo: [^\n]+: [^\n]+; [^\n]+\n", ended.err), (where, ended)
            assert command.kept(root) or command.says in ended.err, (where, said)
        elif not command.is_hook:
            assert command.kept(root), where
        for path, seen in digests(root).items():
            allowed = {before.get(path), *(ended.versions or {}).get(path, ())}
            assert is_own(path) or seen in allowed, (where, path)
        assert not list(root.rglob("*.tmp")), where
        assert_whole(root, logs, command, ended._replace(out=""))
        (root / "memory/.hipo/hook.log").unlink(missing_ok=True)  # doctor goes on naming what went wrong
        assert_healed(root, command, where)
