"""The commands that write, each on a memory that was lived in, with what must be found again whatever happens."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from nothing_lost.faults import NOW, calls

WORD = "quokka-7431"  # stands in every text that a command is given
LATER = "2026-03-16T09:00:00Z"  # the day after the memory was made; its compaction is due


class Command(NamedTuple):
    """A call, the text that it must not lose, and where that text stands when the call has ended."""

    words: list[str]
    stdin: str = ""
    says: str = ""  # what is printed back when it cannot be stored
    kept: Callable[[Path], int] = lambda root: 1  # how often the text stands where it belongs
    most: int = 1  # how often it may stand there after the call was made again
    is_hook: bool = False  # ends with 0 whatever happens


def lines_with(*places: str) -> Callable[[Path], int]:
    """Count the lines of some files that hold WORD."""

    def count(root: Path) -> int:
        files = [path for place in places for path in sorted(root.glob(place)) if path.is_file()]
        return sum(WORD in line for path in files for line in path.read_text("utf-8", "replace").split("\n"))

    return count


TRANSCRIPT = "".join(
    json.dumps(
        {
            "type": role,
            "uuid": f"u{n}",
            "sessionId": "s1",
            "timestamp": f"2026-03-16T08:0{n}:00.000Z",
            "message": {"role": role, "content": text},
        }
    )
    + "\n"
    for n, (role, text) in enumerate(
        [("user", f"keep {WORD} in mind"), ("assistant", "I will."), ("user", "good")]
    )
)
LOG, HOT = "memory/2026-*.md", ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
CONVERSATION, INBOX = "memory/brain/conversations/c1.jsonl", "memory/brain/handoffs/builder.jsonl"

COMMANDS: dict[str, Command] = {
    "checkpoint": Command(
        ["checkpoint", "Payment flow", "--outcome", f"token bucket {WORD}", "--session", "s9"],
        says=f"- outcome: token bucket {WORD}",
        kept=lines_with(LOG),
    ),
    "checkpoint of several entries": Command(
        ["checkpoint", "-"],
        stdin=f"## One [project]\n- outcome: {WORD}\n\n## Two [feedback]\n- rule: short\n",
        says=f"- outcome: {WORD}",
        kept=lines_with(LOG),
    ),
    "compact": Command(["compact", "--force"]),
    "start": Command(["start", "--session", "s9"]),
    "task add": Command(
        ["task", "add", f"count the {WORD}", "--step", "look"],
        says=f"count the {WORD}",
        kept=lines_with(*HOT),
    ),
    "task start": Command(["task", "start", "rotate the keys"]),
    "task note": Command(
        ["task", "note", "deploy", "decisions", f"use {WORD}"],
        says=f"use {WORD}",
        kept=lines_with("WORKING.md"),
        most=2,
    ),
    "task done": Command(
        ["task", "done", "deploy", "--outcome", f"live with {WORD}"],
        says=f"live with {WORD}",
        kept=lines_with(LOG),
    ),
    "note": Command(
        ["note", "state", f"now at {WORD}"], says=f"now at {WORD}", kept=lines_with("SCRATCHPAD.md")
    ),
    "tidy": Command(["tidy", "--all"]),
    "turn add": Command(
        ["brain", "turn", "add", "--conversation", "c1", "--role", "user", f"where is {WORD}?"],
        says=f"where is {WORD}?",
        kept=lines_with(CONVERSATION),
        most=2,
    ),
    "handoff write": Command(
        ["brain", "handoff", "write", "--to", "builder", "--link", "plan=plans/a.md"],
        stdin=f"next is {WORD}\n",
        says=f"next is {WORD}",
        kept=lines_with(INBOX),
        most=2,
    ),
    "handoff read": Command(["brain", "handoff", "read", "--for", "reviewer"]),
    "ingest": Command(["brain", "ingest", "given.md"], kept=lines_with("knowledge/limits.md")),
    "import": Command(
        ["import", "claude-code", "given.jsonl"], kept=lines_with(LOG), most=2
    ),  # its topic says it too
    "hook before a compaction": Command(
        ["hook", "PreCompact"],
        stdin="{transcript}",
        kept=lines_with(LOG),
        most=2,
        is_hook=True,
    ),
    "hook at the start": Command(["hook", "SessionStart"], stdin="{start}", is_hook=True),
    "forget": Command(["forget", "leaky bucket", "--yes"]),
    "doctor --fix": Command(["doctor", "--fix"]),
    "init": Command(["init", "--platform", "claude-code", "--platform", "codex"]),
    "uninstall": Command(["uninstall"]),
}


def stdin_of(command: Command, root: Path) -> str:
    """What stands on a command's stdin; a hook's JSON names the memory's folder."""
    if not command.is_hook:
        return command.stdin
    event = {"cwd": str(root), "session_id": "s1", "transcript_path": str(root / "given.jsonl")}
    return json.dumps(event | ({"source": "startup"} if command.stdin == "{start}" else {}))


def make_memory(root: Path) -> None:
    """A memory of three days, compacted, with work in progress, notes of agents, and one day that nobody compacted."""
    root.mkdir(parents=True)
    (root / ".claude").mkdir()
    given = [
        (["init", "--platform", "claude-code"], ""),
        (["task", "add", "rotate the keys", "--step", "find them"], ""),
        (["task", "add", "deploy", "--step", "build it"], ""),
        (["task", "start", "deploy"], ""),
        (["note", "lessons", "[x] the gateway counts by itself"], ""),
        (["checkpoint", "Rate limits", "--date", "2026-03-05", "--decision", "leaky bucket"], ""),
        (
            [
                "checkpoint",
                "Short answers",
                "--rule",
                "three lines",
                "--why",
                "phone",
                "--how-to-apply",
                "always",
            ],
            "",
        ),
        (["brain", "turn", "add", "--conversation", "c1", "--role", "user", "hello"], ""),
        (["brain", "handoff", "write", "--to", "reviewer"], "look at limits.py\n"),
        (["compact", "--force"], ""),
        (["checkpoint", "Rate limits", "--outcome", "token bucket, not leaky bucket"], ""),
    ]
    for (words, _), ended in zip(given, calls(root, given, now=NOW), strict=True):
        assert ended.status == 0, (words, ended)
    (root / "given.md").write_text(f"# Limits\n\nThe limit is {WORD}.\n")
    (root / "given.jsonl").write_text(TRANSCRIPT)
