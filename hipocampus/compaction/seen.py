"""What somebody's nodes have taken in, where their frontmatter does not say it. Kept in `.hipo/`.

A node without `covers` counts as covering its logs as they stood when hipo first saw it. The entries that
were there are remembered by short hashes, so that an edit in the covered lines shows which one is new.
"""

from collections.abc import Callable, Mapping

from hipocampus.compaction.late import Seen, entry_hash
from hipocampus.compaction.rawlog import ReadyLog
from hipocampus.memory.nodes import Cover, Node, parse_covers
from hipocampus.memory.store import MemoryStore

FILE = "seen.json"  # node -> day -> [cover, hashes of the entries]


class SeenEntries:
    """The covers and entries of somebody's nodes."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._known = store.read_own(FILE)
        self._changed = False

    def covers(self, key: str) -> dict[str, Cover]:
        """Return the covers of a node (`daily/2026-02-26`) as they were when it was seen last; empty if never."""
        return parse_covers([str(row[0]) for row in self._rows(key).values()])

    def of(self, key: str, node: Node, covers: Mapping[str, Cover]) -> dict[str, Seen]:
        """Return what a node has taken in, by day: by its own covers, else as seen before, else `covers`."""
        rows = self._rows(key)
        written = parse_covers(node.items("covers")) or self.covers(key)
        if not written and not rows:
            return {day: Seen(cover, None) for day, cover in covers.items()}
        return {
            day: Seen(cover, frozenset(map(str, rows[day][1:])) if day in rows else None)
            for day, cover in written.items()
        }

    def remember(self, key: str, covers: Mapping[str, Cover], log: Callable[[str], ReadyLog | None]) -> None:
        """Write down what a node has taken in now; `log` is asked only for days that changed."""
        rows = self._rows(key)
        now: dict[str, object] = {}
        for day, cover in covers.items():
            if day in rows and rows[day][0] == str(cover):
                now[day] = rows[day]
            elif (ready := log(day)) is not None:
                now[day] = [str(cover), *(entry_hash(entry) for entry in ready.entries)]
        if now != self._known.get(key):
            self._known[key] = now
            self._changed = True

    def save(self) -> None:
        """Write the file when something changed."""
        if self._changed:
            self._store.write_own(FILE, self._known)
            self._changed = False

    def _rows(self, key: str) -> dict[str, list[object]]:
        known = self._known.get(key)
        if not isinstance(known, dict):
            return {}
        return {day: row for day, row in known.items() if isinstance(row, list) and row}
