"""The memory tree from its templates: what is missing is planned, what exists is never touched."""

import json
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from hipocampus.config import CONFIG_NAME
from hipocampus.errors import WriteError
from hipocampus.files import encode, read_bytes
from hipocampus.memory import hot
from hipocampus.session.changes import Change
from hipocampus.templates import template_text

FOLDERS = ("memory", "memory/daily", "memory/weekly", "memory/monthly", "knowledge", "plans")
HOT_FILES = (hot.SCRATCHPAD, hot.WORKING, hot.TASK_QUEUE)
PROFILE_FILES = ("MEMORY.md", "USER.md")
# Platforms that remember nothing by themselves, so that the profile files carry it (FORMATS, "The tree").
WITHOUT_OWN_MEMORY = frozenset({"codex", "opencode"})


def plan_tree(root: Path, day: date, platforms: Sequence[str]) -> list[Change]:
    """Return what the tree at `root` needs: a Change for every folder and file, unchanged where it exists.

    `day` is the user's local day; ROOT.md carries it. `platforms` go into a new config file and decide
    whether MEMORY.md and USER.md are made.
    """
    changes = [_folder(root / name) for name in FOLDERS]
    changes.append(_file(root / hot.ROOT, template_text("ROOT.md").replace("{date}", day.isoformat())))
    names = list(HOT_FILES)
    if WITHOUT_OWN_MEMORY.intersection(platforms):
        names += PROFILE_FILES
    changes += [_file(root / name, template_text(name)) for name in names]
    changes.append(_file(root / CONFIG_NAME, first_config(platforms)))
    return changes


def first_config(platforms: Sequence[str]) -> str:
    """Return the text of a new config file: the settings that people look for first, at their defaults.

    "none" is kept only where somebody asked for it: then a later init asks nobody either.
    """
    settings = {
        **({"platform": platforms[0]} if platforms else {}),
        "platforms": list(platforms),
        "timezone": None,
        "compaction": {"rootMaxTokens": 3000, "cooldownHours": 3, "summarizer": "extractive"},
    }
    return json.dumps(settings, indent=2) + "\n"


def _folder(path: Path) -> Change:
    if os.path.lexists(path) and not path.is_dir():
        raise _in_the_way(path, "a folder")
    return Change(path, b"" if path.is_dir() else None, b"", folder=True)


def _file(path: Path, text: str) -> Change:
    """A link counts as the file, also one that leads nowhere: it is somebody's, and start names it."""
    if path.exists() and not path.is_file():
        raise _in_the_way(path, "a file")
    if os.path.lexists(path):
        return Change(path, b"", b"", "left as it is")
    return Change(path, None, encode(text))


def _in_the_way(path: Path, wanted: str) -> WriteError:
    what = "a folder" if path.is_dir() else "a file" if path.is_file() else "no plain file"
    return WriteError(
        f"init: {path} is {what}, and the memory needs {wanted} of this name",
        "move it away and run hipo init again; nothing was changed",
    )


def memory_parts(root: Path) -> list[Path]:
    """Return what a purge deletes: memory/, hot files and config; knowledge/ and plans/ where they are empty."""
    names = ("memory", *HOT_FILES, CONFIG_NAME)
    found = [root / name for name in names if os.path.lexists(root / name)]
    templates = [root / name for name in PROFILE_FILES if _is_template(root / name, name)]
    folders = [root / name for name in ("knowledge", "plans")]
    empty = [folder for folder in folders if folder.is_dir() and not any(folder.iterdir())]
    return found + templates + empty


def purge(parts: Sequence[Path]) -> None:
    """Delete the parts of a memory. Of a link only the link goes."""
    import shutil

    for part in parts:
        try:
            if part.is_dir() and not part.is_symlink():
                shutil.rmtree(part)
            else:
                part.unlink()
        except OSError as error:
            raise WriteError(
                f"{part}: cannot be deleted ({error.strerror or error})", "check its permissions"
            ) from error


def _is_template(path: Path, name: str) -> bool:
    return read_bytes(path) == encode(template_text(name))
