"""What `hipo checkpoint` does: an entry, from options or from stdin, into the raw log."""

import os
import select
import stat
import sys
from collections.abc import Sequence
from datetime import date, timedelta

from hipocampus.cli.context import Call, opened, session_id
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.cli.words import ENTRY_TYPES, FLAG, TEXT, TEXTS, Words
from hipocampus.errors import UsageError
from hipocampus.memory.periods import parse_day
from hipocampus.redact import redact
from hipocampus.session.checkpoint import Checkpointed, checkpoint, fields_draft, text_drafts

WORDS = Words(
    {
        "--type": ("type", ENTRY_TYPES),
        "--request": ("request", TEXTS),
        "--analysis": ("analysis", TEXTS),
        "--decision": ("decision", TEXTS),
        "--outcome": ("outcome", TEXTS),
        "--file": ("file", TEXTS),
        "--reference": ("reference", TEXTS),
        "--rule": ("rule", TEXTS),
        "--why": ("why", TEXTS),
        "--how-to-apply": ("how_to_apply", TEXTS),
        "--supersedes": ("supersedes", TEXTS),
        "--session": ("session", TEXT),
        "--date": ("date_", TEXT),
        "--json": ("as_json", FLAG),
    },
    rest=("topic", TEXT),
)


def run_checkpoint(
    call: Call,
    *,
    topic: str | None = None,
    type: str | None = None,
    request: Sequence[str] | None = None,
    analysis: Sequence[str] | None = None,
    decision: Sequence[str] | None = None,
    outcome: Sequence[str] | None = None,
    file: Sequence[str] | None = None,
    reference: Sequence[str] | None = None,
    rule: Sequence[str] | None = None,
    why: Sequence[str] | None = None,
    how_to_apply: Sequence[str] | None = None,
    supersedes: Sequence[str] | None = None,
    session: str | None = None,
    date_: str | None = None,
    as_json: bool = False,
) -> None:
    """Save what was given, and print where it stands."""
    values = {
        "request": list(request or ()),
        "analysis": list(analysis or ()),
        "decisions": list(decision or ()),
        "outcome": list(outcome or ()),
        "files": list(file or ()),
        "references": list(reference or ()),
        "supersedes": list(supersedes or ()),
        "rule": list(rule or ()),
        "why": list(why or ()),
        "how-to-apply": list(how_to_apply or ()),
    }
    content = type is not None or any(text for texts in values.values() for text in texts)
    day = _day(date_)
    here = opened(call)
    if day is not None and day > here.today + timedelta(days=1):  # a day's grace: time zones differ
        raise UsageError(f"checkpoint: --date {day} lies in the future", f"today is {here.today}")
    if topic is not None and topic != "-":
        draft, omitted = fields_draft(topic, type, values)
        drafts = [draft]
    else:
        if content:
            raise UsageError(
                "checkpoint: options describe one entry and need a TOPIC",
                "give a TOPIC, or only the text on stdin",
            )
        drafts, omitted = text_drafts(_stdin(wanted=topic == "-"))
    done = checkpoint(
        here.store,
        here.config.compaction,
        drafts,
        omitted,
        session=session_id(session),
        day=day,
        now=here.now,
        zone=here.zone,
    )
    print_notes(f"{p.path}: {p.message}" for p in done.problems)
    print_json(_as_json(done)) if as_json else print_text(_as_text(done))


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    day = parse_day(text)
    if day is None:
        raise UsageError(f"checkpoint: --date {text!r} is no day", "write it as 2026-03-15")
    return day


def _stdin(wanted: bool) -> str:
    """The text on stdin. A terminal is read only when `-` asked for it; an open pipe without TOPIC is read to its end."""
    missing = UsageError(
        "checkpoint: nothing to save",
        'give a TOPIC ("hipo checkpoint --help" shows examples) or pipe entries into stdin',
    )
    if sys.stdin is None or sys.stdin.closed:
        raise missing
    if not wanted:
        if sys.stdin.isatty():
            raise missing
        kind = os.fstat(sys.stdin.fileno()).st_mode
        if not (stat.S_ISFIFO(kind) or stat.S_ISREG(kind) or stat.S_ISSOCK(kind)):
            raise missing
        if not select.select([sys.stdin], [], [], 10)[0]:
            raise missing
    text = sys.stdin.read()
    if not text.strip():
        raise missing
    return text


def _as_json(done: Checkpointed) -> dict[str, object]:
    return {
        "path": done.path,
        "line_start": done.line_start,
        "line_end": done.line_end,
        "entries": done.entries,
        "duplicates": done.duplicates,
        "redacted": dict(done.redacted),
        "omitted": [{"what": o.what, "lines": o.lines} for o in done.omitted],
        "private_lines": done.private_lines,
        "in_hot_files": dict(done.in_hot_files),
        "checkpoints": done.checkpoints,
        "raw_lines": done.raw_lines,
        "due": done.due,
    }


def _as_text(done: Checkpointed) -> str:
    place = f"{done.path}:{done.line_start}-{done.line_end}"
    shown = redact(", ".join(done.topics[:3])).text + (
        f" and {len(done.topics) - 3} more" if len(done.topics) > 3 else ""
    )
    lines = [
        f"saved {shown} → {place}" if done.entries else f"already there, not written again: {shown} → {place}"
    ]
    if done.entries and done.duplicates:
        lines.append(f"{done.duplicates} of them stood there already and were not written again")
    if done.redacted:
        lines.append("redacted: " + ", ".join(f"{count} {kind}" for kind, count in done.redacted.items()))
    if done.private_lines:
        lines.append(f"private: {done.private_lines} lines left out")
    if done.omitted:
        lines.append("shortened: " + ", ".join(f"{o.what} ({o.lines} lines)" for o in done.omitted))
    for name, count in done.in_hot_files.items():
        lines.append(f"{count} lines stand in {name} too")
    lines.append(f"compaction is {'due' if done.due else 'not due'}: {done.standing}")
    return "\n".join(lines)
