"""Find private key blocks: PEM, OpenPGP and PuTTY, whole or cut off, quoted, numbered, logged or escaped.

A block ends with its END line, or before the first line that cannot belong to it: a key that was cut
off does not swallow what follows. Sources: RFC 7468 (PEM), RFC 9580 (OpenPGP), PuTTY manual, appendix C.
"""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import has_digits, is_random
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import PRIVATE_KEY, Span

_HEADERS = ("proc-type", "dek-info", "version", "comment", "hash", "charset", "messageid", "subject", "x-")


@cache
def _begin() -> re.Pattern[str]:
    return re.compile(
        r"-{4,5} ?BEGIN ([A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
    )


@cache
def _end() -> re.Pattern[str]:
    return re.compile(
        r"-{4,5} ?END (?:[A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
    )


@cache
def _newline() -> re.Pattern[str]:
    return re.compile(r"(?:\\{1,8}r)?\\{1,8}n|\r?\n")


@cache
def _body() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9+/_-]{1,}={0,2}")


@cache
def _private_lines() -> re.Pattern[str]:
    return re.compile(r"Private-Lines: ?(\d{1,3})(?=\\|\r?\n)")


def find_blocks(scan: Scan) -> Iterator[Span]:
    """Yield the spans of private key blocks, from BEGIN to END."""
    text = scan.text
    if "PRIVATE KEY" in text or "SECRET KEY" in text or "OpenVPN Static key" in text:
        done = 0
        for begin in _begin().finditer(text):
            if begin.start() < done or text.startswith("-----BEGIN", begin.end() + 1):
                continue
            end = _block_end(text, begin)
            if end:
                done = end
                yield Span(begin.start(), end, PRIVATE_KEY)
        yield from _tails(text)
    if "Private-Lines:" in text:
        yield from _putty(text)


def _block_end(text: str, begin: re.Match[str]) -> int:
    """Return where the block ends, or 0 when nothing of a key follows the BEGIN line."""
    if _ends_at_once(text, begin.end()):
        return 0
    floor = max(0, begin.start() - 120)
    escaped = text.rfind("\\n", floor, begin.start())
    line_start = max(text.rfind("\n", floor, begin.start()) + 1, escaped + 2 if escaped >= 0 else 0, floor)
    prefix = _shape(text[line_start : begin.start()])
    at, found, last = begin.end(), False, begin.end()
    while at < len(text):
        line_end, following = _line_end(text, at)
        content = text[at:line_end]
        end = _end().search(content)
        if end:
            inside = found or _key_words(content[: end.start()])
            return at + end.end() if inside else 0
        if at == begin.end() and content.strip():
            words = _key_words(content)
            if not words:
                break
            found, last = True, at + words
        elif content.strip():
            body = _body_of(content, prefix)
            if body is None:
                break
            if body:
                found, last = True, at + len(content.rstrip())
        at = following
    return last if found else 0


def _ends_at_once(text: str, at: int) -> bool:
    """Tell whether what goes on behind a BEGIN line is a word too short for a key, as in prose about keys."""
    words = text[at : at + 40].split(maxsplit=1)
    return text[at : at + 1] in {" ", "\t"} and bool(words) and len(words[0]) < 16 and len(words) > 1


def _line_end(text: str, at: int) -> tuple[int, int]:
    """Return where the line that begins at `at` ends, and where the next one begins."""
    match = _newline().search(text, at, at + 4096)
    if match:
        return match.span()
    end = min(len(text), at + 4096)
    return end, end


def _shape(prefix: str) -> str:
    """Return a line's prefix without its numbers, so that `12:01 app |` and `12:02 app |` are the same."""
    return re.sub(r"\s+", " ", re.sub(r"\s*\d+", "0", prefix)).strip()


def _body_of(content: str, prefix: str) -> bool | None:
    """Tell whether a line is key material (True), a header or blank (False), or not of the block (None)."""
    stripped = content.strip()
    head, _, word = stripped.rpartition(" ") if "\t" not in stripped else stripped.rpartition("\t")
    if _shape(stripped) == prefix or stripped.startswith("[REDACTED"):
        return False
    for lead in (prefix, prefix[:1]):
        if lead and stripped.startswith(lead) and not head:
            word = stripped[len(lead) :]
    if re.match(r"[A-Za-z-]{4,12}: ", stripped) and stripped.lower().startswith(_HEADERS):
        return False
    if not _body().fullmatch(word.rstrip("\"',;\\")) and not re.fullmatch(r"=[A-Za-z0-9+/]{4}", word):
        return None
    if (
        head
        and _shape(head) not in (prefix, prefix.rstrip("0 "))
        and not prefix.startswith(_shape(head)[:4] or " ")
    ):
        return None
    word = word.rstrip("\"',;\\")
    if len(word) >= 40 or (len(word) % 4 == 0 and word.endswith("=")) or word.startswith("="):
        return True
    mixed = has_digits(word) and word != word.lower() and len(word) >= 8
    return True if mixed or (len(word) >= 16 and is_random(word)) else None


def _key_words(content: str) -> int:
    """Return where the base64 words of a key that stands on one line end, 0 when there are none."""
    last = 0
    for match in re.finditer(r"\S+", content):
        word = match[0].strip("\"',;\\")
        if not _body().fullmatch(word) or (len(word) < 16 and not (last and word.endswith("="))):
            break
        last = match.end()
    return last


def _tails(text: str) -> Iterator[Span]:
    """Yield the second halves of keys: base64 lines before an END line that has no BEGIN."""
    ends = list(_end().finditer(text))
    if not ends:
        return
    begins = [begin.start() for begin in _begin().finditer(text)]
    floor = 0
    for end in ends:
        opened = any(floor <= begin < end.start() for begin in begins) if len(begins) < 100 else True
        start = end.start()
        if not opened:
            while start > floor:
                line_start = text.rfind("\n", floor, start - 1) + 1 or floor
                word = text[line_start:start].strip().rpartition(" ")[2]
                if line_start == start or (word and not (_body().fullmatch(word) and len(word) >= 16)):
                    break
                start = line_start
            if start < end.start() and text[start : end.start()].strip():
                yield Span(start, end.end(), PRIVATE_KEY)
        floor = end.end()


def _putty(text: str) -> Iterator[Span]:
    """Yield the private lines of PuTTY keys: as many base64 lines as the header before them says."""
    done = 0
    for head in _private_lines().finditer(text):
        newline = _newline().match(text, head.end())
        if head.start() < done or not newline:
            continue
        start = at = done = newline.end()
        for _ in range(min(int(head[1]), 200)):
            line_end, following = _line_end(text, at)
            word = text[at:line_end].strip(" \t>|\"',")
            if not _body().fullmatch(word.rpartition(" ")[2]):
                break
            done, at = line_end, following
        if done > start:
            yield Span(start, done, PRIVATE_KEY)
