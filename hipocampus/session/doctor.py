"""Check every rule on disk, and repair what can be derived. A raw log is never touched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path

from hipocampus.clock import iso_utc, local_day, parse_instant
from hipocampus.compaction.begin import left_over
from hipocampus.compaction.cache import FILE, Cache
from hipocampus.compaction.chain import Chain
from hipocampus.compaction.origin import is_torn
from hipocampus.compaction.report import Action, CompactionReport
from hipocampus.compaction.run import rebuild
from hipocampus.compaction.sources import LIMITS
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.files import decode, read_bytes, remove_file
from hipocampus.memory.entries import split_lines
from hipocampus.memory.hot import SCRATCHPAD, TASK_QUEUE, WORKING
from hipocampus.memory.nodes import Node, parse_covers, parse_node, second_block
from hipocampus.memory.periods import Level, Period, Week, parse_day, parse_period
from hipocampus.memory.state import BrokenState, CompactionState
from hipocampus.memory.store import MemoryStore, Problem
from hipocampus.memory.tokens import estimate_tokens
from hipocampus.redact import redact

QUIET_DAYS = 7  # no compaction for so long, though logs are newer, is a fault


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong."""

    path: str  # relative to the root
    line: int  # 0 when it concerns the whole file
    kind: str
    message: str
    fixable: bool = False  # by `doctor --fix`


@dataclass(frozen=True)
class Diagnosis:
    """All that was found, and what --fix did about it."""

    findings: list[Finding]
    fixed: list[str]


def examine(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None, wiring: Sequence[Problem] = ()
) -> list[Finding]:
    """Return what is wrong with the tree, in the order of its files. Changes nothing."""
    today = local_day(now, zone)
    found = [*_state(store, now), *_own_folder(store, now), *_hot(store, config)]
    for path in _texts(store):
        found += _text(store, path)
    found += _nodes(store)
    found += _stale(store, today)
    found += [Finding(p.path, p.line, "wiring", p.message) for p in wiring]
    return _unique(found)


def repair(
    store: MemoryStore, config: Config, now: datetime, zone: tzinfo | None
) -> tuple[list[str], CompactionReport]:
    """Rebuild nodes and ROOT.md, the state and its counters, and hipo's own folder; return what was done."""
    done = []
    with store.lock():
        if store.hidden.stat().st_mode & 0o077:
            store.hidden.chmod(0o700)
            done.append("memory/.hipo: readable by its owner only")
        done += [f"{store.relative(path)}: removed" for path in store.sweep()]
        state = _usable(store, now)
        if state is None:
            aside = store.set_state_aside()
            store.write_state(CompactionState(None, _uncovered_lines(store), 0))
            done.append(
                f"{store.relative(store.state_path)}: written anew from the logs; the old one is {aside}"
            )
    remove_file(store.hidden / FILE)
    report = rebuild(store, config, now, zone)
    done += [f"{node.path}: {node.action}" for node in report.changed]
    if report.root and report.root.changed:
        done.append(f"{report.root.path}: written")
    return done, report


# --- the state and hipo's own folder ---


def _state(store: MemoryStore, now: datetime) -> Iterator[Finding]:
    path = store.relative(store.state_path)
    try:
        state = store.read_state()
    except HipoError as error:
        yield Finding(path, 0, "state", error.message.removeprefix(f"{path}: "), fixable=True)
        return
    last = state.last_run if state else None
    if last is not None and last > now:
        yield Finding(path, 0, "state", f"the last run lies in the future: {iso_utc(last)}", fixable=True)
        return
    names = store.log_names()
    quiet = last is not None and names and now - last >= timedelta(days=QUIET_DAYS)
    if quiet and last is not None and (names[-1] > last.date().isoformat() or _uncovered_lines(store)):
        message = (
            f"no compaction since {iso_utc(last)}, though there are logs up to {names[-1]}; run: hipo compact"
        )
        yield Finding(path, 0, "compaction", message)
    if left_over(store):
        yield Finding(
            "memory/.hipo/compacting.json",
            0,
            "compaction",
            "a compaction was begun and did not end; the next start or compact finishes it",
        )


def _usable(store: MemoryStore, now: datetime) -> CompactionState | None:
    try:
        state = store.read_state()
    except (BrokenState, HipoError):
        return None
    if state is None:
        return CompactionState()
    return None if state.last_run and state.last_run > now else state


def _uncovered_lines(store: MemoryStore) -> int:
    """Lines of the raw logs that no daily node has taken in: what the counter would hold."""
    total = 0
    names = store.node_names(Level.DAILY)
    for day in store.log_names():
        try:
            lines = len(split_lines(store.read_log(date.fromisoformat(day)) or ""))
            node = store.read_node(Level.DAILY, day) if day in names else None
        except HipoError:  # examine has named it
            continue
        covers = parse_covers(node.items("covers")) if node else {}
        total += max(0, lines - (covers[day].lines if day in covers else 0))
    return total


def _own_folder(store: MemoryStore, now: datetime) -> Iterator[Finding]:
    if store.hidden.is_dir() and store.hidden.stat().st_mode & 0o077:
        yield Finding("memory/.hipo", 0, "mode", "others may read it; it should have mode 0700", fixable=True)
    for path in store.leftovers():
        yield Finding(
            store.relative(path),
            0,
            "leftover",
            "half written by a process that was killed; the file itself is whole",
            fixable=True,
        )
    for log in ("hook.log", "compaction.log"):
        text = decode(read_bytes(store.hidden / log) or b"")
        stat = store.stat_of(store.hidden / log)
        written = datetime.fromtimestamp(stat.changed_ns / 1e9, UTC) if stat else now
        faults = [
            line
            for line in split_lines(text)[-200:]
            if ("hipo: " in line or "error" in line.lower())
            and now - (parse_instant(line.partition(" ")[0].rstrip(":")) or written)
            < timedelta(days=QUIET_DAYS)
        ]
        if faults:
            yield Finding(
                f"memory/.hipo/{log}",
                0,
                "background",
                f"{len(faults)} lines speak of faults, the last: {faults[-1].strip()[:200]}",
            )


# --- texts that people and agents write ---


def _hot(store: MemoryStore, config: Config) -> Iterator[Finding]:
    for name in (SCRATCHPAD, WORKING, TASK_QUEUE, "memory/ROOT.md"):
        if not (store.root / name).exists():
            yield Finding(
                name,
                0,
                "missing",
                "the file is missing; hipo init makes it anew",
                fixable=name == "memory/ROOT.md",
            )
    text = _read(store.memory / "ROOT.md")
    cap = config.compaction.root_max_tokens
    if isinstance(text, str) and (tokens := estimate_tokens(text)) > cap:
        yield Finding("memory/ROOT.md", 0, "size", f"about {tokens} tokens, the cap is {cap}", fixable=True)
    for name in store.odd_files():
        why = "no date as its name, so it gets no node; recall finds it"
        if not name.endswith(".md"):
            why = "ends otherwise than with .md, so nothing reads it; rename it"
        yield Finding(f"memory/{name}", 0, "name", why)


def _texts(store: MemoryStore) -> Iterator[Path]:
    for name in (SCRATCHPAD, WORKING, TASK_QUEUE):
        yield store.root / name
    yield from sorted(store.memory.glob("*.md"))
    for folder in ("knowledge", "plans"):
        yield from sorted((store.root / folder).rglob("*.md"))


def _text(store: MemoryStore, path: Path) -> Iterator[Finding]:
    name = store.relative(path)
    text = _read(path)
    if text is None:
        return
    if isinstance(text, HipoError):
        yield _unreadable(name, path, text)
        return
    lines = split_lines(text)
    yield from _conflict(name, lines)
    counts = redact(text).counts
    if counts:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
        at = next((n for n, line in enumerate(lines, 1) if redact(line).counts), 0)
        yield Finding(
            name,
            at,
            "secret",
            f"holds what looks like secrets ({kinds}); take them out: hipo forget --secrets",
        )


def _conflict(name: str, lines: list[str]) -> Iterator[Finding]:
    opened = [n for n, line in enumerate(lines, 1) if line.startswith("<<<<<<< ")]
    if opened and any(line.startswith(">>>>>>> ") for line in lines):
        yield Finding(
            name, opened[0], "conflict", "git conflict markers; keep both sides and remove the markers"
        )


# --- nodes ---


def _nodes(store: MemoryStore) -> Iterator[Finding]:
    for level in (*LIMITS, Level.ROOT):
        names = sorted(store.node_names(level)) if level is not Level.ROOT else [""]
        for name in names:
            path = store.node_path(level, name)
            text = _read(path)
            if isinstance(text, HipoError):
                yield _unreadable(store.relative(path), path, text)
            elif text is None and path.is_symlink():
                message = "a link to a file that is not there; mend the link or remove it"
                yield Finding(store.relative(path), 0, "unreadable", message)
            elif text is not None:
                node = parse_node(text)
                if not (node.text("summary") and node.body_intact):  # else the markers came from the log
                    yield from _conflict(store.relative(path), split_lines(text))
                yield from _node(store.relative(path), level, name, node)
                day = parse_day(name) if level is Level.DAILY else None
                if day and (lost := _lost(store.log_path(day))):
                    message = f"its raw log memory/{name}.md is {lost}; the node is kept"
                    yield Finding(store.relative(path), 0, "orphan", message)


def _lost(log: Path) -> str:
    """What became of a log that is no more, or has no text any more; "" for one that has some or cannot be read."""
    try:
        return "" if log.stat().st_size or not log.is_file() else "empty"
    except OSError:
        return "" if log.is_symlink() else "missing"


def _node(path: str, level: Level, name: str, node: Node) -> Iterator[Finding]:
    found = parse_period(name)
    if level is not Level.ROOT and (found is None or found[0] is not level):
        yield Finding(path, 0, "name", f"its name is no {level} period, so nothing reads it")
        return
    if is_torn(node):
        yield Finding(path, 1, "damaged", "cut off in its frontmatter", fixable=True)
        return
    if node.front is None:
        yield Finding(
            path,
            1,
            "frontmatter",
            "no frontmatter, so it is treated as written by hand; delete the file to have it made anew",
        )
        return
    for problem in node.front.problems:
        yield Finding(path, 1, "frontmatter", problem)
    if second_block(node):
        yield Finding(path, 1, "frontmatter", "a second frontmatter block follows the first")
    if node.status == "needs-summarization":
        yield Finding(path, 1, "placeholder", "a placeholder instead of a summary", fixable=True)
        return
    if (kind := node.text("type")) and kind != level:
        yield Finding(path, 1, "frontmatter", f"type is {kind!r}, not {str(level)!r}")
    if level is not Level.ROOT and (period := node.text("period")) and period != name:
        yield Finding(path, 1, "frontmatter", f"period is {period!r}, not {name!r}")
    limit = LIMITS.get(level)
    if limit and (lines := node.body.count("\n") + 1) > limit:
        yield Finding(path, 0, "size", f"{lines} lines, the limit is {limit}")


def _stale(store: MemoryStore, today: date) -> Iterator[Finding]:
    """Nodes that a compaction would make or change, for periods that are over."""
    chain = Chain(store, today, Cache.empty(store), waiting=False, dry_run=True)
    chain.run()
    for problem in chain.problems:
        yield Finding(problem.path, problem.line, "unreadable", problem.message)
    for node in chain.done:
        if node.action in (Action.UNCHANGED, Action.FIXED) or not _is_over(node.path, today):
            continue
        if node.action is Action.CREATED:
            day = Path(node.path).stem
            yield Finding(node.path, 0, "missing", f"{day} has no node; run: hipo compact", fixable=True)
        else:
            yield Finding(
                node.path,
                0,
                "stale",
                "its sources have changed since it was written; run: hipo doctor --fix",
                fixable=True,
            )


def _is_over(path: str, today: date) -> bool:
    found = parse_period(Path(path).stem)
    return found is not None and last_day(found[1]) < today


def last_day(period: Period) -> date:
    """Return the last day of a day, week or month."""
    if isinstance(period, date):
        return period
    return period.sunday if isinstance(period, Week) else period.last_day


def _unreadable(name: str, path: Path, error: HipoError) -> Finding:
    return Finding(name, 0, "unreadable", error.message.removeprefix(f"{path}: "))


def _read(path: Path) -> str | HipoError | None:
    try:
        data = read_bytes(path)
    except HipoError as error:
        return error
    return None if data is None else decode(data)


def _unique(found: list[Finding]) -> list[Finding]:
    """The findings, each once; a placeholder is stale by nature, and a file is unreadable for one reason."""
    placeholders = {f.path for f in found if f.kind in ("placeholder", "damaged")}
    told = [f for f in found if f.kind != "stale" or f.path not in placeholders]
    return list({(f.path, f.kind, f.message if f.kind != "unreadable" else ""): f for f in told}.values())
