"""Find recovery phrases: twelve or more plain words after `mnemonic`, `seed phrase`, `recovery phrase` (BIP 39)."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.spans import Span

_WORDS = ("mnemonic", "seed", "recovery", "backup phrase", "secret phrase", "복구", "니모닉")


@cache
def _phrase() -> re.Pattern[str]:
    return re.compile(
        r"(?:mnemonic|seed|seed[ _-]?(?:phrase|words?)|(?:recovery|backup|secret|wallet)[ _-]?(?:seed|phrase|words)|복구 ?(?:구문|문구)|니모닉)"
        r"(?:[ \t]\([^()\n]{1,30}\))?(?:\\{0,7}[\"'`]|\*\*)?(?:[ \t]{0,3}(?:is|are|was|[:=→-]|=>|:=|은|는|\*\*)){0,3}\s{0,6}"
        r"(?:\\{0,7}[\"'`\[(])?((?:\d{1,2}[.)]\s?)?[a-z]{3,8}(?:(?:,?[ \t]{1,3}|\r?\n)(?:\d{1,2}[.)]\s?)?[a-z]{3,8}){11,23})(?![a-z])",
        re.IGNORECASE,
    )


def find_phrases(text: str, low: str) -> Iterator[Span]:
    """Yield the spans of recovery phrases; `low` is the text in lower case."""
    if any(word in low for word in _WORDS):
        for match in _phrase().finditer(text):
            words = re.findall(r"[A-Za-z]+", match[1])
            if not {"the", "and", "with", "that", "this", "for", "are", "was", "you", "from"} & {word.lower() for word in words}:
                yield Span(match.start(1), match.end(1), "recovery-phrase")
