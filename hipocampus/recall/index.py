"""The recall index in SQLite: what it holds, and how a file gets in and out; `lookups.py` asks it.

The only module that imports sqlite3. The index is derived: deleting it costs time and nothing else.
Two full-text tables, without the texts themselves: of units (one turn, one list of a section), which stand in
a table of their own, and of whole sections. Nodes have unit and section numbers from `NODES_FROM` up, so that a search can ask for the
sources alone and never lets repeats crowd them out.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus import __version__
from hipocampus.recall.cjk import indexed_form
from hipocampus.recall.lookups import Lookups, range_of
from hipocampus.recall.rows import joined, rows_of
from hipocampus.recall.schema import NODE_LEVELS, SCHEMA, TABLES, FileState

if TYPE_CHECKING:
    from hipocampus.recall.units import Dated

DAMAGE = (sqlite3.DatabaseError,)
"""What SQLite raises over a damaged index; a lock that another process holds is among it, see `is_busy`."""

BUSY_SECONDS = 5.0
"""How long a query waits for another process that is writing into the index."""


def open_index(path: Path, *, write: bool = True) -> "Index":
    """Open a finished index; `IndexDamaged` when it is none, or one of another version."""
    try:
        uri = f"file:{_uri(path)}?mode={'rw' if write else 'ro'}"
        db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise IndexDamaged(str(error)) from error
    try:
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA:
            raise IndexDamaged("another version")
        # What is a secret, a turn or a fact may be judged otherwise from one release to the next.
        if db.execute("SELECT maker FROM listing").fetchone() != (__version__,):
            raise IndexDamaged("another release of hipo made it")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("PRAGMA mmap_size=268435456")
        db.execute("PRAGMA temp_store=MEMORY")
    except (sqlite3.Error, IndexDamaged) as error:
        db.close()
        raise IndexDamaged(str(error)) from error
    return Index(db)


def new_index(path: Path | None) -> "Index":
    """Begin an empty index in a file that nobody else uses yet, or in memory."""
    db = sqlite3.connect(str(path) if path else ":memory:", timeout=BUSY_SECONDS, isolation_level=None)
    # Nobody sees the file before it is whole: no journal, no syncing.
    db.execute("PRAGMA journal_mode=OFF")
    db.execute("PRAGMA synchronous=OFF")
    db.execute("PRAGMA page_size=8192")
    db.execute("PRAGMA cache_size=-131072")
    index = Index(db)
    db.execute("BEGIN")
    index.create()
    return index


def _uri(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


class IndexDamaged(Exception):
    """The file is no index that can be used: garbage, half a one, or one of another version."""


class Index(Lookups):
    """An open index. Use `open_index` or `new_index`; close it when done."""

    def create(self) -> None:
        for statement in TABLES.split(";\n"):
            self.db.execute(statement)
        self.db.execute("INSERT INTO listing VALUES(?, x'', x'')", (__version__,))
        self.db.execute(f"PRAGMA user_version={SCHEMA}")

    def finish(self) -> None:
        """End the building of a new index."""
        self.db.execute("COMMIT")

    def begin(self) -> None:
        self.db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.db.execute("COMMIT")

    def rollback(self) -> None:
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def close(self) -> None:
        self.db.close()

    def files(self) -> dict[str, FileState]:
        """Return what the index knows of its files, by path."""
        rows = self.db.execute("SELECT path, digest, level, made FROM files")
        return {row[0]: FileState._make(row) for row in rows}

    def digests(self, paths: Iterable[str]) -> dict[str, str]:
        """Return what tells the contents of these files apart, of those that the index has."""
        found: dict[str, str] = {}
        for path in paths:
            found.update(self.db.execute("SELECT path, digest FROM files WHERE path=?", (path,)))
        return found

    def listing(self) -> tuple[bytes, bytes]:
        """Return the listing (`Listing.packed`) of the files that the index holds."""
        paths, numbers = self.db.execute("SELECT paths, numbers FROM listing").fetchone()
        return paths, numbers

    def keep_listing(self, packed: tuple[bytes, bytes]) -> None:
        self.db.execute("UPDATE listing SET paths=?, numbers=?", packed)

    def keep_text(self, path: str, text: str) -> None:
        """Keep the whole text of a file that is looked at and not searched."""
        self.db.execute("INSERT OR REPLACE INTO texts VALUES(?, ?)", (path, text))

    def section_digests(self, path: str) -> list[str]:
        """Return what tells the sections of a file apart from any other, in their order; none for a new file."""
        rows = self.db.execute(
            "SELECT s.digest FROM sections s JOIN files f ON f.id = s.file WHERE f.path=? ORDER BY s.id",
            (path,),
        )
        return [row[0] for row in rows]

    def remove(self, path: str) -> None:
        """Take a file out."""
        row = self.db.execute("SELECT id FROM files WHERE path=?", (path,)).fetchone()
        if row is not None:
            self._drop_sections(row[0], 0)
            self.db.execute("DELETE FROM texts WHERE path=?", (path,))
            self.db.execute("DELETE FROM files WHERE id=?", row)

    def put(self, state: FileState, kept: int, sections: "Sequence[Dated]") -> None:
        """Put a file in, or what it holds now: its first `kept` sections stay as they are."""
        units = sum(len(dated.section.units) for dated in sections)
        known = self.db.execute("SELECT id FROM files WHERE path=?", (state.path,)).fetchone()
        if known is None:
            file = (
                self.db.execute(
                    "INSERT INTO files(path, digest, level, made, units) VALUES(?,?,?,?,?)", (*state, units)
                ).lastrowid
                or 0
            )
        else:
            file = known[0]
            units -= self._drop_sections(file, kept)
            self.db.execute(
                "UPDATE files SET digest=?, made=?, units=units+? WHERE id=?",
                (state.digest, state.made, units, file),
            )
        low, high = range_of(nodes=state.level in NODE_LEVELS)
        rows = rows_of(sections, file, self._next("sections", low, high), self._next("units", low, high))
        many = self.db.executemany
        many("INSERT INTO sections VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)", rows.sections)
        many("INSERT INTO units VALUES(?,?,?,?,?,?,?,?,?,?,?)", rows.units)
        many("INSERT INTO unit_words(rowid, heading, said, body) VALUES(?,?,?,?)", rows.unit_words)
        many("INSERT INTO section_words(rowid, heading, said, body) VALUES(?,?,?,?)", rows.section_words)

    def _drop_sections(self, file: int, kept: int) -> int:
        """Take out the sections of a file but for the first ones, and return the number of their units. SQLite
        wants all words spelled again that it must find in its full-text tables."""
        sections = self.db.execute(
            "SELECT id, unit_first, unit_last, topic FROM sections WHERE file=? ORDER BY id LIMIT -1 OFFSET ?",
            (file, kept),
        ).fetchall()
        for section, first, last, topic in sections:
            parts = self.db.execute(
                "SELECT id, heading, said, body FROM units WHERE id BETWEEN ? AND ? ORDER BY id",
                (first, last),
            ).fetchall()
            self.db.executemany(
                "INSERT INTO unit_words(unit_words, rowid, heading, said, body) VALUES('delete', ?, ?, ?, ?)",
                parts,
            )
            self.db.execute(
                "INSERT INTO section_words(section_words, rowid, heading, said, body) VALUES('delete', ?, ?, ?, ?)",
                (section, indexed_form(topic), *joined(part[2:] for part in parts)),
            )
            self.db.execute("DELETE FROM units WHERE id BETWEEN ? AND ?", (first, last))
            self.db.execute("DELETE FROM sections WHERE id=?", (section,))
        return sum(last - first + 1 for _, first, last, _ in sections)

    def _next(self, table: str, low: int, high: int) -> int:
        row = self.db.execute(f"SELECT max(id) FROM {table} WHERE id >= ? AND id < ?", (low, high)).fetchone()
        return (row[0] if row[0] is not None else low) + 1
