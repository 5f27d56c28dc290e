"""`hipo show`: a place of the memory, and the way up and down from it."""

from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_show import run_show

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo show root               the index of everything

  hipo show 2026-W11 --down    the days of a week

  hipo show 2026-03-15:40-60   lines of a raw log, as summaries and search results name them

  hipo show 2026-03-15:40 --up where day, week, month and ROOT.md speak of that entry
"""


@app.command(epilog=EXAMPLES)
def show_command(
    ctx: typer.Context,
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE", help="root, 2026-03, 2026-W11, 2026-03-15, 2026-03-15:40-60, or a file's path."
        ),
    ],
    up: Annotated[
        bool, typer.Option("--up", help="What stands above it: entry, day, week, month, ROOT.md.")
    ] = False,
    down: Annotated[
        bool, typer.Option("--down", help="What lies below it: months, weeks, days, entries.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print a place of the memory, and walk the tree from it. A week belongs to the month of its Thursday."""
    hand_over(ctx, run_show)
