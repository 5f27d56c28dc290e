"""Nodes of the compaction tree: read and write frontmatter and body. The only module that knows frontmatter.

Reading is lenient, since people and language models write these files too; writing changes only the keys
that are set and keeps every other line of the block, comments included, in its place.
"""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from hipocampus.memory.entries import split_lines
from hipocampus.memory.periods import Level

KEY_ORDER = (
    "type",
    "status",
    "period",
    "dates",
    "weeks",
    "last-updated",
    "source-files",
    "topics",
    "summary",
    "waiting",
    "covers",
    "source-hash",
    "body-hash",
)

_HASH_CHARS = 16  # hexadecimal digits of a hash in frontmatter
_AMBIGUOUS = frozenset("y n yes no on off true false null nan inf".split())


class Status(StrEnum):
    """Whether a node may still be rebuilt freely."""

    TENTATIVE = "tentative"
    FIXED = "fixed"


class Summary(StrEnum):
    """How a node's body came about."""

    VERBATIM = "verbatim"
    EXTRACTIVE = "extractive"
    LLM = "llm"
    MANUAL = "manual"


class Frontmatter(NamedTuple):
    """A frontmatter block: its values, and its lines grouped by top-level key (None: comments, blanks)."""

    values: dict[str, object]
    groups: list[tuple[str | None, list[str]]]
    problems: list[str]  # duplicate keys, YAML that cannot be read


class Node(NamedTuple):
    """A node file as read."""

    front: Frontmatter | None  # None without a block at the top
    body: str  # what follows the block, no newline at either end

    def text(self, key: str) -> str:
        """A value as text; "" when it is missing or not a scalar."""
        value = self.front.values.get(key) if self.front else None
        return "" if value is None or isinstance(value, dict | list) else str(value)

    def items(self, key: str) -> list[str]:
        """A value as a list of texts, lenient about how it was written."""
        return as_list(self.front.values.get(key)) if self.front else []

    @property
    def status(self) -> str:
        return self.text("status")

    @property
    def is_fixed(self) -> bool:
        return self.status == Status.FIXED

    @property
    def body_intact(self) -> bool:
        """Whether the body is the one that hipo wrote."""
        return self.text("body-hash") == hash_text(self.body)


def parse_node(text: str) -> Node:
    """Return frontmatter and body of a node (plain text with `\\n`). Never fails: problems are named in it."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Node(None, text.strip("\n"))
    for number in range(1, len(lines)):
        if lines[number].rstrip() == "---":
            front = parse_front(lines[1:number])
            return Node(front, "\n".join(lines[number + 1 :]).strip("\n"))
    return Node(None, text.strip("\n"))


def body_of(text: str) -> str:
    """Return the body of a node's text, without looking into its frontmatter."""
    if not text.startswith("---"):
        return text.strip("\n")
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return text.strip("\n")
    end = next((n for n in range(1, len(lines)) if lines[n].rstrip() == "---"), 0)
    return "\n".join(lines[end + 1 :] if end else lines).strip("\n")


def second_block(node: Node) -> bool:
    """True when the body begins with another frontmatter block, as tools that stack them leave behind."""
    inner = parse_node(node.body)
    return inner.front is not None and "type" in inner.front.values


def parse_front(lines: list[str]) -> Frontmatter:
    """Return the values of a frontmatter block. hipo's own shapes are read here, anything else by PyYAML."""
    groups = _groups(lines)
    seen: set[str] = set()
    problems = []
    for key, _ in groups:
        if key is not None and key in seen:
            problems.append(f"the key {key!r} stands twice")
        seen.add(key or "")
    values: dict[str, object] = {}
    for key, group in groups:
        if key is None or key in values:
            continue
        quick = _quick_value(group)
        if quick is _SLOW:
            return Frontmatter(*_yaml_values(groups, problems))
        values[key] = quick
    return Frontmatter(values, groups, problems)


def render_node(front: Frontmatter | None, changes: Mapping[str, object], body: str) -> str:
    """Return a node file: the block with `changes` applied (None removes a key), a blank line, the body.

    Keys that stand keep their place, new ones follow in KEY_ORDER. A key that stands twice keeps its
    first place only when it is changed.
    """
    groups = list(front.groups) if front else []
    rest = {key: value for key, value in changes.items() if value is not None}
    out: list[str] = []
    for key, lines in groups:
        if key in rest:
            out += _render_key(key, rest.pop(key), _comment_of(lines))
            out += _trailing_comments(lines)
        elif key is None or key not in changes:
            out += lines
    for key in sorted(rest, key=_order):
        out += _render_key(key, rest[key], "")
    head = "\n".join(["---", *out, "---"])
    return f"{head}\n\n{body}\n" if body else f"{head}\n"


def hash_text(text: str) -> str:
    """Return `sha256:` and 16 hexadecimal digits of a text's UTF-8 bytes (surrogates as U+FFFD)."""
    from hashlib import sha256  # loads OpenSSL, 5 ms that reading alone must not pay

    return "sha256:" + sha256(text.encode("utf-8", "replace")).hexdigest()[:_HASH_CHARS]


class Cover(NamedTuple):
    """How far a node has taken in one raw log: so many lines, and the hash of those lines."""

    day: str
    lines: int
    hash: str

    def __str__(self) -> str:
        return f"{self.day} {self.lines} {self.hash}"

    def matches(self, log_lines: list[str]) -> bool:
        """Whether the covered lines still stand unchanged at the beginning of the log."""
        return len(log_lines) >= self.lines and hash_text("\n".join(log_lines[: self.lines])) == self.hash


def cover_of(day: str, text: str) -> Cover:
    """Return the cover of a whole raw log (plain text with `\\n`)."""
    lines = split_lines(text)
    return Cover(day, len(lines), hash_text("\n".join(lines)))


def parse_covers(items: list[str]) -> dict[str, Cover]:
    """Return the covers of a node by day; items of another shape are passed over."""
    covers = {}
    for item in items:
        parts = item.split()
        if len(parts) == 3 and parts[1].isdecimal():
            covers[parts[0]] = Cover(parts[0], int(parts[1]), parts[2])
    return covers


def as_list(value: object) -> list[str]:
    """Return a frontmatter value as a list of texts: lists, one text with commas, or nothing."""
    if value is None:
        return []
    if isinstance(value, list):
        return [str(item) for item in value if item is not None and not isinstance(item, dict | list)]
    text = str(value).strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return [part.strip().strip("\"'") for part in re.split(r",\s*(?![^\[]*\])", text) if part.strip()]


def node_defaults(level: Level, name: str) -> dict[str, object]:
    """Return the frontmatter that a node of this level and name always has."""
    return {"type": str(level), "period": name}


# --- patterns, compiled when they are first used: a session's start reads frontmatter without them ---


@cache
def _key_line() -> re.Pattern[str]:
    """A top-level key, quoted or plain, and what follows its colon."""
    quoted = r"""(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'"""
    bare = r"""|([^\s#"'\[\]{},&*!|>%@`:-][^:#]*|-[^\s:][^:#]*))"""
    return re.compile(quoted + bare + r"\s*:(?:\s+(.*)|\s*)$")


@cache
def _unsafe() -> re.Pattern[str]:
    """Characters that a double-quoted YAML text must escape."""
    return re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


# --- reading -------------------------------------------------------------------------------------

_SLOW = object()
_DIGITS = str.maketrans("123456789", "000000000")
_DATES = frozenset(("0000-00", "0000-00-00", "0000-00-00 to 0000-00-00", "0000-W00"))


def _groups(lines: list[str]) -> list[tuple[str | None, list[str]]]:
    groups: list[tuple[str | None, list[str]]] = []
    for line in lines:
        found = _key_and_value(line) if line[:1] not in ("", " ", "\t", "#", "-") else None
        if found:
            groups.append((found[0], [line]))
        elif groups and line.strip() and not line.startswith("#"):
            groups[-1][1].append(line)
        else:
            groups.append((None, [line]))
    return groups


def _key_and_value(line: str) -> tuple[str, str] | None:
    """Return a top-level key and what follows its colon on the line; None for a line that begins with no key."""
    key, colon, rest = line.partition(":")
    if (
        colon and key.isascii() and key[:1].isalnum() and key.replace("-", "").isalnum()
    ):  # as hipo writes them
        return (key, rest.strip()) if not rest or rest[0].isspace() else None
    match = _key_line().match(line)
    if match is None:
        return None
    double, single, bare, text = match.groups()
    name = double if double is not None else single if single is not None else bare.strip()
    return name, (text or "").strip()


def _quick_value(group: list[str]) -> object:
    """The value of a key written in hipo's own shapes; _SLOW for everything else."""
    found = _key_and_value(group[0])
    text = found[1] if found else ""
    if len(group) > 1 or not text:
        return _SLOW if len(group) > 1 else None
    if text[0] == '"' or text[0] == "[":
        try:
            value = json.loads(text)
        except ValueError:
            return _bare_list(text)
        return value if isinstance(value, str) or _all_text(value) else _SLOW
    if (_is_plain_word(text) and text.lower() not in _AMBIGUOUS) or text.translate(_DIGITS) in _DATES:
        return text
    return _SLOW


def _all_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _bare_list(text: str) -> object:
    """`[memory/2026-03-15.md, 2026-W10]`: a flow list of plain words, as source-files and weeks are written."""
    if not text.endswith("]"):
        return _SLOW
    items = [item.strip() for item in text[1:-1].split(",")]
    if items == [""]:
        return []
    return items if all(re.fullmatch(r"[\w./-]+", item) for item in items) else _SLOW


def _yaml_values(
    groups: list[tuple[str | None, list[str]]], problems: list[str]
) -> tuple[dict[str, object], list[tuple[str | None, list[str]]], list[str]]:
    """Values by PyYAML, every scalar as the text that stands there, so that no topic becomes a number.

    When the block as a whole cannot be read, each key is read by itself: what is readable is used.
    """
    import yaml

    def load(lines: list[str]) -> dict[str, object] | None:
        loaded = yaml.load("\n".join(lines), Loader=yaml.BaseLoader)
        return loaded if isinstance(loaded, dict) else None

    try:
        whole = load([line for _, lines in groups for line in lines])
        if whole is not None:
            return {str(key): value for key, value in whole.items()}, groups, problems
        if not any(key for key, _ in groups):
            return {}, groups, [*problems, "no keys in the block"] if groups else problems
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        broken = str(error).split("\n")[0]
        values: dict[str, object] = {}
        for key, lines in groups:
            if key is None or key in values:
                continue
            try:
                one = load(lines)
                values[key] = one.get(key) if one else None
            except (yaml.YAMLError, RecursionError, ValueError):
                values[key] = _salvage(lines)
        harmless = bool(values) and all(key in ("topics",) for key in _unreadable(groups))
        return values, groups, problems if harmless else [*problems, f"YAML that cannot be read ({broken})"]
    return {}, groups, problems


def _unreadable(groups: list[tuple[str | None, list[str]]]) -> list[str]:
    import yaml

    bad = []
    for key, lines in groups:
        try:
            yaml.load("\n".join(lines), Loader=yaml.BaseLoader)
        except (yaml.YAMLError, RecursionError, ValueError):
            bad.append(key or "")
    return bad


def _salvage(lines: list[str]) -> object:
    """The text behind the colon of a key whose value is no YAML, as in `topics: [auth [project], tz [user]]`."""
    found = _key_and_value(lines[0])
    text = " ".join([found[1] if found else "", *(line.strip() for line in lines[1:])]).strip()
    if text.startswith("[") and text.endswith("]"):
        return [part.strip() for part in re.split(r",\s*(?![^\[]*\])", text[1:-1]) if part.strip()]
    return text


# --- writing -------------------------------------------------------------------------------------


def _order(key: str) -> tuple[int, str]:
    return (KEY_ORDER.index(key) if key in KEY_ORDER else len(KEY_ORDER), key)


def _render_key(key: str, value: object, comment: str) -> list[str]:
    if isinstance(value, list | tuple):
        shown = (
            "[" + ", ".join(_scalar(item, key == "source-files" or key == "weeks") for item in value) + "]"
        )
    elif key in ("last-updated", "dates"):
        shown = str(value)
    else:
        shown = _scalar(value, plain=True)
    return [f"{key}: {shown}{comment}"]


def _scalar(value: object, plain: bool) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if plain and (_is_plain_word(text) or re.fullmatch(r"[\w][\w./-]*\.md|\d{4}-W\d\d", text, re.ASCII)):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():  # what YAML cannot hold is never printable
        return quoted
    return _unsafe().sub(
        lambda m: f"\\u{ord(m[0]):04x}" if not 0xD800 <= ord(m[0]) < 0xE000 else "\ufffd", quoted
    )


def _is_plain_word(text: str) -> bool:
    """Whether a text is one word of ASCII letters, digits, `_` and `-` that begins with a letter."""
    return text.isascii() and text[:1].isalpha() and text.replace("-", "_").isidentifier()


def _comment_of(lines: list[str]) -> str:
    """A comment at the end of a key's line, with the space before it."""
    match = re.search(r"(\s+#\s.*)$", lines[0]) if '"' not in lines[0] and "'" not in lines[0] else None
    return match[1] if match else ""


def _trailing_comments(lines: list[str]) -> list[str]:
    return [line for line in lines[1:] if line.lstrip().startswith("#")]
