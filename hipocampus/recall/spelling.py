"""Words that the memory never uses, and near spellings that it does use."""

import re

from hipocampus.recall.candidates import token
from hipocampus.recall.index import Index

MOST_WORDS, MOST_NEAR = 3, 3
"""Words that suggestions are looked for, and suggestions for each: a note, not a dictionary."""


def unknown_words(index: Index, unknown: tuple[str, ...]) -> list[str]:
    """Return one note for the words of a query that stand nowhere in the memory; none when all do."""
    words = [word for word in unknown if len(word) > 1]
    if not words:
        return []
    parts = []
    for number, word in enumerate(words):
        near = near_spellings(index, word) if number < MOST_WORDS else []
        parts.append(f"{word} (near: {', '.join(near)})" if near else word)
    return [f"not in the memory: {', '.join(parts)}"]


def near_spellings(index: Index, word: str) -> list[str]:
    """Return words of the memory that differ from `word` by a letter or two, nearest and commonest first.

    Those that begin with the same letter are compared: people seldom mistake the first one.
    """
    if len(word) < 4 or not word.isalpha():
        return []
    form = token(word)
    most = 1 if len(word) < 6 else 2
    close: list[tuple[int, int, str]] = []
    for stem, count in index.stems_from(form[0]):
        if abs(len(stem) - len(form)) <= most:
            gap = distance(form, stem, most)
            if 0 < gap <= most:
                close.append((gap, -count, stem))
    close.sort()
    return [_spelled(index, stem) for _, _, stem in close[:MOST_NEAR]]


def _spelled(index: Index, stem: str) -> str:
    """Return a stem as the memory writes it."""
    for text in index.texts_with(stem):
        for word in re.findall(r"[^\W_]+", text):
            if token(word.lower()) == stem:
                return str(word).lower()
    return stem


def distance(one: str, other: str, most: int) -> int:
    """Return how many letters must be added, dropped, changed or swapped; `most` + 1 for more than `most`."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
