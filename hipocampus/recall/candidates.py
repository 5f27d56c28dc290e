"""Ask the index for everything that could answer a query, and for what its words are worth.

A question is asked three times: in its own words, in words that people use for the same things, and, when
it is long, in the words of what was found so far. Sections are scored by all three; the units that are
then looked at closely come from the best sections and from the question's rarest words.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from hipocampus.recall.cjk import without_marks
from hipocampus.recall.index import Index
from hipocampus.recall.query import STOP_WORDS, Query, any_of, quoted
from hipocampus.recall.related import related
from hipocampus.recall.schema import SectionRow, UnitRow
from hipocampus.recall.stem import stem

SECTION_WEIGHTS = (2.0, 2.4, 0.8)
"""bm25 weights of a section's heading, of what a person said, of what an assistant said. Above 1 they make
a word's second mention count less (k1 = 0.5 instead of 1.2): +1 point of hit@10."""

RELATED = 0.2
"""Weight of related words in a section's score: +2.5 points of hit@10 (38.7 to 41.2); more loses them again."""

RELATED_MOST = 0.4
"""A related word that stands in a larger share of the sections is no help, and slow."""

FEEDBACK = 0.2
"""Weight of the words of what was found first: +2 points of hit@10."""

FEEDBACK_SECTIONS, FEEDBACK_WORDS, FEEDBACK_POOL = 5, 20, 50
"""Best sections that are read for it, words taken from them, words whose rarity is looked up."""

LONG_QUERY = 8
"""From so many words on a query is a request in prose, whose first results say what it is about."""

UNIT_RELATED, UNIT_FEEDBACK = 0.2, 0.1
"""Weights of related and of feedback words in a unit's score."""

TOP_SECTIONS = 20
"""Sections whose units are all looked at, but for what an assistant said."""

RARE_UNITS, RARE_POSTINGS = 60, 1200
"""Units taken from the index for the rarest words of a query, as many words as stand in so many units at
most. Asking for all words costs 30 ms in 16 MB and finds nothing more."""

_WORDS = re.compile(r"[^\W_]+")


class Candidates(NamedTuple):
    """What the index has for a query. `weights` is the worth of each stem in a unit, `literal` how many of
    the query's identifiers and phrases a unit holds."""

    units: dict[int, UnitRow]
    sections: dict[int, SectionRow]
    section_scores: dict[int, float]
    weights: dict[str, float]
    own: frozenset[str]
    literal: dict[int, int]
    prefixes: tuple[str, ...]
    unknown: tuple[str, ...]


_PLAIN = "".join(letter.lower() if letter.isalnum() else " " for letter in map(chr, range(128)))
"""ASCII in lower case, with a space for whatever stands between words: splitting there takes a fourth of the
pattern's time."""


def words_of(text: str) -> list[str]:
    """Return the lower-case words of an indexed text."""
    if not text.isascii():
        text = without_marks(text)
        if not text.isascii():
            return _WORDS.findall(text.lower())
    return text.translate(_PLAIN).split()


@lru_cache(maxsize=16384)
def token(word: str) -> str:
    """Return a lower-case word as the index has it: without accents, stemmed."""
    if not word.isascii():
        bare = (c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        word = unicodedata.normalize("NFC", "".join(bare))
    return stem(word)


def forms_in(words: Iterable[str], weights: Mapping[str, float]) -> dict[str, str]:
    """Return the words that have a weight, each with its form in the index.

    Stemming leaves the first letter alone, and the first three of a longer word, so that few words need it.
    """
    initials, heads = {form[:1] for form in weights}, {form[:3] for form in weights}
    likely = [
        word for word in words
        if (word[:3] in heads if len(word) > 4 else word[:1] in initials) or not word.isascii()
    ]  # fmt: skip
    return {word: form for word in likely if (form := token(word)) in weights}


def rarity(total: int, count: int) -> float:
    """Return the idf of a word that stands in `count` of `total` texts."""
    return max(math.log((total - count + 0.5) / (count + 0.5)), 0.01)


def gather(index: Index, query: Query, keep: tuple[str, Sequence[object]], *, nodes: bool) -> Candidates:
    """Return the candidates for a query that has terms. `keep` is a condition on sections (alias s)."""
    own = {token(term): term for term in query.terms}
    widened: dict[str, str] = {}
    for term in query.terms:
        for word in related(term):
            if (form := token(word)) not in own:
                widened.setdefault(form, word)
    sections_total, in_sections = index.section_counts([*own, *widened])
    # What stands in every other section tells nothing of any; SQLite's bm25 gives it no weight either.
    telling = [t for form, t in own.items() if in_sections.get(form, 0) <= sections_total / 2]
    scores = index.section_scores(
        any_of(telling or query.terms, query.prefixes), SECTION_WEIGHTS, nodes=nodes
    )
    most = sections_total * RELATED_MOST
    near = [word for form, word in widened.items() if 0 < in_sections.get(form, 0) <= most]
    _add(scores, index, near, RELATED, nodes)
    allowed = index.section_ids(*keep) if keep[0] else None
    if allowed is not None:
        scores = {number: score for number, score in scores.items() if number in allowed}
    weights = {form: UNIT_RELATED * _unit_rarity(sections_total, n) for form, n in in_sections.items()}
    if len(query.terms) >= LONG_QUERY and len(scores) > 4 * FEEDBACK_SECTIONS:
        found, known = _feedback(index, scores, own)
        _add(scores, index, found.values(), FEEDBACK, nodes)
        for form in found:
            weights.setdefault(form, UNIT_FEEDBACK * _unit_rarity(sections_total, known[form]))
        if allowed is not None:
            scores = {number: score for number, score in scores.items() if number in allowed}
    total, counts = index.term_counts(list(own))
    weights.update({form: rarity(total, counts.get(form, 0)) for form in own})
    literal = _literal_units(index, query, keep, nodes)
    best = sorted(scores, key=lambda number: (-scores[number], number))[:TOP_SECTIONS]
    numbers = dict.fromkeys(index.units_of(best, assistant=False))
    numbers.update(dict.fromkeys(_rare_units(index, query, counts, keep, nodes)))
    numbers.update(dict.fromkeys(literal))
    units = index.units(list(numbers))
    sections = index.sections(sorted({unit.section for unit in units.values()}))
    unknown = tuple(term for form, term in own.items() if form not in counts and term not in query.prefixes)
    return Candidates(units, sections, scores, weights, frozenset(own), literal, query.prefixes, unknown)


def _add(scores: dict[int, float], index: Index, words: Iterable[str], weight: float, nodes: bool) -> None:
    terms = list(words)
    if terms:
        for number, score in index.section_scores(any_of(terms), SECTION_WEIGHTS, nodes=nodes).items():
            scores[number] = scores.get(number, 0.0) + weight * score


def _rare_units(
    index: Index, query: Query, counts: dict[str, int], keep: tuple[str, Sequence[object]], nodes: bool
) -> list[int]:
    """Return the units that hold the rarest of the query's words."""
    spent, chosen = 0, list[str]()
    for term in sorted(query.terms, key=lambda t: counts.get(token(t), 0)):
        spent += counts.get(token(term), 0)
        if chosen and spent > RARE_POSTINGS:
            break
        chosen.append(term)
    return index.best_units(any_of(chosen, query.prefixes), RARE_UNITS, *keep, nodes=nodes)


def _literal_units(
    index: Index, query: Query, keep: tuple[str, Sequence[object]], nodes: bool
) -> dict[int, int]:
    """Return the units that hold identifiers of the query as typed, or its phrases, with how many."""
    found: dict[int, int] = {}
    for literal in query.literals:
        parts = " ".join(words_of(literal))
        for number in index.literal_units(quoted(parts), literal, 50, *keep, nodes=nodes):
            found[number] = found.get(number, 0) + 1
    for phrase in query.phrases:
        for number in index.best_units(quoted(phrase), 50, *keep, nodes=nodes):
            found[number] = found.get(number, 0) + 1
    return found


def _unit_rarity(sections: int, count: int) -> float:
    """Return about the idf that a word has among units, from that among sections, which is quicker to ask."""
    return rarity(sections, count) + 1.5


def _feedback(
    index: Index, scores: dict[int, float], own: dict[str, str]
) -> tuple[dict[str, str], dict[str, int]]:
    """Return the words that tell the best sections from all others, by stem, and in how many they stand."""
    worth: dict[str, float] = {}
    for number in sorted(scores, key=lambda n: (-scores[n], n))[:FEEDBACK_SECTIONS]:
        counts: dict[str, int] = {}
        for word in words_of(index.said_in(number)):
            counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            if len(word) > 2 and word not in STOP_WORDS:
                worth[word] = worth.get(word, 0.0) + scores[number] * count / (count + 0.5)
    pool: dict[str, str] = {}
    for word in sorted(worth, key=lambda w: (-worth[w], w))[:FEEDBACK_POOL]:
        form = token(word)
        if form not in own and form not in pool:
            pool[form] = word
    total, known = index.section_counts(list(pool))
    # What one section has alone finds nothing else; what a third of all have tells nothing.
    telling = {
        f: worth[w] * rarity(total, known[f]) for f, w in pool.items() if 2 <= known.get(f, 0) < 0.3 * total
    }
    best = sorted(telling, key=lambda form: (-telling[form], form))[:FEEDBACK_WORDS]
    return {form: pool[form] for form in best}, known
