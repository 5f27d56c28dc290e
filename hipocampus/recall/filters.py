"""What a search is narrowed to, and the index's condition for it. Pure."""

from datetime import date
from typing import NamedTuple


class Filters(NamedTuple):
    """What a search is narrowed to. Days are inclusive."""

    type: str | None = None
    since: date | None = None
    until: date | None = None
    level: str = "all"

    @property
    def any(self) -> bool:
        return bool(self.type or self.since or self.until or self.level != "all")

    @property
    def said(self) -> str:
        """The filters in words: `of type feedback since 2026-03-01`."""
        words = [f"of type {self.type}"] if self.type else []
        words += [f"in {self.level}"] if self.level != "all" else []
        words += [f"since {self.since}"] if self.since else []
        words += [f"until {self.until}"] if self.until else []
        return " ".join(words)

    def condition(self) -> tuple[str, list[object]]:
        """Return the filters as a condition on the section `s`, with its values; "" for none."""
        wanted: list[str] = []
        values: list[object] = []
        if self.type == "project":
            wanted.append(
                "(s.type = 'project' OR s.type = '' AND s.file IN (SELECT id FROM files WHERE level <> 'knowledge'))"
            )
        elif self.type == "reference":
            wanted.append(
                "(s.type = 'reference' OR s.type = '' AND s.file IN (SELECT id FROM files WHERE level = 'knowledge'))"
            )
        elif self.type == "user":
            # What people say about themselves is `user` in ROOT.md too, wherever they say it.
            wanted.append("(s.type = 'user' OR s.type = '' AND EXISTS (SELECT 1 FROM units x"
                          " WHERE x.id BETWEEN s.unit_first AND s.unit_last AND x.role = 'person'))")  # fmt: skip
        elif self.type:
            wanted.append("s.type = ?")
            values.append(self.type)
        if self.since:
            wanted.append("s.last >= ?")
            values.append(self.since.isoformat())
        if self.until:
            wanted.append("s.first <= ? AND s.first <> ''")
            values.append(self.until.isoformat())
        if self.level != "all":
            wanted.append("s.file IN (SELECT id FROM files WHERE level = ?)")
            values.append(self.level)
        return " AND ".join(wanted), values
