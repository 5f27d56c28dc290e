"""`hipo recall` as people and scripts call it, and qmd behind it."""

import os
import sqlite3
import stat
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import write_logs

LOGS = {
    "2026-03-04": "# 2026-03-04\n\n## Toolchain [project]\n- decisions: C++ moves to clang 18\n- outcome: [red]x[/red]\n",
    "2026-01-02": "# 2026-01-02\n\n## Headers [project]\n- outcome: C header cleanup\n",
}

# Speaks as @tobilu/qmd 1.0.7 does: `update` indexes what its settings name, `search` prints JSON with virtual
# paths in lower case and diff-like line spans. It notes how it was called.
FAKE_QMD = """#!{python}
import json, os, sys
from pathlib import Path
folder = Path(os.environ["QMD_CONFIG_DIR"])
with (folder / "calls").open("a") as calls:
    calls.write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "update":
    assert os.environ["INDEX_PATH"] == str(folder / "index.sqlite")
    assert '    pattern: "**/*.md"' in (folder / "index.yml").read_text()
    print("Updating 1 collection(s)...")
elif "broken" in sys.argv:
    sys.exit("Error: no index")
else:
    snippet = "@@ -3,2 @@ (2 before, 0 after)\\n## Toolchain [project]\\n- decisions: C++ moves to clang 18"
    rows = [{{"docid": "#1", "score": 0.87, "file": "qmd://memory/2026-03-04.md", "title": "t", "snippet": snippet}},
            {{"docid": "#2", "score": 0.5, "file": "qmd://memory/root.md", "title": "t", "snippet": "x"}}]
    print(json.dumps(rows))
"""


@pytest.fixture
def hipo(root: Path, monkeypatch: pytest.MonkeyPatch) -> Hipo:
    write_logs(root, LOGS)
    return Hipo(root, monkeypatch)


def test_json_is_the_contracts(hipo: Hipo) -> None:
    found = hipo("recall", "C++", "--json").json
    assert found["results"][0].keys() == {
        "path", "line_start", "line_end", "topic", "type", "date", "age_days", "level", "score", "text", "warnings",
    }  # fmt: skip
    assert found["results"][0]["path"] == "memory/2026-03-04.md"
    assert (found["query"], found["index"]["files"], found["index"]["refreshed"]) == ("C++", 2, 2)


def test_piped_output_is_one_record_a_paragraph(hipo: Hipo) -> None:
    assert hipo("recall", "header", "cleanup").out == (
        "memory/2026-01-02.md:4 Headers [project] 2026-01-02 72d (recorded 72 days ago; check the present state)\n"
        "- outcome: C header cleanup\n"
    )


def test_words_after_two_dashes_are_a_query(hipo: Hipo) -> None:
    assert hipo("recall", "--json", "--", "--clang").json["results"]


def test_nothing_found_is_said_and_is_no_failure(hipo: Hipo) -> None:
    ran = hipo("recall", "[/zzyzx]")
    assert (ran.status, ran.out) == (0, "(not in the memory: zzyzx)\n\nnothing found for '[/zzyzx]'\n")


def test_explain_says_what_a_score_is_made_of(hipo: Hipo) -> None:
    parts = hipo("recall", "clang", "--explain", "--json").json["results"][0]["parts"]
    assert {"words", "section"} <= parts.keys()
    assert "score " in hipo("recall", "clang", "--explain").out


def test_a_day_that_is_none_is_wrong_usage(hipo: Hipo) -> None:
    ran = hipo("recall", "x", "--since", "soon")
    assert (ran.status, ran.out) == (2, "")
    assert "not a day: 'soon'" in ran.err


def test_on_a_terminal_words_are_marked_and_brackets_stay(
    hipo: Hipo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hipocampus.cli.render_recall import print_on_terminal
    from hipocampus.recall import search

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    print_on_terminal(search(hipo.root, "clang", today=date(2026, 3, 15)), explain=True)
    out = capsys.readouterr().out
    assert "memory/2026-03-04.md:" in out
    assert "[red]x[/red]" in out
    assert "\x1b[1;35mclang\x1b[0m" in out


def with_qmd(hipo: Hipo, monkeypatch: pytest.MonkeyPatch) -> None:
    program = hipo.root / "bin/qmd"
    program.parent.mkdir()
    program.write_text(FAKE_QMD.format(python=sys.executable), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (hipo.root / "hipocampus.config.json").write_text('{"search": {"engine": "qmd"}}', encoding="utf-8")


def calls(hipo: Hipo) -> list[str]:
    return (hipo.root / "memory/.hipo/qmd/calls").read_text("utf-8").splitlines()


def test_qmd_answers_in_the_same_form_and_updates_after_changes_only(
    hipo: Hipo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_qmd(hipo, monkeypatch)
    found = hipo("recall", "clang", "--json").json
    (hit,) = found["results"]
    assert (hit["path"], hit["line_start"], hit["line_end"], hit["topic"], hit["age_days"]) == (
        "memory/2026-03-04.md", 3, 4, "Toolchain", 11,
    )  # fmt: skip
    assert hipo("recall", "clang", "--type", "user", "--json").json["results"] == []
    assert calls(hipo) == ["update", "search --json -n 40 -- clang", "search --json -n 40 -- clang"]
    (hipo.root / "memory/2026-03-05.md").write_text("## N\nx\n", encoding="utf-8")
    assert hipo("recall", "clang", "--json").json["index"]["refreshed"] == 1
    assert calls(hipo).count("update") == 2


@pytest.mark.parametrize("engine", ["builtin", "qmd"])
def test_a_secret_that_somebody_wrote_into_a_log_by_hand_comes_out_nowhere(
    hipo: Hipo, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    if engine == "qmd":
        with_qmd(hipo, monkeypatch)
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    log = hipo.root / "memory/2026-03-04.md"
    log.write_text(log.read_text("utf-8").replace("Toolchain", f"Toolchain {token}"), encoding="utf-8")
    for words in (["recall", "clang"], ["recall", "clang", "--json"], ["brain", "prompt", "clang", "--json"]):
        ran = hipo(*words)
        assert "Toolchain" in ran.out and token not in ran.out, words


def test_where_qmd_is_missing_the_builtin_engine_answers(hipo: Hipo, monkeypatch: pytest.MonkeyPatch) -> None:
    (hipo.root / "hipocampus.config.json").write_text('{"search": {"engine": "qmd"}}', encoding="utf-8")
    monkeypatch.setenv("PATH", str(hipo.root / "nothing"))
    ran = hipo("recall", "clang", "--json")
    assert ran.json["results"][0]["path"] == "memory/2026-03-04.md"
    assert ran.err == "hipo: recall: qmd is not on PATH; the builtin engine answered\n"


def test_where_qmd_fails_the_builtin_engine_answers(hipo: Hipo, monkeypatch: pytest.MonkeyPatch) -> None:
    with_qmd(hipo, monkeypatch)
    ran = hipo("recall", "broken", "--json")
    assert "exit status 1: Error: no index; the builtin engine answered" in ran.err


def test_a_query_loads_neither_rich_nor_detectors(hipo: Hipo) -> None:
    code = (
        "import sys\nfrom datetime import date\nfrom pathlib import Path\nfrom hipocampus.recall import search\n"
        "search(Path(sys.argv[1]), 'clang', today=date(2026, 3, 15))\n"
        "print([m for m in ('rich', 'yaml', 'hipocampus.redact', 'difflib', 'asyncio') if m in sys.modules])"
    )
    hipo("recall", "clang")
    ran = subprocess.run([sys.executable, "-c", code, str(hipo.root)], capture_output=True, check=True)
    assert ran.stdout.decode().strip() == "[]"


@pytest.mark.parametrize("damage", ["DROP TABLE texts", "DELETE FROM files", "DELETE FROM sections"])
def test_an_index_that_lost_a_part_is_built_anew_or_answers(hipo: Hipo, damage: str) -> None:
    before = hipo("recall", "clang", "--json").json["results"]
    with sqlite3.connect(hipo.root / "memory/.hipo/recall.sqlite3") as db:
        db.execute(damage)
    db.close()
    ran = hipo("recall", "clang", "--json")
    assert ran.status == 0 and (not ran.err or "the index was rebuilt" in ran.err)
    assert before and (not ran.err or ran.json["results"] == before)


def test_a_folder_in_place_of_the_index_is_named(hipo: Hipo) -> None:
    (hipo.root / "memory/.hipo/recall.sqlite3").mkdir(parents=True)
    for words in (["recall", "clang"], ["recall", "--manifest", "clang"]):
        ran = hipo(*words)
        assert ran.status == 1 and ran.err.count("\n") == 1 and "recall.sqlite3" in ran.err
