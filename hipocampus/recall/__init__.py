"""Find it again: search over raw logs, nodes, knowledge/ and plans/.

`search` is the way in, for the command line, the brain, the MCP server and `forget` alike. What it
returns is here; how it is found is in `engine.py`, which is imported when the first search asks.
"""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hipocampus.recall.cards import NodeCard

LEVELS = ("raw", "daily", "weekly", "monthly", "knowledge", "plans", "all")


class Hit(NamedTuple):
    """One result. `path` is relative to the root, lines are 1-based and inclusive, `date` is an ISO day, a
    period like `2026-W11`, or "" for notes without a date (`age_days` is None then). `parts` says what
    the score is made of."""

    path: str
    line_start: int
    line_end: int
    topic: str
    type: str
    date: str
    age_days: int | None
    level: str
    score: float
    text: str
    warnings: tuple[str, ...]
    parts: dict[str, float]


class Triaged(NamedTuple):
    """A line of ROOT's Topics Index that fits the query; `path` is where it points, or ""."""

    topic: str
    type: str
    age_days: int | None
    path: str


class Recall(NamedTuple):
    """What a search found: hits best first, `notes` for the person who asked (dates that were narrowed,
    words that the memory does not use), `problems` with files or the index, for stderr."""

    query: str
    hits: tuple[Hit, ...]
    triage: tuple[Triaged, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    files: int
    refreshed: int
    seconds: float


def search(
    root: Path,
    query: str,
    *,
    today: date,
    n: int = 10,
    type: str | None = None,
    since: date | None = None,
    until: date | None = None,
    level: str = "all",
    engine: str = "builtin",
) -> Recall:
    """Return the `n` best results for any text, best first; a text without a letter or digit finds nothing.

    `type`, `since`, `until` (both inclusive) and `level` narrow what is looked at. The index is brought
    up to date first. `engine` "qmd" asks that program, where it is installed and answers.
    """
    from hipocampus.recall.engine import run_search
    from hipocampus.recall.filters import Filters

    return run_search(root, query, Filters(type, since, until, level), n=n, today=today, engine=engine)


def manifest(root: Path, query: str) -> "list[NodeCard]":
    """Return the frontmatter of at most a dozen nodes that fit a text best, under 500 tokens together."""
    from hipocampus.recall.cards import MOST_NODES, fit_cards, read_cards
    from hipocampus.recall.engine import find_nodes

    return fit_cards(read_cards(root, find_nodes(root, query, MOST_NODES)))
