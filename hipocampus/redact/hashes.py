"""Find password hashes: crypt(3), bcrypt, Argon2, htpasswd's, Django's, LDAP's.

Sources: crypt(5), the Modular Crypt Format, PHC string format, Apache's password formats, RFC 2307.
"""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import is_random
from hipocampus.redact.scan import positions
from hipocampus.redact.spans import Span


@cache
def _crypt() -> re.Pattern[str]:
    return re.compile(
        r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2-sha\d+|bcrypt-sha256|P|H)\$"
        r"[A-Za-z0-9./+=,$_-]{16,200}"
    )


@cache
def _braced() -> re.Pattern[str]:
    return re.compile(r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[A-Z0-9_-]{0,12}|ARGON2)\}([A-Za-z0-9./+=$]{16,200})")


@cache
def _named() -> re.Pattern[str]:
    return re.compile(
        r"(?:pbkdf2(?:_sha\d+)?|scrypt|bcrypt_sha256|argon2)(?:[:$][\w:,=]{1,30}){0,3}\$([A-Za-z0-9./+=$,]{16,300})"
        r"|scram-sha-\d+\$(\d+:[A-Za-z0-9./+=$:]{30,300})|md5([0-9a-f]{32})(?=['\"])",
        re.IGNORECASE,
    )


@cache
def _windows() -> re.Pattern[str]:
    return re.compile(r":([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::")


def find_hashes(text: str, low: str) -> Iterator[Span]:
    """Yield the spans of password hashes in `text`; `low` is the text in lower case."""
    if "$" in text:
        for match in _crypt().finditer(text):
            if len(match[0]) > 50 or any(is_random(part, 12) for part in match[0].split("$")):
                yield Span(match.start() + match[0].index("$", 1) + 1, match.end(), "password-hash")
        for word in ("pbkdf2", "scrypt", "scram-sha", "argon2"):
            yield from _named_at(text, low, word)
    if "}" in text:
        for match in _braced().finditer(text):
            yield Span(match.start(1), match.end(1), "password-hash")
    yield from _named_at(text, low, "md5")
    if ":::" in text:
        for match in _windows().finditer(text):
            yield Span(match.start(1), match.end(1), "password-hash")


def _named_at(text: str, low: str, word: str) -> Iterator[Span]:
    for at in positions(low, word):
        match = _named().match(text, at)
        if match and match.lastindex:
            yield Span(match.start(match.lastindex), match.end(match.lastindex), "password-hash")
