"""Files are replaced whole or not at all, and what cannot be read says why."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from support.texts import anything

from hipocampus.errors import HipoError, ReadError, WriteError
from hipocampus.files import (
    append_line,
    decode,
    encode,
    make_folder,
    read_bytes,
    read_text,
    remove_file,
    replace_file,
    write_text,
)


def test_text_is_read_without_mark_and_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xef\xbb\xbf# \xea\xb2\xb0\r\n\xff\xfe\rx\n")
    assert read_text(path) == "# 결\n\ufffd\ufffd\nx\n"
    assert read_text(tmp_path / "missing") is None


@given(anything)
def test_text_survives_the_way_to_bytes_and_back(text: str) -> None:
    plain = decode(encode(text))
    assert plain == text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def test_a_lone_surrogate_becomes_a_mark_and_a_pair_its_character() -> None:
    assert encode("a\ud83d\ude80b\ud800") == "a🚀b\ufffd".encode()


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.md", tmp_path / "link.md"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink() and real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.md", "real.md"]


@pytest.mark.parametrize("durable", [True, False])
@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, durable: bool
) -> None:
    path = tmp_path / "a.md"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    if step == "replace":
        monkeypatch.setattr(Path, step, full)
    else:
        monkeypatch.setattr(os, step, full)
    if step == "fsync" and not durable:
        replace_file(path, b"new", durable=durable)
        return
    with pytest.raises(WriteError, match="No space left on device"):
        replace_file(path, b"new", durable=durable)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.md"]


def test_a_write_that_is_interrupted_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_file(tmp_path / "a.md", b"new")
    assert not list(tmp_path.iterdir())


def test_a_write_that_the_system_takes_in_pieces_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, bytes(data)[:3]))
    replace_file(tmp_path / "a.md", b"0123456789")
    assert (tmp_path / "a.md").read_bytes() == b"0123456789"


def test_what_a_killed_process_of_the_same_number_left_blocks_nothing(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / f".a.md.{os.getpid()}-{number}.tmp").write_bytes(b"torn")
    replace_file(tmp_path / "a.md", b"new")
    assert (tmp_path / "a.md").read_bytes() == b"new"


def test_a_long_name_in_any_script_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("가" * 80 + ".md")
    replace_file(path, b"x")
    assert path.read_bytes() == b"x"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_not_waited_for_but_one_that_a_shell_hands_over_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "2026-03-15.md")
    with pytest.raises(ReadError, match="a pipe, no file"):
        read_bytes(tmp_path / "2026-03-15.md")
    code = "import sys, pathlib, hipocampus.files as f; print(f.read_bytes(pathlib.Path('/dev/stdin')))"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdin is not None and reader.stdout is not None
        for word in ("late ", "words"):
            reader.stdin.write(word)
            reader.stdin.flush()
            time.sleep(0.05)
        reader.stdin.close()
        assert reader.stdout.read() == "b'late words'\n"


def test_what_stands_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "folder.md", tmp_path / "loop.md", tmp_path / "file" / "a.md"):
        with pytest.raises(ReadError, match=str(path)):
            read_bytes(path)
        with pytest.raises(HipoError):
            replace_file(path, b"x")
    with pytest.raises(HipoError):
        make_folder(tmp_path / "file")
    with pytest.raises(HipoError):
        remove_file(tmp_path / "folder.md")
    assert remove_file(tmp_path / "missing") is False
    with pytest.raises(WriteError):
        replace_file(tmp_path / ("x" * 300), b"x")
    with pytest.raises(WriteError):
        append_line(tmp_path / "folder.md", "x")


def test_a_dangling_link_is_followed_to_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "a.md"
    link.symlink_to(tmp_path / "there" / "b.md")
    assert read_bytes(link) is None
    replace_file(link, b"x")
    assert (tmp_path / "there" / "b.md").read_bytes() == b"x" and link.is_symlink()


def test_lines_are_appended_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    append_line(path, "one\n")
    append_line(path, "두 번째")
    assert path.read_text("utf-8") == "one\n두 번째\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
