"""What a question is taken for: words, identifiers, phrases, scripts without spaces, times."""

from datetime import date

import pytest

from hipocampus.recall.cjk import indexed_form
from hipocampus.recall.dates import parse_dates
from hipocampus.recall.query import any_of, parse_query
from hipocampus.recall.related import related
from hipocampus.recall.spelling import distance
from hipocampus.recall.stem import stem
from hipocampus.recall.units import UNIT_CHARS, split_sections

TODAY = date(2026, 3, 18)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("What did we decide about the Gateway's limits?", ("decide", "gateway", "limits")),
        ("AND or not", ("and", "or", "not")),
        ("foo_bar", ("foo", "bar")),
        ("Café", ("café",)),
        ("결제모듈", ("결제", "제모", "모듈")),
        ("猫", ("猫",)),
    ],
)
def test_words_of_a_question(text: str, terms: tuple[str, ...]) -> None:
    assert parse_query(text).terms == terms


@pytest.mark.parametrize(
    "name", ["AUTH-358", "src/a.py:12", "C++", "v1.2.3", ".env", "-rf", "foo_bar", "#12"]
)
def test_identifiers_are_kept_as_typed(name: str) -> None:
    assert parse_query(f"why {name}?").literals == (name.lower(),)


def test_words_with_hyphens_in_prose_are_no_identifiers() -> None:
    assert parse_query("a long-haired dog for 10,000 at 9:30").literals == ()


def test_quotes_make_a_phrase() -> None:
    assert parse_query('the "token bucket" of 「決済」').phrases == ("token bucket",)


def test_an_index_query_holds_nothing_but_quoted_words() -> None:
    assert any_of(("a", 'b"c'), ("猫",)) == '"a" OR "b c" OR "猫" *'


def test_runs_are_spelled_as_pairs_and_their_last_character() -> None:
    assert indexed_form("회의 abc 猫") == " 회의 의  abc  猫 "
    assert indexed_form("plain") == "plain"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what happened yesterday", "2026-03-17", "2026-03-17"),
        ("last week", "2026-03-09", "2026-03-15"),
        ("this month", "2026-03-01", "2026-03-31"),
        ("in December", "2025-12-01", "2025-12-31"),
        ("march 2025", "2025-03-01", "2025-03-31"),
        ("two weeks ago", "2026-03-02", "2026-03-08"),
        ("in the last 3 days", "2026-03-15", "2026-03-18"),
        ("on Monday", "2026-03-16", "2026-03-16"),
        ("2026-W10", "2026-03-02", "2026-03-08"),
        ("지난주 회의", "2026-03-09", "2026-03-15"),
        ("先月の決済", "2026-02-01", "2026-02-28"),
        ("昨天的会议", "2026-03-17", "2026-03-17"),
        ("3월에 배포", "2026-03-01", "2026-03-31"),
    ],
)
def test_words_of_time(text: str, first: str, last: str) -> None:
    span = parse_dates(text, TODAY).span
    assert span is not None
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["may I march on", "the week of tests", "v2026-03", "second monday", ""])
def test_other_words_are_no_time(text: str) -> None:
    assert parse_dates(text, TODAY).span is None


def test_a_day_written_out_is_no_span() -> None:
    dates = parse_dates("rollout 2026-03-04 and 2026-02-30", TODAY)
    assert (dates.span, dates.days) == (None, (date(2026, 3, 4),))


@pytest.mark.parametrize(
    ("word", "expected"),
    [("camping", "camp"), ("happiness", "happi"), ("relational", "relat"), ("fertilizer", "fertil"), ("sky", "sky"),
     ("agreed", "agre"), ("hopping", "hop"), ("결제", "결제")],
)  # fmt: skip
def test_stems_are_those_of_the_index(word: str, expected: str) -> None:
    assert stem(word) == expected


def test_kinds_and_members_find_each_other() -> None:
    assert "dog" in related("pets")
    assert "pet" in related("hamster")
    assert "hamster" not in related("rabbit")


def test_distance_counts_letters() -> None:
    assert [
        distance(a, b, 2) for a, b in [("abc", "abc"), ("abc", "acb"), ("abc", "abcd"), ("abc", "xyz")]
    ] == [0, 1, 1, 3]


def test_entries_are_sections_and_headings_inside_fences_are_not() -> None:
    text = "# 2026-03-15\n\n## A b [feedback]\n- rule: x\n```\n## no\n```\n\n## C [idea]\n- supersedes:\n  - One\n  - Two\n"
    first, second = split_sections(text, raw=True)
    assert (first.topic, first.type, first.line_start, first.line_end) == ("A b", "feedback", 3, 7)
    assert (second.topic, second.type, second.supersedes) == ("C [idea]", "", ("One", "Two"))


def test_a_pasted_talk_without_headings_is_content() -> None:
    (section,) = split_sections("User: hello\nAssistant: hi\n\nUser: bye\n", raw=True)
    assert [(u.role, u.line_start, u.text) for u in section.units] == [
        ("person", 1, "hello"),
        ("assistant", 2, "hi"),
        ("person", 4, "bye"),
    ]


def test_notes_are_cut_at_headings_with_their_path_and_days() -> None:
    text = "---\ntype: weekly\n---\n\n# 2026-03-09\n\n## Deep\ntext\n\n### Deeper [user]\nmore\n"
    found = [(s.topic, s.type, s.date, s.line_start) for s in split_sections(text, raw=False)]
    assert found == [("Deep", "", "2026-03-09", 7), ("Deep > Deeper", "user", "2026-03-09", 10)]


def test_no_unit_is_longer_than_the_limit_and_none_is_lost() -> None:
    text = "## A\n" + "word " * 700 + "\n\n" + "字" * 1300 + "\n"
    (section,) = split_sections(text, raw=True)
    assert all(len(unit.text) <= UNIT_CHARS for unit in section.units)
    joined = "".join("".join(unit.text.split()) for unit in section.units)
    assert joined == "".join(text[4:].split())
