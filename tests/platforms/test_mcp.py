"""The MCP server, spoken to by the SDK's own client over a real pipe."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hipocampus.memory.store import Draft, MemoryStore
from hipocampus.platforms.tools import INSTRUCTIONS, RESULT_TOKENS, _bounded

from .conftest import DAY

mcp = pytest.importorskip("mcp")


async def talk(
    root: Path, calls: list[tuple[str, dict[str, Any]]]
) -> tuple[Any, Any, list[tuple[bool, str]]]:
    parameters = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "hipocampus", "--root", str(root), "mcp"],
        env={**os.environ, "HIPO_NOW": "2026-03-10T10:00:00Z"},
    )
    async with mcp.stdio_client(parameters) as pipe, mcp.ClientSession(*pipe) as session:
        began = await session.initialize()
        tools = (await session.list_tools()).tools
        answers = [await session.call_tool(name, values) for name, values in calls]
    return began, tools, [(bool(a.is_error), a.content[0].text) for a in answers]


def test_a_client_saves_finds_reads_and_asks(root: Path, store: MemoryStore) -> None:
    with store.lock():
        store.append_entries(
            DAY, [Draft("Gateway limits", "project", "", "- decisions: token bucket at 200/s")]
        )
    calls: list[tuple[str, dict[str, Any]]] = [
        ("memory_checkpoint", {"topic": "Colour of the logo", "decisions": ["green", "not blue"]}),
        ("memory_search", {"query": "token bucket"}),
        ("memory_get", {"place": "2026-03-10"}),
        ("memory_status", {}),
        ("memory_get", {"place": "2031-01-01"}),
        ("memory_search", {"query": "x", "type": "nonsense"}),
    ]
    began, tools, answers = asyncio.run(talk(root, calls))
    assert began.instructions == INSTRUCTIONS
    assert {t.name: bool(t.annotations.read_only_hint) for t in tools} == {
        "memory_search": True,
        "memory_get": True,
        "memory_status": True,
        "memory_checkpoint": False,
    }
    failed, said = zip(*answers, strict=True)
    assert failed == (False, False, False, False, True, True)
    assert said[0].startswith("saved: Colour of the logo [project] → memory/2026-03-10.md:")
    assert "memory/2026-03-10.md" in said[1] and "200/s" in said[1]
    assert "- decisions:\n  - green\n  - not blue" in said[2]
    assert "2031-01-01" in said[4]
    assert "project, feedback, user, reference" in said[5]


def test_an_answer_is_bounded_and_says_what_is_missing() -> None:
    text = _bounded("\n".join("한국어 기억 " * 20 for _ in range(2000)), "ask for lines")
    from hipocampus.memory.tokens import estimate_tokens

    assert estimate_tokens(text) <= RESULT_TOKENS
    assert text.endswith("more lines; ask for lines)")
