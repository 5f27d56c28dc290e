"""A hot file opened for editing: lines are put in and taken out, every other byte stays as it is."""

import re
from pathlib import Path
from types import TracebackType

from hipocampus.errors import HipoError, UsageError
from hipocampus.files import read_bytes, replace_file
from hipocampus.memory.entries import open_fence
from hipocampus.memory.hot import PLACEHOLDERS, guard_imports
from hipocampus.memory.store import add_counts, clean
from hipocampus.templates import template_text

BOM = "\ufeff"

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WRITTEN_HIDDEN = {f"<!-- {text} -->": text for text in PLACEHOLDERS}


class HotFile:
    """The lines of a hot file. Bytes that are no UTF-8 are carried as surrogates and come back unchanged.

    `lines` holds them without their line ends; positions are 0-based. A file that is missing begins as
    its template. What is inserted is clean, and `redacted` counts what was taken out of it.
    """

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self.path = root / name
        data = read_bytes(self.path)
        self.existed = data is not None
        text = template_text(name) if data is None else data.decode("utf-8", "surrogateescape")
        self._bom = BOM if text.startswith(BOM) else ""
        self._raw = raw_lines(text[len(self._bom) :])
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._before = data
        self.redacted: dict[str, int] = {}
        self.private_lines = 0

    @property
    def lines(self) -> list[str]:
        return [line.rstrip("\r\n") for line in self._raw]

    @property
    def text(self) -> str:
        """The file as plain text; what is no UTF-8 is still carried as surrogates."""
        return "\n".join(self.lines)

    def clean(self, text: str) -> list[str]:
        """Return text as lines that may be inserted: clean, and unable to hide or import anything."""
        cleaned = clean(text)
        self.redacted = add_counts(self.redacted, cleaned.redacted)
        self.private_lines += cleaned.private_lines
        return guarded(cleaned.text).split("\n")

    def insert(self, at: int, lines: list[str]) -> None:
        """Put lines before position `at`. A file without a newline at its end keeps ending without one."""
        new = [line + self._newline for line in lines]
        if new and at == len(self._raw) and self._raw and not self._raw[-1].endswith(("\n", "\r")):
            self._raw[-1] += self._newline
            new[-1] = new[-1].removesuffix(self._newline)
        self._raw[at:at] = new

    def insert_block(self, at: int, lines: list[str]) -> int:
        """Put lines before position `at`, with a blank line to either side where text stands; return their start."""
        here = self.lines
        above = [""] if at > 0 and here[at - 1].strip() else []
        below = [""] if at < len(here) and here[at].strip() else []
        self.insert(at, [*above, *lines, *below])
        return at + len(above)

    def remove(self, start: int, end: int) -> None:
        """Take out the lines from `start` up to `end`, and the blank ones behind them that would be left over."""
        here = self.lines
        if start == 0 or not here[start - 1].strip():
            behind = end
            while behind < len(here) and not here[behind].strip():
                behind += 1
            end = behind if behind < len(here) else end
        del self._raw[start:end]

    def replace(self, at: int, line: str) -> None:
        """Put another line in place of one, with the same line end."""
        old = self._raw[at]
        self._raw[at] = line + old[len(old.rstrip("\r\n")) :]

    def hide_placeholder(self, start: int, end: int) -> None:
        """Make `(no active tasks)` and its like between two positions a comment: something stands there now."""
        for at, line in enumerate(self.lines[start:end], start):
            if line.strip() in PLACEHOLDERS:
                self.replace(at, f"<!-- {line.strip()} -->")

    def show_placeholder(self, start: int, end: int) -> None:
        """Undo `hide_placeholder`: nothing stands there any more."""
        for at, line in enumerate(self.lines[start:end], start):
            if line.strip() in _WRITTEN_HIDDEN:
                self.replace(at, _WRITTEN_HIDDEN[line.strip()])

    def save(self) -> bool:
        """Replace the file in one step, synced to disk, when it changed; True when it was written."""
        data = (self._bom + "".join(self._raw)).encode("utf-8", "surrogateescape")
        if data == self._before or (self._before is None and not self._raw):
            return False
        replace_file(self.path, data, instead_of=self._before)
        self._before = data
        return True


class Unsaved:
    """Within it, an expected failure hands the caller's texts back with the error, until they are `stored`."""

    def __init__(self, *texts: str) -> None:
        self._text = "\n".join(text for text in texts if text.strip())

    def stored(self) -> None:
        """The texts stand in a file now: nothing is handed back."""
        self._text = ""

    def __enter__(self) -> "Unsaved":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, HipoError) and not isinstance(error, UsageError) and not error.unsaved:
            error.unsaved = clean(self._text).text if self._text else ""


def raw_lines(text: str) -> list[str]:
    """Return the lines of a text with their line ends, whatever kind they are."""
    return _LINE.findall(text)


def guarded(text: str) -> str:
    """Return clean text that opens no comment and no import, forges no heading, and leaves no code fence open."""
    text = guard_imports(text.strip("\n").replace("<!--", "&lt;!--"))
    lines = ["    " + line if line.startswith("#") else line for line in text.split("\n")]
    return "\n".join([*lines, fence] if (fence := open_fence(lines)) else lines)


def bullet(text: list[str], lead: str = "- ") -> list[str]:
    """Return lines as one bullet: the first behind `lead`, the others below it.

    They are indented by four, so that neither a heading nor a code fence among them counts as one of the file's.
    """
    first, *rest = text
    return [lead + first.strip(), *("    " + line.rstrip() for line in rest if line.strip())]


def shown(text: str) -> str:
    """Return text of a hot file as it may be printed or stored: what is no UTF-8 becomes U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
