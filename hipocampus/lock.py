"""The lock of a tree: held by one process at a time, and free again whatever happens to that process."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

from hipocampus.errors import LockTimeout, WriteError
from hipocampus.files import reason

POLL_SECONDS = 0.005


class FileLock:
    """An operating-system lock on a file: it dies with its process, so a killed one never blocks.

    Reentrant within a process. `breathe` lets others in during long work. `after_death` is called with the
    lock held when whoever had it before did not give it back: a number that still stands in the file says so.
    """

    def __init__(
        self, path: Path, timeout_seconds: float, after_death: Callable[[], object] | None = None
    ) -> None:
        self.path = path
        self.timeout_seconds = timeout_seconds
        self.after_death = after_death
        self._handle: int | None = None
        self._depth = 0
        self._since = 0.0  # when it was taken, on the monotonic clock

    def __enter__(self) -> "FileLock":
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def acquire(self) -> None:
        """Take the lock, waiting at most `timeout_seconds`; then a LockTimeout that names who holds it."""
        if self._handle is not None:
            self._depth += 1
            return
        limit = time.monotonic() + self.timeout_seconds
        while not self.try_acquire():
            if time.monotonic() >= limit:
                raise LockTimeout(
                    f"{self.path}: another hipo process {self._holder()}holds the memory's lock",
                    f"waited {self.timeout_seconds:g} s; try again, or end that process",
                )
            time.sleep(POLL_SECONDS)

    def try_acquire(self) -> bool:
        """Take the lock if it is free, at once; True when it is held now."""
        if self._handle is not None:
            return True
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise WriteError(
                f"{self.path}: the lock cannot be made ({reason(error)})", "make its folder writable"
            ) from error
        if not _lock(handle) or not self._still_there(handle):
            os.close(handle)
            return False
        died = False
        with contextlib.suppress(OSError):  # the pid is a courtesy for the message, the lock is the lock
            died = os.fstat(handle).st_size > 0
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        self._handle, self._depth, self._since = handle, 1, time.monotonic()
        if died and self.after_death is not None:
            self.after_death()
        return True

    def is_free(self) -> bool:
        """Whether nobody holds the lock. It is not taken, and the number that a dead holder left in it stays."""
        if self._handle is not None:
            return False
        try:
            handle = os.open(self.path, os.O_RDWR)
        except FileNotFoundError:
            return True
        except OSError as error:
            raise WriteError(
                f"{self.path}: the lock cannot be tried ({reason(error)})", "make its folder writable"
            ) from error
        try:
            return _lock(handle)
        finally:
            os.close(handle)

    def release(self) -> None:
        """Give the lock back (the innermost of nested holds only counts down)."""
        self._depth -= 1
        if self._depth <= 0 and self._handle is not None:
            with contextlib.suppress(OSError):  # then the next one looks for leftovers in vain
                os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle, self._depth = None, 0

    def breathe(self, held_seconds: float = 0.2) -> None:
        """Between two steps of long work: once held for `held_seconds`, let whoever waits go first.

        Waiters ask again every few milliseconds; without the pause they would hardly ever meet a free lock.
        """
        if self._depth == 1 and time.monotonic() - self._since >= held_seconds:
            self.release()
            time.sleep(3 * POLL_SECONDS)
            self.acquire()

    @contextlib.contextmanager
    def released(self) -> Iterator[None]:
        """Give the lock up for a while, whatever the depth, and take it again afterwards."""
        depth, self._depth = self._depth, 1
        self.release()
        try:
            yield
        finally:
            self.acquire()
            self._depth = depth

    def _still_there(self, handle: int) -> bool:
        """False when somebody deleted or replaced the lock file while this process waited for it."""
        try:
            return os.path.samestat(os.fstat(handle), self.path.stat())
        except FileNotFoundError:
            return False

    def _holder(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            return f"(pid {int(self.path.read_bytes())}) "
        return ""


if os.name == "nt":
    import msvcrt

    def _lock(handle: int) -> bool:
        """Lock one byte far behind the pid, which stays readable for others."""
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
