"""A progress bar for work that takes more than a second: on a terminal only, on stderr, gone when the work is done."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hipocampus.cli.render import console

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE_SECONDS = 1.0  # shorter work shows nothing

# What long work calls after each step: how many are done, of how many (0: not known), and what it is at.
Report = Callable[[int, int, str], None]


@contextmanager
def progress(title: str, patience_seconds: float = PATIENCE_SECONDS) -> Iterator[Report]:
    """Yield the function that work reports to. Where no person watches, it does nothing at all."""
    if not (sys.stdout.isatty() and sys.stderr.isatty()):
        yield _silent
        return
    bar = _Bar(title, patience_seconds)
    try:
        yield bar.report
    finally:
        bar.close()


def _silent(done: int, total: int, what: str) -> None:
    """Report to nobody."""


class _Bar:
    """A bar that appears, and loads rich, only when the work turns out to be long."""

    def __init__(self, title: str, patience_seconds: float) -> None:
        self.title = title
        self._shown_at = time.monotonic() + patience_seconds
        self._progress: Progress | None = None

    def report(self, done: int, total: int, what: str) -> None:
        """Show how far the work is, once it has taken longer than the patience."""
        if self._progress is None:
            if time.monotonic() < self._shown_at:
                return
            self._progress = self._open()
        self._progress.update(
            self._progress.task_ids[0], completed=done, total=total or None, description=self.title, what=what
        )

    def close(self) -> None:
        """Take the bar away, so that what is printed next stands alone."""
        if self._progress is not None:
            self._progress.stop()

    def _open(self) -> "Progress":
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        shown = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[what]}", markup=False),
            console=console(error=True),
            transient=True,
        )
        shown.add_task(self.title, total=None, what="")
        shown.start()
        return shown
