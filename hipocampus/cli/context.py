"""What every command starts from: the memory it works on, its settings, the moment and the day."""

from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import NamedTuple

from hipocampus import clock
from hipocampus.config import Config, environment, is_off, load_config
from hipocampus.memory.locate import locate_root
from hipocampus.memory.store import MemoryStore

# With HIPO_OFF=1 these do nothing, silently: what agents and their hooks call.
AGENT_COMMANDS = frozenset(
    "start checkpoint compact recall show task note tidy import hook brain mcp status".split()
)


class Call(NamedTuple):
    """The options before the command's name; in typer's context it is `ctx.obj`."""

    root: str | None
    debug: bool


class Here(NamedTuple):
    """An opened memory: read once, passed on as arguments to everything below the command line."""

    store: MemoryStore
    config: Config
    now: datetime  # UTC
    today: date  # the user's local day
    zone: tzinfo | None  # None: the machine's own

    @property
    def root(self) -> Path:
        return self.store.root


def opened(call: Call, wait_seconds: float | None = None) -> Here:
    """Return the memory that a call works on; NoMemoryError when there is none."""
    root = locate_root(call.root or environment("HIPO_ROOT"), Path.cwd())
    return open_at(root, wait_seconds)


def open_at(root: Path, wait_seconds: float | None = None) -> Here:
    """Return the memory at a root that is known, with the clock read now."""
    config = load_config(root)
    store = MemoryStore(root) if wait_seconds is None else MemoryStore(root, wait_seconds)
    now = clock.now()
    return Here(store, config, now, clock.local_day(now, config.zone), config.zone)


def session_id(option: str | None) -> str | None:
    """Return the session that a command belongs to: the option's, else the one the agent's client names."""
    return option or environment("CLAUDE_CODE_SESSION_ID")


def switched_off(command: str | None) -> bool:
    """True when `HIPO_OFF=1` turns this command into a silent no-op."""
    return command in AGENT_COMMANDS and is_off()
