"""Reduce an English word to the stem that SQLite's `porter` tokenizer gives it.

Porter's algorithm of 1980 (tartarus.org/martin/PorterStemmer/def.txt). The index stems by itself; this is
for the words that are weighed outside of it: in snippets, in related words, in what a memory never uses.
"""

from functools import lru_cache

_VOWELS = frozenset("aeiou")

_STEP2 = {
    "a": (("ational", "ate"), ("tional", "tion")),
    "c": (("enci", "ence"), ("anci", "ance")),
    "e": (("izer", "ize"),),
    "g": (("logi", "log"),),
    "l": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous")),
    "o": (("ization", "ize"), ("ation", "ate"), ("ator", "ate")),
    "s": (("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "t": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
}
_STEP3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_ENDS3 = tuple(end for end, _ in _STEP3)
_STEP4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize",
    "al", "er", "ic", "ou",
)  # fmt: skip


def _shape(word: str) -> str:
    """Return the word as consonants `c` and vowels `v`."""
    shape = ""
    for letter in word:
        vowel = letter in _VOWELS or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(shape: str) -> int:
    """Return how often a vowel is followed by a consonant."""
    return shape.count("vc")


def _short(word: str, shape: str) -> bool:
    return len(word) > 2 and shape.endswith("cvc") and word[-1] not in "wxy"


def _replaced(word: str, end: str, by: str) -> str:
    """Return the word with its ending replaced, when enough of a stem stands before it."""
    stem = word[: -len(end)]
    return stem + by if _measure(_shape(stem)) > 0 else word


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words of other scripts and short ones are their own stem."""
    if len(word) < 3 or len(word) > 64 or not word.isascii() or not word.isalpha():
        return word
    word = _inflections(word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for end, by in _STEP2.get(word[-2:-1], ()):
        if word.endswith(end):
            word = _replaced(word, end, by)
            break
    if word.endswith(_ENDS3):
        end, by = next(pair for pair in _STEP3 if word.endswith(pair[0]))
        word = _replaced(word, end, by)
    if word.endswith(_STEP4):
        end = next(end for end in _STEP4 if word.endswith(end))
        before = word[: -len(end)]
        if _measure(_shape(before)) > 1 and (end != "ion" or before.endswith(("s", "t"))):
            word = before
    return _last_letters(word)


def _inflections(word: str) -> str:
    """Take off plural, past and progressive endings (steps 1a and 1b)."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        return _replaced(word, "eed", "ee")
    for end in ("ed", "ing"):
        before = word[: -len(end)]
        if word.endswith(end) and "v" in _shape(before):
            if before.endswith(("at", "bl", "iz")):
                return before + "e"
            if (
                len(before) > 1
                and before[-1] == before[-2]
                and _shape(before)[-1] == "c"
                and before[-1] not in "lsz"
            ):
                return before[:-1]
            shape = _shape(before)
            return before + "e" if _measure(shape) == 1 and _short(before, shape) else before
    return word


def _last_letters(word: str) -> str:
    """Take off a final e and one of two final l (step 5)."""
    if word.endswith("e"):
        before = word[:-1]
        shape = _shape(before)
        measure = _measure(shape)
        if measure > 1 or (measure == 1 and not _short(before, shape)):
            word = before
    if word.endswith("ll") and _measure(_shape(word[:-1])) > 1:
        word = word[:-1]
    return word
