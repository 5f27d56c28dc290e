"""The last step of the chain: ROOT.md from the monthly nodes and the ROOT.md that stands."""

from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING

from hipocampus.compaction.cache import Cache
from hipocampus.compaction.report import RootDone
from hipocampus.errors import ReadError
from hipocampus.files import read_text
from hipocampus.memory.nodes import Frontmatter, Node, parse_node, render_node, second_block
from hipocampus.memory.periods import Level, parse_month
from hipocampus.memory.store import MemoryStore, clean

if TYPE_CHECKING:
    from hipocampus.compaction.rootparts import MonthPart

ROOT_FILE = "root.json"  # the part of each recent month, hipo's own lines, the tokens of the last ROOT.md
OLDER_FILE = "root-older.json"  # the older months, merged
PARTS_FILE = "root-parts.json"  # one part a month, read only when an older month changed
OWN_FILES = (ROOT_FILE, OLDER_FILE, PARTS_FILE)
RECENT_MONTHS = 2  # months at the end that change from day to day; they are merged with the others each time
VERSION = 8


def update_root(
    store: MemoryStore, cache: Cache, today: date, cap: int, *, dry_run: bool, nodes: dict[str, Node]
) -> RootDone:
    """Write ROOT.md where its sources, the day or the file itself changed; ReadError when it cannot be read.

    `nodes` are monthly nodes as this run would leave them, for a dry run that wrote none.
    """
    stats = store.node_stats(Level.MONTHLY)
    months = sorted({name for name in stats if parse_month(name)} | nodes.keys())
    own = _read(store, ROOT_FILE)
    keys = {name: ":".join(map(str, stats.get(name, ()))) for name in months}
    path = store.relative(store.node_path(Level.ROOT, ""))
    key = _root_key(store, today, cap, keys)
    if key == cache.root_key and not nodes and isinstance(tokens := own.get("tokens"), int):
        return RootDone(path, tokens, cap, False)
    standing = _standing(store)
    if not months:
        from hipocampus.memory.tokens import estimate_tokens

        return RootDone(path, estimate_tokens(_text(standing, today)), cap, False)
    older, recent = months[:-RECENT_MONTHS], months[-RECENT_MONTHS:]
    old = _older_part(store, older, keys, nodes, dry_run)
    last = _month_parts(store, own.get("recent"), recent, keys, nodes)
    parts = [*([old] if old else []), *last.values()]
    known = own.get("own")
    lines = [str(line) for line in known] if isinstance(known, list) else None
    text, own_lines, tokens = _within(parts, standing, today, cap, lines)
    changed = dry_run and text != read_text(store.node_path(Level.ROOT, ""))
    if not dry_run:
        changed = store.write_node(Level.ROOT, "", text)
        saved = {"version": VERSION, "recent": _saved(last, keys), "own": own_lines, "tokens": tokens}
        if saved != own:
            store.write_own(ROOT_FILE, saved)
        cache.root_key = _root_key(store, today, cap, keys)
    return RootDone(path, tokens, cap, changed)


def _within(
    parts: list["MonthPart"], standing: Node | None, today: date, cap: int, own: list[str] | None
) -> tuple[str, list[str], int]:
    """ROOT.md's whole text, hipo's own lines in it, and its tokens: within the cap, whatever its frontmatter holds."""
    from hipocampus.compaction.root import render_root
    from hipocampus.memory.tokens import estimate_tokens

    room = cap
    while True:
        root = render_root(parts, standing.body if standing else "", today, room, own)
        body = clean(root.body).text
        text = render_node(standing.front if standing else None, _front(today), body)
        tokens = estimate_tokens(text)
        if tokens <= cap or room <= cap // 4:
            return text, list(root.own_lines), tokens
        room -= max(tokens - cap, 20)


def _front(today: date) -> dict[str, object]:
    return {"type": "root", "status": "tentative", "last-updated": today.isoformat()}


def _text(standing: Node | None, today: date) -> str:
    return render_node(standing.front, _front(today), standing.body) if standing else ""


def _standing(store: MemoryStore) -> Node | None:
    """The ROOT.md that stands. Blocks that another tool stacked on top become one, no key of theirs is lost."""
    node = store.read_node(Level.ROOT, "")
    while node is not None and node.front is not None and second_block(node):
        inner = parse_node(node.body)
        assert inner.front is not None
        have = {key for key, _ in node.front.groups}
        groups = [*node.front.groups, *(g for g in inner.front.groups if g[0] is None or g[0] not in have)]
        values = {**inner.front.values, **node.front.values}
        node = Node(Frontmatter(values, groups, []), inner.body)
    return node


def _older_part(
    store: MemoryStore, months: list[str], keys: dict[str, str], nodes: dict[str, Node], dry_run: bool
) -> "MonthPart | None":
    """The part of the older months, as it was merged before or from the part of each; None without any."""
    from hipocampus.compaction.rootparts import merge_parts

    if not months:
        return None
    key = _digest([f"{name} {keys[name]}" for name in months])
    if not nodes.keys() & set(months):
        known = _read(store, OLDER_FILE)
        merged = _saved_part(known.get("part")) if known.get("key") == key else None
        if merged is not None:
            return merged
    parts = _month_parts(store, _read(store, PARTS_FILE), months, keys, nodes)
    merged = merge_parts(list(parts.values()))
    if not dry_run:
        store.write_own(PARTS_FILE, {"version": VERSION, **_saved(parts, keys)})
        store.write_own(OLDER_FILE, {"version": VERSION, "key": key, "part": merged.to_json()})
    return merged


def _read(store: MemoryStore, name: str) -> dict[str, object]:
    """One of these files; empty when it is missing, damaged, or of another version."""
    saved = store.read_own(name)
    return saved if saved.get("version") == VERSION else {}


def _month_parts(
    store: MemoryStore, saved: object, months: list[str], keys: dict[str, str], nodes: dict[str, Node]
) -> dict[str, "MonthPart"]:
    """The part of each month: as `_saved` gave it where its node is the same, else from its node."""
    parts = {}
    for name in months:
        known = saved.get(name) if isinstance(saved, dict) and name not in nodes else None
        part = None
        if isinstance(known, list) and len(known) == 2 and known[0] == keys[name]:
            part = _saved_part(known[1])
        parts[name] = part or _part(store, name, nodes)
    return parts


def _saved(parts: dict[str, "MonthPart"], keys: dict[str, str]) -> dict[str, object]:
    """Parts as they are kept: each with the version of its node. One that says nothing is not: the node may
    have been unreadable, and be mended without a new version."""
    told = {name: part for name, part in parts.items() if part.topics or part.said or part.talks}
    return {name: [keys[name], part.to_json()] for name, part in told.items()}


def _saved_part(saved: object) -> "MonthPart | None":
    """A part as an earlier run saved it; None when it is missing, damaged, or of another version's shape."""
    from hipocampus.compaction.rootparts import MonthPart

    if not isinstance(saved, list):
        return None
    try:
        return MonthPart.from_json(saved)
    except (ValueError, TypeError, AttributeError, KeyError):
        return None


def _part(store: MemoryStore, name: str, nodes: dict[str, Node]) -> "MonthPart":
    from hipocampus.compaction.monthparts import month_part

    try:
        node = nodes.get(name) or store.read_node(Level.MONTHLY, name)
    except ReadError:  # the chain has named it; the other months still have their say
        node = None
    return month_part(name, node.body, node.items("topics")) if node else month_part(name, "", [])


def _root_key(store: MemoryStore, today: date, cap: int, keys: dict[str, str]) -> str:
    stat = store.stat_of(store.node_path(Level.ROOT, ""))
    return _digest([today.isoformat(), str(cap), str(stat), *(f"{name} {key}" for name, key in keys.items())])


def _digest(words: list[str]) -> str:
    return sha256("\n".join(words).encode()).hexdigest()[:24]
