"""OpenCode: AGENTS.md, and the hot files as `instructions` in opencode.json. No plugin: it slows every start."""

import json
from pathlib import Path

from hipocampus.platforms import jsontext
from hipocampus.platforms.loads import HOT
from hipocampus.platforms.project import Plan
from hipocampus.platforms.textfiles import BACKUP, Manual, json_changes, json_removal, json_text
from hipocampus.session.changes import Change

FILE = "opencode.json"
_SCHEMA = {"$schema": "https://opencode.ai/config.json"}


def wire(plan: Plan) -> None:
    """Plan what OpenCode needs."""
    plan.block("AGENTS.md", "core", "profile", "reading")
    plan.add(lambda: _instructions(plan))
    plan.skills(".agents/skills")


def _instructions(plan: Plan) -> list[Change]:
    path = plan.root / FILE
    lines = json.dumps({"instructions": list(HOT)})
    commented = plan.root / "opencode.jsonc"
    if commented.exists() and not path.exists():
        raise Manual(commented, "may hold comments, left as it is", lines)
    if plan.private and path.exists() and not _is_hipos(path):
        raise Manual(path, "belongs to the project, and --private leaves it alone", lines)
    before, text = json_text(path, lines)
    try:
        if before is None:
            text = json.dumps({**_SCHEMA, "instructions": list(HOT)}, indent=2) + "\n"
        elif jsontext.find(text, ("instructions",)) is None:
            text = jsontext.add_member(text, (), "instructions", list(HOT))
        else:
            for name in HOT:
                if name not in _listed(text):
                    text = jsontext.add_item(text, ("instructions",), name)
    except jsontext.BadJson as error:
        raise Manual(path, f"{error}, left as it is", lines) from None
    return json_changes(path, before, text)


def unwire(path: Path) -> list[Change]:
    """Return the changes that take the hot files out of the instructions again."""
    if not path.is_file():
        return []
    before, text = json_text(path, f"take {', '.join(HOT)} out of its instructions by hand")
    listed = _listed(text)
    if before is None or not set(HOT) <= set(listed):
        return []
    if all(name in HOT for name in listed):
        stripped = jsontext.remove_member(text, (), "instructions")
    else:
        stripped = text
        for name in HOT:
            holder = jsontext.find(stripped, ("instructions",))
            if holder is not None:
                stripped = jsontext.remove_at(stripped, holder, _listed(stripped).index(name))
    return json_removal(path, before, stripped, made_by_hipo=json.loads(stripped) in ({}, _SCHEMA))


def _listed(text: str) -> list[object]:
    value = jsontext.find(text, ("instructions",))
    listed = jsontext.load(text, value) if value else []
    return listed if isinstance(listed, list) else []


def _is_hipos(path: Path) -> bool:
    if path.with_name(path.name + BACKUP).exists():
        return False
    return bool(json.loads(json_text(path, "")[1]) == {**_SCHEMA, "instructions": list(HOT)})
