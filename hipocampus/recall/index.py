"""The recall index in SQLite: what it holds, how a file gets in and out, and the lookups of a search.

The only module that imports sqlite3. The index is derived: deleting it costs time and nothing else.
Two full-text tables: units (one turn, one list of a section) with their text, and whole sections
without it. Nodes have unit and section numbers from `NODES_FROM` up, so that a search can ask for the
sources alone and never lets repeats crowd them out.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hipocampus.recall.cjk import indexed_form
from hipocampus.recall.schema import NODES_FROM, SCHEMA, TABLES, FileState, SectionRow, UnitRow

if TYPE_CHECKING:
    from hipocampus.recall.units import Section

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


_Value = TypeVar("_Value")


class Index:
    """An open index. Use `open_index` or `new_index`; close it when done."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.db = connection

    # -- building -----------------------------------------------------------------------------------

    def create(self) -> None:
        for statement in TABLES.split(";\n"):
            self.db.execute(statement)
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
        rows = self.db.execute(
            "SELECT path, size, mtime, ctime, inode, stamp, digest, level, made FROM files"
        )
        return {row[0]: FileState(*row) for row in rows}

    def touch(self, state: FileState) -> None:
        """Note that the file of this state was read again and holds what the index has."""
        self.db.execute(
            "UPDATE files SET size=?, mtime=?, ctime=?, inode=?, stamp=? WHERE path=?",
            (state.size, state.mtime, state.ctime, state.inode, state.stamp, state.path),
        )

    def remove(self, path: str) -> None:
        """Take a file out: its words too, which SQLite wants spelled again for the table without text."""
        row = self.db.execute("SELECT id FROM files WHERE path=?", (path,)).fetchone()
        if row is None:
            return
        sections = self.db.execute(
            "SELECT id, unit_first, unit_last, topic FROM sections WHERE file=?", row
        ).fetchall()
        for section, first, last, topic in sections:
            parts = self.db.execute(
                "SELECT said, body FROM unit_words WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (first, last)
            ).fetchall()
            self.db.execute(
                "INSERT INTO section_words(section_words, rowid, heading, said, body) VALUES('delete', ?, ?, ?, ?)",
                (section, indexed_form(topic), *_joined(parts)),
            )
            self.db.execute("DELETE FROM unit_words WHERE rowid BETWEEN ? AND ?", (first, last))
            self.db.execute("DELETE FROM units WHERE id BETWEEN ? AND ?", (first, last))
        self.db.execute("DELETE FROM sections WHERE file=?", row)
        self.db.execute("DELETE FROM texts WHERE path=?", (path,))
        self.db.execute("DELETE FROM files WHERE id=?", row)

    def add(self, state: FileState, sections: "Sequence[tuple[Section, str, str, str, str]]") -> None:
        """Put a file in. Each section comes with its topic key, first and last date, and superseded keys."""
        file = self.db.execute(
            "INSERT INTO files(path, size, mtime, ctime, inode, stamp, digest, level, made, units)"
            " VALUES(?,?,?,?,?,?,?,?,?,?)",
            (*state, sum(len(row[0].units) for row in sections)),
        ).lastrowid
        node = state.level in ("daily", "weekly", "monthly")
        low, high = (NODES_FROM, NODES_FROM << 1) if node else (0, NODES_FROM)
        section_id = self._next("sections", low, high)
        unit_id = self._next("units", low, high)
        rows, words, whole, spans = [], [], [], []
        for section, key, first, last, superseded in sections:
            heading = indexed_form(section.topic)
            begin, parts = unit_id, []
            for unit in section.units:
                form = indexed_form(unit.text)
                name = f"{unit.speaker}: " if unit.role == "other" else ""
                kept = None if form is unit.text else name + unit.text
                rows.append(
                    (
                        unit_id,
                        section_id,
                        unit.line_start,
                        unit.line_end,
                        unit.role,
                        unit.speaker,
                        kept,
                        unit.facts,
                    )
                )
                text = indexed_form(name) + form
                said, body = ("", text) if unit.role == "assistant" else (text, "")
                words.append((unit_id, heading if unit.role == "note" else "", said, body))
                parts.append((said, body))
                unit_id += 1
            spans.append(
                (
                    section_id,
                    file,
                    section.line_start,
                    section.line_end,
                    section.topic,
                    section.type,
                    key,
                    first,
                    last,
                    begin,
                    unit_id - 1,
                    superseded,
                )
            )
            whole.append((section_id, heading, *_joined(parts)))
            section_id += 1
        many = self.db.executemany
        many("INSERT INTO sections VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", spans)
        many("INSERT INTO units VALUES(?,?,?,?,?,?,?,?)", rows)
        many("INSERT INTO unit_words(rowid, heading, said, body) VALUES(?,?,?,?)", words)
        many("INSERT INTO section_words(rowid, heading, said, body) VALUES(?,?,?,?)", whole)

    # -- looking up ---------------------------------------------------------------------------------

    def best_units(
        self, match: str, limit: int, keep: str = "", values: Sequence[object] = (), *, nodes: bool = False
    ) -> list[int]:
        """Return the units that fit an index query best, best first. `keep` is a condition on the section
        (alias s) with its `values`. What an assistant said counts half."""
        low, high = _range(nodes)
        return [
            row[0]
            for row in self.db.execute(
                f"SELECT unit_words.rowid, bm25(unit_words, 1, 1, 0.5) AS score FROM unit_words{_joins(keep)}"
                " WHERE unit_words MATCH ? AND unit_words.rowid >= ? AND unit_words.rowid < ?"
                " ORDER BY score, unit_words.rowid LIMIT ?",
                (*values, match, low, high, limit),
            )
        ]

    def literal_units(
        self,
        match: str,
        literal: str,
        limit: int,
        keep: str = "",
        values: Sequence[object] = (),
        *,
        nodes: bool = False,
    ) -> list[int]:
        """Return the units that fit an index query and hold `literal` (lower case) as it is, not as part of
        a longer word."""
        low, high = _range(nodes)
        rows = self.db.execute(
            "SELECT unit_words.rowid, lower(heading || char(10) || said || char(10) || body) AS whole"
            f" FROM unit_words{_joins(keep)} WHERE unit_words MATCH ? AND unit_words.rowid >= ?"
            " AND unit_words.rowid < ? AND instr(whole, ?) LIMIT ?",
            (*values, match, low, high, literal, limit),
        )
        return [number for number, whole in rows if _stands_alone(literal, whole)]

    def section_scores(
        self, match: str, weights: tuple[float, float, float], *, nodes: bool = False
    ) -> dict[int, float]:
        """Return the score of every section that matches an index query; higher is better."""
        return dict(
            self.db.execute(
                "SELECT rowid, -bm25(section_words, ?, ?, ?) FROM section_words"
                " WHERE section_words MATCH ? AND rowid >= ? AND rowid < ?",
                (*weights, match, *_range(nodes)),
            ).fetchall()
        )

    def section_ids(self, keep: str, values: Sequence[object]) -> set[int]:
        """Return the sections that a condition (alias s) holds for."""
        return {row[0] for row in self.db.execute(f"SELECT s.id FROM sections s WHERE {keep}", list(values))}

    def units(self, numbers: Sequence[int]) -> dict[int, UnitRow]:
        """Return units by number."""
        found: dict[int, UnitRow] = {}
        for part in _parts(numbers):
            rows = self.db.execute(
                "SELECT u.id, u.section, u.line_start, u.line_end, u.role, u.speaker, u.text, w.said || w.body, w.heading, u.facts"
                f" FROM units u JOIN unit_words w ON w.rowid = u.id WHERE u.id IN ({_marks(part)}) ORDER BY u.id",
                part,
            )
            for number, section, start, end, role, speaker, text, words, heading, facts in rows:
                both = f"{heading}\n{words}" if heading else words
                told = tuple(map(float, facts.split())) if facts else ()
                found[number] = UnitRow(number, section, start, end, role, speaker, text or words, both, told)
        return found

    def sections(self, numbers: Sequence[int]) -> dict[int, SectionRow]:
        """Return sections by number."""
        found: dict[int, SectionRow] = {}
        for part in _parts(numbers):
            rows = self.db.execute(f"{_SECTION} WHERE s.id IN ({_marks(part)})", part)
            found.update((row[0], SectionRow(*row)) for row in rows)
        return found

    def units_of(self, sections: Sequence[int], *, assistant: bool = True) -> list[int]:
        """Return the units of these sections, with or without what an assistant said."""
        rows = self.db.execute(
            "SELECT u.id FROM sections s JOIN units u ON u.id BETWEEN s.unit_first AND s.unit_last"
            f" WHERE s.id IN ({_marks(sections)}) AND (? OR u.role <> 'assistant') ORDER BY u.id",
            (*sections, assistant),
        )
        return [row[0] for row in rows]

    def term_counts(self, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Return how many units there are, and in how many of them each stem stands."""
        total = self.db.execute("SELECT coalesce(sum(units), 0) FROM files").fetchone()[0]
        return total, self._counts("vocabulary", stems)

    def section_counts(self, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Return how many sections there are, and in how many of them each stem stands."""
        total = self.db.execute("SELECT count(*) FROM sections").fetchone()[0]
        return total, self._counts("section_vocabulary", stems)

    def _counts(self, table: str, stems: Sequence[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for part in _parts(stems):
            rows = self.db.execute(
                f"SELECT term, doc FROM {table} WHERE term IN ({_marks(part)})", list(part)
            )
            found.update(rows.fetchall())
        return found

    def said_in(self, section: int) -> str:
        """Return the indexed text of a section without what an assistant said."""
        rows = self.db.execute(
            "SELECT w.said FROM sections s JOIN unit_words w ON w.rowid BETWEEN s.unit_first AND s.unit_last"
            " WHERE s.id = ?",
            (section,),
        )
        return "\n".join(row[0] for row in rows if row[0])

    def stems_from(self, start: str) -> list[tuple[str, int]]:
        """Return the stems that begin with a letter, with the number of units that hold them."""
        return self.db.execute(
            "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?", (start, start + "\U0010ffff")
        ).fetchall()

    def texts_with(self, stem: str) -> list[str]:
        """Return a few texts of units that hold a stem."""
        rows = self.db.execute(
            "SELECT heading || ' ' || said || ' ' || body FROM unit_words WHERE unit_words MATCH ? LIMIT 3",
            (f'"{stem}" *',),
        )
        return [row[0] for row in rows]

    def node_paths(self, scores: dict[int, float], limit: int) -> list[str]:
        """Return the files of the best sections, best first, each once."""
        best = sorted(scores, key=lambda number: (-scores[number], number))[:900]
        rows = self.sections(best)
        return list(dict.fromkeys(rows[number].path for number in best if number in rows))[:limit]

    def keep_text(self, path: str, text: str) -> None:
        """Keep the whole text of a file that is looked at and not searched."""
        self.db.execute("INSERT INTO texts VALUES(?, ?)", (path, text))

    def text_of(self, path: str) -> str:
        """Return a text that was kept, "" when there is none."""
        row = self.db.execute("SELECT text FROM texts WHERE path=?", (path,)).fetchone()
        return str(row[0]) if row else ""

    def has_nodes(self) -> bool:
        return (
            self.db.execute("SELECT 1 FROM sections WHERE id >= ? LIMIT 1", (NODES_FROM,)).fetchone()
            is not None
        )

    def has_sources(self, first: str, last: str, levels: Sequence[str]) -> bool:
        """Whether a file of one of the levels has something of these days (ISO, inclusive)."""
        row = self.db.execute(
            "SELECT 1 FROM sections s JOIN files f ON f.id = s.file WHERE s.first BETWEEN ? AND ?"
            f" AND f.level IN ({_marks(levels)}) LIMIT 1",
            (first, last, *levels),
        ).fetchone()
        return row is not None

    def superseders(self) -> list[tuple[int, str]]:
        """Return the entries that supersede topics, with the topics' keys, one a line."""
        return self.db.execute(
            "SELECT id, supersedes FROM sections WHERE supersedes <> '' AND id < ? ORDER BY id", (NODES_FROM,)
        ).fetchall()

    def listed(self, keep: str, values: Sequence[object], limit: int) -> list[int]:
        """Return the sections that a condition (alias s) holds for, newest first, sources before nodes."""
        rows = self.db.execute(
            f"SELECT s.id FROM sections s WHERE {keep} ORDER BY s.id >= ?, s.last DESC, s.id DESC LIMIT ?",
            (*values, NODES_FROM, limit),
        )
        return [row[0] for row in rows]

    def _next(self, table: str, low: int, high: int) -> int:
        row = self.db.execute(f"SELECT max(id) FROM {table} WHERE id >= ? AND id < ?", (low, high)).fetchone()
        return (row[0] if row[0] is not None else low) + 1


_SECTION = (
    "SELECT s.id, f.path, f.level, f.made, s.line_start, s.line_end, s.topic, s.type, s.key, s.first, s.last,"
    " s.unit_first, s.unit_last, s.supersedes FROM sections s JOIN files f ON f.id = s.file"
)


def _range(nodes: bool) -> tuple[int, int]:
    """Return the numbers that sources, or nodes, have: from, and up to but not including."""
    return (NODES_FROM, NODES_FROM << 1) if nodes else (0, NODES_FROM)


def _joins(keep: str) -> str:
    return (
        f" JOIN units u ON u.id = unit_words.rowid JOIN sections s ON s.id = u.section AND {keep}"
        if keep
        else ""
    )


def _parts(numbers: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    """Cut a list into pieces that SQLite takes as parameters."""
    for at in range(0, len(numbers), 900):
        yield numbers[at : at + 900]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _stands_alone(literal: str, text: str) -> bool:
    """Whether an identifier is in a text other than as part of a longer word."""
    at = text.find(literal)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(literal) : at + len(literal) + 1]
        if not (literal[0].isalnum() and before.isalnum()) and not (
            literal[-1].isalnum() and after.isalnum()
        ):
            return True
        at = text.find(literal, at + 1)
    return False


def _joined(parts: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Return the said and body texts of a section, from those of its units."""
    both = list(parts)
    return "\n".join(said for said, _ in both if said), "\n".join(body for _, body in both if body)
