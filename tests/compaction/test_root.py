"""ROOT.md: its four sections, what is kept under the cap, and whose lines are whose."""

import json
import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.compaction.monthparts import month_part
from hipocampus.compaction.root import line_hash, render_root
from hipocampus.compaction.rootparts import MonthPart, merge_parts
from hipocampus.memory.tokens import estimate_tokens

TODAY = date(2026, 3, 15)
MARCH = """# 2026-W11

# 2026-03-15

## Payment flow [project]
- request: refactor the endpoint
- decisions:
  - token bucket over leaky bucket
- outcome: 3 tests
- files: gateway/limits.py
- references: knowledge/rate-limits.md

# 2026-03-12

## Short answers [feedback]
- rule: answer in three lines
- why: reads on a phone
- how-to-apply: every status question

## Mail for @ops-team [project]
- request: rewrite the welcome mail

## Session 1

User: Can you plan my week? By the way, I just adopted a puppy named Biscuit yesterday.
Assistant: Sure.
"""
JANUARY = """# 2026-01-20

## Billing api [reference]
- analysis: sandbox url
- references: knowledge/billing.md

## Who I am [user]
- preference: metric units

## Flow draft [project]
- decisions: leaky bucket
"""


def part(period: str, body: str, topics: list[str] | None = None) -> MonthPart:
    return month_part(period, body, topics or [])


def root(
    *parts: MonthPart, standing: str = "", cap: int = 3000, own: list[str] | None = None, today: date = TODAY
) -> str:
    return render_root(list(parts), standing, today, cap, own).body


def section(body: str, name: str) -> list[str]:
    found = re.search(rf"^## {re.escape(name)}.*\n((?:.+\n?)*)", body, re.M)
    assert found is not None
    return found[1].splitlines()


def test_five_entries_on_two_days_give_a_root_that_reads_well() -> None:
    assert (
        root(part("2026-01", JANUARY), part("2026-03", MARCH))
        == """\
## Active Context (recent ~7 days)
- Payment flow: token bucket over leaky bucket; 3 tests (gateway/limits.py); knowledge/rate-limits.md → 2026-03-15
- Mail for `@ops-team`: rewrite the welcome mail → 2026-03-12
- Talked about: Plan week → 2026-03-12

## Recent Patterns
- Short answers: answer in three lines (every status question)

## Historical Summary
- 2026-01: Flow draft, Billing api
- 2026-03: Payment flow, Mail for `@ops-team`

## Topics Index
- Short answers [feedback, 3d]: answer in three lines
- Who I am [user, 54d]: metric units
- Pets [user, 3d]: adopted puppy named Biscuit March 11
- Payment flow [project, 0d]: token bucket over leaky bucket → knowledge/rate-limits.md
- Mail for `@ops-team` [project, 3d]: rewrite the welcome mail
- Flow draft [project, 54d]: leaky bucket
- Billing api [reference, 54d, ?]: sandbox url → knowledge/billing.md"""
    )


def test_an_empty_memory_has_four_empty_sections() -> None:
    assert root() == (
        "## Active Context (recent ~7 days)\n\n## Recent Patterns\n\n## Historical Summary\n\n## Topics Index"
    )


def test_a_topic_that_another_one_supersedes_leaves_the_index() -> None:
    march = MARCH.replace("- files:", "- supersedes: flow  DRAFT\n- files:")
    body = root(part("2026-01", JANUARY), part("2026-03", march))
    assert "Flow draft [" not in body and "supersedes" not in "\n".join(section(body, "Topics Index"))


def test_a_new_day_changes_nothing_but_ages_and_what_follows_from_them() -> None:
    parts = [part("2026-01", JANUARY), part("2026-03", MARCH)]
    before, after = (root(*parts, today=TODAY + timedelta(n)) for n in (0, 1))
    assert before != after
    assert [re.sub(r"\d+d", "", line) for line in before.split("\n")] == [
        re.sub(r"\d+d", "", line) for line in after.split("\n")
    ]


def test_relative_days_of_what_people_said_become_dates() -> None:
    talk = "# 2026-03-12\n\n## Session 1\n\nUser: By the way, I ran my first marathon in Lisbon last month.\n"
    assert "Lisbon February" in root(part("2026-03", talk))


def test_one_thing_said_twice_stands_once() -> None:
    said = "User: By the way, I just adopted a puppy named Biscuit from the shelter in Leeds.\n"
    talk = "".join(f"# 2026-03-1{n}\n\n## Session {n}\n\n{said}\n" for n in range(3))
    assert root(part("2026-03", talk)).count("Biscuit") == 1


def test_lines_of_somebody_else_stay_and_hipos_own_are_renewed() -> None:
    first = render_root([part("2026-03", MARCH)], "", TODAY, 3000)
    standing = first.body.replace(
        "## Recent Patterns\n", "## Recent Patterns\n- Deploys: only on Tuesdays\n<!-- a comment -->\n"
    )
    again = render_root([part("2026-03", MARCH)], standing, TODAY + timedelta(9), 3000, first.own_lines)
    assert "- Deploys: only on Tuesdays" in section(again.body, "Recent Patterns")
    assert "0d" not in again.body and "a comment" not in again.body
    assert line_hash("- Deploys: only on Tuesdays") not in again.own_lines
    third = render_root([part("2026-03", MARCH)], again.body, TODAY + timedelta(9), 3000, again.own_lines)
    assert third == again


def test_without_hashes_lines_of_hipos_own_shape_are_its_own() -> None:
    standing = root(part("2026-01", JANUARY), part("2026-03", MARCH)).replace(
        "## Topics Index\n", "## Topics Index\n- Deploys happen on Tuesdays\n"
    )
    body = root(part("2026-03", MARCH), standing=standing, own=None)
    assert "- Deploys happen on Tuesdays" in body and "Who I am" not in body and "Flow draft" not in body


def test_sections_of_somebody_else_stay() -> None:
    body = root(
        part("2026-03", MARCH), standing="# Memory\n\n## Glossary\n- SKU: shelf code\n\n## Recent Patterns\n"
    )
    assert "# Memory" in body and "## Glossary\n- SKU: shelf code" in body


def test_under_a_small_cap_feedback_stays_and_history_goes() -> None:
    full = [part("2026-01", JANUARY), part("2026-03", MARCH)]
    body = root(*full, cap=190)
    assert "Short answers [feedback, 3d]" in body
    assert "Flow draft" not in body and "Billing api [" not in body


def test_what_feedback_has_no_line_is_counted_with_the_way_to_it() -> None:
    many = "# 2026-03-10\n\n" + "".join(
        f"## Rule {n} [feedback]\n- rule: keep part {n} of it short\n- why: x\n- how-to-apply: always\n\n"
        for n in range(300)
    )
    body = root(part("2026-03", many), part("2026-04", MARCH))
    shown = len(re.findall(r"\[feedback, \d+d\]", body))
    assert f"- +{301 - shown} feedback: hipo recall --type feedback" in body
    assert "- Payment flow: token bucket" in body


def test_months_merge_into_quarters_and_years_when_room_is_short() -> None:
    names = "gateway archive scanner report login cache invoice ledger parser worker".split()
    parts = []
    for n in range(60):
        year, month = 2021 + n // 12, n % 12 + 1
        entries = "".join(
            f"## {a} {b} [project]\n- request: do it\n\n" for a in names for b in names if a < b
        )
        parts.append(part(f"{year}-{month:02d}", f"# {year}-{month:02d}-10\n\n{entries}"))
    lines = section(root(*parts, cap=800), "Historical Summary")
    assert 0 < len(lines) < 20
    assert any(re.match(r"- 202\d: ", line) for line in lines)


def test_a_part_comes_back_from_json_as_it_was() -> None:
    month = part("2026-03", MARCH)
    assert MonthPart.from_json(json.loads(json.dumps(month.to_json()))) == month


WORDS = st.sampled_from(
    "payment flow gateway @file archive → [x] moved Bristol dog 결제 강아지 🎉 a/b.py v1.2 yesterday".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@st.composite
def months(draw: st.DrawFn) -> list[MonthPart]:
    out = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        body = ""
        for _ in range(draw(st.integers(0, 30))):
            kind = draw(st.sampled_from(["project", "feedback", "user", "reference"]))
            body += f"# 2026-0{number}-{draw(st.integers(10, 28))}\n\n## {draw(TEXTS)} [{kind}]\n- rule: {draw(TEXTS)}\n"
            body += f"## Session 1\n\nUser: By the way, I just {draw(TEXTS)} with my dog.\n\n"
        out.append(part(f"2026-0{number}", body))
    return out


@settings(max_examples=20, deadline=None)
@given(months(), st.integers(90, 3000), st.lists(TEXTS, max_size=20))
def test_the_cap_wins_for_any_memory(parts: list[MonthPart], cap: int, foreign: list[str]) -> None:
    standing = "## Recent Patterns\n" + "\n".join(f"- {text}" for text in foreign)
    made = render_root(parts, standing, date(2026, 5, 1), cap)
    assert estimate_tokens(made.body) <= made.tokens <= cap
    assert made == render_root(parts, standing, date(2026, 5, 1), cap)
    assert not re.search(r"(?<![`\w])@\w", made.body.replace(standing, "")) or foreign


@settings(max_examples=8, deadline=None)
@given(months())
def test_merged_months_give_the_same_root(parts: list[MonthPart]) -> None:
    assert render_root([merge_parts(parts)], "", TODAY, 3000) == render_root(parts, "", TODAY, 3000)


def test_a_line_that_hipo_would_write_itself_stands_once_and_is_its_own() -> None:
    parts = [part("2026-01", JANUARY), part("2026-03", MARCH)]
    made = render_root(parts, "", TODAY, 3000)
    again = render_root(parts, made.body, TODAY, 3000, own_lines=[])  # nobody knows any more whose they are
    assert (
        again.body.split("\n").count("- Billing api [reference, 54d, ?]: sandbox url → knowledge/billing.md")
        == 1
    )
    assert sorted(again.body.split("\n")) == sorted(made.body.split("\n"))
    assert sorted(again.own_lines) == sorted(made.own_lines)


@pytest.mark.parametrize("old", ["feedback", "user", "reference", "project"])
@pytest.mark.parametrize("new", ["feedback", "user", "reference", "project"])
def test_an_entry_of_any_type_supersedes_one_of_any_type(old: str, new: str) -> None:
    fields = {
        "feedback": "- rule: {}\n- why: x\n- how-to-apply: always\n",
        "reference": "- analysis: {}\n- references: knowledge/a.md\n",
    }
    log = (
        f"# 2026-03-10\n\n## Old way [{old}]\n{fields.get(old, '- outcome: {}{}').format('early words', chr(10))}\n"
        f"# 2026-03-14\n\n## New way [{new}]\n{fields.get(new, '- outcome: {}{}').format('late words', chr(10))}"
        "- supersedes:\n  - old  WAY\n  - Another (one)\n"
    )
    body = root(part("2026-03", log))
    told = [line for line in body.split("\n") if line not in section(body, "Historical Summary")]
    assert "early words" not in body and "Old way" not in "\n".join(told)
    assert body.count("late words") >= 1 and "recall --type" not in body
    assert "supersedes" not in body
    assert all(line.count("late words") == 1 for line in body.split("\n") if "late words" in line)
