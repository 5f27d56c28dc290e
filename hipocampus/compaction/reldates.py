"""Turn "yesterday" and "two weeks ago" into dates: a line that is read months later must still be true.

Pure. English, Korean, Japanese and Chinese. Only words that count from the day of speaking are
replaced; "on Monday" or "in March" stay as they are.
"""

import re
from datetime import date, timedelta
from functools import cache

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "couple": 2, "few": 3, "several": 4, "한": 1, "두": 2, "세": 3, "네": 4, "一": 1,
    "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "몇": 3, "几": 3, "数": 3,
}  # fmt: skip
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


_DATED = re.compile(rf"\b(?:{'|'.join(_MONTHS)}) \d")


@cache
def _english() -> re.Pattern[str]:
    days = "|".join(_WEEKDAYS)
    return re.compile(
        r"\b(?:(?P<day>earlier today|today|tonight|this (?:morning|afternoon|evening)|yesterday|last night|tomorrow)|"
        r"(?:about |around |just |over |almost |exactly |like )?(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|(?:a )?(?:few|couple(?: of)?)|several) "
        r"(?P<unit>day|weekend|week|month|year)s? ago|(?:just )?(?:this past|last|this) (?P<span>week|weekend|month|year)\b(?! of)|last (?P<weekday>" + days + r"))\b",
        re.I,
    )  # fmt: skip


@cache
def _asian() -> re.Pattern[str]:
    return re.compile(
        r"(?P<day>오늘|어제|그저께|엊그제|내일|今日|昨日|一昨日|明日|今天|昨天|前天|明天)|"
        r"(?P<n>\d{1,3}|[한두세네몇一二两三四五六几数])\s?(?:个|か|ヶ|個)?(?P<unit>일|주일?|달|개월|년|日|天|週間|周|星期|月|年)\s?(?:전|前)에?|"
        r"(?P<span>지난\s?주말|지난\s?주|지난\s?달|작년|재작년|先週末|先週|先月|昨年|去年|上周末?|上个?星期|上个?月)에?"
    )


def resolve_dates(text: str, day: date) -> str:
    """Return `text`, said on `day`, with its relative dates as dates: `June 2`, `May`, `2022`."""
    if not text.isascii():
        text = _asian().sub(lambda m: _asian_date(m, day), text)
    if _DATED.search(text):  # "last weekend on June 18th" says already when
        return " ".join(_english().sub("", text).split())
    return _english().sub(lambda m: _english_date(m, day), text)


def _english_date(match: re.Match[str], day: date) -> str:
    if word := match["day"]:
        word = word.lower()
        back = 1 if word in ("yesterday", "last night") else (-1 if word == "tomorrow" else 0)
        return _day(day - timedelta(days=back))
    if match["n"]:
        word = match["n"].lower().removeprefix("a ").removesuffix(" of") or "a"
        number = int(word) if word.isdigit() else _NUMBERS.get(word, 1)
        return _back(day, number, match["unit"].lower(), word.isdigit() or word not in ("few", "several"))
    if match["weekday"]:
        back = (day.weekday() - _WEEKDAYS.index(match["weekday"].lower()) - 1) % 7 + 1
        return _day(day - timedelta(days=back))
    span, this = match["span"].lower(), "last" not in match[0].lower() and "past" not in match[0].lower()
    if this and span in ("week", "weekend"):
        return match[0]
    return _back(day, 0 if this else 1, "week" if span == "weekend" else span, True)


def _back(day: date, number: int, unit: str, exact: bool) -> str:
    if unit == "day":
        return ("" if exact else "~") + _day(day - timedelta(days=number))
    if unit in ("week", "weekend"):
        return _MONTHS[(day - timedelta(days=7 * number)).month - 1]
    if unit == "month":
        return _MONTHS[(day.month - 1 - number) % 12]
    return str(max(1, day.year - number))


def _day(day: date) -> str:
    return f"{_MONTHS[day.month - 1]} {day.day}"


def _asian_date(match: re.Match[str], day: date) -> str:
    korean = bool(re.search("[가-힣]", match[0]))
    year, month, of_day = ("년", "월", "일") if korean else ("年", "月", "日")
    tail = "에" if match[0].endswith("에") else ""

    def days(back: int) -> str:
        then = day - timedelta(days=back)
        return f"{then.month}{month}{' ' if korean else ''}{then.day}{of_day}{tail}"

    def months(back: int) -> str:
        return f"{(day.month - 1 - back) % 12 + 1}{month}{tail}"

    if word := match["day"]:
        if word in ("오늘", "今日", "今天"):
            return days(0)
        if word in ("내일", "明日", "明天"):
            return days(-1)
        return days(2 if word in ("그저께", "엊그제", "一昨日", "前天") else 1)
    if match["n"]:
        number = int(match["n"]) if match["n"].isdigit() else _NUMBERS.get(match["n"], 1)
        unit = match["unit"]
        if unit in ("일", "日", "天"):
            return days(number)
        if unit in ("주", "주일", "週間", "周", "星期"):
            then = day - timedelta(days=7 * number)
            return f"{then.month}{month}{tail}"
        return months(number) if unit in ("달", "개월", "月") else f"{day.year - number}{year}{tail}"
    span = match["span"].replace(" ", "")
    if span in ("작년", "昨年", "去年", "재작년"):
        return f"{day.year - (2 if span == '재작년' else 1)}{year}{tail}"
    return months(1) if span.endswith(("달", "月")) else f"{(day - timedelta(days=7)).month}{month}{tail}"
