"""`hipo import`: transcripts and other tools' memory into raw logs."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from hipocampus.cli.context import Here, opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.cli.render_progress import Report, progress
from hipocampus.errors import UsageError
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import add_counts
from hipocampus.platforms import discover
from hipocampus.platforms.importers import sources
from hipocampus.platforms.importers.found import Imported, take_in
from hipocampus.platforms.ingest import Ingested, Source

app = typer.Typer(add_completion=False, rich_markup_mode=None)

KINDS = (*discover.READERS, *sources.SOURCES)


@app.command()
def import_command(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=f"One of {', '.join(KINDS)}.")],
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="PATH", help="A transcript, a folder, a database; else where the tool keeps them."
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="YYYY-MM-DD", help="Only what is of this day or later.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Only the transcript of this session.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be taken in; write nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Take in transcripts and other tools' memory. Nothing is overwritten; what is known already is left out.

    Examples: hipo import claude-code, hipo import notes ~/vault --since 2026-01-01. Exit status 1 when a
    file could not be read; the rest is done.
    """
    if source not in KINDS:
        raise UsageError(f"import: no source {source!r}", f"use one of {', '.join(KINDS)}")
    day = parse_day(since) if since else None
    if since and day is None:
        raise UsageError(f"import: --since {since!r} is no day", "write it as 2026-03-15")
    here = opened(ctx.obj)
    where = Path(path).expanduser().absolute() if path else None
    if where is None and source in sources.SOURCES:
        raise UsageError(f"import {source}: which folder?", f"name it: hipo import {source} PATH")
    with progress("Importing") as report:
        taken, notes = _transcripts(here, source, where, day, session, dry_run, report)
        imported = _memories(here, source, where, day, dry_run, report) if session is None else Imported()
    notes += [f"{p.path}: {p.message}" for p in imported.problems]
    notes += [f"{p.path}: {p.message}" for one in taken for p in one.problems]
    document = _document(source, taken, imported, dry_run, notes)
    print_json(document) if as_json else print_text(_text(document))
    if not as_json:
        print_notes(notes)
    if notes:
        raise typer.Exit(1)


def _transcripts(
    here: Here,
    source: str,
    path: Path | None,
    since: date | None,
    session: str | None,
    dry_run: bool,
    report: Report,
) -> tuple[list[Ingested], list[str]]:
    if source not in discover.READERS or (path is not None and _is_memory(source, path)):
        return [], []
    found = discover.from_path(source, path, here.root) if path else discover.find(source, here.root)
    if session is not None:
        found = [one for one in found if _belongs(one, session)]
        if not found:
            raise UsageError(
                f"import: no transcript of session {session!r}", "look at its id, or name its file"
            )
    return discover.ingest_each(
        here.store, found, here.now, here.zone, since=since, dry_run=dry_run, progress=report
    )


def _belongs(source: Source, session: str) -> bool:
    return session in (source.session, source.part) or session in source.path.stem


def _is_memory(source: str, path: Path) -> bool:
    """Whether a path is a platform's own memory rather than a transcript."""
    if not path.is_dir():
        return False
    if source == "claude-code":
        return (path / "MEMORY.md").is_file() or not any(path.rglob("*.jsonl"))
    return source == "openclaw" and any(
        (path / name).exists() for name in ("MEMORY.md", "AGENTS.md", "memory")
    )


def _memories(
    here: Here, source: str, path: Path | None, since: date | None, dry_run: bool, report: Report
) -> Imported:
    """What is no transcript: notes, other memories, and what a platform remembers by itself."""
    read: Any = sources.SOURCES.get(source)
    if source == "claude-code":
        path = (
            path
            if path and _is_memory(source, path)
            else (discover.claude_memory(here.root) if path is None else None)
        )
        read = sources.claude_memory
    elif source == "openclaw":
        path = path if path and _is_memory(source, path) else None
        read = sources.openclaw
    if (
        read is None
        or path is None
        or (source in ("openclaw", "hipocampus") and path.resolve() == here.root.resolve())
    ):
        return Imported()
    found, copies, problems = read(path, here.today, report)
    if since:
        found = [one for one in found if one.day >= since]
    done = take_in(here.store, source, found, copies, dry_run=dry_run)
    done.problems = problems + done.problems
    return done


def _document(
    source: str, taken: list[Ingested], imported: Imported, dry_run: bool, notes: list[str]
) -> dict[str, Any]:
    sessions = [
        {
            "path": str(one.source.path),
            "session": one.session,
            "messages": one.messages,
            "known": one.known,
            "places": one.places,
            "broken_lines": one.broken,
            "long_lines": one.too_long,
        }
        for one in taken
    ]
    return {
        "source": source,
        "dry_run": dry_run,
        "sessions": sessions,
        "messages": sum(one.messages for one in taken),
        "entries": imported.entries + sum(len(one.places) for one in taken),
        "duplicates": imported.duplicates + sum(one.known for one in taken),
        "places": [*(place for one in taken for place in one.places), *imported.places],
        "copied": imported.copied,
        "kept": imported.kept,
        "lines": imported.lines + sum(one.lines for one in taken),
        "redacted": add_counts(imported.redacted, *(one.redacted for one in taken)),
        "private_lines": imported.private_lines + sum(one.private_lines for one in taken),
        "omitted": [{"what": one.what, "lines": one.lines} for one in imported.omitted],
        "encodings": imported.encodings,
        "problems": notes,
    }


def _text(told: dict[str, Any]) -> str:
    would = "would take in" if told["dry_run"] else "took in"
    lines = []
    if told["sessions"]:
        fresh = sum(1 for one in told["sessions"] if one["messages"])
        looked = len(told["sessions"])
        lines.append(
            f"{would} {_count(told['messages'], 'message')} of {_count(fresh, 'session')} ({looked} looked at)"
        )
    if told["entries"] or not told["sessions"]:
        lines.append(
            f"{would} {_count(told['entries'], 'entry', 'entries')}; {told['duplicates']} known already"
        )
    lines += [f"  {place}" for place in told["places"][:20]]
    if len(told["places"]) > 20:
        lines.append(f"  and {len(told['places']) - 20} more")
    lines += [f"copied {name}" for name in told["copied"]]
    lines += [f"left {name} as it is" for name in told["kept"]]
    for encoding in sorted(set(told["encodings"].values())):
        names = [name for name, its in told["encodings"].items() if its == encoding]
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        lines.append(f"read as {encoding}, not UTF-8: {', '.join(names[:5])}{more}")
    if told["redacted"]:
        lines.append("redacted: " + ", ".join(f"{count} {kind}" for kind, count in told["redacted"].items()))
    if told["private_lines"]:
        lines.append(f"private: {told['private_lines']} lines left out")
    if told["omitted"]:
        lines.append(f"shortened as not worth saving: {len(told['omitted'])} blocks")
    broken = sum(one["broken_lines"] + one["long_lines"] for one in told["sessions"])
    if broken:
        lines.append(f"{broken} lines could not be read")
    return "\n".join(lines)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
