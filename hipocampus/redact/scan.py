"""Find places by plain words: many times faster than one regular expression that holds them all."""

from collections.abc import Iterator


def positions(text: str, word: str) -> Iterator[int]:
    """Yield where `word` occurs in `text`, without overlaps."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def lowered(text: str) -> str:
    """Return the text in lower case, every character at the same place as before."""
    return text.replace("\u0130", "i").lower()  # the one letter that grows when it is lowered
