"""Frontmatter: values are read however they were written, and writing changes only the keys that are set."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.texts import anything, line, markdown

from hipocampus.memory.nodes import (
    Cover,
    as_list,
    cover_of,
    hash_text,
    parse_covers,
    parse_node,
    render_node,
    second_block,
)

NODE = """\
---
# written by hand
type: daily
status: fixed  # because it is over
period: 2026-03-15
topics:
  - "Payment flow [project]"
  # the next one came later
  - Short answers [feedback]
x-mine: {a: [1, 2]}

owner: "me: myself"
---

# 2026-03-15

---
status: tentative
---
"""


def test_values_are_texts_and_a_rule_in_the_body_means_nothing() -> None:
    node = parse_node(NODE)
    assert node.text("period") == "2026-03-15"
    assert node.is_fixed
    assert node.items("topics") == ["Payment flow [project]", "Short answers [feedback]"]
    assert node.text("owner") == "me: myself"
    assert node.body == "# 2026-03-15\n\n---\nstatus: tentative\n---"
    assert not second_block(node)


def test_writing_changes_the_keys_that_are_set_and_no_other_line() -> None:
    node = parse_node(NODE)
    text = render_node(node.front, {"status": "tentative", "body-hash": "sha256:00"}, node.body)
    assert text == NODE.replace("fixed  # because", "tentative  # because").replace(
        '\nowner: "me: myself"\n', '\nowner: "me: myself"\nbody-hash: "sha256:00"\n'
    )


def test_a_comment_inside_a_value_stays_when_the_value_is_replaced() -> None:
    node = parse_node(NODE)
    text = render_node(node.front, {"topics": ["One [user]"]}, node.body)
    assert 'topics: ["One [user]"]\n  # the next one came later\nx-mine' in text


def test_a_key_set_to_none_is_taken_out_and_new_keys_come_in_their_order() -> None:
    front = parse_node("---\nlines: 252\ntype: daily\n---\n").front
    text = render_node(front, {"lines": None, "covers": ["2026-03-15 1 sha256:0"], "status": "fixed"}, "b")
    assert text == '---\ntype: daily\nstatus: fixed\ncovers: ["2026-03-15 1 sha256:0"]\n---\n\nb\n'


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("topics: []", []),
        ("topics:", []),
        ("topics: scanner-import, stock-report", ["scanner-import", "stock-report"]),
        ("topics: [auth [project], tz [user]]", ["auth [project]", "tz [user]"]),
        ('topics: ["a, b [user]", "c"]', ["a, b [user]", "c"]),
        ("topics:\n- 2026-03-15\n- 1.5\n- yes", ["2026-03-15", "1.5", "yes"]),
        ("topics: ['it''s', x]", ["it's", "x"]),
        ("topics: |\n  one, two\n", ["one", "two"]),
        ("'topics': [a]", ["a"]),
        ("topics: [a, b", []),
    ],
)
def test_topics_are_read_however_they_were_written(written: str, read: list[str]) -> None:
    node = parse_node(f"---\ntype: daily\n{written}\n---\nbody")
    if read:
        assert node.items("topics") == read
    assert node.text("type") == "daily"
    assert node.body == "body"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("type: daily\ntype: weekly", "'type' stands twice"),
        ("type: daily\nx: [", "cannot be read"),
        ("type: daily\nperiod: [2026, {", "cannot be read"),
    ],
)
def test_faults_are_named_and_what_is_readable_is_read(block: str, said: str) -> None:
    node = parse_node(f"---\n{block}\n---\nbody")
    assert node.front is not None
    assert any(said in problem for problem in node.front.problems)
    assert node.text("type") == "daily"


@pytest.mark.parametrize(
    "text", ["", "no block", "---\nnever closed\n# x", "----\na: b\n----\n", " ---\na: b\n---"]
)
def test_without_a_block_everything_is_body(text: str) -> None:
    node = parse_node(text)
    assert node.front is None and node.body == text.strip("\n") and node.status == ""


def test_two_blocks_on_top_of_each_other_are_seen() -> None:
    assert second_block(parse_node("---\ntype: root\n---\n---\ntype: root\n---\n\n## Active Context\n"))


@given(anything)
def test_any_text_is_a_node(text: str) -> None:
    node = parse_node(text)
    assert all(
        isinstance(topic, str) for topic in as_list(node.front.values.get("topics") if node.front else None)
    )
    assert all(cover.day == day for day, cover in parse_covers(node.items("covers")).items())


_KEYS = st.sampled_from(
    ["status", "type", "topics", "x-mine", "owner", "dates", "covers", "한글", "a b", "Key"]
)
_VALUES = st.one_of(
    line,
    st.sampled_from(
        ["", "[]", "2026-03-15", "yes", "1", "~", "[a, b]", '["a [x]"]', "{a: b}", "|\n  two\n  lines", "- x"]
    ),
    st.text(alphabet="ab:#'\"[]{},-|>&*!% 가\t", max_size=12),
)
_COMMENTS = st.sampled_from(["", "# a comment", "   # indented", "\n"])
_BLOCKS = st.lists(st.tuples(_COMMENTS, _KEYS, _VALUES), max_size=7).map(
    lambda rows: "\n".join(f"{c}\n{k}: {v}" if c.strip() else f"{k}: {v}" for c, k, v in rows)
)


@given(_BLOCKS, markdown)
def test_an_unchanged_block_comes_back_byte_for_byte(block: str, body: str) -> None:
    body = body.strip("\n")
    text = f"---\n{block}\n---\n\n{body}\n" if body else f"---\n{block}\n---\n"
    node = parse_node(text)
    if node.front is None or "\n---" in f"\n{block}":
        return
    assert render_node(node.front, {}, node.body) == text


@given(_BLOCKS)
def test_setting_a_key_leaves_the_other_lines_and_their_order(block: str) -> None:
    node = parse_node(f"---\n{block}\n---\n\nbody\n")
    if node.front is None or "\n---" in f"\n{block}":
        return
    text = render_node(node.front, {"status": "fixed"}, node.body)
    again = parse_node(text)
    assert again.front is not None
    assert again.text("status") == "fixed" or any("cannot be read" in p for p in again.front.problems)
    others = [row for key, rows in node.front.groups if key != "status" for row in rows]
    kept = [row for key, rows in again.front.groups if key != "status" for row in rows]
    assert kept == others or node.text("status") != "fixed"
    assert [row for row in kept if row.strip()] == [row for row in others if row.strip()]
    assert render_node(again.front, {"status": "fixed"}, again.body) == text


@given(st.lists(line | anything, max_size=5), markdown)
def test_what_hipo_writes_is_read_back_without_yaml(topics: list[str], body: str) -> None:
    topics = [topic for topic in topics if topic.strip()]
    text = render_node(
        None,
        {"type": "daily", "period": "2026-03-15", "topics": topics, "summary": "verbatim"},
        body.strip("\n"),
    )
    node = parse_node(text)
    assert node.items("topics") == topics
    assert (node.text("type"), node.text("period"), node.text("summary")) == (
        "daily",
        "2026-03-15",
        "verbatim",
    )
    assert node.body == body.strip("\n")
    assert not node.front or not node.front.problems


@given(markdown, markdown)
def test_a_cover_matches_a_log_that_grew_and_no_other(text: str, more: str) -> None:
    cover = cover_of("2026-03-15", text)
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    assert cover.matches(lines) and cover.matches([*lines, *more.split("\n")])
    assert parse_covers([str(cover)]) == {"2026-03-15": cover}
    if lines:
        assert not cover.matches(lines[:-1])
        assert not cover.matches(["changed", *lines[1:]]) or lines[0] == "changed"


def test_covers_of_another_shape_are_passed_over() -> None:
    good = Cover("2026-03-15", 118, "sha256:6f1f0c3d9a7b2e44")
    assert parse_covers([str(good), "2026-03-16", "x y z", "2026-03-17 -1 sha256:0", ""]) == {
        "2026-03-15": good
    }


def test_a_hash_is_sixteen_digits_and_takes_any_text() -> None:
    assert re.fullmatch(r"sha256:[0-9a-f]{16}", hash_text("\ud800 가"))
    assert hash_text("a") != hash_text("b")


def test_a_key_that_is_empty_text_is_a_key_like_any_other() -> None:
    node = parse_node('---\n"": nothing\ntype: daily\n---\nbody\n')
    assert node.text("type") == "daily"
    assert node.text("") == "nothing"
    assert node.body == "body"
