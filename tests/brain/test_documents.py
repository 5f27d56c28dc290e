"""Documents that are ingested and asked for, and plans that are handed out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.brain.handoff import read_handoffs
from hipocampus.brain.ingest import MOST_CHARS, ingest, query, slug_of, source_of
from hipocampus.brain.plan import Phase, hand_out, parse_plan
from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.nodes import parse_node

from .conftest import NOW, fake_token

DAY = NOW.date()


def test_a_document_stands_in_knowledge_with_source_and_date(store, root):
    done = ingest(store, "# Gateway: the manual\n\nIt listens on 8443.\n", 'docs/"gateway".md', DAY)
    assert done.path == "knowledge/gateway-the-manual.md" and not done.replaced and done.chunks == 1
    text = (root / done.path).read_text()
    assert source_of(text) == 'docs/"gateway".md'
    node = parse_node(text)
    assert node.body.startswith("# Gateway: the manual\n\nIt listens")
    assert "date: 2026-03-15" in text


def test_the_same_source_again_replaces_the_document(store, root):
    first = ingest(store, "# One\n\nold text", "a.md", DAY)
    again = ingest(store, "# Another title\n\nnew text", "a.md", DAY)
    assert again.replaced and again.path == first.path
    assert "old text" not in (root / first.path).read_text()
    other = ingest(store, "# One\n\nother", "b.md", DAY)
    assert other.path == "knowledge/one-2.md" and not other.replaced


def test_a_note_that_a_person_wrote_is_never_replaced(store, root):
    (root / "knowledge").mkdir()
    (root / "knowledge" / "limits.md").write_text("# Limits\n\nmine\n")
    done = ingest(store, "# Limits\n\ntheirs", "x", DAY)
    assert done.path == "knowledge/limits-2.md"
    assert (root / "knowledge" / "limits.md").read_text() == "# Limits\n\nmine\n"


def test_secrets_of_a_document_are_taken_out(store, root):
    done = ingest(store, f"# Keys\n\nuse {fake_token()} to deploy\n", "keys.md", DAY)
    assert done.redacted and fake_token() not in (root / done.path).read_text()


def test_the_frontmatter_of_a_document_gives_way_to_its_source(store, root):
    done = ingest(store, "---\nsource: elsewhere\ntags: [a]\n---\n# T\n\ntext", "s", DAY)
    text = (root / done.path).read_text()
    assert source_of(text) == "s" and text.count("---\n") == 2


def test_a_document_that_is_too_long_or_empty_is_refused(store, root):
    with pytest.raises(HipoError, match="20001 characters, at most 20000"):
        ingest(store, "x" * (MOST_CHARS + 1), "x", DAY)
    with pytest.raises(HipoError, match="no text"):
        ingest(store, " \n", "x", DAY)
    assert not (root / "knowledge").exists()
    assert ingest(store, "x" * MOST_CHARS, "x", DAY).chars == MOST_CHARS


@given(st.text(max_size=80))
def test_a_slug_is_a_file_name(title):
    slug = slug_of(title)
    assert slug and "/" not in slug and not slug.startswith((".", "-")) and len(slug.encode()) <= 200


def test_a_question_is_answered_with_the_chunk_around_it(store):
    body = "\n\n".join(f"Paragraph {n} about filler words and more filler." for n in range(60))
    middle = body.replace("Paragraph 30 about", "Paragraph 30: the zebrafish limit is 42, about")
    ingest(store, f"# Manual\n\n{middle}\n", "manual.md", DAY)
    found, _ = query(store, "zebrafish limit", 3, DAY)
    assert found[0].hit.path == "knowledge/manual.md"
    assert "zebrafish limit is 42" in found[0].text and 500 < len(found[0].text) <= 1000
    lines = (store.root / "knowledge" / "manual.md").read_text().split("\n")
    assert (
        "\n".join(lines[found[0].line_start - 1 : found[0].line_end])
        .strip("\n")
        .endswith(found[0].text[-40:])
    )
    assert len({(f.hit.path, f.line_start) for f in found}) == len(found)


def test_questions_keep_their_caps(store):
    with pytest.raises(UsageError):
        query(store, "w" * 501, 3, DAY)
    for number in (0, 21):
        with pytest.raises(UsageError):
            query(store, "w", number, DAY)


PLAN = """# Rate limits

## Phase 1: Measure
- agent: prober
- find the current rate

```
## Phase 9: in a code fence
```

## Phase 2 — Build it
**Agent:** `builder`
Use the token bucket.

### Details
more

## Phase 3

## Risks
agent: nobody
"""


def test_phases_of_a_markdown_plan():
    phases = parse_plan(PLAN)
    assert [(p.number, p.title, p.agent) for p in phases] == [
        (1, "Measure", "prober"),
        (2, "Build it", "builder"),
        (3, "Phase 3", None),
    ]
    assert phases[1].text == "Use the token bucket.\n\n### Details\nmore"
    assert "nobody" not in str(phases)


def test_phases_of_a_json_plan():
    plan = {
        "summary": "limits",
        "phases": [
            {
                "phase_number": 1,
                "title": "Measure",
                "description": "find it",
                "workflow_steps": ["a", "b"],
                "agent": "x",
            },
            {"title": "Build"},
            "odd",
        ],
    }
    assert parse_plan(json.dumps(plan)) == [
        Phase(1, "Measure", "x", "find it\n- a\n- b"),
        Phase(2, "Build", None, ""),
    ]
    assert parse_plan(json.dumps(plan["phases"])) == parse_plan(json.dumps(plan))


def test_a_plan_is_handed_out_once(lists):
    done = hand_out(lists, PLAN, "plans/x.md", NOW)
    assert done.written == 3
    (note,) = read_handoffs(lists, "prober")
    assert note.summary.startswith("Phase 1: Measure\n") and note.links == {
        "plan": "plans/x.md",
        "phase": "1 of 3",
    }
    assert [n.summary.split("\n")[0] for n in read_handoffs(lists, "builder")] == [
        "Phase 2: Build it",
        "Phase 3: Phase 3",
    ]
    assert hand_out(lists, PLAN, "plans/x.md", NOW).written == 0


def test_a_plan_with_an_impossible_agent_hands_out_nothing(lists):
    with pytest.raises(UsageError):
        hand_out(lists, PLAN.replace("`builder`", "`../../x`"), "plans/x.md", NOW)
    assert read_handoffs(lists, "prober") == []


def test_a_plan_without_phases_says_so(lists):
    with pytest.raises(HipoError, match="no phases"):
        hand_out(lists, "# Plan\n\njust do it\n", "plans/x.md", NOW)
