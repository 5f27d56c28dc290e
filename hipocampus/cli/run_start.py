"""What `hipo start` does."""

from pathlib import Path

from hipocampus.cli.context import Call, opened, session_id
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.cli.spawn import spawn_compaction
from hipocampus.cli.words import FLAG, TEXT, Words
from hipocampus.config import PLATFORMS
from hipocampus.errors import UsageError
from hipocampus.session.start import Started, start

WORDS = Words(
    {
        "--session": ("session", TEXT),
        "--platform": ("platform", TEXT),
        "--full": ("full", FLAG),
        "--no-compact": ("no_compact", FLAG),
        "--json": ("as_json", FLAG),
    }
)


def run_start(
    call: Call,
    *,
    session: str | None = None,
    platform: str | None = None,
    full: bool = False,
    no_compact: bool = False,
    as_json: bool = False,
) -> None:
    """Judge compaction, begin it when it is due, and print what the agent should know."""
    if platform is not None and platform not in PLATFORMS:
        raise UsageError(f"start: --platform {platform!r} is not known", "use one of " + ", ".join(PLATFORMS))
    here = opened(call)
    begun = start(
        here.store,
        here.config,
        here.now,
        here.zone,
        session=session_id(session),
        loaded=frozenset() if full or platform is None else _loaded(platform),
        compaction=not no_compact,
        handoffs=_handoffs(here.store.memory),
        spawn=spawn_compaction,
    )
    print_notes(begun.problems)
    print_json(as_document(begun)) if as_json else print_text(begun.context)


def as_document(begun: Started) -> dict[str, object]:
    """The JSON of a start."""
    verdict = begun.begun.verdict
    hours = verdict.hours_since
    return {
        "session": begun.session,
        "day": begun.day.isoformat(),
        "compaction": {
            "due": begun.begun.due,
            "triggers": [str(t) for t in begun.begun.triggers],
            "dispatched": begun.dispatched,
            "hours_since": None if hours is None else round(hours, 2),
            "raw_lines": verdict.raw_lines,
            "checkpoints": verdict.checkpoints,
        },
        "files": [
            {"path": f.path, "lines": f.lines, "target_lines": f.target_lines, "shown_lines": f.shown_lines}
            for f in begun.files
        ],
        "pending_summaries": begun.pending_summaries,
        "handoffs": begun.handoffs,
        "context": begun.context,
    }


def _loaded(platform: str) -> frozenset[str]:
    from hipocampus.platforms.loads import loaded_files

    return loaded_files(platform)


def _handoffs(memory: Path) -> int:
    """How many notes wait in the files of the brain; its code is loaded only where there are any."""
    if not (memory / "brain" / "handoffs").is_dir():
        return 0
    from hipocampus.brain.waiting import unread_handoffs

    return unread_handoffs(memory)
