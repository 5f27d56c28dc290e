"""Nodes that wait for a summary: list them, take one that an agent wrote, ask a model for the next ones.

No lock is held while somebody thinks. What changed meanwhile is seen by the hash of the sources, and then
nothing is written.
"""

from collections.abc import Iterator
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.clock import local_day
from hipocampus.compaction.cache import NODE_LEVELS, Cache, read_waiting
from hipocampus.compaction.chain import Chain
from hipocampus.compaction.late import is_snapshot
from hipocampus.compaction.model import Summarizer, accept_summary, summary_prompt
from hipocampus.compaction.origin import Origin, origin_of, unreadable
from hipocampus.compaction.report import Action, NodeDone
from hipocampus.compaction.sources import LIMITS, Part, concatenation, covers_of, source_hash
from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.entries import Entry, parse_log
from hipocampus.memory.nodes import Node, Summary, hash_text, render_node
from hipocampus.memory.periods import Level, parse_period
from hipocampus.memory.store import MemoryStore, Problem

LOOK_BACK = 60  # nodes of a level that are looked at for a summary by rule that a model could replace


class SummaryRefused(HipoError):
    """A summary was offered that cannot become the node; the node is as it was."""


class Pending(NamedTuple):
    """A node that somebody may write a summary for."""

    place: str  # 2026-03-09, 2026-W10, 2026-03
    path: str
    level: Level
    sources: list[str]  # paths of what it summarizes
    hash: str  # names this version of the sources: --accept wants it back
    lines: int  # of the sources
    limit: int  # lines that the summary may have
    why: str


def list_pending(store: MemoryStore, today: date, *, extractive: bool) -> list[Pending]:
    """Return the nodes that wait, newest first within a level; with `extractive` those summarized by rule too."""
    chain = _listing(store, today)
    found = []
    for level, name, node in _nodes(store):
        why = _why(node, extractive)
        if not why:
            continue
        parts = chain.sources.parts(level, name)
        lines = sum(part.body.count("\n") + 1 for part in parts)
        path = store.relative(store.node_path(level, name))
        found.append(
            Pending(name, path, level, [p.path for p in parts], source_hash(parts), lines, LIMITS[level], why)
        )
    return found


def accept(
    store: MemoryStore, now: datetime, zone: tzinfo | None, place: str, hash_: str, reply: str
) -> NodeDone:
    """Take a summary for a node. SummaryRefused when it is unfit or the sources changed; then nothing is written."""
    found = parse_period(place)
    if found is None:
        raise UsageError(f"compact: --accept {place!r} is no node", "use 2026-03-09, 2026-W10 or 2026-03")
    level = found[0]
    with store.lock():
        chain = _listing(store, local_day(now, zone))
        node = store.read_node(level, place)
        if node is None:
            raise SummaryRefused(f"compact: there is no node {place}", "see: hipo compact --pending --all")
        if not _may_replace(node):
            raise SummaryRefused(
                f"compact: {place} holds text that somebody wrote", "edit the file itself to change it"
            )
        parts = chain.sources.parts(level, place)
        if source_hash(parts) != hash_:
            raise SummaryRefused(
                f"compact: the sources of {place} are not those of {hash_}",
                "read them anew: hipo compact --pending --all",
            )
        return _take(store, chain, level, place, node, parts, reply)


def summarize_waiting(
    store: MemoryStore, now: datetime, zone: tzinfo | None, level: Level, summarizer: Summarizer
) -> tuple[NodeDone | None, Problem | None]:
    """Ask for the summary of the most recent node of a level that waits, and write it if it is fit.

    On any failure the node stays as it is, waiting, and the failure comes back as a problem.
    """
    today = local_day(now, zone)
    name = _next(store, level)
    if name is None:
        return None, None
    path = store.relative(store.node_path(level, name))
    try:
        chain = _listing(store, today)
        parts = chain.sources.parts(level, name)
        before = source_hash(parts)
        text = concatenation(parts) if level is not Level.DAILY else parts[0].body
        reply = summarizer.summarize(summary_prompt(level, name, text, _topics(parts), LIMITS[level]))
        with store.lock():
            chain = _listing(store, today)
            parts = chain.sources.parts(level, name)
            node = store.read_node(level, name)
            if node is None or source_hash(parts) != before or not _by_rule(node):
                return None, Problem(path, 0, "its sources changed while the model thought; it stays waiting")
            return _take(store, chain, level, name, node, parts, reply), None
    except HipoError as error:
        return None, Problem(path, 0, f"no summary: {error}; the extractive one stands")


def _take(
    store: MemoryStore, chain: Chain, level: Level, name: str, node: Node, parts: list[Part], reply: str
) -> NodeDone:
    topics = _topics(parts)
    body, reason = accept_summary(reply, topics, LIMITS[level], _must_keep(parts))
    if body is None:
        raise SummaryRefused(f"compact: the summary of {name} was not taken: {reason}", "nothing was written")
    status = chain.status(level, name, parts)
    changes = chain.front(level, name, parts, status, covers_of(parts), source_hash(parts))
    changes |= {"topics": topics, "summary": str(Summary.LLM), "body-hash": hash_text(body), "waiting": None}
    store.write_node(level, name, render_node(node.front, changes, body))
    chain.sources.seen.remember(f"{level}/{name}", covers_of(parts), chain.sources.log)
    chain.sources.seen.save()
    path = store.relative(store.node_path(level, name))
    return NodeDone(path, str(level), str(status), str(Summary.LLM), Action.REBUILT, body.count("\n") + 1)


def _listing(store: MemoryStore, today: date) -> Chain:
    return Chain(store, today, Cache(store), waiting=True, dry_run=True)


def _nodes(store: MemoryStore) -> Iterator[tuple[Level, str, Node]]:
    for level in NODE_LEVELS:
        for name in sorted(store.node_names(level), reverse=True):
            found = parse_period(name)
            node = store.read_node(level, name) if found and found[0] is level else None
            if node is not None:
                yield level, name, node


def _why(node: Node, extractive: bool) -> str:
    if unreadable(node):
        return ""
    if node.text("waiting") == "true":
        return (
            "late entries"
            if node.text("summary") in (Summary.LLM, Summary.MANUAL)
            else "summarized by rule, waits for a model"
        )
    return "summarized by rule" if extractive and node.text("summary") == Summary.EXTRACTIVE else ""


def _next(store: MemoryStore, level: Level) -> str | None:
    """The most recent node that waits; else the most recent of those that were summarized before a model was asked for."""
    names = [name.split("/")[1] for name in read_waiting(store) if name.startswith(f"{level}/")]
    for name in sorted(names, reverse=True):
        node = store.read_node(level, name)
        if node is not None and node.text("waiting") == "true" and _by_rule(node):
            return name
    for name in sorted(store.node_names(level), reverse=True)[:LOOK_BACK]:
        found = parse_period(name)
        node = store.read_node(level, name) if found and found[0] is level else None
        if node is not None and node.text("summary") == Summary.EXTRACTIVE and node.body_intact:
            return name
    return None


def _by_rule(node: Node) -> bool:
    """Whether a model may replace the text unasked: hipo's own, or a model's with late entries below it."""
    return origin_of(node, ()) in (Origin.MECHANICAL, Origin.MODEL)


def _may_replace(node: Node) -> bool:
    return not unreadable(node) and (_by_rule(node) or node.text("waiting") == "true")


def _topics(parts: list[Part]) -> list[str]:
    return list(dict.fromkeys(topic for part in parts for topic in part.topics))


def _must_keep(parts: list[Part]) -> list[Entry]:
    """The user and feedback entries of the sources, each once: a summary that drops one gets it back."""
    found: dict[tuple[str, str, str], Entry] = {}
    for part in parts:
        for entry in part.entries or parse_log(part.body).entries:
            if entry.typed and entry.type in ("user", "feedback") and not is_snapshot(entry):
                found[entry.key] = entry
    return list(found.values())
