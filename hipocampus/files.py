"""Reading files, replacing them atomically, and the one lock. The only module that opens files for writing."""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import TracebackType

from hipocampus.errors import ChangedMeanwhile, LockTimeout, ReadError, WriteError

POLL_SECONDS = 0.005
BOM = "\ufeff"
_temporaries = count()  # with the pid: a name for each temporary file (importing tempfile costs 7 ms)


def read_bytes(path: Path) -> bytes | None:
    """Return a file's bytes, None when there is no such file. Anything else in the way is a ReadError."""
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ReadError(
            f"{path}: cannot be read ({reason(error)})", "make it a readable file, or move it away"
        ) from error


def _open_without_waiting(name: str, flags: int) -> int:
    """Open a file for reading. A named pipe would wait for a writer, maybe for ever: it is an OSError.

    Pipes and terminals below /dev and /proc are what a shell hands over (`<(…)`), and read to their end.
    """
    nonblocking = getattr(os, "O_NONBLOCK", 0)
    handle = os.open(name, flags | nonblocking)
    mode = os.fstat(handle).st_mode
    if stat.S_ISFIFO(mode) and not name.startswith(("/dev/", "/proc/")):
        os.close(handle)
        raise OSError(errno.EINVAL, "a pipe, no file")
    if nonblocking and not stat.S_ISREG(mode):
        os.set_blocking(handle, True)
    return handle


def read_text(path: Path) -> str | None:
    """Return a file as text without byte order mark and with `\\n`; invalid bytes become U+FFFD."""
    data = read_bytes(path)
    return None if data is None else decode(data)


def decode(data: bytes) -> str:
    """Return bytes as plain text: no byte order mark, `\\n` line ends, U+FFFD for what is not UTF-8."""
    text = data.decode("utf-8", "replace").removeprefix(BOM)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def encode(text: str) -> bytes:
    """Return text as UTF-8; a lone surrogate, which has no encoding, becomes U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def replace_file(
    path: Path,
    data: bytes,
    *,
    durable: bool = True,
    mode: int | None = None,
    instead_of: bytes | None = None,
) -> None:
    """Put `data` in place of a file in one step, so that a reader sees the old file or the new one.

    A symbolic link is followed, the file's mode is kept (`mode` is for new files). `durable` syncs the
    file and its folder to disk before it returns. `instead_of` is what the file was read as: editors know no
    lock, and where they wrote meanwhile it is a ChangedMeanwhile. On failure a WriteError; the old file stands.
    """
    target = _followed(path)
    temporary, handle = _temporary(path, target)
    try:
        try:
            _write_all(handle, data)
            temporary.chmod(_mode_of(target, mode))
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
        if instead_of is not None and read_bytes(target) not in (instead_of, None):
            raise ChangedMeanwhile(
                f"{path}: somebody wrote to it in this moment", "it was left as it is; try again"
            )
        temporary.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _not_written(path, error) from error
        raise
    if durable:
        sync_folder(target.parent)


def _temporary(path: Path, target: Path) -> tuple[Path, int]:
    """A new file beside the target, and its open handle. One that a killed process of the same number left is passed by."""
    while True:
        temporary = target.with_name(f".{target.name[:40]}.{os.getpid()}-{next(_temporaries)}.tmp")
        try:
            return temporary, os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        except OSError as error:
            raise _not_written(path, error) from error


def leftovers(folder: Path) -> list[Path]:
    """Return the temporary files in a folder whose process is gone; none for a folder that cannot be listed.

    The name tells the process. Where it is this one's own number, an earlier one had it too.
    """
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return []
    found, mine = [], next(_temporaries)
    for name in names:
        if not name.startswith(".") or not name.endswith(".tmp"):
            continue
        pid, dash, number = name[:-4].rpartition(".")[2].partition("-")
        if not (dash and pid.isdecimal() and number.isdecimal()):
            continue
        if (int(number) >= mine) if int(pid) == os.getpid() else not _is_alive(int(pid)):
            found.append(folder / name)
    return sorted(found)


def _is_alive(pid: int) -> bool:
    """Whether a process of this number runs; True where that cannot be asked without harm."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def _followed(path: Path) -> Path:
    """Where a link leads, the path itself when it is none; a loop of links is a WriteError."""
    try:
        target = path.resolve() if path.is_symlink() else path
        if target is path or not target.is_symlink():
            return target
    except (OSError, RuntimeError):  # how a loop shows depends on the version of Python
        pass
    raise WriteError(f"{path}: not written (a loop of links)", "remove the link and try again")


def _not_written(path: Path, error: OSError) -> WriteError:
    return WriteError(
        f"{path}: not written ({reason(error)})",
        "the file is as it was before; check permissions and free space, then try again",
    )


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def write_text(path: Path, text: str, *, durable: bool = True, mode: int | None = None) -> None:
    """Put text in place of a file in one step, as UTF-8. See `replace_file`."""
    replace_file(path, encode(text), durable=durable, mode=mode)


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder and what is missing above it; one that exists stays as it is."""
    try:
        path.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(
            f"{path}: the folder cannot be made ({reason(error)})", "move away what is in its place"
        ) from error


def remove_file(path: Path) -> bool:
    """Remove a file; False when there was none."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise WriteError(
            f"{path}: cannot be removed ({reason(error)})", "check the folder's permissions"
        ) from error
    return True


def append_line(path: Path, line: str, mode: int = 0o600) -> None:
    """Append one line to a log of hipo's own, in a single write so that two writers do not mix."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, mode)
        try:
            os.write(handle, encode(line.rstrip("\n") + "\n"))
        finally:
            os.close(handle)
    except OSError as error:
        raise WriteError(
            f"{path}: not written ({reason(error)})", "check the folder's permissions"
        ) from error


@contextlib.contextmanager
def folder_handle(folder: Path) -> Iterator[int]:
    """Hold a folder open for reading, and give its handle; OSError when it cannot be opened. Not for Windows."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last through a power cut. Where folders cannot be synced, nothing is done."""
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    try:
        handle = os.open(folder, os.O_RDONLY | flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):  # no such thing here, or not for us
            return
        raise WriteError(
            f"{folder}: what was written may not outlast a power cut ({reason(error)})",
            "check the disk, then do it again",
        ) from error


def reason(error: OSError) -> str:
    """Return the plain words of an operating-system error: `No space left on device`."""
    return error.strerror or str(error)


def _mode_of(target: Path, new_mode: int | None) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        if new_mode is not None:
            return new_mode
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


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
