"""What holds for any text: idempotent, counted, never an exception, cost in proportion to the length."""

import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.redact import redact

PIECES = (
    "password", "secret", "token", "api key", "PASSWORD", "비밀번호", "パスワード", " is ", "=", ": ", ":", "\n", "\r\n", " ", "|", "| ",
    '"', "'", "`", "\\", '\\"', "[REDACTED:password]", "[REDACTED", "]", "://", "@", "user", "ab12CD34", "Harbor" + "4186x", "$2b$10$", "-----BEGIN ",
    "PRIVATE KEY-----", "-----END ", "Ab1+" * 16, "gh" + "p_", "ey" + "J", ".", "curl -u ", "mysql -p", "Bearer ", "Authorization: ", "cookie: a=",
    "kind: Secret\ndata:\n  a: ", "|---|---|", "<private>", "</", ">", "{", "}", "(", ")", "sig=", "?", "&", "%", "$", "~", "-", "_", "\ud800", "\u0130",
)  # fmt: skip
texts = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=24).map("".join),
    st.lists(
        st.one_of(st.sampled_from(PIECES), st.from_regex(r"[A-Za-z0-9+/_-]{1,40}", fullmatch=True)),
        max_size=16,
    ).map("".join),
)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once.text) == (once.text, {})


LINES = st.one_of(
    st.sampled_from(
        (
            "gh" + "p_" + "aB3dE5fG7h" * 3 + "J9kL1m", "gl" + "pat-" + "x7Kq9mR2vB4nW8tL3pZs", "np" + "m_" + "aB3dE5fG7h" * 3 + "J9kL1m",
            "sk-" + "ant-api03-" + "aB3dE5fG7h" * 4, "ey" + "J" + "aB3dE5fG7h" * 4, "xYz9aB3dE5fG7h.aB3dE5fG7h" * 2, "3f786850e387550fdab836ed7e6dc881de23001b",
            "SRC-" + "12345678-DEPLOY", "pk0qasdu" + "8lQj1F4s", "password:", "token:", "secret: |", "kind: Secret", "data:", "  a: bcdefgh1", "| password |",
            "|---|", "| ab12CD34 |", "seed phrase:", "abandon ability able about above absent absorb abstract absurd abuse access accident",
            "Harbor" + "4186x", "Authorization: Bearer", "curl -u kim:\\", "- name: API_KEY", "  value: Harbor" + "4186x", "```", "",
        )
    ),
    st.text(max_size=30),
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(texts, st.lists(LINES, max_size=8).map("\n".join), st.lists(LINES, max_size=8).map("\r\n".join))
)
def test_a_text_without_key_blocks_keeps_its_lines(text: str) -> None:
    done = redact(text)
    if "private-key" not in done.counts:
        assert done.text.count("\n") == text.count("\n")
        assert done.text.count("\r\n") == text.count("\r\n")


@settings(max_examples=200, deadline=None)
@given(texts)
def test_every_secret_that_is_counted_has_left_a_marker(text: str) -> None:
    result = redact(text)
    added = result.text.count("[REDACTED:") - text.count("[REDACTED:")
    assert all(count > 0 for count in result.counts.values())
    if "[REDACTED" not in text:
        assert added == sum(result.counts.values())
    if not result.counts:
        assert result.text == text


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from("the meeting moved from ten to two because of a release".split()), max_size=60)
)
def test_prose_stays(words: list[str]) -> None:
    text = " ".join(words)
    assert redact(text) == (text, {})


def test_lone_surrogates_pass_through() -> None:
    secret = "Harbor" + "4186x"
    assert redact(f"\ud800 password={secret} \udfff").text == "\ud800 password=[REDACTED:password] \udfff"


UNITS = (
    "password: ", "key=", '"', "\\", ":", "a-b-", " ", "a:", "-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "eyJ",
    "| password |\n", "| password |\n|---|\n", "the password is not here ", '{"password":a.password,', "cookie: a=bcdefgh1; ", "://", "://a:b@",
    "authorization: ", "bearer ", "mysql -p ", "kind: Secret\ndata:\n  a: bcdef\n", "$6$", "seed word ", "Private-Lines: 9\nabc\n", "sig=",
    "@tcp(", "비밀번호", "WIFI:P:", "[REDACTED:x]", "https://a.example/?key=abcdefghijkl1&", "Ab1+",
)  # fmt: skip


def _calls(text: str) -> int:
    """Count the calls that redacting makes, of Python and of C functions."""
    count = 0

    def see(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(see)
    try:
        redact(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", UNITS)
def test_twice_the_text_costs_twice_the_work(unit: str) -> None:
    redact(unit * 50)  # compiles what is compiled once
    small, large = _calls((unit * 6000)[:6000]), _calls((unit * 12000)[:12000])
    assert large <= 2.2 * small + 300
