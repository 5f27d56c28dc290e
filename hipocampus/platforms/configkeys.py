"""Fields of the config that look like a slip: unknown, and close to a known one. Other tools' fields are left in peace."""

from collections.abc import Mapping
from difflib import get_close_matches

from hipocampus.config import CONFIG_NAME, Config
from hipocampus.memory.store import Problem

# Every field that hipo or the original reads, by section; "" is the top.
KNOWN = {
    "": ("platform", "platforms", "timezone", "search", "compaction", "brain", "tidy"),
    "search": ("engine", "vector", "embedModel"),
    "compaction": ("rootMaxTokens", "cooldownHours", "summarizer", "command"),
    "brain": ("provider", "model", "command", "routes", "maxTokens", "overflowChars", "store"),
    "brain.routes": ("provider", "model", "role", "minChars", "maxChars"),
    "tidy": ("auto",),
}
CLOSE = 0.75  # of difflib's ratio: "tmezone" is 0.93 near "timezone", "mode" 0.89 near "model"


def config_problems(config: Config) -> list[Problem]:
    """Return a line for each field that has no effect because of how, or where, it is written."""
    found = _section("", config.raw)
    for name in KNOWN:
        section = config.raw.get(name) if name else None
        if isinstance(section, Mapping):
            found += _section(name, section)
    brain = config.raw.get("brain")
    routes = brain.get("routes") if isinstance(brain, Mapping) else None
    for route in routes if isinstance(routes, list) else []:
        found += _section("brain.routes", route)
    return [Problem(CONFIG_NAME, 0, message) for message in dict.fromkeys(found)]


def _section(section: str, fields: Mapping[str, object]) -> list[str]:
    unknown = [name for name in fields if name not in KNOWN[section]]
    return [
        f'"{_path(section, name)}" is no field and has no effect; is "{meant}" meant?'
        for name in unknown
        if (meant := _meant(section, name, fields))
    ]


def _meant(section: str, name: str, fields: Mapping[str, object]) -> str:
    """The known field that a name stands for, "" when it is like none. One that is there already is not meant."""
    free = {_bare(known): known for known in KNOWN[section] if known not in fields}
    if close := get_close_matches(_bare(name), free, 1, CLOSE):
        return _path(section, free[close[0]])
    elsewhere = [_path(other, name) for other, known in KNOWN.items() if other != section and name in known]
    return elsewhere[0] if len(elsewhere) == 1 else ""


def _bare(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _path(section: str, name: str) -> str:
    return f"{section}.{name}" if section else name
