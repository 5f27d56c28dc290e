"""Who wrote a node: hipo by rule, the original by copying, or somebody whose text is never overwritten. Pure."""

import re
from collections.abc import Iterable
from enum import Enum, auto

from hipocampus.memory.entries import split_lines
from hipocampus.memory.nodes import Node, Summary
from hipocampus.memory.periods import parse_period


class Origin(Enum):
    """How a node may be treated."""

    PLACEHOLDER = auto()  # the original's note that a summary is wanted
    MECHANICAL = auto()  # follows from its sources: rebuilt when they change
    MODEL = auto()  # a language model's summary as hipo stored it
    SOMEBODY = auto()  # a hand edit, or a writer that hipo does not know


def origin_of(node: Node, source_lines: Iterable[str]) -> Origin:
    """Return who wrote a node. `source_lines` are asked for only where the node does not say it itself."""
    if node.status == "needs-summarization":
        return Origin.PLACEHOLDER
    summary = node.text("summary")
    if summary in (Summary.VERBATIM, Summary.EXTRACTIVE):
        return Origin.MECHANICAL if node.body_intact else Origin.SOMEBODY
    if summary == Summary.LLM:
        return Origin.MODEL if node.body_intact else Origin.SOMEBODY
    if not summary and not unreadable(node) and is_copy(node.body, source_lines):
        return Origin.MECHANICAL
    return Origin.SOMEBODY


def is_torn(node: Node) -> bool:
    """True when a frontmatter block was begun and the file ends before it does: what a cut-off write leaves."""
    return node.front is None and bool(re.match(r"---[ \t]*\n(?:type|status|period):", node.body))


def unreadable(node: Node) -> bool:
    """True when the frontmatter holds YAML that cannot be read, so that the block must stay as it is."""
    return bool(node.front and any("cannot be read" in problem for problem in node.front.problems))


def is_copy(body: str, source_lines: Iterable[str]) -> bool:
    """True when every line of a body stands in its sources, so that rebuilding it loses nobody's words.

    The frontmatter blocks and the headings of periods that the original copies along do not count.
    """
    nested = re.compile(r"^---\n(?:[\w-]+:.*\n)*?type: (?:daily|weekly|monthly)\n(?:.*\n)*?---$", re.M)
    lines = [line.strip() for line in split_lines(nested.sub("", body)) if line.strip()]
    lines = [line for line in lines if not (line.startswith("# ") and parse_period(line[2:].strip()))]
    if not lines:
        return True
    known = {line.strip() for line in source_lines}
    return all(line in known for line in lines)
