"""A plan handed out: one note per phase to the agent that does it."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from hipocampus.brain.cap import clip
from hipocampus.brain.handoff import Handoff, make_handoff, read_handoffs
from hipocampus.brain.stores import HANDOFFS, ListStore
from hipocampus.errors import HipoError
from hipocampus.memory.store import add_counts

PLANNER = "planner"  # who hands the phases out
BUILDER = "builder"  # who does a phase that names nobody
TEXT_CHARS = 300  # of a phase's description in its note; the link leads to the rest

_PHASE = re.compile(r"#{1,4}[ \t]+Phase[ \t]+(\d+)[ \t]*(?:[:.–—-][ \t]*(.*?))?[ \t#]*$", re.I)
_AGENT = re.compile(r"[ \t]*(?:[-*][ \t]+)?\*{0,2}agent\*{0,2}:\*{0,2}[ \t]*`?([^`\n]*?)`?[ \t]*$", re.I)


class Phase(NamedTuple):
    """One phase of a plan. `agent` is None when the plan names nobody."""

    number: int
    title: str
    agent: str | None
    text: str


class HandedOut(NamedTuple):
    """What became of a plan: the notes in the order of its phases, those that were new, what was redacted."""

    notes: Sequence[Handoff]
    written: int
    redacted: dict[str, int]


def parse_plan(text: str) -> list[Phase]:
    """Return the phases of a plan, in its order: Markdown headings `## Phase 1: title` with an optional
    `agent:` line, or JSON with `phases`. None when it has none."""
    stripped = text.strip()
    if stripped.startswith(("{", "[")):
        try:
            return _json_phases(json.loads(stripped))
        except (ValueError, RecursionError):
            pass
    return _markdown_phases(text)


def _markdown_phases(text: str) -> list[Phase]:
    found: list[tuple[int, str, int, list[str]]] = []
    fence, depth = "", 0
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        level = len(line) - len(line.lstrip("#")) if line.startswith("#") and not fence else 0
        if level and (match := _PHASE.match(line)):
            depth = level
            found.append((int(match[1]), (match[2] or "").strip(), level, []))
        elif found and level and level <= depth:
            depth = 0  # another heading of that rank ends the phase
        elif found and depth:
            found[-1][3].append(line)
    return [_phase(number, title, lines) for number, title, _, lines in found]


def _phase(number: int, title: str, lines: list[str]) -> Phase:
    agent = next((match[1] for line in lines if (match := _AGENT.match(line))), None)
    rest = [line for line in lines if not _AGENT.match(line)]
    return Phase(number, title or f"Phase {number}", agent or None, "\n".join(rest).strip())


def _json_phases(value: object) -> list[Phase]:
    phases = value.get("phases") if isinstance(value, dict) else value
    found = []
    for position, phase in enumerate(phases if isinstance(phases, list) else [], 1):
        if not isinstance(phase, dict):
            continue
        number = phase.get("phase_number", phase.get("number", position))
        steps = phase.get("workflow_steps") or phase.get("steps") or []
        text = [str(phase.get("description") or "")]
        text += [f"- {step}" for step in steps if isinstance(step, str)] if isinstance(steps, list) else []
        agent = phase.get("agent") or phase.get("agent_id")
        title = str(phase.get("title") or phase.get("name") or f"Phase {number}")
        whole = number if isinstance(number, int) else position
        found.append(Phase(whole, title, str(agent) if agent else None, "\n".join(text).strip()))
    return found


def hand_out(
    lists: ListStore, text: str, place: str, now: datetime, default_agent: str = BUILDER
) -> HandedOut:
    """Write one note per phase to its agent, with a link to the plan. A note that waits there already is not
    written again. HipoError when there is no phase; nothing is written when one names an impossible agent.
    """
    phases = parse_plan(text)
    if not phases:
        raise HipoError(f"plan {place}: it has no phases", "write them as headings: ## Phase 1: title")
    made = [
        make_handoff(
            phase.agent or default_agent,
            PLANNER,
            _summary(phase),
            {"plan": place, "phase": f"{phase.number} of {len(phases)}"},
            now,
        )
        for phase in phases
    ]
    waiting = {agent: read_handoffs(lists, agent) for agent in {note.to_agent_id for note, _ in made}}
    new = [note for note, _ in made if not any(_same(note, other) for other in waiting[note.to_agent_id])]
    for agent in dict.fromkeys(note.to_agent_id for note in new):
        lists.push(HANDOFFS, agent, [note.line for note in new if note.to_agent_id == agent])
    return HandedOut([note for note, _ in made], len(new), add_counts(*(counts for _, counts in made)))


def _summary(phase: Phase) -> str:
    heading = f"Phase {phase.number}: {phase.title}"
    return f"{heading}\n{clip(phase.text, TEXT_CHARS)}" if phase.text else heading


def _same(note: Handoff, other: Handoff) -> bool:
    return note._replace(ts="", line="") == other._replace(ts="", line="")
