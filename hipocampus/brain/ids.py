"""Names of conversations and agents. They become file names, so what cannot be one is refused. Pure."""

import unicodedata

from hipocampus.errors import UsageError

MOST_BYTES = 200  # UTF-8, so that suffix and temporary name still fit into a file name
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³")]
)
_FORBIDDEN = frozenset('/\\<>:"|?*')


def checked_id(what: str, text: str) -> str:
    """Return an id in NFC, or a UsageError that says why it cannot be the name of a file on every system."""
    name = unicodedata.normalize("NFC", text)
    reason = _unfit(name)
    if reason:
        shown = ascii(text if len(text) <= 60 else text[:57] + "...")
        raise UsageError(f"{what} {shown}: {reason}", "use letters, digits, -, _ and .")
    return name


def _unfit(name: str) -> str:
    if not name.strip():
        return "the name is empty"
    if any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in name):
        return "the name has a control character"
    if bad := sorted(set(name) & _FORBIDDEN):
        return f"the name has {' '.join(bad)}"
    if name.startswith("."):
        return "the name begins with a dot"
    if name != name.strip() or name.endswith("."):
        return "the name begins or ends with a space, or ends with a dot"
    if name.partition(".")[0].lower() in _RESERVED:
        return "the name is reserved by Windows"
    if len(name.encode()) > MOST_BYTES:
        return f"the name has more than {MOST_BYTES} bytes"
    return ""
