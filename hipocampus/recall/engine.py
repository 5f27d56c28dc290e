"""One search from the question to the results: refresh, ask the index, rank, collapse, word the results."""

import time
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.recall import Hit, Recall, Triaged
from hipocampus.recall.index import Index, SectionRow, UnitRow
from hipocampus.recall.query import Query, any_of, parse_query, quoted
from hipocampus.recall.rank import Scored, rank_units
from hipocampus.recall.refresh import refresh

UNIT_CANDIDATES = 400
"""How many units the index names for a query before they are ranked."""


class Filters(NamedTuple):
    """What a search is narrowed to. Days are inclusive."""

    type: str | None = None
    since: date | None = None
    until: date | None = None
    level: str = "all"

    def condition(self) -> tuple[str, list[object]]:
        """Return the filters as a condition on the section `s`, with its values; "" for none."""
        wanted: list[str] = []
        values: list[object] = []
        if self.type:
            wanted.append("s.type = ?")
            values.append(self.type)
        if self.since:
            wanted.append("s.last >= ?")
            values.append(self.since.isoformat())
        if self.until:
            wanted.append("s.first <= ? AND s.first <> ''")
            values.append(self.until.isoformat())
        if self.level != "all":
            wanted.append("(SELECT f.level FROM files f WHERE f.id = s.file) = ?")
            values.append(self.level)
        return " AND ".join(wanted), values


def run_search(root: Path, text: str, filters: Filters, *, n: int, today: date) -> Recall:
    """Return what `hipocampus.recall.search` promises."""
    begun = time.perf_counter()
    query = parse_query(text)
    fresh = refresh(root)
    index = fresh.index
    try:
        hits = [] if query.empty or n <= 0 else _find(index, query, filters, n, today)
    finally:
        index.close()
    problems = tuple(part for part in (fresh.note, *fresh.problems) if part)
    return Recall(text, tuple(hits), (), (), problems, fresh.files, fresh.changed, time.perf_counter() - begun)


def _find(index: Index, query: Query, filters: Filters, n: int, today: date) -> list[Hit]:
    found: list[Hit] = []
    scored, units, sections = rank_units(index, query, filters.condition(), nodes=False)
    for item in scored[:n]:
        unit = units[item.unit]
        found.append(_hit(item, unit, sections[unit.section], today))
    return found


def _hit(item: Scored, unit: UnitRow, section: SectionRow, today: date) -> Hit:
    age = (today - date.fromisoformat(section.last)).days if section.last else None
    return Hit(
        section.path, unit.line_start, unit.line_end, section.topic, section.type or "project",
        section.first, age, section.level, round(item.score, 4), unit.text.strip(), (), item.parts,
    )  # fmt: skip
