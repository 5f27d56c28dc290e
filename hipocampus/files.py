"""Reading files and replacing them atomically. With `lock.py` the only module that opens files for writing."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from hipocampus.errors import ChangedMeanwhile, ReadError, WriteError

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
