"""Cursor: a rule that is always applied, in .cursor/rules/hipo.mdc. No hooks: its builds disagree about them."""

from hipocampus.platforms.project import Plan, block_text
from hipocampus.platforms.textfiles import own_file

FILE = ".cursor/rules/hipo.mdc"


def wire(plan: Plan) -> None:
    """Plan what Cursor needs."""
    text = block_text("cursor-head", "core", "reading")
    plan.add(lambda: own_file(plan.root / FILE, text))
