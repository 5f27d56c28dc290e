"""The triggers: which state of affairs begins a compaction."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.compaction.triggers import Trigger, judge
from hipocampus.config import CompactionConfig
from hipocampus.memory.state import CompactionState

NOW = datetime(2026, 3, 15, 9, 0, tzinfo=UTC)
LIMITS = CompactionConfig()


def fired(hours: float | None, lines: int = 0, checkpoints: int = 0, **options: object) -> list[str]:
    last = None if hours is None else NOW - timedelta(hours=hours)
    limits = CompactionConfig(cooldown_hours=options.pop("cooldown", 3.0))  # type: ignore[arg-type]
    return [str(t) for t in judge(CompactionState(last, lines, checkpoints), limits, NOW, **options).triggers]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hours", "lines", "checkpoints", "triggers"),
    [
        (1, 0, 0, []),
        (2.999, 300, 5, []),
        (3, 0, 0, ["cooldown"]),
        (0, 301, 0, ["raw-lines"]),
        (0, 0, 6, ["checkpoints"]),
        (200, 1000, 9, ["cooldown", "raw-lines", "checkpoints"]),
        (None, 0, 0, ["no-state"]),
        (-1, 0, 0, ["no-state"]),
        (-1, 301, 0, ["raw-lines", "no-state"]),
    ],
)
def test_any_trigger_that_holds_begins_a_run(
    hours: float | None, lines: int, checkpoints: int, triggers: list[str]
) -> None:
    assert fired(hours, lines, checkpoints) == triggers


def test_no_state_at_all_no_cooldown_and_force() -> None:
    assert judge(None, LIMITS, NOW).triggers == [Trigger.NO_STATE]
    assert fired(0, cooldown=0) == ["always"]
    assert fired(0, forced=True) == ["forced"]
    assert fired(0.5, cooldown=0.5) == ["cooldown"]


@given(
    st.none() | st.floats(-1e4, 1e5),
    st.integers(0, 10**6),
    st.integers(0, 100),
    st.floats(0, 8760),
    st.booleans(),
)
def test_more_of_anything_never_takes_a_trigger_away(
    hours: float | None, lines: int, checkpoints: int, cooldown: float, forced: bool
) -> None:
    before = set(fired(hours, lines, checkpoints, cooldown=cooldown, forced=forced))
    assert before <= set(fired(hours, lines + 1, checkpoints + 1, cooldown=cooldown, forced=True))
    if hours is not None and hours >= 0:
        assert before - {"no-state"} <= set(
            fired(hours + 1, lines, checkpoints, cooldown=cooldown, forced=forced)
        )


def test_the_verdict_says_where_each_counter_stands() -> None:
    verdict = judge(CompactionState(NOW - timedelta(hours=1.5), 118, 3), LIMITS, NOW)
    assert not verdict.due
    assert (
        verdict.standing()
        == "cooldown 1.5 of 3 hours, 118 raw lines (due above 300), 3 checkpoints (due above 5)"
    )
    assert judge(None, LIMITS, NOW).standing().startswith("cooldown never run")
