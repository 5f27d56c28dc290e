"""Save entries into a raw log and count them. One call, one lock, nothing half done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo

from hipocampus.clock import to_local
from hipocampus.compaction.triggers import judge
from hipocampus.config import CompactionConfig
from hipocampus.errors import HipoError, UsageError
from hipocampus.files import read_text
from hipocampus.memory.entries import (
    SNAPSHOT_TOPIC,
    clean_topic,
    parse_heading,
    parse_log,
    render_fields,
    squeeze,
    topic_key,
)
from hipocampus.memory.hot import SCRATCHPAD, TASK_QUEUE, WORKING
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import Appended, Cleaned, Draft, MemoryStore, Problem, ready_entry
from hipocampus.session.sessions import planned_day, session_day, short_id
from hipocampus.session.worth import Omitted, shrink

TOPIC_CHARS = 200  # of a topic; nodes, ROOT.md and search results show it as a name
HINT_FORMAT = "write each entry as: ## Topic [project] and below it bullets such as - outcome: text"


@dataclass(frozen=True)
class Checkpointed:
    """What a checkpoint did."""

    path: str
    line_start: int
    line_end: int
    topics: list[str]
    entries: int
    duplicates: int
    redacted: Mapping[str, int]
    private_lines: int
    omitted: Sequence[Omitted]
    in_hot_files: Mapping[str, int]  # hot file -> lines of the entries that stand there already
    checkpoints: int
    raw_lines: int
    due: bool
    standing: str
    problems: Sequence[Problem] = field(default_factory=list)


def fields_draft(
    topic: str, kind: str | None, values: Mapping[str, Sequence[str]]
) -> tuple[Draft, list[Omitted]]:
    """Return the entry that the command's options describe; UsageError when they do not fit together."""
    named, in_topic, typed = parse_heading(clean_topic(topic))
    if kind is None and typed and named:
        topic, kind = named, in_topic
    if not clean_topic(topic):
        raise UsageError("checkpoint: the topic is empty", "name what the entry is about")
    _check_topic(topic, "\n".join([topic, *(text for texts in values.values() for text in texts)]))
    rules = [key for key in ("rule", "why", "how-to-apply") if any(v.strip() for v in values.get(key, ()))]
    if rules and kind is None:
        kind = "feedback"
    if rules and kind != "feedback":
        raise UsageError(
            f"checkpoint: --{rules[0]} goes with --type feedback, not {kind}",
            "leave --type out, or use --decision",
        )
    if rules and len(rules) < 3:
        missing = ", ".join(f"--{key}" for key in ("rule", "why", "how-to-apply") if key not in rules)
        raise UsageError(
            f"checkpoint: --{rules[0]} needs {missing} too",
            "a rule is kept with its reason and where it applies",
        )
    omitted: list[Omitted] = []
    short: dict[str, list[str]] = {}
    for key, texts in values.items():
        for text in texts:
            shortened, left_out = shrink(text.replace("\r\n", "\n").strip())
            omitted += left_out
            short.setdefault(key, []).append(shortened)
    return Draft(clean_topic(topic), kind or "project", "", render_fields(short)), omitted


def text_drafts(text: str) -> tuple[list[Draft], list[Omitted]]:
    """Return the entries of a text in the raw-log format; UsageError when it holds none."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    log = parse_log(text)
    if not log.entries:
        raise _unsaved(UsageError("checkpoint: no entry in the text on stdin", HINT_FORMAT), text)
    loose = [line for line in log.preamble.split("\n") if line.strip() and not parse_day(line.strip("# \t"))]
    if loose:
        raise _unsaved(
            UsageError(f"checkpoint: text before the first heading ({loose[0].strip()[:60]!r})", HINT_FORMAT),
            text,
        )
    drafts, omitted = [], []
    for entry in log.entries:
        if not entry.topic:
            raise _unsaved(
                UsageError(f"checkpoint: the heading in line {entry.line_start} has no topic", HINT_FORMAT),
                text,
            )
        _check_topic(entry.topic, text)
        body, left_out = shrink(entry.body)
        omitted += left_out
        drafts.append(Draft(entry.topic, entry.type, "", body))
    return drafts, omitted


def _check_topic(topic: str, text: str) -> None:
    """UsageError for a topic that is a whole text: a topic is a name, and every index repeats it."""
    if len(clean_topic(topic)) > TOPIC_CHARS:
        short = f"checkpoint: the topic has {len(clean_topic(topic))} characters, at most {TOPIC_CHARS} are a name"
        raise _unsaved(
            UsageError(short, "name it in a few words and put the text into --decision or --outcome"), text
        )


def checkpoint(
    store: MemoryStore,
    limits: CompactionConfig,
    drafts: Sequence[Draft],
    omitted: Sequence[Omitted],
    *,
    session: str | None,
    day: date | None,
    now: datetime,
    zone: tzinfo | None,
) -> Checkpointed:
    """Write the entries under the session's day (or `day`) and count what is new."""
    written: Appended | None = None
    try:
        planned = day or planned_day(store, session, now, zone)
        ready = _ready(drafts, comment(now, zone, planned, session))
        with store.lock():
            log_day = day or session_day(store, session, now, zone)
            if log_day != planned:  # the session was begun anew in this very moment
                ready = _ready(drafts, comment(now, zone, log_day, session))
            written = store.append_entries(log_day, ready)
            state, problems = store.count(written.lines, written.entries)
    except HipoError as error:
        if written is not None:
            place = f"{written.path}:{written.line_start}-{written.line_end}"
            error.message += f"; the entry is saved, though not counted → {place}"
        elif not error.unsaved:
            error.unsaved = "\n".join(_shown(draft) for draft in drafts)
        raise
    verdict = judge(state, limits, now)
    return Checkpointed(
        path=written.path,
        line_start=written.line_start,
        line_end=written.line_end,
        topics=[f"{draft.topic} [{draft.type}]" for draft in drafts],
        entries=written.entries,
        duplicates=written.duplicates,
        redacted=written.redacted,
        private_lines=written.private_lines,
        omitted=omitted,
        in_hot_files=_in_hot_files(store, drafts),
        checkpoints=state.checkpoints,
        raw_lines=state.raw_lines,
        due=verdict.due,
        standing=verdict.standing(),
        problems=problems,
    )


def _ready(drafts: Sequence[Draft], stamp: str) -> list[Cleaned]:
    """The entries clean, before the lock is taken: looking for secrets is the longest part of saving."""
    return [ready_entry(draft._replace(comment=draft.comment or stamp)) for draft in drafts]


def comment(now: datetime, zone: tzinfo | None, log_day: date, session: str | None) -> str:
    """Return what an entry's comment says: the local time, its date where the log is another day's, the session."""
    local = to_local(now, zone)
    words = [f"{local:%H:%M}"] if local.date() == log_day else [f"{local:%Y-%m-%d %H:%M}"]
    if session:
        words.append(f"session {short_id(session)}")
    return " ".join(words)


def _in_hot_files(store: MemoryStore, drafts: Sequence[Draft]) -> dict[str, int]:
    """How many lines of the entries each hot file holds already, word for word."""
    said = {
        _words(line) for draft in drafts for line in draft.body.split("\n") if draft.topic != SNAPSHOT_TOPIC
    }
    said = {words for words in said if len(words) >= 20}
    found = {}
    for name in (SCRATCHPAD, WORKING, TASK_QUEUE) if said else ():
        try:
            text = read_text(store.root / name) or ""
        except HipoError:  # a hot file that cannot be read holds nothing to compare with; doctor names it
            continue
        if hits := len(said & {_words(line) for line in text.split("\n")}):
            found[name] = hits
    return found


def _words(line: str) -> str:
    bare = line.strip(" \t-*")
    key, colon, rest = bare.partition(": ")
    return topic_key(squeeze(rest if colon and len(key) < 20 else bare))


def _shown(draft: Draft) -> str:
    from hipocampus.memory.entries import render_entry
    from hipocampus.memory.store import clean

    return clean(render_entry(*draft)).text


def _unsaved(error: UsageError, text: str) -> UsageError:
    from hipocampus.memory.store import clean

    error.unsaved = clean(text).text
    return error
