"""`hipo import`: other memories into raw logs, once, with where it came from."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import Hipo

from hipocampus.memory.entries import parse_log
from hipocampus.platforms.importers import sources

from .conftest import DAY, said


@pytest.fixture
def hipo(root: Path, monkeypatch: pytest.MonkeyPatch) -> Hipo:
    return Hipo(root, monkeypatch)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def make(name: str, text: str) -> Path:
        path = tmp_path / "other" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return tmp_path / "other"

    return make


Write = Callable[..., Path]


def log(root: Path, day: str) -> str:
    return (root / "memory" / f"{day}.md").read_text(encoding="utf-8")


def test_a_note_becomes_an_entry_under_the_day_that_it_names(hipo: Hipo, root: Path, write: Write) -> None:
    write("sub/idea.md", "---\ndate: 2026-03-05\ntags: [a, b]\n---\n# Idea of mine\n\ntext\n\n## Part\n- x\n")
    write("2026-03-06.md", "walked\n")
    write("2026_03_07 Title.md", "here\n")
    write(".obsidian/x.md", "hidden\n")
    folder = write("broken.md", "---\ntitle: [\n---\nonly text of 2026\n")
    os.utime(folder / "broken.md", (1772000000, 1772000000))  # 2026-02-25
    told = hipo("import", "notes", str(folder), "--json").json
    assert (told["entries"], told["duplicates"], told["problems"]) == (4, 0, [])
    assert log(root, "2026-03-05") == (
        "# 2026-03-05\n\n## Idea of mine [project]\n<!-- imported from notes: sub/idea.md -->\n"
        "text\n\n### Part\n- x\n\nTags: a, b\n"
    )
    assert "## Notes of 2026-03-06 [project]" in log(root, "2026-03-06")
    assert "## Title [project]" in log(root, "2026-03-07")
    assert "only text of 2026" in log(root, "2026-02-25")


def test_who_watches_hears_how_far_it_is(write: Write) -> None:
    write("a.md", "one\n")
    folder = write("sub/b.md", "two\n")
    said: list[tuple[int, int, str]] = []
    sources.notes(folder, DAY, lambda *step: said.append(step))
    assert said == [(0, 2, "a.md"), (1, 2, "sub/b.md")]


def test_twice_is_once_and_a_dry_run_writes_nothing(hipo: Hipo, root: Path, write: Write) -> None:
    folder = write("2026-03-06.md", "walked\n")
    before = sorted(root.rglob("*"))
    assert hipo("import", "notes", str(folder), "--dry-run").status == 0
    assert sorted(root.rglob("*")) == before
    hipo("import", "notes", str(folder))
    once = log(root, "2026-03-06")
    assert hipo("import", "notes", str(folder), "--json").json["duplicates"] == 1
    assert log(root, "2026-03-06") == once


def test_since_leaves_older_notes_out(hipo: Hipo, root: Path, write: Write) -> None:
    write("2026-03-05.md", "old\n")
    folder = write("2026-03-06.md", "new\n")
    hipo("import", "notes", str(folder), "--since", "2026-03-06")
    assert not (root / "memory" / "2026-03-05.md").exists()
    assert "new" in log(root, "2026-03-06")


def test_another_hipocampus_keeps_its_entries_and_overwrites_nothing(
    hipo: Hipo, root: Path, write: Write
) -> None:
    write(
        "memory/2026-03-01.md",
        "# 2026-03-01\n\npasted first\n\n## Stock [project]\n- decisions: x\n\n## Tone [feedback]\n- rule: short\n",
    )
    write("memory/ROOT.md", "no entry\n")
    write("WORKING.md", "# Working\n\n## Task one\n- half done\n")
    write("knowledge/a.md", "theirs\n")
    folder = write("knowledge/b.md", "theirs\n")
    (root / "knowledge" / "a.md").write_text("mine\n")
    told = hipo("import", "hipocampus", str(folder), "--json").json
    entries = parse_log(log(root, "2026-03-01")).entries
    assert [(e.topic, e.type) for e in entries] == [
        ("Notes of 2026-03-01", "project"),
        ("Stock", "project"),
        ("Tone", "feedback"),
    ]
    assert told["copied"] == ["knowledge/b.md"]
    assert told["kept"] == ["knowledge/a.md"]
    assert (root / "knowledge" / "a.md").read_text() == "mine\n"
    assert "### Task one" in log(root, "2026-03-15")


def test_claude_code_s_own_memory_brings_its_types(hipo: Hipo, root: Path, write: Write) -> None:
    write("MEMORY.md", "- [tone](tone.md)\n")
    folder = write(
        "tone.md", "---\nname: Tone\ntype: feedback\ndate: 2026-03-02\n---\nAnswer in three lines.\n"
    )
    hipo("import", "claude-code", str(folder))
    entry = parse_log(log(root, "2026-03-02")).entries[0]
    assert (entry.topic, entry.type, entry.body) == ("Tone", "feedback", "Answer in three lines.")
    assert entry.comment == "imported from claude-code: tone.md"


def test_an_openclaw_workspace_brings_logs_and_the_user(hipo: Hipo, root: Path, write: Write) -> None:
    write("memory/2026-03-04.md", "# 2026-03-04\n\n## Call\n- talked\n")
    folder = write("USER.md", "---\ndate: 2026-03-04\n---\n# User\n\n## Name\nMira\n")
    hipo("import", "openclaw", str(folder))
    assert [(e.topic, e.type) for e in parse_log(log(root, "2026-03-04")).entries] == [
        ("Call", "project"),
        ("Notes of 2026-03-04", "user"),
        ("Name", "user"),
    ]


def test_basic_memory_notes_keep_observations(hipo: Hipo, root: Path, write: Write) -> None:
    folder = write(
        "coffee.md",
        "---\ntitle: Coffee\ntype: note\ncreated: 2026-02-01\ntags:\n- brew\n---\n# Coffee\n\n"
        "## Observations\n- [method] pour over #brew\n\n## Relations\n- relates_to [[Tea]]\n",
    )
    hipo("import", "basic-memory", str(folder))
    entry = parse_log(log(root, "2026-02-01")).entries[0]
    assert (entry.topic, entry.type) == ("Coffee", "reference")
    assert "- [method] pour over #brew" in entry.body


def test_secrets_of_a_note_stay_outside(hipo: Hipo, root: Path, write: Write) -> None:
    token = "ghp_" + "a1B2" * 9
    folder = write("2026-03-06.md", f"the key is {token}\n")
    told = hipo("import", "notes", str(folder), "--json").json
    assert token not in log(root, "2026-03-06")
    assert sum(told["redacted"].values()) == 1


def test_a_transcript_by_its_path_and_by_its_session(
    hipo: Hipo, root: Path, transcript: Callable[..., Path]
) -> None:
    path = transcript([said(1, "user", "mark-1")], "abc.jsonl")
    transcript([said(2, "user", "mark-2")], "def.jsonl")
    told = hipo("import", "claude-code", str(path.parent), "--session", "abc", "--json").json
    assert [one["messages"] for one in told["sessions"]] == [1]
    assert "mark-1" in log(root, "2026-03-10")
    assert "mark-2" not in log(root, "2026-03-10")
    assert hipo("import", "claude-code", str(path.parent), "--session", "xyz").status == 2


def test_a_file_that_cannot_be_read_is_named_and_the_rest_done(hipo: Hipo, root: Path, write: Write) -> None:
    folder = write("2026-03-06.md", "fine\n")
    (folder / "2026-03-07.md").symlink_to(folder / "loop" / "x.md")
    (folder / "dir.md").mkdir()
    assert hipo("import", "notes", str(folder)).status == 0
    assert "fine" in log(root, "2026-03-06")
    assert hipo("import", "codex", str(folder / "nothing.jsonl")).status == 1


@pytest.mark.parametrize("words", [["emacs"], ["notes"], ["notes", "/nowhere"], ["codex", "--since", "soon"]])
def test_wrong_usage_says_what_is_right(hipo: Hipo, words: list[str]) -> None:
    ran = hipo("import", *words)
    assert ran.status == 2
    assert ran.err.startswith("hipo: import")


def test_a_client_that_was_never_used_has_nothing(hipo: Hipo) -> None:
    for client in ("claude-code", "codex", "opencode", "gemini", "openclaw"):
        ran = hipo("import", client, "--json")
        assert ran.status == 0
        assert json.loads(ran.out)["messages"] == 0
