"""What scripts and hooks hold on to: exit statuses, pure JSON, one line for an error, silence when switched off."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import Hipo, hipo_process
from support.trees import snapshot, write_logs

import hipocampus.cli.run_show as show_module
from hipocampus.cli.app import COMMANDS
from hipocampus.cli.context import AGENT_COMMANDS
from hipocampus.cli.entry import main, run

PACKAGE = Path(show_module.__file__).parent
THERE = [name for name, (module, _) in COMMANDS.items() if (PACKAGE / f"{module}.py").is_file()]


@pytest.mark.parametrize("name", THERE)
def test_help_says_how_to_call_it_and_fits_the_screen(hipo: Hipo, name: str) -> None:
    done = hipo(name, "--help")
    lines = done.out.split("\n")
    assert done.status == 0 and done.err == ""
    assert lines[0].startswith(f"Usage: hipo {name}") and "--help" in done.out
    assert len(lines) < 90 and max(map(len, lines)) <= 130
    assert "\x1b" not in done.out and "│" not in done.out


def test_without_a_command_the_help_is_shown_and_the_version_is_one_line(hipo: Hipo) -> None:
    assert hipo().status == 2
    done = hipo("--help")
    assert done.status == 0 and [n for n in THERE if f"  {n} " not in done.out] == []
    assert hipo("--version").out.startswith("hipo 0.") and hipo("--version").status == 0


@pytest.mark.parametrize(
    "words",
    [
        ("start",),
        ("checkpoint", "T", "--outcome", "x"),
        ("compact",),
        ("compact", "--force", "--dry-run"),
        ("compact", "--pending", "--all"),
        ("show", "root", "--up", "--down"),
        ("doctor",),
        ("doctor", "--fix"),
    ],
)
def test_json_is_one_document_on_stdout_whatever_is_said_beside_it(
    root: Path, hipo: Hipo, words: tuple[str, ...]
) -> None:
    write_logs(root, {"2026-03-10": "## A [user]\n- rule: [project] `@x` 결제 🚀\n"})
    hipo("compact")
    (root / "memory/.compaction-state.json").write_text("{torn")
    (root / "memory/2026-03-11.md").mkdir()
    done = hipo(*words, "--json")
    document = json.loads(done.out)
    assert isinstance(document, dict) and done.out.startswith("{\n") and "\\u" not in done.out
    assert all(line.startswith("hipo: ") for line in done.err.splitlines())


def test_the_json_of_compact_and_start_has_the_keys_of_the_contract(root: Path, hipo: Hipo) -> None:
    write_logs(root, {"2026-03-10": "## A\n- outcome: x\n"})
    compact = hipo("compact", "--json").json
    assert {
        "ran",
        "triggers",
        "skipped_because",
        "nodes",
        "root",
        "redacted",
        "problems",
        "seconds",
    } <= compact.keys()
    assert compact["nodes"][0].keys() == {"path", "level", "status", "summary", "action", "lines"}
    assert compact["root"].keys() == {"path", "tokens", "cap"}
    start = hipo("start", "--json").json
    assert start.keys() == {
        "session", "day", "compaction", "files", "pending_summaries", "handoffs", "context",
    }  # fmt: skip
    assert start["compaction"].keys() == {
        "due",
        "triggers",
        "dispatched",
        "hours_since",
        "raw_lines",
        "checkpoints",
    }
    assert start["context"] == hipo("start").out.removesuffix("\n")
    skipped = hipo("compact", "--json").json
    assert skipped["ran"] is False and "cooldown" in skipped["skipped_because"]


@pytest.mark.parametrize("name", sorted(set(THERE) & AGENT_COMMANDS - {"mcp"}))
def test_switched_off_what_agents_call_is_silent_and_touches_nothing(
    root: Path, hipo: Hipo, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = snapshot(root, own=True)
    monkeypatch.setenv("HIPO_OFF", "1")
    done = hipo(name, "x", stdin="## T\n- outcome: x\n")
    assert (done.status, done.out, done.err) == (0, "", "")
    assert snapshot(root, own=True) == before


def test_in_a_folder_without_memory_nothing_is_created(tmp_path: Path, hipo: Hipo) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for words in (
        ("start",),
        ("checkpoint", "T", "--outcome", "x"),
        ("compact",),
        ("show", "root"),
        ("doctor",),
    ):
        done = hipo(*words, cwd=bare)
        assert done.status == 1 and done.out == "" and "there is no memory here" in done.err
    assert not list(bare.iterdir())


def test_the_root_is_named_by_option_by_environment_or_found_upwards(
    root: Path, tmp_path: Path, hipo: Hipo, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_logs(root, {"2026-03-10": "## Here\n"})
    deep = root / "src" / "deep"
    deep.mkdir(parents=True)
    assert "## Here" in hipo("show", "2026-03-10", cwd=deep).out
    assert "## Here" in hipo("--root", str(root), "show", "2026-03-10", cwd=tmp_path).out
    monkeypatch.setenv("HIPO_ROOT", str(root))
    assert "## Here" in hipo("show", "2026-03-10", cwd=tmp_path).out


def test_a_bug_is_one_line_and_a_report_without_secrets(
    root: Path, hipo: Hipo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError(f"with {token}")

    monkeypatch.setattr(show_module, "show", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = hipo("show", "root")
    assert done.status == 3 and done.out == "" and done.err.count("\n") == 1
    assert done.err.startswith("hipo: a bug in hipo (ZeroDivisionError: with [REDACTED:")
    (report,) = tmp_path.glob("hipo-bug-*")
    assert str(report) in done.err and "Traceback" in report.read_text() and token not in report.read_text()
    told = hipo("--debug", "show", "root")
    assert told.status == 3 and "Traceback" in told.err and token not in told.err


def test_an_interrupt_is_130(hipo: Hipo, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(show_module, "show", interrupted)
    done = hipo("show", "root")
    assert (done.status, done.out) == (130, "") and "Traceback" not in done.err


def test_an_interrupt_before_anything_is_loaded_is_130_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("hipocampus.cli.entry._status", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["status"])
    assert ended.value.code == 130


def test_main_ends_the_process_with_the_status(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    monkeypatch.chdir(root)
    with pytest.raises(SystemExit) as ended:
        main(["show", "2020-01-01"])
    assert ended.value.code == 1
    assert run(["show", "nonsense", "--nope"]) == 2


def test_text_is_utf8_whatever_the_locale_says(root: Path) -> None:
    write_logs(root, {"2026-03-15": "## 결제 흐름 [project]\n- outcome: 끝 🚀 → ok\n"})
    for environment in ({"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"}):
        done = hipo_process(root, "show", "2026-03-15", **environment)
        assert done.status == 0 and "끝 🚀 → ok" in done.out
    done = hipo_process(
        root, "checkpoint", "-", stdin="## 팀 [user]\n- request: 세 명\n", LC_ALL="C", PYTHONUTF8="0"
    )
    assert done.status == 0 and "팀 [user]" in done.out
    assert "- request: 세 명" in (root / "memory/2026-03-15.md").read_text("utf-8")


def test_an_open_pipe_on_which_nobody_writes_is_not_waited_for_when_a_topic_is_given(root: Path) -> None:
    silent, held_open = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "hipocampus", "checkpoint", "Topic", "--outcome", "x"],
            cwd=root,
            stdin=silent,
            capture_output=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(silent)
        os.close(held_open)
    assert done.returncode == 0 and b"saved Topic [project]" in done.stdout


def test_brackets_markup_and_codes_in_text_come_out_as_they_are_but_terminal_codes_do_not(
    root: Path, hipo: Hipo
) -> None:
    write_logs(
        root, {"2026-03-15": "## A [project]\n- outcome: [bold]x[/bold] :smile: \x1b[31mred\x1b[0m\x07\n"}
    )
    assert hipo("show", "2026-03-15").out == "## A [project]\n- outcome: [bold]x[/bold] :smile: red\n"


def test_what_is_given_twice_is_stored_twice(root: Path, hipo: Hipo) -> None:
    ran = hipo(
        "checkpoint",
        "Parser",
        "--outcome",
        "first part",
        "--outcome",
        "second part",
        "--request",
        "a",
        "--request",
        "b",
    )
    log = (root / "memory/2026-03-15.md").read_text("utf-8")
    assert ran.status == 0 and all(text in log for text in ("first part", "second part", "- a", "- b"))


def test_neither_a_checkpoint_nor_show_repeats_a_secret(root: Path, hipo: Hipo) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    for _ in range(2):
        ran = hipo("checkpoint", f"rotate {token}", "--outcome", "x")
        assert ran.status == 0 and token not in ran.out + ran.err
    write_logs(root, {"2026-03-10": f"## Head {token} [project]\n- outcome: y\n"})
    assert hipo("compact", "--force").status == 0
    for words in (
        ["2026-03-10:1"],
        ["2026-03-10", "--down"],
        ["2026-03-10", "--down", "--json"],
        ["memory/2026-03-10.md"],
    ):
        ran = hipo("show", *words)
        assert ran.status == 0 and "Head" in ran.out and token not in ran.out, words


@pytest.mark.parametrize("words", ["show {}", "brain plan {}", "export html {}", "show memory/{}.md"])
def test_a_name_that_is_too_long_is_no_bug(root: Path, hipo: Hipo, words: str) -> None:
    ran = hipo(*words.format("가" * 100).split())
    assert ran.status in (1, 2) and ran.err.startswith("hipo: ") and ran.err.count("\n") == 1


@pytest.mark.parametrize("words", ["recall x --root d", "brain prompt x --debug"])
def test_an_option_of_hipo_behind_a_command_is_told_where_it_goes(hipo: Hipo, words: str) -> None:
    ran = hipo(*words.split())
    assert ran.status == 2 and "it stands before the command: hipo --" in ran.err and ran.err.count("\n") == 1


def test_a_month_whose_days_stand_in_another_one_says_where_and_a_year_names_its_months(
    root: Path, hipo: Hipo
) -> None:
    write_logs(root, {"2026-03-01": "## Flow [project]\n- outcome: done\n"})  # a Sunday
    assert hipo("compact").status == 0
    told = hipo("show", "2026-03")
    assert told.status == 1 and "there is nothing; look at 2026-02: a week belongs to" in told.err
    assert "look at its months: 2026-02" in hipo("show", "2026").err
    assert "hipo status shows what there is" in hipo("show", "2025").err


@pytest.mark.parametrize("year", ["0001", "0002", "9998", "9999"])
def test_a_moment_at_the_end_of_the_calendar_is_no_bug(root: Path, hipo: Hipo, year: str) -> None:
    hipo.now = f"{year}-01-01T00:00:00Z"
    assert hipo("status").status == 2 and hipo("compact", "--force").status == 2
