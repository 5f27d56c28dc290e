"""Options and arguments that several commands declare alike, and the way from a declaration to the work."""

from collections.abc import Callable
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Text = Annotated[
    str | None, typer.Argument(metavar="[TEXT]", help="The text; missing or - reads it from stdin.")
]


def hand_over(ctx: typer.Context, work: Callable[..., int | None]) -> None:
    """Let `work` do what the command declares: its parameters by their names, as the strings that were typed."""
    status = work(ctx.obj, **ctx.params)
    if status:
        raise typer.Exit(status)
