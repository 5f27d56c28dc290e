"""The command line as typer declares it: global options, and commands loaded when they are called."""

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hipocampus import __version__
from hipocampus.cli.context import Call, switched_off
from hipocampus.cli.render import print_text
from hipocampus.errors import UsageError

# Command -> (module below hipocampus.cli, its one-line help). A module is imported when its command is
# called: what a command does not use, it does not load. The order is that of the help page.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Make the memory tree here and wire it into your agents."),
    "start": ("start", "Begin a session: judge compaction, print what the agent should know."),
    "checkpoint": ("checkpoint", "Save an entry into today's raw log."),
    "recall": ("recall", "Find it again, in anybody's words."),
    "show": ("show", "Print a place of the memory, and walk up and down from it."),
    "compact": ("compact", "Build the tree: daily, weekly and monthly nodes and ROOT.md."),
    "task": ("task", "Tasks: from the queue to WORKING.md to the raw log."),
    "note": ("note", "Add a line to SCRATCHPAD.md, or remove one."),
    "tidy": ("tidy", "Move what is finished out of the hot files into the raw log."),
    "status": ("status", "What the memory holds, and what is due."),
    "doctor": ("doctor", "Check every rule on disk; --fix repairs what can be derived."),
    "forget": ("forget", "Take something out of the memory for good."),
    "redact": ("redact", "Copy stdin to stdout without its secrets."),
    "import": ("import_", "Take in transcripts and other tools' memory."),
    "hook": ("hook", "What the agents' hooks call, for every event."),
    "export": ("export", "The whole memory as one self-contained page."),
    "mcp": ("mcp", "Serve the memory to MCP clients over stdio."),
    "brain": ("brain", "Prompts from the files under hard caps, and the model call."),
    "demo": ("demo", "See it work on a tree of its own in a temporary folder."),
    "uninstall": ("uninstall", "Take the wiring out again; the memory stays."),
}

CLI_FOLDER = Path(__file__).parent


class LazyGroup(TyperGroup):
    """The root group: finds commands by COMMANDS and imports only the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, (module, _) in COMMANDS.items() if (CLI_FOLDER / f"{module}.py").is_file()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module, short = COMMANDS[cmd_name]
        if not (CLI_FOLDER / f"{module}.py").is_file():
            return None
        command = typer.main.get_command(import_module(f"hipocampus.cli.{module}").app)
        command.name = cmd_name
        command.short_help = short
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the words name; UsageError with the names that are near one that is not there."""
        if args and self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            word, names = args[0].lower(), self.list_commands(ctx)
            near = " or ".join([word] if word in names else get_close_matches(word, names, 2, 0.65))
            raise UsageError(
                f"No such command {args[0]!r}",
                f"did you mean {near}? see hipo --help" if near else "see hipo --help",
            )
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        print_text(f"hipo {__version__}")
        raise typer.Exit


@app.callback()
def root_options(
    ctx: typer.Context,
    root: Annotated[
        str | None,
        typer.Option(
            "--root",
            metavar="DIR",
            help="The folder whose memory/ is meant (else HIPO_ROOT, else found upwards).",
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of a bug.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """A memory for AI coding agents, in plain markdown files.

    Begin with `hipo init` in a project, or look at `hipo demo`. Exit status: 0 done, 1 it could not be done,
    2 wrong usage or configuration, 3 a bug in hipo, 130 interrupted. With HIPO_OFF=1 what agents call
    (start, checkpoint, recall, hook …) is silent and touches nothing.
    """
    ctx.obj = Call(root, debug)
    if switched_off(ctx.invoked_subcommand):
        raise typer.Exit


def run_app(words: list[str]) -> int:
    """Run the command line with these words and return the exit status; what goes wrong is raised."""
    result = app(words, prog_name="hipo", standalone_mode=False)
    return result if isinstance(result, int) else 0
