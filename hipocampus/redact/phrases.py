"""Find recovery phrases: twelve or more plain words after `mnemonic`, `seed phrase`, `recovery phrase` (BIP 39)."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.places import PHRASE_WORDS
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_PROSE = frozenset("the and with that this for are was you from but not have they will our has".split())


@cache
def _phrase() -> re.Pattern[str]:
    word = r"(?:\d{1,2}[.)][ ]?)?[A-Za-z]{3,8}"
    return re.compile(
        r"(?i:mnemonic|seed|phrase)(?:[ _-]?(?i:phrase|words?))?(?:[ \t]\([^()\n]{1,30}\))?"
        r"(?:\\{0,7}[\"'`]|\*\*|_)?(?:[ \t]{0,3}(?:(?i:is|are|was)|[:=→-]|=>|:=|은|는|\*\*)){0,3}\s{0,6}(?:\\{0,7}[\"'`\[(])?"
        rf"({word}(?:(?:,?[ \t]{{1,3}}{word}){{11,23}}|(?:\r?\n{word}){{11,23}}))(?![A-Za-z])"
    )


def find_phrases(scan: Scan) -> Iterator[Span]:
    """Yield the spans of recovery phrases."""
    for word in PHRASE_WORDS:
        for at in scan.at(word):
            match = _phrase().match(scan.text, at)
            if match and _PROSE.isdisjoint(re.findall(r"[a-z]+", match[1].lower())):
                yield Span(match.start(1), match.end(1), "recovery-phrase")
