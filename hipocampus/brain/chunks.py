"""Cut a document into overlapping chunks, at paragraph, line, sentence or word. Pure."""

from typing import NamedTuple

from hipocampus.brain.cap import cut_point, grapheme_end

CHUNK_CHARS = 1000
OVERLAP_CHARS = 200


class Chunk(NamedTuple):
    """A piece of a text: `text[start:end]`, and its first and last line (1-based)."""

    start: int
    end: int
    line_start: int
    line_end: int


def chunks(text: str, size: int = CHUNK_CHARS, overlap: int = OVERLAP_CHARS) -> list[Chunk]:
    """Return the chunks of a text in order: at most `size` characters each, each beginning at most `overlap`
    characters before the end of the one before it. Together they cover the whole text; "" has none."""
    found: list[Chunk] = []
    start = covered = 0
    while covered < len(text):
        end = start + _length(text[start:], size)
        if end <= covered:  # the overlap left no room for anything new
            start = covered
            end = start + _length(text[start:], size)
        first = text.count("\n", 0, start) + 1
        found.append(Chunk(start, end, first, first + text[start:end].rstrip("\n").count("\n")))
        covered = end
        start = _begin(text, start, end, overlap)
    return found


def _length(text: str, size: int) -> int:
    if len(text) <= size:
        return len(text)
    return cut_point(text, size)[0] or size  # one character of a thousand marks is cut all the same


def _begin(text: str, start: int, end: int, overlap: int) -> int:
    """Where the next chunk begins: at a line or word inside the overlap, always further than this one."""
    low = max(start + 1, end - overlap)
    for mark in ("\n\n", "\n", " "):
        at = text.find(mark, low, end)
        if at >= 0 and at + len(mark) < end:
            return at + len(mark)
    while low < end and grapheme_end(text, low) != low:
        low += 1
    return low
