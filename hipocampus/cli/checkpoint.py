"""`hipo checkpoint`: an entry, from options or from stdin, into the raw log."""

from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_checkpoint import run_checkpoint

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo checkpoint "Payment flow" --request "new endpoint" --decision "token bucket: bursts are legitimate" --outcome "3 tests"

  hipo checkpoint "Short answers" --rule "answer in three lines" --why "reads on a phone" --how-to-apply "every status question"

  hipo checkpoint - < entries.md
"""


class EntryType(StrEnum):
    """What an entry is about."""

    PROJECT = "project"
    FEEDBACK = "feedback"
    USER = "user"
    REFERENCE = "reference"


@app.command(epilog=EXAMPLES)
def checkpoint_command(
    ctx: typer.Context,
    topic: Annotated[
        str | None,
        typer.Argument(metavar="[TOPIC]", help="What the entry is about; - reads entries from stdin."),
    ] = None,
    type: Annotated[
        EntryType | None, typer.Option("--type", help="project (default), feedback, user or reference.")
    ] = None,
    request: Annotated[
        list[str] | None, typer.Option(metavar="T", help="What was asked; may be repeated.")
    ] = None,
    analysis: Annotated[
        list[str] | None, typer.Option(metavar="T", help="What was found out; may be repeated.")
    ] = None,
    decision: Annotated[
        list[str] | None, typer.Option(metavar="T", help="A choice with its reason; may be repeated.")
    ] = None,
    outcome: Annotated[
        list[str] | None, typer.Option(metavar="T", help="What was done; may be repeated.")
    ] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A file that changed; may be repeated.")
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Where to read more; may be repeated.")
    ] = None,
    rule: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Feedback: how to behave from now on.")
    ] = None,
    why: Annotated[list[str] | None, typer.Option(metavar="T", help="Feedback: the reason given.")] = None,
    how_to_apply: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Feedback: when and where it applies.")
    ] = None,
    supersedes: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC", help="A topic that this entry replaces.")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The session it belongs to (else CLAUDE_CODE_SESSION_ID)."),
    ] = None,
    date_: Annotated[
        str | None,
        typer.Option(
            "--date", metavar="YYYY-MM-DD", help="The log to write to, instead of the session's day."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Save an entry into the raw log of the day on which the session started.

    Secrets are taken out before anything is written; long code, diffs, logs and stack traces become one line.
    """
    hand_over(ctx, run_checkpoint)
