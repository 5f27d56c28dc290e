"""`hipo export html`: the whole memory as one self-contained page."""

from pathlib import Path
from typing import Annotated

import typer

from hipocampus.cli.context import opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_exactly, print_json, print_notes, print_text
from hipocampus.cli.render_progress import progress
from hipocampus.errors import HipoError
from hipocampus.files import encode, replace_file
from hipocampus.session.export import GENERATOR, export_page

EXAMPLES = """
\b
Examples:
  hipo export html memory.html
"""

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="The whole memory in another form.",
    epilog=EXAMPLES,
)


@app.callback()
def export_group() -> None:
    """The whole memory in another form."""


@app.command("html")
def html_command(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The page to write; - prints it.")],
    title: Annotated[
        str | None, typer.Option(metavar="T", help="The page's title (else the folder's name).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is no such page.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the memory as one HTML page: calendar, tree, search and tasks, without network or server.

    Everybody who has the page can read the memory. Secrets are taken out of it.
    """
    here = opened(ctx.obj)
    if str(file) != "-" and not force:
        _refuse_other(file)
    with progress("exporting") as report:
        done = export_page(
            here.store, title or here.root.resolve().name or "Memory", here.now, here.zone, report
        )
    print_notes(f"{p.path}: {p.message}" for p in done.problems)
    if str(file) == "-":
        print_exactly(encode(done.text))
    else:
        data = encode(done.text)
        replace_file(file, data, durable=False, mode=0o600)
        if as_json:
            print_json(
                {
                    "path": str(file),
                    "bytes": len(data),
                    "days": done.days,
                    "entries": done.entries,
                    "notes": done.notes,
                    "problems": [p._asdict() for p in done.problems],
                }
            )
        else:
            print_text(
                f"wrote {file}: {done.entries:,} entries on {done.days:,} days, {len(data) / 1e6:.1f} MB"
            )
    if done.problems:
        raise typer.Exit(1)


def _refuse_other(file: Path) -> None:
    """Raise a HipoError when a file stands there that is no earlier export."""
    if not file.exists():
        return
    try:
        with file.open("rb") as old:
            head = old.read(1000)
    except OSError as error:
        raise HipoError(f"export: {file}: cannot be read ({error.strerror})", "name another file") from error
    if GENERATOR.encode() not in head:
        raise HipoError(
            f"export: {file}: a file stands there that is no exported memory",
            "name another file, or use --force",
        )
