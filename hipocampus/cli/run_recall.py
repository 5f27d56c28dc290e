"""What `hipo recall` does, and how its results look."""

from collections.abc import Sequence
from datetime import date

from hipocampus.cli.context import Call, Here, opened
from hipocampus.cli.render import is_terminal, plain, print_json, print_notes, print_text
from hipocampus.cli.words import COUNT, ENTRY_TYPES, FLAG, TEXT, TEXTS, Words
from hipocampus.errors import UsageError
from hipocampus.recall import Hit, Recall, Triaged, manifest, search

WORDS = Words(
    {
        "-n": ("n", COUNT),
        "--type": ("kind", ENTRY_TYPES),
        "--since": ("since", TEXT),
        "--until": ("until", TEXT),
        "--level": ("level", ("raw", "daily", "weekly", "monthly", "knowledge", "plans", "all")),
        "--manifest": ("as_manifest", FLAG),
        "--explain": ("explain", FLAG),
        "--json": ("as_json", FLAG),
    },
    rest=("query", TEXTS),
)


def run_recall(
    call: Call,
    *,
    query: Sequence[str] | None = None,
    n: int = 10,
    kind: str | None = None,
    since: str | None = None,
    until: str | None = None,
    level: str = "all",
    as_manifest: bool = False,
    explain: bool = False,
    as_json: bool = False,
) -> None:
    """Search the memory and print what was found, for people, programs or a terminal."""
    here = opened(call)
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
