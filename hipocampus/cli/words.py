"""What the words of a daily command may be: its table stands beside the function that does it."""

from typing import NamedTuple

FLAG, TEXT, TEXTS = "flag", "text", "texts"
COUNT = "count"  # a whole number from 1 on
NEEDED = "needed"  # of the words that are no options: exactly one

ENTRY_TYPES = ("project", "feedback", "user", "reference")


class Words(NamedTuple):
    """The words that a command takes: each names the parameter that it fills, and what it may be.

    An option takes FLAG, TEXT, TEXTS (it may be repeated), COUNT or one of a tuple of words. `rest` are the words
    that are no options: TEXT for one at most, TEXTS for any number, NEEDED for one; None where there are none.
    """

    options: dict[str, tuple[str, str | tuple[str, ...]]]
    rest: tuple[str, str] | None = None
