"""`hipo compact`: the compaction chain, and the summaries that wait for somebody to write them."""

from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_compact import run_compact

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo compact                 when a trigger holds (put this into cron)

  hipo compact --force         now

  hipo compact --pending       which nodes wait for a summary, with their sources and a hash

  hipo compact --accept 2026-03-09 --hash sha256:6f1f0c3d9a7b2e44 < summary.md
"""


class SummarizerName(StrEnum):
    """Who writes the summaries of nodes that are too long to be copied."""

    EXTRACTIVE = "extractive"
    COMMAND = "command"
    LLM = "llm"


@app.command(epilog=EXAMPLES)
def compact_command(
    ctx: typer.Context,
    force: Annotated[bool, typer.Option("--force", help="Run whatever the triggers say.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done; write nothing.")
    ] = False,
    summarizer: Annotated[
        SummarizerName | None,
        typer.Option(help="Who writes long summaries, instead of compaction.summarizer."),
    ] = None,
    ingest: Annotated[
        bool, typer.Option("--ingest", help="First take in what the platforms' transcripts hold.")
    ] = False,
    pending: Annotated[
        bool, typer.Option("--pending", help="List the nodes that wait for a summary.")
    ] = False,
    all_: Annotated[
        bool, typer.Option("--all", help="With --pending: the extractive summaries too.")
    ] = False,
    accept: Annotated[
        str | None,
        typer.Option(
            metavar="PLACE", help="Take the summary on stdin for this node (2026-03-09, 2026-W10, 2026-03)."
        ),
    ] = None,
    hash_: Annotated[
        str | None,
        typer.Option("--hash", metavar="H", help="With --accept: the hash that --pending printed."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only what went wrong.")] = False,
    as_json: AsJson = False,
) -> None:
    """Build the tree: raw logs become daily, weekly and monthly nodes and ROOT.md.

    Runs when the cooldown has passed, after more than 300 raw lines or 5 checkpoints, or with --force. No
    language model is needed. Exit status 1 when a file could not be read or written; the rest is done.
    """
    hand_over(ctx, run_compact)
