"""Trees that something happened to: each gets its answer in one line, the rest is done, and nothing is lost."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import body_lines, compacted, node_of, places, snapshot, write_logs

STATE = "memory/.compaction-state.json"
LOGS = {
    "2026-03-09": "## Payment flow [project]\n- outcome: rate limit holds\n",
    "2026-03-10": "## Billing api [reference]\n- references: knowledge/billing.md\n",
    "2026-02-10": "## Short answers [feedback]\n- rule: three lines\n- why: phone\n- how-to-apply: always\n",
}
PLACES = ["daily/2026-03-09", "weekly/2026-W11", "monthly/2026-03"]


def only_errors(text: str) -> bool:
    return "Traceback" not in text and all(line.startswith("hipo: ") for line in text.splitlines())


@pytest.mark.parametrize("place", PLACES)
def test_a_folder_in_place_of_a_node_is_named_and_the_rest_is_done(
    root: Path, hipo: Hipo, place: str
) -> None:
    write_logs(root, LOGS)
    (root / "memory" / f"{place}.md").mkdir(parents=True)
    done = hipo("compact", "--force")
    assert done.status == 1 and only_errors(done.err)
    assert f"memory/{place}.md" in done.err
    others = [
        p
        for p in ["daily/2026-03-10", "daily/2026-02-10", "weekly/2026-W07", "monthly/2026-02"]
        if p != place
    ]
    assert set(others) <= set(places(root))
    assert "Short answers" in (root / "memory/ROOT.md").read_text()
    (root / "memory" / f"{place}.md").rmdir()
    healed = hipo("compact", "--force")
    assert healed.status == 0
    assert "Payment flow" in node_of(root, "monthly/2026-03").body


@pytest.mark.parametrize("name", ["2026-03-09.md", "ROOT.md", ".hipo", "daily"])
def test_a_folder_or_a_file_where_the_other_should_be_gives_one_line_each(
    root: Path, hipo: Hipo, name: str
) -> None:
    write_logs(root, {day: text for day, text in LOGS.items() if f"{day}.md" != name})
    path = root / "memory" / name
    path.mkdir() if name.endswith(".md") else path.write_text("in the way")
    done = hipo("compact", "--force")
    assert done.status == 1 and only_errors(done.err) and str(name) in done.err
    for words in (("start",), ("show", "root"), ("doctor",), ("checkpoint", "T", "--outcome", "x")):
        assert hipo(*words).status in (0, 1)


def test_a_node_that_cannot_be_read_keeps_its_place_in_the_levels_above(root: Path, hipo: Hipo) -> None:
    write_logs(root, LOGS)
    compacted(root, "2026-03-15")
    path = root / "memory/daily/2026-03-09.md"
    text = path.read_text()
    path.unlink()
    path.symlink_to("2026-03-09.md")  # a loop
    write_logs(root, {"2026-03-10": LOGS["2026-03-10"] + "\n## More\n- outcome: y\n"})
    done = hipo("compact", "--force")
    assert done.status == 1 and "memory/daily/2026-03-09.md" in done.err
    assert "Payment flow" in node_of(root, "weekly/2026-W11").body
    path.unlink()
    path.write_text(text)
    assert hipo("compact", "--force").status == 0
    for place in ("weekly/2026-W11", "monthly/2026-03"):
        assert "Payment flow" in node_of(root, place).body and "## More" in node_of(root, place).body


@pytest.mark.parametrize("level", ["weekly", "monthly"])
def test_a_tentative_node_that_somebody_deleted_is_made_again(root: Path, level: str) -> None:
    write_logs(root, {"2026-03-03": LOGS["2026-03-09"], "2026-03-15": LOGS["2026-03-10"]})
    compacted(root, "2026-03-15")
    before = snapshot(root)
    for path in (root / "memory" / level).iterdir():
        path.unlink()
    compacted(root, "2026-03-15")
    assert snapshot(root) == before


def test_frontmatter_that_cannot_be_read_is_named_and_kept(root: Path, hipo: Hipo) -> None:
    write_logs(root, LOGS)
    compacted(root, "2026-03-15")
    path = root / "memory/daily/2026-03-09.md"
    broken = (
        path.read_text().replace("status: fixed", "status: [fixed, {").replace("holds", "holds, I saw it")
    )
    path.write_text(broken)
    write_logs(root, {"2026-03-09": LOGS["2026-03-09"] + "\n## Late\n- outcome: late words\n"})
    done = hipo("compact", "--force")
    assert done.status == 1 and "memory/daily/2026-03-09.md:1: the frontmatter cannot be read" in done.err
    assert path.read_text().startswith(broken.rstrip("\n")) and "late words" in path.read_text()
    assert "late words" in node_of(root, "monthly/2026-03").body
    assert "memory/daily/2026-03-09.md:1: YAML that cannot be read" in hipo("doctor").out


@pytest.mark.parametrize("data", [b"{torn", b"[]", b"\xff\xfe", b'{"rawLinesSinceLastCompaction": "x"}'])
def test_a_state_of_no_use_is_set_aside_by_whoever_counts(root: Path, hipo: Hipo, data: bytes) -> None:
    (root / STATE).write_bytes(data)
    done = hipo("checkpoint", "Topic", "--outcome", "x", "--json")
    assert done.status == 0 and done.json["checkpoints"] == 1 and f"{STATE}.broken-1" in done.err
    assert (root / f"{STATE}.broken-1").read_bytes() == data
    (root / STATE).write_bytes(data)
    done = hipo("compact")
    assert done.status == 0 and f"{STATE}.broken-2" in done.err


def test_a_folder_in_place_of_the_state_is_moved_aside_too(root: Path, hipo: Hipo) -> None:
    (root / STATE).mkdir()
    assert hipo("checkpoint", "Topic", "--outcome", "x").status == 0
    assert (root / f"{STATE}.broken-1").is_dir() and json.loads((root / STATE).read_text())


@pytest.mark.parametrize(
    "words", [("start",), ("compact",), ("checkpoint", "T", "--outcome", "x"), ("show", "root"), ("doctor",)]
)
def test_a_broken_config_is_named_with_status_two_and_nothing_is_written(
    root: Path, hipo: Hipo, words: tuple[str, ...]
) -> None:
    (root / "hipocampus.config.json").write_text('{"compaction": {"cooldownHours": "three"}}')
    before = snapshot(root, own=True)
    done = hipo(*words)
    assert done.status == 2 and done.out == "" and done.err.count("\n") == 1
    assert 'compaction.cooldownHours is "three"; it may be a number' in done.err
    assert snapshot(root, own=True) == before


def _failing(real: Callable[..., object], root: Path, number: int) -> Callable[..., object]:
    def call(path: object, flags: int, *rest: object, **options: object) -> object:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and str(path).startswith(str(root)):
            raise OSError(number, os.strerror(number), path)
        return real(path, flags, *rest, **options)

    return call


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EIO, errno.ENAMETOOLONG])
def test_a_tree_that_cannot_be_written_to_is_still_read(
    root: Path, hipo: Hipo, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Where the tests run as root, modes mean nothing: the system call that opens for writing fails instead."""
    write_logs(root, LOGS)
    (root / "WORKING.md").write_text("## Task\n- in the middle of it\n")
    before = snapshot(root, own=True)
    monkeypatch.setattr(os, "open", _failing(os.open, root, number))
    saved = hipo("checkpoint", "Payment flow", "--outcome", "not lost")
    assert saved.status == 1 and os.strerror(number) in saved.err.split("\n")[0]
    assert "## Payment flow [project]" in saved.err and "- outcome: not lost" in saved.err
    compact = hipo("compact", "--force")
    assert compact.status == 1 and os.strerror(number) in compact.err and only_errors(compact.err)
    started = hipo("start")
    assert started.status == 0 and "in the middle of it" in started.out and os.strerror(number) in started.out
    assert hipo("show", "2026-03-09").out.startswith("## Payment flow")
    monkeypatch.undo()
    assert snapshot(root, own=True) == before


def test_a_log_of_200000_lines_becomes_a_summary_within_its_limit(root: Path) -> None:
    text = "# 2026-03-09\n\n" + "".join(
        f"## Step {n % 50} [project]\n- outcome: part {n} of src/file{n % 7}.py done\n" + "row\n" * 98
        for n in range(2000)
    )
    write_logs(root, {"2026-03-09": text})
    assert text.count("\n") > 200_000
    report = compacted(root, "2026-03-15")
    assert not report.problems and [n.summary for n in report.nodes if n.level == "daily"] == ["extractive"]
    assert len(body_lines(root, "daily/2026-03-09")) <= 200
    assert "Step 49 [project] ×40" in node_of(root, "daily/2026-03-09").body


def test_a_log_without_headings_is_content(root: Path) -> None:
    talk = "User: I moved to Busan in May and work as a baker.\nAssistant: Noted.\n"
    write_logs(root, {"2026-03-09": talk, "2026-03-10": talk * 150})
    compacted(root, "2026-03-15")
    assert node_of(root, "daily/2026-03-09").body == talk.strip()
    long = node_of(root, "daily/2026-03-10")
    assert long.text("summary") == "extractive" and "baker" in long.body
    assert "Busan" in (root / "memory/ROOT.md").read_text()


def test_marks_line_ends_and_invalid_bytes_are_kept_in_the_log_and_plain_in_the_nodes(
    root: Path, hipo: Hipo
) -> None:
    data = b"\xef\xbb\xbf## Caf\xc3\xa9 [project]\r\n- outcome: \xff\xfe raw\r\n---\r\nstatus: fixed"
    write_logs(root, {"2026-03-15": data})
    assert hipo("checkpoint", "Next", "--outcome", "y").status == 0
    after = (root / "memory/2026-03-15.md").read_bytes()
    assert after.startswith(data + b"\r\n\r\n## Next [project]\r\n") and b"\n" not in after.replace(
        b"\r\n", b""
    )
    compacted(root, "2026-03-15")
    node = node_of(root, "daily/2026-03-15")
    assert node.body.startswith(
        "## Café [project]\n- outcome: \ufffd\ufffd raw\n---\nstatus: fixed\n\n## Next [project]\n"
    )
    assert (
        node.status == "tentative" and "\r" not in (root / "memory/daily/2026-03-15.md").read_bytes().decode()
    )


def test_git_conflict_markers_are_named_and_both_sides_kept(root: Path, hipo: Hipo) -> None:
    text = "## A\n<<<<<<< HEAD\n- outcome: mine\n=======\n- outcome: theirs\n>>>>>>> branch\n"
    write_logs(root, {"2026-03-09": text})
    compacted(root, "2026-03-15")
    body = node_of(root, "daily/2026-03-09").body
    assert "mine" in body and "theirs" in body
    found = hipo("doctor")
    assert found.status == 1 and "memory/2026-03-09.md:2: git conflict markers" in found.out


@pytest.mark.parametrize("target", ["missing.md", "2026-03-09.md"])
def test_a_link_to_nothing_or_to_itself_in_place_of_a_log_is_named(
    root: Path, hipo: Hipo, target: str
) -> None:
    write_logs(root, {"2026-03-10": LOGS["2026-03-10"]})
    (root / "memory/2026-03-09.md").symlink_to(target)
    done = hipo("compact", "--force")
    assert done.status == 1 and "2026-03-09.md" in done.err and only_errors(done.err)
    assert "daily/2026-03-10" in places(root)


def test_a_linked_memory_and_linked_logs_work_and_stay_links(tmp_path: Path, root: Path, hipo: Hipo) -> None:
    real = tmp_path / "elsewhere"
    (root / "memory").rmdir()
    real.mkdir()
    (root / "memory").symlink_to(real)
    (tmp_path / "log.md").write_text(LOGS["2026-03-09"])
    (real / "2026-03-15.md").symlink_to(tmp_path / "log.md")
    assert hipo("checkpoint", "Next", "--outcome", "y").status == 0
    assert hipo("compact", "--force").status == 0
    assert (root / "memory").is_symlink() and (real / "2026-03-15.md").is_symlink()
    assert (
        "## Next [project]" in (tmp_path / "log.md").read_text() and (real / "daily/2026-03-15.md").is_file()
    )


def test_the_clock_set_back_a_year_loses_nothing(root: Path, hipo: Hipo) -> None:
    write_logs(root, LOGS)
    compacted(root, "2026-04-20")
    before = {place: node_of(root, place).body for place in places(root)}
    hipo.now = "2025-03-15T09:00:00Z"
    assert hipo("checkpoint", "Back then", "--outcome", "x").status == 0
    done = hipo("compact")
    assert done.status == 0 and "future" in done.err
    assert {place: node_of(root, place).body for place in before} == before
    assert "Back then" in (root / "memory/ROOT.md").read_text()
