"""The project that is wired, and the plan that the platforms write their part of."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hipocampus.files import read_bytes
from hipocampus.platforms import blocks
from hipocampus.platforms.hooks_json import COMMAND, Group, handlers, is_ours, wire
from hipocampus.platforms.jsontext import BadJson
from hipocampus.platforms.textfiles import BACKUP, Manual, is_untouched, own_file, with_block
from hipocampus.session.changes import Change
from hipocampus.templates import template_names, template_text

SKILLS = ("hipo-core", "hipo-recall", "hipo-flush", "hipo-compaction")
PERSONAL = ("CLAUDE.local.md", "settings.local.json")  # one person's by their name, whoever wrote into them


@dataclass
class Plan:
    """What init is going to do: changes to files, lines for a person to add, and what to do next."""

    root: Path
    private: bool = False  # nothing that is committed is touched
    moved: bool = False  # a mode was asked for: what an earlier init wired in the other place goes
    program: str | None = None  # how to call hipo where it is not on PATH
    changes: list[Change] = field(default_factory=list)
    manual: list[Manual] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)

    def add(self, make: Callable[[], Change | Iterable[Change]]) -> None:
        """Plan what `make` returns; a file that cannot be changed safely becomes a line for a person.

        Several platforms may ask for the same file, also by a link to it: the first one writes it.
        """
        try:
            made = make()
        except Manual as manual:
            if manual.path not in {known.path for known in self.manual}:
                self.manual.append(manual)
            return
        known = {_real(change.path) for change in self.changes}
        for change in [made] if isinstance(made, Change) else made:
            if _real(change.path) not in known:
                self.changes.append(change)

    def block(self, name: str, *parts: str) -> None:
        """Plan a Markdown file with hipo's block, made of templates."""
        path, text = self.root / name, block_text(*parts)

        def make() -> Change:
            self.guard(path, text)
            return with_block(path, text, blocks.MARKDOWN)

        self.add(make)

    def hooks(self, name: str, groups: list[Group], command: str = COMMAND) -> None:
        """Plan hipo's hooks in a settings file."""
        path = self.root / name

        def make() -> list[Change]:
            self.guard(path, f'hooks for {", ".join(g.event for g in groups)} with the command "{command}"')
            return wire(path, groups, command)

        self.add(make)

    def skills(self, folder: str) -> None:
        """Plan the skills below a folder."""
        for name in template_names("skills"):
            path = self.root / folder / name.removeprefix("skills/")
            self.add(partial(own_file, path, template_text(name)))

    def guard(self, path: Path, lines: str) -> None:
        """Refuse, with --private, a file that holds anybody else's text."""
        if self.private and path.name not in PERSONAL and not is_hipos(path):
            raise Manual(path, "belongs to the project, and --private leaves it alone", lines)


def block_text(*parts: str) -> str:
    """Return the text of a block from its templates, a blank line between them."""
    return "\n\n".join(template_text(f"blocks/{part}.md").strip() for part in parts)


def is_hipos(path: Path) -> bool:
    """True when a file is not there, or when nothing but hipo's own text is in it."""
    data = read_bytes(path)
    if data is None:
        return True
    if path.suffix == ".json":
        return not path.with_name(path.name + BACKUP).exists() and _only_our_hooks(data)
    try:
        return is_untouched(data) or blocks.take_out(data, blocks.MARKDOWN) is None
    except blocks.BrokenBlock:
        return False


def _only_our_hooks(data: bytes) -> bool:
    try:
        found = list(handlers(data.decode("utf-8")))
    except (UnicodeDecodeError, BadJson):
        return False
    return bool(found) and all(is_ours(handler.command) for handler in found)


def hook_command(program: str | None) -> str:
    """Return the command for a hook: plain where hipo is on PATH, else with the program's own path."""
    return f"{program} hook" if program else COMMAND


def program_path() -> str | None:
    """Return how this hipo is called where `hipo` is not on PATH; None where it is."""
    if shutil.which("hipo"):
        return None
    called = Path(sys.argv[0])
    if called.stem == "hipo" and called.is_file() and os.access(called, os.X_OK):
        return shlex.quote(str(called.absolute()))
    return f"{shlex.quote(sys.executable)} -m hipocampus"


def _real(path: Path) -> str:
    return os.path.realpath(path)
