"""What `hipo compact` does: the compaction chain, and the summaries that wait for somebody to write them."""

import sys

from hipocampus.cli.context import Call, Here, opened, session_id
from hipocampus.cli.render import print_json, print_notes, print_text
from hipocampus.cli.render_progress import progress
from hipocampus.cli.words import FLAG, TEXT, Words
from hipocampus.compaction.report import Action, CompactionReport
from hipocampus.compaction.run import compact, rebuild
from hipocampus.config import environment
from hipocampus.errors import UsageError

WORDS = Words(
    {
        "--force": ("force", FLAG),
        "--dry-run": ("dry_run", FLAG),
        "--summarizer": ("summarizer", ("extractive", "command", "llm")),
        "--ingest": ("ingest", FLAG),
        "--pending": ("pending", FLAG),
        "--all": ("all_", FLAG),
        "--accept": ("accept", TEXT),
        "--hash": ("hash_", TEXT),
        "--quiet": ("quiet", FLAG),
        "--json": ("as_json", FLAG),
    }
)


def run_compact(
    call: Call,
    *,
    force: bool = False,
    dry_run: bool = False,
    summarizer: str | None = None,
    ingest: bool = False,
    pending: bool = False,
    all_: bool = False,
    accept: str | None = None,
    hash_: str | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """Build the tree, list what waits for a summary, or take one; return the exit status."""
    if all_ and not pending:
        raise UsageError("compact: --all goes with --pending", "use: hipo compact --pending --all")
    if (accept is None) != (hash_ is None):
        raise UsageError("compact: --accept and --hash go together", "take both from: hipo compact --pending")
    if pending and accept is not None:
        raise UsageError("compact: --pending lists, --accept takes one", "use one of them")
    here = opened(call)
    if pending:
        _pending(here, all_, as_json)
        return 0
    if accept is not None and hash_ is not None:
        _accept(here, accept, hash_, as_json)
        return 0
    return _run(here, force, dry_run, summarizer, ingest, quiet, as_json)


def _pending(here: Here, extractive: bool, as_json: bool) -> None:
    from hipocampus.compaction.waiting import list_pending

    found = list_pending(here.store, here.today, extractive=extractive)
    if as_json:
        print_json({"pending": [{**p._asdict(), "level": str(p.level)} for p in found]})
        return
    for node in found:
        print_text(
            f"{node.place}  {node.path}  {node.hash}  {node.why}; {node.lines} lines, at most {node.limit}"
        )
        for source in node.sources:
            print_text(f"    {source}")
    if not found:
        print_text(
            "no node waits for a summary" + ("" if extractive else "; --all lists the extractive ones too")
        )


def _accept(here: Here, place: str, hash_: str, as_json: bool) -> None:
    from hipocampus.compaction.waiting import accept

    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError(
            "compact: --accept reads the summary from stdin", "pipe it: hipo compact --accept … < summary.md"
        )
    done = accept(here.store, here.now, here.zone, place, hash_, sys.stdin.read())
    report = rebuild(here.store, here.config, here.now, here.zone)
    print_notes(f"{p.path}: {p.message}" for p in report.problems)
    if as_json:
        print_json({"path": done.path, "status": done.status, "lines": done.lines})
    else:
        print_text(f"taken: {done.path} ({done.lines} lines, {done.status})")


def _run(
    here: Here,
    force: bool,
    dry_run: bool,
    summarizer: str | None,
    ingest: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    if ingest and not dry_run:
        from hipocampus.platforms.discover import ingest_all

        taken_in = ingest_all(here.store, here.config, here.now, here.zone)
        print_notes(note for note in taken_in if not (quiet and note.startswith("took in ")))
    if here.config.tidy_auto and not dry_run:
        print_notes(_tidied(here, force))
    name = summarizer or here.config.compaction.summarizer
    model = None
    if name != "extractive" and not dry_run:
        from hipocampus.brain.routes import Override, checked_override
        from hipocampus.brain.summarizer import build_summarizer

        named = Override(environment("HIPO_LLM_PROVIDER"), environment("HIPO_LLM_MODEL"))
        model = build_summarizer(name, here.config, checked_override(Override(), named), here.root)
    with progress("Compacting") as report_progress:
        report = compact(
            here.store,
            here.config,
            here.now,
            here.zone,
            forced=force,
            dry_run=dry_run,
            summarizer=name,
            model=model,
            progress=report_progress,
        )
    if report.ran and not dry_run and "openclaw" in here.config.platforms:
        from hipocampus.platforms.openclaw import refresh_mirror

        refresh_mirror(here.root)
    print_notes(report.notes)
    print_notes(f"{p.path}{f':{p.line}' if p.line else ''}: {p.message}" for p in report.problems)
    if as_json:
        print_json(as_document(report))
    elif not quiet:
        print_text(as_text(report))
    return 1 if report.problems else 0


def _tidied(here: Here, force: bool) -> list[str]:
    """Tidy the hot files before a compaction that is due (`tidy.auto`), and return what was moved."""
    from hipocampus.compaction.begin import look
    from hipocampus.session.tidy import tidy

    if not look(here.store, here.config, here.now, forced=force).due:
        return []
    done = tidy(
        here.store,
        here.config.compaction.root_max_tokens,
        everything=False,
        dry_run=False,
        session=session_id(None),
        now=here.now,
        zone=here.zone,
    )
    return [
        f"tidied {size.path}: {len(size.moved)} finished → {done.path}" for size in done.files if size.moved
    ]


def as_document(report: CompactionReport) -> dict[str, object]:
    """The JSON of a run."""
    return {
        "ran": report.ran,
        "triggers": [str(t) for t in report.triggers],
        "skipped_because": report.skipped_because,
        "nodes": [
            {
                "path": n.path,
                "level": n.level,
                "status": n.status,
                "summary": n.summary,
                "action": str(n.action),
                "lines": n.lines,
            }
            for n in report.nodes
        ],
        "root": {"path": report.root.path, "tokens": report.root.tokens, "cap": report.root.cap}
        if report.root
        else None,
        "redacted": dict(report.redacted),
        "problems": [{"path": p.path, "line": p.line, "message": p.message} for p in report.problems],
        "seconds": report.seconds,
        "dry_run": report.dry_run,
    }


def as_text(report: CompactionReport) -> str:
    """The output of a run for people: what changed, level by level, and ROOT.md."""
    if not report.ran:
        return f"nothing done: {report.skipped_because}"
    would = "would be " if report.dry_run else ""
    lines = [
        f"{'dry run, nothing written' if report.dry_run else 'compacted'} ({', '.join(report.triggers)})"
    ]
    for level in ("daily", "weekly", "monthly"):
        of_level = [n for n in report.nodes if n.level == level]
        counts = {a: [n for n in of_level if n.action is a] for a in Action}
        said = [
            f"{len(found)} {would}{action}"
            for action, found in counts.items()
            if found and action is not Action.UNCHANGED
        ]
        if said:
            lines.append(f"  {level}: {', '.join(said)}")
        for node in counts[Action.REOPENED]:
            lines.append(f"    reopened {node.path} ({node.status}, {node.lines} lines)")
    if not report.changed:
        lines.append("  no node changed")
    if report.root:
        root = report.root
        lines.append(
            f"  {root.path}: {root.tokens} of {root.cap} tokens{'' if root.changed else ', unchanged'}"
        )
    if report.redacted:
        lines.append("  redacted: " + ", ".join(f"{count} {kind}" for kind, count in report.redacted.items()))
    return "\n".join(lines)
