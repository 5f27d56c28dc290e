"""Days, weeks and months: what contains what, and when a period is over."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.memory.periods import (
    Level,
    Month,
    Week,
    days_of,
    parse_day,
    parse_month,
    parse_period,
    parse_week,
    week_of,
)

days = st.dates(date(1900, 1, 8), date(2999, 12, 20))


@given(days)
def test_every_day_lies_in_exactly_one_week(day: date) -> None:
    week = week_of(day)
    assert day in days_of(week) and len(set(days_of(week))) == 7
    assert days_of(week)[0].weekday() == 0 and week.sunday.weekday() == 6
    assert all(week_of(other) == week for other in days_of(week))
    assert day not in days_of(week_of(week.sunday + timedelta(days=1)))


@given(days)
def test_every_week_belongs_to_exactly_one_month_that_of_its_thursday(day: date) -> None:
    week = week_of(day)
    thursday = days_of(week)[3]
    assert week.month == Month(thursday.year, thursday.month)
    assert sum(1 for other in days_of(week) if (other.year, other.month) == week.month) >= 4


@given(days)
def test_names_are_read_back(day: date) -> None:
    week = week_of(day)
    assert parse_day(day.isoformat()) == day
    assert parse_week(str(week)) == week
    assert parse_month(str(week.month)) == week.month
    assert parse_period(day.isoformat()) == (Level.DAILY, day)
    assert parse_period(str(week)) == (Level.WEEKLY, week)
    assert parse_period(str(week.month)) == (Level.MONTHLY, week.month)


@given(days)
def test_a_period_is_closed_eight_days_after_its_last_day_and_stays_so(day: date) -> None:
    week = week_of(day)
    for period, last in ((week, week.sunday), (week.month, week.month.last_day)):
        assert not period.is_closed(last + timedelta(days=7))
        assert period.is_closed(last + timedelta(days=8))
        assert period.is_closed(last + timedelta(days=90))
    assert week.month.last_day.day >= 28


@pytest.mark.parametrize(
    "name",
    [
        "2026-02-30",
        "2026-3-5",
        "2026_03_05",
        "2026-03-07-notes",
        "2026-W54",
        "2026-W00",
        "2025-W53",
        "2026-13",
        "0000-01",
        "",
        "root",
        "２０２６-03-15",
        "2026-03-15\n",
        "9999-12-31x",
    ],
)
def test_what_names_no_period_is_none(name: str) -> None:
    assert parse_period(name) is None


def test_iso_years_and_the_ends_of_the_calendar() -> None:
    assert str(week_of(date(2027, 1, 1))) == "2026-W53"
    assert str(week_of(date(2024, 12, 30))) == "2025-W01"
    assert Week(2026, 9).month == Month(2026, 2)  # Monday 23 February to Sunday 1 March
    assert parse_week("2026-W53") == Week(2026, 53)
    assert parse_day("9998-12-31") and not parse_day("9999-12-31") and not parse_period("9999-01")
    assert week_of(date(9998, 12, 31)).sunday and parse_day("0001-01-01") == date(1, 1, 1)
