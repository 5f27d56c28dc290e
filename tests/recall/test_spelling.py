"""Words that the memory does not use as they are typed: what is searched instead, and what is said of them."""

from datetime import date
from pathlib import Path

import pytest
from support.command import Hipo
from support.trees import compacted, write_logs

from hipocampus.recall import Recall, manifest, search

TODAY = date(2026, 4, 1)

LOGS = {
    "2026-03-12": "# 2026-03-12\n\n## Payment flow [project]\n- outcome: AUTH-358 is done, and ticket QA77 of the limiter too\n",
    "2026-03-24": "# 2026-03-24\n\n## 결제모듈 [project]\n- outcome: 재시도 횟수\n",
}


@pytest.fixture
def root(root: Path) -> Path:
    write_logs(root, LOGS)
    return root


def find(root: Path, query: str) -> Recall:
    return search(root, query, today=TODAY)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("paymnt flwo", "paymnt → payment, flwo → flow"),
        ("limtier", "limtier → limiter"),
        ("AUTH358", "auth358 → auth-358"),
        ("auth358 ticket", "auth358 → auth-358"),
        ("QA-77", "qa-77 → qa77"),
    ],
)
def test_what_finds_nothing_is_searched_as_the_memory_spells_it(root: Path, query: str, said: str) -> None:
    found = find(root, query)
    assert [hit.topic for hit in found.hits] == ["Payment flow"]
    assert found.notes == (f"not in the memory as written, so searched as: {said}",)


def test_one_word_that_is_right_is_searched_alone(root: Path) -> None:
    found = find(root, "paymnt ticket")
    assert [hit.topic for hit in found.hits] == ["Payment flow"]
    assert found.notes == ("not in the memory: paymnt (near: payment)",)


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ("얼룩말 재시도", ("not in the memory: 얼룩말",)),
        ("결제모듈은", ()),
        ("斑马在哪里", ("not in the memory: 斑马在哪里",)),
        ("지난주에 뭐 했지 얼룩말", None),
        ("payment 2026-03-12", ()),
        ("payment on March 12, 2026", ()),
    ],
)
def test_whole_words_are_named_and_dates_are_none(
    root: Path, query: str, notes: tuple[str, ...] | None
) -> None:
    found = find(root, query).notes
    assert found == notes if notes is not None else not any("지난" in n.split(": ")[-1] for n in found)


def test_a_word_in_files_that_are_not_searched_is_said_to_be_there(root: Path) -> None:
    (root / "SCRATCHPAD.md").write_text("# Scratchpad\n\n## Notes\n- the zebras are fed\n", encoding="utf-8")
    (root / "TASK-QUEUE.md").write_text("# Tasks\n\n- 얼룩말을 돌본다\n", encoding="utf-8")
    (root / "memory/ROOT.md").write_text("## Active Context\n- okapi week\n", encoding="utf-8")
    assert find(root, "zebra").notes == ("zebra: in SCRATCHPAD.md:4",)
    assert find(root, "얼룩말").notes == ("얼룩말: in TASK-QUEUE.md:3",)
    assert find(root, "payment okapi quagga").notes == (
        "okapi: in memory/ROOT.md:2", "not in the memory: quagga",
    )  # fmt: skip


def test_a_manifest_lists_what_fits_and_nothing_else(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compacted(root, "2026-04-01")
    assert manifest(root, "xyzzyq") == []
    assert len(manifest(root, "")) > 1
    ran = Hipo(root, monkeypatch)("recall", "--manifest", "xyzzyq")
    assert ran.err == ""
    assert (ran.status, ran.out) == (0, "no node fits 'xyzzyq'\n")


def test_a_type_or_days_without_entries_are_said_to_have_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hipo = Hipo(root, monkeypatch)
    assert hipo("recall", "--type", "feedback").out == "(the memory has nothing of type feedback)\n"
    assert "nothing of type feedback" in hipo("recall", "payment", "--type", "feedback").out
    assert hipo("recall", "--since", "2026-03-28").out == "(the memory has nothing since 2026-03-28)\n"
    assert hipo("recall").out == "nothing to look for\n"


def test_days_the_wrong_way_round_are_wrong_usage(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = Hipo(root, monkeypatch)("recall", "x", "--since", "2026-03-20", "--until", "2026-03-10")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "hipo: recall: --since 2026-03-20 is after --until 2026-03-10; swap them\n"
