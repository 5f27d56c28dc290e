"""Any text and any bytes: a result or one clear error, in time that grows with their length and no faster."""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.texts import anything, examples, markdown

from hipocampus.config import load_config
from hipocampus.errors import HipoError
from hipocampus.memory.entries import parse_log, split_lines
from hipocampus.memory.hot import guard_imports, sections, without_comments
from hipocampus.memory.nodes import parse_node, render_node
from hipocampus.memory.state import BrokenState, parse_state
from hipocampus.platforms.discover import READERS, source_of
from hipocampus.platforms.exchange import prepare
from hipocampus.platforms.hook import parse_event
from hipocampus.platforms.transcripts.reading import USER, Message, Reading, without_injected
from hipocampus.recall.query import parse_query
from hipocampus.session.tasklist import queued_tasks, working_tasks
from hipocampus.session.worth import shrink

LINES = [name for name in READERS if name != "opencode"]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
# Rows with the keys that the readers look at, and anything at all behind them.
_KEYS = (
    "type role uuid id sessionId session_id timestamp message content text payload parentUuid isMeta cwd parts messages "
    "info sessionID time kind $set projectHash startTime lastUpdated isSidechain toolUseResult summary version"
).split()
_KINDS = st.sampled_from(
    [
        "user",
        "assistant",
        "message",
        "response_item",
        "session_meta",
        "event_msg",
        "session",
        "gemini",
        "text",
        "input_text",
    ]
)
rows: st.SearchStrategy[Any] = st.recursive(
    st.dictionaries(st.sampled_from(_KEYS), json_values | _KINDS, max_size=7),
    lambda inner: st.dictionaries(st.sampled_from(_KEYS), inner | _KINDS | json_values, max_size=7),
    max_leaves=6,
)
lines = st.one_of(
    rows.map(json.dumps).map(str.encode), json_values.map(json.dumps).map(str.encode), st.binary(max_size=40)
)


@pytest.mark.parametrize("platform", READERS)
@examples(15)
@given(each=st.lists(lines, max_size=6), tail=st.binary(max_size=10))
def test_any_transcript_is_read_or_refused(
    platform: str, each: list[bytes], tail: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b"\n".join([*each, tail]))
    reading = Reading()
    try:
        messages = list(READERS[platform](path, reading))
    except HipoError:
        return
    for message in messages:
        assert message.id and isinstance(message.text, str)
        prepare(message)
    assert 0 <= reading.offset <= path.stat().st_size
    assert source_of(path) is not None


@pytest.mark.parametrize("platform", LINES)
@examples(15)
@given(each=st.lists(rows, min_size=1, max_size=5), cut=st.integers(0, 400))
def test_a_transcript_read_in_two_parts_gives_what_it_gives_at_once(
    platform: str, each: list[Any], cut: int, tmp_path: Path
) -> None:
    path = tmp_path / "transcript.jsonl"
    whole = "".join(json.dumps(row) + "\n" for row in each).encode()
    path.write_bytes(whole)
    at_once = [m.id for m in READERS[platform](path, Reading())]
    path.write_bytes(whole[:cut])
    reading = Reading()
    parts = [m.id for m in READERS[platform](path, reading)]
    path.write_bytes(whole)
    parts += [m.id for m in READERS[platform](path, reading)]
    assert set(parts) == set(at_once)


@given(anything | markdown)
def test_any_text_is_a_query_a_log_a_node_a_hot_file_and_no_bug(text: str) -> None:
    query = parse_query(text)
    assert query.empty or any(char.isalnum() for char in text)
    assert render_node((node := parse_node(text)).front, {}, node.body) or not text
    for read in (parse_log, sections_of, without_comments, guard_imports, shrink, working, queued):
        read(text)


@given(text=st.one_of(json_values, rows).map(json.dumps) | anything)
def test_any_text_is_a_state_a_config_and_a_hook_s_event_or_is_refused(text: str, tmp_path: Path) -> None:
    parse_event(text, None)
    try:
        parse_state(text)
    except BrokenState as error:
        assert "\n" not in str(error)
    (tmp_path / "hipocampus.config.json").write_text(text, "utf-8")
    try:
        load_config(tmp_path)
    except HipoError as error:
        assert error.exit_code == 2


def sections_of(text: str) -> object:
    return sections(text.split("\n"), 2)


def working(text: str) -> object:
    return working_tasks(split_lines(text), "WORKING.md")


def queued(text: str) -> object:
    return queued_tasks(split_lines(text), "TASK-QUEUE.md")


def node_again(text: str) -> object:
    node = parse_node(text)
    return render_node(node.front, {}, node.body)


def said(text: str) -> object:
    return prepare(Message("m1", USER, without_injected(text), None))


READ: dict[str, Callable[[str], object]] = {
    "log": parse_log,
    "node": node_again,
    "query": parse_query,
    "sections": sections_of,
    "comments": without_comments,
    "imports": guard_imports,
    "worth": shrink,
    "working": working,
    "queue": queued,
    "message": said,
    "event": lambda text: parse_event(text, None),
}
# What makes a careless pattern look at the same text again and again: openings that nobody closes, runs of one sign.
HARD = [
    "<!-- ",
    "```\n",
    "## [",
    "[a] ",
    "---\n",
    "- [ ] ",
    "  - x\n",
    "\n",
    " ",
    "<system-reminder>",
    "@a",
    '"',
    "「",
    "a-b.",
    "a'",
    "topics: [a, ",
    "가",
    "{",
    "+ x\n- y\n",
    "  File x, line 1\n",
]
N = 4_000  # characters; four times as many must not take sixteen times as long


@pytest.mark.parametrize("name", READ)
def test_no_text_takes_time_that_grows_faster_than_it(name: str) -> None:
    slow = []
    for piece in HARD:
        short, long = (piece * (n // len(piece)) for n in (N, 4 * N))
        if (once := least_cpu(READ[name], long)) < 0.02:  # too quick to be of any harm at this length
            continue
        if once > 9 * least_cpu(READ[name], short) + 0.02:
            slow.append((piece, once))
    assert not slow


def least_cpu(read: Callable[[str], object], text: str) -> float:
    """The least seconds of this process that a call took: others on the machine do not count."""
    gc.disable()
    try:
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            read(text)
            best = min(best, time.process_time() - start)
        return best
    finally:
        gc.enable()
