"""`hipo demo`: the main job on a tree of its own, in a temporary folder."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from hipocampus import clock
from hipocampus.cli.render import print_text
from hipocampus.cli.run_compact import as_text as compaction_text
from hipocampus.cli.run_show import as_text as shown_text
from hipocampus.session.demo import run_demo

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def demo_command(
    folder: Annotated[
        Path | None,
        typer.Option("--in", metavar="DIR", help="An empty folder to use instead of a temporary one."),
    ] = None,
) -> None:
    """See it work: a project's memory of six weeks, from init to the start of today's session.

    Everything happens in a folder of its own, which stays so that you can look around in it.
    """
    where = _empty(folder)
    demo = run_demo(where, clock.now(), None, print_text)
    print_text("$ hipo compact")
    print_text(compaction_text(demo.report))
    print_text("$ hipo start")
    print_text(demo.started.context)
    print_text()
    print_text("$ hipo show root --down")
    print_text(shown_text(demo.root, walking=True))
    print_text(f"$ hipo show {demo.found.place} --up")
    print_text(shown_text(demo.found, walking=True))
    print_text()
    print_text(
        f"The tree is in {where}: {demo.entries} entries over six weeks became a memory to start from."
    )
    print_text(f"Look around: hipo --root {where} recall bucket")


def _empty(folder: Path | None) -> Path:
    from hipocampus.errors import UsageError

    if folder is None:
        return Path(tempfile.mkdtemp(prefix="hipo-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageError(f"demo: {folder} is not empty", "name an empty folder")
    return folder.absolute()
