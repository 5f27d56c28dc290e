"""Wire a project into agents, move the wiring to another place, take it out again."""

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from hipocampus.config import CONFIG_NAME
from hipocampus.errors import HipoError
from hipocampus.files import read_bytes, read_text
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
from hipocampus.platforms.project import SKILLS, Plan, program_path
from hipocampus.platforms.textfiles import (
    json_changes,
    json_removal,
    json_text,
    without_block,
    without_own_file,
)
from hipocampus.session.changes import Change
from hipocampus.session.init import PROFILE_FILES
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
SETTINGS = (claude_code.SHARED, claude_code.LOCAL, codex.FILE, gemini.FILE)
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


def moves(root: Path, *, private: bool, shared: bool) -> bool:
    """Whether a mode is asked for that is not the one in which the project is wired."""
    return (private and not git.is_private(root)) or (shared and git.is_private(root))


def plan_wiring(root: Path, platforms: list[str], *, private: bool, shared: bool) -> Plan:
    """Return what wiring these platforms changes. Nothing is written.

    A project that is private or shared stays so until the other is asked for; then what the first one wired
    is taken out, so that nothing is loaded twice.
    """
    stays_private = git.is_private(root) and not shared
    plan = Plan(root, private or stays_private, private or shared, program_path())
    for name in platforms:
        WIRE[name](plan)
    git.plan_git(plan, shared or (git.is_shared(root) and not plan.private))
    if plan.moved:
        _take_out_of_the_other_place(plan)
    if platforms:
        where = shlex.quote(str(root)).replace("%", r"\%")  # cron ends a command at a bare percent sign
        plan.next_steps.append(
            f"cron, so that no transcript is missed: 17 */3 * * * {plan.program or 'hipo'} --root {where} "
            "compact --ingest --quiet"
        )
    return plan


def _take_out_of_the_other_place(plan: Plan) -> None:
    """Plan the removal of what stands where this mode does not wire: nothing that is planned already changes."""
    root, before = plan.root, len(plan.changes)
    if plan.private:
        for name in _MARKDOWN:
            if name != claude_code.PRIVATE_TEXT:
                _take_out_block(plan, root / name, blocks.MARKDOWN)
        for name in _HASHED:
            _take_out_block(plan, root / name, blocks.HASH)
        for name in SETTINGS:
            if name != claude_code.LOCAL and "hipo" in (read_text(root / name) or ""):
                plan.add(lambda name=name: hooks_json.unwire(root / name))  # type: ignore[misc]
        plan.add(lambda: opencode.unwire(root / opencode.FILE))
    else:
        _take_out_block(plan, root / claude_code.PRIVATE_TEXT, blocks.MARKDOWN)
        if exclude := git.exclude_file(root):
            _take_out_block(plan, exclude, blocks.HASH)
    gone = [change for change in plan.changes[before:] if change.action != "unchanged"]
    plan.changes[before:] = [change._replace(note=change.note or "hipo's part taken out") for change in gone]
    if names := git.committed(root, [change.path for change in gone]) if plan.private else []:
        plan.next_steps.append(
            f"git: {', '.join(names)} was committed with hipo's wiring, and its removal shows in git status: "
            "commit it, or git restore it where others of the team use it"
        )
    if plan.private and git.tracked_memory(root):
        plan.next_steps.append(
            "git: it tracks files of memory/ since it was shared, and goes on doing so; to end it: "
            "git rm -r -q --cached memory"
        )


def _take_out_block(plan: Plan, path: Path, marks: blocks.Marks) -> None:
    plan.add(lambda: _listed(without_block(path, marks)))


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
    for name in SETTINGS:
        plan.add(lambda name=name: hooks_json.unwire(root / name))  # type: ignore[misc]
    plan.add(lambda: opencode.unwire(root / opencode.FILE))
    for path in [*skill_files(root), root / cursor.FILE]:
        plan.add(lambda path=path: _listed(without_own_file(path)))  # type: ignore[misc]
    for name in PROFILE_FILES:
        plan.add(lambda name=name: _without_template(plan, name))  # type: ignore[misc]
    plan.add(lambda: _without_platforms(root))
    plan.changes += _emptied(plan.changes, root)
    return plan


def _listed(change: Change | None) -> list[Change]:
    return [] if change is None else [change]


def _without_template(plan: Plan, name: str) -> list[Change]:
    """MEMORY.md and USER.md go where they are still the templates: they were made for an agent, and say nothing."""
    path = plan.root / name
    planned = next((change for change in plan.changes if change.path == path), None)
    before = read_bytes(path)
    left = planned.after if planned else before
    if before is None or left != template_text(name).encode():
        return []
    if planned:
        plan.changes.remove(planned)
    return [Change(path, before, None)]


def skill_files(root: Path) -> list[Path]:
    """Return where skills of hipo's may stand in a project."""
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
