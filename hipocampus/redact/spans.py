"""Spans of secrets in a text, and the text with markers in their place."""

import re
from collections.abc import Iterable
from functools import cache

PRIVATE_KEY = "private-key"  # the one kind whose spans cover several lines


class Span:
    """Where a secret stands: `text[start:end]`, and its kind (`password`, `github-token`, …).

    A plain class, as all small types of this room: `typing` and `dataclasses` cost more to import than the room.
    """

    __slots__ = ("end", "kind", "start")

    def __init__(self, start: int, end: int, kind: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(r"\[REDACTED(?::[a-z0-9-]{1,40})?\]")


def merge_spans(spans: Iterable[Span], text: str) -> list[Span]:
    """Return the spans in order and without overlaps; the earliest, then longest, names the kind.

    Only private keys cover the ends of lines: whatever else is found goes line by line, so that no line
    is lost. Characters of markers that stand in `text` already belong to no span, so that a second pass
    finds nothing where the first one wrote.
    """
    merged: list[Span] = []
    lines = (line for span in spans for line in _lines_of(span, text))
    for span in sorted(lines, key=lambda each: (each.start, -each.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Span(last.start, max(last.end, span.end), last.kind)
        elif span.start < span.end:
            merged.append(span)
    return _outside_markers(merged, text) if "[REDACTED" in text else merged


def _lines_of(span: Span, text: str) -> list[Span]:
    """Return the parts of a span that stand on lines of their own; a private key's block stays one."""
    if span.kind == PRIVATE_KEY or text.find("\n", span.start, span.end) < 0:
        return [span]
    return [
        Span(span.start + part.start(), span.start + part.end(), span.kind)
        for part in re.finditer(r"\S(?:[^\n]*\S)?", text[span.start : span.end])
    ]


def replace_spans(text: str, spans: list[Span], counts: dict[str, int]) -> str:
    """Return `text` with a marker for each span, and add the spans to `counts`, by kind."""
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += (text[at : span.start], f"[REDACTED:{span.kind}]")
        at = span.end
        counts[span.kind] = counts.get(span.kind, 0) + 1
    parts.append(text[at:])
    return "".join(parts)


def _outside_markers(spans: list[Span], text: str) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        at = span.start
        pieces = []
        for marker in _marker().finditer(text, max(0, span.start - 60)):
            if marker.start() >= span.end:
                break
            if marker.end() > at:
                pieces.append(Span(at, max(at, marker.start()), span.kind))
                at = marker.end()
        pieces.append(Span(at, span.end, span.kind))
        touched = len(pieces) > 1
        kept += [
            p for p in pieces if p.start < p.end and (not touched or _worth_hiding(text[p.start : p.end]))
        ]
    return kept


def _worth_hiding(piece: str) -> bool:
    """Tell whether what a marker leaves of a span still holds six letters or digits in one word."""
    return any(sum(char.isascii() and char.isalnum() for char in word) >= 6 for word in piece.split())
