"""`hipo tidy`: what is finished leaves the hot files, and the raw log remembers it."""

from dataclasses import asdict
from typing import Annotated

import typer

from hipocampus.cli.context import opened, session_id
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.session.tidy import FileSize, Tidied, tidy

EXAMPLES = """
\b
Examples:
  hipo tidy --dry-run
  hipo tidy
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=EXAMPLES)
def tidy_command(
    ctx: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Also out of files that are within their target.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would move; write nothing.")] = False,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The session it belongs to (else CLAUDE_CODE_SESSION_ID)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Move finished items and tasks out of hot files that are over their size into the raw log.

    Finished is what is ticked, struck out or marked as done, with no open step below it. Unfinished things are
    never moved. Targets: SCRATCHPAD.md 150 lines, WORKING.md 100, TASK-QUEUE.md 50, MEMORY.md and USER.md 50.
    """
    here = opened(ctx.obj)
    done = tidy(
        here.store,
        here.config.compaction.root_max_tokens,
        everything=everything,
        dry_run=dry_run,
        session=session_id(session),
        now=here.now,
        zone=here.zone,
    )
    print_notes(f"{p.path}: {p.message}" for p in done.problems)
    if as_json:
        print_json(_as_json(done))
    else:
        print_text(_as_text(done))


def _as_json(done: Tidied) -> dict[str, object]:
    return {
        "dry_run": done.dry_run,
        "files": [{**asdict(size), "over": size.over} for size in done.files],
        "root": {"path": "memory/ROOT.md", "tokens": done.root_tokens, "cap": done.root_cap},
        "path": done.path or None,
        "line_start": done.line_start,
        "line_end": done.line_end,
        "entries": done.entries,
        "redacted": dict(done.redacted),
        "raw_lines": done.raw_lines,
    }


def _as_text(done: Tidied) -> str:
    lines = []
    for size in done.files:
        lines += _file_lines(size, done.dry_run)
    state = "over its cap: hipo compact --force" if done.root_tokens > done.root_cap else "within its cap"
    lines.append(f"memory/ROOT.md: {done.root_tokens} of {done.root_cap} tokens, {state}")
    if done.path:
        lines.append(
            f"saved {_count(done.entries, 'entry', 'entries')} → {done.path}:{done.line_start}-{done.line_end}"
        )
    if done.redacted:
        lines.append("redacted: " + ", ".join(f"{count} {kind}" for kind, count in done.redacted.items()))
    return "\n".join(lines)


def _file_lines(size: FileSize, dry_run: bool) -> list[str]:
    after = f", {size.lines_after} after" if size.moved else ""
    head = f"{size.path}: {size.lines} of {size.target_lines} lines{after}"
    lines = [head]
    if size.moved:
        verb = "would move" if dry_run else "moved"
        lines += [f"  {verb}: {title}" for title in size.moved]
    elif size.finished and not size.over:
        lines[0] += f"; {_count(size.finished, 'finished item')} may move with --all"
    if size.over:
        lines[0] += (
            "; still over its size" if size.moved else "; over its size, and nothing in it is finished"
        )
        lines += [f"  unfinished: {title}" for title in size.unfinished]
    return lines


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
