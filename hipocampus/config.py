"""Settings: hipocampus.config.json and the environment. The only module that reads either."""

import json
import os
from collections.abc import Callable, Mapping
from datetime import timedelta, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hipocampus.errors import ConfigError
from hipocampus.files import read_bytes, write_text

CONFIG_NAME = "hipocampus.config.json"
PLATFORMS = ("claude-code", "codex", "opencode", "openclaw", "gemini", "cursor", "aider", "none")
PROVIDERS = ("openrouter", "anthropic", "ollama", "command")
SUMMARIZERS = ("extractive", "command", "llm")
ENGINES = ("builtin", "qmd")
STORES = ("files", "redis")
API_KEYS = {"openrouter": "OPENROUTER_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
BASE_URLS = {
    "openrouter": "OPENROUTER_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "ollama": "OLLAMA_HOST",
}


class CompactionConfig(NamedTuple):
    """When compaction runs and who writes the summaries."""

    root_max_tokens: int = 3000  # tokens of ROOT.md, frontmatter included
    cooldown_hours: float = 3.0  # least time between two runs; 0 means every time
    summarizer: str = "extractive"
    command: tuple[str, ...] = ()  # a program: prompt on stdin, summary on stdout

    @property
    def cooldown(self) -> timedelta:
        return timedelta(hours=self.cooldown_hours)


class Route(NamedTuple):
    """Which model answers: the first route whose conditions hold. None means "any"."""

    provider: str
    model: str = ""
    role: str | None = None  # the agent's id
    min_chars: int = 0  # of the assembled prompt
    max_chars: int | None = None


class BrainConfig(NamedTuple):
    """How the brain thinks: provider, model, and what a prompt may hold."""

    provider: str = "openrouter"
    model: str = ""
    command: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()
    max_tokens: int = 1024  # tokens of a reply, 1 to 4096
    overflow_chars: int = 24000  # characters of the whole prompt before the conversation is handed over
    store: str = "files"


class SearchConfig(NamedTuple):
    """Which engine answers `hipo recall`. `vector` and `embedModel` are the original's, kept for it."""

    engine: str = "builtin"
    vector: bool = False
    embed_model: str = "auto"


class Config(NamedTuple):
    """Everything in hipocampus.config.json, each field with its default."""

    platforms: tuple[str, ...] = ()
    timezone: str | None = None  # IANA name; None means the machine's own
    search: SearchConfig = SearchConfig()
    compaction: CompactionConfig = CompactionConfig()
    brain: BrainConfig = BrainConfig()
    tidy_auto: bool = False
    raw: Mapping[str, object] = MappingProxyType({})  # the file as it stands, unknown fields included

    @property
    def zone(self) -> tzinfo | None:
        """The project's time zone; None means the machine's own."""
        return _zone(self.timezone) if self.timezone else None


def load_config(root: Path) -> Config:
    """Return the settings of the memory at `root`; the defaults where there is no file.

    A file that cannot be used is a ConfigError that names the file, the field, what stands there and
    what may stand there. Nothing is written.
    """
    path = root / CONFIG_NAME
    data = read_bytes(path)
    if data is None:
        return Config()
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{path}: not valid JSON ({error})", "correct it, or remove the file to use the defaults"
        ) from None
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: not a JSON object", "begin it with { and end it with }")
    return _parse(_Fields(path, raw, ""))


def save_config(root: Path, raw: Mapping[str, object]) -> None:
    """Write the settings; the caller passes every field that stood in the file, known or not."""
    write_text(root / CONFIG_NAME, json.dumps(raw, indent=2, ensure_ascii=False) + "\n")


def environment(name: str) -> str | None:
    """Return an environment variable, None when it is unset or empty."""
    return os.environ.get(name) or None


def is_off() -> bool:
    """True when `HIPO_OFF=1` asks for a session without memory."""
    return os.environ.get("HIPO_OFF", "").strip().lower() in ("1", "true", "yes", "on")


def api_key(provider: str) -> str | None:
    """Return the key of a model provider from the environment, the only place where one may stand."""
    return environment(API_KEYS[provider]) if provider in API_KEYS else None


def base_url(provider: str) -> str | None:
    """Return the address of a model provider where the environment sets another than its own."""
    return environment(BASE_URLS[provider]) if provider in BASE_URLS else None


class _Fields:
    """One object of the config file, read field by field with a message for each wrong value."""

    def __init__(self, path: Path, raw: Mapping[str, object], prefix: str) -> None:
        self.path, self.raw, self.prefix = path, raw, prefix

    def wrong(self, name: str, allowed: str) -> ConfigError:
        shown = json.dumps(self.raw[name], ensure_ascii=False, default=str)
        shown = shown if len(shown) <= 60 else shown[:57] + "…"
        return ConfigError(f"{self.path}: {self.prefix}{name} is {shown}", f"it may be {allowed}")

    def section(self, name: str) -> "_Fields":
        value = self.raw.get(name)
        if value is None:
            return _Fields(self.path, {}, f"{self.prefix}{name}.")
        if not isinstance(value, dict):
            raise self.wrong(name, "an object, as {…}")
        return _Fields(self.path, value, f"{self.prefix}{name}.")

    def text(self, name: str, default: str) -> str:
        value = self.raw.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self.wrong(name, "a text in quotes")
        return value

    def choice(self, name: str, default: str, allowed: tuple[str, ...]) -> str:
        value = self.text(name, default)
        if value not in allowed:
            raise self.wrong(name, " or ".join(f'"{a}"' for a in allowed))
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.raw.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str, default: float, low: float, high: float) -> float:
        value = self.raw.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.wrong(name, f"a number from {low:g} to {high:g}")
        return value

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        value = self.raw.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(name, f"a whole number from {low} to {high}")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        value = self.raw.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
            raise self.wrong(name, 'a list of texts, as ["program", "option"]')
        return tuple(value)

    def each(self, name: str, read: Callable[["_Fields"], Route]) -> tuple[Route, ...]:
        value = self.raw.get(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
            raise self.wrong(name, "a list of objects")
        return tuple(read(_Fields(self.path, v, f"{self.prefix}{name}[{n}].")) for n, v in enumerate(value))


def _parse(top: _Fields) -> Config:
    return Config(
        platforms=_platforms(top),
        timezone=_timezone(top),
        search=_search(top.section("search")),
        compaction=_compaction(top.section("compaction")),
        brain=_brain(top.section("brain")),
        tidy_auto=top.section("tidy").flag("auto", False),
        raw=top.raw,
    )


def _platforms(top: _Fields) -> tuple[str, ...]:
    names = top.words("platforms")
    for name in names:
        if name not in PLATFORMS:
            raise top.wrong("platforms", "a list of " + ", ".join(f'"{p}"' for p in PLATFORMS))
    first = top.text("platform", "")
    if first and not names:
        return (first,) if first in PLATFORMS else ()  # the original's field; its values are its own
    return names


def _timezone(top: _Fields) -> str | None:
    name = top.raw.get("timezone")
    if name is None:
        return None
    if not isinstance(name, str) or not name or _zone(name) is None:
        raise top.wrong("timezone", 'null or an IANA name, as "Asia/Seoul"')
    return name


def _zone(name: str) -> tzinfo | None:
    from zoneinfo import ZoneInfo  # 7 ms that only projects with a zone of their own pay

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown name, a path, a folder of the database
        return None


def _search(part: _Fields) -> SearchConfig:
    return SearchConfig(
        engine=part.choice("engine", "builtin", ENGINES),
        vector=part.flag("vector", False),
        embed_model=part.text("embedModel", "auto"),
    )


def _compaction(part: _Fields) -> CompactionConfig:
    summarizer = part.choice("summarizer", "extractive", SUMMARIZERS)
    command = part.words("command")
    if summarizer == "command" and not command:
        raise part.wrong("summarizer", 'used only together with compaction.command, as ["claude", "-p"]')
    return CompactionConfig(
        root_max_tokens=part.whole("rootMaxTokens", 3000, 300, 100_000),
        cooldown_hours=part.number("cooldownHours", 3, 0, 24 * 365),
        summarizer=summarizer,
        command=command,
    )


def _brain(part: _Fields) -> BrainConfig:
    return BrainConfig(
        provider=part.choice("provider", "openrouter", PROVIDERS),
        model=part.text("model", ""),
        command=part.words("command"),
        routes=part.each("routes", _route),
        max_tokens=part.whole("maxTokens", 1024, 1, 4096),
        overflow_chars=part.whole("overflowChars", 24000, 1000, 10_000_000),
        store=part.choice("store", "files", STORES),
    )


def _route(part: _Fields) -> Route:
    if "provider" not in part.raw:
        raise ConfigError(
            f"{part.path}: {part.prefix}provider is missing", "name one of " + ", ".join(PROVIDERS)
        )
    high = part.raw.get("maxChars")
    return Route(
        provider=part.choice("provider", "", PROVIDERS),
        model=part.text("model", ""),
        role=part.text("role", "") or None,
        min_chars=part.whole("minChars", 0, 0, 10_000_000),
        max_chars=None if high is None else part.whole("maxChars", 0, 1, 10_000_000),
    )
