"""What a search asks the index: which units and sections fit, how often a word stands where, and the rows.

The two full-text tables are asked in their own query language, which `query.py` writes.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from hipocampus.recall.schema import NODES_FROM, SectionRow, UnitRow

if TYPE_CHECKING:
    import sqlite3

_Value = TypeVar("_Value")


class Lookups:
    """The questions that an open index answers. Counts are remembered: sources and nodes are searched one after
    the other, with the same words."""

    def __init__(self, connection: "sqlite3.Connection") -> None:
        self.db = connection
        self._totals: dict[str, int] = {}
        self._known: dict[str, dict[str, int]] = {"vocabulary": {}, "section_vocabulary": {}}

    def best_units(
        self, match: str, limit: int, keep: str = "", values: Sequence[object] = (), *, nodes: bool = False
    ) -> list[int]:
        """Return the units that fit an index query best, best first. `keep` is a condition on the section
        (alias s) with its `values`. What an assistant said counts half."""
        low, high = range_of(nodes)
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
        low, high = range_of(nodes)
        rows = self.db.execute(
            "SELECT unit_words.rowid, "
            " lower(unit_words.heading || char(10) || unit_words.said || char(10) || unit_words.body) AS whole"
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
                (*weights, match, *range_of(nodes)),
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
                "SELECT id, section, line_start, line_end, role, speaker, text, said || body, heading, facts"
                f" FROM units WHERE id IN ({_marks(part)}) ORDER BY id",
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
        return self._total("SELECT coalesce(sum(units), 0) FROM files"), self._counts("vocabulary", stems)

    def section_counts(self, stems: Sequence[str]) -> tuple[int, dict[str, int]]:
        """Return how many sections there are, and in how many of them each stem stands."""
        return self._total("SELECT count(*) FROM sections"), self._counts("section_vocabulary", stems)

    def _total(self, question: str) -> int:
        if question not in self._totals:
            self._totals[question] = self.db.execute(question).fetchone()[0]
        return self._totals[question]

    def _counts(self, table: str, stems: Sequence[str]) -> dict[str, int]:
        known = self._known[table]
        for part in _parts([stem for stem in stems if stem not in known]):
            known.update(dict.fromkeys(part, 0))
            known.update(
                self.db.execute(f"SELECT term, doc FROM {table} WHERE term IN ({_marks(part)})", part)
            )
        return {stem: known[stem] for stem in stems if known[stem]}

    def said_in(self, section: int) -> str:
        """Return the indexed text of a section without what an assistant said."""
        rows = self.db.execute(
            "SELECT u.said FROM sections s JOIN units u ON u.id BETWEEN s.unit_first AND s.unit_last"
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


_SECTION = (
    "SELECT s.id, f.path, f.level, f.made, s.line_start, s.line_end, s.topic, s.type, s.key, s.first, s.last,"
    " s.unit_first, s.unit_last, s.supersedes FROM sections s JOIN files f ON f.id = s.file"
)


def range_of(nodes: bool) -> tuple[int, int]:
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
