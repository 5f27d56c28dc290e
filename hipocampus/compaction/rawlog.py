"""A raw log made ready for the nodes above it: clean, without passing entries, its line numbers kept."""

from typing import NamedTuple

from hipocampus.memory.entries import Entry, is_passing, parse_log, split_lines
from hipocampus.memory.nodes import Cover, cover_of
from hipocampus.memory.store import clean


class ReadyLog(NamedTuple):
    """One raw log, as nodes may hold it."""

    day: str
    cover: Cover  # of the log as it stands on disk
    raw_lines: list[str]
    entries: list[Entry]  # clean, passing ones left out
    lines: list[str]  # clean, passing entries cut out
    numbered: str  # clean, passing entries blank: its line numbers are those of the log
    exact: bool  # whether `numbered` keeps that promise (a secret over several lines breaks it)
    passing: int
    redacted: dict[str, int]

    @property
    def note(self) -> str:
        return passing_note(self.passing)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing that a node could say."""
        return not self.passing and not any(line.strip() for line in self.lines)

    @property
    def body(self) -> str:
        """The verbatim body of the daily node."""
        lines = [*self.lines, "", self.note] if self.passing else self.lines
        return "\n".join(lines).strip("\n")


def passing_note(count: int) -> str:
    """The line by which a node says what it left out."""
    return f"- {count} {'entry' if count == 1 else 'entries'} left out as passing" if count else ""


def ready_log(day: str, text: str) -> ReadyLog:
    """Return a raw log (plain text) ready for its nodes. An entry marked as passing is only counted."""
    cover = cover_of(day, text)
    raw_lines = split_lines(text)
    cleaned = clean(text)
    lines = split_lines(cleaned.text)
    log = parse_log(cleaned.text)
    passing = [entry for entry in log.entries if is_passing(lines[entry.line_start - 1][2:], entry.body)]
    blank: set[int] = set()
    for entry in passing:
        blank.update(range(entry.line_start - 1, entry.line_end))
    kept = _cut(lines, blank) if blank else lines
    numbered = ["" if n in blank else line for n, line in enumerate(lines)] if blank else lines
    entries = [entry for entry in log.entries if entry not in passing] if passing else log.entries
    exact = len(lines) == len(raw_lines)
    return ReadyLog(
        day, cover, raw_lines, entries, kept, "\n".join(numbered), exact, len(passing), cleaned.redacted
    )


def _cut(lines: list[str], blank: set[int]) -> list[str]:
    """The lines without those of `blank`, and without the double gap that would stay in their place."""
    out: list[str] = []
    for number, line in enumerate(lines):
        if number in blank or (not line.strip() and number - 1 in blank and (not out or not out[-1].strip())):
            continue
        out.append(line)
    return out
