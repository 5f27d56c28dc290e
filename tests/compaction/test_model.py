"""The prompt for a summary, and what of a model's answer may become memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction.model import accept_summary, closing_fence, names_a_topic, summary_prompt, unwrap
from hipocampus.memory.entries import parse_log, split_lines
from hipocampus.memory.periods import Level

GOOD = "## Topics\n- Payment flow, Billing api\n\n## Key Decisions\n- token bucket over leaky bucket"
TOPICS = ["Payment flow", "Billing api [reference]"]
KEEP = parse_log(
    "## Review style [feedback]\n- rule: never squash commits\n- why: bisect was blind\n- how-to-apply: merge only\n\n"
    "## Person [user]\nprefers metric units\n"
).entries


def accepted(reply, topics=TOPICS, max_lines=200, keep=()):
    body, reason = accept_summary(reply, topics, max_lines, list(keep))
    assert (body is None) == bool(reason)
    return body


@pytest.mark.parametrize(
    "wrapped",
    [
        GOOD,
        f"```markdown\n{GOOD}\n```",
        f"Here is the summary:\n\n{GOOD}\n",
        f"Sure!\n```\n{GOOD}\n```\nLet me know if it helps.",
        f"---\ntype: daily\nstatus: fixed\n---\n\n{GOOD}",
        f"```yaml\n---\ntype: daily\n---\n{GOOD}\n```",
        f"<think>\n## Plan\n- look around\n</think>\n\n{GOOD}",
        f"<summary>\n{GOOD}\n</summary>",
        GOOD.replace("\n", "\r\n") + "\r\n",
    ],
)
def test_what_models_put_around_a_summary_is_taken_off(wrapped):
    assert accepted(wrapped) == GOOD


def test_a_fence_inside_the_summary_stays():
    text = GOOD + "\n\n```sh\nmake test\n```"
    assert accepted(text) == text


def test_a_fence_left_open_is_closed():
    assert accepted(GOOD + "\n\n```sh\nmake test").endswith("make test\n```")


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n\n ",
        "ok",
        "I'm sorry, but I can't help with that request.",
        "## Summary\n\n- I cannot summarize Payment flow.\n",
        "You've hit your monthly spend limit. Raise it in settings to continue.",
        '{"error":"overloaded"}',
        "## Notice\n\n- The quota of your plan is used up. Upgrade to continue today.",
        "## Notice\n- Payment flow: you have reached your usage limit, it resets at 5pm",
        "## Topics\n\nPayment flow, in one paragraph without a bullet",
        "- Payment flow: a bullet without a heading",
        "## Other work\n- flow of the payment",
        "## 요약\n- 죄송하지만 요약할 수 없습니다. Payment flow",
    ],
)
def test_what_is_no_summary_is_refused(reply):
    assert accepted(reply) is None


def test_a_summary_may_speak_of_limits_and_apologies_as_its_subject():
    body = (
        GOOD
        + "\n- rate limit holds at 200/s; the mail says sorry to the customer\n- quota table in billing.py"
    )
    assert accepted(body) == body


def test_a_reply_of_too_many_lines_is_refused():
    body = GOOD + "\n" + "\n".join(f"- line {n}" for n in range(20))
    assert accepted(body, max_lines=24) is None
    assert accepted(body, max_lines=25) == body


def test_entries_of_people_that_the_model_dropped_are_added_word_for_word():
    body = accepted(GOOD, keep=KEEP)
    assert body.startswith(GOOD)
    assert [e.heading for e in parse_log(body).entries][-2:] == ["Review style [feedback]", "Person [user]"]
    for line in ("never squash commits", "bisect was blind", "merge only", "prefers metric units"):
        assert line in body


def test_entries_that_the_model_kept_are_not_said_twice():
    kept = GOOD + "\n- never squash commits, bisect was blind, merge only\n- Prefers metric units"
    assert accepted(kept, keep=KEEP) == kept


def test_dropped_entries_shrink_to_a_line_each_when_the_lines_are_few():
    body = accepted(GOOD, max_lines=9, keep=KEEP)
    assert "- Review style [feedback]: never squash commits (merge only)" in body
    assert len(split_lines(body)) <= 9
    assert accepted(GOOD, max_lines=6, keep=KEEP) is None


def test_a_passing_entry_is_not_brought_back():
    passing = parse_log("## Scratch [feedback] [temporary]\n- rule: x marks\n").entries
    assert accepted(GOOD, keep=passing) == GOOD


def test_secrets_in_the_reply_are_taken_out():
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    body = accepted(GOOD + f"\n- deploy with {token}")
    assert token not in body and "[REDACTED:" in body


@pytest.mark.parametrize(
    ("body", "topic", "named"),
    [
        ("- the payment retry flow", "Payment flow", True),
        ("- flow of a payment", "Payment flow", False),
        ("- 결제를 다시 재시도했다", "결제 재시도", True),
        ("- Item 12", "Item 1", False),
        ("- Item 1, Item 2", "Item 1 [project]", True),
        ("- anything", "…", False),
    ],
)
def test_a_topic_is_named_by_its_words_in_their_order(body, topic, named):
    assert names_a_topic(body, [topic]) is named


def test_sources_without_topics_ask_for_none():
    assert accepted("## Key Themes\n- rain", topics=[]) == "## Key Themes\n- rain"


def test_the_prompt_names_level_topics_and_lines():
    prompt = summary_prompt(Level.WEEKLY, "2026-W11", "# 2026-03-09\n~~~\ncode\n~~~", TOPICS, 300)
    assert "week 2026-W11" in prompt and "## Entities Referenced" in prompt
    assert "- Payment flow" in prompt and "225 lines" in prompt
    assert prompt.count("\n~~~~\n") == 2  # the source's own fences are shorter


@given(st.text(alphabet="~`#- \nab한", max_size=200))
def test_no_source_closes_its_fence(text):
    fence = closing_fence(text)
    assert all(line.strip() != fence and not line.strip().startswith(fence) for line in text.split("\n"))


@settings(max_examples=60)
@given(st.text(max_size=300), st.integers(1, 12))
def test_whatever_comes_back_keeps_the_lines(text, max_lines):
    for reply in (text, f"## Payment flow\n- a\n{text}"):
        body, reason = accept_summary(reply, TOPICS, max_lines, KEEP)
        assert (body is None) == bool(reason)
        assert body is None or len(split_lines(body)) <= max_lines


@given(st.text(alphabet="-`~#<think>/ \n:abx", max_size=120))
def test_unwrapping_never_fails_and_leaves_no_blank_ends(text):
    assert unwrap(text) == unwrap(text).strip("\n")
