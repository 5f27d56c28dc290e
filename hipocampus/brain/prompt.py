"""The assembled prompt: persona, hot files, snippets, handoffs, history and the message, under hard caps.

Looking changes nothing: neither notes nor turns are cleared here.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hipocampus.brain.cap import cut_words
from hipocampus.brain.sections import (
    HANDOFF_CHARS,
    HISTORY_CHARS,
    HOT_CHARS,
    RAG_CHARS,
    Item,
    Section,
    Wanted,
    age_of,
    days_ago,
    fit_section,
    share_out,
)
from hipocampus.errors import HipoError, UsageError
from hipocampus.files import read_text
from hipocampus.memory.store import MemoryStore, clean
from hipocampus.templates import template_text

if TYPE_CHECKING:
    from hipocampus.brain.conversation import Turn
    from hipocampus.brain.handoff import Handoff
    from hipocampus.brain.stores import ListStore
    from hipocampus.recall import Hit

QUERY_CHARS = 500
MOST_RESULTS = 20
SEPARATOR = "\n\n"
ORDER = ("persona", "hot", "rag", "handoffs", "history", "message")
KEPT_FIRST = ("handoffs", "history", "hot", "rag")  # who gets what the others leave of a smaller prompt
MEMORY_MODES = ("none", "self", "shared")

T = TypeVar("T")


class Ask(NamedTuple):
    """What a prompt is asked to hold."""

    message: str
    persona: str
    persona_source: str
    agent: str | None = None
    conversation: str | None = None
    memory: str = "none"  # one of MEMORY_MODES
    query: str | None = None  # None: taken from the message
    hot: bool = False
    max_chars: int | None = None  # of the printed prompt, its last newline included
    threshold: int = 24000  # characters from which a prompt overflows


class Part(NamedTuple):
    """A section that can be shortened: `fit(room)` returns it with at most `room` characters."""

    name: str
    cap: int
    fit: Callable[[int], Section]


class Material(NamedTuple):
    """Everything that a prompt may hold, unfitted, and what could not be had."""

    parts: Sequence[Part]
    notes: "Sequence[Handoff]"  # of the inbox, oldest first
    turns: "Sequence[Turn]"  # of the conversation, oldest first
    problems: Sequence[str]


class Prompt(NamedTuple):
    """A prompt as it goes out. `sections` are in the order in which they stand, empty ones included."""

    text: str
    sections: Sequence[Section]
    overflow: bool
    threshold: int
    problems: Sequence[str]

    def section(self, name: str) -> Section | None:
        return next((section for section in self.sections if section.name == name), None)


def memory_mode(mode: str | None, agent: str | None, conversation: str | None) -> str:
    """Return which memory a prompt takes: what was asked for, else what the other options make sense of."""
    if mode is not None:
        return mode
    return "shared" if agent else "self" if conversation else "none"


def read_persona(path: Path | None) -> tuple[str, str]:
    """Return the persona and where it comes from: a file, or the one that hipo ships."""
    if path is None:
        return template_text("persona.md"), "templates/persona.md"
    text = read_text(path)
    if text is None:
        raise UsageError(f"--persona {path}: there is no such file", "name a file, or leave the option out")
    return text, str(path)


def recall_query(ask: Ask) -> str:
    """Return what recall is asked. UsageError for an explicit query that is too long."""
    if ask.query is None:
        return cut_words(ask.message.strip(), QUERY_CHARS)
    return checked_query(ask.query)


def checked_query(query: str) -> str:
    if len(query) > QUERY_CHARS:
        raise UsageError(
            f"query: {len(query)} characters, at most {QUERY_CHARS} are allowed", "shorten it to what matters"
        )
    return query


def gather(store: MemoryStore, lists: "ListStore", ask: Ask, *, now: datetime, today: date) -> Material:
    """Read what the prompt may hold. A source that cannot be had is a problem, the others go on."""
    parts: list[Part] = []
    problems: list[str] = []
    query = recall_query(ask)
    if ask.hot:
        from hipocampus.brain.hotfiles import fit_hot, hot_texts

        texts = hot_texts(store)
        parts.append(Part("hot", HOT_CHARS, lambda room: fit_hot(texts, min(room, HOT_CHARS))))
    wanted = [_rag(store, query, today, problems)]
    notes: list[Handoff] = []
    turns: list[Turn] = []
    if ask.memory == "shared" and ask.agent:
        from hipocampus.brain.handoff import read_handoffs
        from hipocampus.brain.stores import HANDOFFS

        notes = _try(lambda: read_handoffs(lists, ask.agent or ""), "handoffs", problems)
        wanted.append(handoffs_wanted(notes, ask.agent, lists.place(HANDOFFS, ask.agent), now))
    if ask.memory in ("self", "shared") and ask.conversation:
        from hipocampus.brain.conversation import read_turns
        from hipocampus.brain.stores import CONVERSATIONS

        turns = _try(lambda: read_turns(lists, ask.conversation or ""), "history", problems)
        turns = turns[:-1] if _is_repeated(turns, ask.message) else turns
        wanted.append(_history(turns, lists.place(CONVERSATIONS, ask.conversation), now))
    parts += [_part(one) for one in wanted]
    return Material(parts, notes, turns, problems)


def _part(wanted: Wanted) -> Part:
    return Part(wanted.name, wanted.cap, lambda room: fit_section(wanted, room))


def _try(read: Callable[[], list[T]], name: str, problems: list[str]) -> list[T]:
    try:
        return read()
    except UsageError:
        raise
    except HipoError as error:
        problems.append(f"{name}: left out; {error}")
        return []


def _is_repeated(turns: "Sequence[Turn]", message: str) -> bool:
    """Whether the last turn is this message: stored before a call that failed."""
    return bool(turns) and turns[-1].role == "user" and turns[-1].content == clean(message.strip("\n")).text


def _rag(store: MemoryStore, query: str, today: date, problems: list[str]) -> Wanted:
    from hipocampus.recall import search

    items: list[Item] = []
    more = 0
    if query.strip():
        try:
            found = search(store.root, query, today=today, n=MOST_RESULTS)
            problems += found.problems
            items = _snippets(found.hits)
            more = len(found.hits) - len(items)
        except HipoError as error:
            problems.append(f"rag: left out; {error}")
    return Wanted("rag", "## Memory that fits the message (best first)", items, RAG_CHARS, more=more)


def _snippets(hits: Sequence["Hit"]) -> list[Item]:
    """Return the hits as items, as many as the cap could hold. What recall returns is clean."""
    items: list[Item] = []
    chars = 0
    for hit in hits:
        if chars > RAG_CHARS:
            break
        topic = "" if not hit.topic or hit.topic in hit.text else f"{hit.topic}\n"
        place = place_of(hit.path, hit.line_start, hit.line_end)
        head = " · ".join(filter(None, (place, days_ago(hit.age_days), *hit.warnings)))
        items.append(Item(head, topic + hit.text, hit.path))
        chars += len(head) + len(topic) + len(hit.text)
    return items


def place_of(path: str, line_start: int, line_end: int) -> str:
    """Return a place as `hipo show` takes it: `2026-03-15:40-60`, or a path with its lines."""
    name = path.removeprefix("memory/")
    short = name.removesuffix(".md") if len(name) == 13 and name[:4].isdigit() else path
    return f"{short}:{line_start}" if line_end <= line_start else f"{short}:{line_start}-{line_end}"


def handoffs_wanted(notes: "Sequence[Handoff]", agent: str, place: str, now: datetime) -> Wanted:
    """Return the section of an inbox: the newest notes first."""
    items = []
    for note in reversed(notes):
        head = " · ".join(
            filter(None, (f"from {_one_line(note.from_agent_id) or 'unknown'}", age_of(note.ts, now)))
        )
        items.append(Item(head, clean(handoff_text(note)).text, place))
    return Wanted("handoffs", f"## Handoffs to {agent} ({place}, newest first)", items, HANDOFF_CHARS)


def handoff_text(note: "Handoff") -> str:
    """Return what a note says: its summary and its links, a line each."""
    return "\n".join([note.summary, *(f"{key}: {value}" for key, value in note.links.items())])


def _history(turns: "Sequence[Turn]", place: str, now: datetime) -> Wanted:
    items = []
    for turn in reversed(turns):
        who = _one_line(turn.role) + (f" ({_one_line(turn.agent_id)})" if turn.agent_id else "")
        items.append(
            Item(" · ".join(filter(None, (who, age_of(turn.ts, now)))), clean(turn.content).text, place)
        )
    return Wanted("history", f"## Conversation so far ({place})", items, HISTORY_CHARS, in_time=True)


def _one_line(text: str) -> str:
    return " ".join(clean(text).text.split())[:60]


def build(ask: Ask, material: Material) -> Prompt:
    """Return the prompt: every section under its cap, and the whole under `max_chars` where one is given.

    Persona and message are never shortened. HipoError with their sizes when they alone do not fit.
    """
    persona = Section(
        "persona", ask.persona.strip("\n"), None, int(bool(ask.persona.strip())), 0, 0, (ask.persona_source,)
    )
    message = Section("message", message_text(ask.message), None, int(bool(ask.message)), 0, 0, ())
    fixed = [section for section in (persona, message) if section.text]
    if ask.max_chars is None:
        fitted = [part.fit(part.cap) for part in material.parts]
    else:
        room = ask.max_chars - 1 - len(SEPARATOR.join(section.text for section in fixed))
        if room < 0:
            raise HipoError(
                f"prompt: does not fit into {ask.max_chars} characters: persona {persona.chars}, message {message.chars}",
                "raise --max-chars, or shorten one of them",
            )
        fitted = _fit_into(material.parts, room)
    by_name = {section.name: section for section in (persona, message, *fitted)}
    sections = [by_name[name] for name in ORDER if name in by_name]
    text = SEPARATOR.join(section.text for section in sections if section.text)
    return Prompt(text, sections, len(text) > ask.threshold, ask.threshold, material.problems)


def message_text(message: str) -> str:
    """Return the message as its section shows it: the heading, then every line as it came."""
    return f"## Message\n{message.strip(chr(10))}" if message.strip() else ""


def _fit_into(parts: Sequence[Part], room: int) -> list[Section]:
    """Return the sections in `room` characters together, the separators before them included."""
    whole = [part.fit(part.cap) for part in parts]
    wants = [section.chars + len(SEPARATOR) if section.text else 0 for section in whole]
    if sum(wants) <= room:
        return whole
    shares = share_out(wants, [part.cap for part in parts], room)
    fitted = [part.fit(max(0, share - len(SEPARATOR))) for part, share in zip(parts, shares, strict=True)]
    spare = room - sum(section.chars + len(SEPARATOR) for section in fitted if section.text)
    for name in KEPT_FIRST:
        for number, part in enumerate(parts):
            if part.name == name and fitted[number].chars < whole[number].chars:
                taken = fitted[number].chars + len(SEPARATOR) if fitted[number].text else 0
                again = part.fit(max(0, taken + spare - len(SEPARATOR)))
                if again.included >= fitted[number].included and again.chars > fitted[number].chars:
                    spare -= again.chars + len(SEPARATOR) - taken
                    fitted[number] = again
    return fitted


def shortened_lines(prompt: Prompt, ask: Ask) -> list[str]:
    """Return one line for each section that does not hold everything, with how to see the rest."""
    rest = {
        "hot": "hipo start --full shows more",
        "rag": "hipo recall finds the rest",
        "handoffs": f"hipo brain handoff read --for {ask.agent or 'brain'} --keep shows all",
        "history": f"hipo brain history --conversation {ask.conversation} -n 50 shows all",
    }
    lines = []
    for section in prompt.sections:
        total = section.included + section.left_out
        if section.left_out or section.shortened:
            cut = f", {section.shortened} of them cut" if section.shortened else ""
            lines.append(
                f"{section.name}: {section.included} of {total} included{cut} "
                f"({section.chars} characters, cap {section.cap}); {rest.get(section.name, '')}"
            )
    return lines
