"""Lines of SCRATCHPAD.md: put one into a section, or take one out. Nothing else in the file changes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.entries import topic_key
from hipocampus.memory.hot import SCRATCHPAD, Section, hidden_lines, sections
from hipocampus.memory.store import MemoryStore
from hipocampus.session.hotfile import HotFile, Unsaved, bullet, shown
from hipocampus.session.tasklist import Item, content_end, items, visible_end

SECTIONS = ("Current State", "Cross-Task Lessons", "Pending Decisions")

_BOX = re.compile(r"\[[ xX]\][ \t]+")


@dataclass(frozen=True)
class Noted:
    """What became of a line of SCRATCHPAD.md; lines are 1-based."""

    action: str  # "added" | "removed" | "unchanged"
    section: str
    path: str
    line_start: int
    line_end: int
    text: str  # what was added or removed, clean
    redacted: Mapping[str, int] = field(default_factory=dict)
    private_lines: int = 0


def add_note(store: MemoryStore, section: str, text: str) -> Noted:
    """Add a line at the end of a section. A line that stands there already is not added again."""
    if not text.strip():
        raise UsageError("note: the text is empty", "say what is to be noted")
    with Unsaved(text), store.lock():
        hot = HotFile(store.root, SCRATCHPAD)
        found = find_section(hot.lines, section)
        cleaned = hot.clean(text)
        if not "".join(cleaned).strip():
            raise UsageError("note: nothing of the text may be stored", "say it without the private part")
        if isinstance(found, str):
            lines = bullet(cleaned)
            start = hot.insert_block(visible_end(hot.lines), [f"## {found}", *lines]) + 1
            title = found
        else:
            title = found.title
            listed = list(items(hot.lines, found.start + 1, found.end))
            for item in listed:
                if _words(hot, item) == _joined(cleaned):
                    return Noted(
                        "unchanged", shown(title), SCRATCHPAD, item.start + 1, item.end, _joined(cleaned)
                    )
            lines = bullet(
                cleaned, f"{listed[-1].marker} " if listed and listed[-1].marker in "-*+" else "- "
            )
            start = min(_place(hot.lines, found), visible_end(hot.lines))
            hot.hide_placeholder(found.start, found.end)
            hot.insert(start, lines)
        hot.save()
        return Noted(
            "added",
            shown(title),
            SCRATCHPAD,
            start + 1,
            start + len(lines),
            "\n".join(line.strip() for line in cleaned),
            hot.redacted,
            hot.private_lines,
        )


def remove_note(store: MemoryStore, section: str, text: str) -> Noted:
    """Take out the one bullet of a section that holds `text`, with what is indented below it."""
    wanted = topic_key(text)
    if not wanted:
        raise UsageError("note: the text is empty", "name a part of the line that is to go")
    with store.lock():
        hot = HotFile(store.root, SCRATCHPAD)
        found = find_section(hot.lines, section)
        if isinstance(found, str):
            raise HipoError(f"note: {SCRATCHPAD} has no section {found}", "nothing was removed")
        listed = [
            (item, topic_key(_words(hot, item))) for item in items(hot.lines, found.start + 1, found.end)
        ]
        fits = [item for item, words in listed if words == wanted] or [
            item for item, words in listed if wanted in words
        ]
        if len(fits) != 1:
            shown_lines = ", ".join(
                f"{shown(hot.lines[i.start]).strip()[:60]} (line {i.start + 1})" for i in fits[:8]
            )
            said = (
                f"fits {len(fits)} lines of {found.title}: {shown_lines}"
                if fits
                else f"stands nowhere in {found.title}"
            )
            raise HipoError(f"note: {text!r} {said}", "say more of the line" if fits else f"see {SCRATCHPAD}")
        item = fits[0]
        gone = shown("\n".join(hot.lines[item.start : item.end]))
        hot.remove(item.start, item.end)
        if not any(items(hot.lines, found.start + 1, found.end - (item.end - item.start))):
            hot.show_placeholder(found.start, min(found.end, len(hot.lines)))
        hot.save()
        return Noted("removed", shown(found.title), SCRATCHPAD, item.start + 1, item.end, gone)


def find_section(lines: list[str], word: str) -> Section | str:
    """Return the section that a word names; the title of one of SECTIONS when it is missing in the file."""
    wanted = topic_key(word.replace("-", " ").replace("_", " "))
    if not wanted:
        raise UsageError("note: the section is empty", "use state, lessons or pending")
    there = {_key(head.title): head for head in sections(lines, 2)}
    titles = {
        **{_key(title): title for title in SECTIONS},
        **{key: head.title for key, head in there.items()},
    }
    fits = [key for key in titles if key == wanted] or [key for key in titles if wanted in key]
    if len(fits) != 1:
        said = "fits several sections" if fits else "is no section"
        listed = ", ".join(shown(titles[key]) for key in fits or titles)
        raise UsageError(f"note: {word!r} {said} of {SCRATCHPAD}", f"use one of: {listed}")
    return there.get(fits[0]) or titles[fits[0]]


def _key(title: str) -> str:
    return topic_key(title.replace("-", " ").replace("_", " "))


def _place(lines: list[str], section: Section) -> int:
    """Where a new line goes: behind the section's text, or right below its heading and the comments there."""
    end = content_end(lines, section.start, section.end)
    if end > section.start + 1:
        return end
    hidden = hidden_lines(lines)
    at = section.start + 1
    while at < section.end and (at in hidden or lines[at].startswith("<!--")):
        at += 1
    return at


def _words(hot: HotFile, item: Item) -> str:
    first = _BOX.sub("", item.text, count=1)
    return " ".join([first, *(line.strip() for line in hot.lines[item.start + 1 : item.end])]).strip()


def _joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines if line.strip())
