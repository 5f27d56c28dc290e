"""A whole compaction: judge, write the state, take the snapshot, run the chain, write ROOT.md.

The state is written when a run is begun, not when it has succeeded. A mark in `.hipo/` says that one was
begun and has not ended; whoever finds it while nobody runs finishes the work.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.clock import iso_utc, local_day
from hipocampus.compaction.cache import NODE_LEVELS, Cache
from hipocampus.compaction.chain import Chain, Progress
from hipocampus.compaction.model import Summarizer
from hipocampus.compaction.report import CompactionReport
from hipocampus.compaction.rootstep import update_root
from hipocampus.compaction.snapshot import take_snapshot
from hipocampus.compaction.triggers import Trigger, Verdict, judge
from hipocampus.config import Config
from hipocampus.errors import HipoError, ReadError
from hipocampus.files import FileLock, remove_file
from hipocampus.memory.nodes import Node
from hipocampus.memory.periods import Level
from hipocampus.memory.state import BrokenState, CompactionState
from hipocampus.memory.store import MemoryStore, Problem, add_counts

MARK = "compacting.json"
LOCK = "compaction.lock"


class Begun(NamedTuple):
    """A judgement, and what was written because of it."""

    verdict: Verdict
    triggers: list[Trigger]
    notes: Sequence[str] = ()
    problems: Sequence[Problem] = ()

    @property
    def due(self) -> bool:
        return bool(self.triggers)


def look(store: MemoryStore, config: Config, now: datetime, *, forced: bool = False) -> Begun:
    """Return whether a compaction is due, without writing anything."""
    notes: list[str] = []
    state: CompactionState | None = None
    try:
        state = store.read_state()
        if state and state.last_run and state.last_run > now:
            notes.append(
                f"{store.relative(store.state_path)}: the last run lies in the future ({iso_utc(state.last_run)}); it counts as none"
            )
    except (BrokenState, ReadError) as error:
        notes.append(f"{error.message}; it counts as none")
    verdict = judge(state, config.compaction, now, forced=forced)
    triggers = list(verdict.triggers)
    if left_over(store):
        triggers.append(Trigger.RESUMED)
    return Begun(verdict, triggers, notes)


def begin(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None, *, forced: bool = False
) -> Begun:
    """Judge, and when a run is due write the snapshot, the mark and the state. Takes the lock."""
    with store.lock():
        begun = look(store, config, now, forced=forced)
        if not begun.due:
            return begun
        notes, problems = list(begun.notes), list(begun.problems)
        try:
            state = store.read_state() or CompactionState()
        except (BrokenState, ReadError):
            notes.append(f"the state file was set aside as {store.set_state_aside()}")
            state = CompactionState()
        try:
            if snapshot := take_snapshot(store, now, zone):
                place = f"{snapshot.path}:{snapshot.line_start}-{snapshot.line_end}"
                notes.append(f"active work was copied into {place}")
        except ReadError as error:
            problems.append(Problem("WORKING.md", 0, error.message))
        store.write_own(MARK, {"pid": os.getpid(), "at": iso_utc(now)})
        store.write_state(state.dispatched(now))
    return begun._replace(notes=notes, problems=problems)


def left_over(store: MemoryStore) -> bool:
    """True when a run was begun and has not ended, and no process works on it."""
    if not (store.hidden / MARK).exists():
        return False
    lease = FileLock(store.hidden / LOCK, 0)
    try:
        free = lease.try_acquire()
    except HipoError:  # a tree that cannot be written to cannot be resumed either
        return False
    if free:
        lease.release()
    return free


def compact(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    *,
    forced: bool = False,
    dry_run: bool = False,
    summarizer: str | None = None,
    model: Summarizer | None = None,
    progress: Progress | None = None,
) -> CompactionReport:
    """Run the chain when a trigger holds: by rule first, then with `model` one summary a level.

    `summarizer` overrides the config's. Never raises for one damaged file: it is named in `problems`, and
    the rest is done.
    """
    started = time.monotonic()
    if dry_run:
        begun = look(store, config, now, forced=forced)
        if not begun.due:
            return _skipped(begun, dry_run)
        report = _chain(
            store, config, now, zone, begun, dry_run=True, summarizer=summarizer, progress=progress
        )
    else:
        with _lease(store) as alone:
            if not alone:
                begun = look(store, config, now, forced=forced)
                return _skipped(begun, dry_run)._replace(skipped_because="another compaction is running")
            begun = begin(store, config, now, zone, forced=forced)
            if not begun.due:
                return _skipped(begun, dry_run)
            report = run_begun(
                store, config, now, zone, begun, summarizer=summarizer, progress=progress, keep_mark=True
            )
            if model is not None:
                report = _with_model(store, config, now, zone, report, model, summarizer)
            remove_file(store.hidden / MARK)
    return report._replace(seconds=round(time.monotonic() - started, 3))


def run_begun(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    begun: Begun,
    *,
    summarizer: str | None = None,
    progress: Progress | None = None,
    keep_mark: bool = False,
) -> CompactionReport:
    """Run the chain of a compaction that was begun, and take its mark away. The caller holds the lease.

    `keep_mark`: another process goes on with it (the models' summaries), and takes the mark away then.
    """
    report = _chain(store, config, now, zone, begun, dry_run=False, summarizer=summarizer, progress=progress)
    if not keep_mark:
        remove_file(store.hidden / MARK)
    return report


@contextmanager
def begin_alone(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None
) -> Iterator[Begun | None]:
    """Hold the right to compact, judge, and begin what is due; yields None when another process compacts."""
    with _lease(store) as alone:
        yield begin(store, config, now, zone) if alone else None


def _with_model(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    report: CompactionReport,
    model: Summarizer,
    summarizer: str | None,
) -> CompactionReport:
    """Ask the model for one node a level, most recent first, each level after the one below it."""
    from hipocampus.compaction.waiting import summarize_waiting

    begun = Begun(report.verdict, report.triggers, report.notes, report.problems)
    for level in NODE_LEVELS:
        done, problem = summarize_waiting(store, now, zone, level, model)
        if problem is not None:
            report = report._replace(problems=[*report.problems, problem])
        if done is not None:
            after = _chain(
                store,
                config,
                now,
                zone,
                begun._replace(problems=[]),
                dry_run=False,
                summarizer=summarizer,
                progress=None,
            )
            nodes = {n.path: n for n in report.nodes}
            nodes |= {n.path: n for n in after.changed} | {done.path: done}
            report = report._replace(
                nodes=list(nodes.values()),
                root=after.root,
                redacted=add_counts(report.redacted, after.redacted),
            )
    return report


def rebuild(store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None) -> CompactionReport:
    """Bring every derived file up to date whatever the triggers say; the state and the mark stay as they are."""
    with _lease(store) as alone:
        begun = look(store, config, now)
        if not alone:
            return _skipped(begun, False)._replace(skipped_because="another compaction is running")
        return _chain(store, config, now, zone, begun, dry_run=False, summarizer=None, progress=None)


@contextmanager
def _lease(store: MemoryStore) -> Iterator[bool]:
    """Hold the right to compact for the whole run; yields False when another process has it."""
    store.ensure_hidden()
    lease = FileLock(store.hidden / LOCK, 0)
    got = lease.try_acquire()
    try:
        yield got
    finally:
        if got:
            lease.release()


def _chain(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    begun: Begun,
    *,
    dry_run: bool,
    summarizer: str | None,
    progress: Progress | None,
) -> CompactionReport:
    cache = Cache(store)
    today: date = local_day(now, zone)
    waiting = (summarizer or config.compaction.summarizer) != "extractive"
    chain = Chain(store, today, cache, waiting=waiting, dry_run=dry_run, progress=progress)
    chain.run()
    problems = [*begun.problems, *chain.problems]
    root = None
    try:
        root = update_root(
            store,
            cache,
            today,
            config.compaction.root_max_tokens,
            dry_run=dry_run,
            nodes=_unwritten(chain, dry_run),
        )
    except HipoError as error:
        problems.append(Problem("memory/ROOT.md", 0, error.message))
    if not dry_run:
        cache.save()
    return CompactionReport(
        ran=True,
        verdict=begun.verdict,
        triggers=begun.triggers,
        nodes=chain.done,
        root=root,
        redacted=chain.redacted,
        problems=problems,
        notes=begun.notes,
        dry_run=dry_run,
    )


def _unwritten(chain: Chain, dry_run: bool) -> dict[str, Node]:
    return chain.known(Level.MONTHLY) if dry_run else {}


def _skipped(begun: Begun, dry_run: bool) -> CompactionReport:
    return CompactionReport(
        ran=False,
        verdict=begun.verdict,
        triggers=[],
        skipped_because=f"no trigger holds: {begun.verdict.standing()}",
        notes=begun.notes,
        dry_run=dry_run,
    )
