"""Codex: AGENTS.md, hooks in .codex/hooks.json, skills in .agents/skills. It follows no imports."""

from hipocampus.platforms.hooks_json import Group
from hipocampus.platforms.project import Plan

FILE = ".codex/hooks.json"
# Timeouts in seconds; Codex itself gives SessionEnd no more than 3.
HOOKS = [
    Group("SessionStart", 10, "startup|resume|clear|compact"),
    Group("UserPromptSubmit", 5),
    Group("PreCompact", 30),
    Group("Stop", 10),
    Group("SessionEnd", 3),
]


def wire(plan: Plan) -> None:
    """Plan what Codex needs. The command never names a path: a changed hook has to be reviewed again."""
    plan.block("AGENTS.md", "core", "profile", "reading")
    plan.hooks(FILE, HOOKS)
    plan.skills(".agents/skills")
    plan.next_steps.append(
        "Codex: open codex here, run /hooks and trust the hipo hooks; until then it skips them silently"
    )
    if plan.program:
        plan.next_steps.append(f"Codex: `hipo` is not on PATH, so its hooks do nothing; it is {plan.program}")
