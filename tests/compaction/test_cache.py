"""What earlier runs learned: known while a log is the same, and harmless when the file is old, damaged or gone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.trees import compacted, places, snapshot, write_logs

from hipocampus.compaction.cache import FILE, OLDER_FILE, Cache
from hipocampus.compaction.rootstep import OWN_FILES
from hipocampus.memory.listing import FileStat
from hipocampus.memory.periods import Level
from hipocampus.memory.store import MemoryStore

LOGS = {f"{month}-1{day}": f"## Plan {month}{day} [project]\n- outcome: part {day} of {month} done\n"
        for month in ("2024-05", "2025-12", "2026-01", "2026-02", "2026-03") for day in (0, 1)}  # fmt: skip


def cached(root: Path, name: str = FILE) -> Path:
    return root / "memory" / ".hipo" / name


def test_what_was_remembered_is_read_back(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    cache = Cache(store)
    cache.remember_log("2026-03-09", FileStat(10, 20))
    cache.remember_log("2026-03-10", FileStat(11, 21))
    cache.settle(Level.DAILY, "2026-03-09", True)
    cache.settle(Level.DAILY, "2026-03-10", False)
    for week, settled in (("2026-W09", True), ("2026-W10", True), ("2026-W11", False)):
        cache.settle(Level.WEEKLY, week, settled)
    cache.save()
    again = Cache(store)
    assert again.changed_logs({"2026-03-09": FileStat(10, 20), "2026-03-10": FileStat(11, 22)}) == [
        "2026-03-10"
    ]
    assert again.unsettled[Level.DAILY] == {"2026-03-10"}
    assert again.gone(Level.WEEKLY, {"2026-W09"}) == {"2026-W10", "2026-W11"}


def test_a_cache_to_which_nothing_new_was_said_is_not_written(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    cache = Cache(store)
    cache.remember_log("2026-03-09", FileStat(10, 20))
    cache.settle(Level.WEEKLY, "2026-W11", True)
    cache.save()
    cached(tmp_path).unlink()
    cache = Cache(store)
    cache.save()
    assert not cached(tmp_path).exists()


def test_logs_of_earlier_years_are_written_when_they_change(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    stats: dict[str, FileStat] = {}

    def saved(day: str, stat: FileStat) -> bytes:
        cache = Cache(store)
        cache.remember_log(day, stat)
        stats[day] = stat
        cache.save()
        assert Cache(store).changed_logs(stats) == []
        return cached(tmp_path, OLDER_FILE).read_bytes() if cached(tmp_path, OLDER_FILE).exists() else b""

    first = [saved(f"202{n}-03-09", FileStat(n, n)) for n in range(4, 7)][-1]
    assert saved("2026-04-01", FileStat(1, 2)) == first != b""
    changed = saved("2025-03-09", FileStat(3, 4))
    assert changed != first
    assert saved("2027-01-01", FileStat(1, 2)) != changed
    cache = Cache(store)
    cache.forget_missing({"2026-04-01": stats["2026-04-01"]})
    cache.save()
    assert Cache(store).changed_logs(stats) == [day for day in stats if day != "2026-04-01"]


def test_two_files_of_which_only_one_was_written_say_nothing(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    cache = Cache(store)
    stats = {"2025-03-09": FileStat(1, 2), "2026-03-09": FileStat(3, 4)}
    for day, stat in stats.items():
        cache.remember_log(day, stat)
    cache.save()
    before = cached(tmp_path).read_bytes()
    for _ in range(2):
        cache = Cache(store)
        cache.remember_log("2025-03-10", FileStat(5, 6))
        cache.save()
        cached(tmp_path).write_bytes(before)  # a run died before it wrote the second one
        assert Cache(store).changed_logs(stats) == [*stats]


def test_forgotten_and_missing_ones_go(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path)
    cache = Cache(store)
    cache.remember_log("2026-03-09", FileStat(10, 20))
    cache.settle(Level.DAILY, "2026-03-09", False)
    cache.settle(Level.WEEKLY, "2026-W11", True)
    cache.save()
    cache = Cache(store)
    assert cache.forget_missing({}) == ["2026-03-09"]
    cache.forget(Level.WEEKLY, "2026-W11")
    cache.save()
    assert Cache(store).is_new
    assert not any(Cache(store).unsettled.values())
    assert Cache(store).gone(Level.WEEKLY, set()) == set()


@pytest.mark.parametrize("name", [FILE, OLDER_FILE, *OWN_FILES])
@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: json.dumps({"version": 1, "logs": {"2026-01-10": [1, 2, 3, "x"]}}),
        lambda text: json.dumps(
            {**json.loads(text), "sizes": [1], "part": [1, 2], "recent": {"2026-03": ["", 5]}}
        ),
        lambda text: json.dumps(
            {key: None if key != "version" else value for key, value in json.loads(text).items()}
        ),
        lambda text: "[]",
    ],
    ids=["cut off", "old version", "other shapes", "nulls", "a list"],
)
def test_an_old_or_damaged_cache_costs_time_and_nothing_else(
    root: Path, name: str, damage: Callable[[str], str]
) -> None:
    write_logs(root, LOGS)
    compacted(root, "2026-03-15")
    before = snapshot(root)
    file = cached(root, name)
    file.write_text(damage(file.read_text()))
    compacted(root, "2026-03-15")
    assert snapshot(root) == before


def test_a_recent_month_is_read_again_when_its_node_changed(root: Path) -> None:
    write_logs(root, LOGS)
    compacted(root, "2026-03-15")
    write_logs(root, {"2026-02-11": "## Harbour [reference]\n- analysis: the tide table is wrong\n"})
    compacted(root, "2026-03-15")
    text = (root / "memory/ROOT.md").read_text()
    assert "tide table" in text
    assert "monthly/2026-02" in places(root)
