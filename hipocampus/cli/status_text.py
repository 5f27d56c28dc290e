"""A status in words and as JSON, with the lines that the terminal shows too."""

from dataclasses import asdict
from datetime import tzinfo

from hipocampus.clock import iso_utc, to_local
from hipocampus.session.status import MemoryStatus
from hipocampus.session.tidy import FileSize


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


def next_due(status: MemoryStatus, zone: tzinfo | None) -> str:
    """When compaction is due next, on the local clock."""
    due = status.compaction
    if due.due:
        return f"due now ({', '.join(due.triggers)})"
    if due.next_at is None:
        return "not due"
    local = to_local(due.next_at, zone)
    when = f"{local:%H:%M}" if local.date() == status.today else f"{local:%Y-%m-%d %H:%M}"
    return f"next due at {when}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
