"""What is wrong with the wiring of a project and with the names in its config: for `hipo doctor`."""

import os
import shutil
from collections import Counter
from pathlib import Path

from hipocampus.errors import ReadError
from hipocampus.files import read_bytes, read_text
from hipocampus.memory.store import Problem
from hipocampus.platforms import blocks, claude_code, hooks_json, jsontext
from hipocampus.platforms.project import block_text
from hipocampus.platforms.textfiles import has_block, is_untouched, stamped
from hipocampus.platforms.wiring import SETTINGS, skill_files
from hipocampus.session.changes import shown
from hipocampus.templates import template_text


def wiring_problems(root: Path) -> list[Problem]:
    """Return what is wrong with the wiring of a project: dead commands, files that cannot be read, old blocks."""
    problems: list[Problem] = []
    for name in SETTINGS:
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
    for path in skill_files(root):
        problems += _skill_problems(path, shown(path, root))
    return problems + _doubled(root)


def _doubled(root: Path) -> list[Problem]:
    """What a client would run or load twice."""
    once = "run: hipo init --private, or hipo init --shared; either keeps one"
    problems = []
    events = {name: _events(root, name) for name in (claude_code.SHARED, claude_code.LOCAL)}
    both = sorted(
        {event for event, _ in events[claude_code.SHARED]} & {e for e, _ in events[claude_code.LOCAL]}
    )
    if both:
        problems.append(
            Problem(
                claude_code.LOCAL,
                0,
                f"hipo's hooks stand here and in {claude_code.SHARED}, so that each runs twice "
                f"({', '.join(both)}); {once}",
            )
        )
    for name in SETTINGS:
        problems += [
            Problem(name, 0, f"hipo's hook of {event} stands here {count} times; take the others out by hand")
            for (event, _), count in _events(root, name).items()
            if count > 1
        ]
    texts = [name for name in (*claude_code.TEXTS, claude_code.PRIVATE_TEXT) if has_block(root / name)]
    if len({os.path.realpath(root / name) for name in texts}) > 1:
        problems.append(
            Problem(texts[-1], 0, f"hipo's block is loaded twice, it stands in {' and '.join(texts)}; {once}")
        )
    return problems


def _events(root: Path, name: str) -> Counter[tuple[str, str]]:
    """How often hipo's hook stands in a settings file, by event and matcher."""
    try:
        text = read_text(root / name) or "{}"
        found = [h for h in hooks_json.handlers(text) if hooks_json.is_ours(h.command)]
    except (jsontext.BadJson, ReadError):  # said already
        return Counter()
    return Counter((h.event, _matcher(text, h)) for h in found)


def _matcher(text: str, handler: hooks_json.Handler) -> str:
    event = jsontext.find(text, ("hooks", handler.event))
    group = event.items[handler.path[0]] if event and event.items else None
    value = group.get("matcher") if group else None
    return str(jsontext.load(text, value)) if value else ""


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
