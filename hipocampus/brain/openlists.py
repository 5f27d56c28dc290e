"""Which store of conversations and handoffs the settings name."""

from datetime import datetime

from hipocampus.brain.stores import ListStore
from hipocampus.config import BrainConfig, environment
from hipocampus.memory.store import MemoryStore

DEFAULT_REDIS_URL = "redis://localhost:6379/0"


def open_lists(config: BrainConfig, store: MemoryStore, now: datetime) -> ListStore:
    """Return the store that the settings name. Redis is reached at the first call, not here."""
    if config.store == "redis":
        from hipocampus.brain.redisstore import RedisLists

        return RedisLists(environment("REDIS_URL") or DEFAULT_REDIS_URL)
    from hipocampus.brain.filestore import FileLists

    return FileLists(store, now)
