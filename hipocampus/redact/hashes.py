"""Find password hashes: crypt(3), bcrypt, Argon2, htpasswd's, Django's, LDAP's.

Sources: crypt(5), the Modular Crypt Format, PHC string format, Apache's password formats, RFC 2307.
"""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import is_random
from hipocampus.redact.spans import Span


@cache
def _crypt() -> re.Pattern[str]:
    return re.compile(
        r"\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2-sha\d+|bcrypt-sha256|P|H)\$"
        r"[A-Za-z0-9./+=,$_-]{16,200}"
    )


@cache
def _named() -> re.Pattern[str]:
    return re.compile(
        r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[A-Z0-9_-]{0,12}|ARGON2)\}([A-Za-z0-9./+=$]{16,200})"
        r"|\b(?:pbkdf2_sha\d+|scrypt|pbkdf2):?[\w:]{0,24}\$([A-Za-z0-9./+=$]{16,300})"
        r"|\bSCRAM-SHA-256\$(\d+:[A-Za-z0-9./+=$:]{30,300})|\bmd5([0-9a-f]{32})\b(?=['\"])|:([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::"
    )


def find_hashes(text: str, low: str) -> Iterator[Span]:
    """Yield the spans of password hashes in `text`; `low` is the text in lower case."""
    if "$" in text:
        for match in _crypt().finditer(text):
            if any(is_random(part, 12) for part in match[0].split("$")) or len(match[0]) > 50:
                yield Span(match.start() + match[0].index("$", 1) + 1, match.end(), "password-hash")
    if "sha" in low or "md5" in low or "crypt}" in low or "pbkdf2" in low or ":::" in text or "scrypt" in low:
        for match in _named().finditer(text):
            group = match.lastindex or 0
            yield Span(match.start(group), match.end(group), "password-hash")
