"""Find passwords that a call takes by their place alone: `basic_auth("dana", "…")`, `connect(host, user, "…")`."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import (
    has_digits,
    is_harmless,
    is_identifier,
    is_passwordlike,
    is_placeholder,
    is_reference,
)
from hipocampus.redact.places import call_places
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span


@cache
def _call() -> re.Pattern[str]:
    """The end of the name, and the arguments up to the closing bracket: on one line, and not many."""
    return re.compile(
        r"(?i:auth|connect(?:ion)?|cred(?:ential)?s?(?:\.new)?|login|pdo)\((?P<arguments>[^()\n]{6,240}(?:\([^()\n]{1,120}\))?[^()\n]{0,80})\)"
    )


@cache
def _string() -> re.Pattern[str]:
    return re.compile(r"([\"'])((?:(?!\1)[^\\\n]){0,120})\1")


def find_calls(scan: Scan) -> Iterator[Span]:
    """Yield the spans of passwords among the arguments of calls: a string behind another one."""
    text = scan.text
    for at in call_places(scan):
        call = _call().match(text, at)
        if not call:
            continue
        strings = list(_string().finditer(text, call.start("arguments"), call.end("arguments")))
        for string in strings[1:]:
            if _is_password(string[2]):
                yield Span(string.start(2), string.end(2), "password")
                break


def _is_password(value: str) -> bool:
    if is_placeholder(value) or is_reference(value) or is_harmless(value) or is_identifier(value):
        return False
    if any(sign in value for sign in " =/;") and not value.endswith("="):
        return False  # a sentence, an address, a list of options
    signs = sum(not char.isalnum() for char in value)
    return is_passwordlike(value, 8) and (has_digits(value) or signs >= 2)
