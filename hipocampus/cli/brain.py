"""`hipo brain`: prompts from the files, conversations, handoffs, documents, and the model call."""

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

# Command -> (module below hipocampus.cli, the app in it, one-line help), in the order of the help page. As in
# app.py, what a command does not use, it does not load.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "prompt": ("brain_prompt", "prompt_app", "Print the assembled prompt."),
    "think": ("brain_prompt", "think_app", "Ask a model with it, and store both turns."),
    "turn": ("brain_notes", "turn_app", "Add a turn to a conversation."),
    "history": ("brain_notes", "history_app", "Print the latest turns of a conversation."),
    "handoff": ("brain_notes", "handoff_app", "Leave notes for an agent, and read them."),
    "ingest": ("brain_documents", "ingest_app", "Take a document into knowledge/."),
    "query": ("brain_documents", "query_app", "Ask the memory."),
    "plan": ("brain_documents", "plan_app", "Leave one note per phase of a plan with its agent."),
    "sync": ("brain_sync", "sync_app", "Carry a session into a fresh one."),
}


class BrainGroup(TyperGroup):
    """Finds commands by COMMANDS and imports only the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, name, short = COMMANDS[cmd_name]
        command = typer.main.get_command(getattr(import_module(f"hipocampus.cli.{module}"), name))
        command.name = cmd_name
        command.short_help = short
        return command


app = typer.Typer(cls=BrainGroup, add_completion=False, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def brain() -> None:
    """Everything that an agent needs to think, put together from the files under hard caps, and stored again."""
