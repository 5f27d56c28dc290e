"""`hipo task`: from the queue to WORKING.md to the raw log."""

from dataclasses import asdict
from typing import Annotated

import typer

from hipocampus.cli.context import opened, session_id
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.memory.hot import WORKING
from hipocampus.session.tasks import (
    Changed,
    Closed,
    add_task,
    close_task,
    note_task,
    read_tasks,
    start_task,
)

EXAMPLES = """
\b
Examples:
  hipo task add "Port the parser" --context "the old one stops at 2 GB" --file src/parser.py
  hipo task start parser
  hipo task note parser decisions "stream by line: memory stays flat"
  hipo task done parser --outcome "12 tests, 3 GB in 40 s"
"""

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Tasks: from the queue to WORKING.md to the raw log. A task is named by a part of its title.",
    epilog=EXAMPLES,
)

Name = Annotated[str, typer.Argument(metavar="TASK", help="A part of the task's title that fits no other.")]
Session = Annotated[
    str | None, typer.Option(metavar="ID", help="The session it belongs to (else CLAUDE_CODE_SESSION_ID).")
]
Outcome = Annotated[str, typer.Option(metavar="T", help="What came of it.")]
Decision = Annotated[
    list[str] | None, typer.Option(metavar="T", help="A choice with its reason; may be repeated.")
]
File = Annotated[list[str] | None, typer.Option(metavar="PATH", help="A file it is about; may be repeated.")]
Reference = Annotated[
    list[str] | None, typer.Option(metavar="T", help="Where to read more; may be repeated.")
]


@app.command("add")
def add_command(
    ctx: typer.Context,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What is to be done.")],
    context: Annotated[
        list[str] | None,
        typer.Option(metavar="T", help="What one must know to begin after a reset; may be repeated."),
    ] = None,
    file: File = None,
    reference: Reference = None,
    step: Annotated[list[str] | None, typer.Option(metavar="T", help="A next step; may be repeated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put a task into TASK-QUEUE.md."""
    here = opened(ctx.obj)
    done = add_task(
        here.store,
        title,
        context=context or (),
        files=file or (),
        references=reference or (),
        steps=step or (),
    )
    _tell(done, as_json)


@app.command("start")
def start_command(
    ctx: typer.Context,
    name: Name,
    new: Annotated[bool, typer.Option("--new", help="Begin a task that was never queued.")] = False,
    step: Annotated[list[str] | None, typer.Option(metavar="T", help="A next step; may be repeated.")] = None,
    session: Session = None,
    as_json: AsJson = False,
) -> None:
    """Move a queued task into WORKING.md.

    Its section has the time and the session, and parts for key files, decisions, errors and next steps.
    """
    here = opened(ctx.obj)
    done = start_task(
        here.store,
        name,
        new=new,
        steps=step or (),
        session=session_id(session),
        now=here.now,
        zone=here.zone,
    )
    _tell(done, as_json)


@app.command("note")
def note_command(
    ctx: typer.Context,
    name: Name,
    section: Annotated[
        str, typer.Argument(metavar="SECTION", help="key-files, decisions, errors or next-steps.")
    ],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The line to add.")],
    as_json: AsJson = False,
) -> None:
    """Add a line to a part of a task in progress."""
    _tell(note_task(opened(ctx.obj).store, name, section, text), as_json)


def _add_closing(verb: str, action: str, said: str) -> None:
    """Add one of the commands that close a task; they differ in what they say came of it."""

    def command(
        ctx: typer.Context,
        name: Name,
        outcome: Outcome = "",
        decision: Decision = None,
        file: File = None,
        reference: Reference = None,
        session: Session = None,
        as_json: AsJson = False,
    ) -> None:
        here = opened(ctx.obj)
        done = close_task(
            here.store,
            here.config.compaction,
            name,
            action,
            outcome=outcome,
            more={"decisions": decision or [], "files": file or [], "references": reference or []},
            session=session_id(session),
            now=here.now,
            zone=here.zone,
        )
        print_notes(f"{p.path}: {p.message}" for p in done.problems)
        print_json(_closed_json(done)) if as_json else print_text(_closed_text(done))

    app.command(verb, help=said)(command)


_add_closing(
    "done",
    "done",
    "Close a task as done.\n\nIts entry goes into the raw log and counts as a checkpoint; the task leaves the hot files.",
)
_add_closing(
    "fail", "failed", "Close a task as failed.\n\nSay why with --outcome; its entry goes into the raw log."
)
_add_closing(
    "drop",
    "dropped",
    "Close a task that will not be done.\n\nIt may be queued or in progress; say why with --outcome.",
)


@app.command("list")
def list_command(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the tasks in progress and the queued ones."""
    from hipocampus.session.hotfile import shown

    working, queued = read_tasks(opened(ctx.obj).store)
    rows = [
        {
            "title": shown(task.title),
            "state": "finished" if task.finished else state,
            "path": task.file,
            "line_start": task.start + 1,
            "line_end": task.end,
            "started": shown(task.started),
            "open_steps": task.open_steps,
            "done_steps": task.done_steps,
        }
        for tasks, state in ((working, "in progress"), (queued, "queued"))
        for task in tasks
    ]
    if as_json:
        print_json({"tasks": rows})
        return
    for row, task in zip(rows, (*working, *queued), strict=True):
        steps = f", {_steps(task.open_steps)} open" if task.open_steps else ""
        since = f", since {row['started']}" if row["started"] else ""
        print_text(f"{row['title']} ({row['state']}{since}{steps}) → {row['path']}:{row['line_start']}")
    if not rows:
        print_text("no tasks")


def _closed_json(done: Closed) -> dict[str, object]:
    values = asdict(done)
    del values["standing"], values["problems"]
    return values


def _closed_text(done: Closed) -> str:
    place = f"{done.path}:{done.line_start}-{done.line_end}"
    lines = [f"{done.action} {done.title} → {place}"]
    if not done.entries:
        lines.append("the entry stood there already and was not written again")
    if done.removed_from:
        lines.append(f"taken out of {' and '.join(done.removed_from)}")
    if done.open_steps:
        lines.append(f"{_steps(done.open_steps)} left open: the entry has what was not done")
    lines += _taken_out(done)
    lines.append(f"compaction is {'due' if done.due else 'not due'}: {done.standing}")
    return "\n".join(lines)


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"


def _tell(done: Changed, as_json: bool) -> None:
    if as_json:
        print_json(asdict(done))
        return
    place = f"{done.path}:{done.line_start}"
    said = f"{done.action} {done.title} → {place}"
    if done.action in ("unchanged", "completed"):
        there = "already in progress" if done.path == WORKING else "already there"
        more = "; what was new is added" if done.action == "completed" else ""
        said = f"{there}: {done.title} → {place}{more}"
    print_text("\n".join([said, *_taken_out(done)]))


def _taken_out(done: Changed | Closed) -> list[str]:
    lines = []
    if done.redacted:
        lines.append("redacted: " + ", ".join(f"{count} {kind}" for kind, count in done.redacted.items()))
    if done.private_lines:
        lines.append(f"private: {done.private_lines} lines left out")
    return lines
