"""`<private>` blocks never come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.redact import strip_private


@pytest.mark.parametrize(
    ("text", "kept", "lines"),
    [
        ("nothing here", "nothing here", 0),
        ("a <private>b</private> c", "a  c", 1),
        ("a\n<private>\nb\n</private>\nc\n", "a\nc\n", 3),
        ("a\n<PRIVATE>\nb\n</Private >\nc", "a\nc", 3),
        ("a <private>b <private>c</private> d</private> e", "a  e", 1),
        ("a\n<private>b\nc", "a\n", 2),
        ('a <private reason="x">b</private> c', "a  c", 1),
        ("a </private> b", "a </private> b", 0),
        ("<privateer> a", "<privateer> a", 0),
        ("a<private>b</private>c<private>d</private>e", "ace", 2),
    ],
)
def test_private_blocks_are_dropped_and_counted(text: str, kept: str, lines: int) -> None:
    assert strip_private(text) == (kept, lines)


@given(st.lists(st.sampled_from(["<private>", "</private>", "a", "\n", " ", "<"]), max_size=30))
def test_dropping_twice_is_dropping_once(parts: list[str]) -> None:
    kept, _ = strip_private("".join(parts))
    assert strip_private(kept) == (kept, 0)
