"""The root command: global options, commands loaded when they are called, and the one error boundary."""

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Never

import typer
from typer.core import TyperGroup

from hipocampus import __version__
from hipocampus.cli.context import Call, switched_off
from hipocampus.cli.render import discard, stdout_failed
from hipocampus.errors import HipoError, UsageError

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

    def invoke(self, ctx: Any) -> Any:
        """Run the command; an expected failure becomes one line on stderr and its exit status."""
        try:
            return super().invoke(ctx)
        except HipoError as error:
            complain(error)
            raise typer.Exit(error.exit_code) from error


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
        typer.echo(f"hipo {__version__}")
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
    2 wrong usage or configuration, 3 a bug in hipo, 130 interrupted.
    """
    ctx.obj = Call(root, debug)
    if switched_off(ctx.invoked_subcommand):
        raise typer.Exit


def complain(error: HipoError) -> None:
    """Print an expected failure: one line on stderr, below it the text that would be lost, fenced when it has lines."""
    from hipocampus.redact import redact  # an error may quote what somebody typed

    _say(redact(f"hipo: {' '.join(str(error).split())}").text)
    if error.unsaved:
        text = error.unsaved.rstrip("\n")
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        _say(f"{fence}\n{text}\n{fence}" if "\n" in text else text)


def _say(text: str) -> None:
    """Print text to stderr. Where stderr takes nothing, nobody can be told, and the exit status says it alone."""
    try:
        typer.echo(text, err=True)
    except OSError:
        discard(sys.stderr)


def main(arguments: Sequence[str] | None = None) -> Never:
    """Run the command line and end the process with its exit status."""
    speak_utf8()
    words = list(arguments) if arguments is not None else [_as_utf8(word) for word in sys.argv[1:]]
    sys.exit(run(words))


def run(words: list[str]) -> int:
    """Run the command line with these words and return the exit status."""
    stdout = sys.stdout  # typer puts another one in its place when the reader has gone
    try:
        result = app(words, prog_name="hipo", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except KeyboardInterrupt:
        return 130
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        discard(stdout)
        return 0
    except BrokenPipeError:  # the reader has gone (`hipo show root | head`)
        discard(stdout)
        return 0
    except HipoError as error:
        complain(error)
        return error.exit_code
    except OSError as error:
        expected = _of_surroundings(error)
        if expected is None:
            return _report_bug(error, "--debug" in words)
        complain(expected)
        return expected.exit_code
    except Exception as error:
        return _expected_by_typer(error) or _report_bug(error, "--debug" in words)


def _of_surroundings(error: OSError) -> HipoError | None:
    """The failure of what the process was given: a working directory that is gone, a stdout that takes nothing."""
    try:
        Path.cwd()
    except OSError:
        return HipoError("the working directory is gone", "change to a folder that exists and try again")
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame if last else None
    if frame is not None and frame.f_code.co_name == "echo" and not frame.f_locals.get("err"):
        return stdout_failed(error)  # typer's own words, like the help
    try:
        sys.stdout.flush()  # what a buffer could not write it still holds back, and fails again
    except OSError as again:
        return stdout_failed(again)
    return None


def _expected_by_typer(error: Exception) -> int | None:
    """The exit status of wrong usage or an aborted question; None for anything else."""
    if type(error).__name__ == "Abort":
        return 130
    shown = getattr(error, "format_message", None)
    if shown is None:
        return None
    context = getattr(error, "ctx", None)
    where = context.command_path if context else "hipo"
    said = " ".join(shown().split()).rstrip(".")
    if type(error).__name__ == "NoArgsIsHelpError":
        _say(context.get_help() if context else said)
        return 2
    from hipocampus.redact import redact

    command = where.removeprefix("hipo").strip()
    prefix = f"hipo: {command}: " if command else "hipo: "
    _say(redact(f"{prefix}{_in_words(said)}; see {where} --help").text)
    return 2


def _in_words(said: str) -> str:
    """Return typer's sentence about a number as people say it, without the names of types."""
    said = re.sub(r"is not a valid (?:int|integer)(?: range)?$", "is not a whole number", said)
    said = re.sub(r"is not a valid float(?: range)?$", "is not a number", said)
    said = re.sub(r"is not in the range (-?[\d.]+)<=x<=(-?[\d.]+)$", r"is not between \1 and \2", said)
    return re.sub(r"is not in the range x>=(-?[\d.]+)$", r"is less than \1", said)


def _report_bug(error: Exception, debug: bool) -> int:
    import tempfile
    import traceback

    from hipocampus.redact import redact

    text = redact("".join(traceback.format_exception(error))).text
    if debug:
        _say(text.rstrip("\n"))
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="hipo-bug-", suffix=".txt", delete=False
    ) as file:
        file.write(text)
    said = redact(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}").text
    _say(f"hipo: a bug in hipo ({said}); please report it with {file.name}")
    return 3


def speak_utf8() -> None:
    """Make the standard streams UTF-8 whatever the locale says; what has no encoding becomes a mark."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")


def _as_utf8(word: str) -> str:
    return os.fsencode(word).decode("utf-8", "replace")
