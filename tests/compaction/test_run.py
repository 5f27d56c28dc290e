"""A run from judgement to ROOT.md: what it writes, says, resumes and leaves alone. Each case is a small tree."""

import json
import os
from datetime import UTC
from pathlib import Path

import pytest
from support.trees import at, body_lines, compacted, node_of, places, snapshot, write_logs

from hipocampus.compaction.report import Action
from hipocampus.compaction.run import MARK, begin, compact
from hipocampus.config import Config
from hipocampus.memory.nodes import hash_text, parse_covers
from hipocampus.memory.store import MemoryStore

STATE = "memory/.compaction-state.json"
LOG = "# 2026-03-09\n\n## Payment flow [project]\n- outcome: rate limit holds\n"
LATE = "\n## Late idea [user]\n- rule: mornings only\n"


def state(root: Path) -> dict[str, object]:
    return json.loads((root / STATE).read_text())  # type: ignore[no-any-return]


def test_on_the_first_day_the_whole_tree_exists_tentative(root: Path) -> None:
    write_logs(root, {"2026-03-15": LOG})
    report = compacted(root, "2026-03-15")
    assert places(root) == ["daily/2026-03-15", "weekly/2026-W11", "monthly/2026-03"]
    assert {node_of(root, place).status for place in places(root)} == {"tentative"}
    assert "rate limit holds" in (root / "memory/ROOT.md").read_text()
    assert state(root) == {
        "lastCompactionRun": "2026-03-15T09:00:00Z",
        "rawLinesSinceLastCompaction": 0,
        "checkpointsSinceLastCompaction": 0,
    }
    assert [n.action for n in report.nodes] == [Action.CREATED] * 3


def test_frontmatter_has_the_keys_of_the_format(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG, "2026-03-01": LOG})
    compacted(root, "2026-03-15")
    assert (root / "memory/daily/2026-03-09.md").read_text() == (
        '---\ntype: daily\nstatus: fixed\nperiod: "2026-03-09"\nsource-files: [memory/2026-03-09.md]\n'
        'topics: ["Payment flow [project]"]\nsummary: verbatim\n'
        f'covers: ["2026-03-09 4 {hash_text(LOG.removesuffix(chr(10)))}"]\n'
        f'source-hash: "{node_of(root, "daily/2026-03-09").text("source-hash")}"\n'
        f'body-hash: "{hash_text(LOG.strip())}"\n---\n\n{LOG}'
    )
    week, month = node_of(root, "weekly/2026-W11"), node_of(root, "monthly/2026-03")
    assert week.text("dates") == "2026-03-09 to 2026-03-15"
    assert week.items("source-files") == ["memory/daily/2026-03-09.md"]
    assert month.items("weeks") == ["2026-W11"]
    assert node_of(root, "monthly/2026-02").items("weeks") == ["2026-W09"]
    root_text = (root / "memory/ROOT.md").read_text()
    assert root_text.startswith(
        "---\ntype: root\nstatus: tentative\nlast-updated: 2026-03-15\n---\n\n## Active Context"
    )


def test_a_concatenation_gives_each_source_a_heading(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG, "2026-03-10": "words\n"})
    compacted(root, "2026-03-15")
    assert body_lines(root, "weekly/2026-W11") == [*LOG.strip().split("\n"), "", "# 2026-03-10", "", "words"]
    assert body_lines(root, "monthly/2026-03")[:2] == ["# 2026-W11", ""]


def test_a_gated_run_that_is_not_due_writes_nothing_and_says_where_the_counters_stand(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-03-15")
    write_logs(root, {"2026-03-10": LOG})
    before = snapshot(root, own=True)
    report = compact(MemoryStore(root), Config(), at("2026-03-15", 10), UTC)
    assert not report.ran and "cooldown 1.0 of 3 hours" in (report.skipped_because or "")
    assert snapshot(root, own=True) == before


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    before = snapshot(root, own=True)
    dry = compacted(root, "2026-03-15", dry_run=True)
    assert snapshot(root, own=True) == before and sorted(p.name for p in (root / "memory").iterdir()) == [
        "2026-03-09.md"
    ]
    wet = compacted(root, "2026-03-15")
    assert [(n.path, n.action, n.lines) for n in dry.nodes] == [
        (n.path, n.action, n.lines) for n in wet.nodes
    ]
    assert dry.root and wet.root and dry.root.tokens == wet.root.tokens


def test_a_day_without_content_has_no_node(root: Path) -> None:
    write_logs(root, {"2026-03-09": "\n\n", "2026-03-10": b"\xef\xbb\xbf", "2026-03-11": "# 2026-03-11\n"})
    compacted(root, "2026-03-15")
    assert "daily/2026-03-09" not in places(root) and "daily/2026-03-10" not in places(root)


def test_passing_entries_are_left_out_and_counted(root: Path) -> None:
    write_logs(
        root,
        {
            "2026-03-09": "## Keep [project]\n- outcome: x\n\n## Try [temporary]\n- secret plan\n\n## 임시\nweg\n\n## End\nlast\n"
        },
    )
    compacted(root, "2026-03-15")
    assert body_lines(root, "daily/2026-03-09") == [
        "## Keep [project]", "- outcome: x", "", "## End", "last", "", "- 2 entries left out as passing",
    ]  # fmt: skip
    assert node_of(root, "daily/2026-03-09").items("topics") == ["Keep [project]", "End [project]"]
    assert "secret plan" not in "".join(p.read_text() for p in (root / "memory").glob("*/*.md"))


def test_secrets_that_somebody_wrote_into_a_log_reach_no_node(root: Path) -> None:
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    write_logs(root, {"2026-03-09": f"## Deploy [project]\n- outcome: used {token} once\n"})
    report = compacted(root, "2026-03-15")
    assert sum(report.redacted.values()) == 1
    assert token not in "".join(
        p.read_text() for p in (root / "memory").rglob("*.md") if p.parent.name != "memory"
    )
    assert "used [REDACTED:" in node_of(root, "daily/2026-03-09").body
    assert token in (root / "memory/2026-03-09.md").read_text()


@pytest.mark.parametrize(
    ("level", "limit"), [("daily/2026-03-09", 200), ("weekly/2026-W11", 300), ("monthly/2026-03", 500)]
)
@pytest.mark.parametrize("more", [0, 1])
def test_at_the_threshold_a_node_is_verbatim_and_one_line_above_it_is_a_summary(
    root: Path, level: str, limit: int, more: int
) -> None:
    days = {
        "daily": ["2026-03-09"],
        "weekly": ["2026-03-09", "2026-03-10"],
        "monthly": ["2026-03-09", "2026-03-17", "2026-03-24"],
    }
    names = days[level.split("/")[0]]
    # A log brings its title along; what stands between two of them, and the headings of weeks, are lines too.
    between = {"daily": 0, "weekly": 1, "monthly": 8}[level.split("/")[0]]
    lines = limit + more - between - 2 * len(names)
    share = [lines // len(names)] * (len(names) - 1)
    for name, count in zip(names, [*share, lines - sum(share)], strict=True):
        write_logs(
            root, {name: f"# {name}\n## Topic {name}\n" + "".join(f"- line {n}\n" for n in range(count))}
        )
    compacted(root, "2026-05-01")
    node = node_of(root, level)
    if more:
        assert node.text("summary") == "extractive" and len(node.body.split("\n")) <= limit
    else:
        assert node.text("summary") == "verbatim" and len(node.body.split("\n")) == limit


# --- what changes a fixed node ---


@pytest.mark.parametrize("level", ["daily/2026-03-09", "weekly/2026-W11", "monthly/2026-03"])
def test_an_edited_log_reopens_every_level_and_fixes_it_again(root: Path, level: str) -> None:
    write_logs(root, {"2026-03-09": LOG, "2026-03-10": LOG.replace("Payment", "Other")})
    compacted(root, "2026-05-01")
    assert node_of(root, level).is_fixed
    write_logs(root, {"2026-03-09": LOG.replace("holds", "fails")})
    report = compacted(root, "2026-05-01")
    assert {n.path: (n.action, n.status) for n in report.changed}[f"memory/{level}.md"] == (
        Action.REOPENED,
        "fixed",
    )
    assert "rate limit fails" in node_of(root, level).body
    assert not compacted(root, "2026-05-02").changed


def test_a_deleted_log_keeps_its_node_and_the_levels_above(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG, "2026-03-10": LOG.replace("Payment", "Other")})
    compacted(root, "2026-05-01")
    before = {place: node_of(root, place).body for place in places(root)}
    (root / "memory/2026-03-09.md").unlink()
    compacted(root, "2026-05-01")
    write_logs(root, {"2026-03-10": LOG.replace("Payment", "Third")})
    compacted(root, "2026-05-01")
    assert node_of(root, "daily/2026-03-09").body == before["daily/2026-03-09"]
    for place in ("weekly/2026-W11", "monthly/2026-03"):
        assert "Payment flow" in node_of(root, place).body and "Third flow" in node_of(root, place).body
    assert "Payment flow" in (root / "memory/ROOT.md").read_text()


def test_a_day_of_which_only_the_node_is_left_reaches_the_levels_above(root: Path) -> None:
    (root / "memory/daily").mkdir()
    (root / "memory/daily/2026-03-09.md").write_text(
        "---\ntype: daily\nstatus: fixed\n---\n\n## Topics\n- the old harbour plan\n"
    )
    compacted(root, "2026-05-01")
    for place in ("weekly/2026-W11", "monthly/2026-03"):
        assert "the old harbour plan" in node_of(root, place).body
    assert not compacted(root, "2026-05-01").changed


@pytest.mark.parametrize("kept", ["size", "time"])
def test_an_edit_is_seen_when_only_size_or_time_tells_of_it(root: Path, kept: str) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    path = root / "memory/2026-03-09.md"
    stat = path.stat()
    path.write_text(LOG.replace("holds", "fails") if kept == "size" else LOG.replace("holds", "breaks down"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + (kept == "size")))
    compacted(root, "2026-05-01")
    assert "holds" not in node_of(root, "monthly/2026-03").body


def test_an_old_node_that_was_put_back_does_not_speak_for_its_log_above(root: Path) -> None:
    write_logs(root, {"2026-01-12": LOG})
    compacted(root, "2026-03-15")
    old = (root / "memory/daily/2026-01-12.md").read_bytes()
    write_logs(root, {"2026-01-12": LOG + "\n## Evening [project]\n- outcome: use kafka\n"})
    compacted(root, "2026-03-15")
    (root / "memory/daily/2026-01-12.md").write_bytes(old)
    write_logs(root, {"2026-01-13": LOG})  # another day of its week, which is over
    compacted(root, "2026-03-15")
    for name in ("daily/2026-01-12", "weekly/2026-W03", "monthly/2026-01"):
        assert "kafka" in node_of(root, name).body, name


def test_a_deleted_node_is_made_again(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    before = snapshot(root)
    for place in places(root):
        (root / "memory" / f"{place}.md").unlink()
        compacted(root, "2026-05-01")
        assert snapshot(root) == before
    (root / "memory/ROOT.md").unlink()
    compacted(root, "2026-05-01")
    assert snapshot(root) == before


def test_files_that_are_no_period_are_left_alone(root: Path) -> None:
    for name in (
        "2026_03_05.md",
        "2026-02-30.md",
        "2026-03-07-notes.md",
        "daily/notes.md",
        "weekly/2026-W54.md",
    ):
        path = root / "memory" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("## Mine\n- text\n")
    before = snapshot(root)
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-03-15")
    assert before.items() <= snapshot(root).items()
    assert places(root) == [
        "daily/2026-03-09",
        "daily/notes",
        "weekly/2026-W11",
        "weekly/2026-W54",
        "monthly/2026-03",
    ]


# --- somebody's text ---


def test_a_hand_edit_makes_a_node_somebodys_and_a_late_entry_goes_below_it(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    path = root / "memory/daily/2026-03-09.md"
    path.write_text(path.read_text().replace("rate limit holds", "RATE LIMIT HOLDS"))
    write_logs(root, {"2026-03-09": LOG + LATE})
    report = compacted(root, "2026-05-01")
    node = node_of(root, "daily/2026-03-09")
    assert node.body == LOG.strip().replace("rate limit holds", "RATE LIMIT HOLDS") + (
        "\n\n## Late entries\n\n## Late idea [user]\n- rule: mornings only"
    )
    assert (node.text("summary"), node.text("waiting"), node.status) == ("manual", "true", "fixed")
    assert node.items("topics") == ["Payment flow [project]", "Late idea [user]"]
    assert any(n.action is Action.REOPENED and n.path.endswith("daily/2026-03-09.md") for n in report.nodes)
    assert "Late idea" in node_of(root, "weekly/2026-W11").body
    assert "Late idea" in (root / "memory/ROOT.md").read_text()


def test_a_second_late_entry_joins_the_first_and_nothing_is_doubled(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    path = root / "memory/daily/2026-03-09.md"
    path.write_text(path.read_text() + "\nmine\n")
    write_logs(root, {"2026-03-09": LOG + LATE})
    compacted(root, "2026-05-01")
    write_logs(root, {"2026-03-09": LOG + LATE + LATE.replace("idea", "thought")})
    compacted(root, "2026-05-01")
    body = node_of(root, "daily/2026-03-09").body
    assert body.count("## Late entries") == 1
    assert body.count("## Late idea [user]") == body.count("## Late thought [user]") == 1
    assert (
        body.index("mine")
        < body.index("## Late entries")
        < body.index("Late idea")
        < body.index("Late thought")
    )


def test_an_entry_edited_below_somebodys_text_is_added_as_it_reads_now(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    path = root / "memory/daily/2026-03-09.md"
    path.write_text(path.read_text() + "\nmine\n")
    compacted(root, "2026-05-01")
    write_logs(root, {"2026-03-09": LOG.replace("holds", "holds at 500/s")})
    compacted(root, "2026-05-01")
    body = node_of(root, "daily/2026-03-09").body
    assert body.startswith(LOG.strip() + "\n\nmine\n\n## Late entries\n")
    assert "rate limit holds at 500/s" in body


def test_late_entries_that_would_pass_the_limit_become_lines_with_their_places(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-05-01")
    path = root / "memory/daily/2026-03-09.md"
    path.write_text(path.read_text() + "\n".join(f"mine {n}" for n in range(180)) + "\n")
    many = "".join(f"\n## Late {n} [project]\n- outcome: step {n}\n- request: more\n" for n in range(40))
    write_logs(root, {"2026-03-09": LOG + many})
    compacted(root, "2026-05-01")
    body = node_of(root, "daily/2026-03-09").body
    assert "mine 179" in body and len(body.split("\n")) <= 200
    assert "- Late 0 [project]: outcome: step 0 → 2026-03-09:6" in body
    assert body.split("\n")[-1].startswith("- +") and body.endswith("more → 2026-03-09")


def test_a_node_without_frontmatter_is_somebodys(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    (root / "memory/daily").mkdir()
    (root / "memory/daily/2026-03-09.md").write_text("My own words about that day.\n")
    compacted(root, "2026-05-01")
    assert node_of(root, "daily/2026-03-09").body == "My own words about that day."
    assert "My own words" in node_of(root, "weekly/2026-W11").body
    write_logs(root, {"2026-03-09": LOG + LATE})
    compacted(root, "2026-05-01")
    body = node_of(root, "daily/2026-03-09").body
    assert body.startswith("My own words about that day.\n\n## Late entries") and "mornings only" in body
    assert "Payment flow" not in body  # it counts as covering the log as it stood when it was first seen


def test_unknown_keys_comments_and_their_order_stay_in_a_node(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-03-15")
    path = root / "memory/daily/2026-03-09.md"
    path.write_text(path.read_text().replace("type: daily\n", "# a note\nowner: me\ntype: daily\n", 1))
    write_logs(root, {"2026-03-09": LOG + LATE})
    compacted(root, "2026-03-15")
    assert path.read_text().startswith("---\n# a note\nowner: me\ntype: daily\nstatus: fixed\n")
    assert node_of(root, "daily/2026-03-09").text("summary") == "verbatim"


# --- the mark, the snapshot, the state ---


def test_a_run_that_died_is_resumed_whatever_the_triggers_say(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    store = MemoryStore(root)
    begin(store, Config(), at("2026-03-15"), UTC)
    assert (root / "memory/.hipo" / MARK).exists() and not places(root)
    report = compact(MemoryStore(root), Config(), at("2026-03-15"), UTC)
    assert report.ran and [str(t) for t in report.triggers] == ["resumed"]
    assert len(places(root)) == 3 and not (root / "memory/.hipo" / MARK).exists()
    assert not compact(MemoryStore(root), Config(), at("2026-03-15"), UTC).ran


@pytest.mark.parametrize("text", ["{torn", "[1]", '{"lastCompactionRun": "soon"}', ""])
def test_a_state_that_cannot_be_used_is_set_aside_said_and_counts_as_none(root: Path, text: str) -> None:
    write_logs(root, {"2026-03-09": LOG})
    (root / STATE).write_text(text)
    report = compact(MemoryStore(root), Config(), at("2026-03-15"), UTC)
    assert [str(t) for t in report.triggers] == ["no-state"]
    assert any(STATE in note and f"{STATE}.broken-1" in "\n".join(report.notes) for note in report.notes)
    assert (root / f"{STATE}.broken-1").read_text() == text
    assert state(root)["lastCompactionRun"] == "2026-03-15T09:00:00Z"


def test_a_state_in_the_future_counts_as_none_and_is_named(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    (root / STATE).write_text('{"lastCompactionRun": "2027-01-01T00:00:00Z", "mine": 1}')
    report = compact(MemoryStore(root), Config(), at("2026-03-15"), UTC)
    assert report.ran and any(STATE in note and "future" in note for note in report.notes)
    assert state(root)["lastCompactionRun"] == "2026-03-15T09:00:00Z" and state(root)["mine"] == 1


WORKING = "# Working\n\n<!-- format -->\n\n## Move the queue\n\n### Next Steps\n- [ ] write the test\n"


def test_active_work_is_copied_into_todays_log_once(root: Path) -> None:
    (root / "WORKING.md").write_text(WORKING)
    compacted(root, "2026-03-15")
    log = (root / "memory/2026-03-15.md").read_text()
    assert log == (
        "# 2026-03-15\n\n## Working State Snapshot [project]\n<!-- 09:00 -->\n### Move the queue\n\n#### Next Steps\n"
        "- [ ] write the test\n"
    )
    compacted(root, "2026-03-15")
    compacted(root, "2026-03-16")
    assert (root / "memory/2026-03-15.md").read_text() == log and not (root / "memory/2026-03-16.md").exists()
    for place in places(root):
        assert "Working State Snapshot [project]" not in node_of(root, place).items("topics")
    assert "Snapshot" not in (root / "memory/ROOT.md").read_text()
    (root / "WORKING.md").write_text(WORKING.replace("[ ]", "[x]"))
    compacted(root, "2026-03-16")
    assert "- [x] write the test" in (root / "memory/2026-03-16.md").read_text()


def test_the_last_snapshot_is_found_also_without_hipos_own_folder(root: Path) -> None:
    import shutil

    (root / "WORKING.md").write_text(WORKING)
    compacted(root, "2026-03-15")
    shutil.rmtree(root / "memory/.hipo")
    compacted(root, "2026-03-17")
    assert not (root / "memory/2026-03-17.md").exists()


@pytest.mark.parametrize(
    "text", ["", "# Working\n\n(no active tasks)\n\n<!-- Format:\n## [Task]\n-->\n", "# Working\n"]
)
def test_an_empty_template_is_no_work(root: Path, text: str) -> None:
    (root / "WORKING.md").write_text(text)
    compacted(root, "2026-03-15")
    assert not (root / "memory/2026-03-15.md").exists()


# --- ROOT.md ---


def test_lines_that_somebody_wrote_into_root_survive(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-03-15")
    path = root / "memory/ROOT.md"
    text = path.read_text()
    path.write_text(
        text.replace("## Recent Patterns\n", "## Recent Patterns\n- my own insight about queues\n")
    )
    compacted(root, "2026-03-15")
    assert "- my own insight about queues" in path.read_text()
    write_logs(root, {"2026-03-14": LOG.replace("Payment", "New")})
    compacted(root, "2026-03-15")
    assert path.read_text().count("- my own insight about queues") == 1 and "New flow" in path.read_text()


def test_a_new_day_changes_ages_and_nothing_else_in_root(root: Path) -> None:
    write_logs(root, {"2026-03-09": LOG})
    compacted(root, "2026-03-12")
    before = (root / "memory/ROOT.md").read_text()
    compacted(root, "2026-03-13")
    after = (root / "memory/ROOT.md").read_text()
    assert after == before.replace("2026-03-12", "2026-03-13").replace(", 3d]", ", 4d]") != before


def test_a_reference_of_more_than_thirty_days_gets_a_mark_and_rules_stay_in_the_index(root: Path) -> None:
    write_logs(
        root,
        {
            "2026-01-05": "## Billing api [reference]\n- references: knowledge/billing.md\n\n"
            "## Short answers [feedback]\n- rule: three lines\n- why: phone\n- how-to-apply: always\n"
        },
    )
    compacted(root, "2026-02-04")
    assert "[reference, 30d]" in (root / "memory/ROOT.md").read_text()
    compacted(root, "2026-02-05")
    text = (root / "memory/ROOT.md").read_text()
    assert "- Billing api [reference, 31d, ?]" in text and "- Short answers [feedback, 31d]" in text


def test_words_that_a_platform_would_import_stand_in_backticks(root: Path) -> None:
    write_logs(root, {"2026-03-14": "## Review [project]\n- outcome: ask @alice about @docs/plan.md\n"})
    compacted(root, "2026-03-15")
    text = (root / "memory/ROOT.md").read_text()
    assert "`@alice`" in text and not [w for w in text.split() if w.startswith("@")]


# --- covers follow the logs ---


def test_covers_name_each_log_below_with_lines_and_hash(root: Path) -> None:
    write_logs(
        root, {"2026-03-09": b"\xef\xbb\xbf## A\r\n- outcome: x\r\n", "2026-03-10": "no newline at the end"}
    )
    compacted(root, "2026-03-15")
    covers = parse_covers(node_of(root, "monthly/2026-03").items("covers"))
    assert str(covers["2026-03-09"]) == f"2026-03-09 2 {hash_text('## A' + chr(10) + '- outcome: x')}"
    assert str(covers["2026-03-10"]) == f"2026-03-10 1 {hash_text('no newline at the end')}"


def test_a_node_cut_off_in_its_frontmatter_is_made_anew_and_its_bytes_stay(root: Path) -> None:
    write_logs(root, {"2026-03-02": LOG})
    compacted(root, "2026-03-20")
    node = root / "memory/daily/2026-03-02.md"
    whole = node.read_bytes()
    node.write_bytes(whole[:40])
    (root / "memory/.hipo/compaction.json").unlink()  # as doctor --fix does: every node is looked at
    report = compacted(root, "2026-03-21")
    assert node.read_bytes() == whole
    assert node.with_name("2026-03-02.md.broken-1").read_bytes() == whole[:40]
    assert any("2026-03-02.md.broken-1" in note for note in report.notes)
