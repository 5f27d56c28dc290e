"""Transcripts: what the commands print, word for word, over a small memory at a fixed moment.

Each file in tests/transcripts is a run of calls on one tree: a line `$ hipo …`, what it prints on stdout, lines
of stderr after `! `, and `? N` where the exit status is not 0. `< text` above a call is its stdin, `# …` a remark,
`@ TIME` sets the clock, `+ PATH text` writes a file first. With --update-transcripts the output is written anew.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.command import Hipo

FOLDER = Path(__file__).resolve().parents[1] / "transcripts"


class Call(NamedTuple):
    """One call of a transcript: what stands above it, its words, and what it is expected to print."""

    before: list[str]
    line: str
    expected: list[str]


def calls(text: str) -> Iterator[Call]:
    """The calls of a transcript. What stands above a call is what stands there without a blank line between."""
    lines = text.split("\n")
    at = [number for number, line in enumerate(lines) if line.startswith("$ hipo")]
    begins = []
    for number in at:
        begin = number
        while begin > 0 and lines[begin - 1][:2] in ("< ", "# ", "@ ", "+ "):
            begin -= 1
        begins.append(begin)
    for begin, number, end in zip(begins, at, [*begins[1:], len(lines)], strict=True):
        yield Call(lines[begin:number], lines[number], lines[number + 1 : end])


def said(hipo: Hipo, call: Call) -> list[str]:
    """Run a call and return what it printed, as a transcript writes it."""
    stdin: list[str] = []
    for line in call.before:
        mark, rest = line[0], line[2:]
        if mark == "<":
            stdin.append(rest)
        elif mark == "@":
            hipo.now = rest
        elif mark == "+":
            name, _, text = rest.partition(" ")
            (hipo.root / name).parent.mkdir(parents=True, exist_ok=True)
            (hipo.root / name).write_text(text.replace("\\n", "\n") + "\n")
    done = hipo(*shlex.split(call.line)[2:], stdin="\n".join(stdin) + "\n" if stdin else None)
    out = done.out.removesuffix("\n").split("\n") if done.out else []
    lines = [*out, *(f"! {line}" for line in done.err.splitlines())]
    lines += [f"? {done.status}"] if done.status else []
    return [line.replace(str(hipo.root), "/project") for line in lines]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_commands_print_what_the_transcript_says(
    path: Path, hipo: Hipo, pytestconfig: pytest.Config
) -> None:
    text = path.read_text("utf-8")
    new: list[str] = []
    for call in calls(text):
        printed = said(hipo, call)
        new += [*call.before, call.line, *printed, ""]
        if not pytestconfig.getoption("--update-transcripts"):
            expected = "\n".join(call.expected).rstrip("\n")
            assert "\n".join(printed).rstrip("\n") == expected, call.line
    if pytestconfig.getoption("--update-transcripts"):
        path.write_text("\n".join(new).rstrip("\n") + "\n", "utf-8")


def test_there_are_transcripts() -> None:
    assert len(list(FOLDER.glob("*.txt"))) >= 5
