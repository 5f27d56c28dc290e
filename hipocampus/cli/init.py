"""`hipo init`: make the memory tree here and wire it into agents."""

from pathlib import Path
from typing import Annotated

import typer

from hipocampus import clock
from hipocampus.cli.context import Call
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.config import PLATFORMS, Config, environment, load_config
from hipocampus.errors import UsageError
from hipocampus.memory.locate import find_root
from hipocampus.platforms.project import Plan
from hipocampus.platforms.wiring import WIRE, detect, moves, plan_config, plan_wiring
from hipocampus.session.changes import Change, apply, diff, shown
from hipocampus.session.init import plan_tree

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def init_command(
    ctx: typer.Context,
    platform: Annotated[
        list[str] | None,
        typer.Option(
            "--platform",
            metavar="NAME",
            help=f"Which agents to wire, several times: {', '.join(PLATFORMS)}. Else those that are used here.",
        ),
    ] = None,
    private: Annotated[
        bool,
        typer.Option("--private", help="Touch nothing that is committed: local files, git's own exclude."),
    ] = False,
    shared: Annotated[
        bool,
        typer.Option("--shared", help="Let git commit raw logs, knowledge and plans, joined line by line."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show a diff of what would change; change nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make the memory tree here and wire it into your agents. Repeatable; what people wrote stays.

    Example: hipo init --platform claude-code --platform codex
    """
    if private and shared:
        raise UsageError("init: --private and --shared exclude each other", "choose one of them")
    root = _target(ctx)
    config = load_config(root)
    names = _chosen(root, config, platform)
    if moves(root, private=private, shared=shared):
        names = list(dict.fromkeys([*names, *config.platforms]))  # no platform's wiring stays behind
    wired = [name for name in names if name != "none"]
    plan = plan_wiring(root, wired, private=private, shared=shared)
    if wired:
        plan.add(lambda: plan_config(root, wired))
    day = clock.local_day(clock.now(), config.zone)
    ours = {change.path for change in plan.changes if change.action != "unchanged"}
    changes = [change for change in plan_tree(root, day, names) if change.path not in ours] + plan.changes
    if not dry_run:
        apply(changes)
    _report(root, names, changes, plan, dry_run, as_json)


def _target(ctx: typer.Context) -> Path:
    """The folder to work in: the one that is named, else the working directory; it need not hold a memory."""
    call: Call = ctx.obj
    named = call.root or environment("HIPO_ROOT")
    root = Path(named).expanduser().absolute() if named else Path.cwd()
    if not root.is_dir():
        raise UsageError(f"{root}: not a folder", "make it first, or name another with --root")
    above = find_root(root)
    if above is not None and above != root and above != root.resolve():
        print_notes([f"{above} has a memory already; this one will be its own"])
    return root


def _chosen(root: Path, config: Config, named: list[str] | None) -> list[str]:
    """The platforms that are named, else those of the config and those that are used here."""
    for name in named or ():
        if name not in PLATFORMS:
            raise UsageError(f"init: no platform {name!r}", f"use one of {', '.join(PLATFORMS)}")
    if named:
        return list(dict.fromkeys(named))
    if config.platforms:
        return list(config.platforms)
    return detect(root)


def _report(
    root: Path, names: list[str], changes: list[Change], plan: Plan, dry_run: bool, as_json: bool
) -> None:
    by_hand = [{"path": shown(m.path, root), "why": m.why, "lines": m.lines} for m in plan.manual]
    if as_json:
        files = [{"path": shown(c.path, root), "action": c.action, "note": c.note} for c in changes]
        document = {
            "root": str(root),
            "platforms": [name for name in names if name in WIRE],
            "dry_run": dry_run,
            "files": files,
            "by_hand": by_hand,
            "next": plan.next_steps,
        }
        print_json(document)
        return
    if dry_run:
        print_text(diff(changes, root) or "nothing to change")
    else:
        print_text("\n".join(_lines(root, changes)))
    for one in by_hand:
        print_text(f"\n{one['path']}: {one['why']}. To add by hand:\n{one['lines']}")
    if plan.next_steps:
        print_text("\n" + "\n".join(plan.next_steps))
    if not names:
        print_text(
            "\nNo agent was found here, so none is wired; wire one with: hipo init --platform claude-code"
        )


def _lines(root: Path, changes: list[Change]) -> list[str]:
    """A line for each file; folders only where they are made."""
    lines = []
    for change in changes:
        if change.folder and change.action == "unchanged":
            continue
        name = shown(change.path, root) + ("/" if change.folder else "")
        note = f" ({change.note})" if change.note else ""
        lines.append(f"{change.action:9} {name}{note}")
    return lines
