"""The doctor names each fault, repairs what can be derived, and never touches what people wrote."""

import os
import shutil
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import node_of, snapshot, write_logs

LOG = "## Payment flow [project]\n- outcome: rate limit holds\n"
STATE = "memory/.compaction-state.json"


@pytest.fixture
def healthy(root: Path, hipo: Hipo) -> Path:
    assert hipo("init").status == 0
    write_logs(root, {"2026-03-03": LOG, "2026-03-09": LOG.replace("Payment", "Other")})
    assert hipo("compact").status == 0
    assert hipo("doctor").out == "all is well\n"
    return root


def test_a_healthy_tree_is_left_alone(healthy: Path, hipo: Hipo) -> None:
    before = snapshot(healthy)
    assert hipo("doctor").status == 0 and hipo("doctor", "--fix").out == "all is well\n"
    assert snapshot(healthy) == before


@pytest.mark.parametrize("place", ["daily/2026-03-03", "weekly/2026-W10", "monthly/2026-03", "ROOT"])
def test_a_missing_node_is_named_and_made_again(healthy: Path, hipo: Hipo, place: str) -> None:
    path = healthy / "memory" / f"{place}.md"
    before = path.read_bytes()
    path.unlink()
    found = hipo("doctor")
    if place != "monthly/2026-03":  # the month is not over
        assert found.status == 1 and f"memory/{place}.md" in found.out
    assert hipo("doctor", "--fix").status == 0
    assert path.read_bytes() == before


def test_a_stale_node_is_named_and_brought_up_to_date(healthy: Path, hipo: Hipo) -> None:
    write_logs(healthy, {"2026-03-03": LOG + "\n## Late [user]\n- rule: mornings\n"})
    assert "memory/daily/2026-03-03.md: its sources have changed" in hipo("doctor").out
    assert hipo("doctor", "--fix").status == 0
    assert "mornings" in node_of(healthy, "daily/2026-03-03").body


@pytest.mark.parametrize("text", ["{torn", '{"lastCompactionRun": "2030-01-01T00:00:00Z"}'])
def test_a_state_of_no_use_is_named_and_written_anew(healthy: Path, hipo: Hipo, text: str) -> None:
    (healthy / STATE).write_text(text)
    assert hipo("doctor").out.startswith(STATE)
    assert f"fixed {STATE}" in hipo("doctor", "--fix").out
    assert (healthy / f"{STATE}.broken-1").read_text() == text
    assert hipo("doctor").status == 0


def test_a_log_that_lost_all_its_text_under_a_node_is_named(healthy: Path, hipo: Hipo) -> None:
    (healthy / "memory/2026-03-03.md").write_text("")
    told = hipo("doctor")
    assert told.status == 1
    assert "memory/daily/2026-03-03.md: its raw log memory/2026-03-03.md is empty" in told.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_cannot_be_read_is_named_once_and_waited_for_nowhere(healthy: Path, hipo: Hipo) -> None:
    (healthy / "memory/2026-03-03.md").unlink()
    os.mkfifo(healthy / "memory/2026-03-03.md")
    assert hipo("doctor").out.count("memory/2026-03-03.md: cannot be read") == 1
    assert hipo("status").out.count("memory/2026-03-03.md: cannot be read") == 1
    assert "cannot be read" in hipo("compact", "--force").err


def test_the_counters_are_found_again_from_the_logs(healthy: Path, hipo: Hipo) -> None:
    write_logs(healthy, {"2026-03-14": "line\n" * 40})
    (healthy / STATE).write_text("{torn")
    hipo("doctor", "--fix")
    assert '"rawLinesSinceLastCompaction": 40' in (healthy / STATE).read_text()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("memory/2026_03_05.md", "x", "no date as its name"),
        ("memory/daily/notes.md", "x", "its name is no daily period"),
        (
            "memory/daily/2026-03-01.md",
            "---\ntype: daily\nstatus: fixed\n---\nx",
            "its raw log memory/2026-03-01.md is missing",
        ),
        ("memory/daily/2026-03-03.md", "mine", "no frontmatter, so it is treated as written by hand"),
        ("memory/daily/2026-03-03.md", "---\ntype: daily\ntype: x\n---\nx", "the key 'type' stands twice"),
        ("memory/daily/2026-03-03.md", "---\ntype: daily\nx: [\n---\nx", "YAML that cannot be read"),
        (
            "memory/daily/2026-03-03.md",
            "---\ntype: daily\n---\n---\ntype: daily\n---\nx",
            "a second frontmatter block",
        ),
        (
            "memory/daily/2026-03-03.md",
            "---\ntype: daily\nstatus: needs-summarization\n---\nx",
            "a placeholder",
        ),
        (
            "memory/daily/2026-03-03.md",
            "---\ntype: weekly\nsummary: llm\n---\nx",
            "type is 'weekly', not 'daily'",
        ),
        (
            "memory/weekly/2026-W10.md",
            "---\ntype: weekly\nperiod: 2026-W09\n---\nx",
            "period is '2026-W09', not '2026-W10'",
        ),
        (
            "memory/daily/2026-03-03.md",
            "---\ntype: daily\n---\n" + "x\n" * 201,
            "201 lines, the limit is 200",
        ),
        ("knowledge/a.md", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> c\n", "git conflict markers"),
    ],
)
def test_each_fault_is_named_with_its_file_and_what_people_wrote_stays(
    healthy: Path, hipo: Hipo, name: str, text: str, said: str
) -> None:
    (healthy / name).write_text(text)
    found = hipo("doctor")
    assert found.status == 1 and any(row.startswith(name) and said in row for row in found.out.splitlines())
    hipo("doctor", "--fix")
    if "placeholder" not in said:
        assert text.split("---\n")[-1].strip() in (healthy / name).read_text()


def test_secrets_in_old_files_are_named_without_being_shown(healthy: Path, hipo: Hipo) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    log = f"{LOG}\n- token {token}\n"
    write_logs(healthy, {"2026-03-09": log})
    found = hipo("doctor", "--fix")
    assert found.status == 1 and "memory/2026-03-09.md:4: holds what looks like secrets" in found.out
    assert token not in found.out + found.err and (healthy / "memory/2026-03-09.md").read_text() == log


def test_no_compaction_for_a_week_and_a_run_that_died_are_named(healthy: Path, hipo: Hipo) -> None:
    hipo.now = "2026-03-25T09:00:00Z"
    write_logs(healthy, {"2026-03-24": LOG})
    assert (
        "no compaction since 2026-03-15T09:00:00Z, though there are logs up to 2026-03-24"
        in hipo("doctor").out
    )
    (healthy / "memory/.hipo/compacting.json").write_text("{}")
    assert "a compaction was begun and did not end" in hipo("doctor").out
    assert hipo("compact").status == 0 and hipo("doctor").status == 0


def test_others_may_not_read_hipos_own_folder(healthy: Path, hipo: Hipo) -> None:
    (healthy / "memory/.hipo").chmod(0o755)
    assert "memory/.hipo: others may read it" in hipo("doctor").out
    hipo("doctor", "--fix")
    assert (healthy / "memory/.hipo").stat().st_mode & 0o777 == 0o700


def test_faults_of_the_background_are_named(healthy: Path, hipo: Hipo) -> None:
    (healthy / "memory/.hipo/compaction.log").write_text("hipo: memory/2026-03-09.md: cannot be read\n")
    assert "memory/.hipo/compaction.log" in hipo("doctor").out


def test_repair_from_nothing_but_the_logs_gives_the_same_tree(healthy: Path, hipo: Hipo) -> None:
    before = snapshot(healthy)
    for folder in ("daily", "weekly", "monthly", ".hipo"):
        shutil.rmtree(healthy / "memory" / folder)
    (healthy / "memory/ROOT.md").unlink()
    assert hipo("doctor", "--fix").status == 0
    assert snapshot(healthy) == before
