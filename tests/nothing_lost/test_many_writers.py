"""Fifty processes at once: no line lost, doubled or torn, no count off, and every one comes to its end."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from hipocampus.memory.entries import parse_log
from nothing_lost.commands import LATER
from nothing_lost.faults import Ended, begin_calls, call, end_calls

Words = tuple[list[str], str]
STATE = "memory/.compaction-state.json"
PATIENCE = 120  # seconds for the lock: a loaded machine is no failure here


def at_once(root: Path, each: list[list[str]]) -> list[Ended]:
    """Run the calls all at once, each in a child of its own, and return how they ended."""
    begun = [
        begin_calls(root, [(words, "")], now=LATER, name=f"p{number}", wait_seconds=PATIENCE)
        for number, words in enumerate(each)
    ]
    return [end_calls(child)[0] for child in begun]


def test_fifty_writers_of_every_kind_lose_and_double_nothing(trial: Callable[[], Path]) -> None:
    root = trial()
    call(root, ["compact", "--force"], now=LATER)
    saves = [["checkpoint", f"Topic {n}", "--outcome", f"step {n}"] for n in range(16)]
    turns = [
        ["brain", "turn", "add", "--conversation", "c9", "--role", "user", f"turn {n}"] for n in range(8)
    ]
    notes = [["brain", "handoff", "write", "--to", "builder", f"note {n}"] for n in range(8)]
    reads = [["brain", "handoff", "read", "--for", "builder", "--json"] for n in range(4)]
    tasks = [["task", "add", f"job {n}"] for n in range(5)]
    lines = [["note", "state", f"fact {n}"] for n in range(3)]
    others = [["compact", "--force"], ["start", "--session", "s5"], ["tidy", "--all"], ["doctor"]]
    searches = [["recall", "token", "bucket", "--json"]] * 2
    each = [*saves, *turns, *notes, *reads, *tasks, *lines, *others, *searches]
    assert len(each) == 50
    ended = at_once(root, each)
    failed = [
        (words, e) for words, e in zip(each, ended, strict=True) if e.status != 0 and words != ["doctor"]
    ]
    assert not failed
    log = (root / "memory/2026-03-16.md").read_text("utf-8")
    topics = [entry.topic for entry in parse_log(log).entries]
    assert sorted(t for t in topics if t.startswith("Topic ")) == sorted(f"Topic {n}" for n in range(16))
    conversation = (root / "memory/brain/conversations/c9.jsonl").read_text("utf-8").splitlines()
    assert sorted(json.loads(line)["content"] for line in conversation) == sorted(
        f"turn {n}" for n in range(8)
    )
    given = [note["summary"] for e in ended[32:36] for note in json.loads(e.out)["handoffs"]]
    inbox = root / "memory/brain/handoffs/builder.jsonl"
    left = inbox.read_text("utf-8").splitlines() if inbox.exists() else []
    assert sorted([*given, *(json.loads(line)["summary"] for line in left)]) == sorted(
        f"note {n}" for n in range(8)
    )
    queue = (root / "TASK-QUEUE.md").read_text("utf-8")
    assert sorted(re.findall(r"job \d", queue)) == [f"job {n}" for n in range(5)]
    scratchpad = (root / "SCRATCHPAD.md").read_text("utf-8")
    assert sorted(re.findall(r"fact \d", scratchpad)) == [f"fact {n}" for n in range(3)]
    assert not list(root.rglob("*.tmp"))


def test_what_forty_checkpoints_add_is_counted_to_the_line(trial: Callable[[], Path]) -> None:
    root = trial()
    call(root, ["compact", "--force"], now=LATER)
    log = root / "memory/2026-03-16.md"
    before = log.read_text("utf-8").count("\n") if log.exists() else 0
    each = [["checkpoint", f"Topic {n % 20}", "--outcome", f"step {n % 20}"] for n in range(40)]  # each twice
    ended = at_once(root, each)
    assert {e.status for e in ended} == {0}
    state = json.loads((root / STATE).read_text("utf-8"))
    assert state["checkpointsSinceLastCompaction"] == 20
    assert state["rawLinesSinceLastCompaction"] == log.read_text("utf-8").count("\n") - before
    places = {re.search(r"→ (\S+)", e.out)[1] for e in ended}  # type: ignore[index]
    assert len(places) == 20  # the second of two is told where the first one stands


def test_a_lock_that_is_held_gives_the_text_back_after_the_wait(trial: Callable[[], Path]) -> None:
    """The holder is stopped, as by Ctrl-Z; when it is killed instead, nobody waits."""
    root = trial()
    holder = os.fork()
    if not holder:
        from hipocampus.memory.store import MemoryStore

        MemoryStore(root).lock().acquire()
        (root / "held").touch()
        os.kill(os.getpid(), 19)
        os._exit(0)
    os.waitpid(holder, os.WUNTRACED)
    assert (root / "held").exists()
    saves = [
        (["checkpoint", "Topic", "--outcome", "kept by hand"], "kept by hand"),
        (["task", "done", "deploy", "--outcome", "kept by hand"], "kept by hand"),
        (["brain", "turn", "add", "--conversation", "c1", "--role", "user", "kept by hand"], "kept by hand"),
        (["brain", "handoff", "write", "--to", "builder", "kept by hand"], "kept by hand"),
        (["note", "state", "kept by hand"], "kept by hand"),
    ]
    try:
        for words, text in saves:
            ended = end_calls(begin_calls(root, [(words, "")], now=LATER, wait_seconds=0.05))[0]
            line, *rest = ended.err.splitlines()
            assert ended.status == 1 and f"(pid {holder})" in line and "waited 0.05 s" in line
            assert any(text in more for more in rest), ended.err
    finally:
        os.kill(holder, 9)
        os.waitpid(holder, 0)
    for words, _ in saves:
        assert end_calls(begin_calls(root, [(words, "")], now=LATER, wait_seconds=0))[0].status == 0
