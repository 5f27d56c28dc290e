"""One entry is one result: what nodes repeat is left out, and of equal texts the newest stands first."""

from collections.abc import Iterable, Sequence

from hipocampus.recall.candidates import Candidates
from hipocampus.recall.index import Index
from hipocampus.recall.results import Result
from hipocampus.recall.schema import NODES_FROM, SectionRow

Found = tuple[Result, Candidates]
"""A result with the candidates that it comes from."""


def lines_of(texts: Iterable[str]) -> frozenset[str]:
    """Return what texts say, line by line, without list marks, comments and spaces."""
    lines = (" ".join(line.split()).lstrip("-*+ ").casefold() for text in texts for line in text.split("\n"))
    return frozenset(line for line in lines if line and not line.startswith("<!--"))


class Repeats:
    """Tells of each section of a node whether an entry below it, or a node seen before, says all of it."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.seen: dict[str, list[frozenset[str]]] = {}

    def is_one(self, section: SectionRow) -> bool:
        if not section.key:
            return False
        own = self._said(section.id)
        known = self.seen.setdefault(section.key, [])
        if any(own <= other for other in known):
            return True
        below = self.index.listed(
            "s.key = ? AND s.id < ? AND s.first >= ? AND s.last <= ?",
            [section.key, NODES_FROM, section.first, section.last], 50,
        )  # fmt: skip
        if below and own <= frozenset().union(*map(self._said, below)):
            return True
        known.append(own)
        return False

    def _said(self, number: int) -> frozenset[str]:
        return lines_of(unit.text for unit in self.index.units(self.index.units_of([number])).values())


def newest_of_equals_first(results: Sequence[Found]) -> list[Found]:
    """Order results that say the same under the same topic by day, newest first, on the places that they hold.

    Their scores differ by what hipo itself notes of them (a time, a session), which is no reason.
    """
    places: dict[tuple[str, str, frozenset[str]], list[int]] = {}
    for at, (result, _) in enumerate(results):
        if result.units[0].role == "other":  # a turn among others lives from what stands around it
            continue
        said = lines_of(unit.text for unit in result.units)
        places.setdefault((result.section.key, result.section.level, said), []).append(at)
    ordered = list(results)
    for held in places.values():
        newest = sorted((results[at] for at in held), key=lambda pair: pair[0].section.last, reverse=True)
        scores = [(results[at][0].score, results[at][0].parts) for at in held]
        for at, pair, (score, parts) in zip(held, newest, scores, strict=True):
            pair[0].score, pair[0].parts = score, parts
            ordered[at] = pair
    return ordered
