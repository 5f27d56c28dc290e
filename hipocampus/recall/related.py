"""Words that people use for the same things: a question is widened by them, at a lower weight.

The table is `related.txt`, written by hand. It is read when a search first needs it.
"""

from functools import cache
from pathlib import Path

from hipocampus.recall.stem import stem


@cache
def _table() -> dict[str, dict[str, None]]:
    """Return, for the stem of each word of the table, the words that are related to it."""
    found: dict[str, dict[str, None]] = {}
    for line in Path(__file__).with_name("related.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        kind, colon, members = line.partition(":")
        words = (members if colon else line).split()
        for word in words:
            entry = found.setdefault(stem(word), {})
            entry.update(dict.fromkeys((kind,) if colon else words))
            if colon:
                found.setdefault(stem(kind), {})[word] = None
    return found


def related(word: str) -> list[str]:
    """Return the words that are related to `word`, without those of its own stem."""
    own = stem(word)
    return [other for other in _table().get(own, ()) if stem(other) != own]
