"""MemoryStore: every path of the tree, every read and every write, in terms of entries, nodes and state.

Text becomes clean here and nowhere else: whatever goes into a log, a node or a hot file passes `clean`.
"""

import contextlib
import json
import os
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus.errors import ChangedMeanwhile, HipoError, ReadError, WriteError
from hipocampus.files import (
    decode,
    encode,
    leftovers,
    make_folder,
    read_bytes,
    read_text,
    remove_file,
    replace_file,
    write_text,
)
from hipocampus.lock import FileLock
from hipocampus.memory.appending import but_forgotten, joined
from hipocampus.memory.entries import Log, parse_log, render_entry
from hipocampus.memory.listing import FileStat, Version, changed_at, markdown_in, names_in, stats_in
from hipocampus.memory.nodes import Node, parse_node
from hipocampus.memory.periods import Level, parse_day
from hipocampus.memory.state import BrokenState, CompactionState, parse_state, render_state

COMMAND_WAIT_SECONDS = 5.0  # how long a command waits for the lock
HOOK_WAIT_SECONDS = 0.5
EDITED_TRIES = 5  # to append to a log that an editor keeps writing to


class Problem(NamedTuple):
    """Something wrong with one file, met on the way; the rest of the work went on."""

    path: str  # relative to the root
    line: int  # 1-based, 0 when it concerns the whole file
    message: str


class Draft(NamedTuple):
    """An entry that is to be written."""

    topic: str
    type: str
    comment: str
    body: str


class Cleaned(NamedTuple):
    """Text that may be stored, and what was taken out of it."""

    text: str
    redacted: dict[str, int]  # kind of secret -> how many
    private_lines: int  # lines inside <private>…</private>


class Appended(NamedTuple):
    """What an append did to a raw log. Without a new entry the lines are those of the duplicates.

    `duplicates` counts entries that stand there already, and those that were forgotten there.
    """

    path: str
    line_start: int
    line_end: int
    entries: int
    duplicates: int
    lines: int  # by which the log grew
    redacted: dict[str, int]
    private_lines: int
    topics: tuple[str, ...] = ()  # as the log has them; those of forgotten entries are not there


_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n"})
"""In UTF-8 these bytes stand for nothing but themselves. To ask bytes for them costs a hundredth of a pattern."""


def clean(text: str) -> Cleaned:
    """Return text fit to be stored: no secrets, nothing private, no terminal codes, valid Unicode."""
    from hipocampus.redact import (
        redact,
        strip_private,
    )  # its patterns cost start-up that reading alone must not pay

    data = encode(text)
    if len(data.translate(None, _CONTROLS)) < len(data):
        text = _without_controls(text)
        data = encode(text)
    if not text.isascii():
        text = data.decode("utf-8")
    text, private_lines = strip_private(text)
    text, counts = redact(text)
    return Cleaned(text, counts, private_lines)


def _without_controls(text: str) -> str:
    """The text without terminal codes and control characters, its line ends all of one kind."""
    if "\x1b" in text:
        text = re.sub("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?)", "", text)
    control = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r\n?"
    return re.sub(control, lambda m: "\n" if m[0][0] == "\r" else "", text)


def ready_entry(draft: Draft) -> Cleaned:
    """Return an entry as it will stand in a raw log, clean."""
    return clean(render_entry(*draft))


class MemoryStore:
    """The memory tree at one root."""

    def __init__(self, root: Path, wait_seconds: float = COMMAND_WAIT_SECONDS) -> None:
        self.root = root
        self.memory = root / "memory"
        self.hidden = self.memory / ".hipo"
        self.wait_seconds = wait_seconds
        self._lock: FileLock | None = None
        self._read_as: dict[Path, int] = {}  # nodes, and the hash of the bytes they were read as

    # --- paths ---

    def log_path(self, day: date) -> Path:
        return self.memory / f"{day.isoformat()}.md"

    def node_path(self, level: Level, name: str) -> Path:
        return self.memory / "ROOT.md" if level is Level.ROOT else self.memory / level.value / f"{name}.md"

    @property
    def state_path(self) -> Path:
        return self.memory / ".compaction-state.json"

    def relative(self, path: Path) -> str:
        """Return a path as it is shown and stored: relative to the root, with slashes."""
        try:
            return path.relative_to(self.root).as_posix()
        except ValueError:
            return str(path)

    def inside(self, place: str) -> Path | None:
        """Return the file that a relative path names, None when it would lie outside the root."""
        path = Path(os.path.normpath(self.root / place))
        return path if path.is_relative_to(self.root) and path != self.root else None

    # --- the lock and hipo's own folder ---

    def ensure_hidden(self) -> Path:
        """Return `.hipo/`, made when it is missing, readable by its owner only."""
        if not self.hidden.is_dir():
            if not self.memory.is_dir():
                make_folder(self.memory)
            make_folder(self.hidden, 0o700)
        return self.hidden

    def lock(self) -> FileLock:
        """Return the tree's one lock, to be used in a `with`; nested uses in one process are fine."""
        if self._lock is None:
            self.ensure_hidden()
            self._lock = FileLock(self.hidden / "lock", self.wait_seconds, self.sweep)
        return self._lock

    def leftovers(self) -> list[Path]:
        """Return the temporary files that killed processes left in the tree's folders."""
        brain = self.memory / "brain"
        folders = [self.root, self.memory, self.hidden, brain / "conversations", brain / "handoffs"]
        folders += [self.memory / level.value for level in (Level.DAILY, Level.WEEKLY, Level.MONTHLY)]
        folders += [self.root / "knowledge", self.root / "plans"]
        return [path for folder in folders for path in leftovers(folder)]

    def sweep(self) -> list[Path]:
        """Remove what killed processes left, and return it. The caller holds the lock: nobody writes now."""
        gone = []
        for path in self.leftovers():
            with contextlib.suppress(HipoError):  # it harms nobody; doctor names what stays
                if remove_file(path):
                    gone.append(path)
        return gone

    def read_own(self, name: str) -> dict[str, object]:
        """Return one of hipo's own JSON files in `.hipo/`; empty when it is missing or of no use.

        These files can be deleted at any time, so a damaged one counts as deleted.
        """
        try:
            data = read_bytes(self.hidden / name)
            value = json.loads(data.decode()) if data else None
        except (ReadError, ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def write_own(self, name: str, value: object) -> None:
        """Replace one of hipo's own JSON files in `.hipo/`; derived, so it is not synced to disk."""
        self.ensure_hidden()
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        replace_file(self.hidden / name, encode(text), durable=False, mode=0o600)

    # --- raw logs ---

    def log_stats(self, known: Collection[str] = ()) -> dict[str, Version]:
        """Return every raw log by its day's name, oldest first, with size and time, unread.

        `known` are days that had a log before.
        """
        days = self.log_names(known)
        return dict(zip(days, stats_in(self.memory, [f"{day}.md" for day in days]), strict=True))

    def log_names(self, known: Collection[str] = ()) -> list[str]:
        """Return the days that have a raw log, oldest first, without asking for sizes and times."""
        there, others = markdown_in(self.memory, known)
        return sorted([*there, *(name for name in others if parse_day(name))])

    def odd_files(self) -> list[str]:
        """Return the names of Markdown files directly in memory/ that are no raw log and not ROOT.md."""
        names = [name for name in names_in(self.memory) if name.lower().endswith(".md") and name != "ROOT.md"]
        return sorted(name for name in names if not name.endswith(".md") or not parse_day(name[:-3]))

    def node_names(self, level: Level) -> set[str]:
        """Return the names of the files in a level's folder (`2026-W11`), whatever they are."""
        names = names_in(self.memory / level.value)
        return {name[:-3] for name in names if name[-3:] == ".md" and name[0] != "."}

    def node_stats(self, level: Level) -> dict[str, Version]:
        """Return the files in a level's folder by name, in its order, with size and time."""
        names = sorted(self.node_names(level))
        stats = stats_in(self.memory / level.value, [f"{name}.md" for name in names])
        return dict(zip(names, stats, strict=True))

    def read_log(self, day: date) -> str | None:
        """Return a raw log as plain text, None when there is none."""
        return read_text(self.log_path(day))

    def parse_log(self, day: date) -> Log:
        """Return a raw log's entries; an empty log when there is none."""
        return parse_log(self.read_log(day) or "")

    def append_entries(self, day: date, entries: Sequence[Draft | Cleaned]) -> Appended:
        """Write entries at the end of a raw log, each once, without touching a byte of what stands there.

        Secrets are taken out before the first byte is written; who wants to hold the lock as short as can be
        passes what `ready_entry` gave. The caller holds the lock. On failure a WriteError whose `unsaved` is
        the clean text that was to be written. When an editor writes to the log meanwhile, it begins again.
        """
        for _ in range(EDITED_TRIES):
            with contextlib.suppress(ChangedMeanwhile):
                return self._append_entries(day, entries)
        return self._append_entries(day, entries)

    def _append_entries(self, day: date, entries: Sequence[Draft | Cleaned]) -> Appended:
        path = self.log_path(day)
        clean_entries = [entry if isinstance(entry, Cleaned) else ready_entry(entry) for entry in entries]
        redacted = add_counts(*(c.redacted for c in clean_entries))
        private = sum(c.private_lines for c in clean_entries)
        try:
            old = read_bytes(path) or b""
            log = parse_log(decode(old))
            known = {entry.key: entry for entry in log.entries}
            fresh: list[str] = []
            topics: list[str] = []
            duplicates = []
            texts = [c.text for c in clean_entries]
            for text in but_forgotten(texts, old):
                entry = parse_log(text).entries[0]
                if entry.key in known:
                    duplicates.append(known[entry.key])
                else:
                    known[entry.key] = entry
                    fresh.append(text)
                topics.append(entry.topic)
            if fresh:
                new, line_start = joined(old, day.isoformat(), "\n".join(fresh))
                if not self.memory.is_dir():
                    make_folder(self.memory)
                replace_file(path, new, instead_of=old)
                line_end = new.count(b"\n")
            else:
                line_start = duplicates[0].line_start if duplicates else 1
                line_end = duplicates[-1].line_end if duplicates else max(1, log.lines)
        except HipoError as error:
            error.unsaved = "\n".join(c.text for c in clean_entries)
            raise
        return Appended(
            self.relative(path),
            line_start,
            line_end,
            len(fresh),
            len(texts) - len(fresh),
            line_end - log.lines if fresh else 0,
            redacted,
            private,
            tuple(topics),
        )

    # --- nodes ---

    def read_node(self, level: Level, name: str) -> Node | None:
        """Return a node as parsed, None when there is none."""
        path = self.node_path(level, name)
        data = read_bytes(path)
        if data is None:
            return None
        self._read_as[path] = hash(data)
        return parse_node(decode(data))

    def write_node(self, level: Level, name: str, text: str) -> bool:
        """Write a node's whole text unless the same bytes stand there already; True when it was written.

        ChangedMeanwhile when somebody wrote to it since this store read it.
        """
        path = self.node_path(level, name)
        data = encode(text)
        try:
            standing = read_bytes(path)
            if standing == data:
                return False
        except ReadError as error:
            raise WriteError(error.message, error.hint) from error
        if not path.parent.is_dir():
            make_folder(path.parent)
        if standing is not None and self._read_as.get(path, hash(standing)) != hash(standing):
            raise ChangedMeanwhile(
                f"{path}: somebody wrote to it in this moment", "the next compaction takes it up"
            )
        replace_file(path, data, durable=False, instead_of=standing)
        self._read_as[path] = hash(data)
        return True

    def stat_of(self, path: Path) -> FileStat | None:
        """Return size and time of a file, None when it is not there."""
        try:
            stat = path.stat()
        except OSError:
            return None
        return FileStat(stat.st_size, changed_at(stat))

    # --- state ---

    def read_state(self) -> CompactionState | None:
        """Return the compaction state, None when there is no file; BrokenState when it cannot be used."""
        text = read_text(self.state_path)
        if text is None:
            return None
        try:
            return parse_state(text)
        except BrokenState as error:
            raise BrokenState(f"{self.relative(self.state_path)}: {error.message}") from None

    def write_state(self, state: CompactionState) -> None:
        """Replace the compaction state, synced to disk. The caller holds the lock."""
        write_text(self.state_path, render_state(state))

    def set_state_aside(self) -> str:
        """Move a state file that cannot be used out of the way and return its new name, relative to the root."""
        return self.set_aside(self.state_path)

    def set_aside(self, path: Path) -> str:
        """Move a damaged file out of the way, its bytes kept, and return its new name relative to the root."""
        number = 1
        while (target := path.with_name(f"{path.name}.broken-{number}")).exists():
            number += 1
        try:
            path.rename(target)
        except OSError as error:
            raise WriteError(
                f"{path}: cannot be moved out of the way ({error.strerror})", "move it by hand"
            ) from error
        return self.relative(target)

    def count(self, raw_lines: int, checkpoints: int) -> tuple[CompactionState, list[Problem]]:
        """Add to the counters and return the new state. A state that cannot be used is set aside and said."""
        problems = []
        try:
            state = self.read_state() or CompactionState()
        except (BrokenState, ReadError) as error:
            aside = self.set_state_aside()
            problems.append(
                Problem(self.relative(self.state_path), 0, f"{error.message}; set aside as {aside}")
            )
            state = CompactionState()
        state = state.counted(raw_lines, checkpoints)
        self.write_state(state)
        return state, problems


def add_counts(*counts: Mapping[str, int]) -> dict[str, int]:
    """Return the sum of counters of redacted secrets, by kind, in the order of the alphabet."""
    total: dict[str, int] = {}
    for one in counts:
        for kind, number in one.items():
            total[kind] = total.get(kind, 0) + number
    return dict(sorted(total.items()))
