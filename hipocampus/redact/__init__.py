"""Take secrets out of text: one detector per kind, one pass, the same text back where there is none.

`[REDACTED:kind]` replaces only the secret; the key's name, the host, the quotes and the rest of the
line stay. This room reads text and knows nothing of files or configuration: it cannot be switched off.
"""

from hipocampus.redact.private import strip_private
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import merge_spans, replace_spans

__all__ = ["Redacted", "redact", "strip_private"]


class Redacted(tuple[str, dict[str, int]]):
    """A text without its secrets, and how many of each kind were taken out."""

    __slots__ = ()

    def __new__(cls, text: str, counts: dict[str, int]) -> "Redacted":
        return super().__new__(cls, (text, counts))

    @property
    def text(self) -> str:
        return self[0]

    @property
    def counts(self) -> dict[str, int]:
        return self[1]


def redact(text: str) -> Redacted:
    """Return `text` with a marker in the place of each secret, and the markers' number by kind.

    Idempotent: what comes back is redacted once more until nothing is found, so that a secret which
    shows only after another one has gone goes too. A text without secrets comes back as it is.
    """
    # The detectors are loaded with the first text: who only imports this room does not pay for them.
    from hipocampus.redact.detectors import find_spans

    counts: dict[str, int] = {}
    while True:
        spans = merge_spans(find_spans(Scan(text)), text)
        if not spans:
            return Redacted(text, counts)
        text = replace_spans(text, spans, counts)
