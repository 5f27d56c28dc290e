"""Entries: what is written is read back, no line of a log is lost, and no text can forge a heading."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.texts import anything, line, markdown

from hipocampus.memory.entries import (
    FIELD_ORDER,
    TYPES,
    clean_topic,
    fields,
    guard_headings,
    is_passing,
    parse_heading,
    parse_log,
    render_entry,
    render_fields,
    split_lines,
    squeeze,
    topic_key,
)

LOG = """\
# 2026-03-15

loose words

## Payment flow [project]
<!-- 14:32 session 4f1c -->
- decisions:
  - token bucket — bursts are legitimate
  - no queue
- outcome: 3 tests
  and a second line

## Tabs\t[FEEDBACK]
- rule: short

##
nothing above

### deeper
"""


def test_an_entry_is_heading_comment_and_body_with_its_lines() -> None:
    log = parse_log(LOG)
    first, second, third = log.entries
    assert log.preamble == "# 2026-03-15\n\nloose words"
    assert (first.topic, first.type, first.typed, first.comment) == (
        "Payment flow",
        "project",
        True,
        "14:32 session 4f1c",
    )
    assert (first.line_start, first.line_end) == (5, 11)
    assert fields(first.body) == {
        "decisions": ["token bucket — bursts are legitimate", "no queue"],
        "outcome": ["3 tests\nand a second line"],
    }
    assert (second.topic, second.type) == ("Tabs", "feedback")
    assert (third.topic, third.type, third.typed, third.body) == (
        "",
        "project",
        False,
        "nothing above\n\n### deeper",
    )


@given(markdown)
def test_every_line_of_a_log_belongs_to_exactly_one_part(text: str) -> None:
    lines = split_lines(text)
    log = parse_log(text)
    assert log.lines == len(lines)
    starts = [entry.line_start for entry in log.entries]
    assert starts == sorted(set(starts))
    first = starts[0] if starts else len(lines) + 1
    assert log.preamble == "\n".join(lines[: first - 1]).strip("\n")
    for entry, end in zip(log.entries, [*starts, len(lines) + 1][1:], strict=True):
        inside = lines[entry.line_start - 1 : end - 1]
        assert inside[0].startswith("##")
        kept = [entry.topic, entry.comment, entry.body]
        said = [text for text in "\n".join(inside).split() if text not in ("##", "<!--", "-->", "<!---->")]
        assert all(
            any(word in part or part in word for part in kept) or "[" in word or "]" in word for word in said
        )
        assert entry.line_start <= entry.line_end < end
        assert not any(row.strip() for row in lines[entry.line_end : end - 1])


@given(anything)
def test_any_text_is_a_log(text: str) -> None:
    for entry in parse_log(text).entries:
        assert entry.type in TYPES
        fields(entry.body)
        is_passing(entry.topic, entry.body)


@given(line, st.sampled_from(TYPES), st.text(alphabet="09: -\n#ab", min_size=3).filter(str.strip), markdown)
def test_what_is_written_is_read_back_as_one_entry(topic: str, kind: str, comment: str, body: str) -> None:
    text = render_entry(topic, kind, comment, body)
    log = parse_log(text)
    assert text.endswith("\n") and not log.preamble
    (entry,) = log.entries
    assert (entry.topic, entry.type, entry.typed) == (clean_topic(topic), kind, True)
    assert squeeze(entry.body) == squeeze(guard_headings(body.strip("\n"))) or not body.strip()
    assert render_entry(entry.topic, entry.type, entry.comment, entry.body) == text


@pytest.mark.parametrize("comment", ["a\n## Forged", "x --> y", "a---->", "a\r\n<!--"])
def test_a_comment_stays_one_comment(comment: str) -> None:
    (entry,) = parse_log(render_entry("Topic", "user", comment, "- rule: kept")).entries
    assert entry.body == "- rule: kept" and "\n" not in entry.comment


@given(line, line, st.sampled_from(TYPES), markdown, markdown)
@example("A", "B", "user", "```\nleft open", "```\nleft open too")
def test_text_of_one_entry_never_swallows_or_forges_the_next(
    first: str, second: str, kind: str, body: str, next_body: str
) -> None:
    log = parse_log(
        render_entry(first, kind, "", body)
        + "\n"
        + render_entry(second, kind, "9:00", next_body)
        + "\n"
        + render_entry("Last", kind, "", "- outcome: kept")
    )
    assert [entry.topic for entry in log.entries] == [clean_topic(first), clean_topic(second), "Last"]
    assert log.entries[2].body == "- outcome: kept"


@given(st.dictionaries(st.sampled_from(FIELD_ORDER), st.lists(line, min_size=1, max_size=3), max_size=4))
def test_fields_are_written_in_their_order_and_read_back(values: dict[str, list[str]]) -> None:
    found = fields(render_fields(values))
    assert found == {key: [text.strip() for text in values[key]] for key in values}
    assert list(found) == [key for key in FIELD_ORDER if key in values]


@given(markdown)
def test_guarding_headings_twice_is_guarding_them_once(text: str) -> None:
    once = guard_headings(text)
    assert guard_headings(once) == once
    assert not parse_log(once).entries


@pytest.mark.parametrize(
    "text",
    ["## x", "##", "##\tx", "a\n## b", "```\n## in a fence left open", "~~~ py\n## x\n````\n## y"],
)
def test_a_line_that_would_forge_a_heading_is_indented(text: str) -> None:
    assert not parse_log("## Real [project]\n" + guard_headings(text) + "\n\n## Next").entries[1:-1]
    assert len(parse_log("## Real [project]\n" + guard_headings(text) + "\n\n## Next").entries) == 2


def test_headings_in_code_are_no_entries_and_an_open_fence_hides_none() -> None:
    assert [e.topic for e in parse_log("## A\n```\n## B\n```\n## C\n").entries] == ["A", "C"]
    assert [e.topic for e in parse_log("## A\n```\n## B\n## C\n").entries] == ["A", "B", "C"]
    assert [e.topic for e in parse_log("## A\n```\n## B\n```\n~~~\n## C\n").entries] == ["A", "C"]
    assert [e.topic for e in parse_log("## A\n~~~\n```\n## B\n~~~\n## C\n").entries] == ["A", "C"]
    assert [e.topic for e in parse_log("## A\n``` not `a` fence\n## B\n").entries] == ["A", "B"]
    assert [e.topic for e in parse_log(" ## A\n    ## B\n#### C\n##D\n").entries] == []


@pytest.mark.parametrize(
    ("heading", "topic", "kind"),
    [
        ("Payment flow [project]", "Payment flow", "project"),
        ("Payment flow", "Payment flow", "project"),
        ("Payment flow [draft]", "Payment flow [draft]", "project"),
        ("Tasks [a] [User]", "Tasks [a]", "user"),
        ("[reference]", "", "reference"),
        ("결제 흐름 [feedback] ", "결제 흐름", "feedback"),
        ("Array[project]", "Array", "project"),
        ("Two [user] words", "Two [user] words", "project"),
    ],
)
def test_the_type_is_the_last_bracketed_word(heading: str, topic: str, kind: str) -> None:
    assert parse_heading(heading)[:2] == (topic, kind)


@given(line)
def test_spellings_of_one_topic_have_one_key(topic: str) -> None:
    key = topic_key(topic)
    assert topic_key(key) == key
    assert topic_key(f"  {topic.replace(' ', '   ')} ") == key
    assert topic_key(topic.upper()) == topic_key(topic.upper().lower()) or not topic.isascii()


def test_composed_and_decomposed_letters_are_one_topic() -> None:
    assert topic_key("Caf\u00e9  Ordering") == topic_key("cafe\u0301 ordering")
    assert topic_key("\u1100\u1161") == topic_key("가")


@pytest.mark.parametrize(
    ("heading", "body"),
    [
        ("Try [temporary]", ""),
        ("Temporary", "- outcome: x"),
        ("Test run [project]", ""),
        ("A", "- delete later"),
        ("A", "text\n임시\nmore"),
        ("A [테스트 중] [project]", ""),
        ("나중에 삭제", ""),
        ("A", "  * Temporary."),
    ],
)
def test_an_entry_is_passing_when_the_mark_stands_alone(heading: str, body: str) -> None:
    assert is_passing(heading, body)


@pytest.mark.parametrize(
    ("heading", "body"),
    [
        ("Temporary tables in Postgres", ""),
        ("A", "- outcome: temporary"),
        ("A", "the temporary folder"),
        ("임시 저장 기능 [project]", "- outcome: 임시 저장"),
        ("A", "- decisions: delete later rows first"),
    ],
)
def test_a_word_within_a_sentence_marks_nothing(heading: str, body: str) -> None:
    assert not is_passing(heading, body)
