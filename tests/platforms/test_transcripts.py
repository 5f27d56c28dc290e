"""Readers: what people and agents said, from real recordings and from what the formats allow."""

import json
import sqlite3
from pathlib import Path

import pytest

from hipocampus.errors import ReadError
from hipocampus.platforms.transcripts import claude_code, codex, gemini, openclaw, opencode
from hipocampus.platforms.transcripts.reading import LINE_BYTES, Message, Reader, Reading, without_injected

from .conftest import FIXTURES, said


def read(reader: Reader, path: Path, offset: int = 0) -> tuple[list[Message], Reading]:
    reading = Reading(offset=offset)
    return list(reader(path, reading)), reading


def test_claude_code_gives_prompts_and_replies_and_neither_tools_nor_summaries() -> None:
    messages, reading = read(claude_code.read, FIXTURES / "claude-code.jsonl")
    assert [(m.role, m.text.split()[0]) for m in messages] == [
        ("user", "E2E-PROMPT-1"),
        ("assistant", "MOCK-REPLY"),
        ("user", "E2E-PROMPT-2"),
        ("assistant", "MOCK-REPLY"),
        ("assistant", "MOCK-REPLY"),
        ("user", "E2E-PROMPT-3"),
        ("assistant", "MOCK-REPLY"),
        ("user", "E2E-PROMPT-4"),
        ("assistant", "MOCK-REPLY"),
    ]
    assert reading.cwd == "/home/dev/project"
    assert reading.session.startswith("b276b411")
    assert reading.broken == 0


def test_codex_gives_prompts_and_replies_without_context_and_its_own_summary() -> None:
    messages, reading = read(codex.read, FIXTURES / "codex.jsonl")
    assert [m.text.split()[0] for m in messages if m.role == "user"] == [
        "E2E-PROMPT-1",
        "E2E-PROMPT-2",
        "E2E-PROMPT-3",
    ]
    assert [m.text for m in messages if m.role == "assistant"] == [f"MOCK-REPLY {n}" for n in (1, 2, 3, 5)]
    assert reading.cwd == "/home/dev/project"


def test_gemini_repeats_a_resumed_history_under_the_same_ids() -> None:
    messages, _ = read(gemini.read, FIXTURES / "gemini.jsonl")
    unique = list({m.id: m.text for m in messages}.values())
    assert unique == ["E2E-PROMPT-1 hello", "MOCK-REPLY 1", "E2E-PROMPT-2 resumed", "MOCK-REPLY 2"]


def test_older_gemini_chats_are_one_json_document(tmp_path: Path) -> None:
    path = tmp_path / "session-1.json"
    rows = [{"id": "1", "type": "user", "content": "hello", "timestamp": "2026-03-10T09:00:00Z"}]
    path.write_text(json.dumps({"sessionId": "g1", "messages": rows}))
    messages, reading = read(gemini.read, path)
    assert [m.text for m in messages] == ["hello"]
    assert reading.session == "g1"


def test_opencode_leaves_out_synthetic_parts_and_summaries() -> None:
    messages, reading = read(opencode.read, FIXTURES / "opencode.json")
    assert [m.text for m in messages if m.role == "assistant"] == [f"MOCK-REPLY {n}" for n in (2, 3, 4, 6, 7)]
    assert sum(m.role == "user" for m in messages) == 3
    assert reading.cwd == "/home/dev/project"


def test_opencode_database_gives_what_its_export_gives(tmp_path: Path) -> None:
    exported = json.loads((FIXTURES / "opencode.json").read_text())
    path = tmp_path / "opencode.db"
    db = sqlite3.connect(path)
    db.execute("create table session (id, parent_id, directory, time_created integer, time_updated integer)")
    db.execute("create table message (id, session_id, time_created integer, data)")
    db.execute("create table part (id, message_id, session_id, time_created integer, data)")
    info = exported["info"]
    db.execute("insert into session values (?, null, ?, 1, 2)", (info["id"], info["directory"]))
    for at, message in enumerate(exported["messages"]):
        inner = dict(message["info"])
        db.execute(
            "insert into message values (?, ?, ?, ?)", (inner.pop("id"), info["id"], at, json.dumps(inner))
        )
        for n, part in enumerate(message["parts"]):
            db.execute(
                "insert into part values (?, ?, ?, ?, ?)",
                (part["id"], message["info"]["id"], info["id"], at * 100 + n, json.dumps(part)),
            )
    db.commit()
    db.close()
    assert opencode.sessions(path, Path("/home/dev/project")) == [(info["id"], 2)]
    from_db = list(opencode.read_session(path, info["id"], Reading()))
    assert from_db == read(opencode.read, FIXTURES / "opencode.json")[0]


def test_a_file_that_is_no_database_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 20)
    with pytest.raises(ReadError, match="OpenCode's database"):
        opencode.sessions(path, tmp_path)


def test_openclaw_gives_turns_and_not_the_heartbeat(tmp_path: Path) -> None:
    rows = [
        {"type": "session", "id": "oc1", "cwd": "/home/dev/project", "timestamp": "2026-03-10T09:00:00Z"},
        {
            "type": "message",
            "id": "1",
            "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        },
        {
            "type": "message",
            "id": "2",
            "message": {"role": "toolResult", "content": [{"type": "text", "text": "T"}]},
        },
        {
            "type": "message",
            "id": "3",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "yes"}]},
        },
        {
            "type": "message",
            "id": "4",
            "message": {"role": "user", "content": "Read HEARTBEAT.md if it exists"},
        },
        {"type": "message", "id": "5", "message": {"role": "assistant", "content": "HEARTBEAT_OK"}},
    ]
    path = tmp_path / "oc.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    messages, reading = read(openclaw.read, path)
    assert [m.text for m in messages] == ["hi", "yes"]
    assert (reading.session, reading.cwd) == ("oc1", "/home/dev/project")


@pytest.mark.parametrize(
    "more",
    [
        {"isSidechain": True},
        {"isMeta": True},
        {"isCompactSummary": True},
        {"isVisibleInTranscriptOnly": True},
        {"promptSource": "system"},
        {"message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
        {"message": {"role": "user", "content": "<local-command-stdout>x</local-command-stdout>"}},
        {"message": {"role": "user", "content": "<task-notification>done</task-notification>"}},
        {"message": {"role": "user", "content": [{"type": "tool_result", "content": "output"}]}},
        {"message": {"role": "user", "content": "<system-reminder>\nthe whole text"}},
    ],
)
def test_rows_that_nobody_said_are_left_out(more: dict[str, object], transcript) -> None:  # type: ignore[no-untyped-def]
    assert read(claude_code.read, transcript([said(1, "user", "text", **more)]))[0] == []


def test_a_reminder_is_cut_out_of_a_message_and_the_rest_kept() -> None:
    text = "before <system-reminder>\nmemory: x\n</system-reminder>\nafter"
    assert without_injected(text) == "before after"
    assert without_injected("the <system-reminder> tag is theirs") == "the <system-reminder> tag is theirs"


def test_images_are_placeholders(transcript) -> None:  # type: ignore[no-untyped-def]
    blocks = [{"type": "text", "text": "look"}, {"type": "image", "source": {"data": "A" * 1000}}]
    row = said(1, "user", "", message={"role": "user", "content": blocks})
    assert read(claude_code.read, transcript([row]))[0][0].text == "look\n\n[image]"


def test_broken_lines_are_counted_and_an_unfinished_one_is_read_later(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    whole = json.dumps(said(1, "user", "one")) + "\n"
    last = json.dumps(said(2, "user", "two"))
    path.write_text(whole + '{"type": "user", broken\n' + last[:40])
    messages, reading = read(claude_code.read, path)
    assert ([m.text for m in messages], reading.broken) == (["one"], 1)
    path.write_text(whole + '{"type": "user", broken\n' + last)
    messages, again = read(claude_code.read, path, reading.offset)
    assert [m.text for m in messages] == ["two"]
    assert again.offset == path.stat().st_size


def test_a_line_beyond_the_limit_is_skipped_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    with path.open("wb") as file:
        file.write(json.dumps(said(1, "user", "one")).encode() + b"\n")
        file.write(b'{"type":"user","message":{"content":"' + b"x" * (LINE_BYTES + 10) + b'"}}\n')
        file.write(json.dumps(said(2, "user", "two")).encode() + b"\n")
    messages, reading = read(claude_code.read, path)
    assert [m.text for m in messages] == ["one", "two"]
    assert reading.too_long == 1
    assert reading.offset == path.stat().st_size
