"""Run a compaction: the chain, ROOT.md, and the summaries of a model where one is configured."""

import time
from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING

from hipocampus.clock import local_day
from hipocampus.compaction.begin import MARK, Begun, begin, lease, look
from hipocampus.compaction.cache import NODE_LEVELS, Cache
from hipocampus.compaction.chain import Chain, Progress
from hipocampus.compaction.report import CompactionReport
from hipocampus.compaction.rootstep import update_root
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.files import remove_file
from hipocampus.memory.nodes import Node
from hipocampus.memory.periods import Level
from hipocampus.memory.store import MemoryStore, Problem, add_counts

if TYPE_CHECKING:
    from hipocampus.compaction.model import Summarizer


def compact(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    *,
    forced: bool = False,
    dry_run: bool = False,
    summarizer: str | None = None,
    model: "Summarizer | None" = None,
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
        with lease(store) as alone:
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


def _with_model(
    store: MemoryStore,
    config: Config,
    now: datetime,
    zone: tzinfo | None,
    report: CompactionReport,
    model: "Summarizer",
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
    with lease(store) as alone:
        begun = look(store, config, now)
        if not alone:
            return _skipped(begun, False)._replace(skipped_because="another compaction is running")
        return _chain(store, config, now, zone, begun, dry_run=False, summarizer=None, progress=None)


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
        redacted=chain.sources.redacted,
        problems=problems,
        notes=[*begun.notes, *chain.notes],
        dry_run=dry_run,
    )


def _unwritten(chain: Chain, dry_run: bool) -> dict[str, Node]:
    return chain.sources.known(Level.MONTHLY) if dry_run else {}


def _skipped(begun: Begun, dry_run: bool) -> CompactionReport:
    return CompactionReport(
        ran=False,
        verdict=begun.verdict,
        triggers=[],
        skipped_because=f"no trigger holds: {begun.verdict.standing()}",
        notes=begun.notes,
        dry_run=dry_run,
    )
