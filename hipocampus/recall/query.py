"""Read what somebody asked: words, identifiers, quoted phrases, Chinese, Japanese and Korean runs.

Pure. Any text is a query; nothing in it is syntax. What the index is asked is put together from quoted
words only, so that no query can be an error.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from hipocampus.recall.cjk import has_run, normal, pairs, run_pattern

MOST_TERMS = 32
"""Most words of a query that are searched for; a long paste is cut to its first ones."""

STOP_WORDS = frozenset(
    "a an the and or but nor if of in on at to for from by with without as is are was were be been being am do does "
    "did done doing have has had having i me my mine myself we us our ours you your yours he him his she her hers it "
    "its they them their theirs this that these those there here what which who whom whose when where why how not no "
    "yes so than too very can cannot could would should will shall may might must just about into onto over under "
    "again also any some all each every both either neither such only own same other another more most much many few "
    "up down out off then now while during before after because until between through within across per via let get "
    "got getting s t d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain "
    "don't didn't doesn't isn't aren't wasn't weren't won't wouldn't couldn't shouldn't hasn't haven't hadn't can't "
    "i'm i've i'd i'll you're you've you'd you'll it's that's there's what's where's who's how's let's we're we've "
    "we'd we'll they're they've they'd they'll he's she's".split()
)

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_EDGES = "\"'“”‘’()[]{}<>,;!?…、。！？「」『』（）*`"


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r'"([^"\n]{2,200})"|“([^”\n]{2,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』')


class Query(NamedTuple):
    """A query as the search uses it. `terms` are index words (lower case) in order, once each.

    `phrases` are quoted passages and runs, each as its words in the index; `literals` are identifiers
    as they were typed (lower case), to be found character by character; `prefixes` are single
    characters of a script without spaces.
    """

    text: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    literals: tuple[str, ...]
    prefixes: tuple[str, ...]
    weak: bool = False  # nothing but stop words

    @property
    def empty(self) -> bool:
        return not self.terms


def parse_query(text: str) -> Query:
    """Return `text` as a Query; one without a letter or digit has no terms."""
    plain = normal(text).replace("’", "'")
    terms: dict[str, None] = {}
    dropped: dict[str, None] = {}
    phrases: dict[str, None] = {}
    prefixes: dict[str, None] = {}
    for match in _WORD.finditer(plain):
        word = match[0].lower()
        if has_run(word):
            for run in run_pattern().findall(word):
                if len(run) == 1:
                    prefixes[run] = None
                elif len(run) > 2:
                    phrases[" ".join(pairs(run))] = None
                terms.update(dict.fromkeys(pairs(run)))
            rest = run_pattern().sub(" ", word).split()
            terms.update(dict.fromkeys(rest))
        elif word in STOP_WORDS:
            dropped.update(dict.fromkeys(word.split("'")))
        else:
            parts = word.removesuffix("'s").split("'")
            terms.update(dict.fromkeys(part for part in parts if part not in STOP_WORDS or len(parts) == 1))
    for match in _quoted().finditer(plain) if any(mark in plain for mark in '"“「『') else ():
        words = _index_words(next(group for group in match.groups() if group))
        if len(words) > 1:
            phrases[" ".join(words)] = None
    literals = _literals(plain)
    weak = not terms
    if weak:
        terms = dropped
    return Query(text, tuple(terms)[:MOST_TERMS], tuple(phrases)[:8], literals[:8], tuple(prefixes)[:8], weak)


def _literals(plain: str) -> tuple[str, ...]:
    """Return the identifiers of a query: `AUTH-358`, `src/a.py:12`, `C++`, `.env`, `foo_bar`, `v1.2.3`."""
    found: dict[str, None] = {}
    for token in plain.split():
        core = token.strip(_EDGES).rstrip(".:").lower()
        if not core or core.isalnum() or not any(c.isalnum() for c in core):
            continue
        if "'" in core or has_run(core):
            continue
        prose = token.islower() and re.fullmatch(r"[a-z]+(?:-[a-z]+)+", core)
        if prose or re.fullmatch(r"[\d.,:%$€£¥₩-]+", core):
            # `long-haired`, `10,000` and `9:30` are words of a sentence.
            continue
        found[core] = None
    return tuple(found)


def _index_words(text: str) -> list[str]:
    """Return `text` as the words that the index sees."""
    words: list[str] = []
    for match in _WORD.finditer(text):
        for piece in match[0].lower().split("'"):
            at = 0
            for run in run_pattern().finditer(piece) if has_run(piece) else ():
                words += [w for w in (piece[at : run.start()],) if w]
                words += pairs(run[0])
                at = run.end()
            words += [w for w in (piece[at:],) if w]
    return words


def quoted(words: str) -> str:
    """Return words as one string of the index's query language: a phrase, never an operator."""
    return '"' + words.replace('"', " ") + '"'


def any_of(terms: Sequence[str], prefixes: Sequence[str] = ()) -> str:
    """Return the index query for texts that hold any of the terms, or a word that begins with a prefix."""
    return " OR ".join([*(quoted(term) for term in terms), *(f"{quoted(start)} *" for start in prefixes)])
