"""Lines come into SCRATCHPAD.md and leave it; nothing else in it changes."""

from pathlib import Path

import pytest

from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.store import MemoryStore
from hipocampus.session.notes import add_note, remove_note
from hipocampus.templates import template_text

MINE = "# Mine\r\n\r\n## Ideas\r\nprose\r\n\r\n## Current State\r\n* one\r\n  more\r\n\r\n<!-- kept -->\r\n## Cross-Task Lessons"


def memory(root: Path, scratchpad: str | None = None) -> MemoryStore:
    (root / "memory").mkdir()
    if scratchpad is not None:
        (root / "SCRATCHPAD.md").write_bytes(scratchpad.encode())
    return MemoryStore(root)


def content(store: MemoryStore) -> str:
    return (store.root / "SCRATCHPAD.md").read_bytes().decode()


@pytest.mark.parametrize("word", ["state", "Current State", "current-state", "CURRENT", "pending", "lessons"])
def test_a_line_goes_below_the_comments_of_a_fresh_section_and_out_again(tmp_path: Path, word: str) -> None:
    store = memory(tmp_path)
    added = add_note(store, word, "waits for the review")
    assert content(store).splitlines()[added.line_start - 1] == "- waits for the review"
    assert content(store).splitlines()[added.line_start - 2].startswith("<!--")
    remove_note(store, word, "review")
    assert content(store) == template_text("SCRATCHPAD.md")


def test_lists_and_line_ends_of_people_go_on_as_they_are(tmp_path: Path) -> None:
    store = memory(tmp_path, MINE)
    add_note(store, "state", "two")
    assert content(store) == MINE.replace("  more\r\n", "  more\r\n* two\r\n")
    add_note(store, "lessons", "last")
    assert content(store).endswith("## Cross-Task Lessons\r\n- last")
    add_note(store, "ideas", "own")
    assert "prose\r\n- own\r\n" in content(store)


def test_a_missing_section_is_made_at_the_end(tmp_path: Path) -> None:
    store = memory(tmp_path, "# Mine\n- x\n")
    add_note(store, "pending", "which port")
    assert content(store) == "# Mine\n- x\n\n## Pending Decisions\n- which port\n"


def test_the_same_line_is_added_once(tmp_path: Path) -> None:
    store = memory(tmp_path)
    add_note(store, "state", "a line\nof two")
    before = content(store)
    assert add_note(store, "state", "a line\nof two").action == "unchanged"
    assert content(store) == before


def test_removing_takes_the_whole_bullet_and_names_it(tmp_path: Path) -> None:
    store = memory(tmp_path, MINE)
    assert remove_note(store, "state", "ONE").text == "* one\n  more"
    assert content(store) == MINE.replace("* one\r\n  more\r\n", "")


@pytest.mark.parametrize(
    ("section", "text", "said"),
    [
        ("state", "line", "fits 2 lines of Current State: - line a .line 3., - line b"),
        ("state", "nothing such", "stands nowhere in Current State"),
        ("pending", "x", "has no section Pending Decisions"),
    ],
)
def test_a_removal_that_is_not_plain_changes_nothing(
    tmp_path: Path, section: str, text: str, said: str
) -> None:
    before = "# S\n## Current State\n- line a\n- line b\n"
    store = memory(tmp_path, before)
    with pytest.raises(HipoError, match=said):
        remove_note(store, section, text)
    assert content(store) == before


@pytest.mark.parametrize(("section", "text"), [("weather", "x"), ("e", "x"), ("", "x"), ("state", " \n")])
def test_wrong_usage_is_said(tmp_path: Path, section: str, text: str) -> None:
    with pytest.raises(UsageError):
        add_note(memory(tmp_path), section, text)


def test_what_is_private_or_secret_is_not_written(tmp_path: Path) -> None:
    store = memory(tmp_path)
    noted = add_note(
        store, "state", "public\n<private>\nhidden\n</private>\npassword=" + "hunter2" + "hunter2X"
    )
    assert noted.private_lines > 0
    assert sum(noted.redacted.values()) == 1
    assert "hidden" not in content(store)
    assert "hunter2" not in content(store)
    with pytest.raises(UsageError):
        add_note(store, "state", "<private>all of it</private>")
