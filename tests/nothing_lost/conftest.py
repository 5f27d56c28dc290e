"""A memory that was lived in, made once, and a copy of it for each trial."""

import os
import shutil
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import NamedTuple

import pytest
from hypothesis import settings

import hipocampus
from hipocampus.memory.store import clean
from nothing_lost.commands import COMMANDS, LATER, make_memory, stdin_of
from nothing_lost.faults import Ended, call, digests

WITH_EXTRAS = ("hipocampus.cli.mcp", "hipocampus.brain.redisstore", "hipocampus.__main__")


@pytest.fixture(scope="session")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The memory from which the trials begin. All of hipo is loaded first, so that its children need not."""
    for module in walk_packages(hipocampus.__path__, "hipocampus."):
        if module.name not in WITH_EXTRAS:
            import_module(module.name)
    clean("words")
    root = tmp_path_factory.mktemp("lived-in") / "project"
    make_memory(root)
    return root


@pytest.fixture(scope="session")
def _program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("bin") / "hipo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.fixture(autouse=True)
def _hipo_is_on_path(_program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks call `hipo`; without such a program doctor calls them dead."""
    monkeypatch.setenv("PATH", f"{_program.parent}{os.pathsep}{os.environ['PATH']}")


class Undisturbed(NamedTuple):
    """A command that nothing happens to: its steps, and the memory's files before and after it."""

    before: Mapping[str, str]  # file -> digest
    ended: Ended
    after: Mapping[str, str]


@pytest.fixture(scope="session")
def _undisturbed() -> dict[str, Undisturbed]:
    return {}


@pytest.fixture
def undisturbed(
    trial: Callable[[], Path], _undisturbed: dict[str, Undisturbed]
) -> Callable[[str], Undisturbed]:
    """Return how a command of COMMANDS goes when nothing happens, watched at each step; each is run once."""

    def run(name: str) -> Undisturbed:
        if name not in _undisturbed:
            command, root = COMMANDS[name], trial()
            before = digests(root)
            ended = call(root, command.words, stdin=stdin_of(command, root), now=LATER, watched=True)
            assert ended.status == 0 and ended.steps, ended
            _undisturbed[name] = Undisturbed(before, ended, digests(root))
        return _undisturbed[name]

    return run


@pytest.fixture
def trial(lived_in: Path, tmp_path: Path) -> Callable[[], Path]:
    """Return a fresh copy of the memory at each call, always in the same place."""
    root = tmp_path / "project"

    def copy() -> Path:
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(lived_in, root)
        return root

    return copy


@pytest.fixture
def few() -> Callable[[list[int], int, int], list[int]]:
    """Choose some of many steps, spread evenly, others for another `turn`; all of them where new examples are looked for."""

    def choose(steps: list[int], number: int, turn: int) -> list[int]:
        if (
            settings.default is settings.get_profile("explore")
            or os.environ.get("HYPOTHESIS_PROFILE") == "explore"
        ):
            return steps
        every = max(1, len(steps) // number)
        return steps[turn % every :: every][:number]

    return choose
