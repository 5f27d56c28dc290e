"""Spell the sections of a file as the rows of the index's tables. Pure."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hipocampus.recall.cjk import indexed_form

if TYPE_CHECKING:
    from hipocampus.recall.units import Dated


class Rows:
    """Rows for `sections`, `units` and the two full-text tables, in the order of their columns."""

    __slots__ = ("section_words", "sections", "unit_words", "units")

    def __init__(self) -> None:
        self.sections: list[tuple[object, ...]] = []
        self.units: list[tuple[object, ...]] = []
        self.unit_words: list[tuple[int, str, str, str]] = []
        self.section_words: list[tuple[int, str, str, str]] = []


def rows_of(sections: "Sequence[Dated]", file: int, section_id: int, unit_id: int) -> Rows:
    """Return the rows of a file's sections, numbered from `section_id` and `unit_id` on."""
    rows = Rows()
    for number, dated in enumerate(sections, section_id):
        section = dated.section
        heading = indexed_form(section.topic)
        begin, parts = unit_id, []
        for unit in section.units:
            form = indexed_form(unit.text)
            name = f"{unit.speaker}: " if unit.role == "other" else ""
            kept = None if form is unit.text else name + unit.text
            text = indexed_form(name) + form
            said, body = ("", text) if unit.role == "assistant" else (text, "")
            words = (heading if unit.role == "note" else "", said, body)
            rows.units.append(
                (
                    unit_id, number, unit.line_start, unit.line_end, unit.role, unit.speaker, kept, unit.facts,
                    *words,
                )
            )  # fmt: skip
            rows.unit_words.append((unit_id, *words))
            parts.append((said, body))
            unit_id += 1
        rows.sections.append(
            (
                number, file, section.line_start, section.line_end, section.topic, section.type, dated.key,
                dated.first, dated.last, begin, unit_id - 1, dated.supersedes, dated.digest,
            )
        )  # fmt: skip
        rows.section_words.append((number, heading, *joined(parts)))
    return rows


def joined(parts: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the said and body texts of a section, from those of its units."""
    both = list(parts)
    return "\n".join(said for said, _ in both if said), "\n".join(body for _, body in both if body)
