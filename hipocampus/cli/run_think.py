"""What `hipo brain think` does: the prompt, the model's reply, both turns stored."""

from typing import TYPE_CHECKING, Any

from hipocampus.brain.prompt import shortened_lines
from hipocampus.cli.brain_io import brain_lists, needed_text, print_surely
from hipocampus.cli.context import Call, Here, opened
from hipocampus.cli.render import is_terminal, print_json, print_notes, print_piece, print_text
from hipocampus.cli.run_prompt import Wanted, asked, assembled, print_prompt, prompt_json
from hipocampus.errors import HipoError, UsageError

if TYPE_CHECKING:
    from hipocampus.brain.prompt import Ask
    from hipocampus.brain.routes import Override
    from hipocampus.brain.think import Thought


def run_think(
    call: Call,
    *,
    message: str | None = None,
    provider: str | None = None,
    model: str | None = None,
    max_tokens: int | None = None,
    dry_run: bool = False,
    as_json: bool = False,
    **wanted: Any,
) -> None:
    """Ask a model with the assembled prompt, and print its reply. `wanted`: the fields of Wanted."""
    from hipocampus.brain.routes import Override, checked_override, checked_tokens
    from hipocampus.config import environment

    fields = Wanted(**wanted)
    text = needed_text(message, "think")
    if not text.strip():
        raise UsageError("think: there is no message", "give one as an argument or on stdin")
    here = opened(call)
    ask = asked(here, text, fields)
    tokens = checked_tokens(here.config.brain.max_tokens if max_tokens is None else max_tokens)
    override = checked_override(
        Override(provider, model), Override(environment("HIPO_LLM_PROVIDER"), environment("HIPO_LLM_MODEL"))
    )
    if dry_run:
        print_prompt(assembled(here, ask), ask, as_json)
        return
    thought = _asked_model(here, ask, override, tokens, live=is_terminal() and not as_json, quiet=as_json)
    print_notes(shortened_lines(thought.prompt, ask))
    if thought.cut:
        print_notes([f"the reply stopped at {tokens} tokens; --max-tokens asks for more"])
    if as_json:
        print_json(
            {
                "reply": thought.reply,
                "provider": thought.provider,
                "model": thought.model,
                "conversation": fields.conversation,
                "stored": thought.stored,
                "handoffs_cleared": thought.cleared,
                "cut": thought.cut,
                "prompt": prompt_json(thought.prompt),
            }
        )


def _asked_model(
    here: Here, ask: "Ask", override: "Override", tokens: int, *, live: bool, quiet: bool
) -> "Thought":
    """Call the model and print its reply: piece by piece when `live`, as a whole else, not at all when `quiet`."""
    from hipocampus.brain.stream import SafeStream
    from hipocampus.brain.think import Mind, think

    stream = SafeStream(print_piece) if live else None

    def deliver(reply: str) -> None:
        if stream is not None:
            stream.finish()
            print_text()
        elif not quiet:
            print_surely(reply)

    try:
        return think(
            Mind(here.store, brain_lists(here), here.config, here.now, here.today, here.zone),
            ask,
            override=override,
            max_tokens=tokens,
            deliver=deliver,
            on_text=stream.feed if stream is not None else None,
            say=lambda line: print_notes([line]),
        )
    except HipoError:
        if stream is not None and stream.begun:  # the error gets a line of its own
            print_text()
        raise
