"""`hipo redact`: the redactor as a filter, stdin to stdout."""

import sys
from typing import Annotated

import typer

from hipocampus.cli.render import print_exactly, print_notes
from hipocampus.redact import redact

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLE = """
Example:

  journalctl -u shop | hipo redact > shop.log
"""


@app.command(epilog=EXAMPLE)
def redact_command(
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Say nothing on stderr about what was taken out.")
    ] = False,
) -> None:
    """Copy stdin to stdout without its secrets; every other byte stays as it is.

    Each secret becomes [REDACTED:kind]; the key's name, the quotes and the rest of the line stay. Needs no memory.
    """
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    done = redact(text)
    print_exactly(done.text.encode("utf-8", "surrogateescape"))
    if done.counts and not quiet:
        print_notes(
            ["redacted: " + ", ".join(f"{count} {kind}" for kind, count in sorted(done.counts.items()))]
        )
