"""`hipo init` and `hipo uninstall`: repeatable, and out again byte for byte."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Hipo

from hipocampus.platforms import hooks_json
from hipocampus.platforms.problems import wiring_problems
from hipocampus.platforms.textfiles import stamped
from hipocampus.platforms.wiring import WIRE, detect, plan_unwiring, plan_wiring
from hipocampus.session.changes import apply

EVERYWHERE = [word for name in WIRE for word in ("--platform", name)]
SETTINGS = '{\n    "env": {"KEEP": "1"},\n    "hooks": {\n        "Stop": [\n            {"hooks": [{"type": "command", "command": "other stop"}]}\n        ]\n    }\n}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with files of its own, and `hipo` on PATH."""
    folder = tmp_path / "repository"
    files = {
        "CLAUDE.md": "# Mine\n\nno newline at the end",
        "AGENTS.md": "# Agents\r\n\r\nwindows\r\n",
        "GEMINI.md": "",
        ".gitignore": "node_modules\n",
        ".claude/settings.json": SETTINGS,
        ".gemini/settings.json": "{}",
        "opencode.json": '{"$schema": "https://opencode.ai/config.json", "instructions": ["x.md"]}',
        ".git/info/exclude": "# git's own\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    program = tmp_path / "bin" / "hipo"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return folder


@pytest.fixture
def run(project: Path, monkeypatch: pytest.MonkeyPatch) -> Hipo:
    return Hipo(project, monkeypatch)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def wiring(folder: Path) -> dict[str, bytes]:
    """Every file that is not the memory itself."""
    hot = ("memory/", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "USER.md", "hipocampus.config.json")
    return {name: data for name, data in contents(folder).items() if not name.startswith(hot)}


def test_a_second_init_changes_nothing(project: Path, run: Hipo) -> None:
    assert run("init", *EVERYWHERE).status == 0
    once = contents(project)
    assert run("init", *EVERYWHERE).status == 0
    assert run("init").status == 0
    assert contents(project) == once
    assert wiring_problems(project) == []


def test_uninstall_gives_back_every_byte_and_leaves_the_memory(project: Path, run: Hipo) -> None:
    before = wiring(project)
    run("init", *EVERYWHERE)
    assert run("uninstall").status == 0
    assert wiring(project) == before
    assert (project / "memory" / "ROOT.md").is_file()
    assert not (project / ".agents").exists()
    assert json.loads((project / "hipocampus.config.json").read_text())["platforms"] == []


def test_uninstall_needs_neither_record_nor_backups(project: Path, run: Hipo) -> None:
    before = {name: data for name, data in wiring(project).items() if name != ".gemini/settings.json"}
    run("init", *EVERYWHERE)
    shutil.rmtree(project / "memory")
    for backup in project.rglob("*.hipo-backup"):
        backup.unlink()
    run("uninstall")
    after = wiring(project)
    assert after.pop(".gemini/settings.json", b"{}") == b"{}"
    assert after == before


def test_what_people_changed_since_stays_when_the_wiring_goes(project: Path, run: Hipo) -> None:
    run("init", "--platform", "claude-code")
    with (project / "CLAUDE.md").open("a") as file:
        file.write("\nadded later\n")
    settings_file = project / ".claude" / "settings.json"
    settings_file.write_text(settings_file.read_text().replace('"KEEP": "1"', '"KEEP": "2"'))
    skill = project / ".claude" / "skills" / "hipo-core" / "SKILL.md"
    skill.write_text(skill.read_text() + "my own line\n")
    ran = run("uninstall")
    assert "hipo" not in (project / "CLAUDE.md").read_text()
    assert "added later" in (project / "CLAUDE.md").read_text()
    assert settings_file.read_text() == SETTINGS.replace('"KEEP": "1"', '"KEEP": "2"')
    assert skill.is_file()
    assert "somebody edited it" in ran.out


@settings(max_examples=8)
@given(
    st.dictionaries(
        st.sampled_from(["CLAUDE.md", "AGENTS.md", ".gitignore", ".aider.conf.yml"]),
        st.text(st.characters(codec="ascii", exclude_characters="\r"), max_size=40),
    ),
    st.lists(st.sampled_from(sorted(WIRE)), min_size=1, unique=True),
)
def test_any_project_is_as_it_was_after_init_and_uninstall(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, str], platforms: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    for name, text in files.items():
        (folder / name).write_text(text)
    before = contents(folder)
    apply(plan_wiring(folder, platforms, private=False, shared=False).changes)
    for change in plan_wiring(folder, platforms, private=False, shared=False).changes:
        assert change.action == "unchanged"
    apply(plan_unwiring(folder).changes)
    assert contents(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == sorted(before)


def test_foreign_hooks_and_their_order_stay(project: Path, run: Hipo) -> None:
    run("init", "--platform", "claude-code")
    text = (project / ".claude" / "settings.json").read_text()
    assert text.startswith(SETTINGS[: SETTINGS.index('"other stop"')])
    told = json.loads(text)
    assert told["env"] == {"KEEP": "1"}
    assert [h["command"] for g in told["hooks"]["Stop"] for h in g["hooks"]] == ["other stop", "hipo hook"]
    assert next(iter(told["hooks"])) == "Stop"
    assert (project / ".claude" / "settings.json.hipo-backup").read_text() == SETTINGS


def test_settings_that_are_no_strict_json_are_left_and_their_lines_printed(project: Path, run: Hipo) -> None:
    path = project / ".claude" / "settings.json"
    path.write_text('{ // mine\n "hooks": {},\n}\n')
    ran = run("init", "--platform", "claude-code")
    assert ran.status == 0
    assert path.read_text() == '{ // mine\n "hooks": {},\n}\n'
    assert "settings.json: not strict JSON" in ran.out
    assert '"command": "hipo hook"' in ran.out


def test_an_older_command_is_brought_up_to_date_in_its_place(project: Path, run: Hipo) -> None:
    path = project / ".claude" / "settings.json"
    path.write_text(SETTINGS.replace("other stop", "/old/place/hipo hook"))
    run("init", "--platform", "claude-code")
    commands = [h.command for h in hooks_json.handlers(path.read_text()) if h.event == "Stop"]
    assert commands == ["hipo hook"]


def test_an_older_version_s_files_are_replaced_and_edited_ones_are_not(project: Path, run: Hipo) -> None:
    run("init", "--platform", "claude-code")
    older = project / ".claude" / "skills" / "hipo-core" / "SKILL.md"
    older.write_bytes(stamped("---\nname: hipo-core\n---\nolder text\n"))
    edited = project / ".claude" / "skills" / "hipo-flush" / "SKILL.md"
    edited.write_text("mine now\n")
    block = project / "CLAUDE.md"
    block.write_text(block.read_text().replace("## Memory (hipo)", "## Memory of an older hipo"))
    told = [problem.path for problem in wiring_problems(project)]
    assert told == ["CLAUDE.md", ".claude/skills/hipo-core/SKILL.md"]
    run("init")
    assert "older text" not in older.read_text()
    assert edited.read_text() == "mine now\n"
    assert "older hipo" not in block.read_text()
    assert wiring_problems(project) == []


def test_a_dry_run_shows_a_diff_and_writes_nothing(project: Path, run: Hipo) -> None:
    before = contents(project)
    ran = run("init", *EVERYWHERE, "--dry-run")
    assert "+++ CLAUDE.md" in ran.out
    assert "+@memory/ROOT.md" in ran.out
    assert contents(project) == before


def test_private_wiring_touches_nothing_that_is_committed(project: Path, run: Hipo) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
        done = subprocess.run(["git", *who, *words], cwd=project, capture_output=True, text=True, check=True)
        return done.stdout

    shutil.rmtree(project / ".git")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "a")
    ran = run("init", "--private", "--platform", "claude-code", "--platform", "codex", "--platform", "gemini")
    assert ran.status == 0
    assert git("status", "--porcelain") == ""
    assert (project / "CLAUDE.local.md").is_file()
    assert "hipo hook" in (project / ".claude" / "settings.local.json").read_text()
    assert "AGENTS.md: belongs to the project" in ran.out
    once = contents(project)
    run("init")
    assert contents(project) == once
    run("uninstall")
    assert not (project / "CLAUDE.local.md").exists()
    assert "hipo" not in (project / ".git" / "info" / "exclude").read_text()


def places(folder: Path) -> dict[str, list[str]]:
    """Where hipo's hooks, its blocks and its patterns for git stand."""
    names = [
        n for n in contents(folder) if "/skills/" not in n and "hipo-backup" not in n and "/objects/" not in n
    ]
    texts = {name: (folder / name).read_bytes() for name in sorted(names)}
    return {
        "hooks": [n for n, text in texts.items() if n.endswith(".json") and b"hipo hook" in text],
        "imports": [n for n, text in texts.items() if n.endswith(".md") and b"<!-- hipo:start -->" in text],
        "git": [n for n, text in texts.items() if b"# hipo:start" in text],
    }


SHARED = {
    "hooks": [".claude/settings.json"],
    "imports": ["CLAUDE.md"],
    "git": [".gitattributes", ".gitignore"],
}
PRIVATE = {
    "hooks": [".claude/settings.local.json"],
    "imports": ["CLAUDE.local.md"],
    "git": [".git/info/exclude"],
}
MODES = {"--shared": SHARED, "--private": PRIVATE, "": {**SHARED, "git": [".gitignore"]}}


def in_git(project: Path, *words: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    done = subprocess.run(["git", *who, *words], cwd=project, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def repository(project: Path) -> Path:
    """The project with everything committed."""
    shutil.rmtree(project / ".git")
    in_git(project, "init", "-q")
    in_git(project, "add", "-A")
    in_git(project, "commit", "-qm", "a")
    return project


@pytest.mark.parametrize("first", MODES)
@pytest.mark.parametrize("second", ["--shared", "--private"])
def test_another_mode_moves_the_wiring_and_keeps_exactly_one(
    repository: Path, run: Hipo, first: str, second: str
) -> None:
    before = wiring(repository)
    assert run("init", "--platform", "claude-code", *filter(None, [first])).status == 0
    assert places(repository) == MODES[first]
    (repository / "memory" / "2026-03-14.md").write_text("# 2026-03-14\n")
    assert run("init", second).status == 0
    assert places(repository) == MODES[second]
    status = in_git(repository, "status", "--porcelain", "-uall")
    assert (status == "") == (second == "--private")
    assert ("memory/2026-03-14.md" in status) == (second == "--shared")
    assert wiring_problems(repository) == []
    once = contents(repository)
    for words in (["init"], ["init", second], ["init", "--platform", "claude-code"]):
        assert run(*words).status == 0
        assert contents(repository) == once
    assert run("uninstall").status == 0
    assert {n: d for n, d in wiring(repository).items() if not n.startswith(".git/")} == {
        n: d for n, d in before.items() if not n.startswith(".git/")
    }


def test_every_platform_moves_also_those_that_are_not_named_again(repository: Path, run: Hipo) -> None:
    run("init", "--shared", *EVERYWHERE)
    assert "hipo" in (repository / "AGENTS.md").read_text()
    ran = run("init", "--private", "--platform", "codex")
    assert "AGENTS.md: belongs to the project" in ran.out
    assert in_git(repository, "status", "--porcelain", "-uall") == ""
    assert places(repository)["hooks"] == [".claude/settings.local.json", ".codex/hooks.json"]
    run("init", "--shared", "--platform", "codex")
    assert places(repository)["hooks"] == [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
    ]
    assert not (repository / "CLAUDE.local.md").exists()


def test_local_settings_are_one_s_own_whatever_stands_in_them(repository: Path, run: Hipo) -> None:
    local = repository / ".claude" / "settings.local.json"
    local.write_text('{"permissions": {"allow": ["Bash(ls)"]}}\n')
    assert "belongs to the project" not in run("init", "--private", "--platform", "claude-code").out
    assert "hipo hook" in local.read_text()
    run("init", "--shared")
    assert local.read_text() == '{"permissions": {"allow": ["Bash(ls)"]}}\n'


def test_what_git_tracks_of_the_memory_already_is_said(repository: Path, run: Hipo) -> None:
    run("init", "--shared", "--platform", "claude-code")
    (repository / "memory" / "2026-03-14.md").write_text("# 2026-03-14\n")
    in_git(repository, "add", "-A")
    in_git(repository, "commit", "-qm", "b")
    ran = run("init", "--private")
    assert "git rm -r -q --cached memory" in ran.out
    assert "CLAUDE.md was committed with hipo's wiring" in ran.out
    assert " M CLAUDE.md" in in_git(repository, "status", "--porcelain")
    (repository / "memory" / "2026-03-15.md").write_text("# 2026-03-15\n")
    assert "2026-03-15" not in in_git(repository, "status", "--porcelain", "-uall")


def test_two_modes_at_once_are_wrong_usage(project: Path, run: Hipo) -> None:
    before = contents(project)
    ran = run("init", "--shared", "--private")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert contents(project) == before


def test_doctor_names_what_runs_or_is_loaded_twice(project: Path, run: Hipo) -> None:
    run("init", "--platform", "claude-code")
    claude = project / ".claude"
    (claude / "settings.local.json").write_bytes((claude / "settings.json").read_bytes())
    (project / "CLAUDE.local.md").write_bytes((project / "CLAUDE.md").read_bytes())
    told = run("doctor").out
    assert ".claude/settings.local.json: hipo's hooks stand here and in .claude/settings.json" in told
    assert "CLAUDE.local.md: hipo's block is loaded twice" in told
    run("init", "--shared")
    assert wiring_problems(project) == []
    group = '{"hooks": [{"type": "command", "command": "hipo hook"}]}'
    (claude / "settings.json").write_text(f'{{"hooks": {{"Stop": [{group}, {group}]}}}}')
    assert [p.message.split(";")[0] for p in wiring_problems(project)] == [
        "hipo's hook of Stop stands here 2 times"
    ]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("folder", ["knowledge", "plans", "memory"])
def test_a_folder_in_which_git_tracks_files_is_not_hidden(
    repository: Path, run: Hipo, mode: str, folder: str
) -> None:
    (repository / folder).mkdir()
    (repository / folder / "team.md").write_text("ours\n")
    in_git(repository, "add", "-A")
    in_git(repository, "commit", "-qm", "b")
    ran = run("init", "--platform", "none", *filter(None, [mode]))
    assert f"files of the project's own are in {folder}/" in ran.out
    (repository / folder / "next.md").write_text("ours\n")
    (repository / "memory" / "2026-03-14.md").write_text("# 2026-03-14\n")
    (repository / "memory" / "daily" / "2026-03-14.md").write_text("---\n")
    status = in_git(repository, "status", "--porcelain", "-uall")
    assert f"?? {folder}/next.md" in status
    assert "daily/" not in status
    assert "ROOT.md" not in status
    assert ("memory/2026-03-14.md" in status) == (mode == "--shared")
    others = [name for name in ("knowledge", "plans") if name != folder]
    for name in others:
        (repository / name / "x.md").write_text("x\n")
    status = in_git(repository, "status", "--porcelain", "-uall")
    assert all((f"{name}/x.md" in status) == (mode == "--shared") for name in others)


@pytest.mark.parametrize("name", ["WORKING.md", "memory/ROOT.md", "hipocampus.config.json"])
def test_a_folder_in_the_place_of_a_file_is_named(project: Path, run: Hipo, name: str) -> None:
    (project / name).mkdir(parents=True)
    before = contents(project)
    ran = run("init", "--platform", "none")
    assert ran.status == 1
    assert name in ran.err
    assert ran.err.count("\n") == 1
    assert contents(project) == before
    assert not (project / "plans").exists()


def test_a_file_in_the_place_of_a_folder_is_named(project: Path, run: Hipo) -> None:
    (project / "plans").write_text("mine\n")
    ran = run("init", "--platform", "none")
    assert ran.status == 1
    assert "plans is a file, and the memory needs a folder" in ran.err
    assert not (project / "memory").exists()


def test_the_line_for_cron_works_in_any_folder(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my 100% project — 메모's"
    folder.mkdir()
    out = Hipo(folder, monkeypatch)("init", "--platform", "codex").out
    line = next(line for line in out.split("\n") if line.startswith("cron"))
    command = line.partition("17 */3 * * * ")[2]
    assert "%" not in command.replace("\\%", "")
    assert shlex.split(command.replace("\\%", "%")) == [
        "hipo", "--root", str(folder), "compact", "--ingest", "--quiet"
    ]  # fmt: skip


def test_uninstall_takes_out_profile_files_that_say_nothing(project: Path, run: Hipo) -> None:
    run("init", "--private", "--platform", "openclaw", "--platform", "codex")
    assert (project / "USER.md").is_file()
    run("uninstall")
    assert not (project / "MEMORY.md").exists()
    assert not (project / "USER.md").exists()
    run("init", "--platform", "codex")
    (project / "USER.md").write_text("# User\n\nreads on a phone\n")
    run("init", "--platform", "openclaw")
    run("uninstall")
    assert not (project / "MEMORY.md").exists()
    assert (project / "USER.md").read_text() == "# User\n\nreads on a phone\n"


def test_shared_memory_lets_git_join_raw_logs_and_nothing_that_is_derived(project: Path, run: Hipo) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    run("init", "--shared", "--platform", "none")
    run("init")  # a plain init keeps what was chosen

    def ignored(name: str) -> bool:
        return subprocess.run(["git", "check-ignore", "-q", name], cwd=project, check=False).returncode == 0

    shared = ["memory/2026-03-10.md", "knowledge/a.md", "plans/b.md"]
    derived = [
        "memory/ROOT.md",
        "memory/daily/2026-03-10.md",
        "memory/.hipo/x",
        "memory/.compaction-state.json",
    ]
    assert [name for name in shared if ignored(name)] == []
    assert [name for name in [*derived, "WORKING.md", "memory/brain/x"] if not ignored(name)] == []
    attributes = subprocess.run(
        ["git", "check-attr", "merge", "memory/2026-03-10.md", "memory/ROOT.md"],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    assert attributes.stdout.splitlines() == [
        "memory/2026-03-10.md: merge: union",
        "memory/ROOT.md: merge: unspecified",
    ]


def test_the_whole_memory_is_ignored_by_default(project: Path, run: Hipo) -> None:
    shutil.rmtree(project / ".git")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    run("init", "--platform", "codex")
    done = subprocess.run(
        [
            "git",
            "check-ignore",
            "memory/2026-03-10.md",
            "WORKING.md",
            "knowledge/x.md",
            "USER.md",
            "AGENTS.md",
        ],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["memory/2026-03-10.md", "WORKING.md", "knowledge/x.md", "USER.md"]


def test_without_hipo_on_path_the_program_s_own_path_stays_in_the_local_file(
    project: Path, run: Hipo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    run("init", "--platform", "claude-code", "--platform", "codex")
    assert (project / ".claude" / "settings.json").read_text() == SETTINGS
    local = (project / ".claude" / "settings.local.json").read_text()
    assert all(h.command.endswith(" hook") and "/" in h.command for h in hooks_json.handlers(local))
    codex = (project / ".codex" / "hooks.json").read_text()
    assert {h.command for h in hooks_json.handlers(codex)} == {"hipo hook"}


def test_a_link_between_two_files_gets_one_block(project: Path, run: Hipo) -> None:
    (project / "CLAUDE.md").unlink()
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    run("init", "--platform", "claude-code", "--platform", "codex")
    once = contents(project)
    assert once["AGENTS.md"].count(b"hipo:start") == 1
    assert (project / "CLAUDE.md").is_symlink()
    run("init", "--platform", "claude-code", "--platform", "codex")
    assert contents(project) == once


def test_a_claude_md_in_its_folder_imports_from_there(project: Path, run: Hipo) -> None:
    (project / "CLAUDE.md").rename(project / ".claude" / "CLAUDE.md")
    run("init", "--platform", "claude-code")
    assert "\n@../memory/ROOT.md\n" in (project / ".claude" / "CLAUDE.md").read_text()
    assert not (project / "CLAUDE.md").exists()


def test_the_config_learns_further_platforms_and_keeps_its_own_fields(project: Path, run: Hipo) -> None:
    path = project / "hipocampus.config.json"
    path.write_text('{\n  "platform": "claude-code",\n  "search": {"vector": true},\n  "mine": 1\n}\n')
    run("init", "--platform", "codex")
    told = json.loads(path.read_text())
    assert told["platforms"] == ["claude-code", "codex"]
    assert told["mine"] == 1
    run("uninstall")
    assert path.read_text() == (
        '{\n  "platform": "claude-code",\n  "search": {"vector": true},\n  "mine": 1\n}\n'
    )


def test_none_is_remembered_and_nothing_detected_later(project: Path, run: Hipo) -> None:
    before = wiring(project)
    run("init", "--platform", "none")
    run("init")
    after = wiring(project)
    assert {name for name in after if after[name] != before.get(name)} == {".gitignore"}


def test_platforms_are_detected_by_what_the_project_holds(project: Path) -> None:
    assert detect(project) == ["claude-code", "opencode", "gemini"]


def test_an_unknown_platform_and_a_missing_folder_are_wrong_usage(run: Hipo, tmp_path: Path) -> None:
    assert run("init", "--platform", "emacs").status == 2
    assert run("--root", str(tmp_path / "nowhere"), "init").status == 2


def test_json_reports_every_file(run: Hipo) -> None:
    told = run("init", "--platform", "claude-code", "--json").json
    actions = {file["path"]: file["action"] for file in told["files"]}
    assert actions["CLAUDE.md"] == "updated"
    assert actions["memory/ROOT.md"] == "created"
    assert told["platforms"] == ["claude-code"]


def test_purge_deletes_the_memory_only_when_it_is_meant(project: Path, run: Hipo) -> None:
    run("init", "--platform", "none")
    (project / "knowledge" / "mine.md").write_text("x")
    assert run("uninstall", "--purge").status == 2
    assert (project / "memory").is_dir()
    assert run("uninstall", "--purge", "--yes").status == 0
    assert not (project / "memory").exists()
    assert not (project / "WORKING.md").exists()
    assert (project / "knowledge" / "mine.md").is_file()


def test_doctor_hears_of_dead_commands_and_unreadable_settings(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / ".claude" / "settings.json"
    path.write_text(SETTINGS.replace("other stop", "/no/such/hipo start"))
    problem = wiring_problems(project)[0]
    assert (problem.path, problem.line) == (".claude/settings.json", 5)
    assert "/no/such/hipo" in problem.message
    path.write_text("{broken")
    assert "not strict JSON" in wiring_problems(project)[0].message
    path.write_text(SETTINGS.replace("other stop", "hipo hook"))
    assert wiring_problems(project) == []
    monkeypatch.setenv("PATH", "/nowhere")
    assert "names no program" in wiring_problems(project)[0].message


@pytest.mark.parametrize(
    "command",
    ["hipo hook", "/opt/x/hipo hook", "'/opt/a b/hipo' hook", "python3 -m hipocampus hook", "hipo.exe hook"],
)
def test_hipo_s_own_commands_are_known_in_every_spelling(command: str) -> None:
    assert hooks_json.is_ours(command)


@pytest.mark.parametrize("command", ["hipo start", "other hook", "chipo hook", "echo 'hipo hook", ""])
def test_other_commands_are_not_taken_for_hipo_s(command: str) -> None:
    assert not hooks_json.is_ours(command)


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}], "PreCompact": []}}\n',
        '{"theme":"dark","hooks":{}}',
        '{ "permissions": { "allow": [] } }\n',
    ],
)
def test_empty_lists_that_people_had_come_back_too(project: Path, run: Hipo, text: str) -> None:
    settings = project / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(text)
    assert run("init", "--platform", "claude-code").status == 0
    assert settings.read_text() != text
    assert run("uninstall", "--yes").status == 0
    assert settings.read_text() == text
