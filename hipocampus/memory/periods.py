"""Days, ISO weeks and months of the tree: what contains what, and when a period is closed. Pure."""

from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

LAST_YEAR = 9998  # the week that holds 9999-12-31 has no end in the calendar
GRACE_DAYS = 8  # days after a period's last day until it is closed (FORMATS: Sunday + 8, month's end + 8)


class Level(StrEnum):
    """A level of the compaction tree; the value is also the name of its folder under memory/."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    ROOT = "root"


class Week(NamedTuple):
    """An ISO week: Monday to Sunday, numbered within the ISO year of its Thursday."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year:04d}-W{self.number:02d}"

    @property
    def monday(self) -> date:
        return date.fromisocalendar(self.year, self.number, 1)

    @property
    def sunday(self) -> date:
        return date.fromisocalendar(self.year, self.number, 7)

    @property
    def month(self) -> "Month":
        """The one month that the week belongs to: that of its Thursday."""
        thursday = date.fromisocalendar(self.year, self.number, 4)
        return Month(thursday.year, thursday.month)

    def is_closed(self, today: date) -> bool:
        return closed(self.sunday, today)


class Month(NamedTuple):
    """A calendar month."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.number:02d}"

    @property
    def last_day(self) -> date:
        if self.number == 12:  # the calendar ends in a December
            return date(self.year, 12, 31)
        return date(self.year, self.number + 1, 1) - timedelta(days=1)

    def is_closed(self, today: date) -> bool:
        return closed(self.last_day, today)


Period = date | Week | Month


def closed(last_day: date, today: date) -> bool:
    """True when a week or month that ends with `last_day` takes no more entries: eight days later."""
    return (today - last_day).days >= GRACE_DAYS


def week_of(day: date) -> Week:
    """Return the ISO week that a day lies in."""
    year, number, _ = day.isocalendar()
    return Week(year, number)


def parse_day(name: str) -> date | None:
    """Return the day that `2026-03-15` names; None for anything else, also for days that do not exist."""
    if len(name) != 10 or not name[4] == name[7] == "-":
        return None
    try:
        day = date.fromisoformat(name)
    except ValueError:
        return None
    return day if day.year <= LAST_YEAR else None


def parse_week(name: str) -> Week | None:
    """Return the week that `2026-W11` names; None when there is no such ISO week."""
    if len(name) != 8 or name[4:6] != "-W" or not _is_number(name[:4] + name[6:]):
        return None
    week = Week(int(name[:4]), int(name[6:]))
    try:
        week.sunday  # noqa: B018 - asking is the check
    except ValueError:
        return None
    return week if week.year <= LAST_YEAR else None


def parse_month(name: str) -> Month | None:
    """Return the month that `2026-03` names; None when there is no such month."""
    if len(name) != 7 or name[4] != "-" or not _is_number(name[:4] + name[5:]):
        return None
    month = Month(int(name[:4]), int(name[5:]))
    return month if 1 <= month.number <= 12 and 1 <= month.year <= LAST_YEAR else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def parse_period(name: str) -> tuple[Level, Period] | None:
    """Return the level and the period that a node's name or a place names; None for anything else."""
    if day := parse_day(name):
        return Level.DAILY, day
    if week := parse_week(name):
        return Level.WEEKLY, week
    if month := parse_month(name):
        return Level.MONTHLY, month
    return None


def days_of(week: Week) -> list[date]:
    """Return the seven days of a week, Monday first."""
    return [week.monday + timedelta(days=n) for n in range(7)]
