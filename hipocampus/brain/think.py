"""Think: assemble the prompt, hand over what overflows, ask a model, store both turns."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.brain.conversation import append_turn, read_turns
from hipocampus.brain.handoff import Handoff, remove_handoffs
from hipocampus.brain.prompt import SEPARATOR, Ask, Material, Prompt, build, gather
from hipocampus.brain.routes import Override, targets
from hipocampus.brain.stores import HANDOFFS, ListStore
from hipocampus.brain.summarizer import build_summarizer
from hipocampus.brain.wire import Query
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.memory.store import MemoryStore, clean


class Mind(NamedTuple):
    """Where thinking happens: a memory, its lists, its settings and the moment."""

    store: MemoryStore
    lists: ListStore
    config: Config
    now: datetime
    today: date
    zone: tzinfo | None


class Thought(NamedTuple):
    """What came of it. `reply` is redacted; `cleared` counts the handoffs that the prompt held."""

    reply: str
    provider: str
    model: str
    prompt: Prompt
    stored: bool
    cleared: int
    cut: bool


class Ready(NamedTuple):
    """A prompt that fits, and the notes that it holds whole."""

    prompt: Prompt
    notes: Sequence[Handoff]
    inbox: str | None


def think(
    mind: Mind,
    ask: Ask,
    *,
    override: Override,
    max_tokens: int,
    deliver: Callable[[str], None],
    on_text: Callable[[str], None] | None,
    say: Callable[[str], None],
) -> Thought:
    """Return a model's reply, stored and delivered.

    The user's turn is stored before the call, so that a failing model or Ctrl-C loses nothing and leaves a
    consistent history. `deliver` prints the reply; handoffs are cleared only after that and after it is stored.
    `say` takes remarks as they arise.
    """
    ready = prepare(mind, ask, override, say)
    asked = targets(mind.config.brain, override, ask.agent, len(ready.prompt.text))
    from hipocampus.brain.model import ask_models

    if ask.conversation:
        _store_message(mind, ask, ask.conversation)
    answer = ask_models(
        asked,
        as_query(ready.prompt, max_tokens),
        command=mind.config.brain.command,
        root=mind.store.root,
        on_text=on_text,
        on_failure=say,
    )
    reply = clean(answer.text).text.strip()
    if not reply:
        raise HipoError(f"{answer.target}: nothing is left of the reply", "ask another way")
    if ask.conversation:
        append_turn(
            mind.lists, ask.conversation, "assistant", reply, agent=ask.agent or "brain", now=mind.now
        )
    deliver(reply)
    if ready.notes and ready.inbox:
        remove_handoffs(mind.lists, ready.inbox, ready.notes)
    target = answer.target
    stored = bool(ask.conversation)
    return Thought(reply, target.provider, target.model, ready.prompt, stored, len(ready.notes), answer.cut)


def _store_message(mind: Mind, ask: Ask, conversation: str) -> None:
    """Store the user's turn, unless it stands there already from a call that failed."""
    text = clean(ask.message.strip("\n")).text
    turns = read_turns(mind.lists, conversation)
    if turns and turns[-1].role == "user" and turns[-1].content == text:
        return
    append_turn(mind.lists, conversation, "user", ask.message, agent=ask.agent or "brain", now=mind.now)


def prepare(mind: Mind, ask: Ask, override: Override, say: Callable[[str], None]) -> Ready:
    """Return the prompt that goes to the model; a conversation that makes it too long is handed over first."""
    material = gather(mind.store, mind.lists, ask, now=mind.now, today=mind.today)
    prompt = build(ask, material)
    for problem in prompt.problems:
        say(problem)
    if prompt.overflow:
        return _hand_over(mind, ask, material, override, say)
    section = prompt.section("handoffs")
    newest_first = list(reversed(material.notes))
    notes = [newest_first[n] for n in section.whole] if section else []
    return Ready(prompt, notes, ask.agent)


def _hand_over(
    mind: Mind, ask: Ask, material: Material, override: Override, say: Callable[[str], None]
) -> Ready:
    from hipocampus.brain.overflow import BRAIN, hand_over, overflow_prompt

    inbox = ask.agent or BRAIN
    place = mind.lists.place(HANDOFFS, inbox)
    if not (ask.conversation and material.turns):
        say(f"prompt: over {ask.threshold} characters; snippets and handoffs are left out")
        return Ready(overflow_prompt(ask, material, None, place, mind.now), [], None)
    probe = Handoff("", "", inbox, "", {})
    overflow_prompt(ask, material, probe, place, mind.now)  # raises before anything is moved
    kind = mind.config.compaction.summarizer
    done = hand_over(
        mind.store,
        mind.lists,
        ask.conversation,
        inbox,
        build_summarizer(kind, mind.config, override, mind.store.root),
        now=mind.now,
        today=mind.today,
        zone=mind.zone,
    )
    if done is None:  # somebody else handed it over meanwhile
        return Ready(overflow_prompt(ask, material, None, place, mind.now), [], None)
    for problem in done.problems:
        say(problem)
    say(f"prompt: over {ask.threshold} characters; {done.turns} turns handed over → {done.place}")
    return Ready(overflow_prompt(ask, material, done.note, place, mind.now), [done.note], inbox)


def as_query(prompt: Prompt, max_tokens: int) -> Query:
    """Return a prompt as providers take it: the persona is the system's text, the rest the user's."""
    persona = prompt.section("persona")
    system = persona.text if persona else ""
    rest = prompt.text.removeprefix(system).removeprefix(SEPARATOR) if system else prompt.text
    return Query(system, rest, max_tokens)
