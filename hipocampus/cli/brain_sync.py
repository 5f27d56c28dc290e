"""`hipo brain sync`: a session carried into a fresh one."""

import json
from typing import Annotated

import typer

from hipocampus.brain.capsule import LIFETIME, export_capsule, render_capsule, resuming
from hipocampus.cli.brain_io import brain_lists, note_json, print_surely, turn_json
from hipocampus.cli.context import opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_text
from hipocampus.clock import iso_utc

sync_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@sync_app.callback()
def sync_group() -> None:
    """Carry a session into a fresh one."""


@sync_app.command("export")
def sync_export(
    ctx: typer.Context,
    conversation: Annotated[
        str | None, typer.Option("--conversation", metavar="ID", help="The conversation to carry over.")
    ] = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="ID", help="Whose handoffs go along.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put a conversation, its handoffs and WORKING.md into a capsule; the token is good once and for a day.

    Example: hipo brain sync export --conversation c1 --agent builder
    """
    here = opened(ctx.obj)
    token = export_capsule(here.store, brain_lists(here), conversation, agent, here.now)
    print_json({"token": token, "expires": iso_utc(here.now + LIFETIME)}) if as_json else print_text(token)


@sync_app.command("resume")
def sync_resume(
    ctx: typer.Context,
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="What `sync export` printed.")],
    as_json: AsJson = False,
) -> None:
    """Print what a capsule carries as context for this session, and use it up.

    Example: hipo brain sync resume TOKEN
    """
    here = opened(ctx.obj)
    with resuming(here.store, token, here.now) as capsule:
        text = render_capsule(capsule, here.now)
        if as_json:
            value = {
                "made_at": capsule.made_at,
                "conversation": capsule.conversation,
                "agent": capsule.agent,
                "turns": [turn_json(turn) for turn in capsule.turns],
                "handoffs": [note_json(note) for note in capsule.notes],
                "working": capsule.working,
                "context": text,
            }
            print_surely(json.dumps(value, ensure_ascii=False, indent=2))
        else:
            print_surely(text)
