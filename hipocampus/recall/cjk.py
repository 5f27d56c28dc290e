"""Make Chinese, Japanese and Korean text findable word by word: overlapping pairs of characters.

Pure. SQLite's tokenizer takes a run of such characters for one word. Index and query therefore both
see a run as its pairs, plus the last character of the run alone, so that one character is a query too.
"""

import re
import unicodedata
from functools import cache

_RUN = (
    "["
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
    "]+"
)

_FIRST = "\u1100"
"""The smallest of these characters; a look at the largest of a text spares compiling the pattern."""

_MARKS = "’“”—–‘…→"


@cache
def run_pattern() -> re.Pattern[str]:
    """Return the pattern of one unbroken run of Chinese, Japanese or Korean characters."""
    return re.compile(_RUN)


def without_marks(text: str) -> str:
    """Return `text` with spaces for the usual marks outside of ASCII: what is left is ASCII most often."""
    for mark in _MARKS:
        text = text.replace(mark, " ")
    return text


def has_run(text: str) -> bool:
    """Whether a Chinese, Japanese or Korean character stands in a text; cheap where none does."""
    if text.isascii():
        return False
    return max(without_marks(text)) >= _FIRST and bool(run_pattern().search(text))


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of `run`; a run of one character is itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def normal(text: str) -> str:
    """Return `text` composed (NFC), with wide Latin letters and half-width kana in their usual form."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    return _wide().sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)


@cache
def _wide() -> re.Pattern[str]:
    return re.compile("[\uff01-\uff5e\uff65-\uff9f]+")


def indexed_form(text: str) -> str:
    """Return what the index holds for `text`: normal form, runs spelled as pairs and their last character."""
    if text.isascii():
        return text
    text = normal(text)
    return run_pattern().sub(_spell, text) if has_run(text) else text


def _spell(match: re.Match[str]) -> str:
    run = match[0]
    return f" {run} " if len(run) == 1 else f" {' '.join(pairs(run))} {run[-1]} "
