"""Secrets in old logs, hot files, notes and records: find them, and put `[REDACTED:kind]` in their place."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from hipocampus.compaction.rootstep import OWN_FILES
from hipocampus.config import Config
from hipocampus.errors import HipoError
from hipocampus.files import read_bytes, remove_file, replace_file
from hipocampus.memory.store import MemoryStore, Problem, add_counts
from hipocampus.redact import redact
from hipocampus.session.forget import Forgotten, has_index, rebuild_tree, renew_index
from hipocampus.session.holding import Held, brain_files, kind_of, read_lines, text_files


def plan_secrets(store: MemoryStore) -> tuple[list[Held], dict[str, int], list[Problem]]:
    """Return where the redactor finds secrets in logs, hot files, notes and the brain's files, and their kinds."""
    held, counts, problems = [], [], []
    for path in [*text_files(store), *brain_files(store)]:
        kind = kind_of(store, path)
        try:
            text = "\n".join(read_lines(store, path))
        except HipoError as error:
            problems.append(Problem(path, 0, error.message))
            continue
        clean = redact(text)
        if clean.text == text:
            continue
        counts.append(clean.counts)
        at = next(
            (
                n
                for n, (a, b) in enumerate(zip(text.split("\n"), clean.text.split("\n"), strict=False))
                if a != b
            ),
            0,
        )
        said = ", ".join(f"{count} {name}" for name, count in clean.counts.items())
        held.append(Held(path, at + 1, at + 1, kind, said))
    return held, add_counts(*counts), problems


def carry_out_secrets(
    store: MemoryStore, config: Config, held: Sequence[Held], now: datetime, zone: tzinfo | None
) -> Forgotten:
    """Put `[REDACTED:kind]` in place of the secrets in these files, and make the derived ones anew."""
    changed, counts = [], []
    index = has_index(store)
    with store.lock():
        for path in dict.fromkeys(h.path for h in held if h.kind != "node"):
            counts.append(_redact_file(store.root / path))
            changed.append(path)
        for name in OWN_FILES:
            remove_file(store.hidden / name)
    rebuilt, problems = rebuild_tree(store, config, now, zone)
    with store.lock():
        for path in dict.fromkeys(h.path for h in plan_secrets(store)[0]):
            counts.append(_redact_file(store.root / path))
            rebuilt.append(path)
    if index:
        rebuilt.append(renew_index(store))
    left = [Problem(h.path, h.first, f"still holds {h.text}") for h in plan_secrets(store)[0]]
    return Forgotten(changed, [*dict.fromkeys(rebuilt)], [*problems, *left], add_counts(*counts))


def _redact_file(path: Path) -> dict[str, int]:
    """Take the secrets out of one file; everything else in it stays. Returns their kinds and numbers."""
    text = (read_bytes(path) or b"").decode("utf-8", "surrogateescape")
    newline = "\r\n" if "\r\n" in text else "\n"
    clean = redact(text.replace("\r\n", "\n"))
    if clean.text != text.replace("\r\n", "\n"):
        replace_file(path, clean.text.replace("\n", newline).encode("utf-8", "surrogateescape"))
    return clean.counts
