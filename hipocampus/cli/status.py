"""`hipo status`: what the memory holds and what is due, for people and for scripts."""

from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_status import run_status

EXAMPLES = """
\b
Examples:
  hipo status
  hipo status --due        (nothing to do prints nothing: made for a shell prompt or cron)
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=EXAMPLES)
def status_command(
    ctx: typer.Context,
    due: Annotated[
        bool, typer.Option("--due", help="Print only what is due; nothing when nothing is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what the memory holds: the last year, the tree, the hot files, a start's budget, and what is due."""
    hand_over(ctx, run_status)
