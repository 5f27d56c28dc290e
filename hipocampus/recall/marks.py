"""Where the words of a query stand in a text, for showing them."""

import re

from hipocampus.recall.candidates import token
from hipocampus.recall.cjk import run_pattern
from hipocampus.recall.query import parse_query

_WORD = re.compile(r"[^\W_]+")


def spans(text: str, query: str) -> list[tuple[int, int]]:
    """Return begin and end of every word of `text` that the query asks for, in order."""
    asked = parse_query(query)
    forms = {token(term) for term in asked.terms}
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        if token(match[0].lower()) in forms:
            found.append(match.span())
    for run in run_pattern().finditer(text):
        for at in range(run.start(), run.end()):
            if text[at : at + 2] in asked.terms or text[at] in asked.prefixes:
                found.append((at, min(at + 2, run.end()) if text[at] not in asked.prefixes else at + 1))
    return sorted(found)
