"""`hipo note`: a line of SCRATCHPAD.md."""

from dataclasses import asdict
from typing import Annotated

import typer

from hipocampus.cli.context import opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_text
from hipocampus.session.notes import add_note, remove_note

EXAMPLES = """
\b
Examples:
  hipo note state "waiting for the security review of the new endpoint"
  hipo note lessons "the sandbox resets at 03:00: run imports before"
  hipo note pending "retention" --remove
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=EXAMPLES)
def note_command(
    ctx: typer.Context,
    section: Annotated[
        str,
        typer.Argument(
            metavar="SECTION",
            help="state (Current State), lessons (Cross-Task Lessons), pending (Pending Decisions), or a section of your own.",
        ),
    ],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The line; with --remove a part of it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take the one line out that holds TEXT.")] = False,
    as_json: AsJson = False,
) -> None:
    """Add a line to a section of SCRATCHPAD.md, or remove one."""
    store = opened(ctx.obj).store
    done = remove_note(store, section, text) if remove else add_note(store, section, text)
    if as_json:
        print_json(asdict(done))
        return
    place = f"{done.path}:{done.line_start}"
    if done.action == "removed":
        print_text(f"removed from {done.section} ({place}):\n{done.text}")
        return
    said = "already there" if done.action == "unchanged" else "noted"
    lines = [f"{said}: {done.section} → {place}"]
    if done.redacted:
        lines.append("redacted: " + ", ".join(f"{count} {kind}" for kind, count in done.redacted.items()))
    if done.private_lines:
        lines.append(f"private: {done.private_lines} lines left out")
    print_text("\n".join(lines))
