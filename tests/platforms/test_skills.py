"""What agents read: skills, blocks and the plugin name commands and options that exist."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import frontmatter
import pytest
import typer

from hipocampus import __version__
from hipocampus.cli.app import app
from hipocampus.platforms import claude_code
from hipocampus.platforms.hooks_json import COMMAND, handlers
from hipocampus.platforms.project import SKILLS, block_text
from hipocampus.templates import template_names, template_text

PLUGIN = Path(__file__).parents[2] / ".claude-plugin"
PORTABLE = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
TEXTS = [*template_names("skills"), *template_names("blocks")]
README = Path(__file__).parents[2] / "README.md"


@pytest.mark.parametrize("name", SKILLS)
def test_a_skill_s_frontmatter_is_portable(name: str) -> None:
    skill = frontmatter.loads(template_text(f"skills/{name}/SKILL.md"))
    assert skill["name"] == name
    assert set(skill.keys()) <= PORTABLE
    assert 80 <= len(str(skill["description"])) <= 1000
    assert len(skill.content.split("\n")) <= 80


@pytest.mark.parametrize("name", [*TEXTS, "README.md"])
def test_every_command_line_that_a_text_names_is_one_that_hipo_takes(name: str) -> None:
    text = README.read_text(encoding="utf-8") if name == "README.md" else template_text(name)
    refused = {line: why for line in _command_lines(text) if (why := _refusal(line))}
    assert not refused


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("hipo task note NAME TEXT", "Missing argument"),
        ("hipo note state", "Missing argument"),
        ("hipo tidy NOW", "unexpected extra argument"),
        ("hipo recall WORDS --no-such", "No such option"),
        ("hipo compact --summarizer nobody", "Invalid value"),
        ("hipo task write", "No such command"),
        ("hipo remember", "No such command"),
    ],
)
def test_a_command_line_that_would_fail_is_noticed(line: str, why: str) -> None:
    assert why in _refusal(line)


def test_how_to_install_it_is_said_alike_everywhere() -> None:
    for name in [f"skills/{skill}/SKILL.md" for skill in SKILLS]:
        assert "pip install hipocampus" not in template_text(name)
    for command in re.findall(r"(?:uv tool|pipx) install \.", template_text("skills/hipo-core/SKILL.md")):
        assert command in README.read_text(encoding="utf-8")


def _command_lines(text: str) -> list[str]:
    """Every `hipo ...` of a text: in a code span, or as a line of a code block; continued lines joined."""
    joined = text.replace("\\\n", " ")
    blocks = re.findall(r"^(?: *\$ | {4,}|)(hipo .+)$", joined, re.M)
    spans = [" ".join(span.split()) for span in re.findall(r"`(hipo [^`]+)`", joined)]
    lines = [re.split(r"\s<|\s\||\s#\s", line)[0] for line in blocks + spans]
    return [one for line in lines for one in _alternatives(line)]


def _alternatives(line: str) -> list[str]:
    """`hipo note state|lessons TEXT` stands for two lines."""
    several = re.search(r"(?<=\s)[\w-]+(?:\|[\w-]+)+(?=\s|$)", line)
    if several is None:
        return [line]
    return [line[: several.start()] + one + line[several.end() :] for one in several[0].split("|")]


def _refusal(line: str) -> str:
    """Why hipo would refuse a command line, "" where it takes it. A name without arguments only names a command."""
    words = shlex.split(line)[1:]
    command: Any = typer.main.get_command(app)
    context: Any = command.make_context("hipo", [], resilient_parsing=True)
    if words[0].isupper() or words[0] in _options(command):  # COMMAND, or a global option
        return ""
    while words and hasattr(command, "get_command"):
        name, *words = words
        command = command.get_command(context, name)
        if command is None:
            return f"No such command {name}"
        context = type(context)(command, info_name=name, parent=context)
    if not words or "--help" in words:
        return ""
    try:
        command.make_context(context.info_name, words, parent=context.parent)
    except Exception as error:  # the library's own classes of wrong usage
        return error.format_message() if hasattr(error, "format_message") else repr(error)
    return ""


def _options(command: Any) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts}


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
        "PATH",
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
