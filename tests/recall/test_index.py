"""The index follows the files: edits, renames, damage, dead and parallel processes, trees that cannot be written."""

import os
import random
import stat
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from support.trees import write_logs

from hipocampus.recall import search
from hipocampus.recall.refresh import INDEX_NAME, refresh

TODAY = date(2026, 3, 20)
WORDS = "anvil birch cedar dune ember fjord grove heron inlet jetty kelp larch 결제 猫".split()


def paths(root: Path, query: str) -> list[str]:
    return [hit.path for hit in search(root, query, today=TODAY).hits]


def answers(root: Path) -> list[tuple[object, ...]]:
    return [
        (word, hit.path, hit.line_start, hit.line_end, hit.text, hit.score)
        for word in WORDS
        for hit in sorted(
            search(root, f"{word} {WORDS[0]}", today=TODAY).hits, key=lambda h: (h.path, h.line_start)
        )
    ]


def some_log(chance: random.Random) -> str:
    entries = [
        f"## {chance.choice(WORDS)} [project]\n- outcome: {' '.join(chance.choices(WORDS, k=5))}\n"
        for _ in range(chance.randint(1, 4))
    ]
    return "\n".join(entries)


def test_after_any_edits_the_index_is_that_of_a_fresh_one(tmp_path: Path) -> None:
    chance = random.Random(7)
    write_logs(tmp_path, {f"2026-03-{day:02d}": some_log(chance) for day in range(1, 9)})
    (tmp_path / "knowledge").mkdir()
    for _ in range(18):
        log = tmp_path / "memory" / f"2026-03-{chance.randint(1, 12):02d}.md"
        change = chance.choice(["write", "append", "edit", "remove", "rename", "note"])
        if change == "write" or not log.exists():
            log.write_text(some_log(chance), encoding="utf-8")
        elif change == "append":
            with log.open("a", encoding="utf-8") as file:
                file.write("\n" + some_log(chance))
        elif change == "edit":
            lines = log.read_text("utf-8").split("\n")
            lines.insert(
                chance.randrange(len(lines)), chance.choice(["", "- outcome: marble", "## Other [user]"])
            )
            log.write_text("\n".join(lines), encoding="utf-8")
        elif change == "remove":
            log.unlink()
        elif change == "rename":
            log.rename(tmp_path / "memory" / f"2026-04-{chance.randint(1, 9):02d}.md")
        else:
            (tmp_path / f"knowledge/{chance.choice(WORDS)}.md").write_text(some_log(chance), encoding="utf-8")
        kept = answers(tmp_path)
        (tmp_path / "memory/.hipo" / INDEX_NAME).rename(tmp_path / "aside")
        fresh = answers(tmp_path)
        (tmp_path / "aside").replace(tmp_path / "memory/.hipo" / INDEX_NAME)
        assert kept == fresh


def test_what_stands_before_an_addition_is_not_indexed_again(tmp_path: Path) -> None:
    first = (
        "## Move [user]\nUser: I moved to Lisbon.\nAssistant: Noted.\n\n## Tea [user]\n- outcome: oolong\n"
    )
    write_logs(tmp_path, {"2026-03-05": first})
    fresh = refresh(tmp_path)
    before = fresh.index.db.execute("SELECT * FROM sections ORDER BY id").fetchall()
    fresh.index.close()
    with (tmp_path / "memory/2026-03-05.md").open("a", encoding="utf-8") as file:
        file.write("\n## Bread [user]\n- outcome: rye\n")
    fresh = refresh(tmp_path)
    after = fresh.index.db.execute("SELECT * FROM sections ORDER BY id").fetchall()
    units = fresh.index.db.execute("SELECT units FROM files").fetchone()
    fresh.index.close()
    assert after[:-1] == before
    assert (len(after), units) == (3, (4,))


def test_an_edit_of_the_same_size_and_time_is_seen(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: oldphrase alpha\n"})
    log = tmp_path / "memory/2026-03-05.md"
    assert paths(tmp_path, "oldphrase")
    before = log.stat()
    with log.open("r+b") as file:
        file.seek(file.read().index(b"oldphrase"))
        file.write(b"newphrase")
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert paths(tmp_path, "oldphrase") == []
    assert paths(tmp_path, "newphrase") == ["memory/2026-03-05.md"]


def test_an_unchanged_tree_is_not_read_again(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: x\n"})
    os.utime(tmp_path / "memory/2026-03-05.md", (1, 1))
    first, second = refresh(tmp_path), refresh(tmp_path)
    first.index.close()
    second.index.close()
    assert (first.changed, second.changed) == (1, 0)


@pytest.mark.parametrize("garbage", [b"", b"x" * 5000, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_index_is_built_anew(tmp_path: Path, garbage: bytes) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    assert paths(tmp_path, "quartz")
    index = tmp_path / "memory/.hipo" / INDEX_NAME
    index.write_bytes(garbage)
    found = search(tmp_path, "quartz", today=TODAY)
    assert [hit.path for hit in found.hits] == ["memory/2026-03-05.md"]
    assert len(found.problems) == 1
    assert search(tmp_path, "quartz", today=TODAY).problems == ()


def test_damage_inside_the_index_does_not_lose_the_answer(tmp_path: Path) -> None:
    chance = random.Random(3)
    write_logs(tmp_path, {f"2026-03-{day:02d}": some_log(chance) * 40 for day in range(1, 20)})
    assert paths(tmp_path, "anvil")
    index = tmp_path / "memory/.hipo" / INDEX_NAME
    data = bytearray(index.read_bytes())
    for at in range(8192, len(data), 4096):
        data[at : at + 600] = b"\xa5" * min(600, len(data) - at)
    index.write_bytes(data)
    assert paths(tmp_path, "anvil")


@pytest.mark.parametrize("listing", ["x'ff', numbers=x''", "x'61', numbers=x'00'", "x'', numbers=NULL"])
def test_a_damaged_listing_is_built_anew(tmp_path: Path, listing: str) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    fresh = refresh(tmp_path)
    fresh.index.db.execute(f"UPDATE listing SET paths={listing}")
    fresh.index.close()
    found = search(tmp_path, "quartz", today=TODAY)
    assert (len(found.hits), len(found.problems)) == (1, 1)


def test_an_index_of_another_version_is_built_anew(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    fresh = refresh(tmp_path)
    fresh.index.db.execute("PRAGMA user_version=999")
    fresh.index.close()
    assert paths(tmp_path, "quartz")


def test_an_index_of_another_release_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    os.utime(tmp_path / "memory/2026-03-05.md", (1, 1))
    refresh(tmp_path).index.close()
    monkeypatch.setattr("hipocampus.recall.index.__version__", "999.0")
    first, second = refresh(tmp_path), refresh(tmp_path)
    first.index.close()
    second.index.close()
    assert (first.changed, second.changed) == (1, 0)
    assert "another release" in first.note


def test_a_file_that_settled_is_not_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    refresh(tmp_path).index.close()  # too young to be sure of
    monkeypatch.setattr(
        "hipocampus.recall.refresh.FRESH_NS", -60 * 10**9
    )  # as if it was written a minute ago
    refresh(tmp_path).index.close()
    monkeypatch.setattr("hipocampus.recall.refresh.digest_of", lambda data: pytest.fail("read again"))
    again = refresh(tmp_path)
    again.index.close()
    assert again.changed == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_utf_8_is_said_and_the_others_are_searched(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    Path(os.fsdecode(os.fsencode(tmp_path / "memory") + b"/\xff.md")).write_text("quartz", encoding="utf-8")
    found = search(tmp_path, "quartz", today=TODAY)
    assert [hit.path for hit in found.hits] == ["memory/2026-03-05.md"]
    assert [problem.split(":")[0] for problem in found.problems] == ["memory/\\udcff.md"]


def test_the_folder_of_the_index_is_its_owners_alone(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: x\n"})
    paths(tmp_path, "x")
    assert stat.S_IMODE((tmp_path / "memory/.hipo").stat().st_mode) == 0o700
    assert [p.name for p in (tmp_path / "memory/.hipo").iterdir()] == [INDEX_NAME]


def test_where_nothing_can_be_written_the_answer_comes_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_logs(tmp_path, {"2026-03-05": "## A [project]\n- outcome: quartz\n"})
    (tmp_path / "memory/.hipo").write_text("a file where the folder should be", encoding="utf-8")
    assert paths(tmp_path, "quartz") == ["memory/2026-03-05.md"]


def test_processes_on_a_cold_index_all_answer(tmp_path: Path) -> None:
    chance = random.Random(5)
    write_logs(tmp_path, {f"2026-03-{day:02d}": some_log(chance) for day in range(1, 28)})
    write_logs(tmp_path, {"2026-03-28": "## N [project]\n- outcome: velvetanchor\n"})
    code = (
        "import sys; from datetime import date; from pathlib import Path; from hipocampus.recall import search\n"
        "print([h.path for h in search(Path(sys.argv[1]), 'velvetanchor', today=date(2026, 3, 30)).hits])"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(4)
    ]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert (out.decode().strip(), err) == ("['memory/2026-03-28.md']", b"")


def test_names_that_are_no_dates_subfolders_and_links_are_covered(tmp_path: Path) -> None:
    write_logs(tmp_path, {"2026-02-30": "quartz one", "2026_03_05": "quartz two"})
    (tmp_path / "knowledge/a/b").mkdir(parents=True)
    (tmp_path / "knowledge/a/b/c.md").write_text("quartz three", encoding="utf-8")
    (tmp_path / "knowledge/a/loop").symlink_to(tmp_path / "knowledge")
    (tmp_path / "memory/brain").mkdir()
    (tmp_path / "memory/brain/x.md").write_text("quartz four", encoding="utf-8")
    (tmp_path / "plans").symlink_to(tmp_path / "elsewhere")
    found = search(tmp_path, "quartz", today=TODAY).hits
    assert {(hit.path, hit.date, hit.age_days) for hit in found} == {
        ("memory/2026-02-30.md", "", None),
        ("memory/2026_03_05.md", "", None),
        ("knowledge/a/b/c.md", "", None),
    }
