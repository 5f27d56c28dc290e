"""What a session should notice at its start: tasks left in progress, what changed, and where it stopped long ago."""

from datetime import date, datetime, timedelta, tzinfo
from typing import NamedTuple

from hipocampus.clock import iso_utc, local_day, parse_instant, to_local
from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.memory.hot import WORKING, is_template
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.periods import Level, parse_day
from hipocampus.memory.store import MemoryStore

FILE = "start.json"
ABSENT_DAYS = 7  # without a log: then the last day that has one is named
MOST_NAMES = 3


class LastStart(NamedTuple):
    """The start before this one."""

    at: datetime  # UTC
    session: str


def notices(store: MemoryStore, now: datetime, zone: tzinfo | None, session: str | None) -> list[str]:
    """Return a line for each thing worth noticing. Reads names and few files, so that it is quick."""
    last = read_last_start(store)
    days = [day for name in store.log_names() if (day := parse_day(name))]
    today = local_day(now, zone)
    lines = [*_left_tasks(store, last, session)]
    if last is not None:
        lines += _changed(store, last, days, zone)
    lines += _absence(store, days, today)
    return lines


def read_last_start(store: MemoryStore) -> LastStart | None:
    """Return when the last session started; None when that is not known."""
    known = store.read_own(FILE)
    at = parse_instant(known.get("at"))
    return LastStart(at, str(known.get("session") or "")) if at else None


def remember_start(store: MemoryStore, now: datetime, session: str | None) -> None:
    """Write down that a session starts now. The caller holds the lock."""
    store.write_own(FILE, {"at": iso_utc(now), "session": session or ""})


def _left_tasks(store: MemoryStore, last: LastStart | None, session: str | None) -> list[str]:
    """Tasks that stand in WORKING.md although this session has not started any."""
    if last is not None and session and last.session == session:
        return []
    try:
        text = read_text(store.root / WORKING)
    except HipoError:  # the start names a hot file that cannot be read by itself
        return []
    if text is None or is_template(text):
        return []
    from hipocampus.session.tasklist import working_tasks

    titles = [task.title for task in working_tasks(text.split("\n"), WORKING) if not task.finished]
    if not titles:
        return []
    return [f"In progress since an earlier session: {_named(titles)}; close one with: hipo task done TITLE"]


def _changed(store: MemoryStore, last: LastStart, days: list[date], zone: tzinfo | None) -> list[str]:
    """Logs that were written to since the last start, as far as their day is not older than that."""
    first = local_day(last.at, zone) - timedelta(days=1)
    written = []
    for day in days:
        stat = store.stat_of(store.log_path(day)) if day >= first else None
        if stat is not None and stat.changed_ns > last.at.timestamp() * 1e9:
            written.append(day.isoformat())
    if not written:
        return []
    since = f"{to_local(last.at, zone):%Y-%m-%d %H:%M}"
    return [f"New since the last start ({since}): entries in {_named(sorted(written, reverse=True))}"]


def _absence(store: MemoryStore, days: list[date], today: date) -> list[str]:
    past = [day for day in days if day <= today]
    if not past or (today - max(past)).days < ABSENT_DAYS:
        return []
    day = max(past)
    try:
        text = read_text(store.node_path(Level.DAILY, day.isoformat()))
    except HipoError:  # doctor names a node that cannot be read; the day is worth naming all the same
        text = None
    topics = parse_node(text).items("topics") if text else []
    said = f": {_named(topics)}" if topics else ""
    return [
        f"The last day with entries was {day}, {(today - day).days} days ago{said}; read: hipo show {day}"
    ]


def _named(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
