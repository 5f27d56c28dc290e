"""Take secrets out of text: one detector per kind, one pass, the same text back where there is none.

`[REDACTED:kind]` replaces only the secret; the key's name, the host, the quotes and the rest of the
line stay. This room reads text and knows nothing of files or configuration: it cannot be switched off.
"""

from collections.abc import Callable, Iterator
from functools import cache

from hipocampus.redact.private import strip_private
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span, merge_spans, replace_spans

__all__ = ["Redacted", "redact", "strip_private"]


@cache
def _detectors() -> tuple[Callable[[Scan], Iterator[Span]], ...]:
    """The detectors, loaded with the first text: who only imports this room does not pay for them."""
    from hipocampus.redact.assignments import find_assignments
    from hipocampus.redact.blocks import find_blocks
    from hipocampus.redact.commands import find_commands
    from hipocampus.redact.hashes import find_hashes
    from hipocampus.redact.headers import find_headers
    from hipocampus.redact.manifests import find_manifests
    from hipocampus.redact.phrases import find_phrases
    from hipocampus.redact.runs import find_runs
    from hipocampus.redact.urls import find_urls

    return (
        find_blocks,
        find_runs,
        find_assignments,
        find_urls,
        find_headers,
        find_manifests,
        find_commands,
        find_hashes,
        find_phrases,
    )


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
    counts: dict[str, int] = {}
    while True:
        spans = merge_spans(_find(text), text)
        if not spans:
            return Redacted(text, counts)
        text = replace_spans(text, spans, counts)


def _find(text: str) -> list[Span]:
    scan = Scan(text)
    return [span for find in _detectors() for span in find(scan)]
