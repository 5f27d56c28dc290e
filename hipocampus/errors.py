"""The failures that a person can act on. Each carries its exit status; nothing else decides about one."""


class HipoError(Exception):
    """An expected failure: one line that says where, what is wrong, and what to do.

    `message` reads "<where>: <what is wrong>"; `hint` says what to do. The command line prints
    them as `hipo: <message>; <hint>` on stderr and ends with `exit_code`.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message}; {hint}" if hint else message)
        self.message = message
        self.hint = hint
        self.unsaved = ""  # text that the caller would lose; it is printed back below the line

    def __str__(self) -> str:
        """The line as it stands now: whoever passes the error on may have added to it."""
        return f"{self.message}; {self.hint}" if self.hint else self.message


class UsageError(HipoError):
    """The call itself is wrong: an option, an argument, or the text on stdin."""

    exit_code = 2


class ConfigError(HipoError):
    """`hipocampus.config.json` or an environment variable holds a value that cannot be used."""

    exit_code = 2


class NoMemoryError(HipoError):
    """There is no memory tree here; nothing was created."""


class LockTimeout(HipoError):
    """Another process kept the memory's lock for longer than this command may wait."""


class WriteError(HipoError):
    """A file could not be written; what stood there before still stands."""


class ChangedMeanwhile(WriteError):
    """Somebody else, who knows no lock, wrote to a file between its reading and its writing; theirs stands."""


class ReadError(HipoError):
    """A file that is needed exists and cannot be read."""
