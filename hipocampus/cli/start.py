"""`hipo start`: the beginning of a session."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hipocampus.cli.context import opened, session_id
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.config import PLATFORMS
from hipocampus.errors import UsageError
from hipocampus.session.start import Started, start

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def start_command(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The session's id (else CLAUDE_CODE_SESSION_ID).")
    ] = None,
    platform: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The agent that asks: what it loads by itself is left out."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Leave nothing out because of --platform.")] = False,
    no_compact: Annotated[
        bool, typer.Option("--no-compact", help="Judge compaction, but begin none.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Begin a session: judge compaction, begin it when it is due, and print what the agent should know.

    The context has at most 9,500 characters and bytes. Exit status 0 whenever it was printed.
    """
    if platform is not None and platform not in PLATFORMS:
        raise UsageError(f"start: --platform {platform!r} is not known", "use one of " + ", ".join(PLATFORMS))
    here = opened(ctx)
    begun = start(
        here.store,
        here.config,
        here.now,
        here.zone,
        session=session_id(session),
        loaded=frozenset() if full or platform is None else _loaded(platform),
        compaction=not no_compact,
        handoffs=_handoffs(here.store.memory),
        spawn=spawn_compaction,
    )
    print_notes(begun.problems)
    print_json(as_document(begun)) if as_json else print_text(begun.context)


def as_document(begun: Started) -> dict[str, object]:
    """The JSON of a start."""
    verdict = begun.begun.verdict
    hours = verdict.hours_since
    return {
        "session": begun.session,
        "day": begun.day.isoformat(),
        "compaction": {
            "due": begun.begun.due,
            "triggers": [str(t) for t in begun.begun.triggers],
            "dispatched": begun.dispatched,
            "hours_since": None if hours is None else round(hours, 2),
            "raw_lines": verdict.raw_lines,
            "checkpoints": verdict.checkpoints,
        },
        "files": [
            {"path": f.path, "lines": f.lines, "target_lines": f.target_lines, "shown_lines": f.shown_lines}
            for f in begun.files
        ],
        "pending_summaries": begun.pending_summaries,
        "handoffs": begun.handoffs,
        "context": begun.context,
    }


def spawn_compaction(root: Path) -> None:
    """Start a compaction that outlives this process; it logs into `.hipo/compaction.log`."""
    import subprocess

    with (root / "memory" / ".hipo" / "compaction.log").open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "--root", str(root), "compact", "--quiet"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=root,
        )


def _loaded(platform: str) -> frozenset[str]:
    from hipocampus.platforms.loads import loaded_files

    return loaded_files(platform)


def _handoffs(memory: Path) -> int:
    """How many notes wait in the files of the brain; its code is loaded only where there are any."""
    if not (memory / "brain" / "handoffs").is_dir():
        return 0
    from hipocampus.brain.waiting import unread_handoffs

    return unread_handoffs(memory)
