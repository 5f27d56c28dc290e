"""What the memory offers to MCP clients: four calls that take plain values and return text of bounded size.

Knows nothing about the protocol; `cli/mcp.py` registers these with the SDK.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from hipocampus.config import Config
from hipocampus.errors import UsageError
from hipocampus.memory.entries import TYPES
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import MemoryStore
from hipocampus.memory.tokens import estimate_tokens

RESULT_TOKENS = 8000  # of one answer; Claude Code warns at 10,000
MOST_RESULTS = 20

INSTRUCTIONS = """\
This is the long-term memory of the project: everything that was discussed, decided and learned before.
Use memory_search before asking the user about something that may be known, and when a task resembles earlier
work; memory_get prints a place that it names (also "root", the index of everything, "2026-W11", "2026-03").
Use memory_checkpoint after a finished task, a decision, a change of topic, or about 20 messages: what is not
saved is lost when the context is compacted. A rule that the user gives is an entry of type feedback with rule,
why and how_to_apply; what the user says about themselves is of type user. Secrets are taken out; code over five
lines, diffs and logs are not worth saving. memory_status says what is due."""


@dataclass(frozen=True)
class Opened:
    """The memory as one call finds it."""

    store: MemoryStore
    config: Config
    now: datetime
    today: date
    zone: tzinfo | None


class Tools:
    """The four calls. Each opens the memory anew: a server lives for days."""

    def __init__(self, open_memory: Callable[[], Opened], describe: Callable[[Opened], str]) -> None:
        self._open = open_memory
        self._describe = describe

    def search(
        self,
        query: str,
        limit: int = 8,
        type: str | None = None,
        since: str | None = None,
        until: str | None = None,
        level: str = "all",
    ) -> str:
        """Find what was discussed, decided or learned before. Any words, any language.

        type: project, feedback, user or reference. since, until: days as 2026-03-15. level: raw, daily,
        weekly, monthly, knowledge, plans or all. Each result names its place for memory_get.
        """
        from hipocampus.recall import LEVELS, search

        here = self._open()
        _one_of("type", type, TYPES)
        _one_of("level", level, LEVELS)
        found = search(
            here.store.root,
            query,
            today=here.today,
            n=max(1, min(limit, MOST_RESULTS)),
            type=type,
            since=_day("since", since),
            until=_day("until", until),
            level=level,
        )
        parts = [f"index: {t.topic} [{t.type}]{f' → {t.path}' if t.path else ''}" for t in found.triage]
        for hit in found.hits:
            age = "" if hit.age_days is None else f", {hit.age_days} days old"
            head = f"{hit.path}:{hit.line_start}-{hit.line_end}  {hit.topic} [{hit.type}{age}]"
            parts.append("\n".join([head, hit.text, *(f"({warning})" for warning in hit.warnings)]))
        parts += [f"({note})" for note in found.notes]
        return _bounded("\n\n".join(parts) or f"nothing found for {query!r}", "narrow the query or the limit")

    def get(self, place: str) -> str:
        """Print a place of the memory: root, 2026-03, 2026-W11, 2026-03-15, 2026-03-15:40-60, or a file's path."""
        from hipocampus.session.show import show

        return _bounded(
            show(self._open().store, place, up=False, down=False).text, "ask for lines, as 2026-03-15:1-200"
        )

    def checkpoint(
        self,
        topic: str,
        type: str | None = None,
        request: str = "",
        analysis: str = "",
        decisions: list[str] | None = None,
        outcome: str = "",
        files: list[str] | None = None,
        references: list[str] | None = None,
        rule: str = "",
        why: str = "",
        how_to_apply: str = "",
        supersedes: list[str] | None = None,
        session: str | None = None,
        decision: str = "",  # the command line's name for one of `decisions`: models write either
    ) -> str:
        """Save an entry into the raw log: what was asked, found, decided and done, in words that a search would use.

        type: project (default), feedback (with rule, why and how_to_apply), user or reference.
        """
        from hipocampus.session.checkpoint import checkpoint, fields_draft

        here = self._open()
        _one_of("type", type, TYPES)
        values = {
            "request": [request],
            "analysis": [analysis],
            "decisions": [*(decisions or []), decision],
            "outcome": [outcome],
            "files": files or [],
            "references": references or [],
            "supersedes": supersedes or [],
            "rule": [rule],
            "why": [why],
            "how-to-apply": [how_to_apply],
        }
        draft, omitted = fields_draft(topic, type, values)
        done = checkpoint(
            here.store,
            here.config.compaction,
            [draft],
            omitted,
            session=session,
            day=None,
            now=here.now,
            zone=here.zone,
        )
        verb = "saved" if done.entries else "stood there already"
        lines = [f"{verb}: {done.topics[0]} → {done.path}:{done.line_start}-{done.line_end}"]
        if done.redacted:
            lines.append("redacted: " + ", ".join(f"{n} {kind}" for kind, n in done.redacted.items()))
        lines += [f"shortened: {one.what} ({one.lines} lines)" for one in done.omitted]
        lines.append(f"compaction is {'due: hipo compact' if done.due else 'not due'} ({done.standing})")
        return "\n".join(lines)

    def status(self) -> str:
        """Say what the memory holds and what is due: compaction, and summaries that wait."""
        return _bounded(self._describe(self._open()), "")


def _one_of(name: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise UsageError(f"{name} is {value!r}", f"use one of {', '.join(allowed)}")


def _day(name: str, value: str | None) -> date | None:
    if not value:
        return None
    day = parse_day(value)
    if day is None:
        raise UsageError(f"{name} is {value!r}", "write a day as 2026-03-15")
    return day


def _bounded(text: str, advice: str) -> str:
    """Return a text of at most RESULT_TOKENS: whole lines, and a last one that says what is missing."""
    if estimate_tokens(text) <= RESULT_TOKENS:
        return text
    lines = text.split("\n")
    low, high = 0, len(lines)
    while low < high:  # the most lines that fit
        middle = (low + high + 1) // 2
        if estimate_tokens("\n".join(lines[:middle])) <= RESULT_TOKENS - 60:
            low = middle
        else:
            high = middle - 1
    kept = lines[:low] or [lines[0][: RESULT_TOKENS // 2]]
    said = f"({len(lines) - low} more lines{f'; {advice}' if advice else ''})"
    return "\n".join([*kept, said])
