"""The context of a session: within its bytes in any script, whole lines, the best kept, the missing named."""

import re
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trees import at, snapshot, write_logs

from hipocampus.compaction.begin import begin, lease
from hipocampus.config import Config
from hipocampus.memory.store import MemoryStore
from hipocampus.session.briefing import CAP_BYTES, ORDER, SHARES, fit_files
from hipocampus.session.start import compose, start

WORKING, SCRATCHPAD, QUEUE, ROOT = ORDER
_SCRIPTS = st.sampled_from(
    [
        "word ",
        "결제 흐름 ",
        "速度制限",
        "🚀👩‍👩‍👧",
        "a\u0301",
        "x" * 700,
        "- item ",
        "[feedback, 3d] ",
        "\ud800",
    ]
)
_LINES = st.one_of(
    st.tuples(_SCRIPTS, st.integers(1, 400)).map(lambda pair: pair[0] * pair[1]),
    st.sampled_from(
        ["", "# Title", "## Current State", "## Active Context", "### Deep", "---", "<!-- c -->", "```"]
    ),
    st.text(max_size=30),
)
_TEXTS = st.lists(_LINES, max_size=30).map("\n".join)


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(ORDER, _TEXTS)),
    st.lists(_LINES, min_size=1, max_size=12),
)
def test_the_caps_hold_for_any_texts_in_any_script(texts: dict[str, str], head: list[str]) -> None:
    context, shown = compose(head, texts)
    assert size(context) <= CAP_BYTES and len(context) <= CAP_BYTES
    assert [s.path for s in shown] == [path for path in ORDER if path in texts]
    last = context.split("\n")[-1]
    for file in shown:
        assert file.left_out >= 0
        assert (f"{file.path} ({file.left_out} lines missing: hipo show " in last) == bool(file.left_out)
        given_lines = {line.rstrip() for line in texts[file.path].split("\n")}
        for line in file.text.split("\n")[1:] if file.text else ():
            whole = line in given_lines or not line
            cut = line.endswith("…") and any(known.startswith(line[:-1]) for known in given_lines)
            assert whole or cut or "<!--" in texts[file.path]


@given(_TEXTS, st.integers(100, 9000))
def test_files_stay_within_the_room_they_are_given(text: str, room: int) -> None:
    assert sum(size(s.text) for s in fit_files(dict.fromkeys(ORDER, text), room)) <= room


def lines(name: str, count: int, width: int = 60) -> str:
    return "".join(f"- {name} {n} ".ljust(width, "x") + "\n" for n in range(count))


def test_each_file_gets_its_share_and_what_others_leave() -> None:
    many = {path: f"## Current State\n{lines(path.split('/')[-1], 300)}" for path in ORDER}
    context, shown = compose(["Memory"], many)
    sizes = {s.path: size(s.text) for s in shown}
    assert size(context) > CAP_BYTES - 700
    for path in ORDER:
        assert sizes[path] >= SHARES[path] - 200
    alone, _ = compose(["Memory"], {QUEUE: many[QUEUE]})
    assert size(alone) > CAP_BYTES - 700


def test_what_counts_most_is_kept_when_there_is_no_room() -> None:
    root = (
        "---\ntype: root\n---\n## Active Context (recent ~7 days)\n- NOW: the queue → 2026-03-15\n\n## Recent Patterns\n- RULE: three lines\n\n"
        f"## Historical Summary\n{lines('history', 80)}\n## Topics Index\n"
        + "".join(f"- Topic {n} [project, {n}d]: old thing number {n}\n" for n in range(120))
        + "- Metric [user, 400d]: USES METRIC\n- Newest [project, 0d]: NEWEST\n"
    )
    scratch = f"## Cross-Task Lessons\n{lines('lesson', 60)}\n## Current State\n- STATE: halfway\n"
    context, _ = compose(["Memory"], {WORKING: lines("work", 90), SCRATCHPAD: scratch, ROOT: root})
    for kept in (
        "NOW: the queue",
        "RULE: three lines",
        "USES METRIC",
        "NEWEST",
        "STATE: halfway",
        "Topic 1 ",
    ):
        assert kept in context, kept
    assert "history 40" not in context and "Topic 119 " not in context
    missing = re.search(r"memory/ROOT.md \((\d+) lines missing: hipo show root\)", context.split("\n")[-1])
    assert missing and int(missing[1]) == root.count("\n- ") - (
        context.count("\n- Topic") + context.count("history") + 4
    )


def test_a_line_longer_than_its_share_is_cut_at_a_word_and_counted_as_missing() -> None:
    long = "word " * 4000
    context, _ = compose(["Memory"], {WORKING: long, ROOT: "## Active Context\n" + lines("root", 200)})
    shown = next(line for line in context.split("\n") if line.startswith("word"))
    assert shown.endswith("word…") and 2000 < size(shown) < 7000
    assert "WORKING.md (1 lines missing: hipo show WORKING.md)" in context.split("\n")[-1]


def test_comments_and_empty_sections_of_templates_are_not_shown() -> None:
    context, shown = compose(
        ["Memory"], {SCRATCHPAD: "# Scratchpad\n\n## Current State\n<!-- what -->\n\n## Pending\n"}
    )
    assert "Scratchpad" not in context and not shown[0].left_out


# --- a whole start ---


def begun(root: Path, now: str = "2026-03-15", **options: object):  # type: ignore[no-untyped-def]
    options.setdefault("session", None)
    return start(MemoryStore(root), Config(), at(now), UTC, **options)  # type: ignore[arg-type]


def test_a_due_compaction_runs_and_the_context_holds_its_result(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## Payment flow [project]\n- outcome: rate limit holds\n"})
    first = begun(root)
    assert first.dispatched and "Compaction: done (no-state)" in first.context
    assert "rate limit holds" in first.context and "==== memory/ROOT.md ====" in first.context
    second = begun(root)
    assert not second.dispatched and "Compaction: not due (cooldown 0.0 of 3 hours" in second.context


def test_a_compaction_that_died_is_finished_by_the_next_start(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## Payment flow [project]\n- outcome: rate limit holds\n"})
    begin(MemoryStore(root), Config(), at("2026-03-15"), UTC)
    done = begun(root)
    assert "Compaction: done (resumed)" in done.context and "rate limit holds" in done.context
    assert "Compaction: not due" in begun(root).context


def test_while_another_process_compacts_a_start_waits_for_nothing(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## Payment flow [project]\n- outcome: rate limit holds\n"})
    with lease(MemoryStore(root)) as alone:
        assert alone
        done = begun(root)
        assert done.context and not (root / "memory/daily").exists()


def test_more_than_a_megabyte_goes_to_a_process_of_its_own(root: Path) -> None:
    write_logs(root, {"2026-03-14": "words\n" * 200_000})
    spawned: list[Path] = []
    done = begun(root, spawn=spawned.append)
    assert spawned == [root] and done.dispatched and "begun in the background" in done.context
    assert not (root / "memory/daily").exists()
    assert (
        root / "memory/.compaction-state.json"
    ).exists()  # at once, so that the next start begins no second one


def test_without_compaction_it_is_judged_and_not_begun(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## A\n- outcome: x\n"})
    done = begun(root, compaction=False)
    assert not done.dispatched and done.begun.due and not (root / "memory/.compaction-state.json").exists()
    assert "not begun; run: hipo compact" in done.context


def test_what_the_platform_loads_by_itself_is_left_out(root: Path) -> None:
    (root / WORKING).write_text("## Task\n- mine\n")
    assert "mine" in begun(root).context
    done = begun(root, loaded=frozenset({WORKING}))
    assert WORKING not in [f.path for f in done.files] and "- mine" not in done.context


def test_a_missing_or_unreadable_hot_file_is_a_line_and_no_failure(root: Path) -> None:
    (root / SCRATCHPAD).mkdir()
    done = begun(root)
    assert f"Missing: {WORKING}" in done.context
    assert f"Problem: {root / SCRATCHPAD}: cannot be read (Is a directory)" in done.context


def test_a_session_keeps_its_day_across_midnight_until_a_fresh_source_sets_it_anew(root: Path) -> None:
    assert begun(root, "2026-03-14", session="s").day.isoformat() == "2026-03-14"
    assert begun(root, "2026-03-15", session="s", source="compact").day.isoformat() == "2026-03-14"
    for source in ("resume", "clear", "startup"):
        assert begun(root, "2026-03-16", session="s", source=source).day.isoformat() == "2026-03-16"
    assert begun(root, "2026-03-17", session="other", source="compact").day.isoformat() == "2026-03-17"


def test_starting_again_with_nothing_new_changes_no_file_of_the_memory(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## A\n- outcome: x\n"})
    begun(root, session="s")
    before = snapshot(root)
    begun(root, session="s")
    assert snapshot(root) == before


@pytest.mark.parametrize("text", ["{torn", '{"lastCompactionRun": "2030-01-01T00:00:00Z"}'])
def test_a_state_of_no_use_is_named_in_the_context(root: Path, text: str) -> None:
    (root / "memory/.compaction-state.json").write_text(text)
    done = begun(root)
    assert "Note: memory/.compaction-state.json" in done.context and done.begun.due
