"""Shorten what was found to the sentences that answer: many short snippets tell more than two long ones.

Pure. A snippet is made of whole sentences or units, in the order of the text, with ` … ` where something
was left out.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from hipocampus.memory.speech import sentences
from hipocampus.recall.candidates import forms_in, words_of
from hipocampus.recall.cjk import indexed_form
from hipocampus.recall.schema import UnitRow

SPEECH_CHARS = 200
"""Aim for the snippet of a conversation: 9 to 10 of them fit into 2,000 characters. 150 to 230 are as good;
260 costs 4 points of gold@2000."""

WHOLE_CHARS = 500
"""Up to here notes, list items and turns among several people stay whole: cutting them costs 8 points."""

OVERLAP, FACT = 10.0, 0.5
"""Worth of a sentence: OVERLAP if it holds all words of the query by weight, and FACT for each point that
it says about its person."""


class Snippet(NamedTuple):
    """Text from one or several units, and the lines from the first to the last of them."""

    text: str
    line_start: int
    line_end: int


def of_speech(units: Sequence[UnitRow], weights: Mapping[str, float]) -> Snippet:
    """Return the best sentences of a conversation's turns (in order), about SPEECH_CHARS long."""
    total = sum(weights.values()) or 1.0
    pieces: list[tuple[str, int]] = []
    words: list[list[str]] = []
    telling: list[float] = []
    for at, unit in enumerate(units):
        said = sentences(unit.text)
        facts = unit.facts if len(unit.facts) == len(said) else (0.0,) * len(said)
        for sentence, told in zip(said, facts, strict=True):
            pieces.append((sentence, at))
            words.append(words_of(indexed_form(sentence)))
            telling.append(told)
    forms = forms_in(set[str]().union(*words), weights)
    held = ({forms[word] for word in some if word in forms} for some in words)
    overlaps = (sum(weights[form] for form in some) for some in held)
    worth = [OVERLAP * o / total + FACT * told for o, told in zip(overlaps, telling, strict=True)]
    kept: list[int] = []
    used = 0
    for number in sorted(range(len(pieces)), key=lambda i: (-worth[i], i)):
        size = len(pieces[number][0])
        if kept and used + size > SPEECH_CHARS:
            continue
        kept.append(number)
        used += size + 1
        if used >= 0.8 * SPEECH_CHARS:
            break
    kept.sort()
    if not kept:
        return of_notes(units[:1])
    text = pieces[kept[0]][0]
    for before, number in pairwise(kept):
        text += (" " if number == before + 1 else " … ") + pieces[number][0]
    first, last = units[pieces[kept[0]][1]], units[pieces[kept[-1]][1]]
    return Snippet(text[:WHOLE_CHARS], first.line_start, last.line_end)


def of_notes(units: Sequence[UnitRow]) -> Snippet:
    """Return units of an entry (best first) in their order, as many as fit into WHOLE_CHARS, at least one."""
    kept: list[UnitRow] = []
    used = 0
    for unit in units:
        if kept and used + len(unit.text) > WHOLE_CHARS:
            continue
        kept.append(unit)
        used += len(unit.text) + 3
    kept.sort(key=lambda unit: unit.id)
    text = kept[0].text
    for before, unit in pairwise(kept):
        text += ("\n" if unit.id == before.id + 1 else "\n…\n") + unit.text
    return Snippet(text, kept[0].line_start, kept[-1].line_end)
