"""The hot files in a prompt: chosen line by line as `hipo start` does, each file in a fence."""

import re

from hipocampus.brain.cap import fenced
from hipocampus.brain.sections import HOT_CHARS, Section
from hipocampus.errors import ReadError
from hipocampus.files import read_text
from hipocampus.memory.store import MemoryStore, clean
from hipocampus.session.briefing import ORDER, Shown, fit_files, title, utf8

TITLE = "## Hot files"
LEAST_BYTES = 40  # below that no line says anything


def hot_texts(store: MemoryStore) -> dict[str, str]:
    """Return the hot files by path, clean, in the order in which they are shown."""
    found = {}
    for path in ORDER:
        try:
            text = read_text(store.root / path)
        except ReadError:  # `hipo doctor` names it; the prompt goes on
            continue
        if text is not None:
            found[path] = clean(text).text
    return found


def fit_hot(texts: dict[str, str], room: int) -> Section:
    """Return the section of the hot files in at most `room` characters; a file counts as one item.

    What is kept is judged in bytes there and in characters here, so the bytes shrink until the section fits.
    """
    whole = "".join(texts.values())
    room_bytes = max(room, 0) * max(1, utf8(whole)) // max(1, len(whole))
    while room_bytes >= LEAST_BYTES:
        section = _render(fit_files(texts, room_bytes))
        if len(section.text) <= room:
            return section
        room_bytes = min(room_bytes - 8, room_bytes * room // len(section.text))
    return _render([shown._replace(text="") for shown in fit_files(texts, 0)])


def _render(files: list[Shown]) -> Section:
    blocks, sources = [], []
    for shown in files:
        body = re.sub(r"\n{3,}", "\n\n", shown.text.removeprefix(title(shown.path)).strip("\n"))
        if body:
            blocks.append(f"### {shown.path}\n{fenced(body)}")
            sources.append(shown.path)
    shortened = sum(1 for shown in files if shown.text and shown.left_out)
    missing = sum(1 for shown in files if not shown.text and shown.left_out)
    text = "\n".join([TITLE, *blocks]) if blocks else ""
    return Section("hot", text, HOT_CHARS, len(blocks), missing, shortened, tuple(sources))
