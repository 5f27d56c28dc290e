"""What is left half way: temporary files of the dead, a log that is not counted, a folder that cannot be synced."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hipocampus.errors import WriteError
from hipocampus.files import leftovers, replace_file
from hipocampus.memory.store import MemoryStore
from nothing_lost.commands import LATER
from nothing_lost.faults import Fault, call


def a_dead_process() -> int:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


@pytest.mark.parametrize(
    "folder", [".", "memory", "memory/daily", "memory/.hipo", "memory/brain/handoffs", "knowledge"]
)
def test_what_a_killed_process_left_is_swept_and_what_a_running_one_writes_is_not(
    folder: str, trial: Callable[[], Path]
) -> None:
    root = trial()
    dead = root / folder / f".a.md.{a_dead_process()}-0.tmp"
    alive = root / folder / f".a.md.{os.getppid()}-0.tmp"
    other = root / folder / ".notes.tmp"
    for path in (dead, alive, other):
        path.write_text("half")
    checked = call(root, ["doctor"], now=LATER)
    assert checked.status == 1 and dead.name in checked.out and alive.name not in checked.out
    fixed = call(root, ["doctor", "--fix"], now=LATER)
    assert f"{dead.name}: removed" in fixed.out
    assert [path.exists() for path in (dead, alive, other)] == [False, True, True]
    dead.write_text("half")
    (root / "memory/.hipo/lock").write_text("1")  # whoever held it did not give it back
    assert call(root, ["note", "state", "x"], now=LATER).status == 0
    assert [path.exists() for path in (dead, alive, other)] == [False, True, True]


def test_a_process_of_the_same_number_as_a_dead_one_tells_its_own_files_apart(tmp_path: Path) -> None:
    replace_file(tmp_path / "a.md", b"the first that this process writes, or a later one")
    (tmp_path / f".a.md.{os.getpid()}-0.tmp").write_text("written by this very process, earlier on")
    old = tmp_path / f".a.md.{os.getpid()}-{10**9}.tmp"
    old.write_text("this process has not written so many")
    assert leftovers(tmp_path) == [old]


def test_a_folder_that_cannot_be_synced_is_said_only_where_it_means_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, path = os.fsync, tmp_path / "a.md"
    error = errno.EINVAL

    def fsync(handle: int) -> None:
        if os.fstat(handle).st_mode & 0o040000:
            raise OSError(error, os.strerror(error))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    replace_file(path, b"one")
    error = errno.EIO
    with pytest.raises(WriteError, match="may not outlast a power cut"):
        replace_file(path, b"two")
    assert path.read_bytes() == b"two"


def test_an_entry_that_is_saved_but_not_counted_is_said_to_be_saved(trial: Callable[[], Path]) -> None:
    root = trial()
    words = ["checkpoint", "Topic", "--outcome", "kept"]
    whole = call(root, words, now=LATER)
    at = next(n for n, s in enumerate(whole.steps, 1) if s == ("replace", "memory/.compaction-state.json"))
    trial()
    ended = call(root, words, now=LATER, fault=Fault(at, errno.ENOSPC))
    assert ended.status == 1 and ended.err.count("\n") == 1
    assert "the entry is saved, though not counted → memory/2026-03-16.md:3-5" in ended.err
    assert "- outcome: kept" in (root / "memory/2026-03-16.md").read_text()
    assert MemoryStore(root).read_state() is not None
