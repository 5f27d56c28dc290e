"""Tell where names stand that may announce a secret: by plain comparisons, before any pattern is compiled.

Prose speaks of keys, tokens and passwords without giving them away. What shows from the word itself or from
the one that follows it costs nothing more; only the rest is looked at by `assignments`.
"""

import re
from functools import cache

from hipocampus.redact.scan import Scan

# The words that announce a secret, in lower case; none is the beginning of another one.
_WORDS = (
    "pass",
    "secret",
    "token",
    "key",
    "cred",
    "auth",
    "pw",
    "psk",
    "jwt",
    "salt",
    "kennwort",
    "senha",
    "wachtwoord",
    "clave",
    "parola",
    "heslo",
    "salasana",
    "adgangskode",
    "senord",  # of `lösenord`, whose `ö` no search for letters of ASCII meets
)
_FOREIGN = _WORDS[_WORDS.index("kennwort") :]
_TITLE_ENDS = (
    " decisions",
    " themes",
    " files",
)  # of headings that every summary and task has: `Key decisions`

# The letters with which words for secrets begin in languages that are not written in ASCII. A value stands
# before none of the first ones, as they go on with another word.
OTHER_STARTS = frozenset("비패암토시키密口令パ暗トシキ秘пПсСтТкК")
OTHER_LETTERS = OTHER_STARTS | frozenset("รपكסκΚñłşŞậ")

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = frozenset(_ALPHABET)
_NOT_AFTER_KEY = _LETTERS - {"s"}
_PASS_ENDINGS = frozenset(("word", "words", "wort", "worts", "w", "wd", "phrase", "code", "ord"))
_QUOTES = "\"'`"
_NAME_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-")
_NAME_MOST = 64
# Words between a name and its value, and `value` itself: `the key for the gate is …`, `password changed to …`.
_CONNECTING = frozenset(
    """for of on to in at from per para pour de del von is was are be as now set changed reset updated rotated currently
    still equals has been will should its called es est ist lautet war value""".split()
)


def anchors(scan: Scan) -> list[int]:
    """Return where words stand that may announce a secret, in order."""
    found: list[int] = []
    for word in _WORDS:
        found += scan.at(word)
    found.sort()
    return found


def name_at(scan: Scan, at: int) -> tuple[int, int] | None:
    """Return start and end of the name that the anchor at `at` is part of, None when no value can belong to it."""
    word_end = anchor_end(scan.low, at)
    if not word_end:
        return None
    start, end = _name_bounds(scan.text, at, word_end)
    if _prose_follows(scan.text, start, end) and not is_stated_before(scan.text, start):
        return None
    return start, end


def anchor_end(low: str, at: int) -> int:
    """Return where the word ends that announces a secret at `at`, 0 when it is another one: `passage`, `tokenize`."""
    head = low[at : at + 3]
    if head == "key":
        other = low[at + 3 : at + 4] in _NOT_AFTER_KEY or low.startswith(_TITLE_ENDS, at + 3)
        return 0 if other else at + 3
    if head == "pas":
        return _pass_end(low, at)
    if head == "tok":
        return 0 if low.startswith(("iz", "is"), at + 5) else at + 5
    if head == "sec":
        return 0 if low.startswith(("ar", "ly", "iv"), at + 6) else at + 6
    if head == "aut":
        return at + 4 if low.startswith("_", at + 4) or _is_separated(low, at + 4) else 0
    if head == "cre":
        if low.startswith("ential", at + 4):
            return at + 10
        return at + 5 if low.startswith("s", at + 4) and not _is_word(low[at + 5 : at + 6]) else 0
    if low.startswith(_FOREIGN, at):
        end = at + next(len(word) for word in _FOREIGN if low.startswith(word, at))
        return 0 if low[end : end + 1] in _LETTERS else end
    if head[:2] == "pw":
        return _pw_end(low, at)
    end = at + (4 if head == "sal" else 3)  # salt, psk, jwt
    return end if _is_separated(low, end) else 0


def _pass_end(low: str, at: int) -> int:
    after = at + 4
    if low[after : after + 1] in {"w", "p", "c", "e", "o"}:
        tail = low[after : after + 9]
        end = after + len(tail) - len(tail.lstrip(_ALPHABET))
        ending = low[after:end]
        if ending in _PASS_ENDINGS or (ending == "e" and not _is_word(low[end : end + 1])):
            return end
    following = low[after : after + 1]
    named = following in {" ", "\t"} and (low[at - 1 : at] == "_" or low.endswith("requirepass", 0, after))
    return after if following == "_" or named or _is_separated(low, after) else 0


def _pw_end(low: str, at: int) -> int:
    if low.startswith("d", at + 2):
        return 0 if low[at + 3 : at + 4] in _LETTERS else at + 3
    return at + 2 if low.startswith(" ", at + 2) or _is_separated(low, at + 2) else 0


def _is_separated(low: str, at: int) -> bool:
    """Tell whether a separator, a quote or the end of the text follows a word that begins others as well."""
    rest = low[at : at + 12]
    if not rest or rest == "\n" or rest[0] in _QUOTES:
        return True
    marks = rest.lstrip("\"'`\\]*")
    blanks = marks.lstrip(" \t")
    return (
        len(rest) - len(marks) <= 8 and len(marks) - len(blanks) <= 3 and blanks[:1] in {"=", ":", "|", ","}
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _name_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    left, right = start, end
    while left > 0 and start - left < _NAME_MOST and text[left - 1] in _NAME_CHARS:
        left -= 1
    while right < len(text) and right - end < _NAME_MOST and text[right] in _NAME_CHARS:
        right += 1
    while right > end and text[right - 1] in ".-$":
        right -= 1
    if text[left - 1 : left] == "\\" and left < start and text[left] in "nrt":
        left += 1  # `\nPASSWORD` in a JSON string
    return left, right


@cache
def _plain_word() -> re.Pattern[str]:
    return re.compile(r"[.;]|,? ([a-z]{2,40})[.,;:]?(?:\s|\Z)")


def _prose_follows(text: str, start: int, end: int) -> bool:
    """Tell whether the sentence ends or goes on with a plain word behind a name: `token expires`, `keys, which`.

    No value can stand there: not one that a word of `_CONNECTING` announces, and no word of small letters is
    believed where only its place, beside the name, speaks for it.
    """
    word = _plain_word().match(text, end)
    return word is not None and word[1] not in _CONNECTING and not takes_argument(text, start, end, end)


def takes_argument(text: str, start: int, end: int, at: int) -> bool:
    """Tell whether the word behind the blank at `at` is a name's argument: `--password x`, `DB_PASS x`, `requirepass x`."""
    if "-" in text[max(0, start - 1) : start + 1]:
        return True
    name = text[start:end]
    return (name.isupper() and ("_" in name or text[at : at + 1] == "\t")) or name.startswith("requirepass")


def is_stated_before(text: str, start: int) -> bool:
    """Tell whether a quoted value may stand before the name, as in `use `…` as the password`."""
    if text[start - 1 : start] != " ":
        return False
    left = text[max(0, start - 140) : start]
    rest = left[max(map(left.rfind, _QUOTES)) + 1 :]
    return len(rest) < len(left) and rest.split(maxsplit=1)[:1] in (["as"], ["is"], ["="])
