"""What the brain's tests share: a memory, both stores, a real Redis, and guards around home and network."""

import shutil
import socket
import subprocess
import time
from datetime import UTC, datetime

import pytest

from hipocampus.brain.filestore import FileLists
from hipocampus.memory.store import MemoryStore

NOW = datetime(2026, 3, 15, 9, 0, tzinfo=UTC)
REAL_CONNECT = socket.socket.connect


@pytest.fixture(autouse=True)
def guarded(tmp_path_factory, monkeypatch):
    """No test reaches a real home, a real key or a server outside this machine."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in (
        "OPENROUTER_API_KEY",
        "ANTHROPIC_API_KEY",
        "OPENROUTER_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "OLLAMA_HOST",
        "HIPO_LLM_PROVIDER",
        "HIPO_LLM_MODEL",
        "HIPO_ROOT",
        "HIPO_OFF",
        "HIPO_NOW",
        "REDIS_URL",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)

    def connect(self, address):
        inside = self.family == getattr(socket, "AF_UNIX", None) or address[0] in (
            "127.0.0.1",
            "::1",
            "localhost",
        )
        assert inside, f"a test tried to reach {address}"
        return REAL_CONNECT(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "memory").mkdir()
    return tmp_path


@pytest.fixture
def store(root):
    return MemoryStore(root)


@pytest.fixture
def files(store):
    return FileLists(store, NOW)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory):
    """The address of a Redis server of our own, on a free port; a skip where the program is missing."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed (Debian: apt-get install redis-server)")
    pytest.importorskip("redis")
    for _ in range(5):  # the port can be taken between finding it free and using it
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder = tmp_path_factory.mktemp("redis")
        options = [
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--dir",
            str(folder),
        ]
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if process.poll() is not None:
                break
            try:
                with socket.create_connection(("127.0.0.1", port), 1) as probe:
                    probe.sendall(b"PING\r\n")
                    if probe.recv(16).startswith(b"+PONG"):
                        yield f"redis://127.0.0.1:{port}/0"
                        process.terminate()
                        process.wait(10)
                        return
            except OSError:
                time.sleep(0.05)
    pytest.fail("redis-server did not start")


@pytest.fixture
def redis_client(redis_server):
    import redis

    with redis.Redis.from_url(redis_server, decode_responses=True) as client:
        client.flushall()
        yield client


@pytest.fixture(params=["files", "redis"])
def lists(request):
    """Both stores, the same tests."""
    if request.param == "files":
        return request.getfixturevalue("files")
    request.getfixturevalue("redis_client")
    from hipocampus.brain.redisstore import RedisLists

    return RedisLists(request.getfixturevalue("redis_server"))


def fake_token():
    """A string of the shape of a secret, put together here so that none stands in a file."""
    return "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def free_port():
    """A port on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
