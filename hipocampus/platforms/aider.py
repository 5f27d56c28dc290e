"""Aider: AGENTS.md and ROOT.md under `read:` in .aider.conf.yml. It has no hooks and no skills."""

import re

from hipocampus.files import read_text
from hipocampus.memory.hot import ROOT
from hipocampus.platforms import blocks
from hipocampus.platforms.project import Plan
from hipocampus.platforms.textfiles import Manual, with_block
from hipocampus.session.changes import Change

FILE = ".aider.conf.yml"


def wire(plan: Plan) -> None:
    """Plan what Aider needs."""
    plan.block("AGENTS.md", "core", "profile", "reading")
    plan.add(lambda: _read_list(plan))


def _read_list(plan: Plan) -> Change:
    path = plan.root / FILE
    lines = f"read: [AGENTS.md, {ROOT}]"
    text = read_text(path) or ""
    ours = blocks.read(text.encode(), blocks.HASH)
    if ours is None and re.search(r"^read\s*:", text, re.M):
        raise Manual(path, "has a list `read:` already, left as it is", lines)
    if plan.private and path.exists() and ours is None:
        raise Manual(path, "belongs to the project, and --private leaves it alone", lines)
    return with_block(path, lines, blocks.HASH)
