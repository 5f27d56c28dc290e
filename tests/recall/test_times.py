"""Questions that name a time: what their other words ask for, and what is listed when those find nothing."""

from datetime import date
from pathlib import Path

import pytest
from support.trees import write_logs

from hipocampus.recall import search
from hipocampus.recall.dates import parse_dates
from hipocampus.recall.filler import is_filler

TODAY = date(2026, 4, 1)

LOGS = {
    "2026-03-12": "# 2026-03-12\n\n## Rollout [project]\n- outcome: rolled out\n",
    "2026-03-24": "# 2026-03-24\n\n## Gateway [project]\n- decisions: token bucket\n",
    "2026-03-26": "# 2026-03-26\n\n## Search [project]\n- outcome: index rebuilt\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_logs(tmp_path, LOGS)
    return tmp_path


@pytest.mark.parametrize(
    "query",
    [
        "what did we decide last week", "What have we worked on last week?", "last week", "show me what happened last week",
        "지난주에 뭐 했지", "지난주에 뭘 결정했지?", "지난 주에 우리가 한 일", "先週何をしましたか", "先週決めたこと", "上周我们做了什么",
    ],
)  # fmt: skip
def test_filler_beside_a_time_asks_for_everything_of_it(root: Path, query: str) -> None:
    found = search(root, query, today=TODAY)
    assert [hit.topic for hit in found.hits] == ["Search", "Gateway"]
    assert [note.split(": ")[1] for note in found.notes] == ["only 2026-03-23 to 2026-03-29"]


@pytest.mark.parametrize(
    "query", ["zebra last week", "지난주에 얼룩말", "rollout last week", "지난주에 결제모듈 어떻게 됐지"]
)
def test_words_that_days_do_not_hold_never_make_the_days_empty(root: Path, query: str) -> None:
    found = search(root, query, today=TODAY)
    assert [hit.topic for hit in found.hits] == ["Search", "Gateway"]
    assert "nothing about" in found.notes[0] and "so all of it is listed, newest first" in found.notes[0]


def test_days_that_hold_nothing_are_said_to(root: Path) -> None:
    found = search(root, "rollout yesterday", today=TODAY)
    assert found.notes[0] == "yesterday: nothing in 2026-03-31, so everything was searched"
    assert [hit.topic for hit in found.hits] == ["Rollout"]


@pytest.mark.parametrize("text", ["the gateway", "결제", "会议", "猫", "decisions"])
def test_a_thing_is_no_filler(text: str) -> None:
    assert not is_filler(text)


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-12", "March 12", "march 12th", "on Mar 12, 2026", "12 March 2026", "12th of March", "3월 12일", "3月12日",
        "2026년 3월 12일", "2026年3月12日",
    ],
)  # fmt: skip
def test_a_day_is_a_day_in_any_spelling(root: Path, text: str) -> None:
    dates = parse_dates(f"{text} rollout", TODAY)
    assert (dates.span, dates.days, dates.plain.split()[-1]) == (None, (date(2026, 3, 12),), "rollout")
    found = search(root, text, today=TODAY)
    assert [hit.topic for hit in found.hits] == ["Rollout"]
    assert found.notes == ()


@pytest.mark.parametrize(
    "text", ["may 10 people come", "March on", "3월", "version 12", "decide 12", "12 marbles", "April 31", "sun 12:30"]
)  # fmt: skip
def test_other_words_and_numbers_are_no_day(text: str) -> None:
    assert parse_dates(text, TODAY).days == ()


def test_a_day_without_a_year_is_the_last_one() -> None:
    assert parse_dates("December 3", TODAY).days == (date(2025, 12, 3),)


def test_a_day_of_which_nothing_is_recorded_is_said_to_be_one(root: Path) -> None:
    found = search(root, "2026-03-13", today=TODAY)
    assert (found.hits, found.notes) == ((), ("nothing was recorded on 2026-03-13",))


def test_filler_is_not_said_to_be_missing_beside_a_day(root: Path) -> None:
    assert search(root, "what happened on March 12", today=TODAY).notes == ()


def test_days_without_entries_of_a_type_are_not_said_to_be_empty(root: Path) -> None:
    notes = search(root, "gateway last week", today=TODAY, type="feedback").notes
    assert notes[0].startswith("last week: nothing of type feedback in 2026-03-23 to 2026-03-29")


def test_what_is_quoted_of_a_question_ends_with_its_last_word(root: Path) -> None:
    note = search(root, "who is Ada, last week?", today=TODAY).notes[0]
    assert note.startswith("last week: nothing about 'who is Ada' in ")
