"""`hipo recall`: find it again, in anybody's words."""

from datetime import date
from enum import StrEnum
from typing import Annotated

import typer

from hipocampus.cli.context import Here, opened
from hipocampus.cli.render import is_terminal, plain, print_json, print_notes, print_text
from hipocampus.errors import UsageError
from hipocampus.recall import Hit, Recall, Triaged, manifest, search

app = typer.Typer(add_completion=False, rich_markup_mode=None)

EXAMPLES = """
Examples:

  hipo recall rate limit gateway         words in any order, the best entries first

  hipo recall "what did we decide last week"

  hipo recall AUTH-358 --json            for scripts and agents

  hipo recall --type feedback            everything of one type, newest first
"""


class Kind(StrEnum):
    """The types of an entry."""

    PROJECT = "project"
    FEEDBACK = "feedback"
    USER = "user"
    REFERENCE = "reference"


class Where(StrEnum):
    """What is searched."""

    RAW = "raw"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    KNOWLEDGE = "knowledge"
    PLANS = "plans"
    ALL = "all"


@app.command(epilog=EXAMPLES, context_settings={"ignore_unknown_options": False})
def recall_command(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY…", help="Any text; after -- also one that begins with a dash.", show_default=False
        ),
    ] = None,
    n: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many results at most.")] = 10,
    kind: Annotated[Kind | None, typer.Option("--type", help="Only entries of this type.")] = None,
    since: Annotated[str | None, typer.Option(metavar="D", help="Not before this day (2026-03-15).")] = None,
    until: Annotated[str | None, typer.Option(metavar="D", help="Not after this day (2026-03-15).")] = None,
    level: Annotated[Where, typer.Option(help="What is searched.")] = Where.ALL,
    as_manifest: Annotated[
        bool,
        typer.Option("--manifest", help="Instead of results, the frontmatter of the nodes that fit best."),
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say what each score is made of.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find it again: search the whole memory with any text."""
    here = opened(ctx)
    text = " ".join(query or ())
    if as_manifest:
        _print_manifest(here, text, as_json)
        return
    first, last = _day(since, "--since"), _day(until, "--until")
    if first and last and first > last:
        raise UsageError(f"recall: --since {first} is after --until {last}", "swap them")
    found = search(
        here.root, text, today=here.today, n=n, type=kind, since=first, until=last, level=level,
        engine=here.config.search.engine,
    )  # fmt: skip
    print_notes(found.problems)
    if as_json:
        print_json(as_document(found, explain))
    elif is_terminal():
        from hipocampus.cli.render_recall import print_on_terminal

        print_on_terminal(found, explain)
    else:
        print_text(as_text(found, explain))


def _day(text: str | None, option: str) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"recall: {option}: not a day: {text!r}", "write it as 2026-03-15") from None


def as_document(found: Recall, explain: bool) -> dict[str, object]:
    """The JSON of a search."""
    results = []
    for hit in found.hits:
        one: dict[str, object] = {
            "path": hit.path,
            "line_start": hit.line_start,
            "line_end": hit.line_end,
            "topic": plain(hit.topic),
            "type": hit.type,
            "date": hit.date or None,
            "age_days": hit.age_days,
            "level": hit.level,
            "score": hit.score,
            "text": plain(hit.text),
            "warnings": list(hit.warnings),
        }
        if explain:
            one["parts"] = hit.parts
        results.append(one)
    return {
        "query": found.query,
        "results": results,
        "triage": [topic._asdict() for topic in found.triage],
        "index": {"files": found.files, "refreshed": found.refreshed, "seconds": round(found.seconds, 4)},
        "notes": list(found.notes),
    }


def as_text(found: Recall, explain: bool) -> str:
    """A search as plain text: topics that fit, notes, then one paragraph a result."""
    parts = [f"({note})" for note in found.notes]
    parts += [topic_line(topic) for topic in found.triage]
    head = ["\n".join(parts)] if parts else []
    body = ["\n".join([headline(hit), *explained(hit, explain), hit.text.strip("\n")]) for hit in found.hits]
    if not body:
        head += nothing_found(found)
    return "\n\n".join([*head, *body])


def nothing_found(found: Recall) -> list[str]:
    """What is said instead of results; a list that is empty for the reason in its notes needs no more."""
    if found.query.strip():
        return [f"nothing found for {found.query!r}"]
    return [] if found.notes else ["nothing to look for"]


def topic_line(topic: Triaged) -> str:
    """A topic of ROOT.md's index on one line."""
    age = "" if topic.age_days is None else f", {topic.age_days}d"
    place = f" → {topic.path}" if topic.path else ""
    return f"topic: {topic.topic} [{topic.type}{age}]{place}"


def headline(hit: Hit) -> str:
    """Where a result stands and what it is, on one line: `memory/2026-03-15.md:12 Payment flow [project] …`."""
    lines = f"{hit.line_start}" if hit.line_start == hit.line_end else f"{hit.line_start}-{hit.line_end}"
    said = [f"{hit.path}:{lines}", hit.topic, f"[{hit.type}]", hit.date]
    said.append("" if hit.age_days is None else f"{hit.age_days}d")
    return " ".join(part for part in said if part) + "".join(f" ({warning})" for warning in hit.warnings)


def explained(hit: Hit, explain: bool) -> list[str]:
    if not explain:
        return []
    parts = " + ".join(f"{name} {value:g}" for name, value in hit.parts.items())
    return [f"score {hit.score:g} = {parts}" if parts else f"score {hit.score:g}"]


def _print_manifest(here: Here, text: str, as_json: bool) -> None:
    from hipocampus.recall.cards import card_text

    cards = manifest(here.root, text)
    if as_json:
        print_json(
            {"query": text, "nodes": [{**card._asdict(), "topics": list(card.topics)} for card in cards]}
        )
    else:
        print_text("\n".join(card_text(card) for card in cards) or no_cards(here, text))


def no_cards(here: Here, text: str) -> str:
    """Why there is no node to list."""
    if text.strip() and manifest(here.root, ""):
        return f"no node fits {text!r}"
    return "no nodes yet; run hipo compact"
