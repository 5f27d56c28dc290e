"""List the Markdown files that recall covers, and tell which of them were written to since another listing.

Reads no file: what `stat` says decides who must be looked at. A tree of ten years has 8,000 files, so the
listing is kept in columns, which are quick to fill, to store and to compare as a whole.
"""

import contextlib
import os
import stat
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_FOLDERS = ("memory", "memory/daily", "memory/weekly", "memory/monthly")
_TREES = ("knowledge", "plans")
_UNSURE = -1
_MOST = (1 << 63) - 1
"""Numbers of files can be larger elsewhere; SQLite's are not."""


class Listed(NamedTuple):
    """A Markdown file that recall covers. `path` is relative to the root, with forward slashes; times in ns."""

    path: str
    size: int
    mtime: int
    ctime: int
    inode: int

    @property
    def level(self) -> str:
        """Return what kind of memory the file is: raw, root, daily, weekly, monthly, knowledge or plans."""
        first, _, rest = self.path.partition("/")
        if first != "memory":
            return first
        if "/" in rest:
            return rest.partition("/")[0]
        return "root" if rest == "ROOT.md" else "raw"


class Listing:
    """The covered files in the order of their folders: a path and four numbers each, as in `Listed`.
    `left_out` are paths that are no UTF-8, so that neither index nor results can name them."""

    __slots__ = ("left_out", "numbers", "paths")

    def __init__(self, paths: list[str], numbers: "array[int]") -> None:
        self.paths = paths
        self.numbers = numbers
        self.left_out: list[str] = []

    @classmethod
    def unpacked(cls, paths: bytes, numbers: bytes) -> "Listing":
        """Return the listing that `packed` gave these two for; ValueError for anything else."""
        names, columns = paths.decode("utf-8").split("\0") if paths else [], array("q", numbers)
        if len(columns) != 4 * len(names):
            raise ValueError("a listing with numbers of other files")
        return cls(names, columns)

    def packed(self) -> tuple[bytes, bytes]:
        """Return the listing as two strings of bytes that are equal when nothing has changed."""
        return "\0".join(self.paths).encode("utf-8"), self.numbers.tobytes()

    def add(self, path: str, status: os.stat_result) -> None:
        if not path.isascii() and _is_no_text(path):
            self.left_out.append(path)
            return
        self.paths.append(path)
        self.numbers.extend((status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & _MOST))

    def files(self) -> Iterator[Listed]:
        return map(Listed._make, self._rows())

    def differing(self, before: "Listing") -> list[Listed]:
        """Return the files that are new, or whose numbers are others, or unsure, in `before`."""
        known = set(before._rows())
        return [Listed._make(row) for row in self._rows() if row not in known]

    def with_unsure(self, paths: set[str]) -> "Listing":
        """Return the same listing, but these files differ from any other."""
        numbers = array("q", self.numbers)
        for at, path in enumerate(self.paths):
            if path in paths:
                numbers[4 * at + 3] = _UNSURE
        return Listing(self.paths, numbers)

    def _rows(self) -> Iterator[tuple[str, int, int, int, int]]:
        columns = self.numbers
        return zip(self.paths, columns[0::4], columns[1::4], columns[2::4], columns[3::4], strict=True)


def list_files(root: Path) -> Listing:
    """Return the files that recall covers: logs and notes in memory/, nodes, knowledge/, plans/."""
    listing = Listing([], array("q"))
    for folder in _FOLDERS:
        _add_folder(listing, root, folder)
    for folder in _TREES:
        _add_tree(listing, root, folder, set())
    return listing


def _add_folder(listing: Listing, root: Path, folder: str) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(root / folder) as entries:
        for entry in entries:
            name = entry.name
            if not name.endswith(".md") or name.startswith("."):
                continue
            status = _status(entry)
            if status is not None and stat.S_ISREG(status.st_mode):
                listing.add(f"{folder}/{name}", status)


def _add_tree(listing: Listing, root: Path, folder: str, seen: set[tuple[int, int]]) -> None:
    """Add the Markdown files of a folder and its subfolders; links are followed, circles once."""
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
                    _add_tree(listing, root, f"{folder}/{entry.name}", seen)
            elif stat.S_ISREG(status.st_mode) and entry.name.endswith(".md"):
                listing.add(f"{folder}/{entry.name}", status)


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return what the link points to; None for one that points nowhere."""
    try:
        return entry.stat()
    except OSError:
        return None


def _is_no_text(path: str) -> bool:
    """Whether a path holds bytes that are no UTF-8, which Python spells as lone surrogates."""
    return any("\ud800" <= letter <= "\udfff" for letter in path)
