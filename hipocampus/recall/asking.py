"""One question to one index: what is asked for, in which days, and in which order the results stand."""

import re
from datetime import date
from functools import cache
from pathlib import Path

from hipocampus.recall import Hit
from hipocampus.recall.candidates import LONG_QUERY, Candidates, gather
from hipocampus.recall.cjk import run_pattern
from hipocampus.recall.dates import Dates, Span, parse_dates
from hipocampus.recall.filler import is_filler
from hipocampus.recall.filters import Filters
from hipocampus.recall.index import Index
from hipocampus.recall.query import Query, parse_query
from hipocampus.recall.rank import Scored, rank
from hipocampus.recall.repeats import Repeats, newest_of_equals_first
from hipocampus.recall.results import Result, as_hit, collapse
from hipocampus.recall.schema import NODE_LEVELS, NODES_FROM, SectionRow
from hipocampus.recall.spelling import (
    elsewhere,
    joined_or_parted,
    near_words,
    respelled,
    unknown_note,
    unknown_words,
)

SPAN_SHARE = 1.1
"""How much more the days count that a long request speaks of. Searching them alone costs 1 point of hit@10."""

NODE_SHARE = 0.6
"""What a node's text is worth beside that of a source: it says less, later, and further from the event."""


@cache
def _asks_assistant() -> re.Pattern[str]:
    """What a question says when it is about an earlier reply; each begins with one of `_OF_REPLIES`."""
    return re.compile(
        r"\byou(?:'ve| have| had)? (?:\w+ly |also |just |already )?(?:recommended|suggested|mentioned|told|said|gave|given|provided|described|listed|"
        r"shared|wrote|created|explained|came up with|proposed)\b|\bwe (?:discussed|talked|went over|came up)\b|"
        r"\b(?:your|our) (?:previous|last|earlier|past|prior) (?:\w+ )?(?:conversation|chat|discussion|answer|reply|message|suggestion|recommendation)",
        re.I,
    )


_OF_REPLIES = ("you", "we ", "our ")


def asks_assistant(text: str) -> bool:
    """Whether a question is about what an assistant replied earlier."""
    low = text.lower()
    return any(word in low for word in _OF_REPLIES) and bool(_asks_assistant().search(text))


class Search:
    """One question to one index."""

    def __init__(self, root: Path, index: Index, text: str, filters: Filters, today: date) -> None:
        self.root = root
        self.index = index
        self.filters = filters
        self.today = today
        self.dates: Dates = parse_dates(text, today)
        self.query: Query = parse_query(text)
        self.assistant = asks_assistant(text)
        self.notes: list[str] = []
        self.unknown: tuple[str, ...] = ()

    def run(self, n: int) -> tuple[list[Hit], list[str]]:
        """Return the best `n` results and what there is to say about the search."""
        span = self.dates.span
        if span and _is_prose(self.query) and not is_filler(self.dates.rest):
            # A request in prose has its times for other reasons too ("for my trip last month"): no limit.
            self.notes.append(f"{span.words}: {_days(span)} first")
        elif span and not (self.filters.since or self.filters.until):
            hits = self._within(span, n)
            if hits:
                return hits, self.notes
            what = " ".join(["nothing", *self.filters.said.split()])
            self.notes.append(f"{span.words}: {what} in {_days(span)}, so everything was searched")
        if self.query.empty:
            listed = self.filters.any and not self.query.text.strip()
            hits = self._list(self.filters, n) if listed else []
            if listed and not hits:
                self.notes.append(f"the memory has nothing {self.filters.said}")
            return hits, self.notes
        hits = self._asked(self.filters, n)
        if (
            not hits
            and self.filters.type
            and not self.index.listed(*Filters(self.filters.type).condition(), 1)
        ):
            self.notes.append(f"the memory has nothing of type {self.filters.type}")
        return hits, self.notes

    def _asked(self, filters: Filters, n: int) -> list[Hit]:
        """Return what the question finds; what its words find as the memory spells them, when that is nothing."""
        hits = self._find(self.query, filters, n)
        words = unknown_words(self.dates.plain, self.unknown)
        if self.dates.days or self.dates.span:
            words = [word for word in words if not is_filler(word)]
        if not words and (hits or not self.query.literals):
            return hits
        instead = joined_or_parted(self.index, self.dates.plain, words)
        if not hits and not instead and not any(elsewhere(self.root, word) for word in words):
            instead = near_words(self.index, words)
        if instead:
            again = self._find(parse_query(respelled(self.dates.plain, instead)), filters, n)
            if again:
                hits = again
                said = ", ".join(f"{word} → {other}" for word, other in instead.items())
                self.notes.append(f"not in the memory as written, so searched as: {said}")
            else:
                instead = {}
        self.notes += unknown_note(self.index, self.root, words, instead)
        return hits

    def _within(self, span: Span, n: int) -> list[Hit]:
        """Return what the days hold of the words beside them; all that they hold when that is nothing."""
        rest = parse_query(self.dates.rest)
        within = self.filters._replace(since=span.first, until=span.last)
        asked = not (rest.empty or rest.weak or is_filler(self.dates.rest))
        hits = self._find(rest, within, n) if asked else []
        said = f"{span.words}: only {_days(span)}"
        if not hits:
            hits = self._list(within, n)
            if asked and hits:
                words = re.sub(r"[\s,;:.?!、。？]+$", "", " ".join(self.dates.rest.split()))
                said = f"{span.words}: nothing about {words!r} in {_days(span)}, so all of it is listed, newest first"
        if hits:
            self.notes.append(said)
        return hits

    def _find(self, query: Query, filters: Filters, n: int) -> list[Hit]:
        keep = filters.condition()
        results: list[tuple[Result, Candidates]] = []
        if filters.level not in NODE_LEVELS:
            results += self._ranked(query, keep, nodes=False)
        if filters.level in (*NODE_LEVELS, "all") and self.index.has_nodes():
            results = self._with_nodes(results, self._ranked(query, keep, nodes=True), filters.level == "all")
        results = newest_of_equals_first(self._span_first(results)[: 2 * n + 40])
        results = self._newer_first(self._named_days_first(results)[: n + 20])
        kind = self.filters.type or ""
        return [
            as_hit(result, found, self.today, assistant=self.assistant, kind=kind)
            for result, found in results[:n]
        ]

    def _ranked(
        self, query: Query, keep: tuple[str, list[object]], *, nodes: bool
    ) -> list[tuple[Result, Candidates]]:
        found = gather(self.index, query, keep, nodes=nodes)
        if not nodes or self.filters.level in NODE_LEVELS:
            self.unknown = found.unknown
        scored = rank(found, len(query.terms), assistant=self.assistant)
        return [(result, found) for result in collapse(scored, found)]

    def _with_nodes(
        self, sources: list[tuple[Result, Candidates]], nodes: list[tuple[Result, Candidates]], drop: bool
    ) -> list[tuple[Result, Candidates]]:
        """Add what nodes say, behind the sources of the same days; what they only repeat is left out."""
        if not drop:
            return nodes
        kept = []
        repeats = Repeats(self.index)
        for result, found in sorted(nodes, key=_level_order):
            section = result.section
            if self._is_made_below(section) or repeats.is_one(section):
                continue
            result.score *= NODE_SHARE
            same = [
                r.score
                for r, _ in sources
                if r.section.first and section.first <= r.section.first <= section.last
            ]
            if same:
                result.score = min(result.score, 0.99 * max(same))
            kept.append((result, found))
        return sorted([*sources, *kept], key=lambda pair: -pair[0].score)

    def _is_made_below(self, section: SectionRow) -> bool:
        """Whether hipo made a node's part from files below it that are still there."""
        below = ("raw",) if section.level == "daily" else ("raw", "daily")
        return bool(section.made) and self.index.has_sources(section.first, section.last, below)

    def _span_first(self, results: list[tuple[Result, Candidates]]) -> list[tuple[Result, Candidates]]:
        """Raise what lies in the days that a long question speaks of."""
        span = self.dates.span
        if span is None or len(self.query.terms) < LONG_QUERY:
            return results
        first, last = span.first.isoformat(), span.last.isoformat()
        for result, _ in results:
            if result.section.last and first <= result.section.last and result.section.first <= last:
                result.score *= SPAN_SHARE
                result.parts = {name: SPAN_SHARE * value for name, value in result.parts.items()}
        return sorted(results, key=lambda pair: -pair[0].score)

    def _named_days_first(self, results: list[tuple[Result, Candidates]]) -> list[tuple[Result, Candidates]]:
        """Put what was recorded on a day that the question names before what only mentions that day."""
        if not self.dates.days:
            return results
        if is_filler(self.dates.plain):  # a day alone: its year stands everywhere
            written = [name.casefold() for name in (*map(str, self.dates.days), *self.dates.named)]
            results = [
                pair for pair in results
                if any(name in unit.text.casefold() for unit in pair[0].units for name in written)
            ]  # fmt: skip
        days = [day.isoformat() for day in self.dates.days]
        held = {result.section.id for result, _ in results}
        marks = ",".join("?" * len(days))
        more = self._sections(self.index.listed(f"s.first IN ({marks}) AND s.first = s.last", days, 40))
        more = [pair for pair in more if pair[0].section.id not in held and self._passes(pair[0].section)]
        top = max((result.score for result, _ in results), default=1.0)
        for result, _ in (*results, *more):
            if result.section.first in days and result.section.first == result.section.last:
                source = 0.5 if result.section.level == "raw" else 0.0
                result.score += top * (1 + source)
                result.parts = {**result.parts, "day": top * (1 + source)}
        there = {result.section.first for result, _ in (*results, *more)}
        self.notes += [f"nothing was recorded on {day}" for day in days if day not in there]
        repeated = {r.section.first for r, _ in (*results, *more) if r.section.level == "raw"}
        both = [p for p in (*results, *more) if not (p[0].section.made and p[0].section.first in repeated)]
        return sorted(both, key=lambda pair: -pair[0].score)

    def _newer_first(self, results: list[tuple[Result, Candidates]]) -> list[tuple[Result, Candidates]]:
        """Put an entry that supersedes another before it, also when the words of the query are not in it."""
        ordered = list(results)
        for pair, newer in self._superseded(results):
            old = pair[0]
            for other in newer:
                there = next((p for p in ordered if p[0].section.id == other[0].section.id), None)
                at = ordered.index(pair)
                if there is None:
                    other[0].score = old.score
                    ordered.insert(at, other)
                elif ordered.index(there) > at:
                    there[0].score = old.score
                    ordered.remove(there)
                    ordered.insert(at, there)
        return ordered

    def _superseded(
        self, results: list[tuple[Result, Candidates]]
    ) -> list[tuple[tuple[Result, Candidates], list[tuple[Result, Candidates]]]]:
        """Mark the results that a later entry supersedes, and return each with these entries."""
        over: dict[str, list[int]] = {}
        for number, keys in self.index.superseders():
            for key in keys.split("\n"):
                over.setdefault(key, []).append(number)
        found = []
        for pair in results if over else ():
            old = pair[0]
            newer = [
                other
                for other in self._sections([i for i in over.get(old.section.key, ()) if i != old.section.id])
                if (other[0].section.first, other[0].section.id) > (old.section.first, old.section.id)
                and self._passes(other[0].section)
            ]
            if newer:
                old.superseded = newer[-1][0].section
                found.append((pair, newer))
        return found

    def _passes(self, section: SectionRow) -> bool:
        condition, values = self.filters.condition()
        return not condition or section.id in self.index.section_ids(
            f"s.id = ? AND {condition}", [section.id, *values]
        )

    def _list(self, filters: Filters, n: int) -> list[Hit]:
        """Return what the filters leave, newest first: there is nothing to rank by."""
        keep, values = filters.condition()
        found = self._sections(self.index.listed(keep, values, n))
        if filters.level == "all":
            repeats = Repeats(self.index)
            found = [
                pair for pair in found
                if pair[0].section.id < NODES_FROM
                or not (self._is_made_below(pair[0].section) or repeats.is_one(pair[0].section))
            ]  # fmt: skip
        self._superseded(found)
        kind = self.filters.type or ""
        return [as_hit(r, c, self.today, assistant=False, kind=kind) for r, c in found]

    def _sections(self, numbers: list[int]) -> list[tuple[Result, Candidates]]:
        """Return sections as results of their own, with all that their people said or noted."""
        made: list[tuple[Result, Candidates]] = []
        for number, section in self.index.sections(numbers).items():
            units = self.index.units(self.index.units_of([number], assistant=False)[:40])
            units = units or self.index.units(self.index.units_of([number])[:1])
            found = Candidates(units, {number: section}, {}, {}, frozenset(), {}, (), ())
            result = Result(section, Scored(0, 1.0, {}), next(iter(units.values())))
            result.units = list(units.values())
            made.append((result, found))
        made.sort(key=lambda pair: numbers.index(pair[0].section.id))
        return made


def _is_prose(query: Query) -> bool:
    """Whether a query is long by its words; a run of a script without spaces counts by its length, not its pairs."""
    if len(query.terms) < LONG_QUERY or query.text.isascii():
        return len(query.terms) >= LONG_QUERY
    runs = run_pattern().findall(query.text)
    others = sum(1 for term in query.terms if not run_pattern().search(term))
    return others + sum(1 + len(run) // 8 for run in runs) >= LONG_QUERY


def _level_order(pair: tuple[Result, Candidates]) -> int:
    return NODE_LEVELS.index(pair[0].section.level)


def _days(span: Span) -> str:
    return f"{span.first}" if span.first == span.last else f"{span.first} to {span.last}"
