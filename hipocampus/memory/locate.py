"""Which folder's memory a command means: named, or found from the working directory upwards."""

import os
from pathlib import Path

from hipocampus.config import CONFIG_NAME
from hipocampus.errors import NoMemoryError


def locate_root(named: str | None, start: Path) -> Path:
    """Return the root of the memory tree.

    `named` (from --root or HIPO_ROOT) is taken when it has a folder memory/. Without it: the first folder
    from `start` upwards that holds memory/ROOT.md or the config; a linked git worktree without a
    memory/ROOT.md of its own uses the main worktree. NoMemoryError when there is none.
    """
    if named:
        root = Path(named).expanduser().absolute()
        if _is_dir(root / "memory"):
            return root
        raise NoMemoryError(f"{root}: there is no memory here", f"run: hipo --root {root} init")
    found = find_root(start)
    if found is None:
        raise NoMemoryError(f"{start}: there is no memory here or above", "run: hipo init")
    return found


def find_root(start: Path) -> Path | None:
    """Return the root that `start` belongs to, None when neither it nor a folder above has a memory."""
    try:
        start = start.resolve()
    except (OSError, RuntimeError):  # a loop of links
        start = start.absolute()
    passed: list[Path] = []
    first_config: Path | None = None
    for folder in (start, *start.parents):
        if _is_file(folder / "memory" / "ROOT.md"):
            return first_config or folder
        passed.append(folder)
        if first_config is None and _is_file(folder / CONFIG_NAME):
            first_config = folder
        main = main_worktree(folder)
        if main is not None:
            for inside in passed:
                twin = main / inside.relative_to(folder)
                if _has_memory(twin):
                    return twin
        if first_config is not None and (main is not None or not _inside_worktree(folder)):
            return first_config
    return first_config


def main_worktree(folder: Path) -> Path | None:
    """Return the main worktree when `folder` is the top of a linked one, else None."""
    try:
        text = (folder / ".git").read_text(encoding="utf-8", errors="replace")
    except OSError:  # no .git, or the folder that a main worktree has
        return None
    if not text.startswith("gitdir:"):
        return None
    gitdir = Path(os.path.normpath(folder / text[len("gitdir:") :].strip()))
    if gitdir.parent.name != "worktrees":
        return None
    common = gitdir.parent.parent
    try:
        named = (gitdir / "commondir").read_text(encoding="utf-8", errors="replace").strip()
        common = Path(os.path.normpath(gitdir / named))
    except OSError:  # older git versions write no commondir; the layout says it
        pass
    return common.parent if common.name == ".git" else None


def _inside_worktree(folder: Path) -> bool:
    """Whether a linked worktree's top is still to come at or above `folder`."""
    return any(main_worktree(above) is not None for above in (folder, *folder.parents))


def _has_memory(folder: Path) -> bool:
    return _is_file(folder / "memory" / "ROOT.md") or (
        _is_file(folder / CONFIG_NAME) and _is_dir(folder / "memory")
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
