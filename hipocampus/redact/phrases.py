"""Find recovery phrases: twelve or more plain words after `mnemonic`, `seed phrase`, `recovery phrase` (BIP 39)."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_WORDS = ("mnemonic", "seed", "phrase")
_PROSE = frozenset("the and with that this for are was you from but not have they will our has".split())


@cache
def _phrase() -> re.Pattern[str]:
    word = r"[a-z]{3,8}"
    return re.compile(
        r"(?:mnemonic|seed|phrase)(?:[ _-]?(?:phrase|words?))?(?:[ \t]\([^()\n]{1,30}\))?"
        r"(?:\\{0,7}[\"'`]|\*\*|_)?(?:[ \t]{0,3}(?:is|are|was|[:=→-]|=>|:=|은|는|\*\*)){0,3}\s{0,6}(?:\\{0,7}[\"'`\[(])?"
        rf"((?:\d{{1,2}}[.)][ ]?)?{word}(?:(?:,?[ \t]{{1,3}}(?:\d{{1,2}}[.)][ ]?)?{word}){{11,23}}"
        rf"|(?:\r?\n(?:\d{{1,2}}[.)][ ]?)?{word}){{11,23}}))(?![a-z])",
        re.IGNORECASE,
    )


def find_phrases(scan: Scan) -> Iterator[Span]:
    """Yield the spans of recovery phrases."""
    for word in _WORDS:
        for at in scan.at(word):
            match = _phrase().match(scan.text, at)
            if match and _PROSE.isdisjoint(re.findall(r"[a-z]+", match[1].lower())):
                yield Span(match.start(1), match.end(1), "recovery-phrase")
