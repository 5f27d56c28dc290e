"""Which hot files a platform brings into its sessions by itself, so that the start need not repeat them."""

import re
from pathlib import Path

from hipocampus.errors import HipoError
from hipocampus.files import read_text
from hipocampus.memory.hot import ROOT, SCRATCHPAD, TASK_QUEUE, WORKING

HOT = (ROOT, SCRATCHPAD, WORKING, TASK_QUEUE)
# Files of the project whose `@imports` a platform follows. Codex follows none; OpenCode has no start hook.
_IMPORTERS = {
    "claude-code": ("CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"),
    "gemini": ("GEMINI.md",),
}
_WIRED = {"claude-code": frozenset(HOT), "gemini": frozenset(HOT), "opencode": frozenset(HOT)}


def loaded_files(platform: str, root: Path | None = None) -> frozenset[str]:
    """Return the hot files that a platform loads by itself once it is wired.

    With `root`, only those that the project's instruction files really import: somebody may have taken the
    lines out, or use the plugin in a project that was never wired.
    """
    if root is None or platform not in _IMPORTERS:
        return _WIRED.get(platform, frozenset()) if root is None else frozenset()
    found: set[str] = set()
    for name in _IMPORTERS[platform]:
        try:
            text = read_text(root / name) or ""
        except HipoError:  # what cannot be read is not loaded either
            continue
        found.update(
            hot for hot in HOT if re.search(rf"^\s*@(?:\.{{1,2}}/)?{re.escape(hot)}\s*$", text, re.M)
        )
    return frozenset(found)
