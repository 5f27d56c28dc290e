"""`hipo hook`: what every platform's hooks call, for every event."""

from typing import Annotated

import typer

from hipocampus.cli.context import Call
from hipocampus.cli.hookcall import hook_call, serve

app = typer.Typer(add_completion=False, rich_markup_mode=None)


# An agent takes exit status 2 for "block this": words that are not known are no wrong usage here.
@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
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
    given: Call = ctx.obj
    call = hook_call(["hook", *([event] if event else []), *ctx.args])
    if call is not None:
        serve(call._replace(root=call.root or given.root))
