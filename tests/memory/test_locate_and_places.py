"""Which memory is meant, and what a place names."""

from pathlib import Path

import pytest
from hypothesis import given
from support.texts import anything, line

from hipocampus.errors import NoMemoryError
from hipocampus.memory.locate import locate_root
from hipocampus.memory.periods import Level
from hipocampus.memory.places import parse_place
from hipocampus.memory.store import MemoryStore


def memory(folder: Path, *, root: bool = True, config: bool = False) -> Path:
    (folder / "memory").mkdir(parents=True)
    if root:
        (folder / "memory/ROOT.md").write_text("")
    if config:
        (folder / "hipocampus.config.json").write_text("{}")
    return folder


def worktree(main: Path, linked: Path) -> None:
    """What `git worktree add` leaves: a file .git in the linked tree, a folder in the main one's."""
    inner = main / ".git/worktrees/feature"
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    linked.mkdir(parents=True, exist_ok=True)
    (linked / ".git").write_text(f"gitdir: {inner}\n")


def test_the_first_folder_upwards_with_a_root_or_a_config_is_meant(tmp_path: Path) -> None:
    outer = memory(tmp_path / "outer")
    inner = memory(outer / "pkg", root=False, config=True)
    (inner / "src/deep").mkdir(parents=True)
    (outer / "docs").mkdir()
    assert locate_root(None, inner / "src/deep") == inner
    assert locate_root(None, outer / "docs") == outer


def test_a_named_root_needs_only_its_folder(tmp_path: Path) -> None:
    bare = memory(tmp_path / "bare", root=False)
    assert locate_root(str(bare), tmp_path) == bare
    for missing in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(NoMemoryError, match="no memory here"):
            locate_root(str(missing), bare)
    with pytest.raises(NoMemoryError, match="run: hipo init"):
        locate_root(None, bare)


def test_linked_worktrees_share_the_main_ones_memory(tmp_path: Path) -> None:
    main, linked = memory(tmp_path / "main"), tmp_path / "linked"
    worktree(main, linked)
    (linked / "hipocampus.config.json").write_text("{}")
    (linked / "src").mkdir()
    assert locate_root(None, linked / "src") == main
    memory(linked)
    assert locate_root(None, linked / "src") == linked


def test_a_memory_below_the_top_of_a_worktree_is_found_in_its_twin(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    memory(main / "app")
    worktree(main, linked)
    (linked / "app/src").mkdir(parents=True)
    assert locate_root(None, linked / "app/src") == main / "app"


def test_a_linked_folder_leads_to_where_it_lies(tmp_path: Path) -> None:
    real = memory(tmp_path / "real")
    (tmp_path / "link").symlink_to(real)
    assert locate_root(None, tmp_path / "link").resolve() == real


# --- places ---


@pytest.fixture
def store(root: Path) -> MemoryStore:
    (root / "memory/daily").mkdir()
    (root / "memory/daily/2026-03-15.md").write_text("---\ntype: daily\n---\n\nx\n")
    (root / "memory/2026-03-15.md").write_text("x\n")
    return MemoryStore(root)


@pytest.mark.parametrize(
    ("text", "path", "level", "lines"),
    [
        ("root", "memory/ROOT.md", Level.ROOT, (0, 0)),
        ("ROOT.md", "memory/ROOT.md", Level.ROOT, (0, 0)),
        ("2026-03", "memory/monthly/2026-03.md", Level.MONTHLY, (0, 0)),
        ("2026-W11", "memory/weekly/2026-W11.md", Level.WEEKLY, (0, 0)),
        ("2026-W11:5", "memory/weekly/2026-W11.md", Level.WEEKLY, (5, 5)),
        ("2026-03-15", "memory/daily/2026-03-15.md", Level.DAILY, (0, 0)),
        ("2026-03-15:12", "memory/2026-03-15.md", None, (12, 12)),
        ("2026-03-15:40-60", "memory/2026-03-15.md", None, (40, 60)),
        ("2026-03-16", "memory/2026-03-16.md", None, (0, 0)),
        ("memory/2026-03-15.md", "memory/2026-03-15.md", None, (0, 0)),
        ("memory/daily/2026-03-15.md:2-3", "memory/daily/2026-03-15.md", Level.DAILY, (2, 3)),
        ("knowledge/a b.md:7", "knowledge/a b.md", None, (7, 7)),
    ],
)
def test_a_place_names_a_file_or_some_lines_of_it(
    store: MemoryStore, text: str, path: str, level: Level | None, lines: tuple[int, int]
) -> None:
    place = parse_place(store, text)
    assert place and store.relative(place.path) == path
    assert place.level is level and (place.first, place.last) == lines


@pytest.mark.parametrize("text", ["../outside.md", "/etc/passwd", "", ".", "memory/.hipo/lock", "a/../../x"])
def test_what_lies_outside_or_is_hipos_own_is_no_place(store: MemoryStore, text: str) -> None:
    assert parse_place(store, text) is None


@given(anything | line)
def test_any_text_is_a_place_inside_or_none(text: str) -> None:
    store = MemoryStore(Path("/nowhere/at/all"))
    place = parse_place(store, text)
    assert place is None or place.path.is_relative_to(store.root)
