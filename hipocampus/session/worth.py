"""What is not worth saving in an entry: long code, diffs, logs, stack traces and listings become one line. Pure."""

import re
from collections.abc import Callable
from typing import NamedTuple

from hipocampus.memory.entries import FIELD_ORDER

CODE_LINES = 5  # code up to this long is kept (the seed's list)
MOST_HEADERS = 12  # lines that stand above the first hunk of a diff
LEAST_RUN = 4  # lines of a diff, log, trace or listing before it is taken for one

_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)(.*)$")
_CLOSING = re.compile(r"^\s*(`{3,}|~{3,})\s*$")
_PATH = re.compile(
    r"(?<![\w/.-])((?:[\w@.-]+/)+[\w@.-]+\.\w{1,8}(?::\d+)?|[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|java|rb|c|cc|cpp|h|cs|php|kt|swift|sql|sh|toml|yaml|yml|json|md)(?::\d+)?)"
)
_DIFF = re.compile(
    r"^(diff --git |index [0-9a-f]{7,}\.\.|--- \S|\+\+\+ \S|(?:new file|deleted file|old|new) mode \d|(?:rename|copy) (?:from|to) |"
    r"(?:dis)?similarity index \d|@@ -\d+(,\d+)? \+\d+(,\d+)? @@)"
)
_FIELDS = tuple(f"- {key}:" for key in FIELD_ORDER)  # of the entry itself: never a line of a diff
_HUNK = re.compile(r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_LISTING = re.compile(
    r"^\s*(?:[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d+ |total \d+$|[│|]?\s*[├└│]|(?:\|\s+)*[|`]-- )"
)
_LOG = re.compile(
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |"
    r"\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?[ :])"
)
_GIT_LOG = re.compile(r"^commit [0-9a-f]{7,64}\b")
_GIT_LOG_BODY = re.compile(r"^(Author|Date|Merge|Commit|AuthorDate|CommitDate):\s|^ {4}|^$")
_TRACE_START = re.compile(r"^\s*Traceback \(most recent call last\):")
_TRACE_FRAME = re.compile(
    r'^\s+(?:File "|at [\w$.<>\[\] ]|at async |\.\.\. \d+ more)|^\s*(?:goroutine \d+|\S+\.go:\d+ \+0x)'
)
_CODE_LINE = re.compile(
    r"^\s*(?:def |class |return\b|import |from \S+ import|const |let |var |if ?\(|for ?\(|while ?\(|else\b|elif |try\b|"
    r"except\b|catch\b|function\b|public |private |static |fn |func |use |#include|SELECT |INSERT |UPDATE |@\w+|//|\}|\]|\))"
    r"|[;{}]\s*$|^\s+\S.*[:,(\[]\s*$|^\s*[\w.\[\]]+\s*[-+*/]?=\s*\S"
)
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")


class Omitted(NamedTuple):
    """One block that was shortened: what it was and how many lines it had."""

    what: str  # code, diff, log, git log, listing, stack trace
    lines: int


def shrink(text: str) -> tuple[str, list[Omitted]]:
    """Return a text in which blocks that are not worth saving are one line each, and what they were."""
    lines = text.split("\n")
    if len(lines) < LEAST_RUN:
        return text, []
    out: list[str] = []
    omitted: list[Omitted] = []
    at = 0
    finders = (
        _fences_of(lines),
        _trace,
        _git_log,
        _diff,
        _run_of(_LISTING, "listing"),
        _run_of(_LOG, "log"),
        _bare_code,
    )
    while at < len(lines):
        for find in finders:
            block = find(lines, at)
            if block is not None:
                end, what, said = block
                indent = re.match(r"\s*", lines[at])
                out.append((indent[0] if indent else "") + said)
                omitted.append(Omitted(what, end - at))
                at = end
                break
        else:
            out.append(lines[at])
            at += 1
    return ("\n".join(out), omitted) if omitted else (text, [])


Block = tuple[int, str, str]  # first line behind the block, what it is, the line that stands for it


def _fences_of(lines: list[str]) -> Callable[[list[str], int], Block | None]:
    """The search for fenced blocks in these lines; which lines can close one is looked up once for all."""
    longest: dict[str, list[int]] = {
        mark: [0] * (len(lines) + 1) for mark in "`~"
    }  # from a line on, to the end
    for number in range(len(lines) - 1, -1, -1):
        match = _CLOSING.match(lines[number])
        for mark, lengths in longest.items():
            here = len(match[1]) if match and match[1][0] == mark else 0
            lengths[number] = max(lengths[number + 1], here)

    def find(_: list[str], at: int) -> Block | None:
        match = _FENCE.match(lines[at])
        if not match or longest[match[2][0]][at + 1] < len(match[2]):
            return None
        closing = re.compile(rf"^\s*{re.escape(match[2][0])}{{{len(match[2])},}}\s*$")
        end = next(n for n in range(at + 1, len(lines)) if closing.match(lines[n]))
        return _fenced(lines, at, end, match)

    return find


def _fenced(lines: list[str], at: int, end: int, match: re.Match[str]) -> Block | None:
    if end - at - 1 <= CODE_LINES:
        return None
    inner = lines[at + 1 : end]
    for find in (_trace, _git_log, _diff):
        if block := find(inner, 0):
            return end + 1, block[1], block[2]
    language = match[3] if re.fullmatch(r"[\w+#.-]+", match[3]) else ""
    what = "log" if sum(bool(_LOG.match(line)) for line in inner) * 2 > len(inner) else "code"
    if sum(bool(_LISTING.match(line)) for line in inner) * 2 > len(inner):
        what = "listing"
    name = f"{language} code" if language and what == "code" and not _PATH.match(language) else what
    return end + 1, what, _pointer(name, inner, [lines[at][match.end(2) :], *lines[max(0, at - 2) : at]])


def _trace(lines: list[str], at: int) -> Block | None:
    """A Python traceback, or the frames of another language below the line that names the error."""
    if _TRACE_START.match(lines[at]):
        end = at + 1
        while end < len(lines) and (lines[end].startswith(" ") or not lines[end].strip()):
            end += 1
        error = lines[end].strip() if end < len(lines) else ""
        return min(end + 1, len(lines)), "stack trace", _trace_line(error, lines[at:end])
    if at + 1 < len(lines) and not _TRACE_FRAME.match(lines[at]) and lines[at].strip():
        end = at + 1
        while end < len(lines) and _TRACE_FRAME.match(lines[end]):
            end += 1
        if end - at - 1 >= 2:
            return end, "stack trace", _trace_line(lines[at].strip(), lines[at + 1 : end])
    return None


def _trace_line(error: str, frames: list[str]) -> str:
    places = [
        match[1] for line in reversed(frames) for match in _PATH.finditer(line.replace('", line ', ":"))
    ]
    where = f" at {places[0]}" if places else ""
    return f"{error or 'an error'} (stack trace of {len(frames)} lines left out{where})"


def _git_log(lines: list[str], at: int) -> Block | None:
    if not _GIT_LOG.match(lines[at]):
        return None
    end, commits = at, []
    while end < len(lines) and (_GIT_LOG.match(lines[end]) or _GIT_LOG_BODY.match(lines[end])):
        if _GIT_LOG.match(lines[end]):
            commits.append(lines[end].split()[1][:12])
        end += 1
    if end - at < LEAST_RUN:
        return None
    shown = ", ".join(commits[:3]) + (f" and {len(commits) - 3} more" if len(commits) > 3 else "")
    return end, "git log", f"(git log of {end - at} lines left out: {shown})"


def _diff(lines: list[str], at: int) -> Block | None:
    end, hunks = at, 0
    while end < len(lines) and _DIFF.match(lines[end]):
        if hunk := _HUNK.match(lines[end]):
            end = _hunk_end(lines, end + 1, int(hunk[1] or 1), int(hunk[2] or 1))
            hunks += 1
        elif end - at > MOST_HEADERS and not hunks:
            return None
        else:
            end += 1
    if end - at < LEAST_RUN or not hunks:
        return None
    block = lines[at:end]
    files = [line[4:].strip().removeprefix("b/") for line in block if line.startswith("+++ ")]
    plus = sum(line.startswith("+") and not line.startswith("+++") for line in block)
    minus = sum(line.startswith("-") and not line.startswith("---") for line in block)
    names = f" of {', '.join(files[:3])}" if files else ""
    return end, "diff", f"(diff{names} left out: +{plus} -{minus}, {len(block)} lines)"


def _hunk_end(lines: list[str], at: int, old: int, new: int) -> int:
    """The first line behind a hunk that its heading says has so many old and new lines; sooner where it was cut."""
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        mark = lines[at][:1] or " "
        if mark not in " +-\\" or _HUNK.match(lines[at]) or lines[at].startswith(_FIELDS):
            break
        old -= mark in " -"
        new -= mark in " +"
        at += 1
    return at


def _run_of(pattern: re.Pattern[str], what: str) -> Callable[[list[str], int], Block | None]:
    def find(lines: list[str], at: int) -> Block | None:
        end = at
        while end < len(lines) and pattern.match(lines[end]):
            end += 1
        if end - at < LEAST_RUN:
            return None
        return end, what, _pointer(what, lines[at:end], lines[max(0, at - 1) : at])

    return find


def _bare_code(lines: list[str], at: int) -> Block | None:
    """A run of lines that read as code although no fence says so."""
    if not _CODE_LINE.search(lines[at]) or _BULLET.match(lines[at]):
        return None
    last, code, end = at, 0, at
    while last < len(lines) and lines[last].strip() and not _BULLET.match(lines[last]):
        code += bool(_CODE_LINE.search(lines[last]))
        last += 1
        if code * 10 >= (last - at) * 7:
            end = last
        elif last - at > 2 * CODE_LINES:
            break
    if end - at <= CODE_LINES:
        return None
    return end, "code", _pointer("code", lines[at:end], lines[max(0, at - 1) : at])


def _pointer(what: str, block: list[str], around: list[str]) -> str:
    """`(12 lines of python code left out, see src/app.py: def limit(rate):)`"""
    path = next((m[1] for line in around for m in [_PATH.search(line)] if m), "")
    first = next((line.strip() for line in block if line.strip()), "")
    first = first if len(first) <= 80 else first[:79] + "…"
    see = f", see {path}" if path else ""
    return f"({len(block)} lines of {what} left out{see}; it begins: {first})"
