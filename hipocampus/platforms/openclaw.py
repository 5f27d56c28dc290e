"""OpenClaw: the project is its workspace. AGENTS.md, the index in MEMORY.md, HEARTBEAT.md, skills/.

Its daily logs are hipo's raw logs: the same path, appended to by both.
"""

from pathlib import Path

from hipocampus.errors import HipoError
from hipocampus.files import read_bytes, read_text, replace_file
from hipocampus.memory.hot import ROOT
from hipocampus.platforms import blocks
from hipocampus.platforms.project import Plan
from hipocampus.platforms.textfiles import with_block
from hipocampus.templates import template_text

MIRROR = "MEMORY.md"
MIRROR_CHARS = 6000  # of the index in MEMORY.md; OpenClaw cuts a file at 12,000 and all of them at 60,000


def wire(plan: Plan) -> None:
    """Plan what OpenClaw needs. Its own settings are only spoken of: they are not the project's."""
    plan.block("AGENTS.md", "core", "profile", "reading")
    plan.add(lambda: with_block(plan.root / MIRROR, mirror_text(plan.root), blocks.MARKDOWN))
    plan.block("HEARTBEAT.md", "heartbeat")
    plan.skills("skills")
    plan.next_steps.append(
        "OpenClaw: for the other hot files enable its hook bootstrap-extra-files with WORKING.md and "
        "SCRATCHPAD.md in ~/.openclaw/openclaw.json"
    )


def mirror_text(root: Path) -> str:
    """Return the index of ROOT.md as it stands in MEMORY.md: whole lines, at most MIRROR_CHARS characters."""
    text = read_text(root / ROOT) or template_text("ROOT.md")  # init is about to make it
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    lines = [line for line in text.strip().split("\n") if not line.startswith("<!--")]
    kept: list[str] = ["## Index of the memory (from memory/ROOT.md)", ""]
    room = MIRROR_CHARS - len(kept[0]) - 60
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            kept.append(f"({len(lines) - number} more lines: hipo show root)")
            break
        kept.append(f"#{line}" if line.startswith("## ") else line)
    return "\n".join(kept)


def refresh_mirror(root: Path) -> bool:
    """Bring the index in MEMORY.md up to date after a compaction; False where there is none or nothing changed."""
    path = root / MIRROR
    before = read_bytes(path)
    try:
        if before is None or blocks.read(before, blocks.MARKDOWN) is None:
            return False
        after = blocks.put(before, mirror_text(root), blocks.MARKDOWN)
    except blocks.BrokenBlock:
        raise HipoError(
            f"{MIRROR}: the marks of hipo's block do not pair", "put them right by hand"
        ) from None
    if after == before:
        return False
    replace_file(path, after)
    return True
