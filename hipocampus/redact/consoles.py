"""Find passwords in the words of consoles and devices: `htpasswd -b file user …`, `set psksecret …`, `AUTH …`."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import has_digits, is_harmless, is_passwordlike, is_placeholder, is_reference
from hipocampus.redact.places import CONSOLE_WORDS
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_VALUE = r"""(?:N?(?P<mark>["'])(?P<quoted>[^"'\n]{4,200})(?P=mark)|(?P<bare>[^\s"'`|;&<>\\]{4,200}))"""
_BEFORE = 90  # characters before the word in which a value may be stated


# The word that announces a password, what ends right before it and what follows it at once (one of each, in lower
# case; none: anything), and all that stands between the word and the password.
_COMMANDS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], str], ...] = (
    ("pass", ("ht",), ("wd ",), r"wd\s+-\w*b\w*\s+(?:\S+\s+){1,2}"),
    ("pass", ("set ",), ("word ", "wd "), r"(?:word|wd)\s+(?:ENC\s+)?"),
    ("pass", (), ("word 0 ", "word 5 ", "word 7 "), r"word\s+[057]\s+"),
    ("pass", ("user-", "root-"), ("word password ",), r"word\s+password\s+"),
    ("pass", ("change_",), ("word ",), r"word\s+\S+\s+"),
    ("pass", ("with ",), ("word =", "word="), r"word\s*=\s*(?=N')"),
    ("pw", ("root",), (" --plaintext ",), r"\s+--plaintext\s+"),
    ("pw", (), ("d={",), r"d=\{"),
    ("psk", ("set ",), ("secret ", " "), r"(?:secret)?\s+"),
    ("psk", (": ",), (' "',), r"\s+(?=\")"),
    ("auth ", ("> ", "$ ", "# "), (), r"(?!plain|login)"),
    ("auth ", ("\n", "\r", "c: "), ("plain ", "login "), r"(?:plain|login)\s+"),
    ("snmp-server", (), (" community ",), r"\s+community\s+"),
    ("securestring", ("convertto-",), (" ",), r"\s+(?:-string\s+)?(?=['\"])"),
    ("sqlplus", (), (" ",), r"(?:\s+-\w+)*\s+[\w.]+/"),
    ("rabbitmqctl", (), (" add_user ", " authenticate_user "), r"\s+(?:add_user|authenticate_user)\s+\S+\s+"),
    ("net use", (), (" ",), r"\s+\S+(?:\s+\\\\\S+)?\s+/user:\S+\s+"),
)


@cache
def _after(word: str, between: str) -> re.Pattern[str]:
    return re.compile(f"(?i:{re.escape(word)}{between}){_VALUE}")


@cache
def _stated() -> re.Pattern[str]:
    """A value before the name without quotes: `… is the password for`, `log in with … as the password`."""
    return re.compile(r"(?:^|\s)([^\s\"'`]{8,64}) (?:is|as) (?:the|my|our|your) (?:\w{1,20} ){0,2}\Z")


def find_consoles(scan: Scan) -> Iterator[Span]:
    """Yield the spans of passwords after the words of `_COMMANDS`, and before the word itself."""
    text, low = scan.text, scan.low
    for word in CONSOLE_WORDS:
        rows = [row for row in _COMMANDS if row[0] == word]
        heads = tuple(head for row in rows for head in row[2]) if all(row[2] for row in rows) else ""
        for at in scan.at(word):
            if not low.startswith(heads, at + len(word)):
                continue
            for _, left, right, between in rows:
                if (left and not low.endswith(left, 0, at) and (at or "\n" not in left)) or (
                    right and not low.startswith(right, at + len(word))
                ):
                    continue
                match = _after(word, between).match(text, at)
                if match:
                    yield from _value(match)
                    break
    for at in scan.at("pass"):
        if low[at - 1 : at] == " " and low.startswith("word", at + 4):
            yield from _stated_before(scan, at)


def _stated_before(scan: Scan, at: int) -> Iterator[Span]:
    left = max(0, at - _BEFORE)
    if scan.low.find("s ", left, at) < 0:  # `is` or `as`
        return
    stated = _stated().search(scan.text[left:at])
    if stated and _is_strong(stated[1]):
        yield Span(left + stated.start(1), left + stated.end(1), "password")


def _value(match: re.Match[str]) -> Iterator[Span]:
    name = "quoted" if match["quoted"] else "bare"
    value, start = match[name], match.start(name)
    if name == "bare":
        value = value.partition("@")[0] if match[0].lower().startswith("sqlplus") else value.rstrip(".,;:)]}")
    if (
        len(value) < 4
        or is_placeholder(value)
        or is_reference(value)
        or value.startswith(("-", "/", "[REDACTED"))
    ):
        return
    if is_passwordlike(value) or value.isdigit():
        yield Span(start, start + len(value), "password")


def _is_strong(value: str) -> bool:
    mixed = value != value.lower() and value != value.upper()
    return (
        has_digits(value)
        and mixed
        and not is_harmless(value)
        and is_passwordlike(value, 8)
        and not is_reference(value)
    )
