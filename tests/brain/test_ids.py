"""Ids become file names: what cannot be one is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.brain.filestore import FileLists
from hipocampus.brain.handoff import read_handoffs, write_handoff
from hipocampus.brain.ids import checked_id
from hipocampus.errors import UsageError
from hipocampus.memory.store import MemoryStore

from .conftest import NOW


@pytest.mark.parametrize(
    "name",
    ["", " ", "..", "../../evil", "a/b", "a\\b", ".hidden", "nul\0byte", "new\nline", "CON", "com1.txt", "a:b", "x" * 201,
     "가" * 67, "end.", " lead", "tail ", "\ud800"],
)  # fmt: skip
def test_what_cannot_be_a_file_name_is_refused(name):
    with pytest.raises(UsageError):
        checked_id("agent", name)


@pytest.mark.parametrize(
    "name", ["builder", "agent-1.2_x", "빌더", "conversation", "x" * 200, "a b", "console"]
)
def test_ordinary_names_are_taken(name):
    assert checked_id("agent", name) == name


def test_one_name_in_two_normal_forms_is_one_inbox():
    assert checked_id("agent", "caf\u0065\u0301") == checked_id("agent", "caf\u00e9")


@given(st.text(max_size=40))
def test_whatever_the_name_nothing_leaves_the_brain(tmp_path_factory, name):
    root = tmp_path_factory.mktemp("t")
    (root / "memory").mkdir()
    lists = FileLists(MemoryStore(root), NOW)
    try:
        write_handoff(lists, name, "a", "hello", {}, NOW)
    except UsageError:
        assert not (root / "memory" / "brain").exists()
    else:
        assert read_handoffs(lists, name)[0].summary == "hello"
        folder = root / "memory" / "brain" / "handoffs"
        assert len(list(folder.iterdir())) == 1
    assert {p.name for p in root.iterdir()} == {"memory"}
