"""`hipo brain prompt` and `hipo brain think`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hipocampus.brain.prompt import Ask, Prompt, build, gather, memory_mode, read_persona, shortened_lines
from hipocampus.cli.brain_io import AsJson, brain_lists, given_text, needed_text, piped_text, print_surely
from hipocampus.cli.context import Here, opened
from hipocampus.cli.render import is_terminal, plain, print_json, print_notes, print_text
from hipocampus.errors import HipoError, UsageError

prompt_app = typer.Typer(add_completion=False, rich_markup_mode=None)
think_app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Memory(StrEnum):
    """Which memory a prompt takes, besides snippets."""

    NONE = "none"
    SELF = "self"
    SHARED = "shared"


Message = Annotated[
    str | None, typer.Argument(metavar="[MESSAGE]", help="What is asked; - reads it from stdin.")
]
Conversation = Annotated[
    str | None, typer.Option("--conversation", metavar="ID", help="The conversation it belongs to.")
]
Agent = Annotated[
    str | None, typer.Option("--agent", metavar="ID", help="The agent that thinks; its handoffs come in.")
]
Persona = Annotated[
    Path | None,
    typer.Option("--persona", metavar="FILE", help="Who the model is, instead of hipo's own text."),
]
MemoryMode = Annotated[
    Memory | None,
    typer.Option(
        "--memory", help="none: message and snippets; self: and the history; shared: and handoffs to --agent."
    ),
]
Query = Annotated[
    str | None, typer.Option("--query", metavar="Q", help="What to look for, instead of the message.")
]
Hot = Annotated[bool, typer.Option("--hot", help="Take the hot files in.")]
MaxChars = Annotated[
    int | None, typer.Option("--max-chars", metavar="N", min=1, help="Most characters of the whole prompt.")
]


@prompt_app.command()
def prompt_command(
    ctx: typer.Context,
    message: Message = None,
    conversation: Conversation = None,
    agent: Agent = None,
    persona: Persona = None,
    memory: MemoryMode = None,
    query: Query = None,
    hot: Hot = False,
    max_chars: MaxChars = None,
    as_json: AsJson = False,
) -> None:
    """Print the assembled prompt: persona, hot files, snippets, handoffs, history, the message. Clears nothing.

    Example: hipo brain prompt "what comes next?" --agent builder --hot
    """
    text = piped_text() if message is None else given_text(message)
    here = opened(ctx)
    ask = _ask(here, text, conversation, agent, persona, memory, query, hot, max_chars)
    material = gather(here.store, brain_lists(here), ask, now=here.now, today=here.today)
    prompt = build(ask, material)
    _print_prompt(prompt, ask, as_json)


@think_app.command()
def think_command(
    ctx: typer.Context,
    message: Message = None,
    conversation: Conversation = None,
    agent: Agent = None,
    persona: Persona = None,
    memory: MemoryMode = None,
    query: Query = None,
    hot: Hot = False,
    max_chars: MaxChars = None,
    provider: Annotated[
        str | None, typer.Option(metavar="NAME", help="openrouter, anthropic, ollama or command.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="The provider's name of the model.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Most tokens of the reply, 1 to 4096.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the prompt and stop before the call.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a model with the assembled prompt, and store both turns in the conversation.

    Example: hipo brain think "what comes next?" --conversation c1 --agent builder
    """
    from hipocampus.brain.routes import Override, checked_override, checked_tokens
    from hipocampus.config import environment

    text = needed_text(message, "think")
    if not text.strip():
        raise UsageError("think: there is no message", "give one as an argument or on stdin")
    here = opened(ctx)
    ask = _ask(here, text, conversation, agent, persona, memory, query, hot, max_chars)
    tokens = checked_tokens(here.config.brain.max_tokens if max_tokens is None else max_tokens)
    override = checked_override(
        Override(provider, model), Override(environment("HIPO_LLM_PROVIDER"), environment("HIPO_LLM_MODEL"))
    )
    if dry_run:
        material = gather(here.store, brain_lists(here), ask, now=here.now, today=here.today)
        _print_prompt(build(ask, material), ask, as_json)
        return
    from hipocampus.brain.stream import SafeStream
    from hipocampus.brain.think import Mind, think

    stream = (
        SafeStream(lambda piece: typer.echo(plain(piece), nl=False))
        if is_terminal() and not as_json
        else None
    )

    def deliver(reply: str) -> None:
        if stream is not None:
            stream.finish()
            typer.echo("")
        elif not as_json:
            print_surely(reply)

    try:
        thought = think(
            Mind(here.store, brain_lists(here), here.config, here.now, here.today, here.zone),
            ask,
            override=override,
            max_tokens=tokens,
            deliver=deliver,
            on_text=stream.feed if stream is not None else None,
            say=lambda line: print_notes([line]),
        )
    except HipoError:
        if stream is not None and stream.begun:  # the error gets a line of its own
            typer.echo("")
        raise
    print_notes(shortened_lines(thought.prompt, ask))
    if thought.cut:
        print_notes([f"the reply stopped at {tokens} tokens; --max-tokens asks for more"])
    if as_json:
        print_json(
            {
                "reply": thought.reply,
                "provider": thought.provider,
                "model": thought.model,
                "conversation": conversation,
                "stored": thought.stored,
                "handoffs_cleared": thought.cleared,
                "cut": thought.cut,
                "prompt": _prompt_json(thought.prompt),
            }
        )


def _ask(
    here: Here,
    message: str,
    conversation: str | None,
    agent: str | None,
    persona: Path | None,
    memory: Memory | None,
    query: str | None,
    hot: bool,
    max_chars: int | None,
) -> Ask:
    from hipocampus.brain.ids import checked_id

    text, source = read_persona(persona)
    mode = memory_mode(memory.value if memory else None, agent, conversation)
    if mode == "shared" and not agent:
        raise UsageError("--memory shared: whose handoffs?", "name the agent with --agent")
    return Ask(
        message=plain(message),
        persona=plain(text),
        persona_source=source,
        agent=checked_id("agent", agent) if agent is not None else None,
        conversation=checked_id("conversation", conversation) if conversation is not None else None,
        memory=mode,
        query=query,
        hot=hot,
        max_chars=max_chars,
        threshold=here.config.brain.overflow_chars,
    )


def _print_prompt(prompt: Prompt, ask: Ask, as_json: bool) -> None:
    notes = [*prompt.problems, *shortened_lines(prompt, ask)]
    if prompt.overflow:
        notes.append(
            f"prompt: {len(prompt.text)} characters are over overflowChars ({prompt.threshold}); "
            "think hands the conversation over"
        )
    print_notes(notes)
    print_json(_prompt_json(prompt)) if as_json else print_text(prompt.text)


def _prompt_json(prompt: Prompt) -> dict[str, object]:
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
