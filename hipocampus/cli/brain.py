"""`hipo brain`: prompts from the files, conversations, handoffs, documents, and the model call."""

import os
import select
import stat
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from hipocampus.brain.conversation import Turn, append_turn, read_turns
from hipocampus.brain.handoff import Handoff, read_handoffs, taking_handoffs, write_handoff
from hipocampus.brain.prompt import (
    MOST_RESULTS,
    Ask,
    Prompt,
    build,
    gather,
    memory_mode,
    read_persona,
    shortened_lines,
)
from hipocampus.brain.sections import age_of
from hipocampus.brain.stores import CONVERSATIONS, HANDOFFS, ListStore, open_lists
from hipocampus.cli.context import Here, opened
from hipocampus.cli.render import is_terminal, plain, print_json, print_notes, print_text
from hipocampus.errors import HipoError, UsageError, WriteError
from hipocampus.files import decode, read_bytes

PIPE_SECONDS = 2.0  # how long a pipe that may hold a message is waited for
MOST_TURNS = 50  # of a conversation, as it is kept

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
turn_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
handoff_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
sync_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
app.add_typer(turn_app, name="turn", help="Turns of a conversation.")
app.add_typer(handoff_app, name="handoff", help="Notes that one agent leaves for another.")
app.add_typer(sync_app, name="sync", help="Carry a session into a fresh one.")


@app.callback()
def brain() -> None:
    """Everything that an agent needs to think, put together from the files under hard caps, and stored again."""


class Memory(StrEnum):
    """Which memory a prompt takes, besides snippets."""

    NONE = "none"
    SELF = "self"
    SHARED = "shared"


class Role(StrEnum):
    """Who says a turn."""

    USER = "user"
    ASSISTANT = "assistant"


Message = Annotated[
    str | None, typer.Argument(metavar="[MESSAGE]", help="What is asked; - reads it from stdin.")
]
Text = Annotated[
    str | None, typer.Argument(metavar="[TEXT]", help="The text; missing or - reads it from stdin.")
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
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command("prompt")
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
    text = _piped() if message is None else _given(message)
    here = opened(ctx)
    ask = _ask(here, text, conversation, agent, persona, memory, query, hot, max_chars)
    material = gather(here.store, _lists(here), ask, now=here.now, today=here.today)
    prompt = build(ask, material)
    _print_prompt(prompt, ask, as_json)


@app.command("think")
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

    text = _text(message, "think")
    here = opened(ctx)
    ask = _ask(here, text, conversation, agent, persona, memory, query, hot, max_chars)
    tokens = checked_tokens(here.config.brain.max_tokens if max_tokens is None else max_tokens)
    override = checked_override(
        Override(provider, model), Override(environment("HIPO_LLM_PROVIDER"), environment("HIPO_LLM_MODEL"))
    )
    if dry_run:
        material = gather(here.store, _lists(here), ask, now=here.now, today=here.today)
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
            _print_surely(reply)

    try:
        thought = think(
            Mind(here.store, _lists(here), here.config, here.now, here.today, here.zone),
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


@turn_app.callback()
def turn_group() -> None:
    """Turns of a conversation."""


@turn_app.command("add")
def turn_add(
    ctx: typer.Context,
    conversation: Annotated[
        str, typer.Option("--conversation", metavar="ID", help="The conversation it belongs to.")
    ],
    role: Annotated[Role, typer.Option(help="Who says it.")],
    text: Text = None,
    agent: Annotated[
        str, typer.Option("--agent", metavar="ID", help="The agent whose conversation it is.")
    ] = "",
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="WORD", help="A label; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a turn to a conversation; secrets are taken out first.

    Example: hipo brain turn add --conversation c1 --role user "which port does the gateway use?"
    """
    said = _text(text, "turn add")
    here = opened(ctx)
    done = append_turn(
        _lists(here), conversation, role.value, said, agent=agent, tags=tag or [], now=here.now
    )
    if as_json:
        print_json(
            {
                "conversation": conversation,
                "path": done.place,
                "redacted": done.redacted,
                **_turn_json(done.turn),
            }
        )
    else:
        print_text(f"stored → {done.place}{_redacted(done.redacted)}")


@app.command("history")
def history_command(
    ctx: typer.Context,
    conversation: Annotated[str, typer.Option("--conversation", metavar="ID", help="The conversation.")],
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=MOST_TURNS, help="At most so many turns, the latest.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """Print the latest turns of a conversation, oldest first.

    Example: hipo brain history --conversation c1 -n 5
    """
    here = opened(ctx)
    lists = _lists(here)
    turns = read_turns(lists, conversation)
    shown = turns[-number:]
    if as_json:
        place = lists.place(CONVERSATIONS, conversation)
        print_json(
            {"conversation": conversation, "path": place, "turns": [_turn_json(turn) for turn in shown]}
        )
        return
    if not turns:
        print_notes([f"no turns in conversation {conversation}"])
    for turn in shown:
        print_text(f"{turn.role} · {turn.ts} ({age_of(turn.ts, here.now)})\n{turn.content}\n")


@handoff_app.callback()
def handoff_group() -> None:
    """Notes that one agent leaves for another."""


@handoff_app.command("write")
def handoff_write(
    ctx: typer.Context,
    to: Annotated[str, typer.Option("--to", metavar="AGENT", help="Who it is for.")],
    text: Text = None,
    sender: Annotated[str, typer.Option("--from", metavar="AGENT", help="Who leaves it.")] = "user",
    link: Annotated[
        list[str] | None, typer.Option("--link", metavar="K=V", help="Where to read more; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Leave a note for an agent; secrets are taken out first.

    Example: hipo brain handoff write --to builder --from planner --link plan=plans/limits.md "the limiter is next"
    """
    links = dict(_pair(one) for one in link or [])
    said = _text(text, "handoff write")
    here = opened(ctx)
    done = write_handoff(_lists(here), to, sender, said, links, here.now)
    if as_json:
        print_json({"path": done.place, "redacted": done.redacted, **_note_json(done.note)})
    else:
        print_text(f"left for {done.note.to_agent_id} → {done.place}{_redacted(done.redacted)}")


@handoff_app.command("read")
def handoff_read(
    ctx: typer.Context,
    agent: Annotated[str, typer.Option("--for", metavar="AGENT", help="Whose inbox it is.")],
    keep: Annotated[bool, typer.Option("--keep", help="Leave the notes in the inbox.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the notes for an agent, oldest first, and clear them. Each note reaches one reader.

    Example: hipo brain handoff read --for builder
    """
    here = opened(ctx)
    lists = _lists(here)
    if keep:
        _print_handoffs(here, lists, agent, read_handoffs(lists, agent), as_json, cleared=False)
        return
    with taking_handoffs(lists, agent) as notes:
        _print_handoffs(here, lists, agent, notes, as_json, cleared=True)


def _print_handoffs(
    here: Here, lists: ListStore, agent: str, notes: list[Handoff], as_json: bool, *, cleared: bool
) -> None:
    """Print notes surely: what raises here leaves them in the inbox."""
    if as_json:
        import json

        place = lists.place(HANDOFFS, agent)
        value = {
            "agent": agent,
            "path": place,
            "handoffs": [_note_json(note) for note in notes],
            "cleared": cleared,
        }
        _print_surely(json.dumps(value, ensure_ascii=False, indent=2))
        return
    if not notes:
        print_notes([f"no handoffs for {agent}"])
        return
    shown = []
    for note in notes:
        links = "".join(f"\n  {key}: {value}" for key, value in note.links.items())
        age = age_of(note.ts, here.now)
        shown.append(f"from {note.from_agent_id or 'unknown'} · {note.ts} ({age})\n{note.summary}{links}\n")
    _print_surely("\n".join(shown).rstrip("\n"))


@app.command("ingest")
def ingest_command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The document; - reads it from stdin.")],
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it comes from, instead of FILE.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take a document into knowledge/, at most 20,000 characters; the same source again replaces it.

    Example: hipo brain ingest docs/gateway.md --source gateway-manual
    """
    from hipocampus.brain.ingest import ingest

    if file == "-" and not source:
        raise UsageError("ingest: a document from stdin has no name", "give one with --source")
    text = _stdin() if file == "-" else _document(file)
    here = opened(ctx)
    done = ingest(here.store, text, source or _source_name(here, file), here.today)
    if as_json:
        print_json(done._asdict())
        return
    verb = "replaced" if done.replaced else "taken in"
    print_text(
        f"{verb}: {done.title} → {done.path} ({done.chars} characters, {done.chunks} chunks){_redacted(done.redacted)}"
    )


@app.command("query")
def query_command(
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(metavar="Q", help="What to look for, at most 500 characters.")],
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=MOST_RESULTS, help="At most so many results.")
    ] = 5,
    as_json: AsJson = False,
) -> None:
    """Ask the memory; of an ingested document the chunk around the answer is shown.

    Example: hipo brain query "rate limit of the gateway" -n 3
    """
    from hipocampus.brain.ingest import query
    from hipocampus.brain.prompt import place_of
    from hipocampus.brain.sections import days_ago

    here = opened(ctx)
    found, problems = query(here.store, question, number, here.today)
    print_notes(problems)
    if as_json:
        results = [
            {
                "path": one.hit.path,
                "line_start": one.line_start,
                "line_end": one.line_end,
                "topic": one.hit.topic,
                "type": one.hit.type,
                "date": one.hit.date,
                "age_days": one.hit.age_days,
                "level": one.hit.level,
                "score": one.hit.score,
                "text": one.text,
            }
            for one in found
        ]
        print_json({"query": question, "results": results})
        return
    for one in found:
        place = place_of(one.hit.path, one.line_start, one.line_end)
        head = " · ".join(filter(None, (place, days_ago(one.hit.age_days), one.hit.topic)))
        print_text(f"{head}\n{one.text}\n")


@app.command("plan")
def plan_command(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The plan: headings `## Phase 1: title`, or JSON.")
    ],
    to: Annotated[
        str, typer.Option("--to", metavar="AGENT", help="Who does a phase without an `agent:` line.")
    ] = "builder",
    as_json: AsJson = False,
) -> None:
    """Leave one note per phase of a plan with its agent, with a link to the plan.

    Example: hipo brain plan plans/limits.md
    """
    from hipocampus.brain.plan import hand_out

    here = opened(ctx)
    path = Path(file) if Path(file).is_absolute() or Path(file).exists() else here.root / file
    text = _document(str(path))
    place = here.store.relative(path.absolute())
    done = hand_out(_lists(here), text, place, here.now, to)
    if as_json:
        print_json(
            {
                "plan": place,
                "written": done.written,
                "handoffs": [_note_json(n) for n in done.notes],
                "redacted": done.redacted,
            }
        )
        return
    for note in done.notes:
        print_text(f"{note.to_agent_id}: {note.summary.splitlines()[0]}")
    waiting = len(done.notes) - done.written
    print_text(f"{done.written} handoffs written" + (f", {waiting} waited there already" if waiting else ""))


@sync_app.callback()
def sync_group() -> None:
    """Carry a session into a fresh one."""


@sync_app.command("export")
def sync_export(
    ctx: typer.Context,
    conversation: Conversation = None,
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="ID", help="Whose handoffs go along.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put a conversation, its handoffs and WORKING.md into a capsule; the token is good once and for a day.

    Example: hipo brain sync export --conversation c1 --agent builder
    """
    from hipocampus.brain.capsule import LIFETIME, export_capsule
    from hipocampus.clock import iso_utc

    here = opened(ctx)
    token = export_capsule(here.store, _lists(here), conversation, agent, here.now)
    print_json({"token": token, "expires": iso_utc(here.now + LIFETIME)}) if as_json else print_text(token)


@sync_app.command("resume")
def sync_resume(
    ctx: typer.Context,
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="What `sync export` printed.")],
    as_json: AsJson = False,
) -> None:
    """Print what a capsule carries as context for this session, and use it up.

    Example: hipo brain sync resume TOKEN
    """
    from hipocampus.brain.capsule import render_capsule, resuming

    here = opened(ctx)
    with resuming(here.store, token, here.now) as capsule:
        text = render_capsule(capsule, here.now)
        if as_json:
            import json

            value = {
                "made_at": capsule.made_at,
                "conversation": capsule.conversation,
                "agent": capsule.agent,
                "turns": [_turn_json(turn) for turn in capsule.turns],
                "handoffs": [_note_json(note) for note in capsule.notes],
                "working": capsule.working,
                "context": text,
            }
            _print_surely(json.dumps(value, ensure_ascii=False, indent=2))
        else:
            _print_surely(text)


def _lists(here: Here) -> ListStore:
    return open_lists(here.config.brain, here.store, here.now)


def _turn_json(turn: Turn) -> dict[str, object]:
    return {
        "ts": turn.ts,
        "agent_id": turn.agent_id,
        "role": turn.role,
        "content": turn.content,
        "tags": list(turn.tags),
    }


def _note_json(note: Handoff) -> dict[str, object]:
    return {
        "ts": note.ts,
        "from_agent_id": note.from_agent_id,
        "to_agent_id": note.to_agent_id,
        "summary": note.summary,
        "links": dict(note.links),
    }


def _redacted(counts: dict[str, int]) -> str:
    return "; redacted: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()) if counts else ""


def _pair(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark or not key.strip():
        raise UsageError(f"--link {text!r}: not a pair", "write it as KEY=VALUE")
    return key.strip(), value.strip()


def _text(value: str | None, where: str) -> str:
    """The text that a command needs: its argument, else stdin."""
    if value is not None and value != "-":
        return value
    if value is None and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError(f"{where}: there is no text", "give it as an argument or on stdin")
    return _stdin()


def _given(message: str) -> str:
    return _stdin() if message == "-" else message


def _piped() -> str:
    """What a pipe or file on stdin holds; "" for a terminal, nothing at all, or a pipe on which nobody writes."""
    if sys.stdin is None or sys.stdin.closed:
        return ""
    kind = os.fstat(sys.stdin.fileno()).st_mode
    if stat.S_ISREG(kind):
        return _stdin()
    waiting = stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
    return _stdin() if waiting and select.select([sys.stdin], [], [], PIPE_SECONDS)[0] else ""


def _stdin() -> str:
    if sys.stdin is None:
        raise UsageError("stdin: it is closed", "give the text as an argument")
    return decode(sys.stdin.buffer.read())


def _document(file: str) -> str:
    data = read_bytes(Path(file))
    if data is None:
        raise HipoError(f"{file}: there is no such file", "check the path")
    return decode(data)


def _source_name(here: Here, file: str) -> str:
    """A file inside the project is named by its path there, so that it is the same from every folder."""
    return here.store.relative(Path(file).absolute())


def _print_surely(text: str) -> None:
    """Print text and make sure that it left this process; WriteError when it could not."""
    try:
        print_text(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is buffered must not fail again
        raise WriteError(
            f"stdout: not written ({error.strerror})", "nothing was cleared; try again"
        ) from error
