"""The call to a model over HTTP: one retry rule, one time limit, no key in any error. Needs the extra `[llm]`.

The only module that imports an HTTP library; what goes over the wire is settled in `wire.py`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from hipocampus.brain.wire import WIRES, Piece, Query, Wire, base_address, error_text
from hipocampus.config import API_KEYS
from hipocampus.errors import HipoError
from hipocampus.redact import redact

if TYPE_CHECKING:
    import httpx

TIME_LIMIT_SECONDS = 300.0  # of a whole call, retries included: local models are slow
CONNECT_SECONDS = 10.0
TRIES = 3
LONGEST_WAIT_SECONDS = 60.0  # a Retry-After beyond that is not waited for
NOT_NOW = frozenset({408, 425, 429})  # and every 5xx
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Endpoint(NamedTuple):
    """Where a model is asked: the address and key are those of the environment."""

    provider: str
    model: str
    address: str | None = None  # None: the provider's own
    key: str | None = None


class Reply(NamedTuple):
    """What a model said, whole. `cut` says that it stopped at the most tokens."""

    text: str
    cut: bool


class ModelError(HipoError):
    """A model did not answer. The next one may be asked."""


async def ask(
    endpoint: Endpoint,
    query: Query,
    *,
    on_text: Callable[[str], None] | None = None,
    limit_seconds: float = TIME_LIMIT_SECONDS,
) -> Reply:
    """Return a model's reply; with `on_text` it is streamed, and every piece is passed on as it comes.

    Errors: ModelError for anything that a provider or the network does; ConfigError for a wrong address.
    """
    call = _Call(endpoint, on_text)
    try:
        async with asyncio.timeout(limit_seconds):
            return await call.run(query)
    except TimeoutError:
        raise call.error(
            f"no whole answer within {limit_seconds:g} s", "try again, or name another model"
        ) from None


class _Call:
    """One call with its retries."""

    def __init__(self, endpoint: Endpoint, on_text: Callable[[str], None] | None) -> None:
        self.endpoint = endpoint
        self.on_text = on_text
        self.name = f"{endpoint.provider} {endpoint.model}".strip()
        self.wire: Wire = WIRES[endpoint.provider]
        self.address = base_address(endpoint.provider, endpoint.address)

    async def run(self, query: Query) -> Reply:
        httpx = import_httpx()
        key = self._key()
        if not self.endpoint.model and self.endpoint.provider != "openrouter":
            raise self.error("no model is named", "set brain.model, HIPO_LLM_MODEL or --model")
        stream = self.on_text is not None
        request = self.wire.request(self.address, key, self.endpoint.model, query, stream)
        try:
            async with self._client() as client:
                for attempt in range(TRIES):
                    async with client.stream(
                        "POST", request.url, headers=dict(request.headers), json=request.body
                    ) as response:
                        wait = await self._must_wait(response, attempt)
                        if wait is None:
                            return await self._read(response)
                    await asyncio.sleep(wait)
        except httpx.HTTPError as error:
            said = str(error) or type(error).__name__
            raise self.error(
                f"the connection to {self._host()} failed ({said})", "try again, or name another provider"
            ) from None
        except httpx.InvalidURL:
            raise self.error(f"{self._host()} is no address", "correct it") from None
        raise self.error("no answer", "try again")

    def error(self, what: str, hint: str) -> ModelError:
        """Return an error that holds neither the key nor any other secret."""
        if self.endpoint.key:
            what = what.replace(self.endpoint.key, "[REDACTED:key]")
        return ModelError(f"{self.name}: {redact(what).text}", hint)

    def _key(self) -> str:
        name = API_KEYS.get(self.endpoint.provider)
        if name and not self.endpoint.key:
            raise self.error("no key", f"set {name}, or name another provider")
        key = (self.endpoint.key or "").strip()
        if not key.isascii() or not key.isprintable():
            raise self.error("the key has characters that no key has", f"correct {name}")
        return key

    def _host(self) -> str:
        return urlsplit(self.address).netloc.rpartition("@")[2]

    @asynccontextmanager
    async def _client(self) -> "AsyncIterator[httpx.AsyncClient]":
        httpx = import_httpx()
        local = urlsplit(self.address).hostname in LOOPBACK  # a proxy cannot reach this machine's own
        timeout = httpx.Timeout(None, connect=CONNECT_SECONDS)
        async with httpx.AsyncClient(timeout=timeout, trust_env=not local, follow_redirects=False) as client:
            yield client

    async def _must_wait(self, response: "httpx.Response", attempt: int) -> float | None:
        """Return how long to wait before the next try, None when the response is an answer.

        The one retry rule: 408, 425, 429 and 5xx, at most three tries, after Retry-After or 1, 2 seconds.
        """
        if response.status_code == 200:
            return None
        body = (await response.aread()).decode("utf-8", "replace")
        later = response.status_code in NOT_NOW or response.status_code >= 500
        wait = retry_after(
            response.headers.get("Retry-After"), response.headers.get("Date"), float(2**attempt)
        )
        if later and attempt + 1 < TRIES and wait <= LONGEST_WAIT_SECONDS:
            return wait
        hint = "try again later, or name another provider" if later else "check model, key and address"
        raise self.error(f"answered {response.status_code}{_quoted(body)}", hint)

    async def _read(self, response: "httpx.Response") -> Reply:
        kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
        streamed = kind in ("text/event-stream", "application/x-ndjson")
        piece = await (self._read_lines(response) if streamed else self._read_whole(response))
        if not piece.text.strip():
            raise self.error("the reply is empty", "try again, or name another model")
        return Reply(piece.text, piece.cut)

    async def _read_whole(self, response: "httpx.Response") -> Piece:
        body = (await response.aread()).decode("utf-8", "replace")
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, Mapping):
            raise self.error(f"the answer is not JSON{_quoted(body)}", "check the address of the provider")
        piece = self.wire.whole(value)
        if piece.error:
            raise self.error(piece.error, "try again, or name another model")
        if self.on_text and piece.text:
            self.on_text(piece.text)
        return piece

    async def _read_lines(self, response: "httpx.Response") -> Piece:
        texts, done, cut = [], False, False
        async for line in _lines(response):
            piece = self.wire.line(line)
            if piece.error:
                raise self.error(piece.error, "try again, or name another model")
            if piece.text:
                texts.append(piece.text)
                if self.on_text:
                    self.on_text(piece.text)
            done, cut = done or piece.done, cut or piece.cut
        if not done:
            raise self.error("the connection ended before the reply was whole", "try again")
        return Piece("".join(texts), True, cut)


async def _lines(response: "httpx.Response") -> AsyncIterator[str]:
    """The lines of a body, at \\n alone: U+2028 and its kin are text inside JSON."""
    rest = b""
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
    if rest:
        yield rest.decode("utf-8", "replace").rstrip("\r")


def retry_after(value: str | None, sent: str | None, default: float) -> float:
    """Return the seconds that a Retry-After header asks for: a number, or a date seen from when it was `sent`."""
    if value is None:
        return default
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - parsedate_to_datetime(sent or "")).total_seconds())
    except (ValueError, TypeError):  # no dates, or one of them without a zone
        return default


def _quoted(body: str) -> str:
    """What an error body says, as one short line."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    said = " ".join((error_text(value) if isinstance(value, dict) else body).split())
    return f" ({said[:200]})" if said else ""


def import_httpx() -> Any:
    """Return the module httpx; one line with the install command when it is missing."""
    try:
        import httpx
    except ImportError:
        raise ModelError(
            "the model call needs httpx, which is not installed",
            "in hipocampus' own folder run: uv tool install '.[llm]'",
        ) from None
    return httpx
