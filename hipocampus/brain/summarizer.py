"""Who writes summaries for compaction and for overflowing conversations: a program, or a model."""

from pathlib import Path
from typing import NamedTuple

from hipocampus.brain.routes import MOST_TOKENS, Override, Target, targets
from hipocampus.compaction.model import Summarizer
from hipocampus.config import Config
from hipocampus.errors import ConfigError

TIME_LIMIT_SECONDS = 900.0  # a local model reads a long day slowly, and nobody waits at a terminal
ROLE = "summarizer"  # the agent that conversations are handed to, and the role that routes may name


class ProgramSummarizer(NamedTuple):
    """A program: prompt on stdin, summary on stdout."""

    command: tuple[str, ...]
    root: Path

    def summarize(self, prompt: str) -> str:
        from hipocampus.brain.command import run_command

        return run_command(self.command, prompt, self.root, limit_seconds=TIME_LIMIT_SECONDS)


class ModelSummarizer(NamedTuple):
    """A model of a provider, with as many tokens for the summary as may be asked for."""

    asked: tuple[Target, ...]
    command: tuple[str, ...]
    root: Path

    def summarize(self, prompt: str) -> str:
        """Return the reply. A reply that stopped at the most tokens is a failure: it is no whole summary."""
        from hipocampus.brain.client import ModelError
        from hipocampus.brain.model import ask_models
        from hipocampus.brain.wire import Query

        answer = ask_models(
            self.asked,
            Query("", prompt, MOST_TOKENS),
            command=self.command,
            root=self.root,
            limit_seconds=TIME_LIMIT_SECONDS,
        )
        if answer.cut:
            raise ModelError(
                f"{answer.target}: the summary is not whole", f"it stopped at {MOST_TOKENS} tokens"
            )
        return answer.text


def build_summarizer(kind: str, config: Config, override: Override, root: Path) -> Summarizer | None:
    """Return who writes the summaries of a kind (`extractive`, `command`, `llm`); None for extractive.

    ConfigError when `command` names no program.
    """
    if kind == "command":
        command = config.compaction.command or config.brain.command
        if not command:
            raise ConfigError("compaction.command: no program is named", 'set it, as ["claude", "-p"]')
        return ProgramSummarizer(command, root)
    if kind == "llm":
        asked = targets(config.brain, override, ROLE, 0)
        return ModelSummarizer(tuple(asked), config.brain.command, root)
    return None
