"""`hipo mcp`: the memory as an MCP server over stdio. Needs the extra `[mcp]`, the official SDK."""

import functools
import io
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import typer

from hipocampus import __version__
from hipocampus.cli.context import Here, open_at, opened
from hipocampus.errors import HipoError
from hipocampus.platforms.tools import INSTRUCTIONS, Opened, Tools

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def mcp_command(ctx: typer.Context) -> None:
    """Serve the memory to MCP clients over stdio: memory_search, memory_get, memory_checkpoint, memory_status.

    Example: claude mcp add --scope local memory -- hipo mcp
    """
    here = opened(ctx.obj)
    serve(here)


def serve(here: Here) -> None:
    """Run the server until its client hangs up. HipoError with the install command where the SDK is missing."""
    sdk = _sdk()

    def open_memory() -> Opened:
        now = open_at(here.root)
        return Opened(now.store, now.config, now.now, now.today, now.zone)

    tools = Tools(open_memory, _describe)
    server = sdk.server("hipocampus", instructions=INSTRUCTIONS, log_level="CRITICAL", **sdk.options)
    reading: list[tuple[str, str, Callable[..., str]]] = [
        ("memory_search", "Search the memory", tools.search),
        ("memory_get", "Read a place of the memory", tools.get),
        ("memory_status", "What the memory holds and what is due", tools.status),
    ]
    for name, title, call in reading:
        hints = sdk.hints(title=title, readOnlyHint=True, idempotentHint=True, openWorldHint=False)
        server.tool(name, annotations=hints, structured_output=False)(_told(call, sdk.error))
    hints = sdk.hints(
        title="Save into the memory",
        readOnlyHint=False,
        destructiveHint=False,
        idempotentHint=True,
        openWorldHint=False,
    )
    save = _told(tools.checkpoint, sdk.error)
    server.tool("memory_checkpoint", annotations=hints, structured_output=False)(save)
    server.run("stdio")
    if sys.stdout.closed:  # version 1 of the SDK closes it, and the command line flushes it at its end
        sys.stdout = io.StringIO()


class _Sdk(NamedTuple):
    """What is used of the SDK, whose version 2 renamed the server."""

    server: Any
    hints: Any  # the annotations of a tool
    error: type[Exception]  # a failure whose message the client is told
    options: dict[str, str]


def _sdk() -> _Sdk:
    try:
        from mcp.types import ToolAnnotations
    except ImportError:
        raise HipoError(
            "mcp: the MCP SDK is not installed", "in hipocampus' own folder run: uv tool install '.[mcp]'"
        ) from None
    try:
        module = import_module("mcp.server.mcpserver")
        server, options = module.MCPServer, {"version": __version__}
    except ImportError:
        module = import_module("mcp.server.fastmcp")
        server, options = module.FastMCP, {}
    error = import_module(f"{module.__name__}.exceptions").ToolError
    return _Sdk(server, ToolAnnotations, error, options)


def _told(call: Callable[..., str], error: type[Exception]) -> Callable[..., str]:
    """The same call, whose expected failures reach the client as what they say."""

    @functools.wraps(call)
    def telling(*args: Any, **values: Any) -> str:
        try:
            return call(*args, **values)
        except HipoError as failure:
            raise error(str(failure)) from failure

    return telling


def _describe(opened: Opened) -> str:
    from hipocampus.cli.status_text import as_text
    from hipocampus.session.status import status_of

    status = status_of(opened.store, opened.config, opened.now, opened.zone, handoffs={}, conversations=0)
    due = status.due_lines()
    return as_text(status, "due" if due else "nothing due")
