"""Put the candidates of a query in order."""

from collections.abc import Sequence
from typing import NamedTuple

from hipocampus.recall.index import Index, SectionRow, UnitRow
from hipocampus.recall.query import Query, any_of


class Scored(NamedTuple):
    unit: int
    score: float
    parts: dict[str, float]


def rank_units(
    index: Index, query: Query, condition: tuple[str, Sequence[object]], *, nodes: bool
) -> tuple[list[Scored], dict[int, UnitRow], dict[int, SectionRow]]:
    match = any_of(query.terms)
    best = index.unit_scores(match, 400, (1, 1, 0.5), *condition, nodes=nodes)
    whole = index.section_scores(match, (1, 10, 1), nodes=nodes)
    base = dict(best)
    units = index.units(list(base))
    sections = index.sections(sorted({unit.section for unit in units.values()}))
    scored = []
    for number, own in best:
        unit = units[number]
        value = own * (0.5 if unit.role == "assistant" else 1.0)
        around = 0.0
        for step, weight in ((1, 1.0), (-1, 1.0), (2, 0.5), (-2, 0.5)):
            near = units.get(number + step)
            if near is not None and near.section == unit.section:
                around += weight * base[number + step] * (0.5 if near.role == "assistant" else 1.0)
        section = whole.get(unit.section, 0.0)
        scored.append(Scored(number, value + section + 0.5 * around, {"unit": value, "section": section, "near": around}))
    scored.sort(key=lambda s: -s.score)
    seen: dict[int, int] = {}
    spread = 1.0 if len(query.terms) < 8 else 0.6
    for at, item in enumerate(scored):
        section_id = units[item.unit].section
        count = seen.get(section_id, 0)
        seen[section_id] = count + 1
        scored[at] = item._replace(score=item.score * spread**count)
    scored.sort(key=lambda s: -s.score)
    return scored, units, sections
