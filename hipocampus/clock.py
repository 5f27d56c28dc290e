"""The present moment and the user's local day. The only module that reads the time."""

import os
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from hipocampus.errors import ConfigError


def now() -> datetime:
    """Return the present instant in UTC, to the second.

    `HIPO_NOW` (ISO 8601) stands in for the machine's clock. It names an instant: its offset says
    nothing about the user's time zone, and without an offset it is taken as UTC.
    """
    fixed = os.environ.get("HIPO_NOW", "").strip()
    if not fixed:
        return datetime.now(UTC).replace(microsecond=0)
    try:
        at = datetime.fromisoformat(fixed)
        if at.tzinfo is None:
            at = at.replace(tzinfo=UTC)
        at = at.astimezone(UTC).replace(microsecond=0)
        if not 2 < at.year < 9998:  # a year before and after, as calendars reckon, must exist
            raise OverflowError
        return at
    except (ValueError, OverflowError):
        raise ConfigError(
            f"HIPO_NOW: not a time: {fixed!r}", "use ISO 8601, for example 2026-03-15T09:00:00Z"
        ) from None


def to_local(instant: datetime, zone: tzinfo | None) -> datetime:
    """Return an instant as wall-clock time in `zone`; None means the machine's own zone."""
    try:
        return instant.astimezone(zone)
    except OverflowError:  # years 1 and 9999 have neighbours that do not exist
        return instant.astimezone(timezone(timedelta(0)))


def local_day(instant: datetime, zone: tzinfo | None) -> date:
    """Return the calendar day of an instant in `zone`; None means the machine's own zone."""
    return to_local(instant, zone).date()


def iso_utc(instant: datetime) -> str:
    """Return an instant as the state file writes it: `2026-03-15T05:32:11Z`."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_instant(text: object) -> datetime | None:
    """Return the UTC instant that an ISO 8601 text names; None when it names none."""
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text.strip())
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
