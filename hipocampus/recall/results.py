"""Turn ranked units into results: one for an entry or a conversation, with its place, age and warnings."""

from collections.abc import Sequence
from datetime import date

from hipocampus.recall import Hit
from hipocampus.recall.candidates import Candidates
from hipocampus.recall.rank import Scored
from hipocampus.recall.schema import SectionRow, UnitRow
from hipocampus.recall.snippets import Snippet, of_notes, of_speech

OLD_DAYS = 30
"""From this age on what was recorded of a project may be otherwise now (the seed's table of types)."""

DEFAULT_TYPES = {"knowledge": "reference"}
"""Types of what says none; elsewhere it is project (FORMATS)."""


class Result:
    """A result on its way: the section, its best units, and the score of the best."""

    __slots__ = ("parts", "score", "section", "superseded", "units")

    def __init__(self, section: SectionRow, item: Scored, unit: UnitRow) -> None:
        self.section = section
        self.units = [unit]
        self.score = item.score
        self.parts = item.parts
        self.superseded: SectionRow | None = None


def collapse(scored: Sequence[Scored], found: Candidates) -> list[Result]:
    """Return one result for each entry and each talk with an assistant, best first.

    What several people say to each other stays one result a turn: there the section is a whole meeting,
    and one result of it costs 22 points on direct questions.
    """
    results: list[Result] = []
    of_section: dict[int, Result] = {}
    for item in scored:
        unit = found.units[item.unit]
        held = of_section.get(unit.section)
        if held is not None and unit.role != "other":
            held.units.append(unit)
            continue
        result = Result(found.sections[unit.section], item, unit)
        results.append(result)
        if unit.role != "other":
            of_section[unit.section] = result
    return results


def as_hit(
    result: Result,
    found: Candidates,
    today: date,
    *,
    assistant: bool,
    kind: str = "",
) -> Hit:
    """Return a result as callers get it. `assistant` lets a snippet quote the assistant, `kind` is the type
    that was asked for."""
    section = result.section
    snippet = _snippet(result, found, assistant)
    age = (today - date.fromisoformat(section.last)).days if section.last else None
    shown = section.type or kind or DEFAULT_TYPES.get(section.level, "project")
    warnings = warnings_of(shown, age)
    if result.superseded is not None:
        newer = result.superseded
        warnings = (f"superseded by {newer.topic} ({newer.path}:{newer.line_start})", *warnings)
    return Hit(
        section.path, snippet.line_start, snippet.line_end, section.topic, shown, day_of(section),
        age, section.level, round(result.score, 3), snippet.text.strip("\n"), warnings,
        {name: round(value, 3) for name, value in result.parts.items() if value},
    )  # fmt: skip


def _snippet(result: Result, found: Candidates, assistant: bool) -> Snippet:
    best = result.units[0]
    if best.role not in ("person", "assistant"):
        return of_notes(result.units)
    spoken = [u for u in result.units if u.role == "person"]
    if assistant or not spoken:
        spoken += [u for u in result.units if u.role == "assistant"][:2]
    return of_speech(sorted(spoken, key=lambda u: u.id), found.weights)


def day_of(section: SectionRow) -> str:
    """Return the day of a section, or the name of its period, or ""."""
    if section.first == section.last:
        return section.first
    return section.path.rsplit("/", 1)[-1].removesuffix(".md")


def warnings_of(kind: str, age_days: int | None) -> tuple[str, ...]:
    """Return what a reader must know about something of this type and age (the seed's table of types)."""
    if age_days is None or age_days <= OLD_DAYS:
        return ()
    if kind == "project":
        return (f"recorded {age_days} days ago; check the present state",)
    if kind == "reference":
        return (f"? not verified for {age_days} days",)
    return ()
