"""`hipo show`: a place of the memory, and the way up and down from it."""

from typing import Annotated

import typer

from hipocampus.cli.context import opened
from hipocampus.cli.render import print_json, print_text
from hipocampus.session.show import Shown, Step, show

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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print a place of the memory, and walk the tree from it."""
    here = opened(ctx)
    shown = show(here.store, place, up=up, down=down)
    print_json(as_document(shown)) if as_json else print_text(as_text(shown, walking=up or down))


def as_document(shown: Shown) -> dict[str, object]:
    """The JSON of a place."""
    return {
        "place": shown.place,
        "path": shown.path,
        "line_start": shown.line_start,
        "line_end": shown.line_end,
        "text": shown.text,
        "up": [_step(step) for step in shown.up],
        "down": [_step(step) for step in shown.down],
    }


def _step(step: Step) -> dict[str, object]:
    lines = [{"line": line.number, "text": line.text} for line in step.lines]
    return {"place": step.place, "path": step.path, "title": step.title, "lines": lines}


def as_text(shown: Shown, *, walking: bool) -> str:
    """A place for people: its text as it stands, or, when walking, the places around it."""
    if not walking:
        return shown.text
    lines = [f"{shown.place}  {shown.path}"]
    for arrow, steps in (("↑", shown.up), ("↓", shown.down)):
        for step in steps:
            lines.append(f"{arrow} {step.place}  {step.path}{f'  {step.title}' if step.title else ''}")
            lines += [f"    {line.number}: {line.text}" for line in step.lines]
    if len(lines) == 1:
        lines.append("nothing stands there; the other direction may lead on (--up, --down)")
    return "\n".join(lines)
