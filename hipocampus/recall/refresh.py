"""Bring the index up to date with the files, whatever happened to either since the last query.

A file is taken to be unchanged when size, times and inode are those of the index, unless it was written
so shortly before it was read that a later write could have the same time: then its content decides.
A new index is built beside the old one and renamed, so that nobody ever reads half of one.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus.recall import index as db
from hipocampus.recall.index import Index, IndexDamaged
from hipocampus.recall.schema import FileState, Listed, digest_of

if TYPE_CHECKING:
    from hipocampus.recall.reading import Read

INDEX_NAME = "recall.sqlite3"

FRESH_NS = 2_000_000_000
"""File times can be this coarse (FAT, some network file systems); a file younger than that is read again."""


class Refreshed:
    """An open index that is up to date. `changed` counts files that were read anew or went away; `note` and
    `problems` are for stderr."""

    __slots__ = ("changed", "files", "index", "note", "problems")

    def __init__(self, index: Index, files: int, changed: int, note: str, problems: tuple[str, ...]) -> None:
        self.index = index
        self.files = files
        self.changed = changed
        self.note = note
        self.problems = problems


def list_files(root: Path) -> list[Listed]:
    """Return the files that recall covers, by path: logs and notes in memory/, nodes, knowledge/, plans/."""
    found: list[Listed] = []
    for folder, level in (("memory", "raw"), ("memory/daily", "daily"), ("memory/weekly", "weekly"),
                          ("memory/monthly", "monthly")):  # fmt: skip
        found += _in_folder(root, folder, level)
    for folder in ("knowledge", "plans"):
        found += _below(root, folder, folder, set())
    return found


def _in_folder(root: Path, folder: str, level: str) -> Iterator[Listed]:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(root / folder) as entries:
        for entry in entries:
            if not entry.name.endswith(".md") or entry.name.startswith("."):
                continue
            status = _status(entry)
            if status is not None and stat.S_ISREG(status.st_mode):
                topmost = level == "raw" and entry.name == "ROOT.md"
                yield Listed(f"{folder}/{entry.name}", "root" if topmost else level, status)


def _below(root: Path, folder: str, level: str, seen: set[tuple[int, int]]) -> Iterator[Listed]:
    """Yield the Markdown files of a folder and its subfolders; links are followed, circles once."""
    with (
        contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError),
        os.scandir(root / folder) as entries,
    ):
        for entry in entries:
            if entry.name.startswith("."):
                continue
            status = _status(entry)
            if status is None:
                continue
            if stat.S_ISDIR(status.st_mode):
                place = (status.st_dev, status.st_ino)
                if place not in seen:
                    seen.add(place)
                    yield from _below(root, f"{folder}/{entry.name}", level, seen)
            elif stat.S_ISREG(status.st_mode) and entry.name.endswith(".md"):
                yield Listed(f"{folder}/{entry.name}", level, status)


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return what the link points to; None for one that points nowhere."""
    try:
        return entry.stat()
    except OSError:
        return None


def refresh(root: Path) -> Refreshed:
    """Return an open index that holds what the files hold now.

    Where nothing can be written (a read-only tree), the index is built in memory for this one query.
    """
    listed = list_files(root)
    folder = root / "memory" / ".hipo"
    path = folder / INDEX_NAME
    note = ""
    try:
        index = db.open_index(path)
    except IndexDamaged as error:
        note = "" if not path.exists() else f"recall: the index was rebuilt ({error})"
        return _rebuild(root, path, listed, note)
    try:
        return _update(root, path, index, listed)
    except db.DAMAGE as error:
        index.close()
        return _rebuild(root, path, listed, f"recall: the index was rebuilt ({error})")


def rebuild(root: Path, note: str) -> Refreshed:
    """Build the index anew whatever stands there, because it turned out to be damaged."""
    return _rebuild(root, root / "memory" / ".hipo" / INDEX_NAME, list_files(root), note)


def _update(root: Path, path: Path, index: Index, listed: list[Listed]) -> Refreshed:
    known = index.files()
    todo = _differences(root, path, listed, known)
    if not todo.any:
        return Refreshed(index, len(listed), 0, "", ())
    weight = sum(item.stat.st_size for item in todo.read)
    if weight > 1_000_000 and weight * 2 > sum(item.stat.st_size for item in listed):
        index.close()
        return _rebuild(root, path, listed, "")
    from hipocampus.recall.reading import read_file

    stamp = _stamp(path)
    problems: list[str] = []
    index.begin()
    try:
        known = index.files()
        todo = _differences(root, path, listed, known)
        for gone in todo.gone:
            index.remove(gone)
        for item in todo.same:
            old = known[item.path]
            index.touch(_state(item, stamp, old.digest))
        for item in todo.read:
            index.remove(item.path)
            problems += _put_in(index, item, read_file(root, item), stamp)
        index.commit()
    except BaseException:
        index.rollback()
        raise
    return Refreshed(index, len(listed), len(todo.read) + len(todo.gone), "", tuple(problems))


class _Todo(NamedTuple):
    gone: list[str]
    read: list[Listed]
    same: list[Listed]

    @property
    def any(self) -> bool:
        return bool(self.gone or self.read or self.same)


def _differences(root: Path, path: Path, listed: list[Listed], known: dict[str, FileState]) -> _Todo:
    """Compare files and index: what is gone, what must be read, and what only has other times."""
    todo = _Todo([], [], [])
    left = dict(known)
    present = 0
    for item in listed:
        old = left.pop(item.path, None)
        if old is None or old.size != item.stat.st_size or old.level != item.level:
            todo.read.append(item)
            continue
        now = item.stat
        same = (old.mtime, old.ctime, old.inode) == (now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
        if same and max(old.mtime, old.ctime) + FRESH_NS < old.stamp:
            continue
        if _digest(root / item.path) != old.digest:
            todo.read.append(item)
            continue
        present = present or _stamp(path)
        if not same or max(old.mtime, old.ctime) + FRESH_NS < present:
            todo.same.append(item)
    todo.gone.extend(left)
    return todo


def _digest(path: Path) -> str:
    try:
        return digest_of(path.read_bytes())
    except OSError:
        return ""


def _stamp(path: Path) -> int:
    """Return the present time of the file system that holds the index, in ns."""
    os.utime(path)
    return path.stat().st_mtime_ns


def _state(item: Listed, stamp: int, digest: str, made: str = "") -> FileState:
    status = item.stat
    return FileState(
        item.path,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        stamp,
        digest,
        item.level,
        made,
    )


def _rebuild(root: Path, path: Path, listed: list[Listed], note: str) -> Refreshed:
    """Build a new index beside the old one and put it in its place."""
    import tempfile

    from hipocampus.recall.reading import read_files  # most searches find every file as it was

    temporary: Path | None = None
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{INDEX_NAME}.", suffix=".tmp", dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        stamp = _stamp(temporary)
        _sweep(path.parent, stamp)
    except OSError:  # a tree that cannot be written: this one answer comes from memory
        temporary, stamp, note = None, 0, ""
    index = db.new_index(temporary)
    try:
        problems = [
            line
            for item, read in zip(listed, read_files(root, listed), strict=True)
            for line in _put_in(index, item, read, stamp)
        ]
        index.finish()
        if temporary is not None:
            _clear_journal(path)
            temporary.replace(path)
    except BaseException:
        index.close()
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise
    return Refreshed(index, len(listed), len(listed), note, tuple(problems))


def _clear_journal(path: Path) -> None:
    """Take away what a dead writer left beside the old index: it does not belong to the new one."""
    for suffix in ("-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


def _sweep(folder: Path, present: int) -> None:
    """Remove half-built indexes of processes that died more than ten minutes ago."""
    for left in folder.glob(f".{INDEX_NAME}.*.tmp*"):
        with contextlib.suppress(OSError):
            if present - left.stat().st_mtime_ns > 600 * 10**9:
                left.unlink()


def _put_in(index: Index, item: Listed, read: "Read | None", stamp: int) -> list[str]:
    """Put a file that was read into the index; return what was wrong with it."""
    if read is None:  # gone in the meantime
        return []
    if read.problem:
        return [read.problem]
    index.add(_state(item, stamp, read.digest, read.made), read.sections)
    if item.level == "root":
        index.keep_text(item.path, read.text)
    return []
