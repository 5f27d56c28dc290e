"""`hipo brain prompt` and `hipo brain think`."""

from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.options import AsJson, hand_over
from hipocampus.cli.run_prompt import run_prompt
from hipocampus.cli.run_think import run_think

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
    str | None,
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
    hand_over(ctx, run_prompt)


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
    hand_over(ctx, run_think)
