"""Fit text to characters: whole items first, else a cut where reading may stop. Pure.

A cap is hard and counts characters (`len(str)`). A cut never breaks what a person sees as one character,
and never leaves a code fence open.
"""

import re
import unicodedata
from functools import cache

from hipocampus.memory.entries import open_fence

ELLIPSIS = "…"
LONGEST_FENCE = 12  # of a fence around somebody's text; longer runs inside the text are broken up


def clip(text: str, cap_chars: int) -> str:
    """Return text of at most `cap_chars`, whole where it fits.

    Else it is cut at a paragraph, line, sentence or word, in this order of preference, each where that keeps at
    least half; then an ellipsis, and the fence that the cut left open. "" where not even that has room.
    """
    if len(text) <= cap_chars:
        return text
    room = cap_chars - len(ELLIPSIS)
    while room > 0:
        end, lead = cut_point(text, room)
        kept = text[:end].rstrip()
        if not kept:
            return ""
        fence = open_fence(kept.split("\n"))
        shown = f"{kept}\n{ELLIPSIS}\n{fence}" if fence else f"{kept}{lead}{ELLIPSIS}"
        if len(shown) <= cap_chars:
            return shown
        room = min(room - 1, len(kept) - (len(shown) - cap_chars))
    return ""


def cut_point(text: str, room: int) -> tuple[int, str]:
    """Return where to cut so that at most `room` characters stand before, and what leads to an ellipsis there."""
    head = text[:room]
    least = room // 2
    if (at := head.rfind("\n\n")) >= least:
        return at, "\n"
    if text[room : room + 1] == "\n" and room > 1:
        return grapheme_end(text, room), ""
    if (at := head.rfind("\n")) >= least:
        return at, "\n" if at + 2 <= room else ""
    ends = [m.end() for m in _sentence_end().finditer(text, least, min(len(text), room + 1))]
    if ends and (at := grapheme_end(text, min(ends[-1], room))) > least:
        return at, " " if at < room else ""
    if (at := max(head.rfind(" "), head.rfind("\t"))) >= least:
        return at, ""
    return grapheme_end(text, room), ""


def cut_words(text: str, cap_chars: int) -> str:
    """Return the first `cap_chars` characters at most, cut at a word, without an ellipsis."""
    if len(text) <= cap_chars:
        return text
    if text[cap_chars].isspace():
        return text[:cap_chars].rstrip()
    at = max(text.rfind(" ", 0, cap_chars), text.rfind("\n", 0, cap_chars))
    return text[: at if at > cap_chars // 2 else grapheme_end(text, cap_chars)].rstrip()


def grapheme_end(text: str, end: int) -> int:
    """Return the last position at or before `end` that lies between two characters as a person sees them."""
    while 0 < end < len(text) and _is_joined(text, end):
        end -= 1
    return end


@cache
def _sentence_end() -> re.Pattern[str]:
    return re.compile(r"""[.!?…]+["'”’)\]]*(?=\s)|[。！？．]+["'”’）」』】]*""")


def _is_joined(text: str, at: int) -> bool:
    """Whether the characters before and at a position are one for a reader (UAX 29, the rules that matter)."""
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return before == "\r" and after == "\n"
    if _extends(after):
        return before != "\n"
    if before == "\u200d":  # a joiner glues whatever follows
        return True
    if unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo":
        return True  # a virama makes a conjunct with the next consonant
    if _is_flag(before) and _is_flag(after):
        start = at
        while start > 0 and _is_flag(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    return _joined_jamo(before, after)


def _extends(char: str) -> bool:
    return (
        char in "\u200c\u200d\uff9e\uff9f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
    )


def _is_flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _joined_jamo(before: str, after: str) -> bool:
    left, right = _jamo(before), _jamo(after)
    if left == "L":
        return right in ("L", "V", "S")
    if left in ("V", "S"):  # S: a syllable; one that has its final consonant takes only another
        closed = left == "S" and (ord(before) - 0xAC00) % 28 != 0
        return right == "T" or (right == "V" and not closed)
    return left == "T" and right == "T"


def _jamo(char: str) -> str:
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb":
        return "T"
    return "S" if "\uac00" <= char <= "\ud7a3" else ""


def fenced(text: str, cap_chars: int | None = None) -> str:
    """Return text inside a code fence that it cannot close, cut to fit where there is a cap; "" when it cannot."""
    text = re.sub(rf"~{{{LONGEST_FENCE},}}", "~" * (LONGEST_FENCE - 1), text).strip("\n")
    longest = max((len(run) for run in re.findall(r"~{3,}", text)), default=2)
    fence = "~" * (longest + 1)
    around = 2 * len(fence) + 2
    if cap_chars is not None and len(text) > cap_chars - around:
        text = clip(text, cap_chars - around)
        if not text.strip(f"{ELLIPSIS}~` \n"):
            return ""
    return f"{fence}\n{text}\n{fence}"
