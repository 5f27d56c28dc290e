"""Begin a compaction: judge, write the state, take the snapshot, and leave a mark until it has ended.

The state is written when a run is begun, not when it has succeeded. The mark in `.hipo/` says that one was
begun; whoever finds it while nobody compacts finishes the work. Loads nothing of the chain itself.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from typing import NamedTuple

from hipocampus.clock import iso_utc
from hipocampus.compaction.snapshot import take_snapshot
from hipocampus.compaction.triggers import Trigger, Verdict, judge
from hipocampus.config import Config
from hipocampus.errors import HipoError, ReadError
from hipocampus.lock import FileLock
from hipocampus.memory.state import BrokenState, CompactionState
from hipocampus.memory.store import MemoryStore, Problem

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


def look(
    store: MemoryStore, config: Config, now: datetime, *, forced: bool = False, alone: bool = False
) -> Begun:
    """Return whether a compaction is due, without writing anything. `alone`: the caller holds the lease."""
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
    if left_over(store, alone=alone):
        triggers.append(Trigger.RESUMED)
    return Begun(verdict, triggers, notes)


def begin(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None, *, forced: bool = False
) -> Begun:
    """Judge, and when a run is due write the snapshot, the mark and the state. Takes the lock; the caller holds the lease."""
    with store.lock():
        begun = look(store, config, now, forced=forced, alone=True)
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


def left_over(store: MemoryStore, *, alone: bool = False) -> bool:
    """True when a run was begun and has not ended, and no process works on it; `alone`: the caller holds the lease."""
    if not (store.hidden / MARK).exists():
        return False
    if alone:
        return True
    try:
        return FileLock(store.hidden / LOCK, 0).is_free()
    except HipoError:  # a tree that cannot be written to cannot be resumed either
        return False


@contextmanager
def lease(store: MemoryStore) -> Iterator[bool]:
    """Hold the right to compact for the whole run; yields False when another process has it.

    What a run that died left half written goes first; it may have died between two holds of the tree's lock.
    """
    store.ensure_hidden()

    def sweep() -> None:
        with store.lock():
            store.sweep()

    lease = FileLock(store.hidden / LOCK, 0, sweep)
    got = lease.try_acquire()
    try:
        yield got
    finally:
        if got:
            lease.release()


@contextmanager
def begin_alone(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None
) -> Iterator[Begun | None]:
    """Hold the right to compact, judge, and begin what is due; yields None when another process compacts."""
    with lease(store) as alone:
        yield begin(store, config, now, zone) if alone else None
