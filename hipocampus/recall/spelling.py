"""Words that the memory never uses, and near spellings that it does use."""

import re
from collections.abc import Mapping
from pathlib import Path

from hipocampus.files import read_text
from hipocampus.recall.candidates import token, words_of
from hipocampus.recall.cjk import has_run, normal, run_pattern
from hipocampus.recall.index import Index
from hipocampus.recall.query import parse_query, quoted

UNSEARCHED = ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "memory/ROOT.md")
"""Files of the memory that are loaded into every session and therefore not searched."""

MOST_WORDS, MOST_NEAR = 3, 3
"""Words that suggestions are looked for, and suggestions for each: a note, not a dictionary."""


_ENDINGS = ("s", "es", "er", "ers", "ed", "ing", "ion", "ions", "ly", "ment")


def unknown_words(text: str, terms: tuple[str, ...]) -> list[str]:
    """Return the words of a question that hold nothing but index terms which the memory never uses.

    Whole words are returned as they were typed, never the pairs that the index cuts a run into.
    """
    unknown = set(terms)
    found: dict[str, None] = {}
    for match in re.finditer(r"[^\W_]+(?:['’][^\W_]+)*", normal(text)):
        asked = parse_query(match[0])
        if len(match[0]) > 1 and asked.terms and not asked.weak and unknown.issuperset(asked.terms):
            found[match[0].lower()] = None
    return list(found)


def unknown_note(index: Index, root: Path, words: list[str], corrected: Mapping[str, str]) -> list[str]:
    """Return one note for words that are in no entry, node or note: where else they stand, or near spellings."""
    parts, places = [], []
    mended = {part for word in corrected for part in words_of(word)}
    for number, word in enumerate(words):
        if place := elsewhere(root, word):
            places.append(f"{word}: in {place}")
        elif word not in mended:
            near = near_spellings(index, word) if number < MOST_WORDS else []
            parts.append(f"{word} (near: {', '.join(near)})" if near else word)
    return [*places, *([f"not in the memory: {', '.join(parts)}"] if parts else [])]


def elsewhere(root: Path, word: str) -> str:
    """Return where a word stands in the files that recall does not search (`SCRATCHPAD.md:4`), "" when nowhere."""
    run = run_pattern().search(word) if has_run(word) else None
    form = token(word)
    for path in UNSEARCHED:
        for number, line in enumerate(normal(read_text(root / path) or "").lower().split("\n"), 1):
            if (word in line) if run else (form in map(token, words_of(line))):
                return f"{path}:{number}"
    return ""


def joined_or_parted(index: Index, text: str, words: list[str]) -> dict[str, str]:
    """Return identifiers of a question as the memory writes them: `auth358` as `auth-358`, and the reverse.

    `words` are those of `text` that the memory does not use.
    """
    found = {}
    for word in words:
        parted = re.fullmatch(r"([a-z]+)(\d+)", word)
        if parted and index.best_units(quoted(f"{parted[1]} {parted[2]}"), 1):
            found[word] = f"{parted[1]}-{parted[2]}"
    for literal in parse_query(text).literals:
        one = re.sub(r"[-_ ]", "", literal)
        parts = words_of(literal)
        if len(parts) > 1 and one.isalnum() and any(c.isdigit() for c in one):
            here = index.best_units(quoted(" ".join(parts)), 1)
            if not here and index.best_units(quoted(one), 1):
                found[literal] = one
    return found


def near_words(index: Index, words: list[str]) -> dict[str, str]:
    """Return for each word that the memory does not use the nearest one that it does, where there is one."""
    near = {word: near_spellings(index, word) for word in words[:MOST_WORDS]}
    return {word: spellings[0] for word, spellings in near.items() if spellings}


def respelled(text: str, instead: Mapping[str, str]) -> str:
    """Return a question with words put in the place of others."""
    plain = normal(text)
    for word, other in instead.items():
        plain = re.sub(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", other, plain, flags=re.I)
    return plain


def near_spellings(index: Index, word: str) -> list[str]:
    """Return words of the memory that differ from `word` by a letter or two, nearest and commonest first.

    Those that begin with the same letter are compared: people seldom mistake the first one.
    """
    if len(word) < 4 or not word.isalpha():
        return []
    # A slip can hide an ending from the stemmer: `limtier` is compared as `limti` too.
    forms = {token(word), *(word.removesuffix(end) for end in _ENDINGS if len(word) > len(end) + 3)}
    most = 1 if len(word) < 6 else 2
    close: list[tuple[int, int, str]] = []
    for stem, count in index.stems_from(word[0]):
        near = [form for form in forms if abs(len(stem) - len(form)) <= most]
        gap = min((distance(form, stem, most) for form in near), default=most + 1)
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
