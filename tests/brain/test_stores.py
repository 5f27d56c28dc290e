"""Conversations and handoffs: one suite, run against files and against a real Redis."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from hipocampus.brain.conversation import append_turn, read_turns, remove_turns
from hipocampus.brain.filestore import FileLists
from hipocampus.brain.handoff import read_handoffs, remove_handoffs, taking_handoffs, write_handoff
from hipocampus.brain.openlists import open_lists
from hipocampus.brain.redisstore import RedisLists, server_name
from hipocampus.brain.stores import CONVERSATIONS, HANDOFFS
from hipocampus.config import BrainConfig
from hipocampus.errors import ConfigError, HipoError, UsageError
from hipocampus.memory.store import MemoryStore

from .conftest import NOW, fake_token


def note(lists, text, to="builder", **links):
    return write_handoff(lists, to, "planner", text, links, NOW)


def summaries(lists, agent="builder"):
    return [one.summary for one in read_handoffs(lists, agent)]


def test_a_turn_comes_back_as_it_was_stored(lists):
    append_turn(lists, "c1", "user", "which port?", agent="builder", tags=["net"], now=NOW)
    append_turn(lists, "c1", "assistant", "8443\nand 8444", now=NOW)
    first, second = read_turns(lists, "c1")
    assert (first.role, first.content, first.agent_id, first.tags) == (
        "user",
        "which port?",
        "builder",
        ("net",),
    )
    assert second.content == "8443\nand 8444"
    assert first.ts == "2026-03-15T09:00:00Z"
    assert json.loads(first.line).keys() == {"ts", "agent_id", "role", "content", "tags"}


def test_a_conversation_that_does_not_exist_is_empty(lists):
    assert read_turns(lists, "nobody") == []
    assert summaries(lists, "nobody") == []


def test_only_the_latest_fifty_turns_are_kept(lists):
    for number in range(53):
        append_turn(lists, "c1", "user", f"turn {number}", now=NOW)
    turns = read_turns(lists, "c1")
    assert [turn.content for turn in turns] == [f"turn {n}" for n in range(3, 53)]


def test_only_the_latest_hundred_notes_are_kept(lists):
    lists.push(HANDOFFS, "builder", [f'{{"summary": "{n}"}}' for n in range(98)])
    for number in range(98, 103):
        note(lists, str(number))
    assert summaries(lists) == [str(n) for n in range(3, 103)]


def test_every_stored_text_is_redacted(lists):
    token = fake_token()
    stored = note(lists, f"use {token}", login=f"https://example.org/?token={token}")
    turn = append_turn(lists, "c1", "user", f"my key is {token}", tags=[token], now=NOW)
    assert sum(stored.redacted.values()) >= 2 and turn.redacted
    lines = lists.read(HANDOFFS, "builder") + lists.read(CONVERSATIONS, "c1")
    assert len(lines) == 2 and not any(token in line for line in lines)


def test_text_without_content_is_refused(lists):
    with pytest.raises(UsageError):
        append_turn(lists, "c1", "user", " \n ", now=NOW)
    with pytest.raises(UsageError):
        note(lists, "")


def test_reading_clears_and_looking_does_not(lists):
    note(lists, "one")
    note(lists, "two", plan="plans/x.md")
    assert summaries(lists) == ["one", "two"]
    with taking_handoffs(lists, "builder") as notes:
        assert [n.summary for n in notes] == ["one", "two"]
        assert notes[1].links == {"plan": "plans/x.md"}
    assert summaries(lists) == []


@pytest.mark.parametrize("failure", [OSError("no space"), KeyboardInterrupt()])
def test_a_note_that_could_not_be_printed_stays(lists, failure):
    note(lists, "one")
    note(lists, "two")
    with pytest.raises(type(failure)), taking_handoffs(lists, "builder"):
        raise failure
    assert summaries(lists) == ["one", "two"]


def test_a_note_that_arrives_during_reading_stays(lists):
    note(lists, "early")
    with taking_handoffs(lists, "builder") as notes:
        note(lists, "late")
        assert [n.summary for n in notes] == ["early"]
    assert summaries(lists) == ["late"]


def test_notes_that_were_answered_are_removed_and_others_stay(lists):
    for text in ("one", "two", "two", "three"):
        note(lists, text)
    notes = read_handoffs(lists, "builder")
    remove_handoffs(lists, "builder", [notes[0], notes[1]])
    assert summaries(lists) == ["two", "three"]
    append_turn(lists, "c1", "user", "x", now=NOW)
    remove_turns(lists, "c1", read_turns(lists, "c1"))
    assert read_turns(lists, "c1") == []


def test_records_of_other_writers_are_read(lists):
    lists.push(
        HANDOFFS,
        "builder",
        ['{"ts": "2026-03-14T00:00:00+00:00", "summary": "s", "links": [{"type": "plan"}], "x": 1}'],
    )
    lists.push(HANDOFFS, "builder", ["{damaged"])
    lists.push(CONVERSATIONS, "c1", ['{"role": "user", "content": "hi", "task_id": null}', "[]", "{damaged"])
    first, second = read_handoffs(lists, "builder")
    assert first.links == {"1": '{"type": "plan"}'}
    assert second.summary == "{damaged"  # a note that cannot be parsed is still handed to somebody
    assert [turn.content for turn in read_turns(lists, "c1")] == ["hi"]


def test_of_ten_readers_each_note_reaches_exactly_one(lists):
    """Each reader has a store of its own, as ten processes would: locks and connections are not shared."""

    def opened():
        if isinstance(lists, RedisLists):
            return RedisLists(lists.url)
        return FileLists(MemoryStore(lists.store.root, 30), NOW)

    def take(_):
        with taking_handoffs(opened(), "builder") as notes:
            return [one.summary for one in notes]

    for number in range(20):
        note(lists, f"n{number}")
    with ThreadPoolExecutor(11) as pool:
        readers = [pool.submit(take, number) for number in range(10)]
        writer = opened()
        for number in range(20, 25):
            note(writer, f"n{number}")
        got = [text for reader in readers for text in reader.result(60)]
    assert sorted(got + summaries(lists)) == sorted(f"n{number}" for number in range(25))


def test_a_list_of_files_dies_after_its_lifetime(root):
    store = MemoryStore(root)
    append_turn(FileLists(store, NOW), "c1", "user", "old", now=NOW)
    note(FileLists(store, NOW), "kept longer")
    almost = FileLists(store, NOW + timedelta(days=7))
    later = FileLists(store, NOW + timedelta(days=7, seconds=1))
    assert [t.content for t in read_turns(almost, "c1")] == ["old"]
    assert read_turns(later, "c1") == []
    assert summaries(later) == ["kept longer"]
    assert summaries(FileLists(store, NOW + timedelta(days=31))) == []
    append_turn(later, "c1", "user", "new", now=later.now)
    assert [t.content for t in read_turns(later, "c1")] == ["new"]


def test_lists_whose_lifetime_is_over_are_swept_by_the_next_write(root):
    store = MemoryStore(root)
    append_turn(FileLists(store, NOW), "old", "user", "x", now=NOW)
    append_turn(FileLists(store, NOW), "touched", "user", "x", now=NOW + timedelta(days=9))
    folder = root / "memory" / "brain" / "conversations"
    for path in folder.iterdir():
        os.utime(path, (NOW.timestamp(), NOW.timestamp()))
    later = FileLists(store, NOW + timedelta(days=10))
    append_turn(later, "c2", "user", "y", now=later.now)
    assert sorted(p.name for p in folder.iterdir()) == ["c2.jsonl", "touched.jsonl"]


def test_redis_holds_the_keys_and_lifetimes_of_the_original(redis_server, redis_client):
    lists = RedisLists(redis_server)
    append_turn(lists, "c1", "user", "hello", now=NOW)
    note(lists, "hi")
    assert sorted(redis_client.keys("*")) == ["memory:conversation:c1", "memory:handoff:builder"]
    assert redis_client.type("memory:conversation:c1") == "list"
    assert 604790 < redis_client.ttl("memory:conversation:c1") <= 604800
    assert 2591990 < redis_client.ttl("memory:handoff:builder") <= 2592000
    redis_client.expire("memory:handoff:builder", 100)
    note(lists, "again")  # the lifetime begins anew with the last note
    assert redis_client.ttl("memory:handoff:builder") > 2591990


def test_a_redis_that_is_gone_is_said_without_its_password(free_port):
    lists = RedisLists(f"redis://agent:hunter2@127.0.0.1:{free_port}/0")
    with pytest.raises(HipoError) as failed:
        append_turn(lists, "c1", "user", "hello", now=NOW)
    assert f"127.0.0.1:{free_port}" in str(failed.value) and "hunter2" not in str(failed.value)
    assert failed.value.exit_code == 1


def test_without_the_client_the_error_has_the_install_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(HipoError, match=r"uv tool install '\.\[redis\]'"):
        RedisLists("redis://127.0.0.1:1/0").read(HANDOFFS, "builder")


def test_a_redis_address_that_is_none_is_a_wrong_setting():
    with pytest.raises(ConfigError):
        RedisLists("gopher://x:1:2").read(HANDOFFS, "builder")
    assert server_name("redis://u:p@example.org/0") == "example.org:6379"


def test_the_settings_choose_the_store(store, monkeypatch):
    assert isinstance(open_lists(BrainConfig(), store, NOW), FileLists)
    monkeypatch.setenv("REDIS_URL", "redis://somewhere:7000/3")
    opened = open_lists(BrainConfig(store="redis"), store, NOW)
    assert isinstance(opened, RedisLists) and opened.url == "redis://somewhere:7000/3"
