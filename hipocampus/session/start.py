"""Begin a session: judge the triggers, dispatch compaction, and put together the context that the agent gets."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus.clock import local_day
from hipocampus.compaction.begin import Begun, begin_alone, look
from hipocampus.compaction.cache import Cache, read_waiting
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.memory.hot import TARGET_LINES
from hipocampus.memory.store import MemoryStore
from hipocampus.session.briefing import CAP_BYTES, ORDER, ROOT, SHARES, Shown, cut_at_word, fit_files, utf8
from hipocampus.session.notices import notices, remember_start
from hipocampus.session.sessions import begin_session, short_id

if TYPE_CHECKING:
    from hipocampus.compaction.report import CompactionReport

IN_PROCESS_BYTES = 1_000_000  # changed logs up to this size are compacted before the context is printed

Spawn = Callable[[Path], None]


class FileShown(NamedTuple):
    """One hot file in the context."""

    path: str
    lines: int
    target_lines: int | None  # None for ROOT.md, which is measured in tokens
    shown_lines: int


class Started(NamedTuple):
    """A session's beginning."""

    session: str | None
    day: date
    begun: Begun
    dispatched: bool
    files: list[FileShown]
    pending_summaries: list[str]
    handoffs: int
    context: str
    problems: Sequence[str] = ()


def start(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    *,
    session: str | None,
    source: str = "startup",
    loaded: frozenset[str] = frozenset(),
    compaction: bool = True,
    handoffs: int = 0,
    spawn: Spawn | None = None,
) -> Started:
    """Judge, dispatch, and return the context within CAP_BYTES.

    `loaded` names hot files that the platform loads by itself: they are left out. `spawn` starts a detached
    compaction for a root; without it everything runs here. What goes wrong is said in the context and in
    `problems`; it never keeps the context from being made.
    """
    problems: list[str] = []
    said: list[str] = []
    day = local_day(now, zone)
    try:
        said = notices(store, now, zone, session)
        with store.lock():
            day = begin_session(store, session, source, now, zone)
            remember_start(store, now, session)
    except HipoError as error:
        problems.append(str(error))
    begun, report, detached = look(store, config, now), None, False
    if compaction and begun.due and not problems:
        try:
            begun, report, detached = _dispatch(store, config, now, zone, spawn)
        except HipoError as error:
            problems.append(str(error))
    pending = [f"memory/{name}.md" for name in sorted(read_waiting(store))]
    head = _head(day, session, begun, report, detached, compaction, problems)
    head += _waiting(handoffs, pending)
    head += said
    texts, unreadable = _texts(store, loaded)
    context, shown = compose(head + unreadable, texts)
    return Started(
        session=session,
        day=day,
        begun=begun,
        dispatched=report is not None or detached,
        files=[
            FileShown(s.path, s.lines, TARGET_LINES.get(s.path), max(0, s.lines - s.left_out)) for s in shown
        ],
        pending_summaries=pending,
        handoffs=handoffs,
        context=context,
        problems=problems + [f"{p.path}: {p.message}" for p in (report.problems if report else [])],
    )


def compose(head: list[str], texts: dict[str, str]) -> tuple[str, list[Shown]]:
    """Return the context: head, files, and a last line that names what was shortened and how to read it."""
    closing_room = 80 * len(texts) + 60
    top = _fit_head(head, SHARES["head"] - closing_room)
    room = CAP_BYTES - utf8(top) - closing_room - 8
    shown = fit_files(texts, room)
    parts = [top, *(s.text for s in shown if s.text), closing(shown)]
    return "\n".join(parts), shown


def closing(shown: list[Shown]) -> str:
    """The last line: each shortened file with the number of missing lines and the command that prints it."""
    short = [s for s in shown if s.left_out]
    if not short:
        return "More: hipo recall WORDS, hipo show PLACE (root, 2026-03, 2026-W11, 2026-03-15)"
    said = "; ".join(
        f"{s.path} ({s.left_out} lines missing: hipo show {'root' if s.path == ROOT else s.path})"
        for s in short
    )
    return f"Shortened: {said}"


def _fit_head(head: list[str], room: int) -> str:
    """The head's lines within `room` bytes: whole lines, the first one at any price, then what fits."""
    out: list[str] = []
    left = room
    for index, line in enumerate(head):
        rest = len(head) - index - 1
        reserve = 40 if rest else 0
        line = cut_at_word(line, min(400, left - reserve - 1))
        if utf8(line) + 1 + reserve > left:
            out.append(f"(+{len(head) - index} more notices: hipo status)")
            break
        out.append(line)
        left -= utf8(line) + 1
    return "\n".join(out) + "\n"


def _head(
    day: date,
    session: str | None,
    begun: Begun,
    report: "CompactionReport | None",
    detached: bool,
    compaction: bool,
    problems: list[str],
) -> list[str]:
    who = f", session {short_id(session)}" if session else ""
    lines = [f"Memory of this project, {day}{who}"]
    why = ", ".join(begun.triggers)
    if report is not None and report.ran:
        changed = len(report.changed)
        lines.append(f"Compaction: done ({why}), {changed} node{'s' if changed != 1 else ''} changed")
        lines += [f"Compaction: {p.path}: {p.message}" for p in report.problems]
    elif detached:
        lines.append(f"Compaction: begun in the background ({why})")
    elif begun.due and not compaction:
        lines.append(f"Compaction: due ({why}), not begun; run: hipo compact")
    elif begun.due:
        lines.append(f"Compaction: due ({why}), not begun")
    else:
        lines.append(f"Compaction: not due ({begun.verdict.standing()})")
    return lines + [f"Note: {note}" for note in begun.notes] + [f"Problem: {problem}" for problem in problems]


def _waiting(handoffs: int, pending: list[str]) -> list[str]:
    lines = []
    if handoffs:
        lines.append(
            f"Unread: {handoffs} handoff{'s' if handoffs != 1 else ''}; read: hipo brain handoff read --for AGENT"
        )
    if pending:
        more = f" and {len(pending) - 3} more" if len(pending) > 3 else ""
        lines.append(f"Waiting for a summary: {', '.join(pending[:3])}{more}; see: hipo compact --pending")
    return lines


def _texts(store: MemoryStore, loaded: frozenset[str]) -> tuple[dict[str, str], list[str]]:
    texts: dict[str, str] = {}
    said = []
    for path in ORDER:
        if path in loaded:
            continue
        try:
            text = read_text(store.root / path)
        except HipoError as error:
            said.append(f"Problem: {error}")
            continue
        if text is None:
            said.append(f"Missing: {path}; make it anew: hipo init")
        else:
            texts[path] = text
    return texts, said


def _dispatch(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None, spawn: Spawn | None
) -> tuple[Begun, "CompactionReport | None", bool]:
    """Begin the compaction that is due: here when little changed, else in a process of its own."""
    from hipocampus.compaction.run import run_begun  # the chain's code is loaded only when it has work

    models = config.compaction.summarizer != "extractive"
    cache = Cache(store)
    stats = store.log_stats(cache.days)
    changed = sum(stats[day][0] for day in cache.changed_logs(stats))
    with begin_alone(store, config, now, zone) as begun:
        if begun is None:
            return look(store, config, now), None, True
        if not begun.due:
            return begun, None, False
        if spawn is None or changed <= IN_PROCESS_BYTES:
            report = run_begun(store, config, now, zone, begun, keep_mark=models and spawn is not None)
            if not models or spawn is None:
                return begun, report, False
        else:
            report = None
    assert spawn is not None
    spawn(store.root)
    return begun, report, report is None
