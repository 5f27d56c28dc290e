"""Read the value that belongs to a key: after `=`, `:`, `is`, a flag, on the next line, in a table cell.

Pure reading; whether the value is a secret is for `assignments` to judge. Every step is bounded, so
that the whole stays linear.
"""

import re

from hipocampus.redact import grammar
from hipocampus.redact.anchors import is_stated_before, takes_argument


class Value:
    """A value and where it stands. `how`: assign, env, call, flag, prose, beside, next, cell."""

    __slots__ = ("end", "how", "quoted", "start")

    def __init__(self, start: int, end: int, how: str, quoted: bool) -> None:
        self.start = start
        self.end = end
        self.how = how
        self.quoted = quoted


def value_after(text: str, name_start: int, name_end: int) -> Value | None:
    """Return the value that belongs to the name `text[name_start:name_end]`."""
    at = grammar.close_end(text, name_end)
    named = (
        grammar.named_value().match(text, at)
        if text.find("alue", at, at + 80) >= 0 or text.find("<string>", at, at + 60) >= 0
        else None
    )
    if named:
        return _read(text, named.end(), "assign")
    found = grammar.match_separator(text, at)
    if found:
        return _separated(text, at, found)
    phrase_end = grammar.phrase_end(text, at)
    if phrase_end > at:
        return _read(text, phrase_end, "prose") or _below(text, phrase_end)
    if text[at : at + 1] in {" ", "\t"}:
        return _read(text, at, "flag" if takes_argument(text, name_start, name_end, at) else "beside")
    return _below(text, at) if text[at : at + 1] in {"\r", "\n"} and _is_heading(text, name_start) else None


def value_before(text: str, name_start: int) -> Value | None:
    """Return the quoted value before the name, as in `use `…` as the password`."""
    if not is_stated_before(text, name_start):
        return None
    found = grammar.earlier().search(text, max(0, name_start - 140), name_start)
    return Value(found.start(2), found.end(2), "prose", True) if found else None


def _is_heading(text: str, name_start: int) -> bool:
    """Tell whether before the name its line holds at most a few words: `**Passphrase**`, `## API key`."""
    line_start = text.rfind("\n", max(0, name_start - 80), name_start) + 1 or max(0, name_start - 80)
    return grammar.heading().match(text, line_start, name_start) is not None


def cell_values(text: str, name_end: int) -> list[Value]:
    """Return the values of a table's column whose head holds the name that ends at `name_end`."""
    line_start = text.rfind("\n", 0, name_end) + 1
    column = text.count("|", line_start, name_end)
    found: list[Value] = []
    at = text.find("\n", name_end) + 1
    while at and len(found) < 200:
        line_end = text.find("\n", at)
        line = text[at : line_end if line_end >= 0 else len(text)][: grammar.MOST]
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
        grammar.constructor().match(text, value.start)
        if text[value.end : value.end + 1] in {'"', "'"} and not value.quoted
        else None
    )
    if wrapped:
        return _read(text, wrapped.end(), "call")
    typed = text[value.end : value.end + 3].lstrip()[:1] == "=" and not value.quoted
    return _typed(text, value) or value if typed else value


def _typed(text: str, value: Value) -> Value | None:
    """Return the value after a type: `password: str = "…"`."""
    match = grammar.annotation().match(text, value.start)
    return _read(text, match.end(), "assign") if match else None


def _below(text: str, at: int) -> Value | None:
    """Return the value that stands alone on the next line that is not blank, maybe in a fence."""
    match = grammar.next_line().match(text, at)
    if not match:
        return None
    value = _read(text, match.end(), "next")
    if value is None or (not value.quoted and grammar.pair().match(text, value.start, value.end)):
        return None
    end = value.end + (1 if value.quoted else 0)
    rest = text[end : end + 8].split("\n", 1)[0].strip(" \t\r`*.")
    return value if not rest else None


def _read(text: str, at: int, how: str) -> Value | None:
    start, mark = grammar.read_opening(text, at)
    if mark:
        inside = grammar.inside(mark).match(text, start)
        if inside:
            end = inside.end() - (len(mark) if len(mark) > 1 and mark[-1] in "\"'" and mark[0] == "\\" else 0)
            return Value(start, end, how, True)
    bare = grammar.bare().match(text, start)
    if not bare:
        return None
    end = bare.end()
    if not bare[
        0
    ].isascii():  # Chinese, Japanese and Korean go on without a blank, and have quotes of their own
        end = next((at for at in range(start, end) if text[at] >= "\u3000" or text[at] in "‘’“”„«»"), end)
    end = _trim(text, start, end)
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
