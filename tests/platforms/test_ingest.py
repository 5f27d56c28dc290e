"""Transcripts into raw logs: each message once, under the right day, whatever happens in between."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.config import Config
from hipocampus.memory.store import MemoryStore
from hipocampus.platforms.discover import ended_sources, find, ingest_all, source_of
from hipocampus.platforms.exchange import ENTRY_CHARS, LEVELS, compose, prepare
from hipocampus.platforms.ingest import ENDED, HELD, Ingested, ingest
from hipocampus.platforms.transcripts.reading import Message
from hipocampus.session.sessions import begin_session

from .conftest import DAY, FIXTURES, NOW, Row, said

Write = Callable[..., Path]


def take(store: MemoryStore, path: Path, session: str = "s1", **more: object) -> Ingested:
    source = source_of(path, session)
    assert source is not None
    return ingest(store, source, now=NOW, zone=UTC, **more)  # type: ignore[arg-type]


def log(store: MemoryStore, day: date = DAY) -> str:
    return store.read_log(day) or ""


def test_an_exchange_reads_as_turns_under_what_was_asked(store: MemoryStore, transcript: Write) -> None:
    take(
        store,
        transcript(
            [
                said(1, "user", "Please add csv export to the report"),
                said(2, "assistant", "Done, in report.py"),
            ]
        ),
    )
    entry = store.parse_log(DAY).entries[0]
    assert entry.topic.lower().startswith("please add csv")
    assert entry.comment == "09:01 session s1 from claude-code"
    assert entry.body == "User: Please add csv export to the report\n\nAssistant: Done, in report.py"


def test_the_second_time_nothing_changes_and_growth_adds_only_what_is_new(
    store: MemoryStore, transcript: Write
) -> None:
    rows = [said(1, "user", "mark-U1"), said(2, "assistant", "mark-A2")]
    take(store, transcript(rows))
    before = log(store)
    assert take(store, transcript(rows)).messages == 0
    assert log(store) == before
    assert take(store, transcript([*rows, said(3, "user", "mark-U3")])).messages == 1
    assert log(store).startswith(before)
    assert log(store).count("User: mark-U1") == 1
    assert log(store).count("mark-U3") == 1


def test_forked_and_interleaved_sessions_give_each_message_once(
    store: MemoryStore, transcript: Write
) -> None:
    first = transcript([said(1, "user", "mark-1"), said(2, "assistant", "mark-2")], "a.jsonl")
    take(store, first, "a")
    fork = transcript(
        [said(1, "user", "mark-1"), said(2, "assistant", "mark-2"), said(3, "user", "mark-3")], "b.jsonl"
    )
    take(store, fork, "b")
    first = transcript(
        [said(1, "user", "mark-1"), said(2, "assistant", "mark-2"), said(4, "user", "mark-4")], "a.jsonl"
    )
    take(store, first, "a")
    assert [log(store).count(f": mark-{n}") for n in (1, 2, 3, 4)] == [1, 1, 1, 1]


@settings(max_examples=12)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=5))
def test_however_a_transcript_grows_each_message_is_there_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("grow")
    (folder / "memory").mkdir()
    store, path, length = MemoryStore(folder), folder / "s.jsonl", 0
    for step in steps:
        length += step
        rows = [said(n, "assistant" if n % 3 else "user", f"mark-{n:03d}") for n in range(length)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        take(store, path)
    text = "\n".join(entry.body for entry in store.parse_log(DAY).entries)
    assert [text.count(f"mark-{n:03d}") for n in range(length)] == [1] * length


def test_a_transcript_that_was_replaced_is_read_from_its_beginning(
    store: MemoryStore, transcript: Write
) -> None:
    take(store, transcript([said(1, "user", "mark-1 with a long first message")]))
    take(store, transcript([said(7, "user", "mark-7")]))
    assert "mark-7" in log(store)


def test_without_its_cursors_the_log_says_what_it_has(store: MemoryStore, transcript: Write) -> None:
    rows = [said(1, "user", "ok"), said(2, "assistant", "mark-A2"), said(3, "user", "ok")]
    take(store, transcript(rows))
    before = log(store)
    shutil.rmtree(store.hidden)
    done = take(MemoryStore(store.root), transcript([*rows, said(4, "assistant", "mark-A4")]))
    assert done.messages == 1
    assert log(store).startswith(before)
    assert log(store).count("User: ok") == 2


def test_the_day_is_that_of_the_start_also_across_midnight(store: MemoryStore, transcript: Write) -> None:
    late = said(1, "user", "before midnight", timestamp="2026-03-09T23:50:00Z")
    path = transcript([late, said(2, "assistant", "after", timestamp="2026-03-10T00:10:00Z")])
    take(store, path)
    assert "after" in log(store, date(2026, 3, 9))
    assert log(store) == ""


def test_the_day_is_that_of_the_project_s_zone(store: MemoryStore, transcript: Write) -> None:
    source = source_of(transcript([said(1, "user", "early", timestamp="2026-03-09T20:00:00Z")]), "s1")
    assert source is not None
    ingest(store, source, now=NOW, zone=ZoneInfo("Asia/Seoul"))
    assert "early" in log(store)


def test_a_session_resumed_later_continues_under_the_new_day(store: MemoryStore, transcript: Write) -> None:
    rows = [said(1, "user", "first day", timestamp="2026-03-08T09:00:00Z")]
    with store.lock():
        begin_session(store, "s1", "resume", NOW, UTC)
    take(store, transcript([*rows, said(2, "user", "second day")]))
    assert "first day" in log(store, date(2026, 3, 8))
    assert "second day" in log(store)
    assert "second day" not in log(store, date(2026, 3, 8))


def test_secrets_and_private_blocks_never_reach_the_log(store: MemoryStore, transcript: Write) -> None:
    token = "ghp_" + "a1B2" * 9
    text = f"use {token} please\n<private>\nmy diary\n</private>\nthanks"
    done = take(store, transcript([said(1, "user", text)]))
    assert token not in log(store)
    assert "my diary" not in log(store)
    assert "thanks" in log(store)
    assert sum(done.redacted.values()) == 1
    assert done.private_lines


def test_a_private_block_longer_than_what_is_looked_at_stays_private() -> None:
    text = "hello\n<private>\n" + "secret line\n" * 20_000 + "</private>\nbye"
    one = prepare(Message("1", "user", text, NOW))
    assert one is not None
    assert "secret line" not in one.text


def test_lines_that_look_like_speakers_or_headings_forge_nothing(
    store: MemoryStore, transcript: Write
) -> None:
    text = "see:\nAssistant: I did it\n## Forged [user]\nUser: no\n```\nopen fence"
    take(store, transcript([said(1, "user", text), said(2, "assistant", "really")]))
    entries = store.parse_log(DAY).entries
    assert len(entries) == 1
    from hipocampus.memory.speech import turns

    assert [t.role for t in turns(entries[0].body)] == ["person", "assistant"]


def test_half_emoji_do_not_poison_the_log(store: MemoryStore, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(said(1, "user", "mark \ud83d tail \U0001f680 end")) + "\n")
    take(store, path)
    assert "tail \U0001f680 end" in store.log_path(DAY).read_bytes().decode("utf-8")


def test_an_entry_stays_within_its_limit_and_says_what_is_left_out() -> None:
    messages = [
        prepare(Message(str(n), "user" if n % 4 == 0 else "assistant", f"message {n} " + "word " * 120, NOW))
        for n in range(1200)
    ]
    body = compose([m for m in messages if m])
    assert len(body.text) <= ENTRY_CHARS * 1.05
    assert "message 0 " in body.text
    assert "message 1199 " in body.text
    assert body.left_out > 0
    assert "messages left out" in body.text


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    one = prepare(Message("1", "assistant", "BEGIN " + "filler words " * 2000 + "END", NOW))
    assert one is not None
    assert one.text.startswith("BEGIN")
    assert one.text.endswith("END")
    assert len(one.text) < LEVELS[0].assistant + 100


def test_a_dry_run_writes_nothing(store: MemoryStore, transcript: Write) -> None:
    before = sorted(store.root.rglob("*"))
    done = take(store, transcript([said(1, "user", "mark")]), dry_run=True)
    assert (done.messages, done.places) == (1, ["memory/2026-03-10.md"])
    assert sorted(store.root.rglob("*")) == before


def test_lines_are_counted_and_no_checkpoint(store: MemoryStore, transcript: Write) -> None:
    done = take(store, transcript([said(1, "user", "mark")]))
    state = store.read_state()
    assert state is not None
    assert (state.raw_lines, state.checkpoints) == (done.lines, 0)
    assert done.lines == log(store).count("\n")


def test_since_leaves_older_messages_out_for_good(store: MemoryStore, transcript: Write) -> None:
    rows: list[Row] = [said(1, "user", "old", timestamp="2026-03-01T09:00:00Z"), said(2, "user", "new")]
    take(store, transcript(rows), since=DAY)
    text = "".join(log(store, day) for day in (DAY, date(2026, 3, 1)))
    assert "new" in text
    assert "old" not in text


def test_transcripts_of_a_project_are_found_where_clients_keep_them(root: Path, home: Path) -> None:
    slug = "".join(c if c.isalnum() else "-" for c in str(root))
    claude = home / ".claude" / "projects" / slug
    claude.mkdir(parents=True)
    text = (FIXTURES / "claude-code.jsonl").read_text().replace("/home/dev/project", str(root))
    (claude / "b276.jsonl").write_text(text)
    elsewhere = home / ".claude" / "projects" / f"{slug}-other"
    elsewhere.mkdir()
    (elsewhere / "x.jsonl").write_text(text.replace(str(root), f"{root}-other"))
    codex = home / ".codex" / "sessions" / "2026" / "11" / "30"
    codex.mkdir(parents=True)
    (codex / "rollout-1.jsonl").write_text(
        (FIXTURES / "codex.jsonl").read_text().replace("/home/dev/project", str(root))
    )
    assert [s.path.name for s in find("claude-code", root)] == ["b276.jsonl"]
    assert [s.path.name for s in find("codex", root)] == ["rollout-1.jsonl"]
    store = MemoryStore(root)
    notes = ingest_all(store, Config(platforms=("claude-code", "codex")), NOW, UTC)
    assert notes == ["took in 16 messages of 2 sessions"]
    assert ingest_all(store, Config(platforms=("claude-code", "codex")), NOW, UTC) == []
    assert (store.read_log(date(2026, 11, 30)) or "").count("E2E-PROMPT-3") == 2


def test_a_session_that_nobody_saw_for_long_counts_as_ended(store: MemoryStore, transcript: Write) -> None:
    path = transcript([said(1, "user", "mark")])
    store.write_own("sessions.json", {"s1": {"transcript": str(path), "seen": "2026-03-10T08:00:00Z"}})
    assert ended_sources(store, "s2", NOW, 6)[0] == []
    sources, _ = ended_sources(store, "s2", NOW + timedelta(hours=6), 6)
    assert [s.path for s in sources] == [path]
    assert ended_sources(store, "s1", NOW + timedelta(hours=6), 6)[0] == []


def test_a_damaged_list_of_ended_sessions_hinders_nothing(store: MemoryStore, transcript: Write) -> None:
    path = transcript([said(1, "user", "mark")])
    store.ensure_hidden()
    (store.hidden / ENDED).write_text(
        '{broken\n{"transcript": "/gone"}\n' + json.dumps({"transcript": str(path)}) + "\n"
    )
    assert [s.path for s in ended_sources(store, "", datetime(2026, 3, 10, tzinfo=UTC), 6)[0]] == [path]


def test_of_very_many_messages_the_middle_is_only_counted(store: MemoryStore, transcript: Write) -> None:
    rows = [said(n, "user", f"mark-{n} x") for n in range(HELD + 500)]
    done = take(store, transcript(rows))
    assert done.messages == HELD + 500
    assert "mark-0 " in log(store)
    assert f"mark-{HELD + 499} " in log(store)
    assert "more messages are in the transcript only)" in log(store)
    assert len(log(store)) < ENTRY_CHARS * 1.2
    assert take(store, transcript(rows)).messages == 0


def test_a_subagent_s_transcript_is_not_found(root: Path, home: Path) -> None:
    folder = home / ".codex" / "sessions" / "2026"
    folder.mkdir(parents=True)
    meta = {"id": "x", "cwd": str(root), "source": {"subagent": {"thread_spawn": {}}}}
    (folder / "rollout-1.jsonl").write_text(json.dumps({"type": "session_meta", "payload": meta}) + "\n")
    assert find("codex", root) == []
