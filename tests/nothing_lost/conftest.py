"""A memory that was lived in, made once, and a copy of it for each trial."""

import os
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from hypothesis import settings

import hipocampus
from hipocampus.memory.store import clean
from nothing_lost.commands import make_memory

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


@pytest.fixture(autouse=True)
def _hipo_is_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks call `hipo`; without such a program doctor calls them dead."""
    program = tmp_path / "bin" / "hipo"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


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
