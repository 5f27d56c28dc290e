"""`hipo status`: what the memory holds and what is due, for people and for scripts."""

from dataclasses import asdict
from datetime import tzinfo
from pathlib import Path
from typing import Annotated

import typer

from hipocampus.cli.context import opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import is_terminal, print_json, print_notes, print_text
from hipocampus.clock import iso_utc, to_local
from hipocampus.files import read_bytes
from hipocampus.session.status import MemoryStatus, status_of
from hipocampus.session.tidy import FileSize

EXAMPLES = """
\b
Examples:
  hipo status
  hipo status --due        (nothing to do prints nothing: made for a shell prompt or cron)
"""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command(epilog=EXAMPLES)
def status_command(
    ctx: typer.Context,
    due: Annotated[
        bool, typer.Option("--due", help="Print only what is due; nothing when nothing is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what the memory holds: the last year, the tree, the hot files, a start's budget, and what is due."""
    here = opened(ctx.obj)
    status = status_of(
        here.store,
        here.config,
        here.now,
        here.zone,
        handoffs=_handoffs(here.store.memory),
        conversations=len(_files(here.store.memory, "conversations")),
    )
    if as_json:
        print_json({"due": status.due_lines()} if due else as_document(status))
    elif due:
        for line in status.due_lines():
            print_text(line)
    elif is_terminal():
        from hipocampus.cli.render_status import show_status

        show_status(status, _next_due(status, here.zone))
    else:
        print_text(as_text(status, _next_due(status, here.zone)))
        print_notes(status.compaction.notes)


def as_document(status: MemoryStatus) -> dict[str, object]:
    """The JSON of a status: everything, with instants in UTC."""
    values = asdict(status)
    values["root"] = str(status.root)
    values["today"] = status.today.isoformat()
    at = status.compaction.next_at
    values["compaction"]["next_at"] = iso_utc(at) if at else None
    values["hot"] = [_hot(size) for size in status.hot]
    values["due"] = status.due_lines()
    return values


def _hot(size: FileSize) -> dict[str, object]:
    values = {"path": size.path, "lines": size.lines, "target_lines": size.target_lines}
    over = size.lines > size.target_lines
    return {**values, "over": over, "finished": size.finished, "unfinished": list(size.unfinished)}


def as_text(status: MemoryStatus, next_due: str) -> str:
    """A status as plain lines: nothing but text, one fact a line, made for pipes and small screens."""
    lines = [f"memory: {status.root}", f"logs: {_logs(status)}"]
    for month, (days, entries) in by_month(status).items():
        lines.append(f"  {month}: {_count(entries, 'entry', 'entries')} on {_count(days, 'day', 'days')}")
    for level in status.levels:
        parts = [f"{level.fixed} fixed", f"{level.tentative} tentative"]
        parts += [f"{level.waiting} waiting"] if level.waiting else []
        parts += [f"{level.missing} missing"] if level.missing else []
        parts += [f"{level.other} of another kind"] if level.other else []
        lines.append(f"{level.level}: {_count(level.nodes, 'node', 'nodes')} ({', '.join(parts)})")
    lines += [
        f"{size.path}: {size.lines} of {size.target_lines} lines{', over' if size.lines > size.target_lines else ''}"
        for size in status.hot
    ]
    over = ", over" if status.root_tokens > status.root_cap else ""
    lines.append(f"memory/ROOT.md: {status.root_tokens} of {status.root_cap} tokens{over}")
    start = status.start
    lines.append(f"start: {start.bytes} of {start.cap_bytes} bytes, about {start.tokens} tokens")
    lines += [
        f"  {path}: {_count(count, 'line', 'lines')} not shown" for path, count in start.shortened.items()
    ]
    lines.append(f"compaction: {next_due}; {standing(status)}")
    lines.append(f"index: {index_line(status)}")
    if status.handoffs or status.conversations:
        lines.append(f"brain: {brain_line(status)}")
    lines += [f"due: {line}" for line in status.due_lines()]
    return "\n".join(lines)


def by_month(status: MemoryStatus) -> dict[str, tuple[int, int]]:
    """Return days and entries of each month of the last year that has any, oldest first."""
    months: dict[str, tuple[int, int]] = {}
    for day, entries in status.days.items():
        days, total = months.get(day[:7], (0, 0))
        months[day[:7]] = (days + 1, total + entries)
    return months


def standing(status: MemoryStatus) -> str:
    """Where each counter stands against its trigger."""
    from hipocampus.compaction.triggers import CHECKPOINTS_LIMIT, RAW_LINES_LIMIT

    due = status.compaction
    since = (
        "never run" if due.hours_since is None else f"{due.hours_since:.1f} of {due.cooldown_hours:g} hours"
    )
    return (
        f"{since}, {due.raw_lines} of {RAW_LINES_LIMIT} raw lines, "
        f"{due.checkpoints} of {CHECKPOINTS_LIMIT} checkpoints"
    )


def index_line(status: MemoryStatus) -> str:
    """What the recall index holds, in a line."""
    index = status.index
    if index is None:
        return "none yet; the first hipo recall makes it"
    if index.damaged:
        return "cannot be read; the next hipo recall makes it anew"
    kinds = ", ".join(f"{count:,} {level}" for level, count in sorted(index.files.items()))
    files = _count(sum(index.files.values()), "file", "files")
    return f"{files} ({kinds}), {index.sections:,} sections, {index.bytes / 1e6:.1f} MB"


def brain_line(status: MemoryStatus) -> str:
    """Handoffs and conversations, in a line."""
    unread = ", ".join(f"{count} for {agent}" for agent, count in status.handoffs.items())
    said = _count(sum(status.handoffs.values()), "handoff", "handoffs")
    said += f" unread ({unread})" if unread else ""
    return f"{said}, {_count(status.conversations, 'conversation', 'conversations')}"


def _logs(status: MemoryStatus) -> str:
    if not status.logs:
        return "none yet; hipo checkpoint writes the first"
    span = f"{status.first_day} to {status.last_day}"
    return f"{_count(status.logs, 'day', 'days')}, {span}; {_count(sum(status.days.values()), 'entry', 'entries')} in the last year"


def _next_due(status: MemoryStatus, zone: tzinfo | None) -> str:
    due = status.compaction
    if due.due:
        return f"due now ({', '.join(due.triggers)})"
    if due.next_at is None:
        return "not due"
    local = to_local(due.next_at, zone)
    when = f"{local:%H:%M}" if local.date() == status.today else f"{local:%Y-%m-%d %H:%M}"
    return f"next due at {when}"


def _files(memory: Path, kind: str) -> list[Path]:
    return sorted((memory / "brain" / kind).glob("*.jsonl"))


def _handoffs(memory: Path) -> dict[str, int]:
    """Unread notes per agent, counted in the files."""
    found = {}
    for path in _files(memory, "handoffs"):
        count = sum(bool(line.strip()) for line in (read_bytes(path) or b"").split(b"\n"))
        if count:
            found[path.stem] = count
    return found


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
