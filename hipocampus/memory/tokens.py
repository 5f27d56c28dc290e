"""Estimate how many tokens a text takes in o200k, without its vocabulary.

Pure. Not below the real count on English, CJK, code and emoji, and at most 10 % above it on English:
the text is cut the way the tokenizer cuts it (lines, and in them words with the space before them, three
digits, runs of signs), and each piece costs by its kind and length. Weights were fitted to the real
counts; `bench/tokens.py` measures how well.
"""

import re
from functools import cache, lru_cache
from math import ceil

_SHORT = 8
"""Below this many tokens an estimate says one more: a single rare word has no average."""


@cache
def _pieces() -> re.Pattern[str]:
    """The pieces of a line. Single characters of any other kind are told apart by `_other`, not by a pattern
    of whole scripts, which takes longer to compile than most texts to estimate."""
    return re.compile(
        r"'(?:s|t|re|ve|m|ll|d)\b"  # belongs to the word before it
        r"|( ?)([A-Z]?[a-z]+|[A-Z]+(?![a-z]))"
        r"|( ?)(\d{1,3})"
        r"|( ?)([!-/:-@\[-`{-~]+)(?=(.?))"  # and what stands behind the signs
        r"|(\s+)(?=(\d?))"  # and whether a number stands behind the space
        r"|(.)",
        re.S,
    )


# Tokens of a word by its length, behind a space: lower case, capitalised, upper case. Longer ones cost
# `_LONG` a letter more.
_LOWER = (0, 1.0, 1.02, 1.03, 1.06, 1.1, 1.13, 1.15, 1.17, 1.21, 1.23, 1.25, 1.3, 1.4)
_CAPITAL = (0, 1.0, 1.0, 1.08, 1.15, 1.26, 1.36, 1.42, 1.49, 1.57, 1.66, 1.8, 1.9, 2.0)
_UPPER = (0, 1.0, 1.1, 1.4, 1.9, 2.3, 2.6, 3.0, 3.4, 3.8, 4.2, 4.6, 5.0, 5.4)
_LONG = 0.3
_JOINERS = frozenset("-._/(\"'`[{<*#$@:=")
_JOINING = (
    0.35  # of these a single one goes with the word behind it more often than not: `-hour`, `.py`, `(see`
)
_GLUED = 0.25  # a word right behind a sign or another word is rarer than one behind a space


@lru_cache(maxsize=8192)
def _other(char: str) -> float:
    """Return the tokens of one character that is no ASCII letter, digit or sign."""
    if "\u0080" <= char <= "\u024f" or "\u0300" <= char <= "\u036f":
        return 0.9  # accented Latin and marks
    if "\u2010" <= char <= "\u2027" or "\u2032" <= char <= "\u205e":
        return 0.9  # dashes, quotes, ellipsis
    if "\u2500" <= char <= "\u257f":
        return 1.2  # lines of boxes
    if "\u3040" <= char <= "\u30ff" or "\u3000" <= char <= "\u303f" or "\uff00" <= char <= "\uffef":
        return 0.9  # kana and full-width signs
    if "\uac00" <= char <= "\ud7a3":
        return 0.9  # Hangul
    if "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff":
        return 1.1  # Han
    if char in "\u200d\ufe0f":
        return 1.0  # joiners of emoji
    return 0.8 if char.isalnum() else 3.0  # letters of other scripts, anything else


@lru_cache(maxsize=8192)
def _word(word: str, spaced: bool) -> float:
    size = len(word)
    table = _LOWER if word[0] >= "a" else (_UPPER if word.isupper() and size > 1 else _CAPITAL)
    cost = table[size] if size < len(table) else table[-1] + _LONG * (size - len(table) + 1)
    return cost if spaced or size < 3 else cost + _GLUED


def _signs(signs: str, spaced: bool, before_word: bool) -> float:
    size = len(signs)
    if size > 2:
        return 1.2 + (size - 2) * (0.04 if signs[0] == signs[-1] else 0.4)
    if before_word and not spaced:
        return _JOINING if signs in _JOINERS else 1.0
    return 1.05 if size == 1 else 1.15


def _space(space: str, before_digits: bool) -> float:
    """A run of white space: what indents a line is one token, its last space belongs to a word behind it, but to no number."""
    if len(space) == 1:
        return 0.8
    indents = space[-1] == " "
    return indents + (indents and before_digits)


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of the o200k tokens of `text`; 0 for the empty text."""
    if not text:
        return 0
    total = 0.0
    lines = text.split("\n")
    last = lines.pop()
    for line in lines:
        if line:  # blank lines belong to the line end before them
            cost, takes_end = _line(line)
            total += cost if takes_end else cost + 1
    if last:
        total += _line(last)[0]
    return max(1, ceil(total + (1 if total < _SHORT else 0)))


@lru_cache(maxsize=2048)  # who fits lines into a room asks for each of them, and then for the whole
def _line(line: str) -> tuple[float, bool]:
    """Return the tokens of a line, and whether its last signs take the line end into their token."""
    total = 0.0
    signs = ""
    for piece in _pieces().findall(line):
        before_word, word, before_digits, digits, before_signs, signs, behind, space, number, other = piece
        if word:
            total += _word(word, bool(before_word))
        elif digits:
            total += 2 if before_digits else 1
        elif signs:
            total += _signs(signs, bool(before_signs), behind.isalpha())
        elif space:
            total += _space(space, bool(number))
        elif other:
            total += _other(other)
    return total, bool(signs)
