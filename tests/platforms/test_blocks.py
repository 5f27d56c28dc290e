"""Marked blocks: in, up to date, and out again, without touching a byte around them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hipocampus.platforms import blocks
from hipocampus.platforms.blocks import HASH, MARKDOWN, BrokenBlock

lines = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60)
files = (
    lines.map(str.encode)
    | lines.map(lambda text: text.replace("\n", "\r\n").encode())
    | st.binary(max_size=40)
)


@example(b"\r", MARKDOWN, "one")
@given(files, st.sampled_from([MARKDOWN, HASH]), st.sampled_from(["one", "two\nlines\n", "korean 한국어"]))
def test_what_was_put_in_comes_out_again(data: bytes, marks: blocks.Marks, text: str) -> None:
    with_block = blocks.put(data, text, marks)
    assert blocks.read(with_block, marks) == text.strip()
    assert data in with_block
    assert blocks.take_out(with_block, marks) == data


@given(files, st.sampled_from(["one", "two\nlines"]), st.sampled_from(["three", "four\n\nfive"]))
def test_a_newer_text_takes_the_place_of_the_old_one(data: bytes, old: str, new: str) -> None:
    updated = blocks.put(blocks.put(data, old, MARKDOWN), new, MARKDOWN)
    assert updated == blocks.put(data, new, MARKDOWN)
    assert blocks.put(updated, new, MARKDOWN) == updated


def test_a_file_that_hipo_made_goes_away_with_its_block() -> None:
    assert blocks.take_out(blocks.put(None, "text", MARKDOWN), MARKDOWN) is None
    assert blocks.take_out(blocks.put(b"", "text", MARKDOWN), MARKDOWN) == b""


def test_text_that_people_wrote_around_a_block_stays() -> None:
    data = blocks.put(b"# Mine\n", "text", MARKDOWN) + b"\nadded later\n"
    assert blocks.take_out(data, MARKDOWN) == b"# Mine\n\nadded later\n"
    assert blocks.take_out(blocks.put(None, "text", MARKDOWN) + b"\nmine\n", MARKDOWN) == b"\nmine\n"


@pytest.mark.parametrize(
    "data",
    [
        b"<!-- hipo:start -->\ntext\n",
        b"text\n<!-- hipo:end -->\n",
        b"<!-- hipo:end -->\n<!-- hipo:start -->\n",
        b"<!-- hipo:start -->\n<!-- hipo:start -->\n<!-- hipo:end -->\n",
    ],
)
def test_marks_that_do_not_pair_are_for_a_person(data: bytes) -> None:
    with pytest.raises(BrokenBlock):
        blocks.put(data, "text", MARKDOWN)
    with pytest.raises(BrokenBlock):
        blocks.take_out(data, MARKDOWN)


def test_marks_inside_a_line_are_text() -> None:
    data = b"see `<!-- hipo:start -->` in the docs\n"
    assert blocks.read(data, MARKDOWN) is None
    assert blocks.take_out(blocks.put(data, "x", MARKDOWN), MARKDOWN) == data
