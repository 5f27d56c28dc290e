"""The memories that hipo can take over: what of each becomes which entry."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from hipocampus.errors import HipoError, UsageError
from hipocampus.memory.entries import parse_log
from hipocampus.memory.hot import SCRATCHPAD, TASK_QUEUE, WORKING, is_template
from hipocampus.memory.periods import parse_day
from hipocampus.memory.store import Problem
from hipocampus.platforms.importers.found import (
    Copied,
    Found,
    Note,
    body_of,
    day_of,
    log_entries,
    markdown_files,
    read_decoded,
    read_note,
    title_of,
    type_of,
)

Findings = tuple[list[Found], list[Copied], list[Problem]]
Progress = Callable[[int, int, str], None]  # how many files are read, of how many, and which one


def notes(folder: Path, today: date, progress: Progress) -> Findings:
    """A folder of notes (Obsidian, plain): an entry for each, under the day that it names."""
    return _each(folder, markdown_files(_folder(folder, "notes")), _note, progress)


def basic_memory(folder: Path, today: date, progress: Progress) -> Findings:
    """basic-memory's notes: observations and relations stay the lists that they are."""

    def read(note: Note, origin: str) -> Iterator[Found]:
        yield Found(
            day_of(note, "created"), title_of(note), type_of(note, "reference"), body_of(note), origin
        )

    return _each(folder, markdown_files(_folder(folder, "basic-memory")), read, progress)


def claude_memory(folder: Path, today: date, progress: Progress) -> Findings:
    """Claude Code's own memory: the topic files with their types; MEMORY.md only where it is more than their index."""
    files = [path for path in markdown_files(folder) if path.name != "MEMORY.md"]
    index = folder / "MEMORY.md"
    if index.is_file() and not files:
        files = [index]
    return _each(folder, files, _note, progress)


def openclaw(folder: Path, today: date, progress: Progress) -> Findings:
    """An OpenClaw workspace: its daily logs, MEMORY.md and what USER.md says."""
    logs = [
        path
        for path in markdown_files(_folder(folder, "openclaw") / "memory")
        if path.parent.name == "memory"
    ]
    found, copies, problems = _each(folder, [path for path in logs if parse_day(path.stem)], _log, progress)
    more = [folder / name for name in ("MEMORY.md", "USER.md") if (folder / name).is_file()]

    def read(note: Note, origin: str) -> Iterator[Found]:
        kind = "user" if note.path.name == "USER.md" else "project"
        text = _without_blocks(note.text)
        for one in log_entries(text, day_of(note), origin):
            yield one._replace(type=kind if one.type == "project" else one.type)

    other = _each(folder, more, read, progress)
    return found + other[0], copies, problems + other[2]


def hipocampus(folder: Path, today: date, progress: Progress) -> Findings:
    """Another memory of this shape: raw logs day by day, knowledge and plans as files, hot files as entries."""
    base = _folder(folder, "hipocampus")
    logs = [
        path
        for path in markdown_files(base / "memory")
        if path.parent.name == "memory" and parse_day(path.stem)
    ]
    found, _, problems = _each(base, logs, _log, progress)
    copies = []
    for part in ("knowledge", "plans"):
        for path in markdown_files(base / part) if (base / part).is_dir() else []:
            try:
                copies.append(Copied(path.relative_to(base).as_posix(), *read_decoded(path)))
            except HipoError as error:
                problems.append(Problem(path.relative_to(base).as_posix(), 0, str(error)))
    for name in (WORKING, SCRATCHPAD, TASK_QUEUE):
        if not (base / name).is_file():
            continue
        try:
            text, encoding = read_decoded(base / name)
        except HipoError as error:
            problems.append(Problem(name, 0, error.message))
            continue
        if text and not is_template(text):
            body = body_of(Note({}, text, base / name))
            found.append(Found(today, f"{name} of {base.name}", "project", body, name, "", encoding))
    return found, copies, problems


SOURCES: dict[str, Callable[[Path, date, Progress], Findings]] = {
    "notes": notes,
    "hipocampus": hipocampus,
    "basic-memory": basic_memory,
}


def _folder(path: Path, kind: str) -> Path:
    if not path.is_dir():
        raise UsageError(f"import {kind}: {path} is not a folder", "name the folder that holds it")
    return path


def _each(
    folder: Path, files: list[Path], read: Callable[[Note, str], Iterator[Found]], progress: Progress
) -> Findings:
    """Read several files; one that cannot be read is named, and the rest goes on."""
    found: list[Found] = []
    problems: list[Problem] = []
    for number, path in enumerate(files):
        origin = path.relative_to(folder).as_posix()
        progress(number, len(files), origin)
        try:
            note = read_note(path)
            found += [one._replace(encoding=note.encoding) for one in read(note, origin) if one.body.strip()]
        except HipoError as error:
            problems.append(Problem(origin, 0, error.message.removeprefix(f"{path}: ")))
    return found, [], problems


def _note(note: Note, origin: str) -> Iterator[Found]:
    """One note is one entry, except where it is a raw log: typed headings are entries of their own."""
    day = day_of(note)
    if any(entry.typed for entry in parse_log(note.text).entries):
        yield from log_entries(note.text, day, origin)
    else:
        yield Found(day, title_of(note), type_of(note), body_of(note), origin)


def _log(note: Note, origin: str) -> Iterator[Found]:
    yield from log_entries(note.text, day_of(note), origin)


def _without_blocks(text: str) -> str:
    from hipocampus.platforms import blocks

    try:
        rest = blocks.take_out(text.encode(), blocks.MARKDOWN)
    except blocks.BrokenBlock:
        return text
    return (rest or b"").decode()
