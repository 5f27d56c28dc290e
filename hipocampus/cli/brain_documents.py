"""`hipo brain ingest`, `query` and `plan`: documents into the memory, questions to it, plans to agents."""

from pathlib import Path
from typing import Annotated

import typer

from hipocampus.brain.prompt import MOST_RESULTS, place_of
from hipocampus.brain.sections import days_ago
from hipocampus.cli.brain_io import brain_lists, document_text, note_json, redacted_words, stdin_text
from hipocampus.cli.context import Here, opened
from hipocampus.cli.options import AsJson
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.errors import UsageError

ingest_app = typer.Typer(add_completion=False, rich_markup_mode=None)
query_app = typer.Typer(add_completion=False, rich_markup_mode=None)
plan_app = typer.Typer(add_completion=False, rich_markup_mode=None)


@ingest_app.command()
def ingest_command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The document; - reads it from stdin.")],
    source: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it comes from, instead of FILE.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Take a document into knowledge/, at most 20,000 characters; the same source again replaces it.

    Example: hipo brain ingest docs/gateway.md --source gateway-manual
    """
    from hipocampus.brain.ingest import ingest

    if file == "-" and not source:
        raise UsageError("ingest: a document from stdin has no name", "give one with --source")
    text = stdin_text() if file == "-" else document_text(file)
    here = opened(ctx.obj)
    done = ingest(here.store, text, source or _source_name(here, file), here.today)
    if as_json:
        print_json(done._asdict())
        return
    verb = "replaced" if done.replaced else "taken in"
    print_text(
        f"{verb}: {done.title} → {done.path} ({done.chars} characters, {done.chunks} chunks){redacted_words(done.redacted)}"
    )


@query_app.command()
def query_command(
    ctx: typer.Context,
    question: Annotated[str, typer.Argument(metavar="Q", help="What to look for, at most 500 characters.")],
    number: Annotated[
        int, typer.Option("-n", metavar="N", min=1, max=MOST_RESULTS, help="At most so many results.")
    ] = 5,
    as_json: AsJson = False,
) -> None:
    """Ask the memory; of an ingested document the chunk around the answer is shown.

    Example: hipo brain query "rate limit of the gateway" -n 3
    """
    from hipocampus.brain.ingest import query

    here = opened(ctx.obj)
    found, problems = query(here.store, question, number, here.today)
    print_notes(problems)
    if as_json:
        results = [
            {
                "path": one.hit.path,
                "line_start": one.line_start,
                "line_end": one.line_end,
                "topic": one.hit.topic,
                "type": one.hit.type,
                "date": one.hit.date,
                "age_days": one.hit.age_days,
                "level": one.hit.level,
                "score": one.hit.score,
                "text": one.text,
            }
            for one in found
        ]
        print_json({"query": question, "results": results})
        return
    if not found:
        print_notes(["nothing found"])
    for one in found:
        place = place_of(one.hit.path, one.line_start, one.line_end)
        head = " · ".join(filter(None, (place, days_ago(one.hit.age_days), one.hit.topic)))
        print_text(f"{head}\n{one.text}\n")


@plan_app.command()
def plan_command(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The plan: headings `## Phase 1: title`, or JSON.")
    ],
    to: Annotated[
        str, typer.Option("--to", metavar="AGENT", help="Who does a phase without an `agent:` line.")
    ] = "builder",
    as_json: AsJson = False,
) -> None:
    """Leave one note per phase of a plan with its agent, with a link to the plan.

    Example: hipo brain plan plans/limits.md
    """
    from hipocampus.brain.plan import hand_out

    here = opened(ctx.obj)
    path = Path(file) if Path(file).is_absolute() or Path(file).exists() else here.root / file
    text = document_text(str(path))
    place = here.store.relative(path.absolute())
    done = hand_out(brain_lists(here), text, place, here.now, to)
    if as_json:
        print_json(
            {
                "plan": place,
                "written": done.written,
                "handoffs": [note_json(n) for n in done.notes],
                "redacted": done.redacted,
            }
        )
        return
    for note in done.notes:
        print_text(f"{note.to_agent_id}: {note.summary.splitlines()[0]}")
    waiting = len(done.notes) - done.written
    print_text(f"{done.written} handoffs written" + (f", {waiting} waited there already" if waiting else ""))


def _source_name(here: Here, file: str) -> str:
    """A file inside the project is named by its path there, so that it is the same from every folder."""
    return here.store.relative(Path(file).absolute())
