"""`hipo init`: make the memory tree here and wire it into agents."""

from pathlib import Path
from typing import Annotated

import typer

from hipocampus import clock
from hipocampus.cli.context import Call
from hipocampus.cli.render import print_json, print_text
from hipocampus.config import PLATFORMS, environment, load_config
from hipocampus.errors import UsageError
from hipocampus.session.changes import apply, diff, shown
from hipocampus.session.init import plan_tree

app = typer.Typer()


@app.command()
def init(
    ctx: typer.Context,
    platform: Annotated[
        list[str] | None,
        typer.Option("--platform", metavar="NAME", help=f"Which agents to wire: {', '.join(PLATFORMS)}."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Make the memory tree here and wire it into your agents. Repeatable; what exists is never overwritten.

    Example: hipo init --platform claude-code --platform codex
    """
    root = _target(ctx)
    config = load_config(root)
    names = _known(platform or [])
    day = clock.local_day(clock.now(), config.zone)
    changes = plan_tree(root, day, names)
    if not dry_run:
        apply(changes)
    if as_json:
        files = [{"path": shown(c.path, root), "action": c.action, "note": c.note} for c in changes]
        print_json({"root": str(root), "platforms": names, "dry_run": dry_run, "files": files})
        return
    if dry_run:
        print_text(diff(changes, root) or "nothing to change")
        return
    for change in changes:
        name = shown(change.path, root) + ("/" if change.folder else "")
        print_text(f"{change.action:9} {name}")


def _target(ctx: typer.Context) -> Path:
    """The folder to work in: the one that is named, else the working directory; it need not hold a memory."""
    call: Call = ctx.obj
    named = call.root or environment("HIPO_ROOT")
    root = Path(named).expanduser().absolute() if named else Path.cwd()
    if not root.is_dir():
        raise UsageError(f"{root}: not a folder", "make it first, or name another with --root")
    return root


def _known(names: list[str]) -> list[str]:
    for name in names:
        if name not in PLATFORMS:
            raise UsageError(f"init: no platform {name!r}", f"use one of {', '.join(PLATFORMS)}")
    return list(dict.fromkeys(names))
