"""A text that is searched for many plain words: far faster than one regular expression that holds them all."""

_TOKEN_CHARS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~+/=-"
_CLASSES = bytes(byte in _TOKEN_CHARS for byte in range(256))
_ASCII = bytes(range(128))
_LONG = b"\1" * 16  # what a word of sixteen characters is in classes


class Scan:
    """A text, the same in lower case, and where words occur in it.

    `low` has every character at the same place as `text`; only ASCII letters are lowered, and
    characters beyond Latin-1 are `?` in it. It is for finding words, never for reading values.
    """

    __slots__ = ("_bytes", "_found", "_long_words", "low", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # One byte a character, whatever the text holds: half the time of `str.lower`, and every word search is faster.
        self._bytes = text.encode("latin-1", "replace")
        self.low = text.lower() if text.isascii() else self._bytes.lower().decode("latin-1")
        self._found: dict[str, list[int]] = {}
        self._long_words: list[tuple[int, int]] | None = None

    def at(self, word: str) -> list[int]:
        """Return where `word` (lower case) occurs, in order and without overlaps; searched once for all callers."""
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = _places(self.low, word)
        return found

    def long_words(self) -> list[tuple[int, int]]:
        """Return where words of sixteen characters or more that tokens may hold begin and end; searched once."""
        if self._long_words is None:
            self._long_words = self._find_long_words()
        return self._long_words

    def _find_long_words(self) -> list[tuple[int, int]]:
        # The search for sixteen equal bytes is six times as fast as a pattern that tells what the bytes may be.
        classes = self._bytes.translate(_CLASSES)
        words = []
        start = classes.find(_LONG)
        while start >= 0:
            end = classes.find(0, start + len(_LONG))
            end = end if end >= 0 else len(classes)
            words.append((start, end))
            start = classes.find(_LONG, end)
        return words

    def other_letters(self, wanted: frozenset[str]) -> list[int]:
        """Return where characters beyond ASCII of `wanted` stand, in order.

        Which of them occur is told by the text without its ASCII: English holds so few others that no
        pattern is as fast.
        """
        if self.text.isascii():
            return []
        other = self.text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
        present = wanted.intersection(other.decode("utf-8", "surrogatepass"))
        return sorted(at for letter in present for at in _places(self.text, letter))


def _places(text: str, word: str) -> list[int]:
    places = []
    at = text.find(word)
    while at >= 0:
        places.append(at)
        at = text.find(word, at + len(word))
    return places
