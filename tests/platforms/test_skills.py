"""What agents read: skills, blocks and the plugin name commands and options that exist."""

import json
import re
from pathlib import Path

import frontmatter
import pytest
import typer

from hipocampus import __version__
from hipocampus.cli.app import COMMANDS, LazyGroup, app
from hipocampus.platforms import claude_code
from hipocampus.platforms.hooks_json import COMMAND, handlers
from hipocampus.platforms.project import SKILLS, block_text
from hipocampus.templates import template_names, template_text

PLUGIN = Path(__file__).parents[2] / ".claude-plugin"
PORTABLE = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
TEXTS = [*template_names("skills"), *template_names("blocks")]
_CALL = re.compile(r"(?:`|^ {4,})hipo ([a-z]+)((?:[^`\n\\]|\\\n)*)", re.M)


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_s_frontmatter_is_portable(name: str) -> None:
    skill = frontmatter.loads(template_text(f"skills/{name}/SKILL.md"))
    assert skill["name"] == name
    assert set(skill.keys()) <= PORTABLE
    assert 80 <= len(str(skill["description"])) <= 1000
    assert len(skill.content.split("\n")) <= 80


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_and_option_that_a_text_names_exists(name: str) -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, LazyGroup)
    for command, rest in _CALL.findall(template_text(name)):
        if command in ("hook", "command"):
            continue
        assert command in COMMANDS, f"{name} names hipo {command}"
        found = root.get_command(None, command)
        if found is None:  # this build comes without it
            continue
        known = {option for parameter in _parameters(found) for option in parameter.opts}
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
            assert option in known, f"{name}: hipo {command} has no {option}"


def _parameters(command: object) -> list[typer.core.TyperOption]:
    inner = getattr(command, "commands", {})
    return [*getattr(command, "params", []), *(p for one in inner.values() for p in _parameters(one))]


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_shouts(name: str) -> None:
    allowed = {
        "README",
        "ROOT",
        "MEMORY",
        "USER",
        "SCRATCHPAD",
        "WORKING",
        "TASK",
        "QUEUE",
        "SKILL",
        "AGENTS",
        "HEARTBEAT_OK",
    }
    allowed |= {
        "TOPIC",
        "TEXT",
        "NAME",
        "WORDS",
        "PLACE",
        "HASH",
        "COMMAND",
        "SECTION",
        "YYYY",
        "MM",
        "DD",
        "AUTH",
        "END",
        "OLD",
        "MIT",
    }
    shouted = set(re.findall(r"\b[A-Z_]{2,}\b", template_text(name))) - allowed
    assert not shouted


def test_blocks_stay_within_what_clients_read() -> None:
    assert len(block_text("core", "imports").split("\n")) <= 25
    assert len(block_text("core", "profile", "reading").encode()) <= 2048


def test_the_plugin_is_of_this_version_and_has_the_same_hooks() -> None:
    plugin = json.loads((PLUGIN / "plugin.json").read_text())
    assert plugin["version"] == __version__
    for key in ("skills", "hooks"):
        assert (PLUGIN.parent / plugin[key]).exists()
    text = (PLUGIN / "hooks.json").read_text()
    assert {h.command for h in handlers(text)} == {COMMAND}
    assert [h.event for h in handlers(text)] == [group.event for group in claude_code.HOOKS]
    market = json.loads((PLUGIN / "marketplace.json").read_text())
    assert [one["name"] for one in market["plugins"]] == [plugin["name"]]
