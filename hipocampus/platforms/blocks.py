"""Marked blocks in files that belong to people: put in, brought up to date, taken out again. Pure.

A block is set off by one blank line from what stands before it. Taking it out gives back every byte that
was there: a file without a newline at its end gets none behind the block either, which is how the removal
knows.
"""

from typing import NamedTuple


class Marks(NamedTuple):
    """The lines around a block."""

    start: str
    end: str


MARKDOWN = Marks("<!-- hipo:start -->", "<!-- hipo:end -->")
HASH = Marks("# hipo:start", "# hipo:end")


class BrokenBlock(ValueError):
    """A block's beginning or end is missing, or it stands there twice: a person has to look at it."""


def put(data: bytes | None, text: str, marks: Marks) -> bytes:
    """Return a file's bytes with the block in it: in place of the old one, else at the end.

    `data` is None where there is no file: then the block begins it. BrokenBlock when the marks do not pair.
    """
    span = _span(data, marks) if data else None
    if data is not None and span is not None:
        block = _block(text, marks, _newline_of(data, span, marks))
        return data[: span[0]] + block + data[span[1] :]
    newline = b"\r\n" if data and b"\r\n" in data else b"\n"
    block = _block(text, marks, newline)
    if data is None:
        return block + newline
    if data.endswith(b"\n") or not data:
        return data + newline + block + newline
    return data + newline * 2 + block


def take_out(data: bytes, marks: Marks) -> bytes | None:
    """Return a file's bytes without the block; None when nothing but the block was there (hipo made it)."""
    span = _span(data, marks)
    if span is None:
        return data
    start, end = span
    newline = _newline_of(data, span, marks)
    head, tail = data[:start], data[end:]
    if not head and tail in (b"", newline):
        return None
    if not head:
        return tail.removeprefix(newline)
    if not tail and head.endswith(newline * 2):  # the file had no newline at its end
        return head[: -2 * len(newline)]
    return head.removesuffix(newline) + tail.removeprefix(newline)


def read(data: bytes | None, marks: Marks) -> str | None:
    """Return the text of the block in a file, None when it has none."""
    span = _span(data, marks) if data else None
    if data is None or span is None:
        return None
    inner = data[span[0] : span[1]].decode("utf-8", "replace").replace("\r\n", "\n")
    return inner[len(marks.start) + 1 : -len(marks.end) - 1]


def _newline_of(data: bytes, span: tuple[int, int], marks: Marks) -> bytes:
    """The line end that the block itself was written with."""
    return b"\r\n" if data[span[0] + len(marks.start) :].startswith(b"\r\n") else b"\n"


def _block(text: str, marks: Marks, newline: bytes) -> bytes:
    whole = f"{marks.start}\n{text.strip()}\n{marks.end}".encode()
    return whole if newline == b"\n" else whole.replace(b"\n", newline)


def _span(data: bytes, marks: Marks) -> tuple[int, int] | None:
    """Where the block stands, from the first byte of its first mark to the last of its second one."""
    starts, ends = _lines(data, marks.start), _lines(data, marks.end)
    if not starts and not ends:
        return None
    if len(starts) != 1 or len(ends) != 1 or starts[0] > ends[0]:
        raise BrokenBlock(f"the marks {marks.start} and {marks.end} do not pair")
    return starts[0], ends[0] + len(marks.end)


def _lines(data: bytes, mark: str) -> list[int]:
    """Positions of the lines that are the mark and nothing else."""
    found, at, wanted = [], 0, mark.encode()
    for line in data.split(b"\n"):
        bare = line.removeprefix(b"\xef\xbb\xbf") if at == 0 else line
        if bare.rstrip(b"\r \t") == wanted:
            found.append(at + len(line) - len(bare))
        at += len(line) + 1
    return found
