"""qmd as the engine of a search, for people who have it: a program of its own, with an index of its own.

Only its `search` and `update` are used, never a model. Its index and settings stand in `.hipo/qmd/`, so
that a person's own collections stay as they are. Written against @tobilu/qmd 1.0.7.
"""

import json
import os
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.errors import HipoError
from hipocampus.files import decode, encode, make_folder, read_bytes, write_text
from hipocampus.memory.store import clean
from hipocampus.recall import Hit
from hipocampus.recall.filters import Filters
from hipocampus.recall.listing import Listed, list_files
from hipocampus.recall.reading import dates_of
from hipocampus.recall.results import DEFAULT_TYPES, warnings_of
from hipocampus.recall.units import Section, split_sections

FOLDERS = ("memory", "knowledge", "plans")
SEARCH_SECONDS, UPDATE_SECONDS = 30.0, 300.0
"""How long qmd may take; Node alone needs half a second."""

_SPAN = re.compile(r"^@@ -(\d+),(\d+) @@[^\n]*\n")


class Found(NamedTuple):
    """One finding of qmd; lines are 1-based and inclusive."""

    file: Listed
    first: int
    last: int
    score: float
    text: str


class QmdFailed(HipoError):
    """qmd did not answer; the builtin engine can."""


def find_qmd() -> str | None:
    """Return the program, None when it is not on PATH. It is never installed by hipo."""
    return shutil.which("qmd")


def ask_qmd(program: str, root: Path, query: str, limit: int) -> tuple[list[Found], int, int]:
    """Return what qmd finds, the number of files, and how many were read anew; QmdFailed when it cannot.

    Its index is brought up to date first, when a file has changed since.
    """
    listed = list(list_files(root).files())
    folder = root / "memory" / ".hipo" / "qmd"
    if not (root / "memory" / ".hipo").is_dir():
        make_folder(root / "memory" / ".hipo", 0o700)
    make_folder(folder, 0o700)
    state = "\n".join(f"{i.path} {i.size} {i.mtime} {i.ctime}" for i in listed)
    before = decode(read_bytes(folder / "listing") or b"")
    if before != decode(encode(state)):
        write_text(folder / "index.yml", _settings(root), durable=False)
        _run(program, folder, ["update"], UPDATE_SECONDS)
        write_text(folder / "listing", state, durable=False)
    said = _run(program, folder, ["search", "--json", "-n", str(limit), "--", query], SEARCH_SECONDS)
    try:
        rows = json.loads(said)
        names = {_handle(item.path): item for item in listed}
        found = [one for row in rows if (one := _found(row, names)) is not None]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise QmdFailed(f"qmd: an answer that is not understood ({error})") from error
    return found, len(listed), len(set(state.splitlines()) - set(before.splitlines()))


def _found(row: dict[str, object], names: dict[str, Listed]) -> Found | None:
    file = names.get(_handle(str(row["file"]).removeprefix("qmd://")))
    if file is None:  # ROOT.md, and what hipo does not take for memory
        return None
    snippet = str(row["snippet"])
    match = _SPAN.match(snippet)
    first, count = (int(match[1]), int(match[2])) if match else (1, 1)
    text = snippet[match.end() :] if match else snippet
    return Found(file, first, first + max(count, 1) - 1, float(str(row["score"])), text.strip("\n"))


def _settings(root: Path) -> str:
    """Return qmd's settings: one collection for each folder that there is."""
    lines = ["collections:"]
    for name in FOLDERS:
        if (root / name).is_dir():
            lines += [f"  {name}:", f"    path: {json.dumps(str(root / name))}", '    pattern: "**/*.md"']
    return "\n".join(lines) + "\n"


def _run(program: str, folder: Path, words: list[str], seconds: float) -> str:
    settings = {
        "QMD_CONFIG_DIR": str(folder),
        "INDEX_PATH": str(folder / "index.sqlite"),
        "NO_COLOR": "1",
        "HIPO_OFF": "1",
    }
    try:
        done = subprocess.run(
            [program, *words], env={**os.environ, **settings}, capture_output=True, stdin=subprocess.DEVNULL,
            timeout=seconds, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise QmdFailed(f"qmd {words[0]}: {error}") from error
    if done.returncode != 0:
        last = (decode(done.stderr).strip() or "no message").splitlines()[-1]
        raise QmdFailed(f"qmd {words[0]}: exit status {done.returncode}: {last[:200]}")
    return decode(done.stdout)


def _handle(path: str) -> str:
    """Return a path in what qmd keeps of it: lower case, one dash for everything that is no letter or digit."""
    stem, dot, end = path.lower().rpartition(".")
    parts = [re.sub(r"[\W_]+", "-", part).strip("-") for part in stem.replace("___", "/").split("/")]
    return "/".join(part for part in parts if part) + dot + end


def hits_of(root: Path, found: list[Found], today: date, n: int, filters: Filters) -> list[Hit]:
    """Return qmd's findings as hits, one an entry, with the filters applied."""
    hits: list[Hit] = []
    seen: set[tuple[str, int]] = set()
    for one in found:
        path, level = one.file.path, one.file.level
        section = _section_at(root, one)
        begin, end = (section.date,) * 2 if section and section.date else dates_of(path, level)
        kind = (section.type if section else "") or DEFAULT_TYPES.get(level, "project")
        place = (path, section.line_start if section else one.first)
        if place in seen or not _passes(filters, begin, end, kind, level):
            continue
        seen.add(place)
        age = (today - date.fromisoformat(end)).days if end else None
        day = begin if begin == end else path.rsplit("/", 1)[-1].removesuffix(".md")
        topic, text = clean(section.topic).text if section else "", clean(one.text).text
        warnings, parts = warnings_of(kind, age), {"qmd": one.score}
        hits.append(
            Hit(path, one.first, one.last, topic, kind, day, age, level, one.score, text, warnings, parts)
        )
    return hits[:n]


def _passes(filters: Filters, begin: str, end: str, kind: str, level: str) -> bool:
    if (filters.type and kind != filters.type) or filters.level not in ("all", level):
        return False
    if filters.since and end < filters.since.isoformat():
        return False
    return not filters.until or "" < begin <= filters.until.isoformat()


def _section_at(root: Path, one: Found) -> Section | None:
    """Return the entry that the lines belong to: one that begins in them, else the last before them."""
    text = decode(read_bytes(root / one.file.path) or b"")
    sections = split_sections(text, raw=one.file.level == "raw")
    inside = [s for s in sections if one.first <= s.line_start <= one.last]
    before = [s for s in sections if s.line_start <= one.first]
    return inside[0] if inside else before[-1] if before else None
