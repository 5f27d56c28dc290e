"""Find password hashes: crypt(3), bcrypt, Argon2, htpasswd's, Django's, LDAP's.

Sources: crypt(5), the Modular Crypt Format, PHC string format, Apache's password formats, RFC 2307.
"""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import is_random
from hipocampus.redact.places import braced_places, crypt_places, has_windows_hash
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span


@cache
def _crypt() -> re.Pattern[str]:
    return re.compile(
        r"\$(?:(?:1|2[abxy]?|5|6|7|y|gy|apr1|sha1|md5|argon2(?:id|i|d)|scrypt|pbkdf2-sha\d+|bcrypt-sha256|P|H)\$([A-Za-z0-9./+=,$_-]{16,200})"
        # Django's and Werkzeug's, after `pbkdf2_sha256` or `scrypt:32768:8:1`; PostgreSQL's, after `SCRAM-SHA-256`
        r"|(?:\d{3,7}\$)?([A-Za-z0-9./+=]{6,32}\$(?:[A-Za-z0-9./+]{40,200}={0,2}|[0-9a-f]{40,200}))|(\d{4,6}:[A-Za-z0-9./+=$:]{40,300}))"
    )


@cache
def _braced() -> re.Pattern[str]:
    return re.compile(
        r"\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[A-Z0-9_-]{0,12}|ARGON2)\}([A-Za-z0-9./+=$]{16,200})"
    )


@cache
def _windows() -> re.Pattern[str]:
    return re.compile(r":([0-9a-fA-F]{32}:[0-9a-fA-F]{32}):::")


def find_hashes(scan: Scan) -> Iterator[Span]:
    """Yield the spans of password hashes."""
    text = scan.text
    done = 0
    for at in crypt_places(scan):
        match = _crypt().match(text, at) if at >= done else None
        if match:
            done = match.end()
            group = match.lastindex or 0
            if len(match[group]) > 50 or any(is_random(part, 12) for part in match[group].split("$")):
                yield Span(match.start(group), done, "password-hash")
    for at in braced_places(scan):
        match = _braced().match(text, at)
        if match:
            yield Span(match.start(1), match.end(1), "password-hash")
    if has_windows_hash(scan):
        for match in _windows().finditer(text):
            yield Span(match.start(1), match.end(1), "password-hash")
