"""What a person wants forgotten is gone: from the logs, from all that was made of them, and it does not come back."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import compacted, node_of, snapshot, write_logs

from hipocampus.memory.entries import parse_log
from hipocampus.memory.store import Draft, MemoryStore

LOG = """# 2026-03-09

## Move [user]
<!-- 09:00 session 4f1c -->
- request: note where I live
- outcome: 5 Elm Street, second floor
- decisions:
  - ship the boxes on Monday

## Payment flow [project]
- decisions: token bucket over leaky bucket
- outcome: rate limit holds at 200 a second
"""
OTHER = "# 2026-03-10\n\n## Delivery [project]\n- outcome: boxes go to 5 elm\n  street by courier\n"

Run = Callable[..., Hipo]


@pytest.fixture
def tree(root: Path) -> Path:
    write_logs(root, {"2026-03-09": LOG, "2026-03-10": OTHER})
    (root / "memory" / "ROOT.md").write_text("---\ntype: root\n---\n\n## Topics Index\n", encoding="utf-8")
    (root / "SCRATCHPAD.md").write_text(
        "# S\n\n## Current State\n- moving to 5 Elm Street\n- other\n", encoding="utf-8"
    )
    (root / "knowledge").mkdir()
    (root / "knowledge" / "office.md").write_bytes(
        b"\xef\xbb\xbf# Office\r\n\r\nkey under 5 ELM street\r\nkept \xff\r\n"
    )
    compacted(root, "2026-03-15")
    return root


def everything(root: Path) -> str:
    """All bytes of the tree as text, one line per white space, without case: nothing hides."""
    data = b"\n".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    return " ".join(data.decode("utf-8", "replace").casefold().split())


def log(root: Path, day: str = "2026-03-09") -> str:
    return (root / "memory" / f"{day}.md").read_text(encoding="utf-8")


def test_words_are_gone_from_every_file_and_the_index(tree: Path, hipo: Run) -> None:
    from hipocampus.recall.refresh import refresh

    refresh(tree).index.close()
    ran = hipo("forget", "5 Elm Street", "--yes", "--json")
    assert ran.status == 0, ran.err
    assert "5 elm street" not in everything(tree)
    places = {(p["path"], p["line_start"]) for p in ran.json["places"] if p["kind"] != "node"}
    assert places == {
        ("memory/2026-03-09.md", 6), ("memory/2026-03-10.md", 4), ("SCRATCHPAD.md", 4), ("knowledge/office.md", 3),
    }  # fmt: skip
    assert "memory/.hipo/recall.sqlite3" in ran.json["rebuilt"]
    assert "memory/daily/2026-03-09.md" in ran.json["rebuilt"]


def test_everything_else_stays_byte_for_byte(tree: Path, hipo: Run) -> None:
    hipo("forget", "5 Elm Street", "--yes")
    text = log(tree)
    assert "<!-- forgotten 2026-03-15 " in text
    kept = [line for line in text.splitlines() if not line.startswith("<!-- forgotten")]
    assert kept == [line for line in LOG.splitlines() if "Elm" not in line]
    office = (tree / "knowledge" / "office.md").read_bytes()
    assert office.startswith(b"\xef\xbb\xbf# Office\r\n\r\n<!-- forgotten 2026-03-15")
    assert office.endswith(b"-->\r\nkept \xff\r\n")


def test_words_in_a_heading_take_the_entry(tree: Path, hipo: Run) -> None:
    ran = hipo("forget", "payment FLOW", "--yes")
    assert ran.status == 0, ran.err
    assert "token bucket" not in everything(tree)
    assert [entry.topic for entry in parse_log(log(tree)).entries] == ["Move"]


def test_a_place_takes_its_lines_and_a_heading_its_entry(tree: Path, hipo: Run) -> None:
    assert hipo("forget", "2026-03-09:10", "--yes").status == 0
    assert "token bucket" not in everything(tree)
    assert "5 Elm Street" in log(tree)
    assert hipo("forget", "2026-03-09:6", "--yes").status == 0
    assert "second floor" not in everything(tree)
    assert "ship the boxes" in log(tree)


def test_a_day_leaves_its_date(tree: Path, hipo: Run) -> None:
    assert hipo("forget", "2026-03-09", "--yes").status == 0
    lines = log(tree).splitlines()
    assert lines[0] == "# 2026-03-09"
    assert lines[1].startswith("<!-- forgotten 2026-03-15 ")
    assert len(lines) == 2
    assert "second floor" not in everything(tree)


def test_a_day_names_only_the_nodes_that_change(root: Path, hipo: Run) -> None:
    days = ("2026-01-12", "2026-03-09", "2026-03-10", "2026-03-11")
    shared = "- analysis: the same long line stands in every log of the project"
    stamp = "<!-- 2026-03-15 09:00 session 4f1c -->"
    write_logs(
        root, {day: f"## Work of {day}\n{stamp}\n{shared}\n- outcome: done on {day}\n" for day in days}
    )
    compacted(root, "2026-03-15")
    seen = hipo("forget", "2026-03-10", "--dry-run", "--json").json["places"]
    before = snapshot(root)
    assert hipo("forget", "2026-03-10", "--yes").status == 0
    after = snapshot(root)
    changed = {path for path in before if before[path] != after.get(path)}
    assert {place["path"] for place in seen} <= changed
    assert {place["path"] for place in seen if place["kind"] == "node"} == {
        "memory/daily/2026-03-10.md", "memory/weekly/2026-W11.md", "memory/monthly/2026-03.md",
    }  # fmt: skip
    for place in seen:
        lines = before[place["path"]].decode().splitlines()[place["line_start"] - 1 : place["line_end"]]
        assert not any("2026-03-09" in line or "2026-03-11" in line for line in lines)


def test_a_tombstone_is_no_text_of_root_or_of_a_summary(root: Path, hipo: Run) -> None:
    many = "".join(f"- outcome: step {n} of the move was finished\n" for n in range(250))
    write_logs(
        root,
        {
            "2026-03-09": "## Moving house [user]\n- moved to 5 Elm Street\n- salary 90k\n",
            "2026-03-10": f"## Boxes\n- analysis: sent to 5 Elm Street\n{many}",
            "2026-03-11": "## Old flat\n- outcome: keys went back\n",
        },
    )
    compacted(root, "2026-03-15")
    for what in ("5 Elm Street", "2026-03-11"):
        assert hipo("forget", what, "--yes").status == 0
    root_text = (root / "memory/ROOT.md").read_text(encoding="utf-8")
    assert "- Moving house [user, 6d]: salary 90k\n" in root_text
    assert "forgotten" not in root_text
    assert "forgotten" not in (root / "memory/daily/2026-03-10.md").read_text(encoding="utf-8")


def test_the_same_text_does_not_come_back(tree: Path, hipo: Run) -> None:
    whole = parse_log(LOG).entries[0]
    hipo("forget", "Elm Street", "--yes")
    store, day = MemoryStore(tree), node_of(tree, "daily/2026-03-09").text("period")
    from datetime import date

    with store.lock():
        again = store.append_entries(
            date.fromisoformat(day), [Draft(whole.topic, whole.type, "later", whole.body)]
        )
    assert (again.entries, again.duplicates) == (0, 1)
    with store.lock():
        other = store.append_entries(
            date.fromisoformat(day),
            [Draft("Talk", "project", "", "- outcome: 5 Elm Street, second floor\n- outcome: new")],
        )
    assert other.entries == 1
    assert "5 elm street" not in everything(tree)
    hipo("forget", "Move [user]", "--yes")
    with store.lock():
        store.append_entries(date.fromisoformat(day), [Draft(whole.topic, whole.type, "later", whole.body)])
    assert "5 elm street" not in everything(tree)


def test_doctor_agrees_and_a_compaction_changes_nothing_more(tree: Path, hipo: Run) -> None:
    before = hipo("doctor").out
    hipo("forget", "5 Elm Street", "--yes")
    assert hipo("doctor").out == before
    after = snapshot(tree)
    compacted(tree, "2026-03-15")
    assert snapshot(tree) == after


def test_text_that_somebody_wrote_into_a_node_loses_the_words_alone(tree: Path, hipo: Run) -> None:
    path = tree / "memory" / "weekly" / "2026-W11.md"
    front = "---\ntype: weekly\nstatus: tentative\nperiod: 2026-W11\nowner: me\ntopics: [Elm Street, boxes]\nsummary: manual\n---\n\n"
    path.write_text(f"{front}## Topics\n- my own words\n- lives at 5 Elm Street\n", encoding="utf-8")
    ran = hipo("forget", "Elm Street", "--yes")
    assert ran.status == 0, ran.err
    text = path.read_text(encoding="utf-8")
    assert "- my own words\n<!-- forgotten 2026-03-15 -->\n" in text
    assert "owner: me" in text
    assert "boxes" in text
    assert "elm street" not in everything(tree)


def test_a_models_summary_is_made_anew_since_it_tells_in_its_own_words(tree: Path, hipo: Run) -> None:
    path = tree / "memory" / "daily" / "2026-03-09.md"
    from hipocampus.memory.nodes import hash_text

    body = "## Topics\n- they live among trees"
    front = path.read_text(encoding="utf-8").split("---")[1].replace("verbatim", "llm")
    front = "\n".join(line for line in front.splitlines() if not line.startswith("body-hash"))
    path.write_text(f'---{front}\nbody-hash: "{hash_text(body)}"\n---\n\n{body}\n', encoding="utf-8")
    assert node_of(tree, "daily/2026-03-09").body_intact
    hipo("forget", "5 Elm Street", "--yes")
    assert "among trees" not in everything(tree)
    assert "Payment flow" in path.read_text(encoding="utf-8")


def test_conversations_handoffs_and_hipos_own_files_are_reached(tree: Path, hipo: Run) -> None:
    turns = tree / "memory" / "brain" / "conversations"
    turns.mkdir(parents=True)
    records = [
        {"ts": "2026-03-10T10:00:00Z", "content": "it is 5 Elm\nStreet"},
        {"ts": "x", "content": "fine"},
    ]
    (turns / "c1.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    own = tree / "memory" / ".hipo"
    (own / "cursors.json").write_text('{"a":{"topic":"5 Elm Street","offset":3}}', encoding="utf-8")
    (own / "hook.log").write_text("one\nabout 5 Elm Street\ntwo\n", encoding="utf-8")
    ran = hipo("forget", "5 elm street", "--yes")
    assert ran.status == 0, ran.err
    assert "5 elm street" not in everything(tree)
    assert [json.loads(line)["content"] for line in (turns / "c1.jsonl").read_text().splitlines()] == [
        "(forgotten 2026-03-15)",
        "fine",
    ]
    assert json.loads((own / "cursors.json").read_text())["a"]["offset"] == 3
    assert (own / "hook.log").read_text() == "one\ntwo\n"


def test_secrets_in_old_files_are_redacted_in_place(tree: Path, hipo: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5" + "Q7w8R9t0Yu" + "x2C4v6B8n1" + "Zk5pL3"
    write_logs(tree, {"2026-03-11": f"# 2026-03-11\n\n## Deploy [project]\n- outcome: used {secret} twice\n"})
    (tree / "knowledge" / "old.md").write_bytes(f"token: {secret}\r\nrest\r\n".encode())
    seen = hipo("forget", "--secrets", "--dry-run")
    assert secret not in seen.out + seen.err
    assert "memory/2026-03-11.md:4" in seen.out
    ran = hipo("forget", "--secrets", "--yes", "--json")
    assert ran.status == 0, ran.err
    assert secret.casefold() not in everything(tree)
    assert "- outcome: used [REDACTED:" in log(tree, "2026-03-11")
    assert (tree / "knowledge" / "old.md").read_bytes().endswith(b"]\r\nrest\r\n")
    assert sum(ran.json["redacted"].values()) == 2
    assert "nothing is to be forgotten" in hipo("forget", "--secrets", "--yes").out


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_looking_and_not_agreeing_change_nothing(tree: Path, hipo: Run, options: list[str]) -> None:
    before = snapshot(tree, own=True)
    ran = hipo("forget", "5 Elm Street", *options)
    assert "memory/2026-03-09.md:6" in ran.out
    assert ran.status == (0 if options else 2)
    assert snapshot(tree, own=True) == before


def test_words_that_stand_nowhere_name_what_is_near(tree: Path, hipo: Run) -> None:
    ran = hipo("forget", "leaky bucket token", "--yes")
    assert ran.status == 1
    assert "word for word" in ran.err
    assert "memory/2026-03-09.md:" in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ab"], "too short"),
        (["2026-W11"], "a node repeats what its logs say"),
        (["2026-03-09:400"], "the file has 12 lines"),
        (["2026-02-99"], "forget: 2026-02-99: no such day; nothing was changed"),
        (["2026-02-99:4-6"], "forget: 2026-02-99:4-6: no such day; nothing was changed"),
        (["2026-13"], "no such month"),
        (["2026-W61"], "no such week"),
        (["2026-03-11"], "that day has no log"),
        (["2026-03-11:2"], "that day has no log"),
        ([], "name a place or some words"),
        (["x y z", "--secrets"], "name a place or some words"),
    ],
)
def test_what_cannot_be_forgotten_is_said(tree: Path, hipo: Run, words: list[str], said: str) -> None:
    ran = hipo("forget", *words)
    assert ran.status in (1, 2)
    assert said in ran.err


def test_a_file_that_is_no_memory_is_never_touched(tree: Path, hipo: Run) -> None:
    (tree / "main.py").write_text("print(1)\n", encoding="utf-8")
    assert hipo("forget", "main.py", "--yes").status == 1
    assert (tree / "main.py").read_text(encoding="utf-8") == "print(1)\n"


def test_copies_out_of_reach_are_named(tree: Path, hipo: Run) -> None:
    (tree / ".git").mkdir()
    assert f"git repository {tree}" in hipo("forget", "5 Elm Street", "--dry-run").out


def transcript(path: Path) -> Path:
    """A session of an agent in which somebody told where they live."""
    said = ["please plan the move", "I live at 5 Elm Street\nand the boxes are red", "thanks, that is all"]
    rows = []
    for number, words in enumerate(said):
        at = f"2026-03-12T10:0{number}:00.000Z"
        base = {
            "sessionId": "5e551001-aaaa",
            "timestamp": at,
            "cwd": "/p",
            "isSidechain": False,
            "parentUuid": None,
        }
        rows.append(
            {**base, "type": "user", "uuid": f"u{number}", "message": {"role": "user", "content": words}}
        )
        reply = [{"type": "text", "text": f"reply number {number}, noted for later"}]
        rows.append(
            {
                **base,
                "type": "assistant",
                "uuid": f"a{number}",
                "message": {"role": "assistant", "content": reply},
            }
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("ledgers", ["kept", "deleted"])
def test_importing_the_same_transcript_again_does_not_bring_it_back(
    tree: Path, hipo: Run, tmp_path: Path, ledgers: str
) -> None:
    import shutil

    source = transcript(tmp_path / "5e551001-aaaa.jsonl")
    assert hipo("import", "claude-code", str(source)).status == 0
    assert "5 Elm Street" in log(tree, "2026-03-12")
    ran = hipo("forget", "5 Elm Street", "--yes")
    assert ran.status == 0, ran.err
    if ledgers == "deleted":
        shutil.rmtree(tree / "memory" / ".hipo")
    assert hipo("import", "claude-code", str(source)).status == 0
    compacted(tree, "2026-03-15")
    assert "5 elm street" not in everything(tree)
    assert "the boxes are red" in log(tree, "2026-03-12")
