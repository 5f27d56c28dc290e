"""A conversation that no longer fits is handed over: into the raw log, and as a short note into the prompt."""

from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.brain.cap import clip
from hipocampus.brain.conversation import Turn, append_turn, read_turns, remove_turns
from hipocampus.brain.handoff import Handoff, make_handoff, remove_handoffs, write_handoff
from hipocampus.brain.prompt import ORDER, SEPARATOR, Ask, Material, Prompt, build, handoffs_wanted
from hipocampus.brain.sections import HANDOFF_CHARS, Section, fit_section
from hipocampus.brain.stores import HANDOFFS, ListStore
from hipocampus.brain.summarizer import ROLE
from hipocampus.clock import to_local
from hipocampus.compaction.conversation import conversation as conversation_items
from hipocampus.compaction.items import render_item
from hipocampus.compaction.model import Summarizer, accept_summary, summary_prompt
from hipocampus.errors import HipoError
from hipocampus.memory import speech
from hipocampus.memory.periods import Level
from hipocampus.memory.store import Draft, MemoryStore

SUMMARY = "Context overflow — conversation compressed"
BRAIN = "brain"  # who hands over, and whose inbox it is when no agent is named
NOTE_CHARS = 1300  # of the answer, so that it stands whole in the section of 1500
NOTE_LINES = 20
LEAST_NOTE_CHARS = 240  # of its section, heading and fence included
LAST_WORDS_CHARS = 240  # of the latest turn of each side, which no summary may lose


class HandedOver(NamedTuple):
    """Where the conversation went, and the note that stands for it."""

    note: Handoff
    place: str  # in the raw log
    turns: int
    problems: Sequence[str]


def overflow_prompt(ask: Ask, material: Material, note: Handoff | None, place: str, now: datetime) -> Prompt:
    """Return the prompt after an overflow: persona, hot files, the one note and the message.

    HipoError with the sizes when these do not fit under the threshold either.
    """
    parts = [part for part in material.parts if part.name == "hot"]
    small = build(ask, material._replace(parts=parts))
    room = ask.threshold - len(small.text) - len(SEPARATOR)
    if len(small.text) > ask.threshold or (note is not None and room < LEAST_NOTE_CHARS):
        sizes = ", ".join(f"{s.name} {s.chars}" for s in small.sections if s.text)
        raise HipoError(
            f"prompt: {len(small.text)} characters do not fit under overflowChars ({ask.threshold}): {sizes}",
            "shorten the message or the persona, leave out --hot, or raise brain.overflowChars",
        )
    if note is None:
        return small
    section = fit_section(handoffs_wanted([note], note.to_agent_id, place, now), min(room, HANDOFF_CHARS))
    return _with_section(ask, small, section)


def _with_section(ask: Ask, prompt: Prompt, section: Section) -> Prompt:
    sections = sorted([*prompt.sections, section], key=lambda one: ORDER.index(one.name))
    text = SEPARATOR.join(one.text for one in sections if one.text)
    return prompt._replace(text=text, sections=sections, overflow=len(text) > ask.threshold)


def hand_over(
    store: MemoryStore,
    lists: ListStore,
    conversation: str,
    agent: str,
    summarizer: Summarizer | None,
    *,
    now: datetime,
    today: date,
    zone: tzinfo | None,
) -> HandedOver | None:
    """Move a conversation into today's raw log and return the note that stands for it; None when it is empty.

    The turns leave their store only after they stand in the log. No lock is held while a model thinks.
    """
    problems: list[str] = []
    with store.lock():
        turns = read_turns(lists, conversation)
        if not turns:
            return None
        comment = f"{to_local(now, zone):%H:%M} conversation {conversation}, handed over"
        draft = Draft(f"Conversation {conversation}", "project", comment, spoken(turns))
        done = store.append_entries(today, [draft])
        if done.lines:
            problems += [f"{p.path}: {p.message}" for p in store.count(done.lines, 0)[1]]
        remove_turns(lists, conversation, turns)
    place = f"{today.isoformat()}:{done.line_start}-{done.line_end}"
    links = {"conversation_id": conversation, "raw_log": place}
    asked = write_handoff(lists, ROLE, BRAIN, SUMMARY, links, now).note
    text = _summary(summarizer, conversation, turns, today, done.line_start, problems)
    text = f"Earlier in conversation {conversation} ({len(turns)} turns → {place}):\n{text}"
    note, _ = make_handoff(agent, ROLE, text, links, now)
    lists.push(HANDOFFS, note.to_agent_id, [note.line])
    remove_handoffs(lists, ROLE, [asked])
    append_turn(
        lists, conversation, "assistant", f"{text}\n→ {place}", agent=ROLE, tags=["overflow"], now=now
    )
    return HandedOver(note, place, len(turns), problems)


def spoken(turns: Sequence[Turn]) -> str:
    """Return turns as a conversation in a raw log: `User:` and `Assistant:`, a blank line between them."""
    return "\n\n".join(f"{turn.role.capitalize()}: {turn.content.strip()}" for turn in turns)


def _summary(
    summarizer: Summarizer | None,
    conversation: str,
    turns: Sequence[Turn],
    today: date,
    line: int,
    problems: list[str],
) -> str:
    """What the summarizer answers, at most NOTE_CHARS long: the model's words where they may be taken."""
    if summarizer is not None:
        prompt = summary_prompt(
            Level.DAILY, f"{today} (conversation {conversation})", spoken(turns), [], NOTE_LINES
        )
        try:
            body, reason = accept_summary(summarizer.summarize(prompt), [], NOTE_LINES, [])
        except HipoError as error:
            body, reason = None, str(error)
        if body is not None:
            return clip(body, NOTE_CHARS)
        problems.append(f"overflow: the extractive summary stands; {reason}")
    return extract(conversation, turns, today, line)


def extract(conversation: str, turns: Sequence[Turn], today: date, line: int) -> str:
    """Return a short note about a conversation without a model: what matters, each line with its place, and
    the last words of both sides. `line` is that of its heading in the raw log."""
    day = today.isoformat()
    said = speech.turns(spoken(turns), line + 2)
    last = []
    for role in ("user", "assistant"):
        latest = next((turn for turn in reversed(turns) if turn.role == role), None)
        if latest is not None:
            last.append(f"Last {role}: {clip(' '.join(latest.content.split()), LAST_WORDS_CHARS)}")
    room = NOTE_CHARS - sum(len(text) + 1 for text in last)
    items = []
    if any(turn.role == speech.PERSON for turn in said):
        head = f"{day}:{line}"
        items = conversation_items(
            f"Conversation {conversation}", "project", said, lambda n: f"{day}:{n}", head
        )
    kept = []
    for item in items:
        shown = render_item(item)
        if len(shown) + 1 <= room:
            kept.append(shown)
            room -= len(shown) + 1
    return "\n".join([*last, *kept])
