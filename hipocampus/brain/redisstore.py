"""Conversations and handoffs in Redis, so that agents on several machines share them. Needs the extra `[redis]`.

The keys and commands are those of the original: lists `memory:conversation:{id}` and
`memory:handoff:{agent_id}`, RPUSH, LTRIM and EXPIRE in one transaction. Only this module imports redis.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from hipocampus.brain.stores import Kind
from hipocampus.errors import ConfigError, HipoError

if TYPE_CHECKING:
    import redis

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 10.0


class RedisLists:
    """The lists of one Redis server. Opened at the first call; every failure says which server it was."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._client: redis.Redis | None = None

    def place(self, kind: Kind, name: str) -> str:
        return kind.key + name

    def push(self, kind: Kind, name: str, lines: list[str]) -> None:
        key = kind.key + name
        with self._transaction() as pipe:
            pipe.rpush(key, *lines)
            self._bound(pipe, key, kind)

    def read(self, kind: Kind, name: str) -> list[str]:
        with self._transaction() as pipe:
            pipe.lrange(kind.key + name, 0, -1)
            results = pipe.execute()
        return list(results[0])

    @contextmanager
    def taking(self, kind: Kind, name: str) -> Iterator[list[str]]:
        """Read and clear in one transaction; when the block fails the lines go back to the front."""
        key = kind.key + name
        with self._transaction() as pipe:
            pipe.lrange(key, 0, -1)
            pipe.delete(key)
            lines = list(pipe.execute()[0])
        try:
            yield lines
        except BaseException:
            if lines:
                with self._transaction() as pipe:
                    pipe.lpush(key, *reversed(lines))
                    self._bound(pipe, key, kind)
            raise

    def remove(self, kind: Kind, name: str, lines: list[str]) -> None:
        if not lines:
            return
        with self._transaction() as pipe:
            for line in lines:
                pipe.lrem(kind.key + name, 1, line)

    def rewrite(self, kind: Kind, edit: Callable[[str], str], *, dry_run: bool) -> dict[str, int]:
        """Put `edit(line)` in place of each line that it changes, in every list of a kind; how many, by key.

        A list that somebody changes meanwhile is read again. Its lifetime goes on as it was.
        """
        client: Any = self._connect()
        import redis

        found: dict[str, int] = {}
        try:
            for key in sorted(client.scan_iter(match=f"{kind.key}*")):
                run = partial(_edited, key=key, edit=edit, dry_run=dry_run)
                if count := client.transaction(run, key, value_from_callable=True):
                    found[key] = count
        except redis.RedisError as error:
            raise self._failed(error) from None
        return found

    def _bound(self, pipe: Any, key: str, kind: Kind) -> None:
        pipe.ltrim(key, -kind.keep, -1)
        pipe.expire(key, int(kind.lifetime.total_seconds()))

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """A MULTI … EXEC that runs when the block ends (or at its own `execute`)."""
        client = self._connect()
        import redis

        try:
            with client.pipeline(transaction=True) as pipe:
                yield pipe
                if pipe.command_stack:
                    pipe.execute()
        except redis.RedisError as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> HipoError:
        said = " ".join(str(error).split())[:120]
        return HipoError(
            f"redis at {server_name(self.url)}: {said or type(error).__name__}",
            'start it, correct REDIS_URL, or set brain.store to "files"',
        )

    def _connect(self) -> "redis.Redis":
        if self._client is None:
            try:
                import redis
                from redis.backoff import NoBackoff
                from redis.retry import Retry
            except ImportError:
                raise HipoError(
                    "brain.store is redis: its client is not installed",
                    "in hipocampus' own folder run: uv tool install '.[redis]'",
                ) from None
            try:
                self._client = redis.Redis.from_url(
                    self.url,
                    decode_responses=True,
                    encoding_errors="replace",
                    socket_connect_timeout=CONNECT_SECONDS,
                    socket_timeout=ANSWER_SECONDS,
                    retry=Retry(NoBackoff(), 0),
                )
            except ValueError:
                raise ConfigError(
                    f"REDIS_URL: {server_name(self.url)} is no address of a Redis server",
                    "write it as redis://host:6379/0",
                ) from None
        return self._client


def _edited(pipe: Any, key: str, edit: Callable[[str], str], dry_run: bool) -> int:
    """Set the lines of one list that `edit` changes, in the transaction that watches it."""
    lines = pipe.lrange(key, 0, -1)
    changed = [(at, new) for at, line in enumerate(lines) if (new := edit(line)) != line]
    pipe.multi()
    for at, new in [] if dry_run else changed:
        pipe.lset(key, at, new)
    return len(changed)


def server_name(url: str) -> str:
    """Return the part of an address that may be shown: no user, no password."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "localhost", parts.port
    except ValueError:
        return "(an address that cannot be read)"
    return f"{host}:{port or 6379}"
