"""Read the value that belongs to a key: after `=`, `:`, `is`, a flag, on the next line, in a table cell.

Pure reading; whether the value is a secret is for `assignments` to judge. Every step is bounded, so
that the whole stays linear.
"""

import re
from functools import cache
from typing import NamedTuple

_MOST = 4096  # characters of a value; RSA keys in base64 on one line stay below


class Value(NamedTuple):
    """A value and where it stands. `how`: assign, env, call, flag, prose, beside, next, cell."""

    start: int
    end: int
    how: str
    quoted: bool


_QUOTE = r"""\\{0,15}["'`]|&quot;|&\#3[49];|\\{1,8}u002[27]"""


@cache
def _close() -> re.Pattern[str]:
    """What may stand between a name and its separator: quotes, brackets, bold, colours, `?` or `[]` of a type."""
    return re.compile(rf"(?:{_QUOTE}|\*{{1,2}}|\[\]|[\])]|\x1b\[[\d;]{{0,8}}m|\?(?=:)|!(?=[:=]))" + "{0,5}")


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]{0,40}(?:(?P<assign>=>|<<<|:=|\?\?=|\|\|=|\+=|={1,3}|::?=?|→|->|＝|：|%3[AaDd])|(?P<cell>(?<=[ \t`*])\|(?=[ \t\r\n`*]|\Z))"
        r"|(?P<comma>,(?=\s{0,3}(?:[rbuf]?\\{0,15}[\"'`])))|(?P<call>\((?=[rbuf@$]{0,2}\\{0,15}[\"'`]))|(?P<tag>(?<!-)>|&gt;))"
        r"(?:\*{1,2}|__)?(?:\x1b\[[\d;]{0,8}m)?"
    )


@cache
def _phrase() -> re.Pattern[str]:
    """`is`, `was changed to`, `for the staging admin is`, `(staging):`, and the same in other languages."""
    return re.compile(
        r"(?:[ \t]?\([^()\n]{1,40}\))?(?:[ \t]{1,3}(?:for|of|on|to|in|at|from|per|für|para|pour|del?|von|от|для)[ \t]{1,3}"
        r"(?:[\w.'@/-]{1,40}[ \t]{1,3}){0,4}?[\w.'@/-]{1,40}?)?"
        r"(?:(?:[ \t]{1,3}(?:is|was|are|be|to|as|now|set|changed|reset|updated|rotated|currently|still|equals|has|been|will|should"
        r"|it's|its|called|es|est|ist|lautet|war|é|è|это|là|ist:))+[ \t]{0,3}(?::(?!//))?|[ \t]{0,3}[:=]|(?:는|은|가|이|를|을|이란)?[ \t]?[:：]"
        r"|(?:는|은|가|이|를|을)(?=[ \t`\"'])|[はがを]|是|为|為|就是|——|\s—|\s–|[ \t]-(?=[ \t]))"
    )


@cache
def _named_value() -> re.Pattern[str]:
    """`name: X` and then `value: …`, in YAML, JSON and XML."""
    return re.compile(
        rf"(?:{_QUOTE})?[ \t]{{0,8}}(?:,|/>|</\w{{1,12}}>)?\s{{0,40}}(?:-\s)?(?:(?:{_QUOTE})?[vV]alue(?:{_QUOTE})?\s{{0,4}}[:=]\s{{0,4}}"
        r"|<(?:value|string|val)>)"
    )


@cache
def _next_line() -> re.Pattern[str]:
    return re.compile(
        r"[ \t]{0,8}(?:[|>][+-]?\d?)?[ \t]{0,8}(?:\r?\n[ \t>]{0,12}){1,3}(?:```\w{0,12}\r?\n[ \t>]{0,12})?(?:[-*][ \t])?"
    )


@cache
def _open() -> re.Pattern[str]:
    return re.compile(
        rf"[ \t]{{0,40}}(?:\x1b\[[\d;]{{0,8}}m)?(?:\*{{1,2}}|__|[「『“‘«„])?(?:[rbuf@$]{{0,2}}(?=[\"'`]))?(?P<mark>{_QUOTE})?"
    )


@cache
def _bare() -> re.Pattern[str]:
    """Up to blank, quote or bracket; `&`, `;`, `,` end it only before another `key=` or a blank."""
    stops = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff5e\u2018-\u201f«»"  # Chinese, Japanese and Korean go on without a blank
    return re.compile(
        rf"(?:[^\s\x00-\x1f\"'`\\|<>;,&{stops}]|[;,&](?![\w.%-]{{1,60}}[=:]|\s|$|\"|')|\\(?![\\\"'`nrtu])){{1,{_MOST}}}"
    )


@cache
def _inside(mark: str) -> re.Pattern[str]:
    """The text up to the closing `mark`, in which a deeper escaped quote may stand."""
    if mark in {'"', "'"}:
        return re.compile(rf"(?:[^{mark}\\\n]|\\.){{0,{_MOST}}}(?={mark})")
    if mark == "`":
        return re.compile(rf"[^`\n]{{0,{_MOST}}}(?=`)")
    if mark[-1] in "\"'":
        return re.compile(rf"[^{mark[-1]}\n]{{0,{_MOST}}}?(?<!\\){re.escape(mark)}")
    return re.compile(rf"[^\n\"'&\\]{{0,{_MOST}}}(?={re.escape(mark)})")


def value_after(text: str, name_start: int, name_end: int) -> Value | None:
    """Return the value that belongs to the name `text[name_start:name_end]`."""
    at = _close_end(text, name_end)
    named = (
        _named_value().match(text, at)
        if "alue" in text[at : at + 80] or "<string>" in text[at : at + 60]
        else None
    )
    if named:
        return _read(text, named.end(), "assign")
    if text[at : at + 1] in {
        " ",
        "\t",
        ":",
        "=",
        "|",
        ",",
        "(",
        ">",
        "→",
        "＝",
        "：",
        "-",
        "&",
        "%",
        "?",
        "+",
        "<",
    }:
        found = _separator().match(text, at)
        if found:
            return _separated(text, at, found)
    phrase = _phrase().match(text, at)
    if phrase and phrase.end() > at:
        value = _read(text, phrase.end(), "prose")
        return value if value else _below(text, phrase.end())
    if text[at : at + 1] in {" ", "\t"}:
        dashed = text[max(0, name_start - 1) : name_start] == "-" or text[name_start] == "-"
        listed = text[name_start:name_end].isupper() and (
            text[at] == "\t" or "_" in text[name_start:name_end]
        )
        return _read(
            text, at, "flag" if dashed or listed or text.startswith("requirepass", name_start) else "beside"
        )
    return _below(text, at) if text[at : at + 1] in {"\r", "\n"} and _is_heading(text, name_start) else None


@cache
def _earlier() -> re.Pattern[str]:
    return re.compile(
        r"([`\"'])([^`\"'\s]{6,64})\1[ \t]{1,3}(?:as|is|=)[ \t]{1,3}(?:(?:the|my|our|your|a|an|his|her|their)[ \t])?(?:\w{1,20}[ \t]){0,2}\Z"
    )


def value_before(text: str, name_start: int) -> Value | None:
    """Return the quoted value before the name, as in `use `…` as the password`."""
    if text[name_start - 1 : name_start] != " ":
        return None
    found = _earlier().search(text, max(0, name_start - 140), name_start)
    return Value(found.start(2), found.end(2), "prose", True) if found else None


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(r"[ \t>#*_`-]{0,12}(?:[A-Za-z]{1,16}[ \t]){0,4}[*_`]{0,3}\Z")


def _is_heading(text: str, name_start: int) -> bool:
    """Tell whether before the name its line holds at most a few words: `**Passphrase**`, `## API key`."""
    line_start = text.rfind("\n", max(0, name_start - 80), name_start) + 1 or max(0, name_start - 80)
    return _heading().match(text, line_start, name_start) is not None


def cell_values(text: str, name_end: int) -> list[Value]:
    """Return the values of a table's column whose head holds the name that ends at `name_end`."""
    line_start = text.rfind("\n", 0, name_end) + 1
    column = text.count("|", line_start, name_end)
    found: list[Value] = []
    at = text.find("\n", name_end) + 1
    while at and len(found) < 200:
        line_end = text.find("\n", at)
        line = text[at : line_end if line_end >= 0 else len(text)][:_MOST]
        cells = line.split("|")
        if len(cells) <= column:
            break
        start = at + len("|".join(cells[:column])) + 1
        cell = cells[column]
        body = cell.strip(" \t\r`*")
        if body and body.strip(":-"):
            start += cell.index(body)
            found.append(Value(start, start + len(body), "cell", "`" in cell))
        at = line_end + 1
    return found


def _close_end(text: str, at: int) -> int:
    match = _close().match(text, at)
    return match.end() if match else at


def _separated(text: str, at: int, found: re.Match[str]) -> Value | None:
    how = found.lastgroup or "assign"
    if how == "tag":
        return (
            _read(text, found.end(), "assign")
            if text[found.end() : found.end() + 1] not in {"<", "=", "", " ", "\n"}
            else None
        )
    if how == "comma" or how == "call":
        return _read(text, found.end(), "call")
    if how == "cell":
        return _read(text, found.end(), "cell") or Value(found.end(), found.end(), "cell", False)
    how = "env" if found[0] == "=" and found.start() == at else "assign"
    value = _read(text, found.end(), how)
    if value is None or text[value.start : value.end] in {"|", ">", ">-", "|-", "|+", ">+"}:
        return _below(text, found.end()) if ":" in found[0] or value else None
    wrapped = (
        _constructor().match(text, value.start)
        if text[value.end : value.end + 1] in {'"', "'"} and not value.quoted
        else None
    )
    if wrapped:
        return _read(text, wrapped.end(), "call")
    typed = text[value.end : value.end + 3].lstrip()[:1] == "=" and not value.quoted
    return _typed(text, value) or value if typed else value


@cache
def _constructor() -> re.Pattern[str]:
    """What only wraps the string that follows: `String::from("…")`, `SecretStr("…")`."""
    return re.compile(
        r"(?:String::from|[sS]tr(?:ing)?|Some|SecretStr(?:ing)?(?:::new|::from)?|Secret(?:::new)?|SecureString|bytes|Buffer\.from)\((?=[\"'])"
    )


@cache
def _annotation() -> re.Pattern[str]:
    return re.compile(
        r"(?:str|string|String|char|text|bytes|&str|&'static str|Optional\[str\]|str ?\| ?None|any|SecretStr)[ \t]{0,4}=[ \t]{0,4}(?=[\"'`])"
    )


def _typed(text: str, value: Value) -> Value | None:
    """Return the value after a type: `password: str = "…"`."""
    match = _annotation().match(text, value.start)
    return _read(text, match.end(), "assign") if match else None


def _below(text: str, at: int) -> Value | None:
    """Return the value that stands alone on the next line that is not blank, maybe in a fence."""
    match = _next_line().match(text, at)
    if not match:
        return None
    value = _read(text, match.end(), "next")
    if value is None:
        return None
    end = value.end + (1 if value.quoted else 0)
    rest = text[end : end + 8].split("\n", 1)[0].strip(" \t\r`*.")
    return value if not rest else None


def _read(text: str, at: int, how: str) -> Value | None:
    opened = _open().match(text, at)
    start = opened.end() if opened else at
    mark = opened["mark"] if opened else None
    if mark:
        inside = _inside(mark).match(text, start)
        if inside:
            end = inside.end() - (len(mark) if len(mark) > 1 and mark[-1] in "\"'" and mark[0] == "\\" else 0)
            return Value(start, end, how, True)
    bare = _bare().match(text, start)
    if not bare:
        return None
    end = _trim(text, start, bare.end())
    return Value(start, end, how, False) if end > start else None


def _trim(text: str, start: int, end: int) -> int:
    """Return the end without closing brackets, bold marks and the sentence's punctuation."""
    while end > start:
        last = text[end - 1]
        closes = last in ")]}" and text.count("([{"[")]}".index(last)], start, end) < text.count(
            last, start, end
        )
        ends_sentence = last in ".:;," or (last == "*" and text[end - 2 : end] == "**")
        if not (closes or ends_sentence):
            break
        end -= 2 if last == "*" else 1
    return end
