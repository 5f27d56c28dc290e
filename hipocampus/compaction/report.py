"""What a compaction did, as values: for the text output, for --json, and for tests."""

from dataclasses import dataclass, field
from enum import StrEnum

from hipocampus.compaction.triggers import Trigger, Verdict
from hipocampus.memory.store import Problem


class Action(StrEnum):
    """What happened to one node."""

    CREATED = "created"
    REBUILT = "rebuilt"
    FIXED = "fixed"  # only its status changed: the period is over
    REOPENED = "reopened"  # it was fixed, its logs changed, and it was brought up to date
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class NodeDone:
    """One node that a run looked at."""

    path: str
    level: str
    status: str
    summary: str
    action: Action
    lines: int  # of the rendered body


@dataclass(frozen=True)
class RootDone:
    """ROOT.md after the run."""

    path: str
    tokens: int
    cap: int
    changed: bool


@dataclass(frozen=True)
class CompactionReport:
    """A whole run. `skipped_because` says why nothing was done; then there are no nodes."""

    ran: bool
    verdict: Verdict
    triggers: list[Trigger]
    skipped_because: str | None = None
    nodes: list[NodeDone] = field(default_factory=list)
    root: RootDone | None = None
    redacted: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(
        default_factory=list
    )  # remarks that are no faults: state set aside, snapshot taken
    seconds: float = 0.0
    dry_run: bool = False

    @property
    def changed(self) -> list[NodeDone]:
        return [node for node in self.nodes if node.action is not Action.UNCHANGED]
