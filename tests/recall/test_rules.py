"""A line of dashes is a rule where no keys stand below it: what is written between two rules is found."""

from pathlib import Path

import pytest

from hipocampus.recall.units import split_sections


def said(text: str, *, raw: bool) -> str:
    return "\n".join(unit.text for section in split_sections(text, raw=raw) for unit in section.units)


@pytest.mark.parametrize("raw", [True, False])
def test_text_between_two_rules_at_the_beginning_is_content(raw: bool) -> None:
    assert "plain words" in said("---\n\nplain words\n\n---\n\n## Topic\n- outcome: x\n", raw=raw)


def test_in_a_log_a_block_of_keys_is_content_and_in_a_note_it_is_not() -> None:
    text = "---\nowner: somebody\n---\n\n## Topic\n- outcome: x\n"
    assert "somebody" in said(text, raw=True) and "somebody" not in said(text, raw=False)


def test_a_log_that_begins_with_a_rule_is_found(root: Path) -> None:
    from datetime import date

    from hipocampus.recall import search

    (root / "memory/2026-03-04.md").write_text("---\n\nplain words under a rule\n\n---\n\n## Next\n- x\n")
    assert search(root, "plain words", today=date(2026, 3, 5)).hits[0].path == "memory/2026-03-04.md"
