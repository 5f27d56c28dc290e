"""The one lock is given back, waited for, and dies with its process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.errors import LockTimeout, WriteError
from hipocampus.lock import FileLock


def test_a_lock_is_given_back_also_after_nested_holds(tmp_path: Path) -> None:
    lock, other = FileLock(tmp_path / "lock", 0), FileLock(tmp_path / "lock", 0)
    with lock:
        with lock:
            assert not other.try_acquire()
        assert not other.try_acquire()
    assert other.try_acquire()
    other.release()
    with lock, pytest.raises(LockTimeout, match=f"pid {os.getpid()}"):
        other.acquire()


def test_a_lock_that_was_released_for_a_while_comes_back_at_its_depth(tmp_path: Path) -> None:
    lock, other = FileLock(tmp_path / "lock", 1), FileLock(tmp_path / "lock", 0)
    with lock:
        with lock, lock.released():
            assert other.try_acquire()
            other.release()
        assert not other.try_acquire()
    assert other.try_acquire()
    other.release()


def test_a_lock_is_waited_for_only_as_long_as_it_was_told(tmp_path: Path) -> None:
    holder = _hold(tmp_path / "lock")
    try:
        with pytest.raises(LockTimeout, match=rf"pid {holder.pid}.*waited 0\.1 s"):
            FileLock(tmp_path / "lock", 0.1).acquire()
    finally:
        holder.kill()
        holder.communicate()
    with FileLock(tmp_path / "lock", 0):
        pass


def test_a_lock_file_that_somebody_deleted_is_made_anew(tmp_path: Path) -> None:
    lock, other = FileLock(tmp_path / "lock", 0), FileLock(tmp_path / "lock", 0)
    with lock:
        (tmp_path / "lock").unlink()
        with other:
            assert (tmp_path / "lock").exists()


def test_a_lock_file_that_was_deleted_between_opening_and_locking_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def and_deleted(path: Path, *rest: int) -> int:
        handle = opened(path, *rest)
        monkeypatch.setattr(os, "open", opened)
        path.unlink()
        return handle

    monkeypatch.setattr(os, "open", and_deleted)
    lock = FileLock(tmp_path / "lock", 1)
    assert not lock.try_acquire()
    with lock:
        assert (tmp_path / "lock").exists() and not FileLock(tmp_path / "lock", 0).try_acquire()


def test_a_lock_that_cannot_be_made_says_where(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="lock"):
        FileLock(tmp_path / "missing" / "lock", 0).acquire()


def _hold(path: Path) -> subprocess.Popen[str]:
    """A process that holds a lock until it is killed."""
    program = (
        "import sys, time; from pathlib import Path; from hipocampus.lock import FileLock\n"
        "FileLock(Path(sys.argv[1]), 5).acquire(); print('held', flush=True); time.sleep(600)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process
