"""The laws of the tree, over generated logs of several weeks."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.logs import TODAY, log_texts, trees
from support.texts import examples
from support.trees import body_lines, compacted, node_of, places, snapshot, stamps, write_logs

from hipocampus.compaction.rawlog import ready_log
from hipocampus.compaction.report import Action
from hipocampus.files import decode
from hipocampus.memory.entries import parse_log
from hipocampus.memory.nodes import hash_text, parse_covers
from hipocampus.memory.periods import parse_period, week_of
from hipocampus.memory.tokens import estimate_tokens


@pytest.fixture(autouse=True)
def _no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws are about what is written, not about power cuts."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


LIMITS = {"daily": 200, "weekly": 300, "monthly": 500}


@contextmanager
def tree(logs: dict[str, bytes]) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="tree-"))
    try:
        write_logs(folder, logs)
        yield folder
    finally:
        shutil.rmtree(folder)


@examples(12)
@given(trees())
def test_compacting_again_writes_nothing(logs: dict[str, bytes]) -> None:
    with tree(logs) as root:
        report = compacted(root, TODAY)
        assert not report.problems
        before, times = snapshot(root, own=False), stamps(root)
        again = compacted(root, TODAY)
        assert snapshot(root, own=False) == before and stamps(root) == times
        assert not again.changed and not (again.root and again.root.changed)
        assert {day: (root / "memory" / f"{day}.md").read_bytes() for day in logs} == logs


@examples(12)
@given(trees())
def test_without_its_own_folder_the_same_nodes_stand(logs: dict[str, bytes]) -> None:
    with tree(logs) as root:
        compacted(root, TODAY)
        before = snapshot(root)
        shutil.rmtree(root / "memory" / ".hipo")
        (root / "memory" / ".compaction-state.json").unlink()
        compacted(root, TODAY)
        assert snapshot(root) == before
        with tree(logs) as other:
            compacted(other, TODAY)
            assert snapshot(other) == before


@examples(12)
@given(trees())
def test_limits_are_hard_covers_are_exact_and_bodies_are_sealed(logs: dict[str, bytes]) -> None:
    with tree(logs) as root:
        compacted(root, TODAY)
        for place in places(root):
            level, name = place.split("/")
            node = node_of(root, place)
            assert len(node.body.split("\n")) <= LIMITS[level]
            assert node.body.strip() and node.body_intact
            assert (node.text("type"), node.text("period")) == (level, name)
            assert node.text("summary") in ("verbatim", "extractive")
            for day, cover in parse_covers(node.items("covers")).items():
                text = decode(logs[day])
                assert cover.hash == hash_text(text.removesuffix("\n"))
        covered = {
            level: {
                d
                for p in places(root)
                if p.startswith(level)
                for d in parse_covers(node_of(root, p).items("covers"))
            }
            for level in LIMITS
        }
        assert covered["daily"] == covered["weekly"] == covered["monthly"]
        assert covered["daily"] == {
            day for day, data in logs.items() if not ready_log(day, decode(data)).is_empty
        }


@examples(20)
@given(trees(long=False))
def test_below_the_threshold_every_line_stands_at_every_level(logs: dict[str, bytes]) -> None:
    with tree(logs) as root:
        compacted(root, TODAY)
        for day, data in logs.items():
            ready = ready_log(day, decode(data))
            kept = [row for row in ready.lines if row.strip()]
            week = str(week_of(date.fromisoformat(day)))
            month = str(week_of(date.fromisoformat(day)).month)
            for place in (
                (f"daily/{day}", f"weekly/{week}", f"monthly/{month}") if kept or ready.passing else ()
            ):
                assert node_of(root, place).text("summary") == "verbatim"
                assert contains_in_order(body_lines(root, place), kept)
                if ready.passing:
                    assert ready.note in body_lines(root, place)
            for entry in parse_log(decode(data)).entries:
                passing = "temporary" in entry.topic or "delete later" in entry.body or entry.topic == "임시"
                assert passing or all(
                    row.rstrip() in {r.rstrip() for r in kept}
                    for row in entry.body.split("\n")
                    if row.strip()
                )


def contains_in_order(lines: list[str], wanted: list[str]) -> bool:
    rest = iter(lines)
    return all(any(row == line for line in rest) for row in wanted)


@examples(15)
@given(st.lists(log_texts(), min_size=1, max_size=3), st.integers(0, 4))
def test_above_the_threshold_every_entry_is_counted_with_its_place(texts: list[str], gap: int) -> None:
    days = [(date(2026, 3, 2) + timedelta(days=n * (gap + 1))).isoformat() for n in range(len(texts))]
    with tree({day: text.encode() for day, text in zip(days, texts, strict=True)}) as root:
        compacted(root, TODAY)
        for place in places(root):
            node = node_of(root, place)
            if node.text("summary") != "extractive":
                continue
            below = [day for day in days if day in parse_covers(node.items("covers"))]
            entries = [
                e
                for day in below
                for e in ready_log(day, decode((root / "memory" / f"{day}.md").read_bytes())).entries
            ]
            assert counted(node.body) >= len({e.key for e in entries}), place
            assert named_days(node.body) >= {
                day
                for day in below
                if parse_log(decode((root / "memory" / f"{day}.md").read_bytes())).entries
            } or not place.startswith("daily")


@pytest.mark.parametrize("topics", [5, 80, 1000])
@pytest.mark.parametrize("kind", ["project", "user"])
def test_at_every_level_the_counts_add_up_to_all_entries(topics: int, kind: str) -> None:
    days = ["2026-03-09", "2026-03-10", "2026-03-11", "2026-03-17"]
    logs = {
        day: "\n\n".join(
            f"## Topic {(n + 130 * at) % topics} [{kind}]\n- outcome: step {n} on {day}\n- request: a part"
            for n in range(130)
        ).encode()
        for at, day in enumerate(days)
    }
    with tree(logs) as root:
        compacted(root, TODAY)
        assert {node_of(root, place).text("summary") for place in places(root)} <= {"extractive", "verbatim"}
        for day in days:
            assert counted(node_of(root, f"daily/{day}").body) == 130
        assert counted(node_of(root, "weekly/2026-W11").body) == 3 * 130
        month = node_of(root, "monthly/2026-03")
        assert month.text("summary") == "verbatim" or counted(month.body) == 4 * 130
        if month.text("summary") == "verbatim":
            parts = month.body.split("\n# 2026-W12\n")
            assert [counted(part) for part in parts] == [3 * 130, 130]


def counted(body: str) -> int:
    """How many entries a summary accounts for: whole ones, lines (`×3`), and `+12 more`."""
    total, section = 0, "Topics"
    for row in body.split("\n"):
        if row.startswith("## "):
            section = row[3:]
            total += section.endswith(("[user]", "[feedback]"))
        elif section == "Topics" and row.startswith("- "):
            match = MORE.match(row) or TIMES.match(row)
            total += int(match[1]) if match else 1
    return total


MORE = re.compile(r"- \[\w+\] \+(\d+) more → ")
TIMES = re.compile(r"- .+? \[\w+\] ×(\d+)(?:: | → )")


def named_days(body: str) -> set[str]:
    return {
        word.strip(",").split(":")[0]
        for row in body.split("\n")
        if "→" in row
        for word in row.rsplit("→", 1)[1].split()
    }


@examples(10)
@given(trees(), st.lists(st.integers(0, 40), min_size=2, max_size=5))
def test_time_alone_closes_nodes_and_changes_no_fixed_one(logs: dict[str, bytes], steps: list[int]) -> None:
    with tree(logs) as root:
        today = date.fromisoformat(max(logs))
        fixed: dict[str, bytes] = {}
        for step in steps:
            today += timedelta(days=step)
            report = compacted(root, today.isoformat())
            assert not [n for n in report.nodes if n.action is Action.REOPENED]
            for place in places(root):
                data = (root / "memory" / f"{place}.md").read_bytes()
                assert fixed.get(place, data) == data
                node = node_of(root, place)
                assert node.is_fixed == is_over(place, today) or (place in fixed and node.is_fixed)
                if node.is_fixed:
                    fixed[place] = data


def is_over(place: str, today: date) -> bool:
    found = parse_period(place.split("/")[1])
    assert found is not None
    period = found[1]
    if isinstance(period, date):
        return period < today
    return period.is_closed(today)


@examples(12)
@given(trees(), log_texts(), st.integers(0, 60))
def test_a_late_entry_reaches_every_level_and_is_reported(
    logs: dict[str, bytes], more: str, later: int
) -> None:
    day = min(logs)
    with tree(logs) as root:
        compacted(root, TODAY)
        mark = "## Late arrival [project]\n- outcome: the zebra crossing was painted\n"
        write_logs(root, {day: logs[day] + b"\n\n" + (mark + "\n" + more).encode()})
        today = (date.fromisoformat(TODAY) + timedelta(days=later)).isoformat()
        report = compacted(root, today)
        week = week_of(date.fromisoformat(day))
        for place in (f"daily/{day}", f"weekly/{week}", f"monthly/{week.month}"):
            body = node_of(root, place).body
            assert "Late arrival" in body or "more → " in body or "+" in body, place
            cover = parse_covers(node_of(root, place).items("covers"))[day]
            assert cover.matches(
                decode((root / "memory" / f"{day}.md").read_bytes()).removesuffix("\n").split("\n")
            )
        actions = {n.path: n.action for n in report.changed}
        assert actions.get(f"memory/daily/{day}.md") in (Action.REOPENED, Action.CREATED)
        assert node_of(root, f"daily/{day}").is_fixed
        assert not compacted(root, today).changed


@examples(15)
@given(trees(), st.integers(300, 4000), st.integers(0, 400))
def test_the_cap_of_root_wins_for_any_tree(logs: dict[str, bytes], cap: int, later: int) -> None:
    with tree(logs) as root:
        (root / "hipocampus.config.json").write_text(f'{{"compaction": {{"rootMaxTokens": {cap}}}}}')
        today = (date.fromisoformat(TODAY) + timedelta(days=later)).isoformat()
        report = compacted(root, today)
        text = (root / "memory" / "ROOT.md").read_text("utf-8")
        assert report.root and report.root.tokens == estimate_tokens(text) <= cap
        for section in (
            "## Active Context",
            "## Recent Patterns",
            "## Historical Summary",
            "## Topics Index",
        ):
            assert text.count(f"\n{section}") == 1


@examples(12)
@given(trees(), st.sampled_from(["daily", "weekly", "monthly"]), log_texts(long=False), st.booleans())
@example({"2026-03-02": b"## A\n- outcome: x\n"}, "daily", "## B\n- outcome: y\n", True)
def test_what_somebody_wrote_into_a_node_stays_byte_for_byte(
    logs: dict[str, bytes], level: str, more: str, lost: bool
) -> None:
    with tree(logs) as root:
        compacted(root, TODAY)
        mine = [place for place in places(root) if place.startswith(level)]
        for place in mine:
            path = root / "memory" / f"{place}.md"
            path.write_text(path.read_text("utf-8").rstrip("\n") + "\n\nA hand wrote this.\n", "utf-8")
        texts = {place: node_of(root, place).body for place in mine}
        compacted(root, TODAY)
        assert {place: node_of(root, place).body for place in mine} == texts
        if lost:
            shutil.rmtree(root / "memory" / ".hipo")
        day = max(logs)
        write_logs(
            root, {day: logs[day] + f"\n\n## Late arrival [user]\n- rule: keep {day}\n\n{more}".encode()}
        )
        compacted(root, TODAY)
        for place in mine:
            body = node_of(root, place).body
            assert body.startswith(texts[place])
            rest = body[len(texts[place]) :]
            if day in parse_covers(node_of(root, place).items("covers")):
                assert rest.startswith("\n\n## Late entries") and ("Late arrival" in rest or "more →" in rest)
                assert "Late arrival" in rest or len(body.split("\n")) >= LIMITS[level] - 1
            else:
                assert not rest
        assert not compacted(root, TODAY).changed
