"""hipo's hooks in a client's settings: Claude Code, Codex and Gemini CLI share the shape.

`{"hooks": {EVENT: [{"matcher"?, "hooks": [{"type": "command", "command": ...}]}]}}`
"""

import json
import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.platforms import jsontext
from hipocampus.platforms.jsontext import Value
from hipocampus.platforms.textfiles import Manual, json_changes, json_removal, json_text
from hipocampus.session.changes import Change

COMMAND = "hipo hook"  # the same in every version: Codex asks for a new review when it changes
_PROGRAM = re.compile(r"(?:.*[\\/])?(?:hipo|hipocampus)(?:\.exe)?")


class Group(NamedTuple):
    """The hook of one event: `timeout` in the client's own unit."""

    event: str
    timeout: int
    matcher: str = ""
    name: str = ""


class Handler(NamedTuple):
    """A command that stands in a settings file, and where."""

    event: str
    command: str
    value: Value  # the command's text
    path: tuple[int, int]  # index of its group, and within the group


def is_ours(command: str) -> bool:
    """True when a hook's command is `hipo hook`, in whatever way hipo is called."""
    words = split(command)
    return any(_PROGRAM.fullmatch(a) and b == "hook" for a, b in pairwise(words))


def split(command: str) -> list[str]:
    """Return the words of a hook's command; one that no shell could read is a single word."""
    try:
        return shlex.split(command)
    except ValueError:
        return [command]


def handlers(text: str) -> Iterator[Handler]:
    """Yield every command hook of a settings file."""
    hooks = jsontext.find(text, ("hooks",))
    for member in (hooks.members if hooks else None) or ():
        for at, group in enumerate(member.value.items or ()):
            inner = group.get("hooks")
            for index, handler in enumerate((inner.items if inner else None) or ()):
                value = handler.get("command")
                command = jsontext.load(text, value) if value else None
                if value and isinstance(command, str):
                    yield Handler(member.key, command, value, (at, index))


def wire(path: Path, groups: list[Group], command: str) -> list[Change]:
    """Return the changes that put hipo's hooks into a settings file, each once, behind what stands there."""
    lines = json.dumps({"hooks": {g.event: [_group(g, command)] for g in groups}}, indent=2)
    before, text = json_text(path, lines)
    try:
        for group in groups:
            text = _with_group(text, group, command)
    except jsontext.BadJson as error:
        raise Manual(path, f"{error}, left as it is", lines) from None
    return json_changes(path, before, text)


def _with_group(text: str, group: Group, command: str) -> str:
    ours = [h for h in handlers(text) if h.event == group.event and is_ours(h.command)]
    if ours:
        return text if ours[0].command == command else jsontext.replace(text, ours[0].value, command)
    if jsontext.find(text, ("hooks",)) is None:
        text = jsontext.add_member(text, (), "hooks", {})
    if jsontext.find(text, ("hooks", group.event)) is None:
        return jsontext.add_member(text, ("hooks",), group.event, [_group(group, command)])
    return jsontext.add_item(text, ("hooks", group.event), _group(group, command))


def _group(group: Group, command: str) -> dict[str, Any]:
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": group.timeout}
    if group.name:
        handler = {"name": group.name, **handler}
    return {**({"matcher": group.matcher} if group.matcher else {}), "hooks": [handler]}


def unwire(path: Path) -> list[Change]:
    """Return the changes that take hipo's hooks out of a settings file again; none where there are none."""
    if not path.is_file():
        return []
    before, text = json_text(path, f'take the hooks with the command "{COMMAND}" out by hand')
    if before is None:
        return []
    stripped = text
    while ours := next((h for h in handlers(stripped) if is_ours(h.command)), None):
        stripped = _without(stripped, ours)
    if stripped == text:
        return []
    return json_removal(path, before, stripped, made_by_hipo=json.loads(stripped) == {})


def _without(text: str, handler: Handler) -> str:
    """Take one handler out, and the lists and objects around it that it leaves empty."""
    event = jsontext.find(text, ("hooks", handler.event))
    group = event.items[handler.path[0]] if event and event.items else None
    inner = group.get("hooks") if group else None
    if event is None or inner is None or inner.items is None:
        return text
    if len(inner.items) > 1:
        return jsontext.remove_at(text, inner, handler.path[1])
    if event.items is not None and len(event.items) > 1:
        return jsontext.remove_at(text, event, handler.path[0])
    text = jsontext.remove_member(text, ("hooks",), handler.event)
    hooks = jsontext.find(text, ("hooks",))
    return text if hooks is None or hooks.members else jsontext.remove_member(text, (), "hooks")
