"""The sessions that agents named: the day on which each one started, so that midnight does not split it."""

from collections.abc import Mapping
from datetime import date, datetime, tzinfo

from hipocampus.clock import iso_utc, local_day
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import MemoryStore

FILE = "sessions.json"
KEPT = 300  # sessions remembered; the least recently seen go first
# A start from one of these on a later day begins the session anew; the platform's own compaction does not.
FRESH_SOURCES = frozenset({"startup", "resume", "clear"})


def begin_session(
    store: MemoryStore, session: str | None, source: str, now: datetime, zone: tzinfo | None
) -> date:
    """Return the day of a session that starts now, and remember it. The caller holds the lock."""
    today = local_day(now, zone)
    if session is None:
        return today
    known = _day_of(read_session(store, session))
    day = today if known is None or source in FRESH_SOURCES else known
    update_session(store, session, {"day": day.isoformat()}, now)
    return day


def planned_day(store: MemoryStore, session: str | None, now: datetime, zone: tzinfo | None) -> date:
    """Return the day that `session_day` will most likely give, without the lock and without remembering anything."""
    day = _day_of(read_session(store, session)) if session else None
    return day or local_day(now, zone)


def session_day(store: MemoryStore, session: str | None, now: datetime, zone: tzinfo | None) -> date:
    """Return the day whose log a session writes to: the one on which it started, today without a session.

    A session that was never seen starts now. The caller holds the lock.
    """
    today = local_day(now, zone)
    if session is None:
        return today
    day = _day_of(read_session(store, session))
    if day is None:
        update_session(store, session, {"day": today.isoformat()}, now)
        return today
    return day


def read_session(store: MemoryStore, session: str) -> dict[str, object]:
    """Return what is remembered of a session; empty when it was never seen."""
    known = store.read_own(FILE).get(session)
    return dict(known) if isinstance(known, dict) else {}


def update_session(store: MemoryStore, session: str, changes: Mapping[str, object], now: datetime) -> None:
    """Remember something of a session. The caller holds the lock."""
    sessions = store.read_own(FILE)
    old = sessions.pop(session, None)
    sessions[session] = {**(old if isinstance(old, dict) else {}), **changes, "seen": iso_utc(now)}
    while len(sessions) > KEPT:
        del sessions[next(iter(sessions))]
    store.write_own(FILE, sessions)


def short_id(session: str) -> str:
    """Return a session's id as the comment of an entry shows it: its first characters, one word."""
    return "".join(c for c in session if c.isalnum() or c in "-_.")[:8] or "unnamed"


def _day_of(record: Mapping[str, object]) -> date | None:
    day = record.get("day")
    return parse_day(day) if isinstance(day, str) else None
