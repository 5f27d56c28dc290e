"""Find secrets whose place in a document gives them away: Kubernetes Secrets, JSON web keys, registries' auths."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.headers import is_basic
from hipocampus.redact.judge import is_placeholder, is_reference
from hipocampus.redact.places import has_web_key, manifest_places, registry_places
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_REACH = 20_000  # characters on either side of `kind: Secret` that may belong to its document


@cache
def _kind() -> re.Pattern[str]:
    return re.compile(r"kind[\"']?[ \t]*:[ \t]*[\"']?Secret[\"']?(?=[ \t]*(?:[,}\r\n#]|$))")


@cache
def _data() -> re.Pattern[str]:
    return re.compile(r"^([^\S\n]*(?:[>|+#-][^\S\n]*)?)(?:stringData|data):[^\S\n]*\r?$", re.MULTILINE)


@cache
def _pair() -> re.Pattern[str]:
    return re.compile(
        r"[>|+#\s-]*[\"']?[\w./-]{1,120}[\"']?:[^\S\n]+([\"']?)([^\s\"'#|>][^\n\"'#]*?)\1[^\S\n]*(?:#[^\n]*)?\r?$"
    )


@cache
def _json_data() -> re.Pattern[str]:
    return re.compile(r"[\"'](?:stringData|data)[\"']\s{0,8}:\s{0,8}\{([^{}]{1,8000})\}")


@cache
def _json_value() -> re.Pattern[str]:
    return re.compile(r":\s{0,8}\"((?:[^\"\\\n]|\\.){4,4000})\"")


@cache
def _jwk() -> re.Pattern[str]:
    return re.compile(
        r"\"(?:d|p|q|dp|dq|qi|k)\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"([A-Za-z0-9_-]{16,1000})\\{0,3}\""
    )


@cache
def _auths() -> re.Pattern[str]:
    return re.compile(
        r"[\"_]auth(?:\\{0,3}\"\s{0,4}:\s{0,4}\\{0,3}\"|\s{0,2}=\s{0,2}\"?)([A-Za-z0-9+/_-]{8,2000}={0,2})"
    )


def find_manifests(scan: Scan) -> Iterator[Span]:
    """Yield the spans of values that their document declares secret."""
    text = scan.text
    done = 0
    for at in manifest_places(scan):
        match = _kind().search(text, max(0, at - 20), at + 12) if at >= done else None
        if not match:
            continue
        start, end = _document(text, match.start(), done)
        if end > done:
            yield from _yaml_values(text, start, end)
            yield from _json_values(text, start, end)
            done = end
    if has_web_key(scan):
        for match in _jwk().finditer(text):
            yield Span(match.start(1), match.end(1), "private-key")
    for at in registry_places(scan):
        match = _auths().match(text, at - 1)
        if match and is_basic(match[1]):
            yield Span(match.start(1), match.end(1), "registry-auth")


def _document(text: str, at: int, floor: int) -> tuple[int, int]:
    start = max(floor, at - _REACH, text.rfind("\n---", floor, at))
    end = text.find("\n---", at, at + _REACH)
    return start, end if end >= 0 else min(len(text), at + _REACH)


def _yaml_values(text: str, start: int, end: int) -> Iterator[Span]:
    for head in _data().finditer(text, start, end):
        indent = len(head[1].expandtabs())
        at = head.end() + 1
        block_indent = -1
        while at < end:
            line_end = text.find("\n", at, end)
            line_end = end if line_end < 0 else line_end
            line = text[at:line_end]
            own = len(line) - len(line.lstrip(" >|+#-"))
            if line.strip() and own <= indent:
                break
            yield from _yaml_line(line, at, block_indent, own)
            if line.strip() and (block_indent < 0 or own <= block_indent):
                block_indent = own if re.search(r":\s*[|>][+-]?\s*$", line) else -1
            at = line_end + 1


def _yaml_line(line: str, at: int, block_indent: int, own: int) -> Iterator[Span]:
    if 0 <= block_indent < own:
        start = at + len(line) - len(line.lstrip())
        yield Span(start, at + len(line.rstrip()), "kubernetes-secret")
        return
    pair = _pair().match(line)
    if (
        pair
        and len(pair[2]) >= 4
        and not is_reference(pair[2])
        and not pair[2].startswith(("[REDACTED", "<", "{"))
    ):
        yield Span(at + pair.start(2), at + pair.end(2), "kubernetes-secret")


def _json_values(text: str, start: int, end: int) -> Iterator[Span]:
    for block in _json_data().finditer(text, start, end):
        for value in _json_value().finditer(text, block.start(1), block.end(1)):
            if not is_reference(value[1]) and not is_placeholder(value[1]):
                yield Span(value.start(1), value.end(1), "kubernetes-secret")
