"""The whole memory as one self-contained HTML page. Memory text goes in as JSON, which no text can end.

The page parses a month when it is opened or searched. Bodies of nodes that only repeat their logs are left
out: the page shows the logs themselves.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.clock import local_day, to_local
from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.memory.entries import SNAPSHOT_TOPIC, TYPES, parse_log, topic_key
from hipocampus.memory.hot import TARGET_LINES, is_template, without_comments
from hipocampus.memory.nodes import Summary
from hipocampus.memory.periods import Level, parse_period, week_of
from hipocampus.memory.store import MemoryStore, Problem
from hipocampus.redact import redact
from hipocampus.session.hotfile import shown
from hipocampus.session.tasks import read_tasks
from hipocampus.templates import template_text

GENERATOR = '<meta name="generator" content="hipocampus export html">'

_DATE_TITLE = re.compile(r"# \d{4}-\d\d-\d\d\s*$")

Progress = Callable[[int, int, str], None]


class Exported(NamedTuple):
    """A page, and what is in it."""

    text: str
    days: int
    entries: int
    notes: int
    problems: list[Problem]  # files that could not be read; the rest is in the page


class _Day(NamedTuple):
    before: str  # what stands before the first entry
    entries: list[
        tuple[str, int, str, str, int, int]
    ]  # topic, number of the type, comment, body, first and last line

    @property
    def counts(self) -> list[int]:
        """Entries per type; a log of words without headings counts as one."""
        counts = [0] * len(TYPES)
        for entry in self.entries:
            counts[entry[1]] += 1
        counts[0] += bool(self.before and not self.entries)
        return counts


class _Month(NamedTuple):
    days: dict[str, _Day]
    nodes: dict[str, tuple[str, str, str]]  # status, kind and body, by the period's name

    def value(self) -> dict[str, object]:
        """What the page reads."""
        return {"days": {name: day._asdict() for name, day in self.days.items()}, "nodes": self.nodes}


def export_page(
    store: MemoryStore, title: str, now: datetime, zone: tzinfo | None, progress: Progress | None = None
) -> Exported:
    """Return the page. Secrets are taken out of every text, also of those that people wrote by hand."""
    report = progress or (lambda _done, _total, _what: None)
    problems: list[Problem] = []
    months = _months(store, report, problems)
    days = {name: day.counts for month in months.values() for name, day in month.days.items()}
    notes = dict(_notes(store, problems))
    index = {
        "title": title,
        "made": f"{to_local(now, zone):%Y-%m-%d %H:%M}",
        "today": local_day(now, zone).isoformat(),
        "days": dict(sorted(days.items())),
        "topics": _topics(months),
        "root": _root(store, problems),
        "hot": _hot(store, problems),
        "tasks": _tasks(store, problems),
        "notes": list(notes),
    }
    holders = [_holder('id="index"', index), _holder('id="notes"', notes)]
    holders += [
        _holder(f'class="month" data-month="{name}"', month.value()) for name, month in sorted(months.items())
    ]
    style, script = template_text("export/style.css"), template_text("export/app.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    values = {
        "policy": html.escape(policy),
        "title": html.escape(title),
        "style": style,
        "script": script,
        "data": "\n".join(holders),
    }
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template_text("export/page.html"))
    return Exported(page, len(days), sum(map(sum, days.values())), len(notes), problems)


def _months(store: MemoryStore, report: Progress, problems: list[Problem]) -> dict[str, _Month]:
    """Return days and nodes by the month of the tree that they belong to."""
    months: dict[str, _Month] = {}
    names = store.log_names()
    for number, name in enumerate(names):
        day = date.fromisoformat(name)
        try:
            text = store.read_log(day) or ""
        except HipoError as error:
            problems.append(Problem(store.relative(store.log_path(day)), 0, error.message))
            continue
        month = months.setdefault(str(week_of(day).month), _Month({}, {}))
        month.days[name] = _day(text)
        report(number + 1, len(names), name)
    for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY):
        for name in sorted(store.node_names(level)):
            found = parse_period(name)
            if found is None or found[0] is not level:
                continue
            period = found[1]
            key = str(week_of(period).month if isinstance(period, date) else getattr(period, "month", period))
            if key in months and (node := _node(store, level, name, problems)):
                months[key].nodes[name] = node
    return months


def _day(text: str) -> _Day:
    """A raw log as the page reads it. Places keep the lines of the file, whatever the redactor takes out."""
    clean = redact(text).text
    log = parse_log(text)

    def once(part: str) -> str:
        return part if clean == text else redact(part).text

    before = "\n".join(line for line in log.preamble.split("\n") if not _DATE_TITLE.match(line)).strip("\n")
    entries = [
        (once(e.topic), TYPES.index(e.type), once(e.comment), once(e.body), e.line_start, e.line_end)
        for e in log.entries
    ]
    return _Day(once(before), entries)


def _node(
    store: MemoryStore, level: Level, name: str, problems: list[Problem]
) -> tuple[str, str, str] | None:
    """Status, kind and body of a node; None for one that only repeats its logs."""
    try:
        node = store.read_node(level, name)
    except HipoError as error:
        problems.append(Problem(store.relative(store.node_path(level, name)), 0, error.message))
        return None
    if node is None or (node.text("summary") == Summary.VERBATIM and node.body_intact):
        return None
    return node.status, node.text("summary"), redact(node.body).text


def _topics(months: dict[str, _Month]) -> dict[str, str]:
    """The place of the latest entry of each topic, by the topic as the page compares it."""
    found: dict[str, str] = {}
    for _, month in sorted(months.items()):
        for name, day in sorted(month.days.items()):
            for topic, _, _, _, start, end in day.entries:
                if topic and topic != SNAPSHOT_TOPIC:
                    found[topic_key(topic)] = f"{name}:{start}-{end}"
    return found


def _root(store: MemoryStore, problems: list[Problem]) -> str:
    try:
        node = store.read_node(Level.ROOT, "")
    except HipoError as error:
        problems.append(Problem("memory/ROOT.md", 0, error.message))
        return ""
    lines = node.body.split("\n") if node else []
    return redact("\n".join(line for line in lines if not line.startswith("<!--"))).text


def _hot(store: MemoryStore, problems: list[Problem]) -> dict[str, str]:
    texts = {}
    for name in TARGET_LINES:
        try:
            text = read_text(store.root / name)
        except HipoError as error:
            problems.append(Problem(name, 0, error.message))
            continue
        if text and not is_template(text):
            kept = re.sub(r"\n{3,}", "\n\n", without_comments(text)).strip()
            texts[name] = redact(kept).text
    return texts


def _tasks(store: MemoryStore, problems: list[Problem]) -> list[dict[str, object]]:
    try:
        working, queued = read_tasks(store)
    except HipoError as error:
        problems.append(Problem("WORKING.md", 0, error.message))
        return []
    return [
        {
            "title": redact(shown(task.title)).text,
            "state": "finished" if task.finished else state,
            "started": shown(task.started),
            "file": task.file,
            "line": task.start + 1,
            "open": task.open_steps,
            "done": task.done_steps,
        }
        for tasks, state in ((working, "in progress"), (queued, "queued"))
        for task in tasks
    ]


def _notes(store: MemoryStore, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    for folder in ("knowledge", "plans"):
        for path in sorted((store.root / folder).rglob("*.md")):
            try:
                text = read_text(path)
            except HipoError as error:
                problems.append(Problem(store.relative(path), 0, error.message))
                continue
            if text is not None:
                yield store.relative(path), redact(text).text


def _holder(attributes: str, value: object) -> str:
    """A script element that only holds data. No `<` is in it, so nothing in the data can end it or begin another."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    text = text.encode("utf-8", "replace").decode("utf-8")
    return f'<script type="application/json" {attributes}>{text}</script>'


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
