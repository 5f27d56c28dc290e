"""Take something out of the memory for good: the text goes, a tombstone stays, and what was derived is made anew."""

import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from pathlib import Path

from hipocampus.clock import local_day
from hipocampus.compaction.rootstep import OWN_FILES
from hipocampus.compaction.run import rebuild
from hipocampus.config import Config
from hipocampus.errors import ChangedMeanwhile
from hipocampus.files import decode, encode, read_bytes, remove_file, replace_file
from hipocampus.memory.entries import parse_log
from hipocampus.memory.nodes import Node, Summary, hash_text, render_node
from hipocampus.memory.periods import Level, week_of
from hipocampus.memory.places import parse_place
from hipocampus.memory.store import MemoryStore, Problem
from hipocampus.memory.tombstones import entry_mark, line_mark, marks_in, tombstone
from hipocampus.session.holding import (
    Held,
    Thing,
    find,
    kind_of,
    read_lines,
    text_files,
    texts_in,
    thing_of,
)
from hipocampus.session.hotfile import raw_lines
from hipocampus.session.status import INDEX_FILE

_DATE = re.compile(r"# (\d{4}-\d\d-\d\d)[ \t]*$")
NODE_LEVELS = (Level.DAILY, Level.WEEKLY, Level.MONTHLY)


@dataclass(frozen=True)
class Plan:
    """What would be forgotten: the places that hold it. Nodes are among them; they are made anew."""

    thing: Thing
    held: list[Held]
    index: bool  # whether a recall index stands, which is made anew too
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class Forgotten:
    """What was done."""

    files: list[str]  # whose text was changed
    rebuilt: list[str]  # derived files that were made anew
    left: list[Problem]  # where it stands still, and why
    redacted: Mapping[str, int] = field(default_factory=dict)


def plan(store: MemoryStore, text: str) -> Plan:
    """Return what a place or some words would take out. Nothing is written."""
    thing, named = thing_of(store, text)
    held, problems = find(store, thing)
    covered = {(h.path, n) for h in named for n in range(h.first, h.last + 1)}
    others = [h for h in held if not all((h.path, n) in covered for n in range(h.first, h.last + 1))]
    if thing.exact:  # nodes have such a line from other logs too, which keep it
        near = _nodes_of(store, [*named, *(h for h in others if h.kind == "raw")])
        days = {h.path[7:17] for h in (*named, *others) if h.kind == "raw"}
        others = [h for h in others if h.kind != "node" or (h.path in near and _is_of_days(store, h, days))]
    return Plan(thing, [*named, *others], has_index(store), problems)


def carry_out(
    store: MemoryStore, config: Config, planned: Plan, now: datetime, zone: tzinfo | None
) -> Forgotten:
    """Take out what was planned, and make the derived files anew. What could not be done is named in `left`."""
    today = local_day(now, zone)
    changed: list[str] = []
    with store.lock():
        for held in planned.held:
            if held.kind in ("raw", "hot", "note"):
                _check_unchanged(store, held)
        # First: once the logs are clean, nothing tells any more which days these were.
        _drop_models(store, planned.held)
        for path in dict.fromkeys(h.path for h in planned.held if h.kind in ("raw", "hot", "note")):
            spans = [(h.first - 1, h.last) for h in planned.held if h.path == path]
            _bury(store, path, spans, today)
            changed.append(path)
        for path in dict.fromkeys(h.path for h in planned.held if h.kind == "brain"):
            _bury_records(store.root / path, planned.thing, today)
            changed.append(path)
        _clean_own(store, planned.thing, today)
    rebuilt, problems = rebuild_tree(store, config, now, zone)
    with store.lock():
        again = _bury_in_nodes(store, planned, today)
    if again:
        more, problems = rebuild_tree(store, config, now, zone)
        rebuilt = [*dict.fromkeys([*rebuilt, *again, *more])]
    if planned.index:
        rebuilt.append(renew_index(store))
    return Forgotten(changed, rebuilt, [*planned.problems, *problems, *_left(store, planned)])


def _check_unchanged(store: MemoryStore, held: Held) -> None:
    """Raise ChangedMeanwhile when lines that were planned, and perhaps agreed to, are not there any more."""
    lines = read_lines(store, held.path)[held.first - 1 : held.last]
    said = next((line for line in lines if line.strip()), "")
    if len(lines) != held.last - held.first + 1 or held.text not in (lines[0], said):
        raise ChangedMeanwhile(
            f"{held.path}:{held.first}: somebody wrote to it since it was looked at",
            "nothing was forgotten; ask for it again",
        )


def _bury(store: MemoryStore, path: str, spans: list[tuple[int, int]], today: date) -> None:
    """Put a tombstone in place of each run of lines of a file; every other byte stays."""
    file = store.root / path
    before = read_bytes(file) or b""
    parts = raw_lines(before.decode("utf-8", "surrogateescape"))
    lines = read_lines(store, path)
    entries = parse_log("\n".join(lines)).entries if kind_of(store, path) == "raw" else []
    front = (
        next((n for n in range(1, len(lines)) if lines[n].rstrip() == "---"), 0)
        if lines[:1] == ["---"]
        else 0
    )
    for start, end in sorted(spans, reverse=True):
        marks = marks_in(lines[start:end])
        for entry in entries:
            if entry.line_start - 1 < end and start < entry.line_end:
                marks.append(entry_mark(entry))
                if start > entry.line_start - 1:
                    marks += [line_mark(line) for line in lines[start:end] if line.strip()]
        stone = tombstone(today, marks, yaml=start < front)
        ending = parts[end - 1][len(parts[end - 1].rstrip("\r\n")) :]
        bom = "\ufeff" if start == 0 and parts[0].startswith("\ufeff") else ""
        parts[start:end] = [f"{bom}{stone}{ending}"]
    replace_file(file, "".join(parts).encode("utf-8", "surrogateescape"), instead_of=before)


def _bury_records(path: Path, thing: Thing, today: date) -> None:
    """Replace the texts of a conversation or handoff that hold the thing; the records stay."""
    lines = (read_bytes(path) or b"").decode("utf-8", "surrogateescape").split("\n")
    text = "\n".join(without_thing(line, thing, today) for line in lines)
    replace_file(path, text.encode("utf-8", "surrogateescape"))


def without_thing(line: str, thing: Thing, today: date) -> str:
    """Return a line of JSON in which each text that holds the thing says that it was forgotten."""
    if not any(thing.is_in(text) for text in texts_in(line)):
        return line
    try:
        return json.dumps(_without(json.loads(line), thing, today), ensure_ascii=False)
    except (ValueError, RecursionError):  # no record of ours: the line goes as a whole
        return ""


def _without(value: object, thing: Thing, today: date) -> object:
    if isinstance(value, str):
        return f"(forgotten {today.isoformat()})" if thing.is_in(value) else value
    if isinstance(value, dict):
        return {
            str(_without(str(key), thing, today)): _without(item, thing, today) for key, item in value.items()
        }
    return [_without(item, thing, today) for item in value] if isinstance(value, list) else value


def _nodes_of(store: MemoryStore, held: Sequence[Held]) -> dict[str, tuple[Level, str]]:
    """Return the nodes, by path, above the logs among these places, and those that are named themselves."""
    found: dict[str, tuple[Level, str]] = {}
    for place in held:
        if place.kind == "raw":
            day = place.path[7:17]
            week = week_of(date.fromisoformat(day))
            names = ((Level.DAILY, day), (Level.WEEKLY, str(week)), (Level.MONTHLY, str(week.month)))
            found |= {store.relative(store.node_path(level, name)): (level, name) for level, name in names}
        elif place.kind == "node" and (node := parse_place(store, place.path)) and node.level is not None:
            found[place.path] = (node.level, "" if node.level is Level.ROOT else node.path.stem)
    return found


def _is_of_days(store: MemoryStore, place: Held, days: set[str]) -> bool:
    """Whether lines of a node come from the logs of these days, as far as its date headings tell.

    In somebody's own text the thing goes wherever it stands.
    """
    if not _is_mechanical_at(store, place.path):
        return True
    above = (_DATE.match(line) for line in reversed(read_lines(store, place.path)[: place.first]))
    return next((match[1] in days for match in above if match), True)


def _drop_models(store: MemoryStore, held: Sequence[Held]) -> None:
    """Remove the summaries that a model wrote of these days: they tell the thing in words of their own."""
    for level, name in _nodes_of(store, [place for place in held if place.kind == "raw"]).values():
        node = store.read_node(level, name)
        if node is not None and node.text("summary") == Summary.LLM:
            remove_file(store.node_path(level, name))


def _bury_in_nodes(store: MemoryStore, planned: Plan, today: date) -> list[str]:
    """Take the thing out of nodes that were not made anew: somebody's text, word for word, and lines of ROOT.md."""
    thing, changed = planned.thing, []
    nodes = [(level, name) for level in NODE_LEVELS for name in sorted(store.node_names(level))]
    if thing.exact:
        nodes = [*_nodes_of(store, planned.held).values()]
    else:
        nodes.append((Level.ROOT, ""))
    for level, name in nodes:
        path = store.node_path(level, name)
        node = store.read_node(level, name)
        if node is None or _is_mechanical(node) or not thing.is_in(decode(read_bytes(path) or b"")):
            continue
        lines = node.body.split("\n")
        for start, end in reversed(thing.spans(lines)):
            lines[start:end] = [] if level is Level.ROOT else [tombstone(today)]
        body = "\n".join(lines).strip("\n")
        topics = node.items("topics")
        kept = [topic for topic in topics if not thing.is_in(topic)]
        changes: dict[str, object] = {"topics": kept or None} if kept != topics else {}
        if node.text("body-hash") and node.body_intact:
            changes["body-hash"] = hash_text(body)
        store.write_node(level, name, render_node(node.front, changes, body) if node.front else f"{body}\n")
        changed.append(store.relative(path))
    return changed


def _is_mechanical(node: Node) -> bool:
    return node.text("summary") in (Summary.VERBATIM, Summary.EXTRACTIVE) and node.body_intact


def _clean_own(store: MemoryStore, thing: Thing, today: date) -> None:
    """Take the thing out of hipo's own folder. What is derived there goes as a whole; ledgers and cursors stay."""
    for name in OWN_FILES:
        remove_file(store.hidden / name)
    for path in sorted(store.hidden.rglob("*")):
        if not path.is_file() or path.name == "lock" or path.name.endswith(".lock"):
            continue
        if path.name.startswith((INDEX_FILE, f".{INDEX_FILE}")):
            continue
        data = read_bytes(path) or b""
        if path.parent.name == "capsules":
            if thing.is_in(_inflated(data)):
                remove_file(path)
            continue
        text = data.decode("utf-8", "surrogateescape")
        if path.suffix == ".json":
            if any(thing.is_in(said) for said in texts_in(text)):
                value = json.loads(text) if text.strip().startswith(("{", "[")) else {}
                replace_file(
                    path, encode(json.dumps(_without(value, thing, today), ensure_ascii=False)), durable=False
                )
        elif thing.is_in(text):
            lines = text.split("\n")
            for start, end in reversed(thing.spans(lines)):
                del lines[start:end]
            replace_file(path, "\n".join(lines).encode("utf-8", "surrogateescape"), durable=False)


def _inflated(data: bytes) -> str:
    """A capsule's content as text; "" when it is damaged or used up."""
    try:
        return zlib.decompress(data.partition(b"\n")[2]).decode("utf-8", "replace")
    except zlib.error:
        return ""


def rebuild_tree(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None
) -> tuple[list[str], list[Problem]]:
    """Bring nodes and ROOT.md up to date; return the paths of those that changed, and what went wrong."""
    report = rebuild(store, config, now, zone)
    problems = list(report.problems)
    if not report.ran:
        problems.append(
            Problem("memory", 0, f"the tree was not rebuilt: {report.skipped_because}; run hipo forget again")
        )
    paths = [node.path for node in report.changed]
    return [*paths, *([report.root.path] if report.root and report.root.changed else [])], problems


def has_index(store: MemoryStore) -> bool:
    """Whether something stands that searches made of the memory: hipo's own index, or qmd's."""
    return (store.hidden / INDEX_FILE).exists() or (store.hidden / "qmd").exists()


def renew_index(store: MemoryStore) -> str:
    """Delete the index with all that SQLite keeps of deleted rows, and make it anew."""
    from hipocampus.recall.refresh import refresh

    for path in store.hidden.glob(f"*{INDEX_FILE}*"):
        remove_file(path)
    # What qmd made of the memory goes too; it is made anew by the next search that asks qmd.
    for path in (store.hidden / "qmd").rglob("*"):
        if not path.is_dir():
            remove_file(path)
    refresh(store.root).index.close()
    return store.relative(store.hidden / INDEX_FILE)


def _left(store: MemoryStore, planned: Plan) -> list[Problem]:
    """Where the thing stands still. Words are looked for in every file, hipo's own included, and in names."""
    thing = planned.thing
    if thing.exact:
        near = _nodes_of(store, planned.held)
        held = [h for h in find(store, thing)[0] if h.kind != "node" or h.path in near]
        held = [h for h in held if h.kind != "node" or not _is_mechanical_at(store, h.path)]
        return [Problem(h.path, h.first, "still holds it") for h in held]
    files = {store.root / path for path in text_files(store)}
    files |= {path for path in store.memory.rglob("*") if path.is_file()}
    found = []
    for path in sorted(files):
        if thing.is_in((read_bytes(path) or b"").decode("utf-8", "replace")):
            found.append(Problem(store.relative(path), 0, "still holds it"))
        if thing.is_in(path.stem):
            found.append(Problem(store.relative(path), 0, "its name holds it; rename it"))
    return found


def _is_mechanical_at(store: MemoryStore, path: str) -> bool:
    """Whether a node follows from its logs alone: a line like those that went is there from another entry."""
    place = parse_place(store, path)
    node = store.read_node(place.level, place.path.stem) if place and place.level else None
    return node is not None and _is_mechanical(node)
