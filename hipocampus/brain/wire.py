"""The providers' formats: what a request holds, and what a reply or a piece of one says. Pure."""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from hipocampus.errors import ConfigError

ANTHROPIC_VERSION = "2023-06-01"
OLLAMA_PORT = 11434
OWN_ADDRESSES = {
    "openrouter": "https://openrouter.ai/api/v1",
    "anthropic": "https://api.anthropic.com",
    "ollama": f"http://127.0.0.1:{OLLAMA_PORT}",
}
CONTEXT_STEP = 1024  # tokens; Ollama's context sizes are asked for in multiples
SPARE_TOKENS = 256  # for what the model's template puts around a prompt


class Query(NamedTuple):
    """What a model is asked."""

    system: str
    prompt: str
    max_tokens: int


class Request(NamedTuple):
    """One HTTP request: POST `body` as JSON."""

    url: str
    headers: Mapping[str, str]
    body: Mapping[str, object]


class Piece(NamedTuple):
    """What one line of a stream, or a whole reply, says."""

    text: str = ""
    done: bool = False
    cut: bool = False  # the reply stopped at max_tokens
    error: str = ""


class Wire(NamedTuple):
    """The format of one provider."""

    request: Callable[[str, str, str, Query, bool], Request]  # address, key, model, query, stream
    line: Callable[[str], Piece]
    whole: Callable[[Mapping[str, object]], Piece]


def base_address(provider: str, override: str | None) -> str:
    """Return the address of a provider without a slash at its end. ConfigError when the override is none."""
    if not override:
        return OWN_ADDRESSES[provider]
    bare = "://" not in override
    text = override.strip().rstrip("/")
    try:
        parts = urlsplit(f"http://{text}" if bare else text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https"):
        variable = "OLLAMA_HOST" if provider == "ollama" else f"{provider.upper()}_BASE_URL"
        raise ConfigError(f"{variable}: not an address", "write it as http://host:port")
    if provider == "ollama":  # as Ollama's own client reads OLLAMA_HOST
        host = "127.0.0.1" if host == "0.0.0.0" else f"[{host}]" if ":" in host else host
        port = port or (OLLAMA_PORT if bare else 443 if parts.scheme == "https" else 80)
        return f"{parts.scheme}://{host}:{port}{parts.path}"
    return f"http://{text}" if bare else text


def context_size(query: Query) -> int:
    """Return a context size in tokens that prompt and reply fit into, whatever the model's tokenizer."""
    text = query.system + query.prompt
    ascii_chars = sum(1 for char in text if char < "\x80")
    tokens = ascii_chars * 2 // 5 + (len(text) - ascii_chars) * 2 + query.max_tokens + SPARE_TOKENS
    return max(4, -(-tokens // CONTEXT_STEP)) * CONTEXT_STEP


def _messages(query: Query) -> list[dict[str, str]]:
    system = [{"role": "system", "content": query.system}] if query.system else []
    return [*system, {"role": "user", "content": query.prompt}]


def _openrouter_request(address: str, key: str, model: str, query: Query, stream: bool) -> Request:
    body: dict[str, object] = {"messages": _messages(query), "max_tokens": query.max_tokens, "stream": stream}
    if model:  # without one OpenRouter takes the account's default
        body["model"] = model
    return Request(f"{address}/chat/completions", {"Authorization": f"Bearer {key}"}, body)


def _anthropic_request(address: str, key: str, model: str, query: Query, stream: bool) -> Request:
    body: dict[str, object] = {
        "model": model,
        "max_tokens": query.max_tokens,
        "messages": [{"role": "user", "content": query.prompt}],
        "stream": stream,
    }
    if query.system:
        body["system"] = query.system
    headers = {"x-api-key": key, "anthropic-version": ANTHROPIC_VERSION}
    return Request(f"{address.removesuffix('/v1')}/v1/messages", headers, body)


def _ollama_request(address: str, key: str, model: str, query: Query, stream: bool) -> Request:
    options = {"num_ctx": context_size(query), "num_predict": query.max_tokens}
    body = {"model": model, "messages": _messages(query), "stream": stream, "options": options}
    return Request(f"{address}/api/chat", {}, body)


def _event(line: str) -> str:
    """The data of a line of server-sent events; "" for comments, names of events and blank lines."""
    return line[5:].strip() if line.startswith("data:") else ""


def _object(text: str) -> dict[str, object] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def error_text(value: Mapping[str, object]) -> str:
    """Return what an error object of any provider says; "" when there is none."""
    error = value.get("error")
    if isinstance(error, dict):
        said = error.get("message") or error.get("type") or error.get("code")
        return str(said or "an error without a message")
    return str(error) if error else ""


def _openrouter_line(line: str) -> Piece:
    data = _event(line)
    if not data or data == "[DONE]":
        return Piece(done=data == "[DONE]")
    value = _object(data)
    return Piece(error="a line that is not JSON") if value is None else _choice(value, "delta")


def _openrouter_whole(value: Mapping[str, object]) -> Piece:
    return _choice(value, "message")._replace(done=True)


def _choice(value: Mapping[str, object], part: str) -> Piece:
    if said := error_text(value):
        return Piece(error=said)
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    if said := error_text(choice):
        return Piece(error=said)
    message = choice.get(part)
    content = message.get("content") if isinstance(message, dict) else ""
    reason = choice.get("finish_reason")
    if reason in ("error", "content_filter"):
        return Piece(error=f"the model stopped: {reason}")
    return Piece(content if isinstance(content, str) else "", bool(reason), reason == "length")


def _anthropic_line(line: str) -> Piece:
    data = _event(line)
    if not data:
        return Piece()
    value = _object(data)
    if value is None:
        return Piece(error="a line that is not JSON")
    kind = value.get("type")
    if kind == "error":
        return Piece(error=error_text(value))
    delta = value.get("delta")
    if not isinstance(delta, dict):
        return Piece(done=kind == "message_stop")
    if kind == "message_delta":
        return Piece(cut=delta.get("stop_reason") == "max_tokens", error=_refused(delta))
    text = delta.get("text") if delta.get("type") == "text_delta" else ""
    return Piece(text if isinstance(text, str) else "")


def _refused(value: Mapping[str, object]) -> str:
    return "the model stopped: refusal" if value.get("stop_reason") == "refusal" else ""


def _anthropic_whole(value: Mapping[str, object]) -> Piece:
    if said := error_text(value) or _refused(value):
        return Piece(error=said)
    blocks = value.get("content")
    texts = [
        block["text"]
        for block in (blocks if isinstance(blocks, list) else [])
        if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    return Piece("".join(texts), True, value.get("stop_reason") == "max_tokens")


def _ollama_line(line: str) -> Piece:
    if not line.strip():
        return Piece()
    value = _object(line)
    return Piece(error="a line that is not JSON") if value is None else _ollama_whole(value)


def _ollama_whole(value: Mapping[str, object]) -> Piece:
    if said := error_text(value):
        return Piece(error=said)
    message = value.get("message")
    content = message.get("content") if isinstance(message, dict) else ""
    done = value.get("done") is True
    return Piece(content if isinstance(content, str) else "", done, value.get("done_reason") == "length")


WIRES = {
    "openrouter": Wire(_openrouter_request, _openrouter_line, _openrouter_whole),
    "anthropic": Wire(_anthropic_request, _anthropic_line, _anthropic_whole),
    "ollama": Wire(_ollama_request, _ollama_line, _ollama_whole),
}
