"""What git is told: which files of the memory are ignored, and how two people's raw logs are joined."""

from pathlib import Path

from hipocampus.files import read_bytes, read_text
from hipocampus.memory.locate import main_worktree
from hipocampus.platforms import blocks
from hipocampus.platforms.project import Plan
from hipocampus.platforms.textfiles import with_block
from hipocampus.templates import template_text

IGNORE, ATTRIBUTES = ".gitignore", ".gitattributes"


def plan_git(plan: Plan, shared: bool) -> None:
    """Plan the blocks for git. A project that is shared stays shared until it is unwired."""
    shared = shared or is_shared(plan.root)
    text = template_text("blocks/gitignore-shared" if shared else "blocks/gitignore")
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


def is_shared(root: Path) -> bool:
    """True when an earlier init was asked to share the raw logs."""
    try:
        return blocks.read(read_bytes(root / ATTRIBUTES), blocks.HASH) is not None
    except blocks.BrokenBlock:
        return True


def is_private(root: Path) -> bool:
    """True when an earlier init was asked to keep its wiring out of what is committed."""
    exclude = exclude_file(root)
    try:
        return exclude is not None and blocks.read(read_bytes(exclude), blocks.HASH) is not None
    except blocks.BrokenBlock:
        return True


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
