"""The short way of the daily commands: it reads what typer reads, or nothing, and loads no command-line library."""

import subprocess
import sys
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from support.trees import write_logs

from hipocampus.cli.app import app
from hipocampus.cli.shortway import COMMANDS, read_words
from hipocampus.cli.words import COUNT, ENTRY_TYPES, FLAG, NEEDED, TEXT, TEXTS, Words

ROOT = typer.main.get_command(app)
PATHS = sorted(COMMANDS)


def words_of(path: tuple[str, ...]) -> Words:
    takes = import_module(f"hipocampus.cli.{COMMANDS[path]}").WORDS
    assert isinstance(takes, Words)
    return takes


def declared(path: tuple[str, ...]) -> Any:
    """The command as typer has it."""
    command: Any = ROOT
    for name in path:
        command = command.get_command(typer.Context(command), name)
    return command


def by_typer(words: list[str]) -> tuple[tuple[str | None, bool], dict[str, Any]] | None:
    """The root's options and the command's parameters as typer reads them; None for wrong usage and for help."""
    try:
        context: Any = ROOT.make_context("hipo", list(words))
        root = (context.params["root"], context.params["debug"])
        command, rest = context.command, [*context._protected_args, *context.args]
        while hasattr(command, "get_command"):
            name, command, rest = command.resolve_command(context, rest)
            context = command.make_context(name, rest, parent=context)
            rest = [*getattr(context, "_protected_args", []), *context.args]
        return root, context.params
    except Exception as error:
        assert type(error).__module__.startswith(("typer", "hipocampus.errors")), error
        return None


def kind_of(parameter: Any) -> str | tuple[str, ...]:
    """What a parameter of typer takes, in the short way's words."""
    if getattr(parameter, "is_flag", False):
        return FLAG
    if parameter.param_type_name == "argument" and parameter.nargs == 1:
        return NEEDED if parameter.required else TEXT
    if hasattr(parameter.type, "choices"):
        return tuple(parameter.type.choices)
    if parameter.multiple or parameter.nargs == -1:
        return TEXTS
    if getattr(parameter.type, "min", None) == 1:
        return COUNT
    assert parameter.type.name == "str", parameter
    return TEXT


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_the_tables_say_what_is_declared(path: tuple[str, ...]) -> None:
    takes, options, rest = words_of(path), {}, None
    for parameter in declared(path).params:
        if parameter.param_type_name == "argument":
            rest = (parameter.name, kind_of(parameter))
        elif "--help" not in parameter.opts:
            assert not parameter.secondary_opts and len(parameter.opts) == 1
            options[parameter.opts[0]] = (parameter.name, kind_of(parameter))
    assert takes.options == options and takes.rest == rest


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """Command lines, right and wrong: options in every spelling, words, dashes, numbers, things that are no option."""
    path = draw(st.sampled_from(PATHS))
    takes = words_of(path)
    text = st.one_of(
        st.sampled_from(
            [
                "",
                "-",
                "--",
                "-5",
                "0",
                "7",
                "007",
                "+7",
                " 7",
                "٣",
                "x=y",
                "--force",
                "-h",
                "raw",
                *ENTRY_TYPES,
            ]
        ),
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5),
    )
    option = st.sampled_from([*takes.options, "--root", "--debug", "--nope", "--forc", "-x"])
    kinds = [kind for _, kind in takes.options.values()]
    choice = st.sampled_from([word for kind in kinds if isinstance(kind, tuple) for word in kind] or ["x"])
    word = st.one_of(
        text.map(lambda one: [one]),
        option.map(lambda one: [one]),
        st.tuples(option, st.one_of(text, choice)).map(list),
        st.tuples(option, st.one_of(text, choice)).map(lambda pair: ["=".join(pair)]),
        st.tuples(st.sampled_from(["-n"]), text).map(lambda pair: ["".join(pair)]),
    )
    before = draw(
        st.lists(
            st.sampled_from([["--root", "x"], ["--root=x"], ["--debug"], ["--root", "-"], ["--"]]), max_size=2
        )
    )
    after = draw(st.lists(word, max_size=5))
    return [*chain(*before), *path, *chain(*after)]


@given(lines())
def test_it_reads_what_typer_reads_or_nothing(words: list[str]) -> None:
    known = read_words(words)
    if known is None:
        return
    read = by_typer(words)
    assert read is not None, "typer refuses what was read"
    root, parameters = read
    assert tuple(known.call) == root
    given_ = {name: value for name, value in parameters.items() if name in known.values}
    assert {n: list(v) if isinstance(v, tuple) else v for n, v in given_.items()} == known.values
    function = getattr(import_module(f"hipocampus.cli.{COMMANDS[known.path]}"), COMMANDS[known.path])
    defaults = {**(function.__kwdefaults__ or {})}
    if known.path == ("brain", "prompt"):
        defaults |= import_module("hipocampus.cli.run_prompt").Wanted._field_defaults
    for name in parameters.keys() - known.values.keys():
        assert (parameters[name] or None) == (defaults[name] or None), f"{name} by default"


@pytest.mark.parametrize(
    "words",
    [
        "start --no-compact",
        "checkpoint Topic --outcome done --decision one --decision two",
        "recall what was decided -n 3 --json",
        "show 2026-03-15 --up",
        "compact --force --quiet",
        "status --due",
        "brain prompt hello --agent a --hot",
    ],
)
def test_the_daily_commands_load_no_command_line_library(words: str, root: Path) -> None:
    write_logs(root, {"2026-03-15": "## One [project]\n- outcome: done\n"})
    program = (
        "import sys\nfrom hipocampus.cli.entry import run\n"
        f"status = run(['--root', {str(root)!r}, *{words.split()!r}])\n"
        "assert not {'typer', 'rich', 'yaml', 'asyncio', 'argparse'} & sys.modules.keys(), sorted(sys.modules)\n"
        "sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize(
    "words",
    ["recall --help", "compact --nope", "show", "start --platform", "recall -n 0 x", "checkpoint a b"],
)
def test_help_and_wrong_usage_are_left_to_typer(words: str) -> None:
    assert read_words(words.split()) is None
