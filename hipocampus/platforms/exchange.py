"""An exchange between a person and an agent as the body of an entry: who said what, within limits. Pure.

Short exchanges stay whole. When one is too long for an entry, long messages keep their beginning and
their end, steps between an agent's tool calls go first, and what is left out is counted.
"""

from typing import NamedTuple

from hipocampus.memory.entries import open_fence
from hipocampus.memory.store import add_counts, clean
from hipocampus.platforms.transcripts.reading import ASSISTANT, USER, Message
from hipocampus.session.worth import shrink

ENTRY_CHARS = 32_000  # of one entry; a day of ten long sessions stays readable
INPUT_CHARS = 60_000  # of one message that are looked at; the rest is a pasted document
KEPT_FIRST = 4  # messages that stay whatever the budget: how it began …
KEPT_LAST = 40  # … and where it stands


class Limits(NamedTuple):
    """Characters that a message may keep. A step is an agent's message that another one of it follows."""

    user: int
    assistant: int
    step: int


# Tried in this order until the exchange fits into an entry.
LEVELS = (Limits(4000, 3000, 1500), Limits(1500, 1200, 300), Limits(700, 500, 0), Limits(300, 240, 0))
_LABEL = {USER: "User", ASSISTANT: "Assistant"}


class Said(NamedTuple):
    """A message as it may be stored."""

    role: str
    text: str
    redacted: dict[str, int]
    private_lines: int


class Body(NamedTuple):
    """The body of an entry, and how many messages it does not show."""

    text: str
    left_out: int


def prepare(message: Message) -> Said | None:
    """Return a message without secrets, private blocks, long code and logs; None when nothing is left.

    Secrets go before anything is cut: half a token is not recognised any more.
    """
    cleaned = clean(bounded(message).text)
    text, _ = shrink(cleaned.text.strip())
    text = _cut(text, LEVELS[0].user if message.role == USER else LEVELS[0].assistant)
    if not text.strip():
        return None
    return Said(message.role, text, cleaned.redacted, cleaned.private_lines)


def compose(said: list[Said], unseen: int = 0) -> Body:
    """Return the exchange as turns (`User: …`, `Assistant: …`) of at most ENTRY_CHARS characters.

    `unseen` messages between its beginning and its end were too many to look at; they are counted.
    """
    body = _fitted(said)
    if not unseen:
        return body
    return Body(
        f"{body.text}\n\n({unseen:,} more messages are in the transcript only)", body.left_out + unseen
    )


def _fitted(said: list[Said]) -> Body:
    for limits in LEVELS:
        body = _body(said, limits, range(len(said)))
        if len(body.text) <= ENTRY_CHARS:
            return body
    return _body(said, LEVELS[-1], _chosen(said, LEVELS[-1]))


def redacted(said: list[Said]) -> dict[str, int]:
    """Return what was taken out of the messages, by kind."""
    return add_counts(*(one.redacted for one in said))


def bounded(message: Message) -> Message:
    """Return a message of at most about INPUT_CHARS characters: its beginning and its end."""
    if len(message.text) <= INPUT_CHARS:
        return message
    from hipocampus.redact import strip_private

    text, _ = strip_private(message.text)  # before the cut, which could part a block from its end
    if len(text) <= INPUT_CHARS:
        return message._replace(text=text)
    head = text[: INPUT_CHARS * 3 // 5]
    tail = text[-INPUT_CHARS * 3 // 10 :]
    # A line that the cut went through may hold half a secret.
    head, tail = head[: head.rfind("\n") + 1] or head[:-200], tail[tail.find("\n") + 1 :]
    left_out = len(text) - len(head) - len(tail)
    return message._replace(text=f"{head}\n… ({left_out:,} characters left out)\n{tail}")


def _cut(text: str, limit: int) -> str:
    """Return a text of at most about `limit` characters: its beginning and its end, cut at words."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit * 3 // 5], text[-(limit * 2 // 5) :]
    head = head[: max(head.rfind("\n"), head.rfind(" "), limit // 3)].rstrip()
    start = min(n for n in (tail.find("\n"), tail.find(" "), limit // 5) if n >= 0)
    tail = tail[start:].strip()
    if fence := open_fence(head.split("\n")):
        head = f"{head}\n{fence}"
    return f"{head}\n… ({len(text) - len(head) - len(tail):,} characters left out)\n{tail}"


def _body(said: list[Said], limits: Limits, chosen: range | list[int]) -> Body:
    turns: list[str] = []
    role, held, left_out = "", list[str](), 0
    steps = 0
    last = -1
    for index in chosen:
        one = said[index]
        gap = index - last - 1
        last = index
        limit = _limit(said, index, limits)
        if gap:
            left_out += gap
            _close(turns, role, held)
            role, held = "", []
            turns.append(f"(… {gap} messages left out)")
        if limit == 0:
            steps += 1
            continue
        if one.role != role:
            _close(turns, role, held)
            role, held = one.role, []
        held.append(_guarded(_cut(one.text, limit)))
    _close(turns, role, held)
    if steps:
        turns.append(f"({steps} steps of the agent left out)")
    return Body("\n\n".join(turns), left_out + steps)


def _close(turns: list[str], role: str, held: list[str]) -> None:
    if held:
        turns.append(f"{_LABEL[role]}: " + "\n\n".join(held))


def _limit(said: list[Said], index: int, limits: Limits) -> int:
    if said[index].role == USER:
        return limits.user
    is_step = index + 1 < len(said) and said[index + 1].role == ASSISTANT
    return limits.step if is_step else limits.assistant


def _guarded(text: str) -> str:
    """Return a message in which no line reads like the beginning of another speaker's turn."""
    from hipocampus.memory.speech import OTHER, role_of

    lines = text.split("\n")
    for number, line in enumerate(lines):
        name, colon, _ = line.replace("：", ":", 1).partition(":")
        if colon and len(name) < 30 and role_of(name.strip("* ")) != OTHER:
            lines[number] = f"  {line}" if number else line
    if fence := open_fence(lines):
        lines.append(fence)
    return "\n".join(lines)


def _chosen(said: list[Said], limits: Limits) -> list[int]:
    """The messages of a very long exchange that are worth their place, in order."""
    from hipocampus.memory.facts import decision_score, fact_score
    from hipocampus.memory.speech import sentences

    def worth(index: int) -> float:
        if said[index].role != USER:
            return 0.0
        return max((max(fact_score(s), decision_score(s)) for s in sentences(said[index].text)), default=0.0)

    last = range(max(KEPT_FIRST, len(said) - KEPT_LAST), len(said))
    kept = {*range(min(KEPT_FIRST, len(said))), *last}
    room = ENTRY_CHARS - sum(min(len(said[n].text), _limit(said, n, limits)) + 80 for n in kept)
    scores = {n: worth(n) for n in range(len(said)) if n not in kept and said[n].role == USER}
    for index in sorted(scores, key=lambda n: (-scores[n], -n)):
        pair = {index, _answer_to(said, index)} - kept
        size = sum(min(len(said[n].text), _limit(said, n, limits)) + 90 for n in pair)  # with label and gap
        if size > room:
            break
        kept |= pair
        room -= size
    return sorted(kept)


def _answer_to(said: list[Said], index: int) -> int:
    """The agent's last message before the person speaks again; the person's own where there is none."""
    at = index + 1
    while at < len(said) and said[at].role == ASSISTANT:
        at += 1
    return at - 1
