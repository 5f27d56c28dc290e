"""Memory trees for tests: write logs, compact them, look at every file."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from hipocampus.compaction.report import CompactionReport
from hipocampus.compaction.run import compact
from hipocampus.config import load_config
from hipocampus.memory.nodes import Node, parse_node
from hipocampus.memory.store import MemoryStore

LEVELS = ("daily", "weekly", "monthly")


def at(day: str, hour: int = 9) -> datetime:
    """An instant on a day: `2026-03-15`, in UTC."""
    return datetime.fromisoformat(day).replace(hour=hour, tzinfo=UTC)


def write_logs(root: Path, logs: Mapping[str, str | bytes]) -> None:
    """Put raw logs into the tree, as they are."""
    (root / "memory").mkdir(parents=True, exist_ok=True)
    for day, text in logs.items():
        data = text if isinstance(text, bytes) else text.encode()
        (root / "memory" / f"{day}.md").write_bytes(data)


def compacted(root: Path, today: str, **options: object) -> CompactionReport:
    """Run a forced compaction on a day and return its report."""
    options.setdefault("forced", True)
    return compact(MemoryStore(root), load_config(root), at(today), UTC, **options)  # type: ignore[arg-type]


def node_of(root: Path, place: str) -> Node:
    """A node by its place below memory/: `daily/2026-03-15`."""
    return parse_node((root / "memory" / f"{place}.md").read_text("utf-8"))


def body_lines(root: Path, place: str) -> list[str]:
    return node_of(root, place).body.split("\n")


def places(root: Path) -> list[str]:
    """The places of all nodes: `daily/2026-03-15`, in order."""
    return [
        f"{level}/{path.stem}" for level in LEVELS for path in sorted((root / "memory" / level).glob("*.md"))
    ]


def snapshot(root: Path, *, own: bool = False) -> dict[str, bytes]:
    """Every file of the tree with its bytes; those in .hipo/ and the state only with `own`."""
    files = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in files.items() if own or not _is_own(name)}


def stamps(root: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of every file but the state, the locks and the run's own: what a write would change."""
    return {
        path.relative_to(root).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith("lock") and path.name != ".compaction-state.json"
    }


def _is_own(name: str) -> bool:
    return name.startswith("memory/.hipo/") or name == "memory/.compaction-state.json"
