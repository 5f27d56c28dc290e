"""A progress bar is for a person who waits: it shows on a terminal after a second, and never in a pipe."""

import io
import sys

import pytest

from hipocampus.cli.render_progress import progress


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Put terminals in place of the standard streams, and return what stderr becomes. Called within the test."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_long_work_shows_how_far_it_is_and_memory_text_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with progress("compacting", patience_seconds=0) as report:
        report(3, 12, "daily [bold]2026-03-15")
    shown = screen.getvalue()
    assert "compacting" in shown
    assert "3/12" in shown
    assert "[bold]2026" in shown


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with progress("compacting") as report:
        report(1, 2, "daily")
    assert screen.getvalue() == ""


@pytest.mark.parametrize("piped", ["stdout", "stderr"])
def test_a_pipe_gets_nothing(monkeypatch: pytest.MonkeyPatch, piped: str) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setattr(sys, piped, io.StringIO())
    with progress("compacting", patience_seconds=0) as report:
        report(1, 2, "daily")
    assert screen.getvalue() == ""


def test_the_bar_goes_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with pytest.raises(OSError), progress("compacting", patience_seconds=0) as report:
        report(1, 0, "daily")
        raise OSError
    assert "\x1b[?25h" in screen.getvalue()  # the cursor is shown again
