"""`hipo status` on a terminal: a calendar, bars and small tables. Readable without colour, as wide as the screen."""

from datetime import date, timedelta

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from hipocampus.cli.render import console, plain
from hipocampus.cli.status_text import brain_line, index_line, standing
from hipocampus.compaction.triggers import CHECKPOINTS_LIMIT, RAW_LINES_LIMIT
from hipocampus.session.status import MemoryStatus, calendar_start

SHADES = "·░▒▓█"  # none, then quarters of the busiest day
COLOURS = ("bright_black", "green", "green", "bright_green", "bold bright_green")
WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LABEL_CHARS = 4  # of the weekday at the left
BAR_CHARS = 30  # at most
EIGHTHS = " ▏▎▍▌▋▊▉"


def show_status(status: MemoryStatus, next_due: str) -> None:
    """Print a status to the terminal."""
    out = console()
    for block in blocks(status, next_due, out.width):
        out.print(block)


def blocks(status: MemoryStatus, next_due: str, width: int) -> list[RenderableType]:
    """Return the parts of the page for a screen of this width."""
    return [
        _title(status),
        Text(),
        _heading("The last year", _year(status)),
        _calendar(status, width),
        Text(),
        _heading("The tree"),
        _tree(status, width),
        Text(),
        _heading("Hot files and a session's start", f"about {status.start.tokens:,} tokens"),
        _bars(_sizes(status), width),
        Text(),
        _heading("Compaction", next_due),
        _bars(_counters(status), width),
        Text(),
        _facts(status),
        *_due(status),
    ]


def _title(status: MemoryStatus) -> Text:
    text = Text("hipocampus ", style="bold")
    text.append(plain(str(status.root)), style="cyan")
    return text


def _heading(title: str, beside: str = "") -> Text:
    text = Text(title, style="bold")
    if beside:
        text.append(f"  {beside}", style="not bold bright_black")
    return text


def _year(status: MemoryStatus) -> str:
    days, entries = sum(count > 0 for count in status.days.values()), sum(status.days.values())
    if not status.logs:
        return "nothing yet: hipo checkpoint writes the first entry"
    return f"{entries:,} entries on {days:,} days, the latest on {status.last_day}"


def _calendar(status: MemoryStatus, width: int) -> RenderableType:
    """A column a week, a row a weekday; a cell is one or two characters wide, whatever fits."""
    cell = 2 if width >= LABEL_CHARS + 2 * 53 else 1
    weeks = max(1, min(53, (width - LABEL_CHARS) // cell))
    first = calendar_start(status.today) + timedelta(weeks=53 - weeks)
    top = max(status.days.values(), default=0)
    rows = [_months(first, weeks, cell)]
    for weekday, name in enumerate(WEEKDAYS):
        row = Text(name.ljust(LABEL_CHARS), style="bright_black")
        for week in range(weeks):
            day = first + timedelta(weeks=week, days=weekday)
            shade = _shade(status.days.get(day.isoformat(), 0), top)
            if day > status.today:
                row.append(" " * cell)
            else:
                row.append(SHADES[shade].ljust(cell), style=COLOURS[shade])
        rows.append(row)
    legend = Text(" " * LABEL_CHARS + "fewer ", style="bright_black")
    for sign, colour in zip(SHADES, COLOURS, strict=True):
        legend.append(sign, style=colour)
    legend.append(f" more (busiest day: {top})" if top else " more", style="bright_black")
    return Group(*rows, legend)


def _months(first: date, weeks: int, cell: int) -> Text:
    """The names of the months, each above its first whole week."""
    line = [" "] * (LABEL_CHARS + weeks * cell)
    free = LABEL_CHARS
    for week in range(weeks):
        monday = first + timedelta(weeks=week)
        at = LABEL_CHARS + week * cell
        if monday.day <= 7 and at >= free and at + 3 <= len(line):
            line[at : at + 3] = MONTHS[monday.month - 1]
            free = at + 4
    return Text("".join(line).rstrip(), style="bright_black")


def _shade(entries: int, top: int) -> int:
    return 0 if not entries else min(4, 1 + (entries * 4 - 1) // max(top, 4))


def _tree(status: MemoryStatus, width: int) -> Table:
    narrow = width < 60
    table = Table.grid(padding=(0, 1 if narrow else 3, 0, 0))
    table.add_column(no_wrap=True)
    for _ in range(5):
        table.add_column(justify="right", no_wrap=True)
    head = ("", "nodes", "fixed", "open" if narrow else "tentative", "waiting", "missing")
    table.add_row(*(Text(word, style="bright_black") for word in head))
    for level in status.levels:
        cells = [(level.nodes, ""), (level.fixed, ""), (level.tentative, "")]
        cells += [(level.waiting, "yellow"), (level.missing, "bold red")]
        shown = [Text(f"{n:,}", style=(style if n else "bright_black")) for n, style in cells]
        table.add_row(Text(level.level), *shown)
    return table


def _sizes(status: MemoryStatus) -> list[tuple[str, int, int, str]]:
    rows = [(size.path, size.lines, size.target_lines, "lines") for size in status.hot]
    rows.append(("memory/ROOT.md", status.root_tokens, status.root_cap, "tokens"))
    start = status.start
    rows.append(("hipo start", start.bytes, start.cap_bytes, "bytes"))
    return rows


def _counters(status: MemoryStatus) -> list[tuple[str, int, int, str]]:
    due = status.compaction
    rows = [
        ("raw lines", due.raw_lines, RAW_LINES_LIMIT, ""),
        ("checkpoints", due.checkpoints, CHECKPOINTS_LIMIT, ""),
    ]
    if due.hours_since is not None and due.cooldown_hours:
        minutes = round(due.hours_since * 60), round(due.cooldown_hours * 60)
        rows.append(("cooldown", min(minutes[0], minutes[1]), minutes[1], "minutes"))
    return rows


def _bars(rows: list[tuple[str, int, int, str]], width: int) -> Table:
    """Names, bars and figures; beyond the target a bar is full and says so in words."""
    room = min(BAR_CHARS, width - 44)
    narrow = room < 8
    table = Table.grid(padding=(0, 1 if narrow else 2, 0, 0))
    for justify in ("left", "left", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    for name, value, target, unit in rows:
        over = value > target
        near = unit == "lines" and value * 10 > target * 8
        style = "bold red" if over else "yellow" if near else "green"
        figures = Text(f"{value:,} of {target:,}")
        table.add_row(
            Text(name),
            Text() if narrow else _bar(value, target, room, style),
            figures,
            Text(f"{unit}{', over' if over else ''}".lstrip(", ")),
        )
    return table


def _bar(value: int, target: int, room: int, style: str) -> Text:
    eighths = min(room * 8, round(value * room * 8 / target)) if target else 0
    full, part = divmod(eighths, 8)
    text = Text("█" * full + (EIGHTHS[part] if part else ""), style=style)
    text.append("·" * (room - text.cell_len), style="bright_black")
    return text


def _facts(status: MemoryStatus) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    if status.compaction.hours_since is None:
        table.add_row(Text("Counters"), Text(standing(status)))
    table.add_row(Text("Index"), Text(index_line(status)))
    table.add_row(Text("Brain"), Text(plain(brain_line(status))))
    return table


def _due(status: MemoryStatus) -> list[RenderableType]:
    lines = [*status.due_lines(), *status.compaction.notes]
    if not lines:
        return [Text(), Text("Nothing is due.", style="green")]
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column()
    table.add_column(overflow="fold")
    for line in lines:
        table.add_row(Text("!", style="bold yellow"), Text(plain(line)))
    return [Text(), _heading("Due"), table]


def page_text(status: MemoryStatus, next_due: str, width: int) -> str:
    """Return the page as text without colour, as a screen of this width shows it."""
    out = Console(
        width=width, color_system=None, markup=False, highlight=False, emoji=False, force_terminal=False
    )
    with out.capture() as captured:
        for block in blocks(status, next_due, width):
            out.print(block)
    return captured.get()
