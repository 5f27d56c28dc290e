"""Put the candidates of a query in order.

Pure. A unit is worth what its words are worth, plus a share of its neighbours, plus its section; what
people say about themselves weighs more, what an assistant said half.
"""

from collections.abc import Callable
from typing import NamedTuple

from hipocampus.recall.candidates import LONG_QUERY, Candidates, forms_in, token, words_of
from hipocampus.recall.schema import UnitRow

K1, B, USUAL_CHARS = 1.2, 0.3, 200.0
"""bm25 inside a unit: a turn's length says little about it, so it counts less than SQLite's 0.75."""

ASSISTANT = 0.5
"""What an assistant said is worth half: it speaks at length about everything (README of the data, point 4)."""

ASKED_ASSISTANT = 1.0
"""Unless the question asks for it ("the recipe that you recommended")."""

NEAR = 0.2
"""Share of the units before and after it; those two away count half of that."""

NEAR_TURN = 0.5
"""The same among several people, whose turns are short and lean on each other: +1.5 points of LoCoMo
recall@10 over 0.2."""

NEAR_ANSWER = 0.9
"""Share of a question in the turn that follows it, most often its answer: +1.5 points of LoCoMo recall@10."""

QUESTION = 0.8
"""What a turn that ends with a question is worth itself: it asks, it does not tell. +0.3 points."""

SPEAKER, OTHER_SPEAKER = 0.2, 0.15
"""Among several people: how much more the turns of a person whom the query names count, and how much less
those of the others, who only say the name: +1 point of LoCoMo rec@2000ch."""

FACT, FACT_FULL = 0.3, 4.0
"""A unit grows by this share when it says something of its person as clearly as FACT_FULL."""

FURTHER = 0.6
"""Each further unit of a section counts this much less, in long queries: +2 points of gold@2000."""


class Scored(NamedTuple):
    """A unit with its score and what it is made of."""

    unit: int
    score: float
    parts: dict[str, float]


def rank(found: Candidates, terms: int, *, assistant: bool = False) -> list[Scored]:
    """Return the candidates, best first. `terms` is the number of the query's words,
    `assistant` says that the question is about what an assistant said."""
    share = ASKED_ASSISTANT if assistant else ASSISTANT
    words = {n: words_of(unit.words) for n, unit in found.units.items()}
    forms = forms_in(set[str]().union(*words.values()), found.weights)
    lexical = {n: _lexical(unit, words[n], found, forms, share) for n, unit in found.units.items()}
    _favour_speaker(found, lexical)
    scored = []
    for number, unit in found.units.items():
        near = _near(number, unit, found, lexical)
        section = found.section_scores.get(unit.section, 0.0)
        own = lexical[number]
        if unit.role == "other" and unit.text.rstrip().endswith("?"):
            own *= QUESTION
        parts = {"words": own, "section": section, "near": near}
        scored.append(Scored(number, sum(parts.values()), parts))
    order = _order_of(found)
    scored.sort(key=order)
    top = scored[0].score if scored else 0.0
    scored = [_with_fact(item, found.units[item.unit]) for item in scored]
    if found.literal:
        most = max(found.literal.values())
        scored = [_plus(item, "literal", top * found.literal.get(item.unit, 0) / most) for item in scored]
    scored.sort(key=order)
    return sorted(_spread(scored, found, FURTHER if terms >= LONG_QUERY else 1.0), key=order)


def _favour_speaker(found: Candidates, lexical: dict[int, float]) -> None:
    """Raise what is said by the person whom the query names, among several who speak."""
    speakers = {unit.speaker for unit in found.units.values() if unit.role == "other"}
    named = {name for name in speakers if any(token(word) in found.own for word in words_of(name))}
    if not named:
        return
    for number, unit in found.units.items():
        if unit.role == "other":
            lexical[number] *= 1 + (SPEAKER if unit.speaker in named else -OTHER_SPEAKER)


def _near(number: int, unit: UnitRow, found: Candidates, lexical: dict[int, float]) -> float:
    """Return the share that a unit has of what stands around it in its section."""
    share = NEAR_TURN if unit.role == "other" else NEAR
    total = 0.0
    for step, weight in ((-1, share), (1, share), (-2, share / 2), (2, share / 2)):
        other = found.units.get(number + step)
        if other is not None and other.section == unit.section:
            if step == -1 and unit.role == "other" and other.text.rstrip().endswith("?"):
                weight = NEAR_ANSWER
            total += weight * lexical[number + step]
    return total


def _order_of(found: Candidates) -> Callable[[Scored], tuple[float, int]]:
    """Return what results are sorted by: the score; what is equal stands newest first, then by place, so that
    the order does not depend on when a file came into the index."""
    units, sections = found.units, found.sections
    places = sorted(units, key=lambda n: (sections[units[n].section].path, units[n].line_start))
    places.sort(key=lambda n: sections[units[n].section].last, reverse=True)
    place = {number: at for at, number in enumerate(places)}
    return lambda item: (-item.score, place[item.unit])


def _plus(item: Scored, name: str, value: float) -> Scored:
    return Scored(item.unit, item.score + value, {**item.parts, name: value}) if value else item


def _lexical(
    unit: UnitRow, words: list[str], found: Candidates, forms: dict[str, str], assistant: float
) -> float:
    """Return the bm25 of a unit by the weights of the query's words."""
    weights = found.weights
    counts: dict[str, int] = {}
    for form in filter(None, map(forms.get, words)):
        counts[form] = counts.get(form, 0) + 1
    if found.prefixes:
        for word in words:
            if word not in forms and word.startswith(found.prefixes):
                counts[word[0]] = counts.get(word[0], 0) + 1
    if not counts:
        return 0.0
    norm = K1 * (1 - B + B * min(len(unit.words), 1000) / USUAL_CHARS)
    value = sum(weights.get(form, 1.0) * n * (1 + K1) / (n + norm) for form, n in counts.items())
    return value * assistant if unit.role == "assistant" else value


def _with_fact(item: Scored, unit: UnitRow) -> Scored:
    if not unit.facts:
        return item
    return _plus(item, "fact", FACT * min(max(unit.facts), 6.0) / FACT_FULL * item.parts["words"])


def _spread(scored: list[Scored], found: Candidates, further: float) -> list[Scored]:
    """Lower what comes after the best of its section."""
    if further == 1.0:
        return scored
    seen: dict[int, int] = {}
    spread = []
    for item in scored:
        section = found.units[item.unit].section
        count = seen.get(section, 0)
        seen[section] = count + 1
        spread.append(item._replace(score=item.score * further**count))
    return spread
