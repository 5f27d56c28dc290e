"""Late entries: what somebody's node lacks of its logs is added below it, and not a byte of it changes. Pure."""

import re
from hashlib import sha256
from typing import NamedTuple

from hipocampus.compaction.rawlog import ReadyLog
from hipocampus.memory.entries import SNAPSHOT_TOPIC, Entry, parse_log, render_entry, split_lines, topic_key
from hipocampus.memory.nodes import Cover

HEADING = "## Late entries"
_DAY_HEADING = r"(?m)^# \d{4}-\d\d-\d\d[ \t]*$"


class Seen(NamedTuple):
    """What a node has taken in of one log: how far, and which entries (None where nobody wrote that down)."""

    cover: Cover
    entries: frozenset[str] | None


def entry_hash(entry: Entry) -> str:
    """Return a short name of an entry's topic, type and text."""
    return sha256("\x00".join(entry.key).encode("utf-8", "replace")).hexdigest()[:12]


def missing_entries(log: ReadyLog, seen: Seen | None, body: str) -> list[Entry]:
    """Return the entries of a log that a node lacks, in the log's order.

    Unchanged covered lines with more behind them: what follows. Changed ones: the entries that were not
    among those taken in, or, where that is not known, that the node's text lacks.
    """
    there = {entry_hash(entry) for entry in late_entries(body)}
    entries = [entry for entry in log.entries if entry_hash(entry) not in there]
    if seen is None:
        return entries
    if seen.cover == log.cover:
        return []
    if seen.cover.matches(log.raw_lines) and log.exact:
        return [entry for entry in entries if entry.line_end > seen.cover.lines]
    if seen.entries is not None:
        return [entry for entry in entries if entry_hash(entry) not in seen.entries]
    return _lacking(entries, body)


def _lacking(entries: list[Entry], body: str) -> list[Entry]:
    """The entries that a text lacks: not named in it, or standing in it as an entry with other lines."""
    words = topic_key(body)
    lines = {line.rstrip() for line in split_lines(body)}
    copied = {(topic_key(e.topic), e.type) for e in parse_log(body).entries}

    def lacks(entry: Entry) -> bool:
        if (topic_key(entry.topic), entry.type) in copied:
            return any(line.strip() and line.rstrip() not in lines for line in split_lines(entry.body))
        return topic_key(entry.topic) not in words

    return [entry for entry in entries if lacks(entry)]


def late_entries(body: str) -> list[Entry]:
    """Return the entries that stand under the heading of late entries."""
    parts = re.split(rf"^{re.escape(HEADING)}[ \t]*$", body, maxsplit=1, flags=re.M)
    return parse_log(re.sub(_DAY_HEADING, "", parts[1])).entries if len(parts) == 2 else []


def add_late(body: str, entries: list[tuple[str, Entry]], limit: int, *, dated: bool) -> str:
    """Return a body with entries added verbatim under the late heading; `dated`: each day's under its date.

    Where the node would pass `limit` lines, an entry becomes a line with its place, and what does not fit
    even so is counted with its days.
    """
    base = (
        body
        if any(line.rstrip() == HEADING for line in split_lines(body))
        else f"{body}\n\n{HEADING}".strip("\n")
    )
    whole: list[str] = []
    day_before = ""
    for day, entry in entries:
        if dated and day != day_before:
            whole.append(f"# {day}")
            day_before = day
        whole.append(render_entry(entry.topic, entry.type, entry.comment, entry.body).rstrip("\n"))
    full = "\n\n".join([base, *whole])
    if full.count("\n") + 1 <= limit:
        return full
    room = limit - base.count("\n") - 1
    lines = [f"- {e.heading}: {_first_line(e)} → {day}:{e.line_start}" for day, e in entries]
    if len(lines) > room:
        shown = max(0, room - 1)
        days = sorted({day for day, _ in entries[shown:]})
        rest = f"- +{len(lines) - shown} more → {', '.join(days)}"
        lines = [*lines[:shown], rest] if room > 0 else []
    return "\n".join([base, *lines])


def _first_line(entry: Entry) -> str:
    line = next((line.strip(" -*") for line in entry.body.split("\n") if line.strip()), "")
    return line if len(line) <= 160 else line[:159].rsplit(" ", 1)[0] + "…"


def is_snapshot(entry: Entry) -> bool:
    """True for the copies of WORKING.md that compaction leaves in the log."""
    return topic_key(entry.topic) == topic_key(SNAPSHOT_TOPIC)
