"""The marks between a name and its value, as patterns: quotes, separators, phrases, line breaks.

Every repetition is bounded, so that a match costs the same wherever it is tried.
"""

import re
from functools import cache

MOST = 4096  # characters of a value; RSA keys in base64 on one line stay below

_QUOTE = r"""\\{0,15}["'`]|&quot;|&\#3[49];|\\{1,8}u002[27]"""
_SEPARATOR_END = r"(?:\*{1,2}|__)?(?:\x1b\[[\d;]{0,8}m)?"

# What stands between a name and its value in a sentence: words, of which the parts of `it's` are two, and marks.
_PREPOSITIONS = (
    "for",
    "of",
    "on",
    "to",
    "in",
    "at",
    "from",
    "per",
    "für",
    "para",
    "pour",
    "de",
    "del",
    "von",
    "от",
    "для",
)
_VERB_WORDS = frozenset(
    """is was are be to as now set changed reset updated rotated currently still equals has been will should it its
    called es est ist lautet war""".split()
)
_VERBS = (
    r"(?:[ \t]{1,3}(?:is|was|are|be|to|as|now|set|changed|reset|updated|rotated|currently|still|equals|has|been|will|should"
    r"|it's|its|called|es|est|ist|lautet|war|é|è|это|là)(?![A-Za-z]))+[ \t]{0,3}(?::(?!//))?"
)
_MARKS = (
    r"[ \t]{0,3}[:=]|(?:는|은|가|이|를|을|이란)?[ \t]?[:：]"
    r"|(?:는|은|가|이|를|을)(?=[ \t`\"'])|[はがを]|是|为|為|就是|——|\s—|\s–|[ \t]-(?=[ \t])"
)

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

# With what each of the patterns below can begin: most names need none of them.
_QUOTES = frozenset("\"'`")
_CLOSE_STARTS = frozenset("\"'`\\&*[])\x1b?!")
_ASSIGN_STARTS = frozenset("=:<?+→-＝：%")
_SEPARATOR_STARTS = frozenset("|,(>&")
_PHRASE_STARTS = frozenset("(:=：는은가이를을はがを是为為就—")


@cache
def _close() -> re.Pattern[str]:
    return re.compile(rf"(?:{_QUOTE}|\*{{1,2}}|\[\]|[\])]|\x1b\[[\d;]{{0,8}}m|\?(?=:)|!(?=[:=]))" + "{0,5}")


def close_end(text: str, at: int) -> int:
    """Return where the marks end that may stand before a separator: quotes, brackets, bold, colours, `?` or `[]` of a type."""
    first = text[at : at + 1]
    if first not in _CLOSE_STARTS:
        return at
    if first in _QUOTES and text[at + 1 : at + 2] not in _CLOSE_STARTS:
        return at + 1
    match = _close().match(text, at)
    return match.end() if match else at


@cache
def _assign() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]{0,40}(?P<assign>=>|<<<|:=|\?\?=|\+=|={1,3}|::?=?|→|->|＝|：|%3[AaDd])" + _SEPARATOR_END
    )


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]{0,40}(?:(?P<assign>\|\|=)|(?P<cell>(?<=[ \t`*])\|(?=[ \t\r\n`*]|\Z))"
        r"|(?P<comma>,(?=\s{0,3}(?:[rbuf]?\\{0,15}[\"'`])))|(?P<call>\((?=[rbuf@$]{0,2}\\{0,15}[\"'`]))|(?P<tag>(?<!-)>|&gt;))"
        + _SEPARATOR_END
    )


def match_separator(text: str, at: int) -> re.Match[str] | None:
    """Match what separates a name from its value; the group tells how: assign, cell, comma, call, tag."""
    sign = text[at : at + 41].lstrip(" \t")[:1]
    if sign in _ASSIGN_STARTS:
        return _assign().match(text, at)
    return _separator().match(text, at) if sign in _SEPARATOR_STARTS else None


@cache
def _verbs() -> re.Pattern[str]:
    return re.compile(_VERBS)


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(_MARKS)


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[ \t]?\([^()\n]{{1,40}}\))?(?:[ \t]{{1,3}}(?:{'|'.join(_PREPOSITIONS)})[ \t]{{1,3}}"
        r"(?:[\w.'@/-]{1,40}[ \t]{1,3}){0,4}?[\w.'@/-]{1,40}?)?" + f"(?:{_VERBS}|{_MARKS})"
    )


def phrase_end(text: str, at: int) -> int:
    """Return where the words between a name and its value end, `at` when there are none.

    `is`, `was changed to`, `for the staging admin is`, `(staging):`, and the same in other languages.
    """
    first = text[at : at + 1]
    if first in {" ", "\t"}:
        words = text[at : at + 24].split(maxsplit=1)
        word = words[0] if words else ""
    elif first in _PHRASE_STARTS or first.isspace():
        word = ""
    else:
        return at
    if first == "(" or word in _PREPOSITIONS or word[:1] == "(" or not word.isascii():
        match = _phrase().match(text, at)
    elif word[:1].isalpha():
        letters = word[: len(word) - len(word.lstrip(_LETTERS))]
        match = _verbs().match(text, at) if letters in _VERB_WORDS else None
    else:
        match = _marks().match(text, at)
    return match.end() if match else at


@cache
def named_value() -> re.Pattern[str]:
    """`name: X` and then `value: …`, in YAML, JSON and XML."""
    return re.compile(
        rf"(?:{_QUOTE})?[ \t]{{0,8}}(?:,|/>|</\w{{1,40}}>|:[ \t]{{0,4}}\{{|>)?\s{{0,40}}(?:-\s)?(?:(?:{_QUOTE})?[vV]alue(?:{_QUOTE})?\s{{0,4}}[:=]\s{{0,4}}"
        r"|<(?:[vV]alue|string|val)>)"
    )


@cache
def next_line() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]{0,8}(?:[|>][+-]?\d?)?[ \t]{0,8}(?:\r?\n[ \t>]{0,12}){1,3}(?:```\w{0,12}\r?\n[ \t>]{0,12})?(?:[-*][ \t])?"
    )


@cache
def pair() -> re.Pattern[str]:
    """A name with a value of its own, `port=54321`: a line of its own, and not the value of the line above."""
    return re.compile(r"[A-Za-z_][A-Za-z_.-]{0,60}[0-9]{0,2}[=:](?!=*\Z)")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        rf"[ \t]{{0,40}}(?:\x1b\[[\d;]{{0,8}}m)?(?:\*{{1,2}}|__|[「『“‘«„])?(?:[rbuf@$]{{0,2}}(?=[\"'`]))?(?P<mark>{_QUOTE})?"
    )


def read_opening(text: str, at: int) -> tuple[int, str]:
    """Return where a value begins behind blanks, bold and colours, and the quote that opens it, "" for none."""
    rest = text[at : at + 44]
    value = rest.lstrip(" \t")
    head = value[:3]
    if head[:1].isalnum() and head.isascii() and len(value) > 3 and _QUOTES.isdisjoint(head):
        return at + len(rest) - len(value), ""
    match = _opening().match(text, at)
    return (match.end(), match["mark"] or "") if match else (at, "")


@cache
def bare() -> re.Pattern[str]:
    """Up to blank, quote or bracket; `&`, `;`, `,` end it only before another `key=` or a blank."""
    return re.compile(
        rf"(?:[^\s\x00-\x1f\"'`\\|<>;,&]|[;,&](?![\w.%-]{{1,60}}[=:]|\s|$|\"|')|\\(?![\\\"'`nrtu])){{1,{MOST}}}"
    )


@cache
def inside(mark: str) -> re.Pattern[str]:
    """The text up to the closing `mark`, in which a deeper escaped quote may stand."""
    if mark in {'"', "'"}:
        return re.compile(rf"(?:[^{mark}\\\n]|\\.){{0,{MOST}}}(?={mark})")
    if mark == "`":
        return re.compile(rf"[^`\n]{{0,{MOST}}}(?=`)")
    if mark[-1] in "\"'":
        return re.compile(rf"[^{mark[-1]}\n]{{0,{MOST}}}?(?<!\\){re.escape(mark)}")
    return re.compile(rf"[^\n\"'&\\]{{0,{MOST}}}(?={re.escape(mark)})")


@cache
def earlier() -> re.Pattern[str]:
    return re.compile(
        r"([`\"'])([^`\"'\s]{6,64})\1[ \t]{1,3}(?:as|is|=)[ \t]{1,3}(?:(?:the|my|our|your|a|an|his|her|their)[ \t])?(?:\w{1,20}[ \t]){0,2}\Z"
    )


@cache
def heading() -> re.Pattern[str]:
    return re.compile(r"[ \t>#*_`-]{0,12}(?:[A-Za-z]{1,16}[ \t]){0,4}[*_`]{0,3}\Z")


@cache
def constructor() -> re.Pattern[str]:
    """What only wraps the string that follows: `String::from("…")`, `SecretStr("…")`."""
    return re.compile(
        r"(?:String::from|[sS]tr(?:ing)?|Some|SecretStr(?:ing)?(?:::new|::from)?|Secret(?:::new)?|SecureString|bytes|Buffer\.from)\((?=[\"'])"
    )


@cache
def annotation() -> re.Pattern[str]:
    return re.compile(
        r"(?:str|string|String|char|text|bytes|&str|&'static str|Optional\[str\]|str ?\| ?None|any|SecretStr)[ \t]{0,4}=[ \t]{0,4}(?=[\"'`])"
    )
