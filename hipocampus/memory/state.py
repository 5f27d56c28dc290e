"""The compaction state: when compaction last began, and what has been written since. Pure."""

import json
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from hipocampus.clock import iso_utc, parse_instant
from hipocampus.errors import HipoError


class BrokenState(HipoError):
    """The state file cannot be read as what it should be."""


class CompactionState(NamedTuple):
    """What `memory/.compaction-state.json` says. Keys that hipo does not know are kept in `other`."""

    last_run: datetime | None = None  # UTC; None: no compaction was ever begun
    raw_lines: int = 0  # lines written into raw logs since then
    checkpoints: int = 0
    other: Mapping[str, object] = MappingProxyType({})

    def counted(self, raw_lines: int, checkpoints: int) -> "CompactionState":
        """The state after so many more lines and checkpoints."""
        return self._replace(raw_lines=self.raw_lines + raw_lines, checkpoints=self.checkpoints + checkpoints)

    def dispatched(self, at: datetime) -> "CompactionState":
        """The state when a compaction is begun at this instant."""
        return CompactionState(at, 0, 0, self.other)


def parse_state(text: str) -> CompactionState:
    """Return the state that the file's text holds; BrokenState when it holds none."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenState(f"not valid JSON ({error})") from None
    if not isinstance(raw, dict):
        raise BrokenState("not a JSON object")
    other = {key: value for key, value in raw.items() if key not in _KEYS}
    run = raw.get("lastCompactionRun")
    last_run = parse_instant(run)
    if run is not None and last_run is None:
        raise BrokenState(f"lastCompactionRun is {json.dumps(run)[:60]}, not a time")
    return CompactionState(last_run, _count(raw, _KEYS[1]), _count(raw, _KEYS[2]), other)


def render_state(state: CompactionState) -> str:
    """Return the state file's text: the three keys of the format first, then the others as they came."""
    known: dict[str, object] = {
        _KEYS[0]: iso_utc(state.last_run) if state.last_run else None,
        _KEYS[1]: state.raw_lines,
        _KEYS[2]: state.checkpoints,
    }
    return json.dumps({**known, **state.other}, indent=2, ensure_ascii=False) + "\n"


_KEYS = ("lastCompactionRun", "rawLinesSinceLastCompaction", "checkpointsSinceLastCompaction")


def _count(raw: Mapping[str, object], key: str) -> int:
    value = raw.get(key, 0)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BrokenState(f"{key} is {json.dumps(value, default=str)[:60]}, not a count")
    return value
