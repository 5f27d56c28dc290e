"""`hipo recall`: find it again, in anybody's words."""

from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_recall import run_recall

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo recall rate limit gateway         words in any order, the best entries first

  hipo recall "what did we decide last week"

  hipo recall AUTH-358 --json            for scripts and agents

  hipo recall --type feedback            everything of one type, newest first
"""


class Kind(StrEnum):
    """The types of an entry."""

    PROJECT = "project"
    FEEDBACK = "feedback"
    USER = "user"
    REFERENCE = "reference"


class Where(StrEnum):
    """What is searched."""

    RAW = "raw"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    KNOWLEDGE = "knowledge"
    PLANS = "plans"
    ALL = "all"


@app.command(epilog=EXAMPLES, context_settings={"ignore_unknown_options": False})
def recall_command(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY…", help="Any text; after -- also one that begins with a dash.", show_default=False
        ),
    ] = None,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many results at most.")] = 10,
    kind: Annotated[Kind | None, typer.Option("--type", help="Only entries of this type.")] = None,
    since: Annotated[str | None, typer.Option(metavar="D", help="Not before this day (2026-03-15).")] = None,
    until: Annotated[str | None, typer.Option(metavar="D", help="Not after this day (2026-03-15).")] = None,
    level: Annotated[Where, typer.Option(help="What is searched.")] = Where.ALL,
    as_manifest: Annotated[
        bool,
        typer.Option("--manifest", help="Instead of results, the frontmatter of the nodes that fit best."),
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each score is made of.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find it again: search the whole memory with any text."""
    hand_over(ctx, run_recall)
