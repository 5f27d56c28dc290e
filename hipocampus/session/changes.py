"""Changes to files, planned before they are made: shown as a diff, applied, reported. Pure but for `apply`."""

import difflib
from pathlib import Path
from typing import NamedTuple

from hipocampus.files import decode, leftovers, make_folder, remove_file, replace_file


class Change(NamedTuple):
    """What is to become of one file. `before` and `after` are its bytes, None where there is no file.

    A folder has `folder` set; its `after` is b"". Equal sides mean that the file is left as it is.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    note: str = ""
    folder: bool = False
    mode: int | None = None  # of a new file

    @property
    def action(self) -> str:
        """What happens: created, updated, removed or unchanged."""
        if self.before == self.after:
            return "unchanged"
        if self.before is None:
            return "created"
        return "removed" if self.after is None else "updated"


def apply(changes: list[Change]) -> None:
    """Make the changes, in order; a file that is in the way ends it with a WriteError.

    What a call that was killed left half written beside these files goes first.
    """
    for folder in {change.path.parent for change in changes}:
        for path in leftovers(folder):
            remove_file(path)
    for change in changes:
        if change.action == "unchanged":
            continue
        if change.folder:
            _apply_folder(change)
        elif change.after is None:
            remove_file(change.path)
        else:
            if not change.path.parent.is_dir():
                make_folder(change.path.parent)
            replace_file(change.path, change.after, mode=change.mode)


def _apply_folder(change: Change) -> None:
    if change.after is not None:
        make_folder(change.path)
        return
    try:
        change.path.rmdir()
    except OSError:  # somebody's file is in it: the folder is theirs now
        return


def diff(changes: list[Change], root: Path) -> str:
    """Return the changes as a unified diff, folders as one line each."""
    out: list[str] = []
    for change in changes:
        if change.action == "unchanged":
            continue
        name = shown(change.path, root)
        if change.folder:
            out.append(f"{'+' if change.after is not None else '-'} {name}/")
            continue
        old, new = decode(change.before or b""), decode(change.after or b"")
        lines = difflib.unified_diff(
            old.splitlines(),
            new.splitlines(),
            "/dev/null" if change.before is None else name,
            "/dev/null" if change.after is None else name,
            lineterm="",
        )
        out += lines
    return "\n".join(out)


def shown(path: Path, root: Path) -> str:
    """Return a path as it is shown: relative to the root where it lies inside."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return str(path)
