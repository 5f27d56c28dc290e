"""What `hipo brain prompt` does; `hipo brain think` asks, assembles and prints prompts with the same."""

from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.brain.prompt import Ask, Prompt, build, gather, memory_mode, read_persona, shortened_lines
from hipocampus.cli.brain_io import brain_lists, given_text, piped_text
from hipocampus.cli.context import Call, Here, opened
from hipocampus.cli.render import plain, print_json, print_notes, print_text
from hipocampus.cli.words import COUNT, FLAG, TEXT, Words
from hipocampus.errors import UsageError
from hipocampus.memory.store import clean

WORDS = Words(
    {
        "--conversation": ("conversation", TEXT),
        "--agent": ("agent", TEXT),
        "--persona": ("persona", TEXT),
        "--memory": ("memory", ("none", "self", "shared")),
        "--query": ("query", TEXT),
        "--hot": ("hot", FLAG),
        "--max-chars": ("max_chars", COUNT),
        "--json": ("as_json", FLAG),
    },
    rest=("message", TEXT),
)


class Wanted(NamedTuple):
    """What a prompt is to hold besides the message: the options that `prompt` and `think` share."""

    conversation: str | None = None
    agent: str | None = None
    persona: str | None = None
    memory: str | None = None
    query: str | None = None
    hot: bool = False
    max_chars: int | None = None


def run_prompt(call: Call, *, message: str | None = None, as_json: bool = False, **wanted: Any) -> None:
    """Assemble a prompt and print it. `wanted`: the fields of Wanted."""
    text = piped_text() if message is None else given_text(message)
    here = opened(call)
    ask = asked(here, text, Wanted(**wanted))
    print_prompt(assembled(here, ask), ask, as_json)


def asked(here: Here, message: str, wanted: Wanted) -> Ask:
    """Return what a prompt is asked to hold; UsageError where the options contradict each other."""
    from hipocampus.brain.ids import checked_id

    text, source = read_persona(None if wanted.persona is None else Path(wanted.persona))
    agent, conversation = wanted.agent, wanted.conversation
    mode = memory_mode(wanted.memory, agent, conversation)
    if mode == "shared" and not agent:
        raise UsageError("--memory shared: whose handoffs?", "name the agent with --agent")
    return Ask(
        message=clean(message).text,
        persona=plain(text),
        persona_source=source,
        agent=checked_id("agent", agent) if agent is not None else None,
        conversation=checked_id("conversation", conversation) if conversation is not None else None,
        memory=mode,
        query=wanted.query,
        hot=wanted.hot,
        max_chars=wanted.max_chars,
        threshold=here.config.brain.overflow_chars,
    )


def assembled(here: Here, ask: Ask) -> Prompt:
    """Return the prompt of the files as they are now."""
    return build(ask, gather(here.store, brain_lists(here), ask, now=here.now, today=here.today))


def print_prompt(prompt: Prompt, ask: Ask, as_json: bool) -> None:
    """Print a prompt, and on stderr what was shortened or could not be read."""
    notes = [*prompt.problems, *shortened_lines(prompt, ask)]
    if prompt.overflow:
        notes.append(
            f"prompt: {len(prompt.text)} characters are over overflowChars ({prompt.threshold}); "
            "think hands the conversation over"
        )
    print_notes(notes)
    print_json(prompt_json(prompt)) if as_json else print_text(prompt.text)


def prompt_json(prompt: Prompt) -> dict[str, object]:
    """The JSON of a prompt."""
    return {
        "prompt": prompt.text,
        "chars": len(prompt.text),
        "sections": [
            {
                "name": section.name,
                "chars": section.chars,
                "cap": section.cap,
                "included": section.included,
                "left_out": section.left_out,
                "sources": list(section.sources),
            }
            for section in prompt.sections
        ],
        "overflow": prompt.overflow,
        "threshold": prompt.threshold,
        "problems": list(prompt.problems),
    }
