"""Drop what people marked as private: `<private>…</private>`."""

import re
from functools import cache


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(r"<\s{0,8}(/?)\s{0,8}private(?:\s[^<>\n]{0,200})?>", re.IGNORECASE)


def strip_private(text: str) -> tuple[str, int]:
    """Return `text` without its private blocks, and how many lines lost text.

    Blocks may nest and span lines; one that is never closed runs to the end of the text. A line
    that held nothing but private text goes as a whole, so that no hole is left behind.
    A closing tag without an opening one is only a word and stays.
    """
    if "private" not in text.lower():
        return text, 0
    pieces: list[str] = []
    dropped = kept_to = opened_at = depth = 0
    for tag in _tag().finditer(text):
        if not tag[1]:
            if depth == 0:
                opened_at = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kept_to, lines = _drop(text, kept_to, opened_at, tag.end(), pieces)
                dropped += lines
    if depth:
        kept_to, lines = _drop(text, kept_to, opened_at, len(text), pieces)
        dropped += lines
    pieces.append(text[kept_to:])
    return "".join(pieces), dropped


def _drop(text: str, kept_to: int, start: int, end: int, pieces: list[str]) -> tuple[int, int]:
    """Keep the text before `start`, return where it goes on and the number of lines in between."""
    lines = text.count("\n", start, end) + 1
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    rest = text[end:] if line_end < 0 else text[end:line_end]
    before = text[max(line_start, kept_to) : start]
    alone = not before.strip() and not rest.strip() and line_start >= kept_to
    if alone:
        start, end = max(line_start, kept_to), len(text) if line_end < 0 else line_end + 1
    pieces.append(text[kept_to:start])
    return end, lines
