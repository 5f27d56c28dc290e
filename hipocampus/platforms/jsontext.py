"""Edit JSON as text: add and remove members and items, and leave every other byte as it was. Pure.

A file that people write has an order, an indentation and line ends of its own. What is added here goes
behind what stands there, so that taking it out again gives the old text back.
"""

import json
import re
from typing import Any, NamedTuple


class BadJson(ValueError):
    """The text is not strict JSON (comments, trailing commas, duplicate keys): it cannot be edited safely."""


class Value(NamedTuple):
    """A value in the text, with the positions of what it holds."""

    start: int
    end: int
    members: tuple["Member", ...] | None = None  # of an object
    items: tuple["Value", ...] | None = None  # of an array

    def get(self, key: str) -> "Value | None":
        return next((m.value for m in self.members or () if m.key == key), None)


class Member(NamedTuple):
    key: str
    start: int  # of the key's opening quote
    value: Value


_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"-?[\w.+-]+")


def parse(text: str) -> Value:
    """Return the structure of a JSON document that is an object; BadJson when it is none."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadJson(str(error)) from None
    if not isinstance(whole, dict):
        raise BadJson("not a JSON object")
    return _value(text, _skip(text, 0))


def load(text: str, value: Value) -> Any:
    """Return what a value of the text is."""
    return json.loads(text[value.start : value.end])


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> Value:
    if text[at] == "{":
        return _object(text, at)
    if text[at] == "[":
        return _array(text, at)
    if text[at] == '"':
        return Value(at, _string_end(text, at))
    match = _SCALAR.match(text, at)
    if match is None:
        raise BadJson(f"unexpected {text[at]!r}")
    return Value(at, match.end())


def _string_end(text: str, at: int) -> int:
    _, end = json.JSONDecoder().raw_decode(text, at)
    return end


def _object(text: str, at: int) -> Value:
    members: list[Member] = []
    start, at = at, _skip(text, at + 1)
    while text[at] != "}":
        key_end = _string_end(text, at)
        key = json.loads(text[at:key_end])
        if any(member.key == key for member in members):
            raise BadJson(f"the key {key!r} stands there twice")
        value = _value(text, _skip(text, _skip(text, key_end) + 1))
        members.append(Member(key, at, value))
        at = _skip(text, value.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Value(start, at + 1, members=tuple(members))


def _array(text: str, at: int) -> Value:
    items: list[Value] = []
    start, at = at, _skip(text, at + 1)
    while text[at] != "]":
        item = _value(text, at)
        items.append(item)
        at = _skip(text, item.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Value(start, at + 1, items=tuple(items))


# --- editing ---


def add_member(text: str, path: tuple[str, ...], key: str, value: object) -> str:
    """Return the text with a member added at the end of the object that `path` names."""
    holder = find(text, path)
    if holder is None or holder.members is None:
        raise BadJson(f"{'.'.join(path) or 'the document'} is not an object")
    starts = [member.start for member in holder.members]
    ends = [member.value.end for member in holder.members]
    return _insert(text, holder, starts, ends, f"{json.dumps(key, ensure_ascii=False)}: ", value, len(path))


def add_item(text: str, path: tuple[str, ...], value: object) -> str:
    """Return the text with an item added at the end of the array that `path` names."""
    holder = find(text, path)
    if holder is None or holder.items is None:
        raise BadJson(f"{'.'.join(path)} is not a list")
    starts, ends = [item.start for item in holder.items], [item.end for item in holder.items]
    return _insert(text, holder, starts, ends, "", value, len(path))


def replace(text: str, value: Value, new: object) -> str:
    """Return the text with one value replaced."""
    return text[: value.start] + json.dumps(new, ensure_ascii=False) + text[value.end :]


def remove_at(text: str, holder: Value, index: int) -> str:
    """Return the text without one member or item of an object or array, and without its comma."""
    spans = [(m.start, m.value.end) for m in holder.members or ()] or [
        (item.start, item.end) for item in holder.items or ()
    ]
    start, end = spans[index]
    if len(spans) == 1:
        return text[: holder.start + 1] + text[holder.end - 1 :]
    if index:
        return text[: spans[index - 1][1]] + text[end:]
    return text[:start] + text[spans[1][0] :]


def remove_member(text: str, path: tuple[str, ...], key: str) -> str:
    """Return the text without a member of the object that `path` names; the same text when it has none."""
    holder = find(text, path)
    keys = [member.key for member in holder.members or ()] if holder else []
    return remove_at(text, holder, keys.index(key)) if holder and key in keys else text


def find(text: str, path: tuple[str, ...]) -> Value | None:
    """Return the value at a path of keys, None when there is none."""
    value: Value | None = parse(text)
    for key in path:
        value = value.get(key) if value else None
    return value


def _insert(
    text: str, holder: Value, starts: list[int], ends: list[int], lead: str, value: object, depth: int
) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if starts:
        between = text[ends[-2] : starts[-1]] if len(starts) > 1 else "," + text[holder.start + 1 : starts[0]]
        glue = between if between.strip() == "," else ", "
        if "\n" in glue:
            indent = glue.rpartition("\n")[2]
            rendered = _rendered(value, unit, indent, newline)
        else:
            glue, rendered = ", ", json.dumps(value, ensure_ascii=False)
        return text[: ends[-1]] + glue + lead + rendered + text[ends[-1] :]
    if "\n" not in text.strip() and text.strip() != "{}":
        rendered = lead + json.dumps(value, ensure_ascii=False)
        return text[: holder.start + 1] + rendered + text[holder.end - 1 :]
    outer = _indent_of(text, holder.start)
    inner = outer + unit
    rendered = _rendered(value, unit, inner, newline)
    filled = f"{newline}{inner}{lead}{rendered}{newline}{outer}"
    return text[: holder.start + 1] + filled + text[holder.end - 1 :]


def _rendered(value: object, unit: str, indent: str, newline: str) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=unit)
    return text.replace("\n", newline + indent)


def _unit(text: str) -> str:
    match = re.search(r"\n([ \t]+)\S", text)
    return match[1] if match else "  "


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]
