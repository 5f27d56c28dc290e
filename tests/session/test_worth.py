"""What is not worth saving shrinks to one line that says what it was; everything else stays word for word."""

import pytest
from hypothesis import given
from support.texts import anything, markdown

from hipocampus.session.worth import shrink

CODE = "```python\n" + "\n".join(f"def step_{n}(rate):\n    return rate * {n}" for n in range(6)) + "\n```"
TRACE = (
    'Traceback (most recent call last):\n  File "app/main.py", line 3, in <module>\n    run()\n'
    '  File "app/limits.py", line 40, in run\n    check(rate)\nValueError: rate must be positive'
)
JAVA = "java.lang.IllegalStateException: closed\n" + "\n".join(
    f"    at com.shop.Cart.step{n}(Cart.java:{n})" for n in range(9)
)
DIFF = (
    "diff --git a/limits.py b/limits.py\nindex 1234567..89abcde 100644\n--- a/limits.py\n+++ b/limits.py\n"
    "@@ -1,3 +1,3 @@\n context\n-old = 1\n+new = 2\n context"
)
LOG = "\n".join(f"2026-03-15 09:0{n}:00 INFO worker {n} ready" for n in range(8))
LISTING = "total 8\n" + "\n".join(f"-rw-r--r-- 1 me me {n} Mar 15 09:00 file{n}.py" for n in range(6))
GIT_LOG = "\n\n".join(
    f"commit {n}a2b3c4d5e6f70{n}\nAuthor: A <a@b.c>\nDate: today\n\n    message {n}" for n in range(3)
)
TREE = "src\n" + "\n".join(f"├── file{n}.py" for n in range(6))


@pytest.mark.parametrize(
    ("block", "what", "kept"),
    [
        (CODE, "code", "def step_0(rate):"),
        (TRACE, "stack trace", "ValueError: rate must be positive"),
        (JAVA, "stack trace", "java.lang.IllegalStateException: closed"),
        (DIFF, "diff", "limits.py"),
        (LOG, "log", "worker 0 ready"),
        (LISTING, "listing", "total 8"),
        (GIT_LOG, "git log", "0a2b3c4d5e6"),
        (TREE, "listing", "file0.py"),
        (f"```\n{LOG}\n```", "log", "worker 0 ready"),
        (f"```\n{TRACE}\n```", "stack trace", "ValueError"),
    ],
)
def test_a_block_becomes_one_line_that_says_what_it_was(block: str, what: str, kept: str) -> None:
    text = f"- request: mend the limits\n- analysis: as seen in\n{block}\n- outcome: 3 tests, limit holds at 200/s\n"
    short, omitted = shrink(text)
    assert [o.what for o in omitted] == [what] and omitted[0].lines >= 4
    rows = short.split("\n")
    assert rows[0] == "- request: mend the limits" and rows[-2] == "- outcome: 3 tests, limit holds at 200/s"
    assert kept in short and len(rows) <= 6


@pytest.mark.parametrize(
    "text",
    [
        "```python\nx = 1\ny = 2\n```",
        "```\n" + "\n".join("line" for _ in range(5)) + "\n```",
        "- decisions:\n  - token bucket over leaky bucket — bursts are legitimate\n  - no queue\n- files: a.py, b.py\n- outcome: done",
        "\n".join(f"- step {n}: copied the table" for n in range(40)),
        "1. first\n2. second\n3. third\n4. fourth\n5. fifth\n6. sixth",
        "\n".join(f"A sentence of prose number {n}, which ends with a stop." for n in range(20)),
        "\n".join(f"{n}번째 결정은 그대로 남긴다." for n in range(20)),
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |",
        "User: how do I import it?\nAssistant: use the importer.\nUser: and then?\nAssistant: run it.\nUser: ok\nAssistant: fine.",
        "2026-03-15 09:00 meeting with the team\n2026-03-15 10:00 lunch",
        "```\nnever closed\n" + "\n".join("text" for _ in range(9)),
        "--- one rule\n+++ a plus\n- and a bullet\n- another one\n- and a third",
    ],
)
def test_what_is_worth_keeping_stays_word_for_word(text: str) -> None:
    assert shrink(text) == (text, [])


def test_a_diff_ends_where_its_hunks_end_and_never_takes_a_field() -> None:
    after = "- a bullet of prose\n- another one"
    assert shrink(f"{DIFF}\n{after}")[0].endswith(f"lines)\n{after}")
    cut = DIFF.replace("@@ -1,3 +1,3 @@", "@@ -1,30 +1,30 @@")
    assert shrink(f"{cut}\n- outcome: kept\n- files: a.py")[0].endswith(
        "lines)\n- outcome: kept\n- files: a.py"
    )


@given(markdown | anything)
def test_shrinking_ends_grows_nothing_and_leaves_the_other_lines(text: str) -> None:
    short, omitted = shrink(text)
    lines, rest = text.split("\n"), short.split("\n")
    assert len(rest) == len(lines) - sum(o.lines for o in omitted) + len(omitted)
    assert (short == text) == (not omitted)
    kept = iter(lines)
    assert sum(not any(row == line for line in kept) for row in rest if row in lines) <= len(omitted)
    again, more = shrink(short)
    assert shrink(again) == (again, []) or len(more) <= len(omitted)


@pytest.mark.parametrize("block", [CODE, TRACE, JAVA, DIFF, LOG, LISTING, GIT_LOG, TREE])
def test_shrinking_twice_is_shrinking_once(block: str) -> None:
    short, _ = shrink(f"- analysis: seen\n{block}\n- outcome: x")
    assert shrink(short) == (short, [])


@pytest.mark.parametrize(
    "line",
    [
        "  at x",
        "```py",
        "````py\n```",
        "x = 1\nsome words of prose",
        "x = 1\nx = 1\nwords\nx = 2",
        "@@ -1 +1 @@",
        "```",
        "- x:",
        "a" * 2000,
        "commit 1234567",
        "diff --git a b",
        '  File "x"',
        "def f(:",
    ],
)
def test_a_long_text_of_one_kind_of_line_takes_no_quadratic_time(line: str) -> None:
    """Counts the lines that are looked at, not the seconds: ten times the text, about ten times the work."""
    import sys

    def work(count: int) -> int:
        steps = 0

        def count_line(frame: object, event: str, arg: object) -> object:
            nonlocal steps
            steps += 1
            return count_line

        text = "\n".join([line] * count)
        sys.settrace(count_line)
        try:
            shrink(text)
        finally:
            sys.settrace(None)
        return steps

    assert work(400) <= 14 * work(40) + 500
