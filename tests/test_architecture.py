"""The house rules that no other test would notice: who may import whom, who touches the world, what each file says."""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer

from hipocampus.cli.app import COMMANDS, LazyGroup, app

PROJECT = Path(__file__).resolve().parents[1]
PACKAGE = PROJECT / "hipocampus"
MODULES = sorted(PACKAGE.rglob("*.py"))
# A room may use any room to its right, never one to its left.
ROOMS = ("cli", "platforms", "brain", "session", "compaction", "recall", "memory", "redact")
GROUND = frozenset({"files", "lock", "clock", "config", "errors", "templates"})
MOST_LINES = 400

# name -> the modules that may use it
ONLY_IN = {
    "rich": {"cli/render.py", "cli/render_*.py"},
    # lookups.py names the type of a connection; the transcripts of opencode are such a file
    "sqlite3": {"recall/index.py", "recall/lookups.py", "platforms/transcripts/opencode.py"},
    "httpx": {"brain/client.py"},
    "requests": set(),
    "urllib.request": set(),
    "redis": {"brain/redisstore.py"},
    "mcp": {"cli/mcp.py", "platforms/mcp*.py", "brain/mcp*.py"},
    "click": set(),  # typer brings its own names
}
# Who else changes the disk, and why that is no write of memory.
OTHER_WRITERS = {
    "cli/boundary.py": "the report of a bug",
    "cli/demo.py": "the folder that was named for the demo",
    "cli/entry.py": "the null device in place of a stream that was closed",
    "cli/spawn.py": "the log that a detached process inherits",
    "memory/store.py": "a state that cannot be used is moved aside",
    "recall/refresh.py": "the index is a SQLite file, made beside and put in place whole",
    "session/changes.py": "an empty folder that hipo made",
    "session/doctor.py": "the mode of .hipo/",
    "session/init.py": "what init made, taken out again",
}
CLOCKS = frozenset("datetime.now datetime.utcnow datetime.today date.today time.time time.time_ns".split())
BROAD = frozenset({"Exception", "BaseException", "OSError", "HipoError"})
WRITING_CALLS = frozenset(
    "write_text write_bytes unlink rename rmdir mkdir touch symlink_to hardlink_to chmod".split()
)
OS_WRITING = frozenset(
    "open replace rename remove unlink mkdir makedirs rmdir write pwrite ftruncate truncate chmod link symlink".split()
)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module's syntax tree, the module itself first."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Every module that is imported anywhere in a file, by its full name."""
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def dotted(node: ast.AST) -> str:
    """`os.environ` of an expression, "" of anything but names and attributes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def test_imports_go_one_way() -> None:
    wrong = []
    for path in MODULES:
        name = name_of(path)
        room = name.split("/")[0] if "/" in name else ""
        allowed = GROUND | set(ROOMS[ROOMS.index(room) :] if room else ())
        for target in imports_of(path) if name != "__main__.py" else ():
            parts = target.split(".")
            if parts[0] == "hipocampus" and len(parts) > 1 and parts[1] not in allowed | {"__version__"}:
                wrong.append(f"{name} imports {target}")
    assert not wrong


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_in_its_one_place(library: str) -> None:
    users = {
        name_of(path)
        for path in MODULES
        if any(t == library or t.startswith(f"{library}.") for t in imports_of(path))
    }
    assert not {user for user in users if not any(Path(user).match(place) for place in ONLY_IN[library])}


def test_only_files_writes_to_disk() -> None:
    found = {
        name_of(path)
        for path in MODULES
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and _writes(node)
    }
    assert not sorted(found - {"files.py", "lock.py", *OTHER_WRITERS})


def _writes(call: ast.Call) -> bool:
    """Whether a call changes the disk: an open for writing, a Path or os function that writes, a temporary file."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open" and _mode(call, 1) not in ("r", "rb")
    if not isinstance(function, ast.Attribute):
        return False
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner == "os":
        return function.attr in OS_WRITING and "os.devnull" not in map(dotted, call.args)
    if owner in ("shutil", "tempfile"):
        return function.attr not in (
            "which",
            "get_terminal_size",
            "gettempdir",
            "TemporaryDirectory",
            "mkdtemp",
        )
    if function.attr == "open":
        return _mode(call, 0) not in ("r", "rb")
    # str.replace takes two arguments, Path.replace one
    return function.attr in WRITING_CALLS or (
        function.attr == "replace" and len(call.args) == 1 and not call.keywords
    )


def _mode(call: ast.Call, position: int) -> str:
    given = [call.args[position]] if len(call.args) > position else []
    given += [word.value for word in call.keywords if word.arg == "mode"]
    return str(given[0].value) if given and isinstance(given[0], ast.Constant) else "r"


def test_only_clock_reads_the_time_and_only_config_the_environment() -> None:
    found = set()
    for path in MODULES:
        for node in nodes_of(path):
            text = dotted(node) if isinstance(node, ast.Attribute) else ""
            if text in CLOCKS or (text in ("os.environ", "os.getenv") and name_of(path) != "config.py"):
                found.add(f"{name_of(path)}: {text}")
    assert found == {
        "clock.py: datetime.now",
        "clock.py: os.environ",  # HIPO_NOW
        "recall/qmd.py: os.environ",  # handed on to the program that it starts
        "brain/command.py: os.environ",  # handed on to the program that it starts
    }


def test_only_the_command_line_prints_and_ends_the_process() -> None:
    found = set()
    for path in MODULES:
        name = name_of(path)
        if name.startswith("cli/"):
            continue
        for node in nodes_of(path):
            text = dotted(node.func) if isinstance(node, ast.Call) else ""
            if text in ("print", "sys.exit", "exit", "quit", "os._exit", "typer.echo"):
                found.add(f"{name}:{node.lineno} {text}")
    assert not sorted(found)


def test_a_module_says_its_job_in_its_first_line() -> None:
    wrong = []
    for path in MODULES:
        said = (ast.get_docstring(nodes_of(path)[0]) or "").split("\n\n")[0]
        if not said.endswith((".", "?", ":", "…")) and path.name != "__init__.py":
            wrong.append(f"{name_of(path)}: {said}")
    assert not wrong


def test_modules_stay_small() -> None:
    sizes = {name_of(path): path.read_text("utf-8").count("\n") for path in MODULES}
    assert not {name for name, lines in sizes.items() if lines > MOST_LINES}


def test_nothing_is_swallowed_without_a_word_why() -> None:
    wrong = []
    for path in MODULES:
        lines = path.read_text("utf-8").split("\n")
        for node in nodes_of(path):
            if not isinstance(node, ast.ExceptHandler):
                continue
            if node.type is None:
                wrong.append(f"{name_of(path)}:{node.lineno}: a bare except")
            elif dotted(node.type) in BROAD and all(isinstance(s, ast.Pass) for s in node.body):
                said = lines[max(0, node.lineno - 2) : node.body[0].end_lineno]
                if not any("#" in line for line in said):
                    wrong.append(f"{name_of(path)}:{node.lineno}")
    assert not wrong


def test_nothing_is_left_for_later() -> None:
    found = [
        f"{name_of(path)}:{number}"
        for path in MODULES
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if re.search(r"#.*\b(TODO|FIXME|XXX)\b", line)
    ]
    assert not sorted(found)


def test_the_package_holds_no_general_drawer() -> None:
    assert not [p for p in MODULES if p.stem in ("utils", "util", "helpers", "misc", "common")]


# --- the command line and its page ---

THERE = [name for name, (module, _) in COMMANDS.items() if (PACKAGE / "cli" / f"{module}.py").is_file()]


def all_commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every command with its words: `task add`."""
    group = typer.main.get_command(app)
    assert isinstance(group, LazyGroup)
    for name in THERE:
        command = group.get_command(None, name)
        yield name, command
        yield from _inner(name, command)


def _inner(words: str, command: object) -> Iterator[tuple[str, typer.core.TyperCommand]]:
    if not isinstance(command, typer.core.TyperGroup):
        return
    for name in command.list_commands(None):
        inner = command.get_command(None, name)
        yield f"{words} {name}", inner
        yield from _inner(f"{words} {name}", inner)


def test_every_command_says_what_it_does_and_what_each_option_means() -> None:
    for words, command in all_commands():
        assert command.help and command.help[0].isupper(), words
        for option in command.params:
            if option.name == "help" or option.param_type_name == "argument":
                continue
            assert option.help, f"{words}: {option.name}"


def test_every_command_that_reports_takes_json() -> None:
    silent = {"redact", "hook", "mcp", "demo", "export html", "brain sync export"}
    for words, command in all_commands():
        if isinstance(command, typer.core.TyperGroup) or words in silent:
            continue
        assert "--json" in [o for p in command.params for o in p.opts], words


def test_the_readme_names_every_command_and_no_other() -> None:
    rows = re.findall(r"^\| (`hipo .*?) \|", (PROJECT / "README.md").read_text("utf-8"), re.M)
    named = {word for row in rows for quoted in re.findall(r"`(.*?)`", row) for word in [_command(quoted)]}
    extra = {"mcp"}  # of an extra
    assert named - extra == set(COMMANDS) - extra - {"demo"} or named - extra == set(COMMANDS) - extra


def _command(quoted: str) -> str:
    return quoted.removeprefix("hipo ").split()[0]


def test_every_option_in_the_readme_exists() -> None:
    options = {
        o for _, command in all_commands() for p in command.params for o in (*p.opts, *p.secondary_opts)
    }
    text = (PROJECT / "README.md").read_text("utf-8")
    used = set(re.findall(r"(?<=hipo )[^`\n]*?(--[a-z-]+)", text)) | set(
        re.findall(r"^\|.*?`(--[a-z-]+)`", text, re.M)
    )
    assert used - {"--version", "--help"} <= options


def test_the_readme_has_the_install_and_the_test_command_and_the_exit_statuses() -> None:
    text = (PROJECT / "README.md").read_text("utf-8")
    blocks = dict(re.findall(r"<!-- (\w+) -->\n```sh\n(.+)\n```", text))
    assert "hipo demo" in blocks["install"] and "pytest" in blocks["test"]
    assert set(re.findall(r"^\| (\d+) \|", text, re.M)) == {"0", "1", "2", "3", "130"}


def test_the_script_and_the_templates_of_the_package_exist() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    module, name = project["project"]["scripts"]["hipo"].split(":")
    assert callable(getattr(importlib.import_module(module), name))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {
        "templates": "hipocampus/templates"
    }
    assert (PROJECT / "templates" / "ROOT.md").is_file()
