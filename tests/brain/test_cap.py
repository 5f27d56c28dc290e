"""Fitting to characters: caps hold, characters stay whole, fences are closed."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.brain.cap import clip, cut_words, fenced, grapheme_end
from hipocampus.brain.chunks import chunks
from hipocampus.memory.entries import open_fence

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
PIECES = st.sampled_from(
    [
        "word", " ", "\n", "\n\n", ". ", "。", "가나다", "ﾊﾟ", "한국어 문장. ", "\u1112\u1161\u11ab", "é", "e\u0301\u0323",
        FAMILY, "👍🏽", "🇰🇷🇯🇵", "क्षि", "ไทย", "العربية ", "```py\n", "```\n", "~~~\n", "~~~~~\n", "`", "#", "- a\n",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=200))


@settings(max_examples=150)
@given(TEXTS, st.integers(0, 120))
def test_a_clip_keeps_the_cap_and_closes_its_fence(text, cap):
    shown = clip(text, cap)
    assert len(shown) <= cap
    assert shown == text or not shown or (shown.count("…") >= 1 and not open_fence(shown.split("\n")))


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from([FAMILY, "👍🏽", "🇰🇷", "\u1112\u1161\u11ab", "e\u0301", "क्षि", "가"]),
        min_size=1,
        max_size=20,
    ),
    st.integers(1, 60),
)
def test_a_cut_never_breaks_what_a_person_sees_as_one(letters, room):
    text = "".join(letters)
    end = grapheme_end(text, min(room, len(text)))
    starts, at = {0}, 0
    for letter in letters:
        at += len(letter)
        starts.add(at)
    assert end in starts
    assert end == max(start for start in starts if start <= room)


@pytest.mark.parametrize(
    ("text", "cap", "shown"),
    [
        ("one two three", 13, "one two three"),
        ("first paragraph\n\nsecond one is long", 24, "first paragraph\n…"),
        ("first line\nsecond line goes on", 18, "first line\n…"),
        ("One sentence. Another one that is long", 24, "One sentence. …"),
        ("第一句话很长很长。第二句话也很长很长", 12, "第一句话很长很长。 …"),
        ("many words in a row", 12, "many words…"),
        ("가나다라마바사", 5, "가나다라…"),
        (FAMILY * 3, 8, FAMILY + "…"),
        (FAMILY * 3, 5, ""),
        ("```py\nprint(1)\nprint(2)\n```", 24, "```py\nprint(1)\n…\n```"),
    ],
)
def test_a_cut_stands_where_reading_may_stop(text, cap, shown):
    assert clip(text, cap) == shown


def test_cutting_words_leaves_no_half_word():
    assert cut_words("payment flow retries", 14) == "payment flow"
    assert cut_words("결제재시도흐름", 4) == "결제재시"
    assert cut_words("short", 10) == "short"


@settings(max_examples=120)
@given(TEXTS, st.one_of(st.none(), st.integers(0, 100)))
def test_no_text_closes_its_fence(text, cap):
    block = fenced(text, cap)
    assert cap is None or len(block) <= cap
    if block:
        first, *inside, last = block.split("\n")
        assert first == last and set(first) == {"~"}
        assert not any(line.strip(" >").startswith(first) for line in inside)


@settings(max_examples=100)
@given(TEXTS, st.integers(5, 60), st.integers(0, 20))
def test_chunks_cover_a_text_and_overlap(text, size, overlap):
    found = chunks(text, size, min(overlap, size // 2))
    at = 0
    for chunk in found:
        assert at - min(overlap, size // 2) <= chunk.start <= at
        assert 0 < chunk.end - chunk.start <= size and chunk.end > at
        assert chunk.line_start == text.count("\n", 0, chunk.start) + 1
        at = chunk.end
    assert at == len(text)


def test_chunks_begin_and_end_at_lines_where_they_can():
    text = "".join(f"line number {n}\n" for n in range(200))
    found = chunks(text)
    assert len(found) > 2
    for chunk in found[:-1]:
        assert text[chunk.end] == "\n" or text[chunk.end - 1] == "\n"
        assert chunk.end - chunk.start > 900
    assert all(text[c.start - 1] == "\n" for c in found[1:])


def test_combining_marks_beyond_any_cap_are_left_out_whole():
    assert unicodedata.category("\u0301") == "Mn"
    assert clip("a" + "\u0301" * 50, 10) == ""
