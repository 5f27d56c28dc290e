"""Which hot files each platform loads by itself once init has wired it, so that start need not repeat them."""

from hipocampus.memory.hot import ROOT, SCRATCHPAD, TASK_QUEUE, WORKING

ALL = frozenset({SCRATCHPAD, WORKING, TASK_QUEUE, ROOT})
# Claude Code and Gemini follow @imports, OpenCode reads its `instructions`, Aider the files under `read:`.
# Codex and Cursor expand nothing; OpenClaw gets a shortened ROOT.md in MEMORY.md, not the file itself.
LOADED: dict[str, frozenset[str]] = {
    "claude-code": ALL,
    "gemini": ALL,
    "opencode": ALL,
    "aider": frozenset({ROOT}),
}


def loaded_files(platform: str) -> frozenset[str]:
    """Return the hot files that a platform puts into the model's context without being asked."""
    return LOADED.get(platform, frozenset())
