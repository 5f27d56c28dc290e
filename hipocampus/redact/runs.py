"""Find tokens by their own shape, without a name that announces them.

All costly work happens in words of sixteen characters or more, which prose hardly holds; what the
words may be is told by `shapes`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from hipocampus.redact.scan import Scan
from hipocampus.redact.shapes import bare_at, dotted_at, generic_at, lead_at, vendor_at, wrapped_at
from hipocampus.redact.spans import Span
from hipocampus.redact.vendors import prefix_lengths, word_heads

_LEAD_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~")
_LEAD_MOST = 48  # characters before a run that may belong to its token, as in `SG.` and `dp.st.dev.`


@cache
def _run() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9_-]{4,}")


@cache
def _digit() -> re.Pattern[str]:
    return re.compile("[0-9]")


def find_runs(scan: Scan) -> Iterator[Span]:
    """Yield the spans of tokens that show by themselves what they are."""
    text = scan.text
    done = 0
    has_digit = _digit().search
    heads = word_heads()
    spans: Iterable[Span]
    for start, end in scan.long_words():
        if end <= done:
            continue
        start = max(done, start)
        if has_digit(text, start, end):
            spans = _tokens_in(text, start, end)
        elif text[start : start + 3] in heads or text.find("=", start, end) >= 0:
            spans = _wordy(text, start, end)
        else:
            continue
        for span in spans:
            done = span.end
            yield span


def _wordy(text: str, start: int, end: int) -> list[Span]:
    """Return the vendor's token in a word without digits: it begins the word, or follows its last `=`."""
    for begin in {start, text.rfind("=", start, end) + 1 or start}:
        if text[begin : begin + 3] in word_heads():
            span = vendor_at(text, begin) or dotted_at(text, begin, begin, end)
            if span:
                return _with_wrapped(text, span)
    return []


def _tokens_in(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the tokens of a word, which may be a path, a query or a line of base64 as well."""
    at = start
    starts = prefix_lengths()
    for run in _run().finditer(text, start, end):
        left, right = run.span()
        if left < at:
            continue
        if text[left - 1 : left] in {"\\", "%", "["}:
            left = min(_skip_escape(text, left), right)
        span = vendor_at(text, left) if text[left : left + 2] in starts else None
        if not span and right - left >= 14:
            span = _token_at(text, left, right, at)
        if span:
            at = span.end
            yield from _with_wrapped(text, span)


def _token_at(text: str, start: int, end: int, left_most: int) -> Span | None:
    """Return the span of a token whose format is more than a prefix at the start of the run."""
    span = None
    left = start
    if text[start - 1 : start] in {".", "~"}:
        while left > max(left_most, start - _LEAD_MOST) and text[left - 1] in _LEAD_CHARS:
            left -= 1
        left = min(_skip_escape(text, left), start)
        span = vendor_at(text, left)
    span = span or dotted_at(text, left, start, end)
    if span or end - start < 16:
        return span
    run = text[start:end]
    if "T3BlbkFJ" in run:  # stands in the middle of every OpenAI key
        return Span(start, end, "openai-key")
    span = bare_at(text, start, end) or generic_at(text, start, end) or _inner_at(text, start, run)
    return span or (lead_at(text, left) if left < start else None)


def _inner_at(text: str, start: int, run: str) -> Span | None:
    """Return the span of a vendor's token that begins in the middle of a run, after `_` or `-`."""
    for cut in ("_", "-"):
        at = run.find(cut)
        while 0 <= at < 40:
            span = vendor_at(text, start + at + 1, inner=True)
            if span:
                return span
            at = run.find(cut, at + 1)
    return None


def _with_wrapped(text: str, span: Span) -> list[Span]:
    """Return the span, and that of the next line when it holds only the rest of the token."""
    rest = wrapped_at(text, span)
    return [span, rest] if rest else [span]


def _skip_escape(text: str, start: int) -> int:
    """Return where the run really begins after `\\n`, `\\u0022`, `%22` or the rest of a colour code."""
    before = text[start - 1 : start]
    if before == "\\":
        return start + (5 if text[start] == "u" else 3 if text[start] == "x" else 1)
    if before == "%":
        return start + 2
    if before == "[":
        match = re.compile(r"\d{1,3}m").match(text, start)
        return match.end() if match else start
    return start
