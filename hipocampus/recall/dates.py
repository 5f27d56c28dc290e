"""Words for time in a question: `yesterday`, `last week`, `in March`, `2026-03-04`, `어제`, `先週`.

Pure. Relative words and months narrow a search to their days; a date written out asks for that day first.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from hipocampus.recall.cjk import normal

_MONTHS = "january february march april may june july august september october november december".split()
_SHORT = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip


class Span(NamedTuple):
    """Days that a question is about, both inclusive, and the words that said so."""

    first: date
    last: date
    words: str


class Dates(NamedTuple):
    """What a question says about time. `days` are days named outright; `rest` is the question without the
    words that narrow it, `plain` without any word of time; `named` is how the days are written."""

    span: Span | None
    days: tuple[date, ...]
    rest: str
    plain: str
    named: tuple[str, ...] = ()


def parse_dates(text: str, today: date) -> Dates:
    """Return the days that a question is about, seen from `today`."""
    plain = normal(text)
    found = [(match, day) for match in _named_days(plain) if (day := _day_of(match, today))]
    days = tuple(dict.fromkeys(day for _, day in found))
    named = tuple(match[0] for match, _ in found)
    blank = plain
    for at, _ in found:
        blank = blank[: at.start()] + " " * len(at[0]) + blank[at.end() :]
    lowered = blank.lower()
    for words, pattern, days_of in _rules():
        match = re.search(pattern, blank, re.I) if any(word in lowered for word in words) else None
        if match is None:
            continue
        try:
            first, last = days_of(match, today)
        except (ValueError, OverflowError):
            continue
        said = " ".join(match[0].split())
        end = match.end() + _particle(blank, match.end())
        rest, without = (f"{text[: match.start()]} {text[end:]}" for text in (plain, blank))
        return Dates(Span(first, last, said), days, rest, without, named)
    return Dates(None, days, plain, blank, named)


def _particle(text: str, at: int) -> int:
    """Return the length of what Korean, Japanese and Chinese put behind a word of time; it belongs to it."""
    match = (
        re.compile(r"(?:에는|에|의)(?=\s|$)|[のには的]").match(text, at) if text[at : at + 1] > "~" else None
    )
    return len(match[0]) if match else 0


def _day_of(match: re.Match[str], today: date) -> date | None:
    """Return the day that a match of `_named_days` names; without a year the last one that is not ahead."""
    parts = match.groupdict()
    name = next((value for key, value in parts.items() if value and key[0] == "m"), "")
    month = int(name) if name.isdecimal() else _SHORT[name.lower()[:3]]
    day = int(next(value for key, value in parts.items() if value and key[0] == "d"))
    year = next((int(value) for key, value in parts.items() if value and key[0] == "y"), 0)
    try:
        found = date(year or today.year, month, day)
        return found if year or found <= today else date(today.year - 1, month, day)
    except ValueError:
        return None


def _named_days(text: str) -> Iterator[re.Match[str]]:
    """Yield where a text names a day: `2026-03-12`, `March 12`, `12th of March 2026`, `3월 12일`, `3月12日`."""
    lowered = text.lower()
    if text.count("-") > 1:
        yield from _iso().finditer(text)
    if "월" in text or "月" in text:
        yield from _asian_day().finditer(text)
    if any(name in lowered for name in _SHORT) and re.search(r"\d", text):
        yield from _english_day().finditer(text)


@cache
def _iso() -> re.Pattern[str]:
    return re.compile(r"(?<![\d-])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?![\d-])")


@cache
def _asian_day() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?P<y>\d{4})\s?[년年]\s?)?(?<!\d)(?P<m>1[0-2]|0?[1-9])\s?[월月]\s?(?P<d>[12]\d|3[01]|0?[1-9])\s?[일日号號]"
    )


@cache
def _english_day() -> re.Pattern[str]:
    # `may` and `march` are also verbs: those two need their capital letter, or an ordinal, or a year.
    name = (
        r"(?:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
        r"|nov(?:ember)?|dec(?:ember)?|mar(?:ch)?|(?-i:May)|may(?=\s\d{1,2}(?:st|nd|rd|th))|(?<=\sof\s)may)\b\.?"
    )
    day = r"(?:[12]\d|3[01]|0?[1-9])"
    return re.compile(
        rf"(?<![\w.-])(?P<d1>{day})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m1>{name})(?:,?\s(?P<y1>\d{{4}})\b)?"
        rf"|\b(?P<m2>{name})\s(?:the\s)?(?P<d2>{day})(?:st|nd|rd|th)?(?![\w:%/-])(?:,?\s(?P<y2>\d{{4}})\b)?",
        re.I,
    )


def _week(day: date) -> tuple[date, date]:
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def _month(year: int, month: int) -> tuple[date, date]:
    first = date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return first, (first + timedelta(31)).replace(day=1) - timedelta(1)


def _one(day: date) -> tuple[date, date]:
    return day, day


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


def _weekend_before(today: date) -> tuple[date, date]:
    """Return the last Saturday and Sunday that are over."""
    sunday = today - timedelta(today.weekday() + 1)
    return sunday - timedelta(1), sunday


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS[word.lower().removeprefix("a ").removesuffix(" of")]


def _ago(match: re.Match[str], today: date) -> tuple[date, date]:
    count, unit = _number(match[1]), match[2].lower()
    if unit == "day":
        return _one(today - timedelta(count))
    if unit == "week":
        return _week(today - timedelta(7 * count))
    if unit == "month":
        return _month(today.year, today.month - count)
    return date(today.year - count, 1, 1), date(today.year - count, 12, 31)


def _past(match: re.Match[str], today: date) -> tuple[date, date]:
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[match[2].lower()]
    return today - timedelta(_number(match[1]) * days), today


def _named_month(match: re.Match[str], today: date) -> tuple[date, date]:
    month = _SHORT[match[1].lower()[:3]]
    year = int(match[2]) if match[2] else today.year - (month > today.month)
    return _month(year, month)


def _weekday(match: re.Match[str], today: date) -> tuple[date, date]:
    back = (today.weekday() - _WEEKDAYS.index(match[1].lower())) % 7 or 7
    return _one(today - timedelta(back))


def _asian_month(match: re.Match[str], today: date) -> tuple[date, date]:
    month = int(match[2])
    year = int(match[1]) if match[1] else today.year - (month > today.month)
    return _month(year, month)


def _rules() -> Iterator[tuple[tuple[str, ...], str, Callable[[re.Match[str], date], tuple[date, date]]]]:
    """Yield what says a time, most specific first: words of which one must be there, a pattern, its days.

    The words spare most questions the compiling of patterns that cannot match.
    """
    number = (
        r"(\d{1,3}|an?|one|two|(?:a )?couple(?: of)?|three|(?:a )?few|four|five|six|seven|eight|nine|ten)"
    )
    month = (
        r"(january|february|march|april|may|june|july|august|september|october|november|december"
        r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
    )
    day = timedelta(1)
    months = tuple(_SHORT)
    yield (
        ("-w",),
        r"(?<![\d-])(\d{4})-W(\d\d)(?!\d)",
        lambda m, t: _week(date.fromisocalendar(int(m[1]), int(m[2]), 1)),
    )
    yield ("-",), r"(?<![\w-])(\d{4})-(\d\d)(?![\w-])", lambda m, t: _month(int(m[1]), int(m[2]))
    yield ("yesterday",), r"\b(?:the )?day before yesterday\b", lambda m, t: _one(t - 2 * day)
    yield (
        ("그저께", "그제", "一昨日", "おととい", "前天"),
        "엊?그저께|엊?그제|一昨日|おととい|前天",
        lambda m, t: _one(t - 2 * day),
    )
    yield ("yesterday",), r"\byesterday\b", lambda m, t: _one(t - day)
    yield ("어제", "昨日", "昨天", "きのう"), "어제|昨日|昨天|きのう", lambda m, t: _one(t - day)
    yield ("today", "this morning", "tonight"), r"\b(?:today|this morning|tonight)\b", lambda m, t: _one(t)
    yield ("오늘", "今日", "今天", "きょう"), "오늘|今日|今天|きょう", lambda m, t: _one(t)
    yield ("last night",), r"\blast night\b", lambda m, t: (t - day, t)
    yield ("last weekend",), r"\blast weekend\b", lambda m, t: _weekend_before(t)
    yield ("last week", "previous week"), r"\b(?:last|previous) week\b", lambda m, t: _week(t - 7 * day)
    yield (
        ("지난", "저번", "先週", "上"),
        r"지난\s?주|저번\s?주|先週|上周|上週|上星期",
        lambda m, t: _week(t - 7 * day),
    )
    yield ("this week",), r"\bthis week\b", lambda m, t: _week(t)
    yield ("이번", "今週", "这周", "這週", "本"), r"이번\s?주|今週|这周|這週|本周|本週", lambda m, t: _week(t)
    yield (
        ("last month", "previous month"),
        r"\b(?:last|previous) month\b",
        lambda m, t: _month(t.year, t.month - 1),
    )
    yield (
        ("지난", "저번", "先月", "上"),
        r"지난\s?달|저번\s?달|先月|上个月|上個月",
        lambda m, t: _month(t.year, t.month - 1),
    )
    yield ("this month",), r"\bthis month\b", lambda m, t: _month(t.year, t.month)
    yield ("이번", "今月", "月"), r"이번\s?달|今月|这个月|這個月|本月", lambda m, t: _month(t.year, t.month)
    yield ("last year", "previous year"), r"\b(?:last|previous) year\b", lambda m, t: _year(t.year - 1)
    yield ("작년", "지난", "昨年", "去年"), r"작년|지난\s?해|昨年|去年", lambda m, t: _year(t.year - 1)
    yield ("this year",), r"\bthis year\b", lambda m, t: _year(t.year)
    yield (" ago",), rf"\b{number} (day|week|month|year)s? ago\b", _ago
    yield (
        ("last ", "past "),
        rf"\b(?:in |over |during )?(?:the )?(?:last|past) {number} (day|week|month|year)s?\b",
        _past,
    )
    yield ("day",), rf"\b(?:on |last )({'|'.join(_WEEKDAYS)})\b", _weekday
    yield months, rf"\b(?:in|during|last|since|of) {month}\b(?:,? (\d{{4}})\b)?", _named_month
    yield months, rf"\b{month} (\d{{4}})\b", _named_month
    yield (
        ("월", "月"),
        r"(?:(\d{4})\s?[년年]\s?)?(1[0-2]|0?[1-9])\s?(?:월에|월(?=\s|$)|月に|月(?=$|\s|的|の|份))",
        _asian_month,
    )
