"""ROOT's Topics Index as the first look: which topics of the memory a question is about.

Pure. The lines are those that compaction writes: `- Payment flow [project, 0d]: token bucket → place`.
"""

import re
from functools import cache

from hipocampus.recall import Triaged
from hipocampus.recall.candidates import token, words_of
from hipocampus.recall.cjk import indexed_form
from hipocampus.recall.query import Query

MOST_LINES = 5
"""Topics that are shown; more would be a list of everything."""


@cache
def _line() -> re.Pattern[str]:
    return re.compile(
        r"^- (?P<topic>.+?) \[(?P<type>project|feedback|user|reference)(?:, (?P<age>\d+)d)?(?:, \?)?\]"
        r"(?:: (?P<words>.*?))?(?: → (?P<place>\S.*))?$"
    )


def triage(root_text: str, query: Query) -> tuple[Triaged, ...]:
    """Return the topics of ROOT.md's index that share words with the query, best first."""
    asked = frozenset(token(term) for term in query.terms)
    found: list[tuple[int, int, Triaged]] = []
    for number, line in enumerate(_index_lines(root_text)):
        match = _line().match(line) if _held(line, asked) else None
        if match is None:
            continue
        topic = _held(match["topic"], asked)
        rest = _held(match["words"] or "", asked) | _held(match["place"] or "", asked)
        if topic or rest:
            age = int(match["age"]) if match["age"] else None
            one = Triaged(match["topic"], match["type"], age, (match["place"] or "").strip())
            found.append((-2 * len(topic) - len(rest - topic), number, one))
    found.sort(key=lambda item: item[:2])
    return tuple(one for _, _, one in found[:MOST_LINES])


def _held(text: str, asked: frozenset[str]) -> frozenset[str]:
    """Return which of the words that are asked for stand in a text."""
    initials = tuple(form[:1] for form in asked)  # stemming leaves the first letter alone
    words = [w for w in words_of(indexed_form(text)) if w.startswith(initials) or not w.isascii()]
    return asked.intersection(map(token, words))


def _index_lines(root_text: str) -> list[str]:
    """Return the lines of the section `## Topics Index`."""
    _, _, rest = f"\n{root_text}".partition("\n## Topics Index")
    return rest.partition("\n## ")[0].splitlines()
