"""Planned changes to files that people own: blocks, hooks in JSON, and files that are hipo's alone. Reads only."""

import hashlib
import re
from pathlib import Path

from hipocampus.files import decode, encode, read_bytes
from hipocampus.platforms import blocks, jsontext
from hipocampus.session.changes import Change

BACKUP = ".hipo-backup"  # behind the name of a JSON file: what it was before hipo wrote into it
_STAMP = re.compile(r"\n?<!-- hipo:file ([0-9a-f]{12}) -->\n?\Z")


class Manual(Exception):
    """A file cannot be changed safely. `lines` is what a person may add by hand."""

    def __init__(self, path: Path, why: str, lines: str = "") -> None:
        super().__init__(f"{path}: {why}")
        self.path, self.why, self.lines = path, why, lines


# --- blocks ---


def with_block(path: Path, text: str, marks: blocks.Marks) -> Change:
    """Return the change that puts a block into a file; Manual when the old block's marks do not pair."""
    before = read_bytes(path)
    try:
        return Change(path, before, blocks.put(before, text, marks))
    except blocks.BrokenBlock as error:
        raise Manual(path, str(error), f"{marks.start}\n{text.strip()}\n{marks.end}") from None


def without_block(path: Path, marks: blocks.Marks) -> Change | None:
    """Return the change that takes the block out of a file, None when it has none."""
    before = read_bytes(path)
    if before is None:
        return None
    try:
        after = blocks.take_out(before, marks)
    except blocks.BrokenBlock as error:
        raise Manual(path, str(error), "take the lines between hipo's marks out by hand") from None
    return Change(path, before, after) if after != before else None


def has_block(path: Path, marks: blocks.Marks = blocks.MARKDOWN) -> bool:
    """True when hipo's block stands in a file, also one whose marks no longer pair."""
    try:
        return blocks.read(read_bytes(path), marks) is not None
    except blocks.BrokenBlock:
        return True


# --- files that are hipo's alone ---


def own_file(path: Path, text: str) -> Change:
    """Return the change that writes a file of hipo's own; one that somebody edited is left alone.

    The last line holds a hash of the text, which tells an older version of hipo from a person's edit.
    """
    before = read_bytes(path)
    after = stamped(text)
    if before is not None and before != after and not is_untouched(before):
        return Change(path, before, before, "left as it is: somebody edited it")
    return Change(path, before, after)


def without_own_file(path: Path) -> Change | None:
    """Return the change that removes a file of hipo's own, None when there is none."""
    before = read_bytes(path)
    if before is None:
        return None
    if not is_untouched(before):
        return Change(path, before, before, "left: somebody edited it; remove it by hand if it is not wanted")
    return Change(path, before, None)


def stamped(text: str) -> bytes:
    """Return a text of hipo's own as it is written, with the hash of itself at its end."""
    body = text.rstrip("\n") + "\n"
    return encode(f"{body}\n<!-- hipo:file {_hash(body)} -->\n")


def is_untouched(data: bytes) -> bool:
    """True when a file is as some version of hipo wrote it."""
    text = decode(data)
    match = _STAMP.search(text)
    return match is not None and _hash(text[: match.start()].rstrip("\n") + "\n") == match[1]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# --- JSON ---


def json_text(path: Path, lines: str) -> tuple[bytes | None, str]:
    """Return a JSON file's bytes and its text ("{}" where there is none); Manual when it is not strict JSON."""
    before = read_bytes(path)
    if before is None or not before.strip():
        return before, "{}\n"
    try:
        text = before.decode("utf-8")
        jsontext.parse(text)
    except (UnicodeDecodeError, jsontext.BadJson) as error:
        raise Manual(path, f"not strict JSON ({error}), left as it is", lines) from None
    return before, text


def json_changes(path: Path, before: bytes | None, text: str) -> list[Change]:
    """Return the changes that write JSON text: a backup of what stood there first, then the file."""
    after = encode(text)
    if before is None:
        return [Change(path, None, after)]
    backup = path.with_name(path.name + BACKUP)
    if before == after or backup.exists():
        return [Change(path, before, after)]
    return [Change(backup, None, before), Change(path, before, after)]


def json_removal(path: Path, before: bytes, text: str, *, made_by_hipo: bool) -> list[Change]:
    """Return the changes after hipo's parts were taken out of JSON text.

    Where that leaves what the backup holds, the backup's bytes come back. `made_by_hipo`: what is left over
    was there only because hipo made the file.
    """
    backup = path.with_name(path.name + BACKUP)
    old = read_bytes(backup)
    if old is None:
        return [Change(path, before, None if made_by_hipo else encode(text))]
    same = _filled(_parsed(old)) == _filled(_parsed(encode(text)))
    return [Change(path, before, old if same else encode(text)), Change(backup, old, None)]


def _filled(value: object) -> object:
    """A JSON value without its empty lists and objects: taking hooks out leaves none where people may have had some."""
    if isinstance(value, dict):
        kept = {key: _filled(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner not in ({}, [])}
    if isinstance(value, list):
        return [_filled(inner) for inner in value]
    return value


def _parsed(data: bytes) -> object:
    import json

    try:
        return json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError):
        return data
