"""The commands as a person or script calls them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hipocampus.cli.entry import run

from .test_client import Answer, serving

FULL = Path("/dev/full")  # a device on which nothing can be written
AT = "2026-03-15T09:00:00Z"


@pytest.fixture
def hipo(root, monkeypatch, capsys):
    """Runs a command in the memory and returns status, stdout and stderr."""
    monkeypatch.setenv("HIPO_NOW", AT)

    def call(*words, stdin=None):
        import io

        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
        status = run(["--root", str(root), "brain", *words])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def process(root, *words, **more):
    """Starts the command as a process of its own."""
    env = {**os.environ, "HIPO_NOW": AT, "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "hipocampus", "--root", str(root), "brain", *words]
    return subprocess.Popen(
        command, env=env, text=True, stderr=subprocess.PIPE, **{"stdin": subprocess.DEVNULL, **more}
    )


def configure(root, **brain):
    (root / "hipocampus.config.json").write_text(json.dumps({"brain": brain}))


def test_from_a_handoff_to_a_dry_run_without_a_key(hipo):
    status, out, _ = hipo(
        "handoff",
        "write",
        "--to",
        "builder",
        "--from",
        "planner",
        "--link",
        "plan=plans/x.md",
        "the limiter is next",
    )
    assert (status, out) == (0, "left for builder → memory/brain/handoffs/builder.jsonl\n")
    status, out, _ = hipo("turn", "add", "--conversation", "c1", "--role", "user", stdin="which bucket?\n")
    assert (status, out) == (0, "stored → memory/brain/conversations/c1.jsonl\n")
    status, out, err = hipo(
        "think", "what is next?", "--agent", "builder", "--conversation", "c1", "--dry-run"
    )
    assert status == 0 and not err
    assert "from planner · just now\n~~~\nthe limiter is next\nplan: plans/x.md\n~~~" in out
    assert "user · just now\n~~~\nwhich bucket?\n~~~" in out
    assert out.endswith("## Message\nwhat is next?\n")
    status, out, _ = hipo("handoff", "read", "--for", "builder")
    assert out == "from planner · 2026-03-15T09:00:00Z (just now)\nthe limiter is next\n  plan: plans/x.md\n"
    status, out, err = hipo("handoff", "read", "--for", "builder")
    assert (status, out, err) == (0, "", "hipo: no handoffs for builder\n")


def test_the_json_of_a_prompt(hipo):
    hipo("handoff", "write", "--to", "builder", "note")
    _, out, _ = hipo("prompt", "-", "--agent", "builder", "--hot", "--json", stdin="a message")
    value = json.loads(out)
    assert value.keys() >= {"prompt", "chars", "sections", "overflow", "threshold"}
    assert (
        value["chars"] == len(value["prompt"]) and value["overflow"] is False and value["threshold"] == 24000
    )
    assert [s["name"] for s in value["sections"]] == ["persona", "hot", "rag", "handoffs", "message"]
    for section in value["sections"]:
        assert section.keys() == {"name", "chars", "cap", "included", "left_out", "sources"}
    assert value["sections"][3]["sources"] == ["memory/brain/handoffs/builder.jsonl"]


def test_the_printed_prompt_keeps_the_cap_with_its_newline(hipo):
    for most in range(370, 430, 7):
        status, out, _ = hipo("prompt", "what is next?", "--max-chars", str(most))
        assert status == 0 and len(out) <= most
    status, out, err = hipo("prompt", "what is next?", "--max-chars", "50")
    assert (status, out) == (1, "") and "persona" in err and err.count("\n") == 1


def test_history_shows_the_latest_turns(hipo):
    for number in range(4):
        hipo("turn", "add", "--conversation", "c1", "--role", "assistant", f"turn {number}")
    _, out, _ = hipo("history", "--conversation", "c1", "-n", "2", "--json")
    assert [turn["content"] for turn in json.loads(out)["turns"]] == ["turn 2", "turn 3"]
    _, out, _ = hipo("history", "--conversation", "c1", "-n", "1")
    assert out == "assistant · 2026-03-15T09:00:00Z (just now)\nturn 3\n\n"


@pytest.mark.parametrize(
    "words",
    [
        ("turn", "add", "--conversation", "../../evil", "--role", "user", "x"),
        ("turn", "add", "--conversation", "c1", "--role", "robot", "x"),
        ("handoff", "write", "--to", "a/b", "x"),
        ("handoff", "write", "--to", "a", "--link", "nothing", "x"),
        ("handoff", "write", "--to", "a", ""),
        ("handoff", "read", "--for", ".."),
        ("prompt", "x", "--memory", "shared"),
        ("prompt", "x", "--query", "w" * 501),
        ("query", "w" * 501),
        ("query", "w", "-n", "21"),
        ("think", "x", "--max-tokens", "4097"),
        ("think", ""),
        ("think", "x", "--provider", "gpt"),
        ("sync", "resume", "nonsense"),
        ("ingest", "-"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line_and_changes_nothing(hipo, root, words):
    status, out, err = hipo(*words, stdin="")
    assert status == 2 and not out and err.startswith("hipo: ") and err.count("\n") == 1
    assert not (root / "memory" / "brain").exists()


def test_a_model_that_cannot_be_asked_is_one_line(hipo, root):
    status, out, err = hipo("think", "hello", "--conversation", "c1")
    assert (status, out) == (
        1,
        "",
    ) and err == "hipo: openrouter: no key; set OPENROUTER_API_KEY, or name another provider\n"
    assert "hello" in hipo("history", "--conversation", "c1")[1]


def test_thinking_with_a_program_needs_no_key(hipo, root):
    configure(root, provider="command", command=["sh", "-c", "tail -n 1 | tr a-z A-Z"])
    status, out, _ = hipo("think", "hello", "--conversation", "c1")
    assert (status, out) == (0, "HELLO\n")
    _, out, _ = hipo("think", "again", "--conversation", "c1", "--json")
    value = json.loads(out)
    assert (value["reply"], value["provider"], value["stored"]) == ("AGAIN", "command", True)


def test_plans_documents_and_capsules(hipo, root):
    (root / "plans").mkdir()
    (root / "plans" / "x.md").write_text("## Phase 1: Limits\nagent: builder\n\n## Phase 2: Docs\n")
    _, out, _ = hipo("plan", "plans/x.md", "--to", "writer")
    assert out == "builder: Phase 1: Limits\nwriter: Phase 2: Docs\n2 handoffs written\n"
    _, out, _ = hipo("ingest", "-", "--source", "manual", stdin="# Manual\n\nThe limit is 200/s.\n")
    assert out == "taken in: Manual → knowledge/manual.md (29 characters, 1 chunks)\n"
    _, out, _ = hipo("query", "limit", "--json")
    assert json.loads(out)["results"][0]["path"] == "knowledge/manual.md"
    _, token, _ = hipo("sync", "export", "--agent", "builder")
    status, out, _ = hipo("sync", "resume", token.strip())
    assert status == 0 and "Phase 1: Limits" in out
    status, out, err = hipo("sync", "resume", token.strip())
    assert status == 1 and not out and "used already" in err


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_notes_that_cannot_be_printed_stay(hipo, root):
    hipo("handoff", "write", "--to", "builder", "do not lose me")
    with FULL.open("w") as full:
        reader = process(root, "handoff", "read", "--for", "builder", stdout=full)
        _, err = reader.communicate(timeout=60)
    assert reader.returncode == 1 and err.startswith("hipo: stdout: not written") and err.count("\n") == 1
    assert "do not lose me" in hipo("handoff", "read", "--for", "builder")[1]


def interrupted(root, begun):
    """Asks, waits until the model was reached, presses Ctrl-C; returns the process's end."""
    thinking = process(root, "think", "are you there?", "--conversation", "c1", stdout=subprocess.PIPE)
    for _ in range(600):
        if begun():
            break
        time.sleep(0.05)
    thinking.send_signal(signal.SIGINT)
    out, err = thinking.communicate(timeout=60)
    assert thinking.returncode == 130 and not out and "Traceback" not in err


def turns_of(hipo):
    turns = json.loads(hipo("history", "--conversation", "c1", "--json")[1])["turns"]
    return [(turn["role"], turn["content"]) for turn in turns]


def test_an_interrupted_program_leaves_a_consistent_history(hipo, root, tmp_path):
    mark = tmp_path / "begun"
    configure(root, provider="command", command=["sh", "-c", f"touch '{mark}'; sleep 60"])
    interrupted(root, mark.exists)
    assert turns_of(hipo) == [("user", "are you there?")]


def test_an_interrupted_model_leaves_a_consistent_history(hipo, root, monkeypatch):
    configure(root, provider="ollama", model="m")
    with serving(Answer("{}", delay=3)) as (address, asked):
        monkeypatch.setenv("OLLAMA_HOST", address)
        interrupted(root, lambda: bool(asked))
    assert turns_of(hipo) == [("user", "are you there?")]


def test_a_terminal_gets_the_reply_as_it_is_streamed(root, monkeypatch):
    pty = pytest.importorskip("pty")
    first = json.dumps({"message": {"content": "first line\nsecond"}, "done": False}) + "\n"
    last = json.dumps({"message": {"content": " line"}, "done": True}) + "\n"
    with serving(Answer(first, last, kind="application/x-ndjson")) as (address, asked):
        monkeypatch.setenv("OLLAMA_HOST", address)
        monkeypatch.setenv("HIPO_LLM_PROVIDER", "ollama")
        monkeypatch.setenv("HIPO_LLM_MODEL", "m")
        ours, theirs = pty.openpty()
        thinking = process(root, "think", "hello", stdout=theirs)
        os.close(theirs)
        _, err = thinking.communicate(timeout=60)
        shown = os.read(ours, 10_000).decode()
        os.close(ours)
    assert thinking.returncode == 0 and not err
    assert shown.replace("\r\n", "\n") == "first line\nsecond line\n"
    assert asked[0][2]["stream"] is True and asked[0][2]["options"]["num_predict"] == 1024


def test_a_store_that_is_gone_is_one_line_and_the_prompt_goes_on(hipo, root, free_port, monkeypatch):
    monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{free_port}/0")
    configure(root, store="redis")
    status, out, err = hipo("turn", "add", "--conversation", "c1", "--role", "user", "x")
    line, *unsaved = err.splitlines()
    assert (status, out) == (1, "") and f"redis at 127.0.0.1:{free_port}" in line
    assert unsaved == ["x"]  # what could not be stored comes back
    status, out, err = hipo("prompt", "x", "--agent", "builder")
    assert status == 0 and out.endswith("## Message\nx\n") and "handoffs: left out" in err
    assert not (root / "memory" / "brain").exists()


def test_a_prompt_loads_neither_a_http_library_nor_redis(root):
    script = (
        "import sys\nfrom hipocampus.cli.entry import run\n"
        f"status = run(['--root', {str(root)!r}, 'brain', 'prompt', 'x', '--agent', 'a', '--hot'])\n"
        "heavy = {'httpx', 'redis', 'asyncio', 'rich', 'anyio', 'ssl'} & set(sys.modules)\n"
        "sys.exit(f'{status} {heavy}' if status or heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr


def test_every_command_has_help_with_an_example(hipo):
    for words in (
        ("prompt",), ("think",), ("turn", "add"), ("history",), ("handoff", "write"), ("handoff", "read"), ("ingest",),
        ("query",), ("plan",), ("sync", "export"), ("sync", "resume"),
    ):  # fmt: skip
        status, out, _ = hipo(*words, "--help")
        assert status == 0 and "Example: hipo brain" in out
