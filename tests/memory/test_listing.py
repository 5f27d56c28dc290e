"""Folders listed without reading: the names in order, and what tells versions apart."""

import os
from pathlib import Path

import pytest

from hipocampus.errors import ReadError
from hipocampus.memory.listing import DANGLING, FileStat, changed_at, names_in, stats_in
from hipocampus.memory.periods import Level
from hipocampus.memory.store import MemoryStore


def test_a_folder_that_is_not_there_has_no_names(tmp_path: Path) -> None:
    assert names_in(tmp_path / "missing") == []
    assert stats_in(tmp_path / "missing", ["a.md"]) == [DANGLING]


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "daily").write_text("no folder\n")
    with pytest.raises(ReadError, match="daily: cannot be listed"):
        names_in(tmp_path / "daily")


def test_versions_come_in_the_order_of_the_names_and_follow_links(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("four")
    (tmp_path / "b.md").symlink_to("a.md")
    (tmp_path / "c.md").symlink_to("nothing.md")
    version = FileStat(4, changed_at((tmp_path / "a.md").stat()))
    assert stats_in(tmp_path, ["c.md", "b.md", "a.md"]) == [DANGLING, version, version]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no time of the last change but mtime")
def test_an_edit_that_puts_size_and_time_back_is_another_version(tmp_path: Path) -> None:
    log = tmp_path / "a.md"
    log.write_text("widget")
    before, version = log.stat(), stats_in(tmp_path, ["a.md"])
    log.write_text("ferret")
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert log.stat().st_mtime_ns == before.st_mtime_ns and stats_in(tmp_path, ["a.md"]) != version


def test_logs_are_the_names_that_are_days_oldest_first(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    for name in (
        "2026-03-02.md",
        "2024-02-29.md",
        "2026-02-29.md",
        "2026-03-01.txt",
        "2026-03-04.MD",
        "2026-03-01-x.md",
        "ROOT.md",
    ):
        (memory / name).write_text("x\n")
    (memory / "2025-12-31.md").symlink_to("gone.md")
    store = MemoryStore(tmp_path)
    assert store.log_names() == ["2024-02-29", "2025-12-31", "2026-03-02"]
    assert list(store.log_stats()) == store.log_names()
    assert store.log_stats()["2025-12-31"] == DANGLING
    assert store.odd_files() == ["2026-02-29.md", "2026-03-01-x.md", "2026-03-04.MD"]


def test_nodes_are_named_without_their_ending_and_hidden_files_are_none(tmp_path: Path) -> None:
    weekly = tmp_path / "memory" / "weekly"
    weekly.mkdir(parents=True)
    for name in ("2026-W11.md", "2026-W11-notes.md", "2026-W09.md", ".2026-W10.md", "2026-W12.txt"):
        (weekly / name).write_text("x\n")
    store = MemoryStore(tmp_path)
    assert store.node_names(Level.WEEKLY) == {"2026-W09", "2026-W11", "2026-W11-notes"}
    assert list(store.node_stats(Level.WEEKLY)) == sorted(store.node_names(Level.WEEKLY))
    assert store.node_stats(Level.WEEKLY)["2026-W11"][0] == 2
