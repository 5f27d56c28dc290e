"""`hipo start`: the beginning of a session."""

from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_start import run_start

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def start_command(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The session's id (else CLAUDE_CODE_SESSION_ID).")
    ] = None,
    platform: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The agent that asks: what it loads by itself is left out."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Leave nothing out because of --platform.")] = False,
    no_compact: Annotated[
        bool, typer.Option("--no-compact", help="Judge compaction, but begin none.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Begin a session: judge compaction, begin it when it is due, and print what the agent should know.

    The context has at most 9,500 characters and bytes. Exit status 0 whenever it was printed.
    """
    hand_over(ctx, run_start)
