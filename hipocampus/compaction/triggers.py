"""Decide whether a compaction is due. Pure: the caller reads state, settings and clock; here they are compared."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from hipocampus.config import CompactionConfig
from hipocampus.memory.state import CompactionState

RAW_LINES_LIMIT = 300  # more lines than this since the last run are a reason to compact
CHECKPOINTS_LIMIT = 5  # more checkpoints than this


class Trigger(StrEnum):
    """Why a run is due. The value is what `--json` prints."""

    COOLDOWN = "cooldown"
    RAW_LINES = "raw-lines"
    CHECKPOINTS = "checkpoints"
    NO_STATE = "no-state"
    ALWAYS = "always"
    FORCED = "forced"
    RESUMED = "resumed"  # a run that died is finished, whatever the other triggers say


class Verdict(NamedTuple):
    """The triggers that hold, and where the counters stand."""

    triggers: list[Trigger]
    hours_since: float | None  # hours since the last run began; None when there was none
    raw_lines: int
    checkpoints: int
    cooldown_hours: float

    @property
    def due(self) -> bool:
        return bool(self.triggers)

    def standing(self) -> str:
        """Where each counter stands, as a sentence for people."""
        since = (
            "never run"
            if self.hours_since is None
            else f"{self.hours_since:.1f} of {self.cooldown_hours:g} hours"
        )
        return (
            f"cooldown {since}, {self.raw_lines} raw lines (due above {RAW_LINES_LIMIT}), "
            f"{self.checkpoints} checkpoints (due above {CHECKPOINTS_LIMIT})"
        )


def judge(
    state: CompactionState | None, limits: CompactionConfig, now: datetime, *, forced: bool = False
) -> Verdict:
    """Return every trigger that has fired. `state` is None where the file is missing or cannot be used.

    `now` and the state's last run are UTC: a cooldown is elapsed time. A last run in the future means that
    a clock or the file was wrong, and counts as none.
    """
    last = state.last_run if state else None
    known = last is not None and last <= now
    elapsed = now - last if last is not None and known else None
    raw_lines, checkpoints = (state.raw_lines, state.checkpoints) if state else (0, 0)
    fired = {
        Trigger.COOLDOWN: elapsed is not None and limits.cooldown_hours > 0 and elapsed >= limits.cooldown,
        Trigger.RAW_LINES: raw_lines > RAW_LINES_LIMIT,
        Trigger.CHECKPOINTS: checkpoints > CHECKPOINTS_LIMIT,
        Trigger.NO_STATE: not known,
        Trigger.ALWAYS: limits.cooldown_hours == 0,
        Trigger.FORCED: forced,
    }
    hours = None if elapsed is None else elapsed.total_seconds() / 3600
    return Verdict(
        [t for t, holds in fired.items() if holds], hours, raw_lines, checkpoints, limits.cooldown_hours
    )
