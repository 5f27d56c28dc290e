"""What a compaction did, as values: for the text output, for --json, and for tests."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from hipocampus.compaction.triggers import Trigger, Verdict
from hipocampus.memory.store import Problem


class Action(StrEnum):
    """What happened to one node."""

    CREATED = "created"
    REBUILT = "rebuilt"
    FIXED = "fixed"  # only its status changed: the period is over
    REOPENED = "reopened"  # it was fixed, its logs changed, and it was brought up to date
    UNCHANGED = "unchanged"


class NodeDone(NamedTuple):
    """One node that a run looked at."""

    path: str
    level: str
    status: str
    summary: str
    action: Action
    lines: int  # of the rendered body


class RootDone(NamedTuple):
    """ROOT.md after the run."""

    path: str
    tokens: int
    cap: int
    changed: bool


class CompactionReport(NamedTuple):
    """A whole run. `skipped_because` says why nothing was done; then there are no nodes."""

    ran: bool
    verdict: Verdict
    triggers: list[Trigger]
    skipped_because: str | None = None
    nodes: Sequence[NodeDone] = ()
    root: RootDone | None = None
    redacted: Mapping[str, int] = MappingProxyType({})
    problems: Sequence[Problem] = ()
    notes: Sequence[str] = ()  # remarks that are no faults: state set aside, snapshot taken
    seconds: float = 0.0
    dry_run: bool = False

    @property
    def changed(self) -> list[NodeDone]:
        return [node for node in self.nodes if node.action is not Action.UNCHANGED]
