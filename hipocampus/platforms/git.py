"""What git is told: which files of the memory are ignored, and how two people's raw logs are joined."""

import re
from collections.abc import Iterable
from pathlib import Path

from hipocampus.files import read_text
from hipocampus.memory.locate import main_worktree
from hipocampus.platforms import blocks
from hipocampus.platforms.project import Plan
from hipocampus.platforms.textfiles import has_block, with_block
from hipocampus.templates import template_text

IGNORE, ATTRIBUTES = ".gitignore", ".gitattributes"
FOLDERS = ("memory", "knowledge", "plans")
_DERIVED = ("ROOT.md", "daily/", "weekly/", "monthly/", "brain/", ".hipo/", ".compaction-state.json")
_HIPOS = r"\d{4}-\d\d-\d\d\.md|ROOT\.md|daily|weekly|monthly|brain|\.hipo|\.compaction-state\.json"


def plan_git(plan: Plan, shared: bool) -> None:
    """Plan the blocks for git: what it ignores, and where a memory is shared, how raw logs are joined."""
    tracked = tracked_folders(plan.root)
    text = _ignored(template_text("blocks/gitignore-shared" if shared else "blocks/gitignore"), tracked)
    if tracked:
        names = " and ".join(f"{name}/" for name in tracked)
        plan.next_steps.append(f"git: files of the project's own are in {names}, so git does not ignore it")
    exclude = exclude_file(plan.root) if plan.private else None
    if exclude is not None:
        prefix = _prefix(plan.root)
        wiring = sorted({_top(change.path, plan.root) for change in plan.changes})
        own = "\n".join(f"/{name}" for name in [*wiring, "hipocampus.config.json"])
        lines = [_prefixed(line, prefix) for line in f"{text.strip()}\n{own}".split("\n")]
        plan.add(lambda: with_block(exclude, "\n".join(lines), blocks.HASH))
        return
    plan.add(lambda: with_block(plan.root / IGNORE, text, blocks.HASH))
    if shared:
        attributes = template_text("blocks/gitattributes")
        plan.add(lambda: with_block(plan.root / ATTRIBUTES, attributes, blocks.HASH))


def tracked_folders(root: Path) -> list[str]:
    """Return which of memory/, knowledge/ and plans/ hold files that git tracks and that are not hipo's.

    To ignore such a folder would hide the team's next file in it. Raw logs and nodes in memory/ are hipo's
    own, also where an earlier init let git commit them.
    """
    own = re.compile(rf"memory/(?:{_HIPOS})(?:/.*)?")
    files = [name for name in _tracked(root) if not own.fullmatch(name)]
    return [name for name in FOLDERS if any(file.startswith(f"{name}/") for file in files)]


def tracked_memory(root: Path) -> list[str]:
    """Return the raw logs and nodes that git tracks: ignoring them has no effect."""
    own = re.compile(rf"memory/(?:{_HIPOS})(?:/.*)?")
    return [name for name in _tracked(root) if own.fullmatch(name)]


def committed(root: Path, paths: Iterable[Path]) -> list[str]:
    """Return which of these files git knows with hipo's wiring in them: taking it out shows in its status."""
    inside = [path.relative_to(root).as_posix() for path in paths if path.is_relative_to(root)]
    return _names(root, "grep", "--cached", "-lzF", "-e", "hipo", "--", *inside) if inside else []


def _tracked(root: Path) -> list[str]:
    """The files that git tracks in the memory's folders."""
    if not any((root / name).is_dir() for name in FOLDERS):
        return []
    return _names(root, "ls-files", "-z", "--", *FOLDERS)


def _names(root: Path, *words: str) -> list[str]:
    """The names that git prints; none where there is no git, or no repository."""
    if _top_folder(root) is None:
        return []
    import subprocess

    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [name for name in done.stdout.decode("utf-8", "replace").split("\0") if name]


def _ignored(text: str, tracked: list[str]) -> str:
    """The patterns without the folders that are the project's too; in memory/ hipo's own names stay ignored."""
    lines = text.strip().split("\n")
    kept = [line for line in lines if line.strip("/") not in tracked]
    if "memory" in tracked:
        logs = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md"
        shared = "/memory/*" in lines
        kept = [line for line in kept if "/memory/" not in line or line.startswith("#")]
        kept += [f"/memory/{name}" for name in (*_DERIVED, *([] if shared else [logs]))]
    return "\n".join(kept) + "\n"


def is_shared(root: Path) -> bool:
    """True when an earlier init was asked to share the raw logs."""
    return has_block(root / ATTRIBUTES, blocks.HASH)


def is_private(root: Path) -> bool:
    """True when an earlier init was asked to keep its wiring out of what is committed."""
    exclude = exclude_file(root)
    return exclude is not None and has_block(exclude, blocks.HASH)


def exclude_file(root: Path) -> Path | None:
    """Return the file of ignored names that git never commits, None outside a repository."""
    top = _top_folder(root)
    if top is None:
        return None
    if (top / ".git").is_dir():
        return top / ".git" / "info" / "exclude"
    main = main_worktree(top)
    if main is not None:
        return main / ".git" / "info" / "exclude"
    text = read_text(top / ".git") or ""
    return (top / text.removeprefix("gitdir:").strip()).resolve() / "info" / "exclude"  # a submodule


def _top_folder(root: Path) -> Path | None:
    return next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)


def _prefix(root: Path) -> str:
    top = _top_folder(root)
    inner = root.relative_to(top).as_posix() if top else "."
    return "" if inner == "." else f"/{inner}"


def _prefixed(line: str, prefix: str) -> str:
    if line.startswith("!/"):
        return f"!{prefix}{line[1:]}"
    return prefix + line if line.startswith("/") else line


def _top(path: Path, root: Path) -> str:
    """A file of the wiring, as a pattern: skills by their folder, everything else by its name."""
    name = path.relative_to(root).as_posix()
    return name.removesuffix("SKILL.md") if name.endswith("/SKILL.md") else name
