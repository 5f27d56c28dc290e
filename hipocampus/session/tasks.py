"""Tasks from the queue to WORKING.md to the raw log. Each call is one lock, and nothing is lost in between.

The order of the writes sees to that: what is moved is written where it goes before it is taken out where
it was. Repeated after a crash, a call finds its first half done and does the rest.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from hipocampus.clock import to_local
from hipocampus.compaction.triggers import judge
from hipocampus.config import CompactionConfig
from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.entries import clean_topic, topic_key
from hipocampus.memory.hot import TASK_QUEUE, WORKING, sections
from hipocampus.memory.store import Draft, MemoryStore, Problem
from hipocampus.session.checkpoint import comment
from hipocampus.session.hotfile import HotFile, Unsaved, bullet, shown
from hipocampus.session.sessions import session_day, short_id
from hipocampus.session.taskedit import (
    complete,
    note_at,
    part_heading,
    place_in_queue,
    place_in_working,
    section_lines,
)
from hipocampus.session.tasklist import (
    Task,
    queued_tasks,
    visible_end,
    working_tasks,
)
from hipocampus.session.taskparts import Parts, read_parts, render_body

OUTCOMES = {"done": "done", "failed": "failed", "dropped": "dropped"}


@dataclass(frozen=True)
class Changed:
    """What became of a task in the hot files; lines are 1-based."""

    action: str  # "added" | "started" | "noted" | "completed" | "unchanged"
    title: str
    path: str
    line_start: int
    line_end: int
    redacted: Mapping[str, int] = field(default_factory=dict)
    private_lines: int = 0


@dataclass(frozen=True)
class Closed:
    """A task that left the hot files, and where its entry stands."""

    action: str  # a key of OUTCOMES
    title: str
    path: str
    line_start: int
    line_end: int
    entries: int
    removed_from: Sequence[str]
    open_steps: int  # steps that were left open; the entry has them
    redacted: Mapping[str, int]
    private_lines: int
    checkpoints: int
    raw_lines: int
    due: bool
    standing: str
    problems: Sequence[Problem]


def read_tasks(store: MemoryStore) -> tuple[list[Task], list[Task]]:
    """Return the tasks in progress and the queued ones, each in the order of its file."""
    working, queue = HotFile(store.root, WORKING), HotFile(store.root, TASK_QUEUE)
    return working_tasks(working.lines, WORKING), queued_tasks(queue.lines, TASK_QUEUE)


def add_task(
    store: MemoryStore,
    title: str,
    *,
    context: Sequence[str] = (),
    files: Sequence[str] = (),
    references: Sequence[str] = (),
    steps: Sequence[str] = (),
) -> Changed:
    """Put a task at the end of TASK-QUEUE.md. To one of the same title in a hot file, what is new is added."""
    title = _title(title)
    with Unsaved(title, *context, *files, *references, *steps), store.lock():
        working, queue = HotFile(store.root, WORKING), HotFile(store.root, TASK_QUEUE)
        name = " ".join(queue.clean(title))
        for task in (*working_tasks(working.lines, WORKING), *queued_tasks(queue.lines, TASK_QUEUE)):
            if task.key == topic_key(shown(name)) and not task.finished:
                hot = working if task.file == WORKING else queue
                return _completed(
                    hot, task, Parts(*map(list, (context, files, (), (), steps, (), references, ())))
                )
        at, lead, joins = place_in_queue(queue.lines)
        at = min(at, visible_end(queue.lines))
        lines = [lead + name]
        for key, texts in (("context", context), ("files", files), ("references", references)):
            for text in filter(str.strip, texts):
                lines += bullet(queue.clean(f"{key}: {text}"), "  - ")
        for text in filter(str.strip, steps):
            lines += bullet(queue.clean(text), "  - [ ] ")
        queue.hide_placeholder(0, len(queue.lines))
        if joins:
            queue.insert(at, lines)
        elif sections(queue.lines, 2):
            at = queue.insert_block(at, ["## Queued", *lines]) + 1
        else:
            at = queue.insert_block(at, lines)
        queue.save()
        return Changed(
            "added", shown(name), TASK_QUEUE, at + 1, at + len(lines), queue.redacted, queue.private_lines
        )


def start_task(
    store: MemoryStore,
    name: str,
    *,
    new: bool = False,
    steps: Sequence[str] = (),
    session: str | None,
    now: datetime,
    zone: tzinfo | None,
) -> Changed:
    """Move a queued task to WORKING.md; with `new`, begin one that was never queued. New steps always go in."""
    with Unsaved(name if new else "", *steps), store.lock():
        working, queue = HotFile(store.root, WORKING), HotFile(store.root, TASK_QUEUE)
        listed = queued_tasks(queue.lines, TASK_QUEUE)
        queued = [task for task in listed if not task.finished]
        running = working_tasks(working.lines, WORKING)
        # One look at both files: a title that is in progress must not start another that only holds its words.
        found = [] if new else pick([*queued, *running], name)
        if not new:
            _refuse_finished(listed, found, name)
        if not found and not new:
            hint = f'see hipo task list, or begin it with: hipo task start --new "{name}"'
            raise _nothing(name, queued, "queued", hint)
        title, kind = (found[0].title, found[0].type) if found else (_title(name), "project")
        moved = [task for task in found if task.file == TASK_QUEUE]
        parts = read_parts(queue.lines, moved[0]) if moved else Parts([], [], [], [], [], [], [], [])
        twin = next((task for task in running if task.key == topic_key(title)), None)
        if twin and not moved:
            return _completed(working, twin, Parts([], [], [], [], list(steps), [], [], []))
        if twin:  # begun before, by a call that did not get to its end: only what is missing there is added
            parts.open_steps.extend(steps)
            twin = complete(working, twin, parts)
            start, end = twin.start, twin.end
        else:
            local = to_local(now, zone)
            stamp = f"{local:%Y-%m-%d %H:%M}" + (f" session {short_id(session)}" if session else "")
            known = {*parts.open_steps, *parts.done_steps}
            further = [step for step in dict.fromkeys(steps) if step not in known]
            lines = section_lines(working, title, kind, stamp, parts, further)
            start = working.insert_block(place_in_working(working.lines), lines)
            working.hide_placeholder(0, start)
            end = start + len(lines)
        working.save()
        for task in reversed(moved):
            queue.remove(task.start, task.end)
        _uncover(queue, queued_tasks(queue.lines, TASK_QUEUE))
        if queue.existed:
            queue.save()
        return Changed(
            "started", shown(title), WORKING, start + 1, end, working.redacted, working.private_lines
        )


def _completed(hot: HotFile, task: Task, parts: Parts) -> Changed:
    """Add to a task that stands in a hot file already what is new about it, and save the file."""
    done = complete(hot, task, parts)
    action = "completed" if hot.save() else "unchanged"
    return Changed(
        action, shown(task.title), task.file, done.start + 1, done.end, hot.redacted, hot.private_lines
    )


def note_task(store: MemoryStore, name: str, part: str, text: str) -> Changed:
    """Add a line to one of the sections of a task in WORKING.md, which is made when it is missing."""
    heading = part_heading(part)
    if not text.strip():
        raise UsageError("task note: the text is empty", "say what is to be noted")
    with Unsaved(text), store.lock():
        working = HotFile(store.root, WORKING)
        running = working_tasks(working.lines, WORKING)
        waiting = queued_tasks(HotFile(store.root, TASK_QUEUE).lines, TASK_QUEUE)
        found = pick(running, name)
        if not found or not _is_title(found[0], name):
            queued = pick([task for task in waiting if not found or _is_title(task, name)], name)
            found = [] if queued else found
        if not found:
            hint = (
                f'start it first: hipo task start "{shown(queued[0].title)}"'
                if queued
                else "see hipo task list"
            )
            raise _nothing(name, running, "in progress", hint)
        task = found[0]
        lines = bullet(working.clean(text), "- [ ] " if heading == "Next Steps" else "- ")
        start = note_at(working, task, heading, lines)
        working.save()
        return Changed(
            "noted",
            shown(task.title),
            WORKING,
            start + 1,
            start + len(lines),
            working.redacted,
            working.private_lines,
        )


def close_task(
    store: MemoryStore,
    limits: CompactionConfig,
    name: str,
    action: str,
    *,
    outcome: str = "",
    more: Mapping[str, Sequence[str]],
    session: str | None,
    now: datetime,
    zone: tzinfo | None,
) -> Closed:
    """Write a task's entry into the raw log, then take the task out of the hot files.

    `more` adds values to the entry's fields. The entry counts as a checkpoint.
    """
    with Unsaved(outcome, *(text for texts in more.values() for text in texts)) as unsaved, store.lock():
        working, queue = HotFile(store.root, WORKING), HotFile(store.root, TASK_QUEUE)
        files = {WORKING: working, TASK_QUEUE: queue}
        tasks = [*working_tasks(working.lines, WORKING), *queued_tasks(queue.lines, TASK_QUEUE)]
        found = pick(tasks, name)
        if not found:
            raise _nothing(name, tasks, "in the hot files", "see hipo task list")
        task, parts = found[0], _parts_of(found, files)
        body = _closed_body(parts, action, outcome, more)
        day = session_day(store, session, now, zone)
        stamp = comment(now, zone, day, session) + (f", started {task.started}" if task.started else "")
        draft = Draft(shown(task.title), task.type, shown(stamp), shown(body))
        try:
            written = store.append_entries(day, [draft])
        except HipoError as error:
            error.hint = f"{task.file} is as it was; {error.hint}"
            raise
        unsaved.stored()
        state, problems = store.count(written.lines, written.entries)
        removed = _take_out(found, files)
    verdict = judge(state, limits, now)
    return Closed(
        action,
        shown(task.title),
        written.path,
        written.line_start,
        written.line_end,
        written.entries,
        removed,
        len(parts.open_steps),
        written.redacted,
        written.private_lines,
        state.checkpoints,
        state.raw_lines,
        verdict.due,
        verdict.standing(),
        problems,
    )


def _parts_of(found: Sequence[Task], files: Mapping[str, HotFile]) -> Parts:
    """The parts of a task that may stand in both hot files."""
    parts = read_parts(files[found[0].file].lines, found[0])
    for other in found[1:]:
        parts = _merged(parts, read_parts(files[other.file].lines, other))
    return parts


def _closed_body(parts: Parts, action: str, outcome: str, more: Mapping[str, Sequence[str]]) -> str:
    """The body of the entry: what came of the task, then all that its section said."""
    said = outcome.strip()
    if action != "done":
        said = f"{OUTCOMES[action]}: {said}" if said else OUTCOMES[action]
    values = {key: [text for text in texts if text.strip()] for key, texts in more.items()}
    return render_body(parts, said or OUTCOMES[action], values, "open" if action == "done" else "not done")


def _take_out(found: Sequence[Task], files: Mapping[str, HotFile]) -> list[str]:
    """Take a task out of the hot files and return those that changed."""
    for file, hot in files.items():
        for one in reversed([task for task in found if task.file == file]):
            hot.remove(one.start, one.end)
    _uncover(files[WORKING], working_tasks(files[WORKING].lines, WORKING))
    _uncover(files[TASK_QUEUE], queued_tasks(files[TASK_QUEUE].lines, TASK_QUEUE))
    return [file for file, hot in files.items() if hot.existed and hot.save()]


def pick(tasks: Sequence[Task], name: str) -> list[Task]:
    """Return the task that a part of its title names, as often as it stands in the files; none when nothing fits.

    The whole title wins over parts of others. HipoError with the candidates when several tasks fit.
    """
    wanted = topic_key(name)
    if not wanted:
        raise UsageError("task: the name is empty", "name a part of the task's title")
    for fits in (
        lambda t: t.key == wanted,
        lambda t: _is_title(t, name),
        lambda t: wanted in t.key,
    ):
        found = [task for task in tasks if fits(task)]
        if found:
            break
    if len({task.key for task in found}) > 1:
        listed = ", ".join(f"{shown(t.title)} ({t.file}:{t.start + 1})" for t in found[:8])
        raise HipoError(f"task: {name!r} fits {len(found)} tasks: {listed}", "say more of the title")
    return found


def _is_title(task: Task, name: str) -> bool:
    """Whether a name is the whole title, as it stands in the file or as it is shown."""
    return topic_key(name) in (task.key, topic_key(shown(task.title)))


def _refuse_finished(listed: Sequence[Task], found: Sequence[Task], name: str) -> None:
    """HipoError when the name is the title of a finished task: another that holds its words is not meant."""
    done = next((task for task in listed if task.finished and _is_title(task, name)), None)
    if done and not any(_is_title(task, name) for task in found):
        raise HipoError(
            f"task: {shown(done.title)!r} is marked as finished ({done.file}:{done.start + 1})",
            "take the mark off to start it, or move it into the raw log with hipo task done",
        )


def _title(text: str) -> str:
    title = clean_topic(re.sub(r"\A\s*(?:#{1,6}|[-*+])\s", "", text))
    if not title:
        raise UsageError("task: the title is empty", "say what is to be done")
    return title


def _nothing(name: str, tasks: Sequence[Task], where: str, hint: str) -> HipoError:
    listed = ", ".join(dict.fromkeys(shown(t.title) for t in tasks)) or "nothing"
    listed = listed if len(listed) <= 300 else listed[:299] + "…"
    return HipoError(f"task: no task fits {name!r}; {where}: {listed}", hint)


def _uncover(hot: HotFile, tasks: Sequence[Task]) -> None:
    if not tasks:
        hot.show_placeholder(0, len(hot.lines))


def _merged(one: Parts, other: Parts) -> Parts:
    return Parts(*(list(dict.fromkeys([*a, *b])) for a, b in zip(one, other, strict=True)))
