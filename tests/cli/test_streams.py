"""What a process was given may be closed, full or gone: a line and exit status 1, or nothing said; never a bug."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import NOW, Hipo
from support.trees import write_logs

HIPO = f"{sys.executable} -m hipocampus"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")


def shell(folder: Path, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `hipo` stands for the program; its exit status is that of the line."""
    return subprocess.run(
        ["sh", "-c", line.replace("hipo", HIPO)],
        cwd=folder,
        env={**os.environ, "HIPO_NOW": NOW, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("words", ["", " --json"])
def test_notes_stay_in_the_inbox_when_stdout_is_closed(root: Path, words: str) -> None:
    left = shell(root, "hipo brain handoff write --to builder --from planner 'the limiter is next'")
    assert left.returncode == 0
    lost = shell(root, f"hipo brain handoff read --for builder{words} >&-")
    assert lost.returncode == 1 and "stdout: it is closed; nothing was cleared" in lost.stderr
    assert "the limiter is next" in shell(root, "hipo brain handoff read --for builder").stdout


@pytest.mark.parametrize(
    "line",
    [
        "hipo status >&-",
        "hipo status 2>&-",
        "hipo status <&- >&- 2>&-",
        "hipo redact <&-",
        "echo words | hipo redact >&-",
        "hipo task list --json >&-",
        "hipo --help >&-",
    ],
)
def test_closed_streams_are_no_bug(root: Path, line: str) -> None:
    done = shell(root, line)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("line", ["hipo nonsense 2>&-", "hipo show nowhere 2>&-", "hipo forget parser <&-"])
def test_failures_keep_their_status_with_closed_streams(root: Path, line: str) -> None:
    write_logs(root, {"2026-03-15": "## The parser\n- outcome: x\n"})
    done = shell(root, line)
    assert done.returncode in (1, 2) and "a bug" not in done.stderr and "Traceback" not in done.stderr


@FULL
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "line",
    ["echo words | hipo redact", "hipo export html -", "hipo --help", "hipo --version", "hipo status"],
)
def test_a_full_stdout_is_one_line_and_status_one(root: Path, line: str, unbuffered: str) -> None:
    done = shell(root, f"{line} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    assert done.stderr == (
        "hipo: stdout: not written (No space left on device); make room there, then try again\n"
    )


@FULL
def test_a_full_stderr_leaves_the_status_and_what_goes_to_stdout(root: Path) -> None:
    assert shell(root, "hipo nonsense 2>/dev/full").returncode == 2
    assert shell(root, "hipo show nowhere 2>/dev/full").returncode == 1
    token = "gh" + "p_" + "aB3dE5fG7h" * 3 + "J9kL1m"
    done = shell(root, f"echo {token} | hipo redact 2>/dev/full")
    assert (done.returncode, done.stdout) == (0, "[REDACTED:github-token]\n")


@pytest.mark.parametrize("line", ["hipo --help", "hipo status", "hipo export html -", "echo x | hipo redact"])
def test_a_reader_that_went_away_before_the_first_word_is_no_error(root: Path, line: str) -> None:
    done = shell(root, f"{{ {line}; echo $? >status; }} | true")
    assert done.stderr == "" and (root / "status").read_text() == "0\n"


@pytest.mark.parametrize("words", ["status", "init", "uninstall", "--root . status"])
def test_a_working_directory_that_is_gone_is_said(tmp_path: Path, words: str) -> None:
    (tmp_path / "gone").mkdir()
    done = shell(tmp_path, f"cd gone && rmdir ../gone && hipo {words}", PYTHONPATH=os.pathsep.join(sys.path))
    assert done.returncode == 1
    assert (
        done.stderr == "hipo: the working directory is gone; change to a folder that exists and try again\n"
    )


@pytest.mark.parametrize(
    ("word", "meant"),
    [("checkpiont", "checkpoint"), ("recal", "recall"), ("STATUS", "status"), ("stat", "start or status")],
)
def test_a_command_that_is_nearly_one_is_named(hipo: Hipo, word: str, meant: str) -> None:
    done = hipo(word)
    assert done.status == 2
    assert done.err == f"hipo: No such command {word!r}; did you mean {meant}? see hipo --help\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("recall", "x", "-n", "abc"), "'abc' is not a whole number"),
        (("recall", "x", "-n", "0"), "0 is less than 1"),
        (("brain", "query", "x", "-n", "99"), "99 is not between 1 and 20"),
    ],
)
def test_a_wrong_number_is_said_in_plain_words(
    root: Path, hipo: Hipo, words: tuple[str, ...], said: str
) -> None:
    done = hipo(*words)
    assert done.status == 2 and f"Invalid value for '-n': {said}; see " in done.err
    assert "RANGE" not in hipo(*words[:-3], "--help").out


def test_lines_that_could_not_be_stored_stand_in_a_fence_that_they_cannot_close(
    root: Path, hipo: Hipo
) -> None:
    (root / "memory/2026-03-15.md").mkdir()
    entry = "## Tables\n- outcome: drawn\n\n````\na\n````\n"
    done = hipo("checkpoint", stdin=entry)
    line, fence, *inside, end = done.err.splitlines()
    assert done.status == 1 and line.startswith("hipo: ") and fence == end == "`" * 5
    assert "- outcome: drawn" in inside and "````" in inside
