"""A tree that the JavaScript original (0.5.x) left behind is continued as it is, and stays readable for it.

The shapes are its own: placeholders, topics as bare texts, nodes without `covers`, copies that carry the
frontmatter of what they copied, dates of a week that name the days with logs.
"""

import json
import re
from pathlib import Path

import pytest
from support.trees import compacted, node_of, places, snapshot, write_logs

from hipocampus.compaction.report import Action

HEAD = "---\ntype: {}\nstatus: {}\nperiod: {}\n{}topics: {}\n---\n\n"
GARDEN = "# 2026-01-29\n\n## Seed catalogue [project]\n- request: list the seeds by month\n- outcome: seeds/list.csv\n"
STAFF = "\n## How to write to me [feedback]\n- rule: no abbreviations\n- why: two readers are new\n- how-to-apply: every mail\n"
SUMMARY = "## Topics\nseed-catalogue [project]\n\n## Key Decisions\n- seed-catalogue: one file a year — the old one was too wide\n"
WEEK_SUMMARY = "# Weekly Summary: 2026-W05\n\n## Topics\nseed-catalogue, watering\n\n## Key Decisions\n- watering: evenings only\n"
WATER = "# 2026-02-01\n\n## Watering plan [project]\n- decisions: evenings only\n- outcome: plan.md\n"
LONG = "# 2026-02-02\n\n## Inventory count [project]\n- analysis:\n" + "".join(
    f"  - shelf {n:03}: {n * 3} pots\n" for n in range(240)
)
UNTYPED = "# 2026-02-03\n\n## Old entry without a type\n- outcome: 40 labels printed\n"
PLACEHOLDER = (
    "---\ntype: daily\nstatus: needs-summarization\nperiod: 2026-02-02\nsource-files: [memory/2026-02-02.md]\nlines: 244\n---\n\n"
    "This daily node exceeds 200 lines and needs LLM summarization.\nRun hipocampus-compaction skill to generate the summary.\n"
)
ROOT = (
    "---\ntype: root\nstatus: tentative\nlast-updated: 2026-02-03\n---\n\n## Active Context (recent ~7 days)\n<!-- Current work -->\n\n"
    "## Recent Patterns\n<!-- Cross-cutting insights -->\n\n## Historical Summary\n<!-- timeline -->\n\n## Topics Index\n<!-- topic: keywords -->\n"
)


def head(kind: str, status: str, period: str, topics: str = "[]", extra: str = "") -> str:
    return HEAD.format(kind, status, period, extra, topics)


def copied_day(day: str, log: str, status: str = "fixed") -> str:
    return head("daily", status, day, extra=f"source-files: [memory/{day}.md]\n") + log


@pytest.fixture
def original(root: Path) -> Path:
    """The tree as the original's last run left it on 3 February."""
    memory = root / "memory"
    write_logs(root, {"2026-01-29": GARDEN, "2026-02-01": WATER, "2026-02-02": LONG, "2026-02-03": UNTYPED})
    days = {
        "2026-01-29": head(
            "daily",
            "fixed",
            "2026-01-29",
            "[seed-catalogue [project]]",
            "source-files: [memory/2026-01-29.md]\n",
        )
        + SUMMARY,
        "2026-02-01": copied_day("2026-02-01", WATER),
        "2026-02-02": PLACEHOLDER,
        "2026-02-03": copied_day("2026-02-03", UNTYPED, "tentative"),
    }
    week_5 = (
        head(
            "weekly", "tentative", "2026-W05", "seed-catalogue, watering", "dates: 2026-01-29 to 2026-02-01\n"
        )
        + WEEK_SUMMARY
    )
    week_6 = (
        head("weekly", "tentative", "2026-W06", extra="dates: 2026-02-02 to 2026-02-03\n")
        + f"\n# 2026-02-03\n\n{days['2026-02-03']}"
    )
    files = {
        **{f"daily/{day}.md": text for day, text in days.items()},
        "weekly/2026-W05.md": week_5,
        "weekly/2026-W06.md": week_6,
        "monthly/2026-01.md": head("monthly", "tentative", "2026-01", extra="weeks: [2026-W05]\n")
        + f"\n# 2026-W05\n\n{head('weekly', 'tentative', '2026-W05')}\n# 2026-01-29\n\n{copied_day('2026-01-29', GARDEN)}",
        "monthly/2026-02.md": head("monthly", "tentative", "2026-02", extra="weeks: [2026-W06]\n")
        + f"\n# 2026-W06\n\n{week_6}",
        "ROOT.md": ROOT,
        ".compaction-state.json": '{\n  "lastCompactionRun": "2026-02-03T15:00:00.000Z",\n'
        '  "rawLinesSinceLastCompaction": 0,\n  "checkpointsSinceLastCompaction": 0\n}',
    }
    for name, text in files.items():
        (memory / name).parent.mkdir(exist_ok=True)
        (memory / name).write_text(text)
    (root / "hipocampus.config.json").write_text(
        '{"platform": "claude-code", "search": {"vector": true}, "compaction": {"rootMaxTokens": 3000, "cooldownHours": 3}}'
    )
    return root


def test_placeholders_become_summaries_and_copies_are_rebuilt(original: Path) -> None:
    report = compacted(original, "2026-02-20")
    assert not report.problems
    placeholder = node_of(original, "daily/2026-02-02")
    assert (placeholder.status, placeholder.text("summary"), placeholder.text("lines")) == (
        "fixed",
        "extractive",
        "",
    )
    assert "needs LLM" not in placeholder.body and "Inventory count [project]" in placeholder.body
    copy = node_of(original, "daily/2026-02-01")
    assert (copy.body, copy.text("summary")) == (WATER.strip(), "verbatim") and copy.items("covers")
    week = node_of(original, "weekly/2026-W06").body
    assert "type: daily" not in week and "Inventory count" in week and "40 labels printed" in week
    month = node_of(original, "monthly/2026-01").body
    assert "type: " not in month and "evenings only" in month
    assert "watering" in (original / "memory/ROOT.md").read_text().lower()


def test_what_a_model_or_a_person_wrote_stays_byte_for_byte(original: Path) -> None:
    compacted(original, "2026-02-20")
    assert node_of(original, "daily/2026-01-29").body == SUMMARY.strip()
    assert node_of(original, "weekly/2026-W05").body == WEEK_SUMMARY.strip()
    assert (original / "memory/daily/2026-01-29.md").read_text() == head(
        "daily", "fixed", "2026-01-29", "[seed-catalogue [project]]", "source-files: [memory/2026-01-29.md]\n"
    ) + SUMMARY


def test_an_entry_that_comes_late_into_a_closed_day_reaches_every_level(original: Path) -> None:
    compacted(original, "2026-02-20")
    write_logs(original, {"2026-01-29": GARDEN + STAFF})
    report = compacted(original, "2026-03-20")
    for place, before in (("daily/2026-01-29", SUMMARY), ("weekly/2026-W05", WEEK_SUMMARY)):
        body = node_of(original, place).body
        assert body.startswith(before.strip() + "\n\n## Late entries\n") and "no abbreviations" in body
        assert "Seed catalogue [project]" not in body
    assert "no abbreviations" in node_of(original, "monthly/2026-01").body
    assert "no abbreviations" in (original / "memory/ROOT.md").read_text()
    actions = {n.path: n.action for n in report.changed}
    assert actions["memory/daily/2026-01-29.md"] is Action.REOPENED
    assert not compacted(original, "2026-03-20").changed


def test_a_late_entry_is_found_also_when_hipos_own_folder_is_lost_in_between(original: Path) -> None:
    import shutil

    compacted(original, "2026-02-20")
    write_logs(original, {"2026-01-29": GARDEN + STAFF})
    compacted(original, "2026-03-20")
    shutil.rmtree(original / "memory/.hipo")
    before = snapshot(original)
    compacted(original, "2026-03-20")
    assert snapshot(original) == before
    write_logs(
        original,
        {"2026-01-29": GARDEN + STAFF + STAFF.replace("no abb", "short, no abb").replace("How", "Where")},
    )
    compacted(original, "2026-03-20")
    body = node_of(original, "daily/2026-01-29").body
    assert (
        body.count("## How to write to me [feedback]")
        == body.count("## Where to write to me [feedback]")
        == 1
    )


def test_the_original_can_still_read_the_tree(original: Path) -> None:
    """It splits a file at `---` lines, reads `key: value` lines, and knows its own names and states."""
    compacted(original, "2026-02-20")
    for place in places(original):
        text = (original / "memory" / f"{place}.md").read_text()
        block = re.match(r"---\n(.*?)\n---\n", text, re.S)
        assert block, place
        keys = dict(re.findall(r"^([\w-]+): ?(.*)$", block[1], re.M))
        assert {"type", "status", "period", "topics"} <= keys.keys()
        assert keys["status"] in ("tentative", "fixed") and keys["type"] == place.split("/")[0]
        assert keys["period"].strip('"') == place.split("/")[1]
    state = json.loads((original / "memory/.compaction-state.json").read_text())
    assert list(state) == [
        "lastCompactionRun",
        "rawLinesSinceLastCompaction",
        "checkpointsSinceLastCompaction",
    ]
    root = (original / "memory/ROOT.md").read_text()
    for section in ("Active Context", "Recent Patterns", "Historical Summary", "Topics Index"):
        assert f"\n## {section}" in root
    assert "<!--" not in root  # comments of the template are not lines


def test_continuing_it_twice_changes_nothing(original: Path) -> None:
    compacted(original, "2026-02-20")
    before = snapshot(original)
    compacted(original, "2026-02-20")
    assert snapshot(original) == before
