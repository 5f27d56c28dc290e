"""Guards around every test: no real home, no real network, no leftover environment; and ways to run `hipo`."""

import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.command import Hipo

# Machines differ in speed, so no deadline; the same examples each time, so that a change is what breaks a test.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_FOREIGN = re.compile(
    r"(HIPO|CLAUDE|CODEX|GEMINI|OPENCODE|OPENROUTER|ANTHROPIC|OLLAMA|XDG)_|(NO_COLOR|FORCE_COLOR|COLUMNS)$"
)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "loopback: the test may connect to this machine itself")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-transcripts",
        action="store_true",
        help="write what the commands print into tests/transcripts",
    )


@pytest.fixture(scope="session")
def _nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nobodys-home")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, _nobodys_home: Path) -> Iterator[None]:
    """A test sees an empty home that must stay empty, UTC, and nothing of the machine's own settings."""
    for name in [name for name in os.environ if _FOREIGN.match(name)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(_nobodys_home))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    left = [path.name for path in _nobodys_home.iterdir()]
    assert not left, f"the test wrote into the home folder: {left}"


@pytest.fixture(autouse=True)
def _no_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Connecting raises. Tests marked `loopback` may reach this machine, Unix sockets are free for all."""
    allowed = request.node.get_closest_marker("loopback") is not None
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family != socket.AF_UNIX and not (allowed and host in ("127.0.0.1", "::1", "localhost")):
            raise AssertionError(f"the test reaches for the network: {address!r}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a memory tree in which nothing stands yet but a config file, by which it is found."""
    root = tmp_path / "project"
    (root / "memory").mkdir(parents=True)
    (root / "hipocampus.config.json").write_text("{}\n")
    return root


@pytest.fixture
def hipo(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Hipo]:
    """Run `hipo` in this process on the memory at `root`, at a fixed moment."""
    return Hipo(root, monkeypatch)
