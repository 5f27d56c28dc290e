"""Find credentials in HTTP headers: `Authorization`, `Cookie`, and a bearer token wherever it stands.

Headers whose name says it (`X-Api-Key`, `PRIVATE-TOKEN`) are assignments. Sources: RFC 9110, 6750, 6265.
"""

import re
from binascii import a2b_base64
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import has_digits, is_harmless, is_placeholder, is_random, is_reference
from hipocampus.redact.places import authorization_places, cookie_places
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_VALUE = r"[^\s\"'`\\,;<>|&{}()\[\]]"
_ATTRIBUTES = frozenset(
    """path domain expires max-age samesite secure httponly priority version comment partitioned theme lang locale
    language tz timezone currency country consent cookieconsent""".split()
)


@cache
def _authorization() -> re.Pattern[str]:
    """What follows `authorization`: a scheme, maybe, and the value."""
    return re.compile(
        r"(?:\\{0,7}[\"'`]|&(?i:quot);|\*\*|\])?[ \t]{0,4}(?:[:=,]|=>|\b[Tt][Oo]\b)[ \t]{0,4}(?:[fbrFBR]?\\{0,7}[\"'`]|&(?i:quot);)?[ \t]{0,2}"
        rf"(?:([A-Za-z][A-Za-z0-9_-]{{1,24}})[ \t]{{1,4}}(?:[A-Za-z]{{1,20}}=\\{{0,7}}\"?)?)?({_VALUE}{{6,4096}})"
    )


@cache
def _signature() -> re.Pattern[str]:
    """The end of an AWS signature, version 4; the rest of that header is no secret."""
    return re.compile(r"AWS4-HMAC-SHA256[^\n]{0,500}?Signature=([0-9a-f]{64})")


@cache
def _bearer() -> re.Pattern[str]:
    return re.compile(rf"[Bb](?:earer|EARER)(?:\s|%20|:\s?){{1,2}}[`\"'*]{{0,2}}({_VALUE}{{12,4096}})")


@cache
def _basic() -> re.Pattern[str]:
    return re.compile(r"[Bb]asic\s{1,2}[`\"']?([A-Za-z0-9+/_-]{12,1024}={0,2})")


@cache
def _cookie() -> re.Pattern[str]:
    """What follows `cookie`: `name=value; name=value`."""
    return re.compile(
        r"(?:\\{0,7}[\"'`])?[ \t]{0,4}[:= ][ \t]{0,4}\\{0,7}[\"'`]?([\w.-]{1,64}=[^\n\"'`<>\\]{4,4096})"
    )


@cache
def _pair() -> re.Pattern[str]:
    return re.compile(r"([\w.-]{1,64})=([^;\s\"'`\\]{8,4096})")


def find_headers(scan: Scan) -> Iterator[Span]:
    """Yield the spans of credentials in headers."""
    text = scan.text
    done = 0
    for at in authorization_places(scan):
        if at < done:
            continue
        match = _authorization().match(text, at + len("authorization"))
        done = match.end() if match else at
        signature = _signature().search(text, at, at + 600)
        if signature:
            yield Span(signature.start(1), signature.end(1), "auth-header")
        elif match and not _is_word(match[2]) and (match[1] or is_random(match[2], 12)):
            yield Span(match.start(2), match.end(2), "auth-header")
    for at in scan.at("bearer"):
        match = _bearer().match(text, at)
        value = match[1].rstrip(".:") if match else ""
        if match and not _is_word(value) and has_digits(value) and (is_random(value) or len(value) >= 24):
            yield Span(match.start(1), match.start(1) + len(value), "bearer-token")
    for at in scan.at("basic "):
        match = _basic().match(text, at)
        if match and is_basic(match[1]):
            yield Span(match.start(1), match.end(1), "auth-header")
    done = 0
    for at in cookie_places(scan):
        match = _cookie().match(text, at + len("cookie")) if at >= done else None
        if match:
            done = match.end()
            yield from crumbs(text, match.start(1), match.end(1))


def crumbs(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of the values in `name=value; name=value`, without attributes and preferences."""
    for match in _pair().finditer(text, start, end):
        value = match[2]
        if (
            match[1].lower() in _ATTRIBUTES
            or is_placeholder(value)
            or is_reference(value)
            or is_harmless(value)
        ):
            continue
        if has_digits(value) and (is_random(value, 12) or len(value) >= 20):
            yield Span(match.start(2), match.end(2), "cookie")


def _is_word(value: str) -> bool:
    """Tell whether a header's value is a placeholder, a reference or a word of prose."""
    return (
        is_placeholder(value)
        or is_reference(value)
        or (value.isalpha() and len(value) < 20)
        or is_harmless(value)
    )


def is_basic(value: str) -> bool:
    """Tell whether a value is base64 of `user:password`."""
    bare = value.rstrip("=")
    try:
        plain = a2b_base64(bare + "=" * (-len(bare) % 4))
    except ValueError:
        return False
    return b":" in plain and len(plain) >= 6
