"""Bring the index up to date with the files, whatever happened to either since the last query.

A file is taken to be unchanged when size, times and inode are those of the index, unless it was written
so shortly before it was read that a later write could have the same time: then its content decides.
A new index is built beside the old one and renamed, so that nobody ever reads half of one.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus.recall import index as db
from hipocampus.recall.index import Index, IndexDamaged
from hipocampus.recall.listing import Listed, Listing, list_files
from hipocampus.recall.schema import FileState, digest_of

if TYPE_CHECKING:
    from hipocampus.recall.reading import Read

INDEX_NAME = "recall.sqlite3"

FRESH_NS = 2_000_000_000
"""File times can be this coarse (FAT, some network file systems); a file younger than that is read again."""


class Refreshed:
    """An open index that is up to date. `changed` counts files that were read anew or went away; `note` and
    `problems` are for stderr."""

    __slots__ = ("changed", "files", "index", "note", "problems")

    def __init__(
        self, index: Index, listing: Listing, changed: int, note: str, problems: Iterable[str]
    ) -> None:
        self.index = index
        self.files = len(listing.paths)
        self.changed = changed
        self.note = note
        self.problems = (*map(_unnamed, listing.left_out), *problems)


def _unnamed(path: str) -> str:
    name = path.encode("utf-8", "backslashreplace").decode("utf-8")
    return f"{name}: is not searched, its name is not UTF-8; rename it"


def refresh(root: Path) -> Refreshed:
    """Return an open index that holds what the files hold now.

    Where nothing can be written (a read-only tree), the index is built in memory for this one query.
    """
    listing = list_files(root)
    folder = root / "memory" / ".hipo"
    path = folder / INDEX_NAME
    note = ""
    try:
        index = db.open_index(path)
    except IndexDamaged as error:
        note = "" if not path.exists() else f"recall: the index was rebuilt ({error})"
        return _rebuild(root, path, listing, note)
    try:
        return _update(root, path, index, listing)
    except (IndexDamaged, *db.DAMAGE) as error:
        index.close()
        return _rebuild(root, path, listing, f"recall: the index was rebuilt ({error})")


def rebuild(root: Path, note: str) -> Refreshed:
    """Build the index anew whatever stands there, because it turned out to be damaged."""
    return _rebuild(root, root / "memory" / ".hipo" / INDEX_NAME, list_files(root), note)


def _update(root: Path, path: Path, index: Index, listing: Listing) -> Refreshed:
    stored = index.listing()
    if stored == listing.packed():
        return Refreshed(index, listing, 0, "", ())
    todo = _differences(root, path, index, listing)
    if not todo.any:
        return Refreshed(index, listing, 0, "", ())
    weight = sum(item.size for item in todo.read)
    if weight > 1_000_000 and weight * 2 > sum(item.size for item in listing.files()):
        index.close()
        return _rebuild(root, path, listing, "")
    from hipocampus.recall.reading import read_file

    stamp = _stamp(path)
    problems: list[str] = []
    index.begin()
    try:
        if index.listing() != stored:  # another process was quicker
            todo = _differences(root, path, index, listing)
        unsure = {item.path for item in (*todo.read, *todo.same, *todo.unsure) if _is_fresh(item, stamp)}
        for gone in todo.gone:
            index.remove(gone)
        for item in todo.read:
            wrong = _put_in(index, item, read_file(root, item, index.section_digests(item.path)))
            unsure.update(item.path for _ in wrong)
            problems += wrong
        index.keep_listing(listing.with_unsure(unsure).packed())
        index.commit()
    except BaseException:
        index.rollback()
        raise
    return Refreshed(index, listing, len(todo.read) + len(todo.gone), "", problems)


class _Todo(NamedTuple):
    """What is gone, what must be read, what holds the same as before at another time, and what holds the same
    but is too young to be sure of."""

    gone: list[str]
    read: list[Listed]
    same: list[Listed]
    unsure: list[Listed]

    @property
    def any(self) -> bool:
        return bool(self.gone or self.read or self.same)


def _differences(root: Path, path: Path, index: Index, listing: Listing) -> _Todo:
    """Compare files and index; what looks other than at the last time is compared by its content."""
    try:
        before = Listing.unpacked(*index.listing())
    except (ValueError, TypeError) as error:  # SQLite does not notice every damage
        raise IndexDamaged(str(error)) from error
    todo = _Todo(sorted(set(before.paths).difference(listing.paths)), [], [], [])
    suspects = listing.differing(before)
    if not suspects:
        return todo
    digests = index.digests([item.path for item in suspects])
    numbers = {item.path: item for item in before.files()}
    present = _stamp(path)
    for item in suspects:
        old = numbers.get(item.path)
        if _digest(root / item.path) != digests.get(item.path):
            todo.read.append(item)
        elif old is not None and old[:4] == item[:4] and _is_fresh(item, present):
            todo.unsure.append(item)
        else:
            todo.same.append(item)
    return todo


def _is_fresh(item: Listed, present: int) -> bool:
    """Whether a file was written to so shortly before that it could be again, with the same times."""
    return max(item.mtime, item.ctime) + FRESH_NS >= present


def _digest(path: Path) -> str:
    try:
        return digest_of(path.read_bytes())
    except OSError:
        return ""


def _stamp(path: Path) -> int:
    """Return the present time of the file system that holds the index, in ns."""
    os.utime(path)
    return path.stat().st_mtime_ns


def _rebuild(root: Path, path: Path, listing: Listing, note: str) -> Refreshed:
    """Build a new index beside the old one and put it in its place."""
    import tempfile

    from hipocampus.recall.parallel import read_files  # most searches find every file as it was

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
        files, problems = list(listing.files()), list[str]()
        unsure = {item.path for item in files if _is_fresh(item, stamp)}
        for item, read in read_files(root, files):
            wrong = _put_in(index, item, read)
            unsure.update(item.path for _ in wrong)
            problems += wrong
        index.keep_listing(listing.with_unsure(unsure).packed())
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
    return Refreshed(index, listing, len(files), note, problems)


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


def _put_in(index: Index, item: Listed, read: "Read | None") -> list[str]:
    """Put a file that was read into the index; return what was wrong with it."""
    if read is None or read.problem:  # gone in the meantime, or not to be had
        index.remove(item.path)
        return [read.problem] if read else []
    index.put(FileState(item.path, read.digest, item.level, read.made), read.kept, read.sections)
    if item.level == "root":
        index.keep_text(item.path, read.text)
    return []
