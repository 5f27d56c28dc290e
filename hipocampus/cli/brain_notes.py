"""`hipo brain turn`, `history` and `handoff`: what agents say and leave for each other."""

import json
from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.brain.conversation import append_turn, read_turns
from hipocampus.brain.handoff import Handoff, read_handoffs, taking_handoffs, write_handoff
from hipocampus.brain.sections import age_of
from hipocampus.brain.stores import CONVERSATIONS, HANDOFFS, ListStore
from hipocampus.cli.brain_io import (
    brain_lists,
    needed_text,
    note_json,
    print_surely,
    redacted_words,
    turn_json,
)
from hipocampus.cli.context import Here, opened
from hipocampus.cli.options import AsJson, Text
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.errors import UsageError

MOST_TURNS = 50  # of a conversation, as it is kept

turn_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
history_app = typer.Typer(add_completion=False, rich_markup_mode=None)
handoff_app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)


class Role(StrEnum):
    """Who says a turn."""

    USER = "user"
    ASSISTANT = "assistant"


@turn_app.callback()
def turn_group() -> None:
    """Turns of a conversation."""


@handoff_app.callback()
def handoff_group() -> None:
    """Notes that one agent leaves for another."""


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
    said = needed_text(text, "turn add")
    here = opened(ctx.obj)
    done = append_turn(
        brain_lists(here), conversation, role.value, said, agent=agent, tags=tag or [], now=here.now
    )
    if as_json:
        print_json(
            {
                "conversation": conversation,
                "path": done.place,
                "redacted": done.redacted,
                **turn_json(done.turn),
            }
        )
    else:
        print_text(f"stored → {done.place}{redacted_words(done.redacted)}")


@history_app.command()
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
    here = opened(ctx.obj)
    lists = brain_lists(here)
    turns = read_turns(lists, conversation)
    shown = turns[-number:]
    if as_json:
        place = lists.place(CONVERSATIONS, conversation)
        print_json(
            {"conversation": conversation, "path": place, "turns": [turn_json(turn) for turn in shown]}
        )
        return
    if not turns:
        print_notes([f"no turns in conversation {conversation}"])
    for turn in shown:
        print_text(f"{turn.role} · {turn.ts} ({age_of(turn.ts, here.now)})\n{turn.content}\n")


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
    said = needed_text(text, "handoff write")
    here = opened(ctx.obj)
    done = write_handoff(brain_lists(here), to, sender, said, links, here.now)
    if as_json:
        print_json({"path": done.place, "redacted": done.redacted, **note_json(done.note)})
    else:
        print_text(f"left for {done.note.to_agent_id} → {done.place}{redacted_words(done.redacted)}")


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
    here = opened(ctx.obj)
    lists = brain_lists(here)
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
        place = lists.place(HANDOFFS, agent)
        value = {
            "agent": agent,
            "path": place,
            "handoffs": [note_json(note) for note in notes],
            "cleared": cleared,
        }
        print_surely(json.dumps(value, ensure_ascii=False, indent=2))
        return
    if not notes:
        print_notes([f"no handoffs for {agent}"])
        return
    shown = []
    for note in notes:
        links = "".join(f"\n  {key}: {value}" for key, value in note.links.items())
        age = age_of(note.ts, here.now)
        shown.append(f"from {note.from_agent_id or 'unknown'} · {note.ts} ({age})\n{note.summary}{links}\n")
    print_surely("\n".join(shown).rstrip("\n"))


def _pair(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark or not key.strip():
        raise UsageError(f"--link {text!r}: not a pair", "write it as KEY=VALUE")
    return key.strip(), value.strip()
