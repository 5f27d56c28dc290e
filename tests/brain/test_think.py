"""Thinking: both turns stored, handoffs cleared after that, overflow handed over."""

import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from hipocampus.brain.capsule import export_capsule, render_capsule, resuming
from hipocampus.brain.client import ModelError
from hipocampus.brain.command import run_command
from hipocampus.brain.conversation import append_turn, read_turns
from hipocampus.brain.handoff import read_handoffs, write_handoff
from hipocampus.brain.overflow import hand_over
from hipocampus.brain.prompt import Ask
from hipocampus.brain.routes import Override, Target, checked_override, checked_tokens, targets
from hipocampus.brain.stream import SafeStream
from hipocampus.brain.summarizer import ModelSummarizer, ProgramSummarizer, build_summarizer
from hipocampus.brain.think import Mind, think
from hipocampus.config import BrainConfig, CompactionConfig, Config, Route
from hipocampus.errors import ConfigError, HipoError, UsageError
from hipocampus.memory.store import MemoryStore

from .conftest import NOW, fake_token

PYTHON = (sys.executable, "-I", "-S", "-c")
ECHO = (*PYTHON, "import sys; t = sys.stdin.read(); print('reply to: ' + t.splitlines()[-1])")
FAIL = (*PYTHON, "import sys; print('no luck', file=sys.stderr); sys.exit(3)")


@pytest.fixture
def mind(store, lists):
    config = Config(brain=BrainConfig(provider="command", command=ECHO, overflow_chars=1000))
    return Mind(store, lists, config, NOW, NOW.date(), None)


def using(mind, *command, **brain):
    config = Config(brain=BrainConfig(provider="command", command=command, **brain))
    return mind._replace(config=config)


def run(mind, message, deliver=None, **more):
    out, said = [], []
    question = Ask(
        message,
        more.pop("persona", "Be brief."),
        "p",
        **{"threshold": mind.config.brain.overflow_chars, **more},
    )
    thought = think(
        mind,
        question,
        override=Override(),
        max_tokens=64,
        deliver=deliver or out.append,
        on_text=None,
        say=said.append,
    )
    return thought, out, said


def contents(mind, conversation="c1"):
    return [(turn.role, turn.content) for turn in read_turns(mind.lists, conversation)]


def test_both_turns_are_stored_and_the_reply_is_delivered(mind):
    thought, out, _ = run(mind, "which port?", conversation="c1", memory="self")
    assert out == ["reply to: which port?"] == [thought.reply]
    assert contents(mind) == [("user", "which port?"), ("assistant", "reply to: which port?")]
    assert thought.stored and thought.provider == "command"


def test_without_a_conversation_nothing_is_stored(mind):
    thought, out, _ = run(mind, "which port?")
    assert out and not thought.stored


def test_a_failing_model_loses_nothing_and_asking_again_stores_nothing_twice(mind):
    write_handoff(mind.lists, "builder", "planner", "note", {}, NOW)
    options = {"conversation": "c1", "agent": "builder", "memory": "shared"}
    with pytest.raises(ModelError, match="ended with 3 \\(no luck\\)"):
        run(using(mind, *FAIL), "which port?", **options)
    assert contents(mind) == [("user", "which port?")]
    assert len(read_handoffs(mind.lists, "builder")) == 1
    run(mind, "which port?", **options)
    assert contents(mind) == [("user", "which port?"), ("assistant", "reply to: which port?")]


def test_handoffs_are_cleared_when_the_prompt_held_them_whole(mind):
    for text in ("long " + "word " * 500, "short one", "short two"):
        write_handoff(mind.lists, "builder", "planner", text, {}, NOW)
    mind = using(mind, *ECHO)
    thought, _, _ = run(mind, "go", agent="builder", memory="shared")
    assert thought.cleared == 2
    assert [n.summary[:4] for n in read_handoffs(mind.lists, "builder")] == ["long"]


def test_a_reply_that_could_not_be_printed_keeps_the_handoffs(mind):
    write_handoff(mind.lists, "builder", "planner", "note", {}, NOW)

    def broken(_):
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        run(mind, "go", deliver=broken, agent="builder", memory="shared", conversation="c1")
    assert len(read_handoffs(mind.lists, "builder")) == 1
    assert len(contents(mind)) == 2


def test_a_secret_that_the_model_repeats_is_neither_printed_nor_stored(mind):
    token = fake_token()
    thought, out, _ = run(mind, f"my token is {token}", conversation="c1")
    assert token not in thought.reply and token not in out[0]
    assert token not in json.dumps(contents(mind))


def talk(mind, turns=6, words=60):
    for number in range(turns):
        append_turn(
            mind.lists, "c1", "user", f"I prefer bucket {number} since 2019. " + "word " * words, now=NOW
        )
        append_turn(mind.lists, "c1", "assistant", f"We decided to use port 84{number:02}", now=NOW)


def test_a_conversation_that_overflows_goes_into_the_raw_log(mind, root):
    talk(mind)
    before = contents(mind)
    thought, out, said = run(mind, "what now?", conversation="c1", memory="self")
    assert len(thought.prompt.text) <= 1000 and thought.prompt.section("history") is None
    note = thought.prompt.section("handoffs")
    assert "Earlier in conversation c1 (12 turns → 2026-03-15:3-" in note.text and note.chars <= 1500
    log = (root / "memory" / "2026-03-15.md").read_text()
    assert all(content in log for _, content in [(r, c.strip()) for r, c in before])
    assert "## Conversation c1 [project]" in log and log.count("User: ") == 6
    state = json.loads((root / "memory" / ".compaction-state.json").read_text())
    assert state["rawLinesSinceLastCompaction"] > 20 and state["checkpointsSinceLastCompaction"] == 0
    left = contents(mind)
    assert [role for role, _ in left] == ["assistant", "user", "assistant"]
    assert left[0][1].startswith("Earlier in conversation c1") and left[2][1] == out[0]
    assert read_handoffs(mind.lists, "summarizer") == [] == read_handoffs(mind.lists, "brain")
    assert "handed over" in "\n".join(said)


def test_after_an_overflow_other_notes_still_wait(mind):
    talk(mind)
    write_handoff(mind.lists, "builder", "planner", "the next step", {}, NOW)
    run(mind, "what now?", conversation="c1", agent="builder", memory="shared")
    assert [n.summary for n in read_handoffs(mind.lists, "builder")] == ["the next step"]


def test_what_still_does_not_fit_is_said_before_anything_is_moved(mind, root):
    talk(mind)
    before = contents(mind)
    with pytest.raises(HipoError, match=r"persona 9, message 9\d\d") as failed:
        run(mind, "m" * 970, conversation="c1", memory="self")
    assert failed.value.exit_code == 1 and contents(mind) == before
    assert not (root / "memory" / "2026-03-15.md").exists()


def test_a_long_message_without_conversation_leaves_out_the_rest(mind, root):
    (root / "memory" / "2026-03-12.md").write_text(
        "# 2026-03-12\n\n## mmm [project]\n" + "- outcome: mmm word\n" * 40
    )
    thought, _, said = run(mind, "mmm " + "m" * 900)
    assert thought.prompt.section("rag") is None and "left out" in "".join(said)


def test_a_model_writes_the_summary_where_one_is_configured(mind):
    talk(mind)
    reply = "## Topics\\n- ports: 8400 to 8405, mark-MODEL"
    script = (*PYTHON, f"import sys; sys.stdin.read(); print('{reply}')")
    config = Config(
        brain=BrainConfig(provider="command", command=ECHO, overflow_chars=1000),
        compaction=CompactionConfig(summarizer="command", command=script),
    )
    thought, _, _ = run(mind._replace(config=config), "what now?", conversation="c1", memory="self")
    assert "mark-MODEL" in thought.prompt.section("handoffs").text


def test_a_model_that_refuses_leaves_the_extractive_summary(mind):
    talk(mind)
    config = Config(
        brain=BrainConfig(provider="command", command=ECHO, overflow_chars=1000),
        compaction=CompactionConfig(
            summarizer="command", command=(*PYTHON, "print('I cannot help with that')")
        ),
    )
    thought, _, said = run(mind._replace(config=config), "what now?", conversation="c1", memory="self")
    assert "Last user: " in thought.prompt.section("handoffs").text
    assert any("extractive summary stands" in line for line in said)


def test_no_lock_is_held_while_the_summarizer_thinks(mind, root):
    talk(mind, turns=2)

    class Curious:
        def summarize(self, prompt):
            with MemoryStore(root, 0.1).lock():  # another process gets it at once
                pass
            append_turn(mind.lists, "c1", "user", "said meanwhile", now=NOW)
            return "## Topics\n- ports"

    done = hand_over(mind.store, mind.lists, "c1", "builder", Curious(), now=NOW, today=NOW.date(), zone=None)
    assert done.turns == 4 and "ports" in done.note.summary
    assert contents(mind)[0] == ("user", "said meanwhile")
    assert hand_over(mind.store, mind.lists, "c2", "b", None, now=NOW, today=NOW.date(), zone=None) is None


# --- the program ---


def test_a_program_runs_in_an_empty_folder_without_memory(root):
    script = "import os, sys; print(os.getcwd(), os.listdir('.'), os.environ['HIPO_OFF'], sys.stdin.read())"
    reply = run_command((*PYTHON, script), "한국어 prompt", root)
    folder, rest = reply.split(" ", 1)
    assert rest == "[] 1 한국어 prompt\n" and folder != str(root)
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ((), "no program"),
        (("no-such-program-here",), "not found"),
        (("./missing",), "cannot be started"),
        ((*PYTHON, "pass"), "empty"),
        (FAIL, "ended with 3"),
    ],
)
def test_a_program_that_does_not_answer_is_an_error(root, command, said):
    with pytest.raises(ModelError, match=said):
        run_command(command, "x", root)


def test_a_program_that_ignores_a_large_prompt_is_no_failure(root):
    assert run_command((*PYTHON, "print('ok')"), "x" * 1_000_000, root) == "ok\n"


def test_a_program_that_takes_too_long_is_ended(root):
    script = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); time.sleep(60)"
    with pytest.raises(ModelError, match=r"within 0\.5 s"):
        run_command((*PYTHON, script), "x", root, limit_seconds=0.5)


def test_a_program_is_seen_from_the_project(root):
    program = root / "answer.sh"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho found\n")
    program.chmod(0o755)
    assert run_command(("./answer.sh",), "x", root) == "found\n"


# --- routes ---

ROUTED = BrainConfig(
    provider="openrouter",
    model="default",
    routes=(
        Route("anthropic", "small", max_chars=500),
        Route("ollama", "planner-model", role="planner"),
        Route("anthropic", "large", min_chars=5000),
    ),
)


@pytest.mark.parametrize(
    ("role", "chars", "first"),
    [
        ("planner", 100, "small"),
        ("planner", 900, "planner-model"),
        (None, 900, "default"),
        (None, 9000, "large"),
    ],
)
def test_the_first_route_that_fits_wins_and_the_default_is_the_last(role, chars, first):
    asked = targets(ROUTED, Override(), role, chars)
    assert asked[0].model == first and asked[-1] == Target("openrouter", "default")


def test_an_override_is_the_only_target():
    assert targets(ROUTED, Override("ollama", None), None, 1) == [Target("ollama", "")]
    assert targets(ROUTED, Override(None, "x"), None, 1) == [Target("openrouter", "x")]
    assert targets(ROUTED, Override("openrouter", None), None, 1) == [Target("openrouter", "default")]


def test_options_stand_above_the_environment():
    assert checked_override(Override("ollama", None), Override("anthropic", "m")) == Override("ollama", None)
    assert checked_override(Override(None, "x"), Override("anthropic", "m")) == Override("anthropic", "x")
    assert checked_override(Override(), Override("anthropic", "m")) == Override("anthropic", "m")
    with pytest.raises(UsageError):
        checked_override(Override("gpt", None), Override())
    with pytest.raises(ConfigError):
        checked_override(Override(), Override("gpt", None))


@pytest.mark.parametrize("value", [0, -1, 4097])
def test_tokens_out_of_range_are_refused(value):
    with pytest.raises(UsageError):
        checked_tokens(value)
    assert [checked_tokens(n) for n in (1, 4096)] == [1, 4096]


def test_summarizers_are_built_from_the_settings(root):
    config = Config(compaction=CompactionConfig(command=("claude", "-p")))
    assert build_summarizer("extractive", config, Override(), root) is None
    assert build_summarizer("command", config, Override(), root) == ProgramSummarizer(("claude", "-p"), root)
    built = build_summarizer("llm", config, Override("ollama", "m"), root)
    assert isinstance(built, ModelSummarizer) and built.asked == (Target("ollama", "m"),)
    with pytest.raises(ConfigError):
        build_summarizer("command", Config(), Override(), root)


# --- streaming to a terminal ---


def streamed(pieces):
    written = []
    stream = SafeStream(written.append)
    for piece in pieces:
        stream.feed(piece)
    early = "".join(written)
    stream.finish()
    return early, "".join(written)


def test_a_stream_shows_whole_lines_as_they_come():
    early, whole = streamed(["first li", "ne\nsecond", " line\n\nthird"])
    assert early == "first line\nsecond line\n\n" and whole == early + "third"


def test_a_secret_that_comes_in_pieces_is_never_shown():
    token = fake_token()
    text = f"the token is {token}\nand more\n\n- again {token}"
    _, whole = streamed([text[n : n + 5] for n in range(0, len(text), 5)])
    assert token not in whole and token[:12] not in whole and "and more" in whole


def test_a_key_block_is_held_back_until_it_is_whole():
    lines = "\n".join("Mi" + "Aq9Zx7" * 10 for _ in range(3))
    kind = "PRIVATE KEY"
    text = f"here:\n-----BEGIN {kind}-----\n\n{lines}\n-----END {kind}-----\ndone\n"
    early, whole = streamed([text[n : n + 7] for n in range(0, len(text), 7)])
    assert "Aq9Zx7" not in whole and "done" in whole and early


# --- a session carried over ---


def test_a_capsule_carries_a_session_once(mind, root):
    append_turn(mind.lists, "c1", "user", "hello there", now=NOW)
    write_handoff(mind.lists, "builder", "planner", "the note", {"plan": "p.md"}, NOW)
    (root / "WORKING.md").write_text("# Working\n\n## Limits\n- next: ~~~ measure\n")
    token = export_capsule(mind.store, mind.lists, "c1", "builder", NOW)
    with resuming(mind.store, token, NOW) as capsule:
        text = render_capsule(capsule, NOW)
    for part in ("hello there", "the note", "plan: p.md", "next: ~~~ measure"):
        assert part in text
    with pytest.raises(HipoError, match="used already"), resuming(mind.store, token, NOW):
        pass
    assert len(contents(mind)) == 1 and len(read_handoffs(mind.lists, "builder")) == 1


def test_a_capsule_that_could_not_be_printed_is_not_used_up(mind, root):
    append_turn(mind.lists, "c1", "user", "hello", now=NOW)
    token = export_capsule(mind.store, mind.lists, "c1", None, NOW)
    with pytest.raises(OSError, match="full"), resuming(mind.store, token, NOW):
        raise OSError("full")
    with resuming(mind.store, token, NOW) as capsule:
        assert capsule.turns[0].content == "hello"


def test_tokens_that_open_nothing_say_why(mind, root, tmp_path):
    append_turn(mind.lists, "c1", "user", "hello", now=NOW)
    token = export_capsule(mind.store, mind.lists, "c1", None, NOW)
    path = next((root / "memory" / ".hipo" / "capsules").iterdir())
    assert path.stat().st_mode & 0o777 == 0o600
    other = tmp_path / "other"
    (other / "memory").mkdir(parents=True)

    def refused(store, token, now, said, error=HipoError):
        with pytest.raises(error, match=said), resuming(store, token, now):
            pass

    refused(mind.store, "nonsense", NOW, "not a token", UsageError)
    refused(MemoryStore(other), token, NOW, "foreign")
    refused(mind.store, token[:-4] + "0000", NOW, "gone")
    refused(mind.store, token, NOW + timedelta(days=1, seconds=1), "expired")
    data = path.read_bytes()
    for damaged in (data[:-3], data + b"x", data.replace(b"2026", b"2036", 1), b"", b"\n"):
        path.write_bytes(damaged)
        refused(mind.store, token, NOW, "damaged")
    path.write_bytes(data)
    with resuming(mind.store, token, NOW):
        pass


def test_with_nothing_to_carry_there_is_no_capsule(mind):
    with pytest.raises(HipoError, match="nothing to carry"):
        export_capsule(mind.store, mind.lists, "c1", "builder", NOW)
