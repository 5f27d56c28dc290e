"""The frontmatter of the nodes that fit a question best, for an agent that chooses by itself."""

from pathlib import Path
from typing import NamedTuple

from hipocampus.files import read_text
from hipocampus.memory.nodes import parse_node
from hipocampus.memory.tokens import estimate_tokens
from hipocampus.redact import redact

MOST_NODES, MOST_TOKENS = 12, 500
"""A dozen nodes under 500 tokens: the seed's size of a manifest."""

SUMMARY_SHARE = 32
"""Tokens that one node may take; what its topics need beyond that is cut with `+N`."""


class NodeCard(NamedTuple):
    """What a node says about itself in its frontmatter."""

    path: str
    type: str
    status: str
    period: str
    topics: tuple[str, ...]


def read_cards(root: Path, paths: list[str]) -> list[NodeCard]:
    """Return the cards of nodes, in the order given; a node that has gone is left out."""
    cards = []
    for path in paths:
        text = read_text(root / path)
        if text is None:
            continue
        node = parse_node(text)
        name = path.rsplit("/", 1)[-1].removesuffix(".md")
        topics = tuple(redact(topic).text for topic in node.items("topics"))
        level = node.text("type") or path.split("/")[1]
        cards.append(NodeCard(path, level, node.text("status"), node.text("period")[:10] or name, topics))
    return cards


def fit_cards(cards: list[NodeCard]) -> list[NodeCard]:
    """Return as many cards as fit into MOST_TOKENS, their topics cut to share the room."""
    kept: list[NodeCard] = []
    used = 0
    for card in cards[:MOST_NODES]:
        small = _cut(card)
        used += estimate_tokens(card_text(small)) + 1
        if used >= MOST_TOKENS:
            break
        kept.append(small)
    return kept


def _cut(card: NodeCard) -> NodeCard:
    topics = list(card.topics)
    left = 0
    while topics and estimate_tokens(card_text(card._replace(topics=tuple(topics)))) > SUMMARY_SHARE:
        topics.pop()
        left += 1
    return card._replace(topics=(*topics, *((f"+{left}",) if left else ())))


def card_text(card: NodeCard) -> str:
    """Return a card as one line: `memory/daily/2026-03-15.md fixed: Payment flow [project]; …`."""
    return f"{card.path} {card.status}: {'; '.join(card.topics)}".rstrip(": ")
