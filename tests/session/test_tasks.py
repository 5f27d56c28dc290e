"""Tasks move from the queue to WORKING.md to the raw log, and every other byte of the files stays."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hipocampus.config import CompactionConfig
from hipocampus.errors import HipoError, UsageError, WriteError
from hipocampus.files import read_bytes
from hipocampus.memory.store import MemoryStore
from hipocampus.session import tasks
from hipocampus.session.sessions import begin_session
from hipocampus.session.taskedit import part_heading

NOW = datetime(2026, 3, 15, 14, 32, tzinfo=UTC)
LIMITS = CompactionConfig()

ORIGINAL_WORKING = """# Working

(no active tasks)

<!-- Format per task:
## [Task Name]

### Key Files
- path/to/file.ext:line — what's there

### Next Steps
- [ ] immediate next action
-->
"""
ORIGINAL_QUEUE = """# Task Queue

## Queued
<!-- task description — include enough context to start after session reset -->
<!-- When completed, remove from here — the daily log is the permanent record -->
"""


def memory(root: Path, **files: str | bytes) -> MemoryStore:
    (root / "memory").mkdir()
    for name, text in files.items():
        (root / f"{name.replace('_', '-')}.md").write_bytes(
            text if isinstance(text, bytes) else text.encode()
        )
    return MemoryStore(root)


def start(store: MemoryStore, name: str, **options: object) -> tasks.Changed:
    return tasks.start_task(store, name, **{"session": "4f1c", "now": NOW, "zone": UTC, **options})


def close(store: MemoryStore, name: str, action: str = "done", **options: object) -> tasks.Closed:
    more = options.pop("more", {})
    values = {"session": "4f1c", "now": NOW, "zone": UTC, **options}
    return tasks.close_task(store, LIMITS, name, action, more=more, **values)


def text(store: MemoryStore, name: str) -> str:
    return (store.root / name).read_text(encoding="utf-8")


def log(store: MemoryStore) -> str:
    return text(store, "memory/2026-03-15.md")


def test_a_queued_task_goes_to_working_and_to_the_log_with_all_that_it_says(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=ORIGINAL_WORKING, TASK_QUEUE=ORIGINAL_QUEUE)
    tasks.add_task(
        store, "Port the parser", context=["the old one stops at 2 GB"], files=["src/p.py"], steps=["read"]
    )
    assert "- Port the parser\n  - context: the old one stops at 2 GB\n  - files: src/p.py\n" in text(
        store, "TASK-QUEUE.md"
    )
    start(store, "parser")
    tasks.note_task(store, "parser", "decisions", "stream by line: memory stays flat")
    tasks.note_task(store, "parser", "errors", "cut at 2 GB → 64 bit")
    done = close(store, "PARSER", outcome="12 tests", more={"files": ["tests/test_p.py"]})
    assert log(store) == (
        "# 2026-03-15\n\n## Port the parser [project]\n"
        "<!-- 14:32 session 4f1c, started 2026-03-15 14:32 session 4f1c -->\n"
        "- request: the old one stops at 2 GB\n- analysis: cut at 2 GB → 64 bit\n"
        "- decisions: stream by line: memory stays flat\n- outcome: 12 tests\n"
        "- files:\n  - src/p.py\n  - tests/test_p.py\n- open:\n  - read\n"
    )
    assert (done.path, done.line_start, done.line_end) == ("memory/2026-03-15.md", 3, 13)
    assert (done.open_steps, done.removed_from, done.entries) == (1, ["WORKING.md"], 1)


def test_a_task_that_came_and_went_leaves_the_original_templates_byte_for_byte(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=ORIGINAL_WORKING, TASK_QUEUE=ORIGINAL_QUEUE)
    tasks.add_task(store, "Port the parser")
    start(store, "parser")
    assert "\n(no active tasks)\n" not in text(store, "WORKING.md")
    close(store, "parser")
    assert text(store, "WORKING.md") == ORIGINAL_WORKING
    assert text(store, "TASK-QUEUE.md") == ORIGINAL_QUEUE


def test_the_section_of_a_started_task_has_its_parts_the_time_and_the_session(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="# Working\n", TASK_QUEUE="- [ ] Fix login — users see 500\n")
    start(store, "login", steps=["look at the log"])
    assert text(store, "WORKING.md") == (
        "# Working\n\n## Fix login\n<!-- started 2026-03-15 14:32 session 4f1c -->\n- users see 500\n\n"
        "### Key Files\n\n### Decisions\n\n### Errors & Corrections\n\n### Next Steps\n- [ ] look at the log\n"
    )
    assert text(store, "TASK-QUEUE.md") == ""


def test_missing_files_begin_as_their_templates(tmp_path: Path) -> None:
    store = memory(tmp_path)
    tasks.add_task(store, "Port the parser")
    start(store, "port")
    assert text(store, "TASK-QUEUE.md").startswith("# Task Queue\n\n## Queued\n<!-- One bullet")
    assert text(store, "WORKING.md").index("## Port the parser") < text(store, "WORKING.md").index(
        "<!-- One section"
    )


def test_a_part_that_fits_several_tasks_lists_them_and_changes_nothing(tmp_path: Path) -> None:
    queue = "- Fix login\n- Login page\n"
    store = memory(tmp_path, TASK_QUEUE=queue)
    with pytest.raises(HipoError, match=r"fits 2 tasks: Fix login \(TASK-QUEUE.md:1\), Login page") as caught:
        start(store, "login")
    assert caught.value.exit_code == 1
    assert text(store, "TASK-QUEUE.md") == queue
    assert start(store, "fix login").title == "Fix login"


def test_the_whole_title_wins_over_a_part_of_another(tmp_path: Path) -> None:
    store = memory(tmp_path, TASK_QUEUE="- Login page tests\n- Login page\n")
    assert start(store, "login  PAGE").title == "Login page"


def test_a_title_in_progress_starts_no_other_task_that_holds_its_words(tmp_path: Path) -> None:
    store = memory(tmp_path)
    tasks.add_task(store, "Fix login")
    tasks.add_task(store, "Fix login page")
    assert start(store, "Fix login").action == "started"
    before = text(store, "WORKING.md"), text(store, "TASK-QUEUE.md")
    again = start(store, "fix  LOGIN")
    assert (again.action, again.title, again.path) == ("unchanged", "Fix login", "WORKING.md")
    with pytest.raises(HipoError, match="fits 2 tasks"):
        start(store, "login")
    assert (text(store, "WORKING.md"), text(store, "TASK-QUEUE.md")) == before
    assert start(store, "page").title == "Fix login page"


def test_a_finished_title_in_the_queue_starts_no_other_task(tmp_path: Path) -> None:
    store = memory(tmp_path, TASK_QUEUE="# Task Queue\n\n- [x] Fix login\n- Fix login page\n")
    with pytest.raises(HipoError, match=r"'Fix login' is marked as finished \(TASK-QUEUE\.md:3\)"):
        start(store, "Fix login")
    assert "Fix login page" in text(store, "TASK-QUEUE.md")


def test_a_note_goes_to_no_other_task_that_holds_the_words_of_a_queued_title(tmp_path: Path) -> None:
    store = memory(tmp_path)
    for title in ("Fix login", "Fix login page"):
        tasks.add_task(store, title)
    start(store, "page")
    with pytest.raises(HipoError, match='start it first: hipo task start "Fix login"'):
        tasks.note_task(store, "Fix login", "decisions", "cookies")
    assert tasks.note_task(store, "login", "decisions", "cookies").title == "Fix login page"


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    store = memory(tmp_path, TASK_QUEUE="- Fix login\n")
    with pytest.raises(HipoError, match=r"queued: Fix login; .*--new"):
        start(store, "parser")
    assert start(store, "Parser", new=True).action == "started"


def test_the_same_title_is_queued_once(tmp_path: Path) -> None:
    store = memory(tmp_path)
    tasks.add_task(store, "Port the parser")
    assert tasks.add_task(store, "port  the PARSER").action == "unchanged"
    start(store, "port")
    again = tasks.add_task(store, "Port the parser")
    assert (again.action, again.path) == ("unchanged", "WORKING.md")


@pytest.mark.parametrize("started", [False, True])
def test_what_is_new_about_a_task_that_is_there_is_added_once(tmp_path: Path, started: bool) -> None:
    store = memory(tmp_path)
    tasks.add_task(store, "Port the parser", context=["old grammar"], steps=["lexer"])
    if started:
        start(store, "port")
    for action in ("completed", "unchanged"):
        done = tasks.add_task(
            store,
            "Port the parser",
            context=["old grammar", "no left recursion"],
            files=["src/parse.py"],
            references=["knowledge/grammar.md"],
            steps=["lexer", "tests"],
        )
        assert done.action == action
    (task,) = [task for listed in tasks.read_tasks(store) for task in listed]
    parts = tasks.read_parts(text(store, task.file).splitlines(), task)
    assert sorted(parts.context) == ["no left recursion", "old grammar"] and parts.files == ["src/parse.py"]
    assert (parts.references, parts.open_steps) == (["knowledge/grammar.md"], ["lexer", "tests"])


def test_a_task_in_progress_takes_new_steps_when_it_is_started_again(tmp_path: Path) -> None:
    store = memory(tmp_path)
    start(store, "Parser", new=True, steps=["lexer"])
    assert start(store, "Parser", steps=["tests", "lexer"]).action == "completed"
    assert (
        text(store, "WORKING.md").count("- [ ] tests") == text(store, "WORKING.md").count("- [ ] lexer") == 1
    )
    assert start(store, "Parser", steps=["tests"]).action == "unchanged"


@pytest.mark.parametrize(
    ("queue", "after"),
    [
        ("## Queued\n- [ ] a\n\n## Done\n- [x] b\n", "## Queued\n- [ ] a\n- [ ] New\n\n## Done\n- [x] b\n"),
        ("# Mine\n\n1. a\n   more of a\n2. b", "# Mine\n\n1. a\n   more of a\n2. b\n3. New"),
        ("## Backlog\n* a\n\n## Ideas\n* b\n", "## Backlog\n* a\n* New\n\n## Ideas\n* b\n"),
        ("## Later\ntext\n\n- a\n\n## Never\n", "## Later\ntext\n\n- a\n- New\n\n## Never\n"),
        ("## Queued\n\n(empty)\n", "## Queued\n- New\n\n<!-- (empty) -->\n"),
        ("## Queued\r\n- a\r\n", "## Queued\r\n- a\r\n- New\r\n"),
        ("", "- New\n"),
        ("words\n", "words\n\n- New\n"),
    ],
)
def test_a_new_task_joins_the_list_that_people_keep(tmp_path: Path, queue: str, after: str) -> None:
    store = memory(tmp_path, TASK_QUEUE=queue)
    tasks.add_task(store, "New")
    assert read_bytes(store.root / "TASK-QUEUE.md") == after.encode()


def test_tasks_are_read_from_sections_lists_and_headings_of_people(tmp_path: Path) -> None:
    working = (
        "# Working\n- loose one\n\n## In Progress\n### Port\n- x\n### Key Files\n- no task\n\n## Now\n- [ ] item\n\n"
        "## Route work ✅\n- a\n\n```\n## no heading\n```\n<!--\n## no task\n-->\n"
    )
    store = memory(
        tmp_path,
        WORKING=working,
        TASK_QUEUE="## Big one\nprose only\n\n## High\n- one\n  - two\n- **Three**: why\n",
    )
    running, queued = tasks.read_tasks(store)
    assert [t.title for t in running] == ["loose one", "Port", "item", "Route work"]
    assert [t.title for t in running if t.finished] == ["Route work"]
    assert [t.title for t in queued] == ["Big one", "one", "Three"]


def test_what_a_task_says_in_forms_of_its_own_is_in_the_entry_word_for_word(tmp_path: Path) -> None:
    working = (
        "# Working\n\n## Odd task [reference]\nfree words here\n- owner: me\n\n### Measurements\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "### Decisions\n- one\n  because of two\n\n### Next Steps\n- [x] wrote it\n- [ ] ship it\nthen rest\n\n## Other\n- stays\n"
    )
    store = memory(tmp_path, WORKING=working)
    close(store, "odd", "failed", outcome="no time")
    entry = log(store)
    assert "## Odd task [reference]" in entry
    assert "- outcome:\n  - failed: no time\n  - wrote it\n" in entry
    for words in (
        "free words here",
        "owner: me",
        "### Measurements\n| a | b |",
        "one\n  because of two",
        "ship it",
        "then rest",
    ):
        assert words in entry
    assert "- not done:\n" in entry
    assert text(store, "WORKING.md") == "# Working\n\n## Other\n- stays\n"


def test_a_bullet_in_working_takes_notes_below_it_and_becomes_an_entry(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="# Working\n\n## Now\n- fix the build\n- other\n")
    tasks.note_task(store, "build", "decision", "pin the compiler")
    assert text(store, "WORKING.md").endswith("- fix the build\n  - decisions: pin the compiler\n- other\n")
    close(store, "build")
    assert "- decisions: pin the compiler\n- outcome: done\n" in log(store)
    assert text(store, "WORKING.md") == "# Working\n\n## Now\n- other\n"


def test_a_missing_part_is_made_at_the_end_of_the_task(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="# W\n\n## A\n- x\n\n<!-- form\n-->\n")
    tasks.note_task(store, "a", "next", "go on")
    assert text(store, "WORKING.md") == "# W\n\n## A\n- x\n\n### Next Steps\n- [ ] go on\n\n<!-- form\n-->\n"


def test_notes_forge_no_heading_no_comment_no_fence_and_no_import(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="# W\n\n## A\n### Decisions\n- x\n\n## B\n- y\n")
    tasks.note_task(store, "a", "decisions", "see @src/config.py <!-- and\n## Forged\n```\n@open")
    running, _ = tasks.read_tasks(store)
    assert [task.title for task in running] == ["A", "B"]
    written = text(store, "WORKING.md")
    assert "`@src/config.py`" in written
    assert "<!--" not in written


def test_secrets_never_reach_a_hot_file_or_the_log(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    store = memory(tmp_path, WORKING=f"# W\n\n## A\n### Decisions\n- by hand {secret}\n")
    added = tasks.add_task(store, f"rotate {secret}", context=[f"it is {secret}"])
    assert sum(added.redacted.values()) == 2
    closed = close(store, "a", outcome=f"with {secret}")
    assert sum(closed.redacted.values()) == 2
    assert secret not in log(store) + text(store, "TASK-QUEUE.md")


def test_bytes_that_are_no_text_stay_in_the_file_and_are_marked_in_the_log(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING=b"\xef\xbb\xbf# W \xff\r\n\r\n## A\r\n- b \xfe\r\n\r\n## C\r\n- \xfd")
    close(store, "A")
    assert read_bytes(store.root / "WORKING.md") == b"\xef\xbb\xbf# W \xff\r\n\r\n## C\r\n- \xfd"
    assert "- request: b \ufffd\n" in log(store)


def test_the_entry_goes_to_the_day_on_which_the_session_started(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="## A\n- x\n")
    with store.lock():
        begin_session(store, "4f1c", "startup", NOW, UTC)
    closed = close(store, "A", now=datetime(2026, 3, 16, 0, 40, tzinfo=UTC))
    assert closed.path == "memory/2026-03-15.md"
    assert "<!-- 2026-03-16 00:40 session 4f1c -->" in log(store)


def test_closing_counts_the_lines_and_one_checkpoint(tmp_path: Path) -> None:
    store = memory(tmp_path, WORKING="## A\n- x\n")
    closed = close(store, "A")
    assert (closed.checkpoints, closed.raw_lines) == (1, len(log(store).splitlines()))


def fail_at(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the write of one file fail once, as a full disk or a crash would."""
    from hipocampus.session import hotfile

    real = hotfile.replace_file

    def write(path: Path, data: bytes, *, instead_of: bytes | None) -> None:
        if path.name == name:
            monkeypatch.setattr(hotfile, "replace_file", real)
            raise WriteError(f"{path}: not written (No space left on device)")
        real(path, data, instead_of=instead_of)

    monkeypatch.setattr(hotfile, "replace_file", write)


def test_a_crash_between_log_and_working_is_repaired_by_doing_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = memory(tmp_path, WORKING="# W\n\n## A\n- x\n")
    fail_at(monkeypatch, "WORKING.md")
    with pytest.raises(WriteError):
        close(store, "A", outcome="o")
    assert "## A" in text(store, "WORKING.md")
    assert "## A" in log(store)
    again = close(store, "A", outcome="o")
    assert (again.entries, again.checkpoints) == (0, 1)
    assert log(store).count("## A") == 1
    assert text(store, "WORKING.md") == "# W\n\n"


def test_a_crash_between_working_and_queue_is_repaired_by_doing_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = memory(tmp_path, TASK_QUEUE="- A — why\n  - [ ] step\n- B\n", WORKING="# W\n")
    fail_at(monkeypatch, "TASK-QUEUE.md")
    with pytest.raises(WriteError):
        start(store, "A")
    once = text(store, "WORKING.md")
    start(store, "A")
    assert text(store, "WORKING.md") == once
    assert text(store, "TASK-QUEUE.md") == "- B\n"


def test_a_task_in_both_files_is_closed_in_both(tmp_path: Path) -> None:
    store = memory(tmp_path, TASK_QUEUE="- A — why\n- B\n", WORKING="# W\n\n## A\n- what\n")
    assert close(store, "A").removed_from == ["WORKING.md", "TASK-QUEUE.md"]
    assert "  - what\n  - why\n" in log(store)


@pytest.mark.parametrize(
    ("word", "heading"),
    [
        ("key-files", "Key Files"), ("files", "Key Files"), ("key", "Key Files"), ("decision", "Decisions"),
        ("errors-and-corrections", "Errors & Corrections"), ("err", "Errors & Corrections"), ("NEXT", "Next Steps"),
    ],
)  # fmt: skip
def test_the_parts_have_short_names(word: str, heading: str) -> None:
    assert part_heading(word) == heading


@pytest.mark.parametrize("word", ["", "x", "e s"])
def test_other_names_are_wrong_usage(word: str) -> None:
    with pytest.raises(UsageError):
        part_heading(word)
