"""What comes behind the text of a raw log, so that what stands there keeps every byte. Pure."""

from hipocampus.files import decode, encode


def but_forgotten(texts: list[str], old: bytes) -> list[str]:
    """The entries that are to be written, without what was taken out of this log for good."""
    if b"<!-- forgotten " not in old:
        return texts
    from hipocampus.memory.tombstones import marks_in, without_forgotten

    marks = frozenset(marks_in(decode(old).split("\n")))
    return [kept for text in texts if (kept := without_forgotten(text, marks)) is not None]


def joined(old: bytes, title: str, text: str) -> tuple[bytes, int]:
    """Return a log's bytes with text added at the end, and the 1-based line on which the text begins.

    What stood there stays byte for byte; the text follows after one blank line, in the log's own newline
    style. A new log begins with its date as title.
    """
    newline = "\r\n" if b"\r\n" in old else "\n"
    if not old.strip(b"\xef\xbb\xbf \t\r\n"):
        lead = f"# {title}{newline}{newline}"
    elif not old.endswith(b"\n"):
        lead = newline * 2
    elif old.endswith((b"\n\n", b"\n\r\n")):
        lead = ""
    else:
        lead = newline
    if newline != "\n":
        text = text.replace("\n", newline)
    head = old + lead.encode()
    return head + encode(text), head.count(b"\n") + 1
