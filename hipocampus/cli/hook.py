"""`hipo hook`: what every platform's hooks call, for every event."""

from typing import Annotated

import typer

from hipocampus.cli.context import Call
from hipocampus.cli.hookcall import serve

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def hook_command(
    ctx: typer.Context,
    event: Annotated[
        str | None, typer.Argument(metavar="EVENT", help="The event, instead of the one in the JSON.")
    ] = None,
) -> None:
    """Handle one event of an agent's hook: JSON on stdin, at most one JSON document on stdout.

    Exit status 0 always: what goes wrong is in memory/.hipo/hook.log and in hipo doctor. SessionStart prints
    the context, PreCompact takes in the transcript, SessionEnd notes it; unknown events do nothing.
    """
    call: Call = ctx.obj
    serve(call.root, event)
