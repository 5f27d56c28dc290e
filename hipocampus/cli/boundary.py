"""The one error boundary: an expected failure is one line on stderr, a bug is a report; both end in an exit status."""

import errno
import re
import sys
from collections.abc import Callable
from pathlib import Path

from hipocampus.cli.render import discard, print_error, stdout_failed
from hipocampus.errors import HipoError


def guarded(action: Callable[[], int], *, debug: bool) -> int:
    """Run a command line and return its exit status, whatever happens in it."""
    stdout = sys.stdout  # typer puts another one in its place when the reader has gone
    try:
        status = action()
        sys.stdout.flush()
        return status
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
            return _report_bug(error, debug)
        complain(expected)
        return expected.exit_code
    except Exception as error:
        return _expected_by_typer(error) or _report_bug(error, debug)


def complain(error: HipoError) -> None:
    """Print an expected failure: one line on stderr, below it the text that would be lost, fenced when it has lines."""
    from hipocampus.redact import redact  # an error may quote what somebody typed

    print_error(redact(f"hipo: {' '.join(str(error).split())}").text)
    if error.unsaved:
        text = error.unsaved.rstrip("\n")
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        print_error(f"{fence}\n{text}\n{fence}" if "\n" in text else text)


def _of_surroundings(error: OSError) -> HipoError | None:
    """The failure of what the process was given: a working directory that is gone, a stdout that takes nothing."""
    try:
        Path.cwd()
    except OSError:
        return HipoError("the working directory is gone", "change to a folder that exists and try again")
    if error.errno == errno.ENAMETOOLONG:
        return HipoError(f"{str(error.filename)[:60]}…: the name is too long for a file", "use a shorter one")
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
        print_error(context.get_help() if context else said)
        return 2
    from hipocampus.redact import redact

    command = where.removeprefix("hipo").strip()
    prefix = f"hipo: {command}: " if command else "hipo: "
    if command and re.fullmatch(r"No such option: --(?:root|debug|version)", said):
        said += f" here; it stands before the command: hipo {said.rpartition(' ')[2]} … {command}"
    print_error(redact(f"{prefix}{_in_words(said)}; see {where} --help").text)
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
        print_error(text.rstrip("\n"))
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="hipo-bug-", suffix=".txt", delete=False
    ) as file:
        file.write(text)
    said = redact(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}").text
    print_error(f"hipo: a bug in hipo ({said}); please report it with {file.name}")
    return 3
