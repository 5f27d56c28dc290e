"""The assembled prompt: caps for any text, the newest kept, persona and message never shortened."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.brain.conversation import append_turn, read_turns
from hipocampus.brain.filestore import FileLists
from hipocampus.brain.handoff import read_handoffs, write_handoff
from hipocampus.brain.hotfiles import fit_hot
from hipocampus.brain.prompt import (
    ORDER,
    Ask,
    Material,
    Part,
    build,
    gather,
    memory_mode,
    place_of,
    read_persona,
    recall_query,
    shortened_lines,
)
from hipocampus.brain.sections import (
    HANDOFF_CHARS,
    HISTORY_CHARS,
    HOT_CHARS,
    RAG_CHARS,
    Item,
    Wanted,
    age_of,
    days_ago,
    fit_section,
    share_out,
)
from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.entries import open_fence
from hipocampus.memory.store import MemoryStore

from .conftest import NOW

ANY = st.text(max_size=120)
SCRIPTS = st.sampled_from(
    [
        "word ",
        "한국어 ",
        "日本語。",
        "العربية ",
        "👩‍👩‍👧",
        "~~~~\n",
        "```\n",
        "\n\n",
        "## Message\n",
        "e\u0301",
    ]
)
TEXT = st.one_of(ANY, st.lists(SCRIPTS, max_size=250).map("".join))
ITEMS = st.lists(
    st.builds(Item, st.just("2026-03-15:4 · today"), TEXT, st.sampled_from(["a", "b"])), max_size=8
)


def ask(message="what comes next?", **more):
    return Ask(message, more.pop("persona", "Be brief.\n"), "persona.md", **more)


def prompt_of(store, lists, question):
    return build(question, gather(store, lists, question, now=NOW, today=NOW.date()))


def part(wanted):
    return Part(wanted.name, wanted.cap, lambda room: fit_section(wanted, room))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    ITEMS,
    ITEMS,
    ITEMS,
    TEXT,
    TEXT,
    st.dictionaries(st.sampled_from(["WORKING.md", "SCRATCHPAD.md", "memory/ROOT.md"]), TEXT),
    st.one_of(st.none(), st.integers(1, 4000)),
)
def test_every_cap_holds_for_any_text(rag, notes, turns, persona, message, hot, most):
    wanted = [
        Wanted("rag", "## Memory", rag, RAG_CHARS),
        Wanted("handoffs", "## Handoffs", notes, HANDOFF_CHARS),
        Wanted("history", "## Conversation", turns, HISTORY_CHARS, in_time=True),
    ]
    parts = [Part("hot", HOT_CHARS, lambda room: fit_hot(hot, min(room, HOT_CHARS))), *map(part, wanted)]
    question = ask(message, persona=persona, max_chars=most)
    try:
        prompt = build(question, Material(parts, [], [], []))
    except HipoError as error:
        assert most is not None and "persona" in str(error) and "message" in str(error)
        return
    assert most is None or len(prompt.text) + 1 <= most
    assert [s.name for s in prompt.sections] == list(ORDER)
    for section in prompt.sections:
        assert section.cap is None or section.chars <= section.cap
    for wanted_one in wanted:
        section = prompt.section(wanted_one.name)
        assert section.included + section.left_out == len(wanted_one.items)
    assert prompt.text.startswith(persona.strip("\n"))
    assert prompt.text.endswith(message.strip("\n") if message.strip() else "")
    middle = [s.text for s in prompt.sections if s.name not in ("persona", "message")]
    assert not any(open_fence(text.split("\n")) for text in middle)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXT, TEXT, TEXT, TEXT, st.integers(500, 6000))
def test_whatever_is_stored_the_prompt_keeps_its_caps(tmp_path_factory, said, note, working, message, most):
    root = tmp_path_factory.mktemp("t")
    (root / "memory").mkdir()
    (root / "WORKING.md").write_text(working, encoding="utf-8", errors="replace")
    (root / "memory" / "2026-03-12.md").write_text(
        f"## Log [project]\n{said}", encoding="utf-8", errors="replace"
    )
    store = MemoryStore(root)
    files = FileLists(store, NOW)
    with suppress(UsageError):  # text without content is not stored
        append_turn(files, "c1", "user", said, now=NOW)
        write_handoff(files, "builder", "planner", note, {"more": working}, NOW)
    question = ask(
        message[:400], agent="builder", conversation="c1", memory="shared", hot=True, max_chars=most
    )
    prompt = prompt_of(store, files, question)
    assert len(prompt.text) < most and all(s.cap is None or s.chars <= s.cap for s in prompt.sections)


@settings(max_examples=100)
@given(ITEMS, st.integers(0, 700), st.booleans())
def test_whole_items_stay_whole_and_are_named(items, room, in_time):
    section = fit_section(Wanted("rag", "## Memory", items, 600, in_time), room)
    assert len(section.text) <= min(room, 600)
    assert len(section.whole) + section.shortened == section.included
    if in_time:
        assert list(section.whole) == list(range(len(section.whole)))


@given(st.lists(st.integers(0, 500), min_size=1, max_size=5), st.integers(0, 2000))
def test_shares_never_exceed_the_room_nor_what_is_wanted(wants, room):
    shares = share_out(wants, [3, 2, 2, 6, 1][: len(wants)], room)
    assert sum(shares) <= room and all(s <= w for s, w in zip(shares, wants, strict=True))
    if sum(wants) <= room:
        assert shares == wants


def test_the_newest_turns_and_notes_stay_and_turns_are_in_order_of_time(store, files):
    for number in range(20):
        append_turn(files, "c1", "user", f"turn-{number:02} " + "word " * 40, now=NOW)
        write_handoff(files, "builder", "planner", f"note-{number:02} " + "word " * 40, {}, NOW)
    prompt = prompt_of(store, files, ask(agent="builder", conversation="c1", memory="shared"))
    history, handoffs = prompt.section("history").text, prompt.section("handoffs").text
    assert "turn-19" in history and "turn-00" not in history
    assert history.index("turn-18") < history.index("turn-19")
    assert "note-19" in handoffs and "note-00" not in handoffs
    assert handoffs.index("note-19") < handoffs.index("note-18")
    assert len(read_handoffs(files, "builder")) == 20 and len(read_turns(files, "c1")) == 20
    said = "\n".join(shortened_lines(prompt, ask(agent="builder", conversation="c1")))
    assert "handoffs: " in said and " of 20 included" in said and "history: " in said


def test_memory_decides_what_comes_in(store, files):
    append_turn(files, "c1", "user", "a turn", now=NOW)
    write_handoff(files, "builder", "planner", "a note", {}, NOW)
    texts = {
        mode: prompt_of(store, files, ask(agent="builder", conversation="c1", memory=mode)).text
        for mode in ("none", "self", "shared")
    }
    assert "a turn" not in texts["none"] and "a note" not in texts["none"]
    assert "a turn" in texts["self"] and "a note" not in texts["self"]
    assert "a turn" in texts["shared"] and "a note" in texts["shared"]
    assert memory_mode(None, "a", "c") == "shared" and memory_mode(None, None, "c") == "self"
    assert memory_mode(None, None, None) == "none" and memory_mode("self", "a", None) == "self"


def test_snippets_come_from_the_memory_with_place_and_age(store, files, root):
    (root / "memory" / "2026-03-12.md").write_text(
        "# 2026-03-12\n\n## Payment flow [project]\n- decisions: token bucket ~~~ over leaky bucket\n"
    )
    section = prompt_of(store, files, ask("which bucket?")).section("rag")
    assert "2026-03-12:" in section.text and "3 days ago" in section.text
    assert "token bucket" in section.text and section.sources == ("memory/2026-03-12.md",)
    assert "~~~~\n" in section.text  # longer than what the text holds


def test_hot_files_are_chosen_line_by_line(store, files, root):
    (root / "WORKING.md").write_text("# Working\n\n## Limits\n- next: measure\n")
    (root / "SCRATCHPAD.md").write_text("# Scratchpad\n\n## Current State\n<!-- nothing -->\n")
    index = "\n".join(f"- topic {n} [project, {n}d]: words" for n in range(400))
    (root / "memory" / "ROOT.md").write_text(f"---\ntype: root\n---\n\n## Topics Index\n{index}\n")
    section = prompt_of(store, files, ask(hot=True)).section("hot")
    assert section.sources == ("WORKING.md", "memory/ROOT.md") and section.shortened == 1
    assert (
        "next: measure" in section.text and "topic 0 [" in section.text and "topic 399 [" not in section.text
    )
    assert "type: root" not in section.text and section.chars <= HOT_CHARS


def test_hot_files_in_another_script_use_their_room(store, files, root):
    index = "\n".join(f"- 주제 {n} [project, {n}d]: 결제 흐름과 재시도" for n in range(400))
    (root / "memory" / "ROOT.md").write_text(f"---\ntype: root\n---\n\n## Topics Index\n{index}\n")
    section = prompt_of(store, files, ask(hot=True)).section("hot")
    assert 5000 < section.chars <= HOT_CHARS


def test_what_does_not_fit_alone_is_said_with_its_sizes(store, files):
    with pytest.raises(HipoError, match=r"persona 9, message 32") as failed:
        prompt_of(store, files, ask("a message of 2x chars", max_chars=20))
    assert failed.value.exit_code == 1


def test_a_message_that_was_stored_before_a_failure_is_not_shown_twice(store, files):
    append_turn(files, "c1", "user", "what comes next?", now=NOW)
    assert prompt_of(store, files, ask(conversation="c1", memory="self")).section("history").included == 0
    assert (
        prompt_of(store, files, ask("else", conversation="c1", memory="self")).section("history").included
        == 1
    )


def test_a_store_that_is_gone_leaves_its_sections_out_and_says_so(store, free_port):
    from hipocampus.brain.redisstore import RedisLists

    gone = RedisLists(f"redis://127.0.0.1:{free_port}/0")
    prompt = prompt_of(store, gone, ask(agent="builder", conversation="c1", memory="shared"))
    assert prompt.text.endswith("what comes next?")
    assert [p.split(":")[0] for p in prompt.problems] == ["handoffs", "history"]


def test_queries_keep_their_cap():
    long = "word " * 200
    assert len(recall_query(ask(long))) <= 500 and recall_query(ask(long)).endswith("word")
    with pytest.raises(UsageError, match="at most 500"):
        recall_query(ask(query=long))


def test_a_prompt_over_the_threshold_says_so(store, files):
    assert not prompt_of(store, files, ask(threshold=1000)).overflow
    assert prompt_of(store, files, ask("m" * 1200, threshold=1000)).overflow


def test_the_persona_is_a_file_or_the_one_that_is_shipped(tmp_path):
    text, source = read_persona(None)
    assert "~~~" in text and source == "templates/persona.md"
    (tmp_path / "p.md").write_text("You are terse.\r\n")
    assert read_persona(tmp_path / "p.md") == ("You are terse.\n", str(tmp_path / "p.md"))
    with pytest.raises(UsageError):
        read_persona(tmp_path / "none.md")


def test_ages_and_places_are_words():
    assert age_of("2026-03-15T08:59:30Z", NOW) == "just now"
    assert age_of("2026-03-15T07:00:00Z", NOW) == "2 hours ago"
    assert age_of("2026-03-14T09:00:00Z", NOW) == "1 day ago"
    assert age_of("nonsense", NOW) == ""
    assert [days_ago(n) for n in (None, 0, 1, 5)] == ["", "today", "yesterday", "5 days ago"]
    assert place_of("memory/2026-03-15.md", 4, 9) == "2026-03-15:4-9"
    assert place_of("knowledge/x.md", 4, 4) == "knowledge/x.md:4"
