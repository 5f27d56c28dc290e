"""Hot files: sections, templates, and `@` words that a platform would take for files."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.texts import anything, markdown

from hipocampus.memory.hot import (
    content_lines,
    guard_imports,
    is_template,
    sections,
)
from hipocampus.templates import template_names, template_text

ORIGINALS_WORKING = """\
# Working

(no active tasks)

<!-- Format per task:
## [Task Name]
### Next Steps
- [ ] immediate next action
-->
"""


@given(markdown | anything)
def test_guarding_imports_twice_is_guarding_them_once(text: str) -> None:
    once = guard_imports(text)
    assert guard_imports(once) == once
    assert once.replace("`", "") == text.replace("`", "")


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("ask @alice, then @bob.", "ask `@alice`, then `@bob`."),
        ("see @docs/a.md)", "see `@docs/a.md`)"),
        ("me@example.org and a@b", "me@example.org and a@b"),
        ("already `@alice` here", "already `@alice` here"),
        ("```\n@raw\n```\n@out", "```\n@raw\n```\n`@out`"),
        ("an @ alone", "an @ alone"),
        ("한글@이메일 @한글", "한글@이메일 `@한글`"),
    ],
)
def test_only_words_that_begin_with_the_sign_are_guarded(text: str, guarded: str) -> None:
    assert guard_imports(text) == guarded


@given(markdown)
def test_sections_do_not_overlap_and_begin_at_their_heading(text: str) -> None:
    lines = text.split("\n")
    found = sections(lines)
    for section in found:
        assert re.match(r"##([ \t]|$)", lines[section.start])
        assert section.start < section.end <= len(lines)
    assert all(one.end <= two.start for one, two in pairwise(found))


def test_headings_in_comments_and_code_are_no_sections() -> None:
    text = "## A\n<!--\n## B\n-->\n```\n## C\n```\n### D\n## E\n# F\ntext"
    assert [(s.title, s.start, s.end) for s in sections(text.split("\n"))] == [("A", 0, 8), ("E", 8, 9)]


@pytest.mark.parametrize(
    "name", [n for n in template_names(".") if n in ("WORKING.md", "SCRATCHPAD.md", "TASK-QUEUE.md")]
)
def test_the_templates_are_templates(name: str) -> None:
    assert is_template(template_text(name))


def test_the_originals_empty_file_is_a_template_and_a_task_is_none() -> None:
    assert is_template(ORIGINALS_WORKING)
    assert is_template("") and is_template("# Working\n\n<!-- never closed\n## x")
    assert not is_template(ORIGINALS_WORKING + "\n## Payment flow\n")
    assert not is_template("# Working\n- one thing\n")
    assert content_lines("# T\n<!-- c -->\n- a\n\n(none)\n  b") == ["- a", "b"]


@given(st.text(alphabet="<!->#ab \n`", max_size=60))
def test_comments_of_any_shape_end_somewhere(text: str) -> None:
    assert is_template(text) in (True, False)
    assert len(sections(text.split("\n"), 1)) <= text.count("#")
