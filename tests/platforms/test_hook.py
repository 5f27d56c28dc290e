"""The one hook: what each event does, what it prints, and that nothing it meets disturbs a session."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from support.command import Hipo

from hipocampus.config import load_config
from hipocampus.lock import FileLock
from hipocampus.memory.store import MemoryStore
from hipocampus.platforms.hook import (
    LOG_BYTES,
    OUTPUT_LIMIT,
    REMINDER_BYTES,
    Actions,
    Event,
    Moment,
    parse_event,
    run,
)

from .conftest import FIXTURES, NOW, said


class Session:
    """A client that sends events to the hook, with a start and a compaction that only take notes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.now = NOW
        self.context = "the context"
        self.started: list[tuple[Event, frozenset[str]]] = []
        self.compacted = 0
        self.spawned = 0

    def __call__(
        self, event: str | None, raw: str | None = None, named: str | None = None, **told: str
    ) -> str:
        told = {
            "session_id": "s1",
            "cwd": str(self.root),
            **told,
            **({"hook_event_name": event} if event else {}),
        }
        return run(raw if raw is not None else json.dumps(told), named, None, self._open, self._actions())

    def text(self, event: str, **told: str) -> str:
        answer = json.loads(self(event, **told))["hookSpecificOutput"]
        assert answer["hookEventName"] == event
        return str(answer["additionalContext"])

    def _open(self, root: Path, wait_seconds: float) -> Moment:
        return Moment(MemoryStore(root, min(wait_seconds, 0.05)), load_config(root), self.now, UTC)

    def _actions(self) -> Actions:
        def start(moment: Moment, event: Event, loaded: frozenset[str]) -> str:
            self.started.append((event, loaded))
            return self.context

        def compact(moment: Moment) -> None:
            self.compacted += 1

        def spawn(root: Path) -> None:
            self.spawned += 1

        return Actions(start, compact, spawn)

    def log(self) -> str:
        path = self.root / "memory" / ".hipo" / "hook.log"
        return path.read_text() if path.exists() else ""


@pytest.fixture
def session(root: Path) -> Session:
    return Session(root)


@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_recorded_events_name_their_client(client: str) -> None:
    lines = (FIXTURES / f"hooks-{client}.jsonl").read_text().splitlines()
    events = [parse_event(line, None) for line in lines]
    assert {e.platform for e in events} == {"claude-code" if client == "claude" else client}
    assert all(e.name and e.session and e.cwd == "/home/dev/project" for e in events)


def test_a_start_prints_the_context_as_every_client_takes_it(session: Session) -> None:
    answer = session("SessionStart", source="startup")
    assert json.loads(answer) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "the context"}
    }
    assert session.started[0][0].source == "startup"


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_every_kind_of_start_prints(session: Session, source: str) -> None:
    assert session.text("SessionStart", source=source) == "the context"


def test_files_that_the_client_imports_are_left_to_it(session: Session, root: Path) -> None:
    path = "/home/dev/.claude/projects/x/s1.jsonl"
    session("SessionStart", source="startup", transcript_path=path)
    assert session.started[-1][1] == frozenset()
    (root / "CLAUDE.md").write_text("# Mine\n@memory/ROOT.md\n@./WORKING.md\n`@SCRATCHPAD.md`\n")
    session("SessionStart", source="startup", transcript_path=path)
    assert session.started[-1][1] == {"memory/ROOT.md", "WORKING.md"}


@pytest.mark.parametrize("fill", ["x", "한", "\U0001f680", '"', "\\"])
def test_the_answer_stays_within_its_limit_in_any_script(session: Session, fill: str) -> None:
    session.context = "\n".join(["head", *(fill * 60 for _ in range(400)), "Shortened: nothing"])
    answer = session("SessionStart", source="startup")
    assert len(answer.encode()) <= OUTPUT_LIMIT
    shown = json.loads(answer)["hookSpecificOutput"]["additionalContext"].split("\n")
    assert shown[0] == "head"
    assert shown[-1].startswith("Shortened: nothing (and ")


def test_codex_fires_twice_after_a_resumed_compaction_and_gets_one_text(session: Session) -> None:
    path = "/home/dev/.codex/sessions/2026/03/10/rollout-1.jsonl"
    assert session("SessionStart", source="resume", transcript_path=path)
    assert session("SessionStart", source="compact", transcript_path=path) == ""
    assert session("SessionStart", source="startup", transcript_path=path)
    assert session("SessionStart", source="compact", transcript_path=path)


def test_after_twenty_prompts_without_a_checkpoint_a_line_says_so(session: Session) -> None:
    for _ in range(19):
        assert session("UserPromptSubmit", prompt="hi") == ""
    text = session.text("UserPromptSubmit", prompt="hi")
    assert "20 prompts" in text
    assert "\n" not in text
    assert len(text.encode()) <= REMINDER_BYTES


def test_the_reminder_comes_again_after_twenty_more(session: Session) -> None:
    said = [number for number in range(1, 66) if session("UserPromptSubmit", prompt="hi")]
    assert said == [20, 40, 60]


def test_a_checkpoint_begins_the_count_anew(session: Session, store: MemoryStore) -> None:
    for _ in range(19):
        session("UserPromptSubmit", prompt="hi")
    store.count(5, 1)
    for _ in range(19):
        assert session("UserPromptSubmit", prompt="hi") == ""
    assert session("UserPromptSubmit", prompt="hi")


def test_what_the_client_itself_submits_is_no_prompt(session: Session) -> None:
    for _ in range(40):
        assert session("UserPromptSubmit", prompt="<task-notification>done</task-notification>") == ""


def test_before_a_compaction_the_transcript_is_taken_in_and_nothing_printed(
    session: Session, store: MemoryStore, transcript: Callable[..., Path]
) -> None:
    path = str(transcript([said(1, "user", "mark-U1")]))
    assert session("PreCompact", trigger="auto", transcript_path=path) == ""
    assert session("PreCompact", trigger="auto", transcript_path=path) == ""
    assert session.compacted == 2
    assert store.log_path(NOW.date()).read_text().count("User: mark-U1") == 1


def test_gemini_s_compression_check_waits_for_more_than_a_turn(
    session: Session, store: MemoryStore, transcript: Callable[..., Path]
) -> None:
    rows = [said(1, "user", "mark-1")]
    session("PreCompress", trigger="auto", transcript_path=str(transcript(rows)))
    rows += [said(2, "assistant", "mark-2")]
    session("PreCompress", trigger="auto", transcript_path=str(transcript(rows)))
    assert "mark-2" not in store.log_path(NOW.date()).read_text()
    rows += [said(n, "user", f"mark-{n}") for n in range(3, 14)]
    session("PreCompress", trigger="auto", transcript_path=str(transcript(rows)))
    assert "mark-2" in store.log_path(NOW.date()).read_text()


def test_an_ended_session_is_taken_in_by_the_next_start(
    session: Session, store: MemoryStore, transcript: Callable[..., Path]
) -> None:
    path = str(transcript([said(1, "user", "mark-U1")]))
    assert session("SessionEnd", reason="other", transcript_path=path) == ""
    assert not store.log_path(NOW.date()).exists()
    session("SessionStart", source="startup", session_id="s2")
    assert "mark-U1" in store.log_path(NOW.date()).read_text()
    assert (store.hidden / "ended.jsonl").read_text() == ""


def test_many_bytes_are_taken_in_by_a_process_of_their_own(
    session: Session, transcript: Callable[..., Path]
) -> None:
    path = transcript([said(1, "user", "x")])
    with path.open("ab") as file:
        file.write(b'{"type":"attachment","x":"' + b"y" * 6_000_000 + b'"}\n')
    session("SessionEnd", transcript_path=str(path))
    session("SessionStart", source="startup", session_id="s2")
    assert session.spawned == 1


def test_stop_counts_and_prints_nothing(session: Session, store: MemoryStore) -> None:
    assert session("Stop", last_assistant_message="done") == ""
    assert session("Stop", last_assistant_message="done") == ""
    record = store.read_own("sessions.json")["s1"]
    assert isinstance(record, dict)
    assert record["turns"] == 2


@pytest.mark.parametrize("raw", ["", " \n", "{}", '{"hook_event_name": 5}', '{"hook_event_name": "New"}'])
def test_what_is_no_known_event_does_nothing(
    session: Session, raw: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    before = sorted(root.rglob("*"))
    assert session(None, raw=raw) == ""
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize("raw", ["not json", "[]", "null", '{"hook_event_name": "Stop"', "\x00", "[" * 5000])
def test_what_is_no_json_object_is_logged_where_there_is_a_memory(
    session: Session, raw: str, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert session(None, raw=raw) == ""
    assert "what came on stdin is not" in session.log()
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert session(None, raw=raw) == ""
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("cwd", ["\x00", "/no/such", "\ud800", "x" * 5000, "~nobody-here", "/dev/null/x"])
def test_a_folder_that_is_none_is_no_memory(session: Session, cwd: str) -> None:
    assert session("SessionStart", cwd=cwd) == ""


def test_the_named_event_overrides_the_one_in_the_json(session: Session) -> None:
    assert session("Stop", named="SessionStart") != ""
    assert len(session.started) == 1


def test_folders_without_memory_stay_silent_and_empty(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    other = Session(folder)
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"):
        assert other(event, transcript_path="/x") == ""
    assert list(folder.iterdir()) == []


def test_a_lock_that_is_held_is_logged_and_the_session_goes_on(session: Session, store: MemoryStore) -> None:
    store.ensure_hidden()
    with FileLock(store.hidden / "lock", 0):
        assert session("Stop") == ""
    assert "Stop: " in session.log()
    assert "holds the memory's lock" in session.log()


def test_a_bug_is_logged_with_its_kind_and_without_secrets(session: Session) -> None:
    token = "ghp_" + "a1B2" * 9

    class Failing(Session):
        def _actions(self) -> Actions:
            def start(moment: Moment, event: Event, loaded: frozenset[str]) -> str:
                raise RuntimeError(f"no way: {token}")

            return Actions(start, lambda moment: None, lambda root: None)

    assert Failing(session.root)("SessionStart", source="startup") == ""
    assert "SessionStart: error: RuntimeError: no way" in session.log()
    assert token not in session.log()


def test_a_damaged_config_is_logged(session: Session, root: Path) -> None:
    (root / "hipocampus.config.json").write_text("{broken")
    assert session("SessionStart", source="startup") == ""
    assert "not valid JSON" in session.log()


def test_the_log_of_failures_is_bounded(session: Session, root: Path, store: MemoryStore) -> None:
    store.ensure_hidden()
    (store.hidden / "hook.log").write_text("old line\n" * (LOG_BYTES // 9 + 10))
    (root / "hipocampus.config.json").write_text("{broken")
    session("Stop")
    assert len(session.log()) < LOG_BYTES
    assert session.log().splitlines()[-1].endswith("remove the file to use the defaults")


def test_a_session_s_name_is_never_a_path(
    session: Session, store: MemoryStore, transcript: Callable[..., Path]
) -> None:
    session(
        "PreCompact",
        session_id="../../../evil",
        transcript_path=str(transcript([said(1, "user", "mark-U1")])),
    )
    session("SessionStart", session_id="../../../evil", source="startup")
    assert not list(store.root.parent.rglob("*evil*"))


def test_a_session_seen_long_ago_keeps_its_day(session: Session, store: MemoryStore) -> None:
    session("UserPromptSubmit", prompt="x")
    session.now += timedelta(days=1)
    session("Stop")
    record = store.read_own("sessions.json")["s1"]
    assert isinstance(record, dict)
    assert record["seen"].startswith("2026-03-11")


# --- the program itself ---


def hook(root: Path, told: dict[str, str] | None = None, **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "hipocampus", "hook"],
        input=json.dumps(told or {}).encode(),
        capture_output=True,
        cwd=root,
        env={**os.environ, "HIPO_NOW": NOW.isoformat(), **env},
        timeout=60,
        check=False,
    )


def test_the_program_begins_a_real_session(root: Path) -> None:
    (root / "WORKING.md").write_text("# Working\n\n## mark-TASK\n- \x1b[31mred\n")
    done = hook(
        root, {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s1", "cwd": str(root)}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "mark-TASK" in text
    assert "\x1b" not in text


def test_hipo_off_makes_it_a_no_op(root: Path) -> None:
    done = hook(root, {"hook_event_name": "SessionStart", "cwd": str(root)}, HIPO_OFF="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (root / "memory" / ".hipo").exists()


START = '{"hook_event_name": "SessionStart", "source": "startup", "session_id": "s1"}'


@pytest.mark.parametrize(
    ("line", "logged"),
    [
        ("$HIPO hook > /dev/full", "not written"),
        ("$HIPO hook | true", None),  # the reader may be quicker or slower
        ("$HIPO hook | sleep 0.01", None),
        ("$HIPO hook >&-", ""),
        ("$HIPO hook <&-", ""),
        ("$HIPO hook <&- >&- 2>&-", ""),
        ("$HIPO hook 2>&-", ""),
        ("$HIPO hook --bogus", "does not know --bogus"),
        ("$HIPO hook --bogus=1 Stop more", "does not know --bogus=1 more"),
        ("$HIPO --bogus hook", "does not know --bogus"),
        ("$HIPO --root . --debug hook SessionStart", ""),
        ("$HIPO --root /no/such hook", ""),
        ("$HIPO hook --root", ""),
        ("echo broken | $HIPO hook", "not JSON"),
        ("head -c 100000 /dev/urandom | $HIPO hook Stop", "not JSON"),
        ("head -c 100 /dev/zero | $HIPO hook > /dev/full", "not JSON"),
        ("HIPO_ROOT=$(printf '\\377') $HIPO hook", ""),
    ],
)
def test_whatever_it_meets_it_ends_with_0_and_says_nothing_on_stderr(
    root: Path, line: str, logged: str | None
) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; HIPO='{sys.executable} -m hipocampus'; {line}"],
        input=START.encode(),
        capture_output=True,
        cwd=root,
        env={**os.environ, "HIPO_NOW": NOW.isoformat()},
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    log = root / "memory" / ".hipo" / "hook.log"
    said = log.read_text() if log.exists() else ""
    if logged is not None:
        assert logged in said if logged else not said


def test_words_it_does_not_know_are_no_wrong_usage_in_a_shared_process_either(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hipo = Hipo(root, monkeypatch)
    assert hipo("hook", "--bogus", "-x", "Stop", stdin="{}") == (0, "", "")
    assert "does not know --bogus -x" in (root / "memory" / ".hipo" / "hook.log").read_text()
    assert "Exit status 0 always" in hipo("hook", "--help").out
    assert "not JSON" not in hipo("hook", stdin="broken").err
    doctor = hipo("doctor")
    assert doctor.status == 1
    assert "not JSON" in doctor.out


def test_an_open_pipe_never_hangs_it(root: Path) -> None:
    told = json.dumps(
        {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": str(root)}
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "hipocampus", "hook"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=root,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(told.encode())
    process.stdin.flush()
    assert b"additionalContext" in process.stdout.read()  # while stdin is still open
    assert process.wait(60) == 0
    process.stdin.close()
    process.stdout.close()


def test_no_library_of_the_command_line_is_loaded_for_it(root: Path) -> None:
    code = (
        "import sys; sys.argv = ['hipo', 'hook', 'Stop']\n"
        "from hipocampus.cli.entry import main\n"
        "try:\n    main()\nexcept SystemExit:\n    print([m for m in ('typer', 'rich', 'yaml', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"{}", capture_output=True, cwd=root, check=True
    )
    assert done.stdout.strip() == b"[]"
