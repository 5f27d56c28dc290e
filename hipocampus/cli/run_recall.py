"""What `hipo recall` does, and how its results look."""

from collections.abc import Sequence
from datetime import date

from hipocampus.cli.context import Call, Here, opened
from hipocampus.cli.recall_text import as_document, as_text
from hipocampus.cli.render import is_terminal, print_json, print_notes, print_text
from hipocampus.cli.words import COUNT, ENTRY_TYPES, FLAG, TEXT, TEXTS, Words
from hipocampus.errors import UsageError
from hipocampus.recall import manifest, search

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
