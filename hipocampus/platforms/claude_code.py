"""Claude Code: CLAUDE.md with `@imports`, hooks in .claude/settings.json, skills in .claude/skills."""

from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.platforms import blocks
from hipocampus.platforms.hooks_json import Group, handlers, is_ours
from hipocampus.platforms.jsontext import BadJson
from hipocampus.platforms.project import Plan, block_text, hook_command
from hipocampus.platforms.textfiles import with_block

SHARED, LOCAL = ".claude/settings.json", ".claude/settings.local.json"
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
        plan.block("CLAUDE.local.md", "core", "imports")
    elif (plan.root / ".claude/CLAUDE.md").exists() and not (plan.root / "CLAUDE.md").exists():
        text = block_text("core", "imports").replace("\n@", "\n@../")  # imports are relative to their file
        plan.add(lambda: with_block(plan.root / ".claude/CLAUDE.md", text, blocks.MARKDOWN))
    else:
        plan.block("CLAUDE.md", "core", "imports")
    local = plan.private or plan.program is not None or _has_hooks(plan, LOCAL)
    if _has_hooks(plan, SHARED) and not plan.private:
        local = False
    plan.hooks(LOCAL if local else SHARED, HOOKS, hook_command(plan.program if local else None))
    plan.skills(".claude/skills")


def _has_hooks(plan: Plan, name: str) -> bool:
    try:
        return any(is_ours(h.command) for h in handlers(read_text(plan.root / name) or "{}"))
    except (BadJson, HipoError):
        return False
