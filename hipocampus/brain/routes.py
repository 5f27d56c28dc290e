"""Which provider and model answers: options, environment, routes by role or size, then the default. Pure."""

from typing import NamedTuple

from hipocampus.config import PROVIDERS, BrainConfig
from hipocampus.errors import ConfigError, UsageError

MOST_TOKENS = 4096


class Target(NamedTuple):
    """One provider and model that may answer. `model` "" leaves the choice to the provider."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider} {self.model}".strip()


class Override(NamedTuple):
    """What stands above the settings: options of the call first, then HIPO_LLM_PROVIDER and HIPO_LLM_MODEL."""

    provider: str | None = None
    model: str | None = None


def targets(config: BrainConfig, override: Override, role: str | None, prompt_chars: int) -> list[Target]:
    """Return who is asked, in order; each further one only when those before it failed.

    An override is the only target. Else the routes that fit come first, as they stand, then the default.
    """
    if override.provider or override.model:
        provider = override.provider or config.provider
        own = config.model if provider == config.provider else ""
        return [Target(provider, override.model or own)]
    fitting = [
        Target(route.provider, route.model or (config.model if route.provider == config.provider else ""))
        for route in config.routes
        if (route.role is None or route.role == role)
        and route.min_chars <= prompt_chars
        and (route.max_chars is None or prompt_chars <= route.max_chars)
    ]
    return list(dict.fromkeys([*fitting, Target(config.provider, config.model)]))


def checked_override(option: Override, environment: Override) -> Override:
    """Return the override of a call. UsageError or ConfigError for a provider that is none."""
    if option.provider is not None and option.provider not in PROVIDERS:
        raise UsageError(f"--provider {option.provider!r}: unknown", "use " + ", ".join(PROVIDERS))
    if environment.provider is not None and environment.provider not in PROVIDERS:
        raise ConfigError(f"HIPO_LLM_PROVIDER is {environment.provider!r}", "use " + ", ".join(PROVIDERS))
    model = option.model or (environment.model if option.provider is None else None)
    return Override(option.provider or environment.provider, model)


def checked_tokens(value: int) -> int:
    """Return the most tokens of a reply; UsageError outside 1 to 4096."""
    if not 1 <= value <= MOST_TOKENS:
        raise UsageError(f"--max-tokens {value}: out of range", f"use 1 to {MOST_TOKENS}")
    return value
