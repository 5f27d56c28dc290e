"""One hook for every event of every client: JSON in, at most one JSON document out, never a failure.

Claude Code, Codex and Gemini CLI send the same names on stdin and take the same answer. What an event
needs beyond reading and counting (the start of a session, a compaction) comes in as `Actions`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hipocampus.clock import iso_utc
from hipocampus.config import environment
from hipocampus.errors import HipoError, LockTimeout, NoMemoryError
from hipocampus.memory.locate import locate_root
from hipocampus.memory.store import HOOK_WAIT_SECONDS, MemoryStore
from hipocampus.session.sessions import read_session, update_session

if TYPE_CHECKING:
    from hipocampus.config import Config
    from hipocampus.platforms.ingest import Source

OUTPUT_LIMIT = 9500  # characters and UTF-8 bytes of stdout; above 10,000 Claude Code shows a path instead
REMIND_EVERY = 20  # prompts without a checkpoint: after each so many a line says so
REMINDER_BYTES = 300
LOG = "hook.log"
LOG_BYTES = 200_000  # when it is larger, its newer half is kept
STALE_HOURS = 6  # a session not seen for so long has ended, whatever its client said
QUICK_BYTES = 5_000_000  # of transcripts that a start takes in itself; the rest goes to a process of its own
FEW_MESSAGES = 12  # a PreCompress that brings fewer new ones is left for later: it comes with every turn

# What each client calls an event -> what it is.
_EVENTS = {
    "SessionStart": "start",
    "sessionStart": "start",
    "UserPromptSubmit": "prompt",
    "BeforeAgent": "prompt",
    "beforeSubmitPrompt": "prompt",
    "PreCompact": "compact",
    "preCompact": "compact",
    "PreCompress": "compact",
    "Stop": "stop",
    "stop": "stop",
    "AfterAgent": "stop",
    "SessionEnd": "end",
    "sessionEnd": "end",
}


class Event(NamedTuple):
    """What a client said in its hook's JSON; "" where it said nothing."""

    name: str  # as the client calls it
    session: str
    cwd: str
    transcript: str
    source: str  # of a start: startup, resume, clear, compact, fork
    trigger: str  # of a compaction: manual, auto
    prompt: str
    platform: str  # "" when nothing tells
    wrong: str = ""  # why its JSON describes nothing


@dataclass(frozen=True)
class Actions:
    """What the hook has others do."""

    start: Callable[["Moment", Event, frozenset[str]], str]  # the context of a session that starts
    compact: Callable[["Moment"], None]  # the gated mechanical chain
    spawn_ingest: Callable[[Path], None]  # take in transcripts, outside this process


class Moment(NamedTuple):
    """The memory that an event belongs to, and when it happens."""

    store: MemoryStore
    config: "Config"
    now: datetime
    zone: tzinfo | None


Open = Callable[[Path, float], Moment]


def run(raw: str, named: str | None, root: str | None, open_memory: Open, actions: Actions) -> str:
    """Handle one event and return what goes to stdout: a JSON document, or "".

    `raw` is the JSON from stdin, `named` the event from the command line, which overrides the JSON's; `root`
    is the memory that was named. An unknown event and a folder without memory are silent; what goes wrong
    is written into the log, and said by doctor.
    """
    event = parse_event(raw, named)
    kind = _EVENTS.get(event.name)
    folder = _folder(root, event) if kind or event.wrong else None
    if folder is None:
        return ""
    if event.wrong:
        log_failure(folder, event.name, HipoError(event.wrong))
    if kind is None:
        return ""
    try:
        return _HANDLERS[kind](open_memory(folder, HOOK_WAIT_SECONDS), event, actions)
    except Exception as error:  # a hook must not disturb the session: the log and doctor tell
        log_failure(folder, event.name, error)
        return ""


def report(raw: str, named: str | None, root: str | None, error: BaseException) -> None:
    """Write what went wrong around an event into the log of the memory that it belongs to, where it has one."""
    event = parse_event(raw, named)
    folder = _folder(root, event)
    if folder is not None:
        log_failure(folder, event.name, error)


def _folder(root: str | None, event: Event) -> Path | None:
    """The root of the memory that an event belongs to. None: no memory here, or a folder that is gone or no path."""
    try:
        start = Path(event.cwd) if event.cwd else Path.cwd()
        if (
            root is None and not start.is_absolute()
        ):  # clients name whole paths; from where this one was meant, nobody knows
            return None
        return locate_root(root, start)
    except (NoMemoryError, OSError, ValueError, RuntimeError):  # nothing to do, nowhere to log
        return None


def parse_event(raw: str, named: str | None) -> Event:
    """Return the event that a client's JSON describes; a text that is no JSON object describes nothing."""
    told, wrong = _parsed(raw)

    def text(*keys: str) -> str:
        return next((told[key] for key in keys if isinstance(told.get(key), str)), "")

    return Event(
        name=named or text("hook_event_name"),
        session=text("session_id", "conversation_id"),
        cwd=text("cwd") or _first_folder(told.get("workspace_roots")),
        transcript=text("transcript_path"),
        source=text("source"),
        trigger=text("trigger"),
        prompt=text("prompt"),
        platform=_platform(told, text("transcript_path")),
        wrong=wrong,
    )


def _parsed(raw: str) -> tuple[dict[str, Any], str]:
    """What stands in the JSON on stdin, and why that is nothing; no text at all is no mistake."""
    if not raw.strip():
        return {}, ""
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError) as error:
        return {}, f"what came on stdin is not JSON, {len(raw)} characters ({error})"
    return (told, "") if isinstance(told, dict) else ({}, "what came on stdin is not a JSON object")


def _first_folder(roots: object) -> str:
    return roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""


def _platform(told: Mapping[str, object], transcript: str) -> str:
    """Which client calls: what its JSON says first, as an agent may run inside another one's shell."""
    path = transcript.replace("\\", "/")
    if "workspace_roots" in told:
        return "cursor"
    if "/.gemini/" in path:
        return "gemini"
    if "/.claude/" in path or "prompt_id" in told:
        return "claude-code"
    if path.rsplit("/", 1)[-1].startswith("rollout-") or "turn_id" in told:
        return "codex"
    if environment("GEMINI_PROJECT_DIR"):
        return "gemini"
    if environment("CLAUDECODE") or environment("CLAUDE_PROJECT_DIR"):
        return "claude-code"
    return "codex" if "permission_mode" in told else ""


# --- the events ---


def _on_start(moment: Moment, event: Event, actions: Actions) -> str:
    from hipocampus.platforms.loads import loaded_files

    store = moment.store
    before = read_session(store, event.session) if event.session else {}
    if event.source == "compact" and event.platform == "codex" and before.get("source") == "resume":
        last = before.get("started")
        if last == iso_utc(moment.now) or _seconds_since(last, moment.now) < 10:
            return ""  # Codex fires twice then, and both texts would stay in its context
    if event.source != "compact":
        try:
            _take_in_ended(moment, event, actions)
        except Exception as error:  # the session gets its context whatever an old transcript holds
            log_failure(store.root, event.name, error)
    context = actions.start(moment, event, loaded_files(event.platform, store.root))
    _remember(moment, event, {"source": event.source, "started": iso_utc(moment.now)})
    return _answer(event.name, context)


def _on_prompt(moment: Moment, event: Event, actions: Actions) -> str:
    if not event.session or event.prompt.startswith(("<task-notification>", "<command-name>")):
        return ""
    store = moment.store
    with store.lock():
        known = read_session(store, event.session)
        mark = _checkpoint_mark(store)
        count = _number(known.get("prompts")) + 1
        old = known.get("checkpoints")
        if isinstance(old, list) and _checkpointed(old, mark):
            count = 1
        changes = {"prompts": count, "checkpoints": mark, **_whereabouts(event)}
        update_session(store, event.session, changes, moment.now)
    if count % REMIND_EVERY:
        return ""
    return _answer(
        event.name,
        f"Memory: {count} prompts in this session without a checkpoint; what is not saved is lost when the "
        'context is compacted. `hipo checkpoint "TOPIC" --decision TEXT --outcome TEXT` saves it.',
    )


def _on_compact(moment: Moment, event: Event, actions: Actions) -> str:
    """Take the transcript in and compact. Nothing is printed: Claude Code adds it to its summariser's orders."""
    if event.transcript:
        from hipocampus.platforms.discover import source_of
        from hipocampus.platforms.ingest import ingest

        source = source_of(Path(event.transcript), event.session)
        if source and not _better_later(moment.store, source, event):
            done = ingest(moment.store, source, now=moment.now, zone=moment.zone)
            for problem in done.problems:
                log_failure(moment.store.root, event.name, HipoError(f"{problem.path}: {problem.message}"))
    _remember(moment, event, {})
    actions.compact(moment)
    return ""


def _better_later(store: MemoryStore, source: "Source", event: Event) -> bool:
    """Gemini CLI asks before every turn whether to compress: a few messages would be an entry each time."""
    from hipocampus.platforms.ingest import pending_messages

    if event.name != "PreCompress" or event.trigger == "manual":
        return False
    new = pending_messages(store, source)
    return new is not None and new < FEW_MESSAGES


def _on_stop(moment: Moment, event: Event, actions: Actions) -> str:
    if event.session:
        with moment.store.lock():
            turns = _number(read_session(moment.store, event.session).get("turns")) + 1
            update_session(moment.store, event.session, {"turns": turns, **_whereabouts(event)}, moment.now)
    return ""


def _on_end(moment: Moment, event: Event, actions: Actions) -> str:
    """Note that the session ended, in one line without the lock: clients give it a second or two."""
    if event.transcript:
        from hipocampus.files import append_line
        from hipocampus.platforms.ingest import ENDED

        told = {"session": event.session, "transcript": event.transcript, "at": iso_utc(moment.now)}
        append_line(moment.store.ensure_hidden() / ENDED, json.dumps(told))
    return ""


_HANDLERS: dict[str, Callable[[Moment, Event, Actions], str]] = {
    "start": _on_start,
    "prompt": _on_prompt,
    "compact": _on_compact,
    "stop": _on_stop,
    "end": _on_end,
}


# --- what they share ---


def _take_in_ended(moment: Moment, event: Event, actions: Actions) -> None:
    """Take in the transcripts of sessions that have ended; many bytes go to a process of their own."""
    from hipocampus.platforms.discover import ended_sources, forget_ended, unread_bytes
    from hipocampus.platforms.ingest import ingest

    store = moment.store
    sources, lines = ended_sources(store, event.session, moment.now, STALE_HOURS)
    if sum(unread_bytes(store, source) for source in sources) > QUICK_BYTES:
        actions.spawn_ingest(store.root)
        return
    for source in sources:
        try:
            ingest(store, source, now=moment.now, zone=moment.zone)
        except LockTimeout as error:  # somebody else is at work: the next start finds the list as it is
            log_failure(store.root, event.name, error)
            return
        except HipoError as error:
            log_failure(store.root, event.name, error)
    if lines:
        forget_ended(store, lines)


def _remember(moment: Moment, event: Event, changes: Mapping[str, object]) -> None:
    if event.session:
        with moment.store.lock():
            update_session(moment.store, event.session, {**changes, **_whereabouts(event)}, moment.now)


def _whereabouts(event: Event) -> dict[str, object]:
    return {"transcript": event.transcript} if event.transcript else {}


def _checkpoint_mark(store: MemoryStore) -> list[object]:
    """What changes with a checkpoint: the last run of compaction and the checkpoints since then."""
    try:
        state = store.read_state()
    except HipoError:  # an unreadable state is start's to tell
        state = None
    if state is None:
        return ["", 0]
    return [iso_utc(state.last_run) if state.last_run else "", state.checkpoints]


def _checkpointed(old: list[object], new: list[object]) -> bool:
    return _number(new[1]) > (_number(old[1]) if old[:1] == new[:1] and len(old) > 1 else 0)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _seconds_since(value: object, now: datetime) -> float:
    from hipocampus.clock import parse_instant

    at = parse_instant(value)
    return (now - at).total_seconds() if at else float("inf")


def _answer(name: str, context: str) -> str:
    """Return the JSON that brings a text into the session, within OUTPUT_LIMIT as a whole.

    What is too much goes line by line from the end, but for the last line, which says what is missing.
    """
    lines = context.rstrip("\n").split("\n")
    room = OUTPUT_LIMIT - len(_document(name, "").encode()) - len(" (and 9999 more lines)")
    sizes = [len(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace")) for line in lines]
    last, cut = len(lines) - 1, 0
    while sum(sizes) > room and last > 1:
        last, cut = last - 1, cut + 1
        del sizes[last]
    if sum(sizes) > room:
        return ""
    if cut:
        lines = [*lines[:last], f"{lines[-1]} (and {cut} more lines)"]
    return _document(name, "\n".join(lines))


def _document(name: str, context: str) -> str:
    told = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return json.dumps(told, ensure_ascii=False)


def log_failure(root: Path, event: str, error: BaseException) -> None:
    """Write what went wrong into the hook's log; a memory that cannot be written to leaves it unsaid."""
    import contextlib

    from hipocampus.clock import now
    from hipocampus.files import append_line, read_bytes, replace_file
    from hipocampus.redact import redact

    kind = (
        "hipo: " if isinstance(error, HipoError) else f"error: {type(error).__name__}: "
    )  # as doctor looks for
    line = redact(f"{kind}{' '.join(str(error).split())}"[:600]).text
    with contextlib.suppress(HipoError, OSError):
        path = MemoryStore(root).ensure_hidden() / LOG
        append_line(path, f"{iso_utc(now())} {event or '?'}: {line}")
        data = read_bytes(path) or b""
        if len(data) > LOG_BYTES:
            kept = data[-LOG_BYTES // 2 :]
            replace_file(path, kept[kept.find(b"\n") + 1 :], durable=False, mode=0o600)
