"""The daily commands without a command-line library, which alone takes longer to load than most of them to run.

The commands are declared once, with typer, in the module of each; that also makes the help and every message
about wrong usage. Here is read what their words mean when nothing is wrong with them: such a call does exactly
what typer would have made of it (a test compares the two), and all others are left to typer.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from hipocampus.cli.context import Call, switched_off
from hipocampus.cli.words import COUNT, FLAG, NEEDED, TEXTS, Words

# Command -> the module below hipocampus.cli that does it, in the function of the same name; its WORDS say
# what the command takes.
COMMANDS: dict[tuple[str, ...], str] = {
    ("start",): "run_start",
    ("checkpoint",): "run_checkpoint",
    ("recall",): "run_recall",
    ("show",): "run_show",
    ("status",): "run_status",
    ("compact",): "run_compact",
    ("brain", "prompt"): "run_prompt",
}


class Known(NamedTuple):
    """A call that was read: nothing about it is wrong."""

    path: tuple[str, ...]
    call: Call
    values: dict[str, Any]

    def run(self) -> int:
        """Do what was called and return the exit status."""
        if switched_off(self.path[0]):
            return 0
        name = COMMANDS[self.path]
        return getattr(import_module(f"hipocampus.cli.{name}"), name)(self.call, **self.values) or 0


def read_words(words: list[str]) -> Known | None:
    """Return what a command line calls; None where it is not one of these commands, or not plainly right."""
    rest = iter(words)
    call, first = _read_root_options(rest)
    if first is None:
        return None
    path = (first,) if (first,) in COMMANDS else (first, next(rest, ""))
    if path not in COMMANDS:
        return None
    takes: Words = import_module(f"hipocampus.cli.{COMMANDS[path]}").WORDS
    values = _read_options(rest, takes)
    if values is None or (takes.rest and takes.rest[1] == NEEDED and takes.rest[0] not in values):
        return None
    return Known(path, call, values)


def _read_root_options(rest: Iterator[str]) -> tuple[Call, str | None]:
    """The options before the command's name, and that name; None where something else stands there."""
    root, debug = None, False
    for word in rest:
        if word == "--debug":
            debug = True
        elif word == "--root":
            root = next(rest, None)
            if root is None or _is_option(root):
                return Call(None, debug), None
        elif word.startswith("--root="):
            root = word.removeprefix("--root=")
        else:
            return Call(root, debug), word
    return Call(root, debug), None


def _read_options(rest: Iterator[str], takes: Words) -> dict[str, Any] | None:
    """The parameters of a command that its words give; None where one of them is not plainly right."""
    values: dict[str, Any] = {}
    for word in rest:
        if word == "--":
            return values if _add_words(values, takes, list(rest)) else None
        if not _is_option(word):
            if not _add_words(values, takes, [word]):
                return None
            continue
        name, equals, given = word.partition("=") if word.startswith("--") else (word, "", "")
        parameter, kind = takes.options.get(name, ("", ""))
        if not parameter or (kind == FLAG and equals):
            return None
        if kind == FLAG:
            values[parameter] = True
            continue
        text = given if equals else next(rest, None)
        value = None if text is None or (not equals and _is_option(text)) else _value(kind, text)
        if value is None:
            return None
        if kind == TEXTS:
            values.setdefault(parameter, []).append(value)
        else:
            values[parameter] = value  # of an option that stands twice the last one counts
    return values


def _add_words(values: dict[str, Any], takes: Words, words: list[str]) -> bool:
    """Add words that are no options to `values`; False where the command takes no more of them."""
    if not words:
        return True
    if takes.rest is None:
        return False
    parameter, kind = takes.rest
    if kind == TEXTS:
        values.setdefault(parameter, []).extend(words)
    elif len(words) == 1 and parameter not in values:
        values[parameter] = words[0]
    else:
        return False
    return True


def _value(kind: str | tuple[str, ...], text: str) -> str | int | None:
    """What an option's text means; None where it is none of the words that the option knows, or no number."""
    if kind == COUNT:
        return int(text) if text.isascii() and text.isdecimal() and int(text) > 0 else None
    return text if not isinstance(kind, tuple) or text in kind else None


def _is_option(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")
