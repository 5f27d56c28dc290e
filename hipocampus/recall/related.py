"""Words that people use for the same things: a question is widened by them, at a lower weight.

The table is `related.txt`, written by hand. It is searched as text: to stem all of its words would take
longer than the rest of a search.
"""

from functools import cache
from pathlib import Path

from hipocampus.recall.stem import stem


@cache
def _table() -> str:
    """Return the table with a space before every word and after every colon's word."""
    lines = Path(__file__).with_name("related.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(f" {line.replace(':', ' :')} " for line in lines if line and line[0] != "#")


def related(word: str) -> list[str]:
    """Return the words that are related to `word`, in the order of the table, without those of its own stem."""
    own = stem(word)
    table = _table()
    start = f" {own[:-1] if len(own) > 3 else own}"
    found: dict[str, None] = {}
    at = table.find(start)
    while at >= 0:
        end = table.find(" ", at + 1)
        if stem(table[at + 1 : end]) == own:
            line = table[
                table.rfind("\n", 0, at) + 1 : table.find("\n", at) if table.find("\n", at) >= 0 else None
            ]
            kind, colon, members = line.partition(" :")
            is_kind = bool(colon) and stem(kind.strip()) == own
            found.update(
                dict.fromkeys([kind.strip()] if colon and not is_kind else (members or line).split())
            )
        at = table.find(start, end)
    return [other for other in found if stem(other) != own]
