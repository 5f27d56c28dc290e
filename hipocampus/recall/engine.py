"""One search from the question to the results: bring the index up to date, ask it, or ask qmd."""

import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.recall import Hit, Recall, Triaged
from hipocampus.recall.asking import Search
from hipocampus.recall.candidates import SECTION_WEIGHTS
from hipocampus.recall.filters import Filters
from hipocampus.recall.index import DAMAGE, Index
from hipocampus.recall.query import any_of, parse_query
from hipocampus.recall.refresh import Refreshed, rebuild, refresh
from hipocampus.recall.schema import NODES_FROM
from hipocampus.recall.triage import triage

ROOT_PATH = "memory/ROOT.md"
T = TypeVar("T")


def run_search(root: Path, text: str, filters: Filters, *, n: int, today: date, engine: str) -> Recall:
    """Return what `hipocampus.recall.search` promises."""
    begun = time.perf_counter()
    problems: list[str] = []
    if engine == "qmd" and n > 0 and not parse_query(text).empty:
        found = _from_qmd(root, text, filters, n, today, problems)
        if found is not None:
            return found._replace(seconds=time.perf_counter() - begun)

    def asked(index: Index) -> tuple[list[Hit], list[str], tuple[Triaged, ...]]:
        hits, notes = Search(root, index, text, filters, today).run(max(0, n))
        return hits, notes, triage(index.text_of(ROOT_PATH), parse_query(text))

    fresh, (hits, notes, topics) = _ask(root, asked)
    problems += [part for part in (fresh.note, *fresh.problems) if part]
    seconds = time.perf_counter() - begun
    return Recall(
        text, tuple(hits), topics, tuple(notes), tuple(problems), fresh.files, fresh.changed, seconds
    )


def _ask(root: Path, question: Callable[[Index], T]) -> tuple[Refreshed, T]:
    """Ask an index that is up to date, and close it; one that shows damage, or went away, is built anew once."""
    try:
        return _asked(refresh(root), question)
    except (*DAMAGE, OSError, ValueError) as error:  # pages that nobody had looked at so far
        note = f"recall: the index was rebuilt ({error})"
    try:
        return _asked(rebuild(root, note), question)
    except (*DAMAGE, OSError) as error:
        raise HipoError(
            f"recall: memory/.hipo/recall.sqlite3: the index cannot be built ({error})",
            "try again; where something else stands in its place, delete that",
        ) from error


def _asked(fresh: Refreshed, question: Callable[[Index], T]) -> tuple[Refreshed, T]:
    try:
        return fresh, question(fresh.index)
    finally:
        fresh.index.close()


def _from_qmd(
    root: Path, text: str, filters: Filters, n: int, today: date, problems: list[str]
) -> Recall | None:
    """Return qmd's answer in hipo's form, None (and why, in `problems`) when there is none."""
    from hipocampus.recall.qmd import QmdFailed, ask_qmd, find_qmd, hits_of

    program = find_qmd()
    if program is None:
        problems.append("recall: qmd is not on PATH; the builtin engine answered")
        return None
    try:
        found, files, read = ask_qmd(program, root, text, 4 * n)
    except QmdFailed as error:
        problems.append(f"recall: {error}; the builtin engine answered")
        return None
    hits = hits_of(root, found, today, n, filters)
    from hipocampus.memory.store import clean

    root_text = read_text(root / ROOT_PATH)
    topics = triage(clean(root_text).text, parse_query(text)) if root_text else ()
    return Recall(text, tuple(hits), topics, (), (), files, read, 0.0)


def find_nodes(root: Path, text: str, limit: int) -> list[str]:
    """Return the paths of the nodes that fit a text best, best first; of the newest when nothing is asked for."""
    query = parse_query(text)

    def asked(index: Index) -> list[str]:
        if query.empty:
            scores = {
                number: -float(at) for at, number in enumerate(index.listed("s.id >= ?", [NODES_FROM], 900))
            }
        else:
            scores = index.section_scores(any_of(query.terms, query.prefixes), SECTION_WEIGHTS, nodes=True)
        return index.node_paths(scores, limit)

    return _ask(root, asked)[1]
