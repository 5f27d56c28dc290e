"""Where conversations and handoffs live: capped lists of lines that die a while after the last one.

Two stores keep them, files (`filestore.py`) and Redis (`redisstore.py`), behind the one protocol that is
here; `openlists.py` opens the one that the settings name. What a line holds is settled in `conversation.py`
and `handoff.py`.
"""

from contextlib import AbstractContextManager
from datetime import timedelta
from typing import NamedTuple, Protocol


class Kind(NamedTuple):
    """A kind of list: where it stands, how many lines it keeps, how long after the last one."""

    folder: str  # below memory/brain/
    key: str  # in front of the id, in Redis
    keep: int  # lines; the oldest go
    lifetime: timedelta


CONVERSATIONS = Kind("conversations", "memory:conversation:", 50, timedelta(days=7))
HANDOFFS = Kind("handoffs", "memory:handoff:", 100, timedelta(days=30))


class ListStore(Protocol):
    """Lists of lines by kind and id, oldest line first. Ids are checked by the caller.

    Every method raises HipoError when the store cannot be reached or written, with nothing half done.
    """

    def place(self, kind: Kind, name: str) -> str:
        """Return where a list stands, as it is shown: a path relative to the root, or a key."""
        ...

    def push(self, kind: Kind, name: str, lines: list[str]) -> None:
        """Add lines at the end, drop the oldest beyond `kind.keep`, and start the lifetime anew."""
        ...

    def read(self, kind: Kind, name: str) -> list[str]:
        """Return the lines of a list; none when it is missing or its lifetime is over."""
        ...

    def taking(self, kind: Kind, name: str) -> AbstractContextManager[list[str]]:
        """Give the lines to one reader and clear them when the block ends well; else they stay.

        Of several readers at once each line reaches exactly one. Lines that arrive meanwhile stay.
        """
        ...

    def remove(self, kind: Kind, name: str, lines: list[str]) -> None:
        """Remove each of these lines once, where it is still there."""
        ...
