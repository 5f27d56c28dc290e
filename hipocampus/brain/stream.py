"""A streamed reply on its way to a terminal: whole lines, redacted before they are shown."""

from collections.abc import Callable

from hipocampus.memory.store import clean


class SafeStream:
    """Passes on what is said, a line at a time, without the secrets in it.

    A secret may come in pieces and take several lines, so what is held back is judged as a paragraph; a key
    block is shown only once it is whole.
    """

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._held = ""  # the paragraph so far, as it came
        self._shown = ""  # what of it was written
        self.begun = False  # whether anything was written at all

    def feed(self, text: str) -> None:
        """Take the next piece."""
        self._held += text.replace("\r\n", "\n")
        end = self._held.rfind("\n") + 1
        if not end or _opens_block(self._held):
            return
        self._show(self._held[:end])
        paragraph = self._held.rfind("\n\n", 0, end) + 2
        if paragraph > 1:
            rest = self._held[paragraph:]
            shown = clean(self._held[paragraph:end]).text
            self._held, self._shown = rest, shown

    def finish(self) -> None:
        """Write what is left."""
        if not self._show(self._held):  # what was shown early reads differently as a whole
            self._write("\n" + clean(self._held).text)
        self._held = self._shown = ""

    def _show(self, text: str) -> bool:
        """Write what is new of a paragraph; False when it does not continue what was shown of it."""
        whole = clean(text).text
        if not whole.startswith(self._shown):
            return False
        self._write(whole[len(self._shown) :])
        self.begun = self.begun or bool(whole)
        self._shown = whole
        return True


def _opens_block(text: str) -> bool:
    return text.rfind("-----BEGIN") > text.rfind("-----END") or text.rfind("<private>") > text.rfind(
        "</private>"
    )
