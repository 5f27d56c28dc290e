"""`hipo checkpoint`: an entry, from options or from stdin, into the raw log."""

import os
import select
import stat
import sys
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.context import opened, session_id
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.errors import UsageError
from hipocampus.memory.periods import parse_day
from hipocampus.session.checkpoint import Checkpointed, checkpoint, fields_draft, text_drafts

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo checkpoint "Payment flow" --request "new endpoint" --decision "token bucket: bursts are legitimate" --outcome "3 tests"

  hipo checkpoint "Short answers" --rule "answer in three lines" --why "reads on a phone" --how-to-apply "every status question"

  hipo checkpoint - < entries.md
"""


class EntryType(StrEnum):
    """What an entry is about."""

    PROJECT = "project"
    FEEDBACK = "feedback"
    USER = "user"
    REFERENCE = "reference"


@app.command(epilog=EXAMPLES)
def checkpoint_command(
    ctx: typer.Context,
    topic: Annotated[
        str | None,
        typer.Argument(metavar="[TOPIC]", help="What the entry is about; - reads entries from stdin."),
    ] = None,
    type: Annotated[
        EntryType | None, typer.Option("--type", help="project (default), feedback, user or reference.")
    ] = None,
    request: Annotated[str | None, typer.Option(metavar="T", help="What was asked.")] = None,
    analysis: Annotated[str | None, typer.Option(metavar="T", help="What was found out.")] = None,
    decision: Annotated[
        list[str] | None, typer.Option(metavar="T", help="A choice with its reason; may be repeated.")
    ] = None,
    outcome: Annotated[str | None, typer.Option(metavar="T", help="What was done.")] = None,
    file: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="A file that changed; may be repeated.")
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option(metavar="T", help="Where to read more; may be repeated.")
    ] = None,
    rule: Annotated[
        str | None, typer.Option(metavar="T", help="Feedback: how to behave from now on.")
    ] = None,
    why: Annotated[str | None, typer.Option(metavar="T", help="Feedback: the reason given.")] = None,
    how_to_apply: Annotated[
        str | None, typer.Option(metavar="T", help="Feedback: when and where it applies.")
    ] = None,
    supersedes: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC", help="A topic that this entry replaces.")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The session it belongs to (else CLAUDE_CODE_SESSION_ID)."),
    ] = None,
    date_: Annotated[
        str | None,
        typer.Option(
            "--date", metavar="YYYY-MM-DD", help="The log to write to, instead of the session's day."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Save an entry into the raw log of the day on which the session started.

    Secrets are taken out before anything is written; long code, diffs, logs and stack traces become one line.
    """
    values = {
        "request": [request or ""],
        "analysis": [analysis or ""],
        "decisions": decision or [],
        "outcome": [outcome or ""],
        "files": file or [],
        "references": reference or [],
        "supersedes": supersedes or [],
        "rule": [rule or ""],
        "why": [why or ""],
        "how-to-apply": [how_to_apply or ""],
    }
    content = type is not None or any(text for texts in values.values() for text in texts)
    day = _day(date_)
    here = opened(ctx)
    if day is not None and day > here.today + timedelta(days=1):  # a day's grace: time zones differ
        raise UsageError(f"checkpoint: --date {day} lies in the future", f"today is {here.today}")
    if topic is not None and topic != "-":
        draft, omitted = fields_draft(topic, type.value if type else None, values)
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
    shown = ", ".join(done.topics[:3]) + (f" and {len(done.topics) - 3} more" if len(done.topics) > 3 else "")
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
