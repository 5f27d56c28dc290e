"""Gemini CLI: GEMINI.md with `@imports`, hooks in .gemini/settings.json, skills in .agents/skills."""

from hipocampus.platforms.hooks_json import Group
from hipocampus.platforms.project import Plan

FILE = ".gemini/settings.json"
# Timeouts in milliseconds.
HOOKS = [
    Group("SessionStart", 10_000, name="hipo"),
    Group("PreCompress", 30_000, name="hipo"),
    Group("SessionEnd", 10_000, name="hipo"),
]


def wire(plan: Plan) -> None:
    """Plan what Gemini CLI needs."""
    plan.block("GEMINI.md", "core", "imports")
    plan.hooks(FILE, HOOKS)
    plan.skills(".agents/skills")
    if plan.program:
        plan.next_steps.append(
            f"Gemini CLI: `hipo` is not on PATH, so its hooks do nothing; it is {plan.program}"
        )
