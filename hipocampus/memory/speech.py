"""Who says what in a conversation log: speaker turns, and the sentences inside them.

Pure. The recall index, the summaries and ROOT.md read conversations through this module, so that a
turn is the same thing everywhere. What a sentence is worth is judged in `facts.py`.
"""

import re
from functools import cache
from typing import NamedTuple

PERSON = "person"
ASSISTANT = "assistant"
OTHER = "other"

_PERSON_NAMES = frozenset(
    "user human me you customer 사용자 유저 나 사람 ユーザー ユーザ 私 用户 用戶 使用者 我".split()
)
_ASSISTANT_NAMES = frozenset(
    "assistant ai bot agent model claude chatgpt gpt codex gemini copilot opencode cursor "
    "어시스턴트 비서 도우미 アシスタント 助手 助理".split()
)
# Words before a colon that label a line and name nobody, in sections that have no `User:`.
_LABELS = frozenset(
    "note notes date session time url link error warning todo example files file summary request subject "
    "analysis decision decisions outcome references reference rule why goal status next result results "
    "from to cc re title topic type fixme step steps input output usage answer question hint tip tips "
    "session-date 메모 날짜 요약 注意 日付 备注".split()
)


class Turn(NamedTuple):
    """One contribution of one speaker. `text` has no label; lines are 1-based and inclusive."""

    speaker: str
    role: str
    text: str
    line_start: int
    line_end: int


@cache
def _roles_pattern() -> re.Pattern[str]:
    names = "|".join(sorted(_PERSON_NAMES | _ASSISTANT_NAMES, key=len, reverse=True))
    return re.compile(
        rf"^(?:\*\*)?({names})(?:(?:\*\*:|:(?:\*\*)?)(?:[ \t]+|$)|(?:\*\*：|：(?:\*\*)?)[ \t]*)", re.I | re.M
    )


@cache
def _names_pattern() -> re.Pattern[str]:
    return re.compile(
        r"^(?:\*\*)?([^\W\d_a-z][\w.'’-]{0,24}(?: [^\W\d_a-z][\w.'’-]{0,24}){0,2})(?:\*\*[:：]|[:：](?:\*\*)?)[ \t]+(?=\S)",
        re.M,
    )


def role_of(speaker: str) -> str:
    """Return "person", "assistant" or "other" for the name before the colon."""
    name = speaker.casefold()
    if name in _PERSON_NAMES:
        return PERSON
    return ASSISTANT if name in _ASSISTANT_NAMES else OTHER


def _marks(text: str) -> list[re.Match[str]]:
    """Where turns begin: `User:` and `Assistant:` lines; names only in text where no person is marked."""
    if not any(line[:1].isalnum() or line[:2] == "**" for line in text.split("\n")):
        return []  # bullets and headings alone: no line begins with a name
    marks = list(_roles_pattern().finditer(text))
    if any(m[1].casefold() in _PERSON_NAMES for m in marks):
        return marks
    named = [m for m in _names_pattern().finditer(text) if m[1].split()[0].casefold() not in _LABELS]
    counts: dict[str, int] = {}
    for m in named:
        counts[m[1]] = counts.get(m[1], 0) + 1
    # One `Berlin: rainy` makes no conversation; a name that comes back does.
    if max(counts.values(), default=0) < 2:
        return marks
    starts = {m.start() for m in named}
    return sorted([*named, *(m for m in marks if m.start() not in starts)], key=re.Match.start)


def is_talk(text: str) -> bool:
    """Whether anybody is named in the text as a speaker."""
    return bool(_marks(text))


def turns(text: str, first_line: int = 1) -> list[Turn]:
    """Return the turns of `text` in order; text before the first speaker is a turn of "" (role "other").

    `first_line` is the number of the first line of `text` in its file. Text without speakers is one
    turn of "". Blank text gives none.
    """
    marks = _marks(text)
    found: list[Turn] = []
    line = first_line
    at = 0
    ends = [m.start() for m in marks[1:]] + [len(text)]
    if not marks or marks[0].start() > 0:
        head = text[: marks[0].start()] if marks else text
        if head.strip():
            found.append(_turn("", OTHER, head, line))
        line += head.count("\n")
        at = len(head)
    for mark, end in zip(marks, ends, strict=False):
        at = mark.end()
        body = text[at:end]
        found.append(_turn(mark[1], role_of(mark[1]), body, line))
        line += body.count("\n") + text.count("\n", mark.start(), at)
    return found


def _turn(speaker: str, role: str, body: str, line: int) -> Turn:
    """Make a turn of the lines of `body`, blank lines at either end left out of its text and range."""
    lead = len(body) - len(body.lstrip("\n"))
    text = body.strip("\n")
    skipped = 0 if speaker else lead
    return Turn(speaker, role, text.strip(), line + skipped, line + lead + text.count("\n"))


@cache
def _unit() -> re.Pattern[str]:
    return re.compile(r"^(?:[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+|[ \t]*\n)", re.M)


def units(text: str, first_line: int = 1, limit: int = 500) -> list[Turn]:
    """Return the pieces that are found and shown as one: turns, and in text without speakers list items
    and paragraphs. A piece over `limit` characters is cut at line ends, else at sentence ends.
    """
    found: list[Turn] = []
    for turn in turns(text, first_line):
        pieces = [turn] if turn.speaker else _paragraphs(turn)
        for piece in pieces:
            if len(piece.text) <= limit:
                found.append(piece)
            else:
                found.extend(_cut(piece, limit))
    return found


def _paragraphs(turn: Turn) -> list[Turn]:
    """Cut text without a speaker at list items and blank lines."""
    found: list[Turn] = []
    start = 0
    lines = turn.text.split("\n")
    begins = _unit().match
    for number in range(1, len(lines) + 1):
        if number < len(lines) and not begins(lines[number] + "\n"):
            continue
        piece = "\n".join(lines[start:number]).strip()
        if piece:
            first = start + next(i for i, line in enumerate(lines[start:]) if line.strip())
            found.append(
                turn._replace(
                    text=piece,
                    line_start=turn.line_start + first,
                    line_end=turn.line_start + first + piece.count("\n"),
                )
            )
        start = number
    return found


def _cut(turn: Turn, limit: int) -> list[Turn]:
    """Cut a long turn into pieces of at most `limit` characters, with the lines each one stands on."""
    found: list[Turn] = []
    held, first, last = "", turn.line_start, turn.line_start
    for number, line in enumerate(turn.text.split("\n"), turn.line_start):
        parts = [line] if len(line) <= limit else _hard_cut(line, limit)
        for part in parts:
            if held and len(held) + len(part) + 1 > limit:
                found.append(turn._replace(text=held.strip(), line_start=first, line_end=last))
                held = ""
            if not held:
                first = number
            glue = "" if not held else ("\n" if number > last else " ")
            held = held + glue + part
            last = number
    if held.strip():
        found.append(turn._replace(text=held.strip(), line_start=first, line_end=last))
    return [piece for piece in found if piece.text]


def _hard_cut(line: str, limit: int) -> list[str]:
    """Cut one line at sentence ends, then at spaces, then anywhere: no piece is longer than `limit`."""
    pieces: list[str] = []
    for sentence in sentences(line):
        while len(sentence) > limit:
            at = sentence.rfind(" ", limit // 2, limit)
            at = at if at > 0 else limit
            pieces.append(sentence[:at].strip())
            sentence = sentence[at:].strip()
        if sentence:
            pieces.append(sentence)
    return pieces


@cache
def _end() -> re.Pattern[str]:
    """An end mark, closing quotes, then space and something that is not lower case; or a mark of Chinese and
    Japanese, which needs no space; or a line end."""
    return re.compile(
        r"(?<=[.!?…])[\"'”’)\]*]*\s+(?=[^\sa-z])|(?<=[。！？])[」』”’）]*\s*(?=[^\s」』”’）])|\s*\n+\s*"
    )


@cache
def _abbreviation() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b(?:Dr|Mr|Mrs|Ms|St|vs|Prof|Inc|No|Jr|Sr|approx|e\.g|i\.e|cf|ca|al|Mt|Ave)\.|(?:^|\s)[A-Z]\.|(?:^|\s)\d{1,2}\.)$"
    )


def sentences(text: str) -> list[str]:
    """Return the sentences of `text` in order, stripped; line ends end a sentence."""
    found: list[str] = []
    at = 0
    for match in _end().finditer(text):
        sentence = text[at : match.start()]
        if "\n" not in match[0] and sentence.endswith(".") and _abbreviation().search(sentence[-8:]):
            continue
        closing = match[0].rstrip()
        sentence = (sentence + closing if closing and "\n" not in closing else sentence).strip()
        if sentence:
            found.append(sentence)
        at = match.end()
    tail = text[at:].strip()
    if tail:
        found.append(tail)
    return found
