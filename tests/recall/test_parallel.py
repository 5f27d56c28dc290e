"""Two processes read the same as one, in the same order."""

import os
import sys
from pathlib import Path

import pytest
from support.trees import write_logs

from hipocampus.recall import parallel
from hipocampus.recall.listing import list_files
from hipocampus.recall.reading import read_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")


def tree(root: Path) -> None:
    logs = {
        f"2026-03-{day:02d}": f"## Entry {day} [project]\n- outcome: {'x ' * day}\n" for day in range(1, 29)
    }
    write_logs(root, logs)
    os.utime(root / "memory/2026-03-05.md", (1, 1))


@pytest.mark.parametrize("size", [1, 200, 10**6])
def test_two_processes_read_what_one_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    tree(tmp_path)
    monkeypatch.setattr(parallel, "BATCH_BYTES", size)
    monkeypatch.setattr(parallel, "PARALLEL_BYTES", 1)
    monkeypatch.setattr(parallel.threading, "active_count", lambda: 1)
    monkeypatch.setattr(parallel.os, "cpu_count", lambda: 2)
    files = list(list_files(tmp_path).files())
    assert list(parallel.read_files(tmp_path, files)) == [(file, read_file(tmp_path, file)) for file in files]


def test_a_file_that_goes_meanwhile_is_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path)
    monkeypatch.setattr(parallel, "BATCH_BYTES", 1)
    files = list(list_files(tmp_path).files())
    (tmp_path / files[3].path).unlink()
    assert [item for item, read in parallel.read_files(tmp_path, files) if read is None] == [files[3]]
