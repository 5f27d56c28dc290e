"""Turn the text of any source into items: raw logs, verbatim and extractive nodes, and what models or
people wrote instead.

Pure. A body is cut at its date headings (`# 2026-03-09`), then into entries; an untyped heading that
names a section of a summary (`## Key Decisions`) holds lines, every other one is an entry.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hipocampus.compaction import items as kinds
from hipocampus.compaction.items import Item, parse_item, parse_places
from hipocampus.memory import facts, speech
from hipocampus.memory.entries import SNAPSHOT_TOPIC, Entry, parse_heading, parse_log, topic_key

SECTIONS = {
    "topics": kinds.TOPIC,
    "key topics": kinds.TOPIC,
    "주제": kinds.TOPIC,
    "key decisions": kinds.DECISION,
    "decisions": kinds.DECISION,
    "주요 결정": kinds.DECISION,
    "결정": kinds.DECISION,
    "tasks completed": kinds.DONE,
    "completed": kinds.DONE,
    "outcomes": kinds.DONE,
    "완료한 작업": kinds.DONE,
    "완료": kinds.DONE,
    "lessons learned": kinds.LESSON,
    "lessons": kinds.LESSON,
    "배운 점": kinds.LESSON,
    "open items": kinds.OPEN,
    "open questions": kinds.OPEN,
    "next steps": kinds.OPEN,
    "carried forward": kinds.OPEN,
    "남은 일": kinds.OPEN,
    "미해결": kinds.OPEN,
    "entities referenced": kinds.ENTITY,
    "recurring entities": kinds.ENTITY,
    "key themes": "",
    "late entries": "",
}
"""Headings of summaries, and what stands below them; "" holds nothing that is not said elsewhere."""

LATE = "late entries"
TEXT_CHARS = 240

_SOURCE = re.compile(r"^# (\d{4}-\d\d-\d\d|\d{4}-W\d\d)[ \t]*$", re.M)
_FIELD = re.compile(r"^[-*] (\w[\w -]{0,30})[:：](?:[ \t]+(.*))?$")
_PASSED = r"- \d+ entr(?:y|ies) left out as passing"
# A comment, unless code quotes it.
_COMMENT = r"(?s)(`[^`\n]+`)|<!--.*?-->"
_BLANKS = r"\n(?:[ \t]*\n){2,}"
_PATH = re.compile(r"(?:knowledge|plans)/[\w./-]+\.md|https?://\S+|(?:[\w.-]+/)+[\w.-]+")

_KEYS = {
    "decision": "decisions",
    "결정": "decisions",
    "決定": "decisions",
    "outcomes": "outcome",
    "result": "outcome",
    "결과": "outcome",
    "結果": "outcome",
    "요청": "request",
    "분석": "analysis",
    "file": "files",
    "파일": "files",
    "reference": "references",
    "참고": "references",
    "규칙": "rule",
    "이유": "why",
    "적용": "how-to-apply",
    "next": "open",
    "next steps": "open",
    "todo": "open",
    "blocked": "open",
    "remaining": "open",
    "open items": "open",
    "남은 일": "open",
    "다음": "open",
}


class Source(NamedTuple):
    """One source of a summary: `2026-03-09`, `2026-W10`; body without frontmatter, redacted and filtered."""

    name: str
    place: str
    body: str
    topics: list[str]
    exact_lines: bool  # line numbers of the body are those of the raw log


class _At(NamedTuple):
    """Where lines of a chunk stand: in a raw log at `day` (its line numbers hold), or somewhere in `place`."""

    place: str
    first_line: int  # of the chunk in its log; 0 when unknown

    def line(self, number: int) -> str:
        return f"{self.place}:{self.first_line + number - 1}" if self.first_line else self.place


def read_items(source: Source) -> list[Item]:
    """Return the items of a source in its order."""
    named = {topic_key(topic) for topic in source.topics}
    if source.exact_lines:
        return _chunk(source.body, _At(source.place, 1), named)
    found: list[Item] = []
    at, place = 0, source.place
    for match in _SOURCE.finditer(source.body):
        found += _chunk(source.body[at : match.start()], _At(place, 0), named)
        at, place = match.end(), match[1]
    found += _chunk(source.body[at:], _At(place, 0), named)
    return found or [_named(topic, source.place) for topic in source.topics]


def uncommented(text: str) -> str:
    """Return text without its comments, tombstones among them; every line keeps its number."""
    if "<!--" not in text:
        return text
    bare = re.sub(_COMMENT, lambda found: found[1] or "\n" * found[0].count("\n"), text)
    pairs = zip(text.split("\n"), bare.split("\n"), strict=True)
    # A bullet that held nothing else goes with its comment.
    return "\n".join(new if old == new or new.strip(" \t-*+") else "" for old, new in pairs)


def _is_passed(line: str) -> bool:
    """Whether a line only counts the entries that a node has left out."""
    return " left out as passing" in line and re.match(_PASSED, line) is not None


def _section_kind(entry: Entry, at: _At, named: set[str]) -> str | None:
    """Return what stands below a heading of a summary; None for an entry. A raw log has entries only, and
    so has a node that lists the heading among its topics."""
    if entry.typed or at.first_line or topic_key(entry.heading) in named:
        return None
    return SECTIONS.get(entry.topic.casefold())


def _named(topic: str, place: str) -> Item:
    name, kind, _ = parse_heading(topic)
    return Item(kinds.TOPIC, name, kind, "", (place,))


def _chunk(text: str, at: _At, named: set[str]) -> list[Item]:
    """Return the items of text without date headings.

    In text that has sections of a summary, other untyped headings name no entries, up to `## Late entries`.
    """
    if not text.strip():
        return []
    log = parse_log(text)
    found: list[Item] = []
    preamble = "\n".join(
        line for line in log.preamble.split("\n") if not line.startswith("# ") and not _is_passed(line)
    )
    if uncommented(preamble).strip():
        first = log.entries[0].line_start if log.entries else log.lines + 1
        lead = text[: len(text) - len(text.lstrip("\n"))].count("\n")
        end = max(1, first - 1)
        body = "\n".join(text.split("\n")[lead:end])
        found += _entry(Entry("", "project", "", body, lead + 1, end, False), body, lead + 1, at)
    lines = text.split("\n") if log.entries else []
    topics: set[str] = set()
    sections = [_section_kind(entry, at, named) for entry in log.entries]
    summary = any(kind for kind in sections)
    for entry, kind in zip(log.entries, sections, strict=True):
        if kind is not None:
            summary = summary and entry.topic.casefold() != LATE
            new = _section(entry, kind, at.place, topics)
            topics.update(item.topic for item in new if item.kind == kinds.TOPIC)
            found += new
        elif summary and not entry.typed:
            found += _section(entry, kinds.LESSON, at.place, topics)
        else:
            start = entry.line_start + (1 if entry.comment else 0)
            while start < entry.line_end and not lines[start].strip():
                start += 1
            found += _entry(entry, "\n".join(lines[start : entry.line_end]), start + 1, at)
    return found


def _section(entry: Entry, kind: str, place: str, topics: set[str]) -> list[Item]:
    """Return the lines of a section of a summary."""
    if not kind:
        return []
    found: list[Item] = []
    for line in uncommented(entry.body).split("\n"):
        text = line.strip()
        if not text or text.startswith(("#", "<!--", "```")) or _is_passed(text) or text == "- none":
            continue
        if kind == kinds.TOPIC and not text.startswith(("-", "*", "+")):
            found += [_named(name, place) for name in text.split(", ") if name]
            continue
        item = parse_item(text, kind, topics)
        if item is not None:
            if kinds.quoted(item.text):
                item = item._replace(score=facts.fact_score(item.text[1:-1]))
            found.append(item if item.places else item._replace(places=(place,)))
    return found


def _entry(entry: Entry, body: str, first_line: int, at: _At) -> list[Item]:
    """Return the items of one entry; its first item counts it."""
    comment, places = parse_places(entry.comment)
    head = places or (at.line(entry.line_start),)
    written, body = body, uncommented(body)
    if topic_key(entry.topic) == topic_key(SNAPSHOT_TOPIC):
        return [
            Item(kinds.OPEN, "Working state", "project", facts.shorten(_flat(body), TEXT_CHARS), head, 1, 9.0)
        ]
    if entry.type in ("feedback", "user") and entry.typed:
        if body != written:
            body = re.sub(_BLANKS, "\n\n", body).strip("\n")
        text = f"<!-- {comment} -->\n{body}" if comment else body
        return [Item(kinds.WHOLE, entry.topic or "Untitled", entry.type, text, head)]
    place_of: Callable[[int], str] = at.line
    if at.first_line == 0 and places:
        place_of = lambda _line: places[0]  # noqa: E731
    turns = speech.turns(body, first_line) if speech.is_talk(body) else []
    if any(turn.speaker and turn.role != speech.ASSISTANT for turn in turns):
        from hipocampus.compaction.conversation import conversation  # its patterns are for talk alone

        return conversation(entry.topic, entry.type, turns, place_of, head[0])
    return _notes(entry, body, first_line, place_of, head)


def _flat(body: str) -> str:
    lines = (line.strip().lstrip("-*# ") for line in body.split("\n"))
    return "; ".join(line for line in lines if line and not line.startswith("<!--"))


class Field(NamedTuple):
    key: str
    text: str
    line: int


def _is_key(name: str) -> bool:
    """Whether a field may be called so: Latin or Korean letters, and spaces and hyphens between them."""
    if name.isascii() and name.isalpha():
        return True
    letters = name.replace(" ", "").replace("-", "")
    return letters.isalpha() and all(c.isascii() or "가" <= c <= "힣" for c in letters)


def read_fields(body: str, first_line: int = 1) -> tuple[list[Field], list[Field]]:
    """Return the fields of an entry's body, one a value and with its line, and the other lines (key "")."""
    found: list[Field] = []
    loose: list[Field] = []
    key = ""
    for number, line in enumerate(body.split("\n"), first_line):
        text = line.strip()
        if not text:
            continue
        if line[0] in "-*" and (match := _FIELD.match(line)) and _is_key(match[1]):
            key = match[1].strip().lower()
            key = _KEYS.get(key, key)
            if match[2]:
                found.append(Field(key, match[2].strip(), number))
        elif key and line[:1] in " \t":
            if text[:2] in ("- ", "* "):
                found.append(Field(key, text[2:].strip(), number))
            elif found and found[-1].key == key:
                found[-1] = found[-1]._replace(text=f"{found[-1].text} {text}")
        else:
            key = ""
            loose.append(Field("", text.lstrip("-*•# ").strip(), number))
    return found, [line for line in loose if line.text]


def _notes(
    entry: Entry, body: str, first_line: int, place_of: Callable[[int], str], head: tuple[str, ...]
) -> list[Item]:
    """Return the items of an entry of fields or free lines."""
    fields, loose = read_fields(body, first_line)
    name = entry.topic or facts.shorten(loose[0].text if loose else "Untitled", 60)
    by_key: dict[str, list[Field]] = {}
    for field in fields:
        by_key.setdefault(field.key, []).append(field)
    first = Item(kinds.TOPIC, name, entry.type, gist(entry.type, fields, loose), head)
    found = [first]

    def add(kind: str, field: Field, more: str = "") -> None:
        text = facts.shorten(field.text + more, TEXT_CHARS)
        found.append(Item(kind, name, entry.type, text, (place_of(field.line),)))

    for field in by_key.get("decisions", ()):
        add(kinds.DECISION, field)
    files = ", ".join(f.text for f in by_key.get("files", ()))
    outcomes = by_key.get("outcome", [])
    for field in outcomes:
        add(kinds.DONE, field, f" ({files})" if files and field is outcomes[-1] else "")
    if files and not outcomes:
        add(kinds.DONE, by_key["files"][0]._replace(text=files))
    if entry.type != "reference":  # of a reference, the analysis is its line among the topics
        for field in by_key.get("analysis", ())[:3]:
            add(kinds.LESSON, field)
    for field in by_key.get("open", ()):
        add(kinds.OPEN, field)
    closed = "decisions" in by_key or "outcome" in by_key or "files" in by_key
    if "request" in by_key and not closed and entry.type == "project":
        add(kinds.OPEN, by_key["request"][0])
    found += _loose(name, entry.type, loose, place_of)
    return found


@cache
def _task() -> re.Pattern[str]:
    """An open task: a bullet with an empty box, or a line that begins with the word for one."""
    return re.compile(r"(?:\[ \]|(?:[-*] )?(?:TODO|FIXME|할 ?일|남은 ?일|残り|待办)[:：]?) (.+)$")


def _loose(name: str, kind: str, loose: list[Field], place_of: Callable[[int], str]) -> list[Item]:
    """Return what free lines say: open tasks, decisions, and facts of the one who writes."""
    found: list[Item] = []
    for line in loose:
        if task := _task().match(line.text):
            found.append(
                Item(kinds.OPEN, name, kind, facts.shorten(task[1], TEXT_CHARS), (place_of(line.line),))
            )
            continue
        for sentence in speech.sentences(line.text)[:20]:
            score = facts.fact_score(sentence)
            if score >= facts.FACT:
                text = facts.shorten(sentence, TEXT_CHARS).replace('"', "'")
                found.append(Item(kinds.SAID, name, "user", f'"{text}"', (place_of(line.line),), 1, score))
            elif facts.decision_score(sentence) >= facts.DECIDED:
                text = facts.shorten(sentence, TEXT_CHARS)
                found.append(Item(kinds.DECISION, name, kind, text, (place_of(line.line),)))
    return found


def gist(kind: str, fields: list[Field], loose: list[Field]) -> str:
    """Return what an entry is about in one line: the rule of feedback, the pointer of a reference, a request.

    The line ends with the topics that the entry supersedes, as `(supersedes Flow draft; Old flow)`.
    """
    replaced = [field.text for field in fields if field.key == "supersedes"]
    said = _said_of(
        kind, [field for field in fields if field.key != "supersedes"] if replaced else fields, loose
    )
    return f"{facts.shorten(said, 160)} (supersedes {'; '.join(replaced)})".lstrip() if replaced else said


def _said_of(kind: str, fields: list[Field], loose: list[Field]) -> str:
    values: dict[str, str] = {}
    for field in fields:
        values.setdefault(field.key, field.text)
    if kind == "feedback" and "rule" in values:
        how = values.get("how-to-apply", "")
        return facts.shorten(f"{values['rule']} ({how})" if how else values["rule"], TEXT_CHARS)
    if kind == "reference":
        text = values.get("outcome") or values.get("analysis") or values.get("request") or ""
        text = (
            text
            or (loose[0].text if loose else "")
            or next((f.text for f in fields if f.key != "references"), "")
        )
        pointer = values.get("references", "")
        path = _PATH.search(pointer)
        if pointer and pointer not in text:
            text = (
                f"{facts.shorten(text, 160)} ({path[0] if path else facts.shorten(pointer, 80)})"
                if text
                else pointer
            )
        return facts.shorten(text, TEXT_CHARS)
    if kind == "user":
        return facts.shorten("; ".join(f.text for f in [*fields, *loose]), TEXT_CHARS)
    text = values.get("request") or (loose[0].text if loose else "") or (fields[0].text if fields else "")
    if path := _PATH.search(values.get("references", "")):
        text = f"{facts.shorten(text, 130)} ({path[0]})"
    return facts.shorten(text, 160)


def one_line(item: Item) -> Item:
    """Return a whole user or feedback entry as one line: `topic [feedback]: rule (how-to-apply)`."""
    text = item.text.partition("\n")[2] if item.text.startswith("<!-- ") else item.text
    fields, loose = read_fields(text)
    return item._replace(kind=kinds.TOPIC, text=gist(item.type, fields, loose))
