"""Wire a project into agents, take the wiring out again, and say what is wrong with it."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from hipocampus.config import CONFIG_NAME
from hipocampus.errors import HipoError, ReadError
from hipocampus.files import read_bytes, read_text
from hipocampus.memory.store import Problem
from hipocampus.platforms import (
    aider,
    blocks,
    claude_code,
    codex,
    cursor,
    gemini,
    git,
    hooks_json,
    jsontext,
    openclaw,
    opencode,
)
from hipocampus.platforms.project import SKILLS, Plan, block_text, program_path
from hipocampus.platforms.textfiles import (
    is_untouched,
    json_changes,
    json_removal,
    json_text,
    stamped,
    without_block,
    without_own_file,
)
from hipocampus.session.changes import Change, shown
from hipocampus.templates import template_text

WIRE: dict[str, Callable[[Plan], None]] = {
    "claude-code": claude_code.wire,
    "codex": codex.wire,
    "opencode": opencode.wire,
    "openclaw": openclaw.wire,
    "gemini": gemini.wire,
    "cursor": cursor.wire,
    "aider": aider.wire,
}
# What in a project, or on PATH, says that a platform is used.
_SIGNS = {
    "claude-code": (("CLAUDE.md", ".claude"), "claude"),
    "codex": ((".codex",), "codex"),
    "opencode": (("opencode.json", "opencode.jsonc", ".opencode"), "opencode"),
    "gemini": (("GEMINI.md", ".gemini"), "gemini"),
    "cursor": ((".cursor",), None),
    "aider": ((".aider.conf.yml",), None),
}
_MARKDOWN = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    "HEARTBEAT.md",
    "MEMORY.md",
)
_HASHED = (git.IGNORE, git.ATTRIBUTES, aider.FILE)
_SETTINGS = (claude_code.SHARED, claude_code.LOCAL, codex.FILE, gemini.FILE)
_SKILL_FOLDERS = (".claude/skills", ".agents/skills", "skills")


def detect(root: Path) -> list[str]:
    """Return the platforms that are used here: by their files in the project, or as programs on PATH."""
    found = [
        name
        for name, (files, program) in _SIGNS.items()
        if any((root / file).exists() for file in files) or (program and shutil.which(program))
    ]
    return [*found, *(["openclaw"] if _is_openclaw_workspace(root) else [])]


def _is_openclaw_workspace(root: Path) -> bool:
    try:
        text = read_text(Path.home() / ".openclaw" / "openclaw.json") or ""
    except HipoError:
        return False
    if str(root) in text:
        return True
    return bool(text) and root == Path.home() / ".openclaw" / "workspace"


def plan_wiring(root: Path, platforms: list[str], *, private: bool, shared: bool) -> Plan:
    """Return what wiring these platforms changes. Nothing is written."""
    plan = Plan(root, private or git.is_private(root), program_path())
    for name in platforms:
        WIRE[name](plan)
    git.plan_git(plan, shared)
    if platforms:
        plan.next_steps.append(
            f"cron, so that no transcript is missed: 17 */3 * * * {plan.program or 'hipo'} --root {root} "
            "compact --ingest --quiet"
        )
    return plan


def plan_config(root: Path, platforms: list[str]) -> list[Change]:
    """Return the change that names the platforms in a config file that exists; none when it names them."""
    path = root / CONFIG_NAME
    before, text = json_text(path, json.dumps({"platforms": platforms}))
    told = json.loads(text)
    named = told.get("platforms")
    if before is None or (isinstance(named, list) and all(name in named for name in platforms)):
        return []
    if named is None and told.get("platform") in platforms and len(platforms) == 1:
        return []
    if isinstance(named, list):
        for name in platforms:
            if name not in named:
                text = jsontext.add_item(text, ("platforms",), name)
    else:
        first = [told["platform"]] if told.get("platform") in WIRE else []
        text = jsontext.add_member(text, (), "platforms", list(dict.fromkeys([*first, *platforms])))
    return json_changes(path, before, text)


# --- out again ---


def plan_unwiring(root: Path) -> Plan:
    """Return what takes hipo's wiring out again: every file as it was, where nobody changed it since."""
    plan = Plan(root)
    for name in _MARKDOWN:
        plan.add(lambda name=name: _listed(without_block(root / name, blocks.MARKDOWN)))  # type: ignore[misc]
    hashed = [root / name for name in _HASHED]
    if exclude := git.exclude_file(root):
        hashed.append(exclude)
    for path in hashed:
        plan.add(lambda path=path: _listed(without_block(path, blocks.HASH)))  # type: ignore[misc]
    for name in _SETTINGS:
        plan.add(lambda name=name: hooks_json.unwire(root / name))  # type: ignore[misc]
    plan.add(lambda: opencode.unwire(root / opencode.FILE))
    for path in [*_skill_files(root), root / cursor.FILE]:
        plan.add(lambda path=path: _listed(without_own_file(path)))  # type: ignore[misc]
    plan.add(lambda: _without_platforms(root))
    plan.changes += _emptied(plan.changes, root)
    return plan


def _listed(change: Change | None) -> list[Change]:
    return [] if change is None else [change]


def _skill_files(root: Path) -> list[Path]:
    return [root / folder / skill / "SKILL.md" for folder in _SKILL_FOLDERS for skill in SKILLS]


def _without_platforms(root: Path) -> list[Change]:
    """The config stays, as the memory does; it no longer names platforms, so that a later init asks anew."""
    path = root / CONFIG_NAME
    before, text = json_text(path, 'empty "platforms" by hand')
    told = json.loads(text)
    named = told.get("platforms")
    if before is None or not isinstance(named, list) or not any(name in WIRE for name in named):
        return []
    if path.with_name(path.name + ".hipo-backup").exists():
        return json_removal(path, before, jsontext.remove_member(text, (), "platforms"), made_by_hipo=False)
    value = jsontext.find(text, ("platforms",))
    text = jsontext.replace(text, value, []) if value else text
    if told.get("platform") in WIRE:
        text = jsontext.remove_member(text, (), "platform")
    return [Change(path, before, text.encode())]


def _emptied(changes: list[Change], root: Path) -> list[Change]:
    """The folders that are empty once the files are gone, the innermost first."""
    gone = {change.path for change in changes if change.action == "removed"}
    folders: list[Change] = []
    waiting = sorted({path.parent for path in gone}, key=lambda p: -len(p.parts))
    while waiting:
        folder = waiting.pop(0)
        if folder == root or root not in folder.parents or folder.name == "info":
            continue
        if folder.is_dir() and all(inner in gone for inner in folder.iterdir()):
            gone.add(folder)
            folders.append(Change(folder, b"", None, folder=True))
            if folder.parent not in waiting:
                waiting.append(folder.parent)
    return folders


# --- what is wrong ---


def wiring_problems(root: Path) -> list[Problem]:
    """Return what is wrong with the wiring of a project: dead commands, files that cannot be read, old blocks."""
    problems: list[Problem] = []
    for name in _SETTINGS:
        problems += _settings_problems(root, name)
    wanted = {
        "CLAUDE.md": ("core", "imports"),
        "CLAUDE.local.md": ("core", "imports"),
        "GEMINI.md": ("core", "imports"),
        "AGENTS.md": ("core", "profile", "reading"),
        "HEARTBEAT.md": ("heartbeat",),
    }
    for name, parts in wanted.items():
        problems += _block_problems(root, name, block_text(*parts))
    for path in _skill_files(root):
        problems += _skill_problems(path, shown(path, root))
    return problems


def _settings_problems(root: Path, name: str) -> list[Problem]:
    try:
        text = read_text(root / name)
        if text is None:
            return []
        found = list(hooks_json.handlers(text))
    except jsontext.BadJson as error:
        return [Problem(name, 0, f"not strict JSON ({error}); whether hipo's hooks stand there is unknown")]
    except ReadError as error:
        return [Problem(name, 0, error.message)]
    return [
        Problem(
            name,
            text.count("\n", 0, handler.value.start) + 1,
            f"the hook of {handler.event} is dead: {handler.command!r} names no program; run: hipo init",
        )
        for handler in found
        if _is_hipo(handler.command) and not _runs(handler.command)
    ]


def _is_hipo(command: str) -> bool:
    words = hooks_json.split(command)
    program = Path(words[0]).name.removesuffix(".exe") if words else ""
    return program in ("hipo", "hipocampus") or hooks_json.is_ours(command)


def _runs(command: str) -> bool:
    program = hooks_json.split(command)[0]
    if os.sep in program or (os.altsep and os.altsep in program):
        return os.access(program, os.X_OK)
    return shutil.which(program) is not None


def _block_problems(root: Path, name: str, text: str) -> list[Problem]:
    try:
        block = blocks.read(read_bytes(root / name), blocks.MARKDOWN)
    except (blocks.BrokenBlock, ReadError) as error:
        return [Problem(name, 0, f"{error}")]
    if block is None or block.strip() == text.strip():
        return []
    return [Problem(name, 0, "hipo's block is not that of this version; run: hipo init")]


def _skill_problems(path: Path, name: str) -> list[Problem]:
    try:
        data = read_bytes(path)
    except ReadError as error:
        return [Problem(name, 0, error.message)]
    if (
        data is None
        or not is_untouched(data)
        or data == stamped(template_text(f"skills/{path.parent.name}/SKILL.md"))
    ):
        return []
    return [Problem(name, 0, "the skill is that of another version; run: hipo init")]
