"""`hipo uninstall`: take the wiring out again; the memory stays unless it is purged."""

from pathlib import Path
from typing import Annotated

import typer

from hipocampus.cli.context import Call
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import is_terminal, print_json, print_text
from hipocampus.config import environment
from hipocampus.errors import UsageError
from hipocampus.memory.locate import find_root
from hipocampus.platforms.wiring import plan_unwiring
from hipocampus.session.changes import apply, shown
from hipocampus.session.init import memory_parts, purge

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def uninstall_command(
    ctx: typer.Context,
    purge_memory: Annotated[
        bool, typer.Option("--purge", help="Delete the memory too: memory/, the hot files, the config.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before --purge.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take hipo's blocks, hooks and skills out of this project; every file as it was before.

    The memory stays. What somebody changed since is kept and named. Exit status 1 when a file has to be
    put right by hand.
    """
    call: Call = ctx.obj
    named = call.root or environment("HIPO_ROOT")
    start = Path(named).expanduser().absolute() if named else Path.cwd()
    root = start if named else find_root(start) or start
    parts = memory_parts(root) if purge_memory else []
    if parts and not yes and not _agrees(root, [shown(part, root) for part in parts]):
        raise typer.Exit(1)
    plan = plan_unwiring(root)
    apply(plan.changes)
    if parts:
        purge(parts)
    files = [(shown(c.path, root), c.action, c.note) for c in plan.changes]
    files += [(shown(part, root), "removed", "") for part in parts]
    by_hand = [{"path": shown(m.path, root), "why": m.why, "lines": m.lines} for m in plan.manual]
    if as_json:
        listed = [{"path": path, "action": action, "note": note} for path, action, note in files]
        print_json({"root": str(root), "purged": bool(parts), "files": listed, "by_hand": by_hand})
    else:
        lines = [f"{action:9} {path}{f' ({note})' if note else ''}" for path, action, note in files]
        lines += [f"{one['path']}: {one['why']}; {one['lines']}" for one in by_hand]
        print_text("\n".join(lines) or "nothing to take out")
        if any(path.endswith((".gitignore", "info/exclude")) for path, _, _ in files) and not parts:
            print_text("memory/ and the hot files stay, and git no longer ignores them")
    if by_hand:
        raise typer.Exit(1)


def _agrees(root: Path, names: list[str]) -> bool:
    if not is_terminal():
        raise UsageError("uninstall: --purge deletes the memory", "add --yes to say that this is meant")
    return typer.confirm(f"Delete {', '.join(names)} in {root} for good?")
