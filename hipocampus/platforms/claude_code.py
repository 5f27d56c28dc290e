"""Claude Code: CLAUDE.md with `@imports`, hooks in .claude/settings.json, skills in .claude/skills."""

from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.platforms import blocks
from hipocampus.platforms.hooks_json import Group, handlers, is_ours, unwire
from hipocampus.platforms.jsontext import BadJson
from hipocampus.platforms.project import Plan, block_text, hook_command
from hipocampus.platforms.textfiles import has_block, with_block

SHARED, LOCAL = ".claude/settings.json", ".claude/settings.local.json"
TEXTS = ("CLAUDE.md", ".claude/CLAUDE.md")
PRIVATE_TEXT = "CLAUDE.local.md"
# Timeouts in seconds. SessionEnd: without one of its own all hooks together get 1.5 s.
HOOKS = [
    Group("SessionStart", 10, "startup|resume|clear|compact|fork"),
    Group("UserPromptSubmit", 5),
    Group("PreCompact", 30),
    Group("Stop", 10),
    Group("SessionEnd", 10),
]


def wire(plan: Plan) -> None:
    """Plan what Claude Code needs."""
    if plan.private:
        plan.block(PRIVATE_TEXT, "core", "imports")
    elif _in_folder(plan):
        text = block_text("core", "imports").replace("\n@", "\n@../")  # imports are relative to their file
        plan.add(lambda: with_block(plan.root / ".claude/CLAUDE.md", text, blocks.MARKDOWN))
    else:
        plan.block("CLAUDE.md", "core", "imports")
    name = LOCAL if _is_local(plan) else SHARED
    plan.hooks(name, HOOKS, hook_command(plan.program if name == LOCAL else None))
    if name == SHARED and _has_hooks(plan, LOCAL):
        plan.add(lambda: unwire(plan.root / LOCAL))  # in both files every event would run twice
    plan.skills(".claude/skills")


def _in_folder(plan: Plan) -> bool:
    """Whether the project's text stands in .claude/: there alone, or hipo's block does already."""
    inner, outer = plan.root / ".claude/CLAUDE.md", plan.root / "CLAUDE.md"
    return inner.exists() and (not outer.exists() or (has_block(inner) and not has_block(outer)))


def _is_local(plan: Plan) -> bool:
    """Whether the hooks go into the settings that nobody commits; without a new mode they stay where they are."""
    if plan.private:
        return True
    if _has_hooks(plan, SHARED):
        return False
    return plan.program is not None or (not plan.moved and _has_hooks(plan, LOCAL))


def _has_hooks(plan: Plan, name: str) -> bool:
    try:
        return any(is_ours(h.command) for h in handlers(read_text(plan.root / name) or "{}"))
    except (BadJson, HipoError):
        return False
