"""Extractive summaries: what they say, in what order, within how many lines, and where it came from."""

import re
from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction import items as kinds
from hipocampus.compaction.items import Item, parse_item, render_item
from hipocampus.compaction.reading import Source, read_items
from hipocampus.compaction.summarize import Summary, summarize
from hipocampus.memory.entries import parse_log
from hipocampus.memory.periods import Level

DAY = "2026-03-15"
ENTRIES = """# 2026-03-15

## Payment flow [project]
<!-- 14:32 session 4f1c -->
- request: refactor the endpoint for the new payment flow
- analysis: rate limiting sits in the gateway
- decisions:
  - token bucket over leaky bucket — bursts are legitimate
- outcome: 3 tests, rate limit holds at 200/s
- files: gateway/limits.py
- supersedes: payment flow draft

## Short answers [feedback]
- rule: answer in three lines
- why: reads on a phone
- how-to-apply: every status question

## Billing api [reference]
- analysis: sandbox url
- references: knowledge/billing.md

## Import of the archive
- request: read the old archive
- [ ] ask for the password
"""
CHAT = """# 2026-03-15

## Session 1

User: I'm looking for some new running routes in Bristol. By the way, I just moved here with my wife on March 1st.
Assistant: Try the harbour.
User: I think I'll go with the harbour route.

## Session 2

User: What is a token bucket?
Assistant: A bucket with tokens.
"""


def test_comments_are_no_items_and_shift_no_line() -> None:
    text = "# 2026-03-15\n\n<!-- forgotten 2026-03-20 0a1b2c3d -->\n\n## Gateway\n<!-- 09:00 -->\n- request: limit it\n<!-- a\nb -->\n"
    text += "- decisions:\n  - <!-- forgotten 2026-03-20 0a1b2c3d -->\n  - token bucket <!-- note --> at 200/s\n- outcome: `<!-- x -->` is kept\n"
    found = read_items(raw(text))
    assert [(item.kind, item.text, item.places) for item in found] == [
        (kinds.TOPIC, "limit it", ("2026-03-15:5",)),
        (kinds.DECISION, "token bucket at 200/s", ("2026-03-15:12",)),
        (kinds.DONE, "`<!-- x -->` is kept", ("2026-03-15:13",)),
    ]


def raw(text: str, day: str = DAY) -> Source:
    return Source(day, day, text, [], True)


def daily(text: str, limit: int = 200, day: str = DAY) -> Summary:
    return summarize(Level.DAILY, [raw(text, day)], limit)


def above(level: Level, summaries: dict[str, Summary], limit: int) -> Summary:
    return summarize(level, [Source(n, n, s.body, s.topics, False) for n, s in summaries.items()], limit)


def counted(body: str) -> int:
    """How many entries a summary stands for: whole ones, lines of Topics, and those that are counted only."""
    total = 0
    for item in read_items(Source(DAY, DAY, body, [], False)):
        if item.kind in (kinds.TOPIC, kinds.WHOLE, kinds.MORE):
            total += item.times
    return total


def test_entries_become_lines_that_lead_back_to_their_source() -> None:
    assert (
        daily(ENTRIES).body
        == """\
## Short answers [feedback]
<!-- → 2026-03-15:13 -->
- rule: answer in three lines
- why: reads on a phone
- how-to-apply: every status question

## Topics
- Import of the archive [project]: read the old archive → 2026-03-15:22
- Payment flow [project]: refactor the endpoint for the new payment flow (supersedes payment flow draft) → 2026-03-15:3
- Billing api [reference]: sandbox url (knowledge/billing.md) → 2026-03-15:18

## Key Decisions
- Payment flow: token bucket over leaky bucket — bursts are legitimate → 2026-03-15:8

## Tasks Completed
- Payment flow: 3 tests, rate limit holds at 200/s (gateway/limits.py) → 2026-03-15:9

## Open Items
- Import of the archive: read the old archive → 2026-03-15:23
- Import of the archive: ask for the password → 2026-03-15:24

## Lessons Learned
- Payment flow: rate limiting sits in the gateway → 2026-03-15:6"""
    )


def test_topics_stand_feedback_and_user_first() -> None:
    assert daily(ENTRIES).topics == [
        "Short answers [feedback]",
        "Import of the archive [project]",
        "Payment flow [project]",
        "Billing api [reference]",
    ]


def test_a_conversation_is_named_after_what_was_asked_and_says_what_the_person_said() -> None:
    summary = daily(CHAT)
    assert summary.topics == ["Running routes in Bristol [user]", "Token bucket [project]"]
    assert (
        summary.body
        == """\
## Topics
- Running routes in Bristol [user]: "By the way, I just moved here with my wife on March 1st." → 2026-03-15:5
- Token bucket [project]: "What is a token bucket?" → 2026-03-15:9

## Key Decisions
- Running routes in Bristol: I think I'll go with the harbour route. → 2026-03-15:7"""
    )


def test_korean_entries_and_conversations_do_as_well() -> None:
    log = (
        "## 결제 흐름 [project]\n- 요청: 엔드포인트 고치기\n- 결정: 토큰 버킷을 쓰기로 했다\n- 결과: 테스트 3개 추가\n\n"
        "## Session 1\n\nUser: 안녕하세요. 제주도 여행 일정 좀 추천해 주세요. 참고로 저는 땅콩 알레르기가 있어요.\n"
        "Assistant: 네.\nUser: 5월에 가기로 했어요.\n"
    )
    body = daily(log).body
    assert '- 제주도 여행 일정 [user]: "참고로 저는 땅콩 알레르기가 있어요." → 2026-03-15:8' in body
    assert "- 결제 흐름: 토큰 버킷을 쓰기로 했다 → 2026-03-15:3" in body
    assert "- 결제 흐름: 테스트 3개 추가 → 2026-03-15:4" in body
    assert "- 제주도 여행 일정: 5월에 가기로 했어요. → 2026-03-15:10" in body


def test_a_snapshot_of_working_state_is_no_topic() -> None:
    summary = daily("## Working State Snapshot [project]\n- Payment flow: half of the tests are red\n")
    assert summary.topics == []
    assert (
        summary.body
        == "## Open Items\n- Working state: Payment flow: half of the tests are red → 2026-03-15:1"
    )


def test_much_feedback_becomes_one_line_each_newest_first_and_the_rest_is_counted() -> None:
    log = "".join(
        f"## Rule {n} [feedback]\n- rule: do {n}\n- why: because\n- how-to-apply: always\n\n"
        for n in range(40)
    )
    days = {
        day: daily(log.replace("Rule", f"Day {n} rule"), 30, day)
        for n, day in enumerate(("2026-03-10", "2026-03-11"))
    }
    body = above(Level.WEEKLY, days, 30).body
    first = next(line for line in body.split("\n") if line.startswith("- "))
    assert first.startswith("- Day 1 rule") and "[feedback]: do" in first and "(always)" in first
    assert re.search(r"^- \[feedback\] \+\d+ more → 2026-03-10$", body, re.M)
    assert counted(body) == 80


def test_a_topic_that_comes_back_is_one_line_with_all_its_places() -> None:
    days = {
        day: daily(f"## Payment  Flow [project]\n- request: step of {day}\n", day=day)
        for day in ("2026-03-02", "2026-03-04")
    }
    body = above(Level.WEEKLY, days, 300).body
    assert "- Payment Flow [project] ×2: step of 2026-03-04 → 2026-03-02:1, 2026-03-04:1" in body


def test_what_was_done_later_is_no_longer_open() -> None:
    days = {
        "2026-03-02": daily("## Archive [project]\n- request: read it\n", day="2026-03-02"),
        "2026-03-04": daily("## Archive [project]\n- outcome: read\n", day="2026-03-04"),
    }
    body = above(Level.WEEKLY, days, 300).body
    assert "Open Items" not in body and "- Archive: read → 2026-03-04:2" in body


def test_verbatim_days_inside_a_week_lead_to_the_day() -> None:
    week = f"# 2026-03-09\n\n{ENTRIES}\n\n# 2026-03-10\n\n## Archive [project]\n- outcome: read\n"
    body = summarize(Level.MONTHLY, [Source("2026-W11", "2026-W11", week, [], False)], 500).body
    assert "- Payment flow: token bucket over leaky bucket — bursts are legitimate → 2026-03-15" in body
    assert "- Archive: read → 2026-03-10" in body


def test_somebodys_summary_is_read_section_by_section() -> None:
    text = (
        "# Weekly Summary\n\n## Topics\nscanner-import, stock-report\n\n## Key Decisions\n- **stock-report**: Decimal over float\n\n"
        "## Overview\n- a calm week\n\n## Late entries\n\n## Label printer\n- outcome: bought\n"
    )
    source = Source(
        "2026-W09", "2026-W09", text, ["scanner-import [project]", "stock-report [project]"], False
    )
    summary = summarize(Level.MONTHLY, [source], 500)
    assert summary.topics == ["scanner-import [project]", "stock-report [project]", "Label printer [project]"]
    assert "- stock-report: Decimal over float → 2026-W09" in summary.body
    assert "- Label printer: bought → 2026-W09" in summary.body
    assert "- a calm week → 2026-W09" in summary.body


def test_an_entry_of_a_raw_log_may_be_called_like_a_section() -> None:
    assert daily("## Decisions\n- request: list them\n").topics == ["Decisions [project]"]


WORDS = st.sampled_from(
    "payment flow gateway archive scanner report login cache → × : [x] I moved to Bristol 결제 메모 🎉 a/b.py".split()
)
LINES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@st.composite
def logs(draw: st.DrawFn) -> str:
    out = []
    for _ in range(draw(st.integers(1, 25))):
        topic = draw(LINES)
        kind = draw(st.sampled_from(["", " [project]", " [feedback]", " [user]", " [reference]"]))
        shape = draw(st.integers(0, 3))
        text = [draw(LINES) for _ in range(draw(st.integers(1, 5)))]
        if shape == 0:
            body = (
                f"- request: {text[0]}\n- decisions:\n"
                + "".join(f"  - {t}\n" for t in text)
                + f"- outcome: {text[-1]}\n"
            )
        elif shape == 1:
            body = f"- rule: {text[0]}\n- why: {text[-1]}\n- how-to-apply: {text[0]}\n"
        elif shape == 2:
            body = "".join(f"User: I {t} and my dog Max.\nAssistant: {t}\n" for t in text)
        else:
            body = "\n".join(text) + "\n"
        out.append(f"## {topic}{kind}\n{body}\n")
    return "".join(out)


@settings(max_examples=30, deadline=None)
@given(logs(), st.sampled_from([12, 20, 40, 200]))
def test_the_limit_is_hard_and_every_entry_is_counted(log: str, limit: int) -> None:
    summary = daily(log, limit)
    assert 0 < len(summary.body.split("\n")) <= limit
    assert counted(summary.body) == len(parse_log(log).entries)
    assert summary == daily(log, limit)


@settings(max_examples=12, deadline=None)
@given(st.lists(logs(), min_size=1, max_size=4), st.sampled_from([15, 40, 300]))
def test_the_levels_above_count_every_entry_too(texts: list[str], limit: int) -> None:
    days = {(date(2026, 3, 9) + timedelta(n)).isoformat(): text for n, text in enumerate(texts)}
    nodes = {day: summarize(Level.DAILY, [raw(text, day)], limit) for day, text in days.items()}
    week = above(Level.WEEKLY, nodes, limit)
    month = above(Level.MONTHLY, {"2026-W11": week}, limit)
    entries = sum(len(parse_log(text).entries) for text in texts)
    for summary in (week, month):
        assert len(summary.body.split("\n")) <= limit
        assert counted(summary.body) == entries


@given(
    kind=st.sampled_from([kinds.TOPIC, kinds.DECISION, kinds.DONE, kinds.LESSON, kinds.OPEN]),
    topic=LINES,
    of_type=st.sampled_from(["project", "feedback", "user", "reference"]),
    text=LINES,
    places=st.lists(
        st.sampled_from(["2026-03-15:12", "2026-03-15", "2026-W11", "2026-03-16:4-9"]),
        min_size=1,
        unique=True,
    ),
    times=st.integers(1, 9),
)
def test_a_line_is_read_back_as_it_was_written(
    kind: str, topic: str, of_type: str, text: str, places: list[str], times: int
) -> None:
    typed = kind == kinds.TOPIC
    item = Item(kind, topic, of_type if typed else "project", text, tuple(places), times if typed else 1)
    if re.search(r"\[x\]|×|→|^[-*+•]|:", topic + text):
        return  # marks of the line itself: read leniently, not word for word
    assert parse_item(render_item(item), kind, {topic}) == item
