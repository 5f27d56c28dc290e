"""What a search finds and in which order, on small memories."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.trees import compacted, write_logs

from hipocampus.recall import Recall, manifest, search

TODAY = date(2026, 3, 20)

LOGS = {
    "2026-03-02": "# 2026-03-02\n\n## Payment flow [project]\n- decisions: leaky bucket for the gateway\n",
    "2026-03-09": (
        "# 2026-03-09\n\n## Token bucket [project]\n- decisions: token bucket, bursts are legitimate\n"
        "- supersedes: payment  FLOW\n\n## Short answers [feedback]\n- rule: answer in three lines\n"
    ),
    "2026-03-18": "# 2026-03-18\n\n## Sandbox [reference]\n- references: the billing sandbox of AUTH-358\n",
}


def find(root: Path, query: str, **options: object) -> Recall:
    return search(root, query, today=TODAY, **options)  # type: ignore[arg-type]


def places(found: Recall) -> list[str]:
    return [f"{hit.path}:{hit.topic}" for hit in found.hits]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_logs(tmp_path, LOGS)
    return tmp_path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shared")
    write_logs(root, LOGS)
    return root


@given(st.text(max_size=60) | st.text(alphabet="ab\"'*():^-+{}AND OR NOT NEAR 결제猫", max_size=40))
def test_any_text_is_a_valid_query(shared: Path, text: str) -> None:
    found = find(shared, text)
    for hit in found.hits:
        lines = (shared / hit.path).read_text("utf-8").split("\n")
        assert 1 <= hit.line_start <= hit.line_end <= len(lines)
        said = "\n".join(lines[hit.line_start - 1 : hit.line_end])
        assert all(line.strip() in said or line.strip() == "…" for line in hit.text.split("\n"))


@pytest.mark.parametrize("text", ["", "  ", "???", '""', "、。", "***"])
def test_a_text_without_letter_or_digit_finds_nothing(root: Path, text: str) -> None:
    assert find(root, text).hits == ()


def test_a_list_marks_what_is_superseded(root: Path) -> None:
    write_logs(root, {
        "2026-03-09": "## Short answers [feedback]\n- rule: answer in three lines\n",
        "2026-03-10": "## Long answers [feedback]\n- rule: answer at length\n- supersedes: short answers\n",
    })  # fmt: skip
    found = find(root, "", type="feedback")
    assert [hit.topic for hit in found.hits] == ["Long answers", "Short answers"]
    assert found.hits[1].warnings[0] == "superseded by Long answers (memory/2026-03-10.md:1)"
    assert not found.hits[0].warnings


def test_a_newer_decision_stands_before_the_one_that_it_supersedes(root: Path) -> None:
    found = find(root, "leaky bucket gateway")
    assert places(found)[:2] == [
        "memory/2026-03-09.md:Token bucket",
        "memory/2026-03-02.md:Payment flow",
    ]
    assert found.hits[1].warnings[0] == "superseded by Token bucket (memory/2026-03-09.md:3)"


def test_a_raw_entry_stands_before_nodes_and_once(root: Path) -> None:
    compacted(root, "2026-03-20")
    found = find(root, "legitimate bursts token bucket")
    assert places(found)[0] == "memory/2026-03-09.md:Token bucket"
    assert [hit.level for hit in found.hits if hit.topic == "Token bucket"] == ["raw"]


def test_a_node_whose_log_is_gone_is_found(root: Path) -> None:
    compacted(root, "2026-03-20")
    (root / "memory/2026-03-18.md").unlink()
    assert {hit.level for hit in find(root, "billing sandbox").hits} == {"daily"}


def test_a_text_that_somebody_wrote_into_a_node_is_found_behind_the_sources(root: Path) -> None:
    compacted(root, "2026-03-20")
    node = root / "memory/daily/2026-03-02.md"
    node.write_text(node.read_text("utf-8") + "\nThe gateway bucket leaks, says Ada.\n", encoding="utf-8")
    levels = [hit.level for hit in find(root, "leaky gateway bucket Ada").hits]
    assert levels.index("raw") < levels.index("daily")


def test_levels_types_and_days_narrow(root: Path) -> None:
    compacted(root, "2026-03-20")
    (root / "knowledge/deep").mkdir(parents=True)
    (root / "knowledge/deep/buckets.md").write_text("# Buckets\n\ntoken bucket notes\n", encoding="utf-8")
    assert {hit.level for hit in find(root, "bucket", level="weekly").hits} == {"weekly"}
    assert places(find(root, "bucket", level="knowledge")) == ["knowledge/deep/buckets.md:Buckets"]
    assert {hit.type for hit in find(root, "answer bucket lines", type="feedback").hits} == {"feedback"}
    days = {hit.date for hit in find(root, "bucket", since=date(2026, 3, 5), until=date(2026, 3, 10)).hits}
    assert days == {"2026-03-09"}


def test_filters_alone_list_the_newest_first(root: Path) -> None:
    assert places(find(root, "", since=date(2026, 3, 5), type="project")) == [
        "memory/2026-03-09.md:Token bucket"
    ]
    assert places(find(root, "", level="raw"))[0] == "memory/2026-03-18.md:Sandbox"


def test_words_of_time_narrow_and_say_so(root: Path) -> None:
    found = find(root, "what did we decide about the bucket last week")
    assert {hit.date for hit in found.hits} == {"2026-03-09"}
    assert found.notes[0] == "last week: only 2026-03-09 to 2026-03-15"
    assert places(find(root, "what did we do last week")) == [
        "memory/2026-03-09.md:Short answers",
        "memory/2026-03-09.md:Token bucket",
    ]


def test_days_without_anything_do_not_hide_the_rest(root: Path) -> None:
    found = find(root, "bucket yesterday")
    assert found.hits
    assert found.notes[0] == "yesterday: nothing in 2026-03-19, so everything was searched"


def test_a_day_comes_before_what_only_names_it(root: Path) -> None:
    log = root / "memory/2026-03-19.md"
    log.write_text(
        "# 2026-03-19\n\n## Recap [project]\n- outcome: 2026-03-18 2026-03-18 sandbox\n", encoding="utf-8"
    )
    assert find(root, "sandbox 2026-03-18").hits[0].path == "memory/2026-03-18.md"


def test_an_identifier_beats_its_scattered_parts(root: Path) -> None:
    log = root / "memory/2026-03-19.md"
    log.write_text(
        "## A [project]\n- outcome: AUTH 358 AUTH 358 auth auth 358; AUTH-3581\n", encoding="utf-8"
    )
    assert find(root, "AUTH-358").hits[0].path == "memory/2026-03-18.md"


def test_age_decides_the_warnings(root: Path) -> None:
    later = date(2026, 5, 1)
    warned = {hit.type: hit.warnings for q in ("leaky", "sandbox", "three lines")
              for hit in search(root, q, today=later).hits}  # fmt: skip
    assert warned["reference"] == ("? not verified for 44 days",)
    assert warned["project"][-1] == "recorded 60 days ago; check the present state" or warned["project"]
    assert warned["feedback"] == ()


def test_words_that_the_memory_never_uses_are_said_with_near_ones(root: Path) -> None:
    assert find(root, "gatewya sandbox").notes == ("not in the memory: gatewya (near: gateway)",)


def test_a_talk_with_an_assistant_is_one_result_of_its_best_sentences(root: Path) -> None:
    talk = (
        "## Session\n\nUser: Can you help me? I adopted a beagle named Max in May. Thanks a lot for everything so far.\n"
        "Assistant: Beagles are lovely dogs.\nUser: Max eats salmon kibble twice a day. What else is there to know?\n"
    )
    (root / "memory/2026-03-19.md").write_text(talk, encoding="utf-8")
    hits = [hit for hit in find(root, "what does my dog Max eat").hits if hit.path.endswith("19.md")]
    assert len(hits) == 1
    assert "salmon kibble" in hits[0].text
    assert hits[0].line_start == 3


def test_people_talking_give_a_result_for_each_turn(root: Path) -> None:
    talk = "## Call\n\nAda: Where did you park the van?\nBo: Behind the mill.\nAda: And the key?\nBo: On the nail.\n"
    (root / "memory/2026-03-19.md").write_text(talk, encoding="utf-8")
    hits = find(root, "where did Bo park the van").hits
    assert [hit.line_start for hit in hits[:2]] == [4, 3] or [hit.line_start for hit in hits[:2]] == [3, 4]


def test_secrets_and_private_passages_are_not_indexed(root: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    text = f"## K [project]\n<private>\nmarzipan\n</private>\n- outcome: the key {token} moved\n- files: pistachio.py\n"
    (root / "memory/2026-03-19.md").write_text(text, encoding="utf-8")
    hit = find(root, "pistachio").hits[0]
    assert token not in hit.text
    assert (hit.line_start, hit.line_end) == (5, 6)
    assert find(root, "marzipan").hits == ()
    stored = (root / "memory/.hipo/recall.sqlite3").read_bytes()
    assert token.encode() not in stored


def test_root_names_the_topics_first(root: Path) -> None:
    (root / "memory/ROOT.md").write_text(
        "## Topics Index\n- Payment flow [project, 18d]: token bucket → knowledge/limits.md\n"
        "- Short answers [feedback, 11d]\n- Sandbox [reference, 45d, ?]: url\n",
        encoding="utf-8",
    )
    assert find(root, "x").triage == ()
    first = find(root, "the bucket of the sandbox").triage
    assert [(t.topic, t.type, t.age_days, t.path) for t in first] == [
        ("Sandbox", "reference", 45, ""),
        ("Payment flow", "project", 18, "knowledge/limits.md"),
    ]


def test_the_manifest_is_frontmatter_of_at_most_a_dozen_nodes(root: Path) -> None:
    from hipocampus.memory.tokens import estimate_tokens
    from hipocampus.recall.cards import card_text

    for day in range(1, 29):
        name = f"2026-02-{day:02d}"
        topics = "\n".join(
            f"## Topic {n} of day {day} about pumps and valves [project]\n- outcome: x" for n in range(9)
        )
        write_logs(root, {name: topics})
    compacted(root, "2026-03-20")
    cards = manifest(root, "pumps")
    assert 6 <= len(cards) <= 12
    assert sum(estimate_tokens(card_text(card) + "\n") for card in cards) < 500


def test_of_equal_texts_the_newest_stands_first_whatever_hipo_notes_of_them(root: Path) -> None:
    for day, comment in (
        ("2026-02-01", "<!-- 09:00 -->"),
        ("2026-03-16", "<!-- 2026-03-20 09:00 session abc123 -->"),
    ):
        text = f"## Login [project]\n{comment}\n- decisions: AUTH-777 needs a token refresh\n"
        (root / f"memory/{day}.md").write_text(text, encoding="utf-8")
    for query in ("AUTH-777", "token refresh", "login"):
        assert [hit.date for hit in find(root, query).hits if hit.topic == "Login"] == [
            "2026-03-16",
            "2026-02-01",
        ]


def test_an_entry_is_one_result_also_when_nodes_that_hipo_did_not_make_repeat_it(root: Path) -> None:
    compacted(root, "2026-03-20")
    for node in (root / "memory").rglob("*ly/2026*.md"):  # somebody wrote a line into every node
        node.write_text(
            node.read_text("utf-8") + "\n## Mine [project]\n- outcome: hand-written\n", encoding="utf-8"
        )
    found = [hit for hit in find(root, "legitimate bursts token bucket").hits if hit.topic == "Token bucket"]
    assert [hit.level for hit in found] == ["raw"]
    listed = find(root, "hand-written").hits
    assert {hit.topic for hit in listed} == {"Mine"}
