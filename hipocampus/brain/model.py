"""Ask the models of a call in turn until one answers: providers over HTTP, or a program."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from hipocampus.brain.client import TIME_LIMIT_SECONDS, Endpoint, ModelError, ask
from hipocampus.brain.command import run_command
from hipocampus.brain.routes import Target
from hipocampus.brain.wire import Query
from hipocampus.config import api_key, base_url
from hipocampus.errors import HipoError


class Answer(NamedTuple):
    """A reply, who gave it, whether it stopped at the most tokens, and who failed before."""

    text: str
    target: Target
    cut: bool
    failures: Sequence[str]


def ask_models(
    targets: Sequence[Target],
    query: Query,
    *,
    command: Sequence[str],
    root: Path,
    on_text: Callable[[str], None] | None = None,
    on_failure: Callable[[str], None] | None = None,
    limit_seconds: float = TIME_LIMIT_SECONDS,
) -> Answer:
    """Return the first answer. When all fail, the last one's error with the others' before it.

    Once a piece of a reply was passed to `on_text`, no further model is asked: two replies would mix.
    """
    failures: list[str] = []
    spoken = False

    def speak(text: str) -> None:
        nonlocal spoken
        spoken = True
        if on_text:
            on_text(text)

    for number, target in enumerate(targets, 1):
        try:
            if target.provider == "command":
                text, cut = run_command(command, _whole(query), root, limit_seconds=limit_seconds), False
            else:
                endpoint = Endpoint(
                    target.provider, target.model, base_url(target.provider), api_key(target.provider)
                )
                stream = speak if on_text else None
                text, cut = asyncio.run(ask(endpoint, query, on_text=stream, limit_seconds=limit_seconds))
            return Answer(text, target, cut, failures)
        except ModelError as error:
            if spoken or number == len(targets):
                raise
            failures.append(str(error))
            if on_failure:
                on_failure(f"{error.message}; asking {targets[number]}")
    raise HipoError("think: no model is named", "set brain.provider")


def _whole(query: Query) -> str:
    return f"{query.system}\n\n{query.prompt}" if query.system else query.prompt
