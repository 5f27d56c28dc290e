"""Where a text may hold what the rarer detectors look for: plain comparisons beside words that were found.

What shows no such place needs no detector, which so is neither loaded nor are its patterns compiled.
"""

from hipocampus.redact.scan import Scan

_LOGIN_WORDS = ("login", "cred", "user/")
CONSOLE_WORDS = (
    "pass",
    "pw",
    "psk",
    "auth ",
    "snmp-server",
    "securestring",
    "sqlplus",
    "rabbitmqctl",
    "net use",
)
PHRASE_WORDS = ("mnemonic", "seed", "phrase")
_LOGIN_MOST = 160  # characters from a login's word to the sign before the password
_BEFORE_USER = ("machine", "login", "account")
_FLAGS = frozenset("upPawUbAXkKt")
_LONG_FLAGS = ("-user", "-proxy-user", "-auth", "-value", "-body", "-cookie")
_CRYPT_LEAST = 19  # characters of the shortest hash of crypt(3) and its kin, without a blank


def has_key_block(scan: Scan) -> bool:
    """Tell whether the text names a private key as BEGIN and END lines do, or as PuTTY does."""
    low = scan.low
    named = any(low.endswith(("private ", "secret ", "openvpn static "), 0, at) for at in scan.at("key"))
    return named or bool(scan.at("private-lines:"))


def flag_places(scan: Scan) -> list[int]:
    """Return where the blanks stand before flags that may take a password."""
    text = scan.text
    return [
        at for at in scan.at(" -") if text[at + 2 : at + 3] in _FLAGS or text.startswith(_LONG_FLAGS, at + 2)
    ]


def netrc_places(scan: Scan) -> list[int]:
    """Return where `password` stands with a blank behind it and `login name` before it."""
    text = scan.text
    return [
        at
        for at in scan.at("pass")
        if scan.low.startswith("word", at + 4)
        and text[at + 8 : at + 9].isspace()
        and "".join(text[max(0, at - 200) : at].rsplit(maxsplit=2)[-2:-1]).endswith(_BEFORE_USER)
    ]


def login_places(scan: Scan) -> list[int]:
    """Return where a login is named and one of the next words may be `user:password`, or a `/` or `|` between the two."""
    found = (at for word in _LOGIN_WORDS for at in scan.at(word))
    return [at for at in found if any(map(_joins, scan.text[at : at + _LOGIN_MOST].split(maxsplit=8)[1:8]))]


def _joins(word: str) -> bool:
    return ":" in word[:-1] or "/" in word or "|" in word


def call_places(scan: Scan) -> list[int]:
    """Return where the name of a call stands that takes a user and a password as plain arguments."""
    found = (*scan.at("auth"), *scan.at("cred"), *scan.at("login"), *scan.at("connect"), *scan.at("pdo("))
    return [at for at in found if "(" in scan.text[at : at + 16]]


def has_console_word(scan: Scan) -> bool:
    """Tell whether one of the words stands with which consoles and devices announce a password."""
    return any(scan.at(word) for word in CONSOLE_WORDS)


def echo_places(scan: Scan) -> list[int]:
    """Return where `echo` or `printf` stands in a text that holds a pipe."""
    return [*scan.at("echo "), *scan.at("printf ")] if "|" in scan.text else []


def has_pgpass(scan: Scan) -> bool:
    """Tell whether the text holds a port or database as lines of pgpass do, `:5432:` or `:*:`."""
    return bool(scan.at(":5432:") or scan.at(":*:"))


def crypt_places(scan: Scan) -> list[int]:
    """Return where `$` stands before as many characters without a blank as a password's hash has at least."""
    text = scan.text
    return [
        at for at in scan.at("$") if len(text[at : at + _CRYPT_LEAST].split(maxsplit=1)[0]) == _CRYPT_LEAST
    ]


def braced_places(scan: Scan) -> list[int]:
    """Return where a brace stands that may open a hash's name, `{SSHA}`, `{MD5}`, `{CRYPT}`, `{PBKDF2}`, `{ARGON2}`."""
    return [at for at in scan.at("{") if scan.text[at + 1 : at + 2] in {"S", "M", "C", "P", "A"}]


def manifest_places(scan: Scan) -> list[int]:
    """Return where `secret` stands shortly behind `kind`."""
    return [at for at in scan.at("secret") if scan.text.find("kind", max(0, at - 20), at) >= 0]


def registry_places(scan: Scan) -> list[int]:
    """Return where `auth` stands as `"auth` or `_auth`."""
    return [at for at in scan.at("auth") if scan.text[max(0, at - 1) : at] in {'"', "_"}]


def authorization_places(scan: Scan) -> list[int]:
    """Return where `authorization` stands."""
    return [at for at in scan.at("auth") if scan.low.startswith("orization", at + 4)]


def cookie_places(scan: Scan) -> list[int]:
    """Return where `cookie` stands with an equals sign behind a name, or what may be one."""
    return [at for at in scan.at("cookie") if scan.low.find("=", at + 6, at + 106) >= 0]


def driver_places(scan: Scan) -> list[int]:
    """Return where `@tcp(` or `@unix(` stands."""
    return [at for at in scan.at("@") if scan.low.startswith(("tcp(", "unix("), at + 1)]


def has_hook(scan: Scan) -> bool:
    """Tell whether a long word may hold a webhook's host: a host and its path are one word."""
    return any(scan.low.find("hooks", start, end) >= 0 for start, end in scan.long_words())


def has_web_key(scan: Scan) -> bool:
    """Tell whether the text may hold the private parts of a JSON web key: it names a key's type and quotes long words."""
    quoted = any(scan.text[max(0, start - 1) : start] == '"' for start, _ in scan.long_words())
    return quoted and bool(scan.at('"kty'))


def has_windows_hash(scan: Scan) -> bool:
    """Tell whether the text may hold a line of Windows's password dump: a hash and the colons behind it."""
    return any(end - start >= 32 for start, end in scan.long_words()) and bool(scan.at(":::"))


def has_url(scan: Scan) -> bool:
    """Tell whether the text holds a URL, a webhook's host, a signature or a driver's address."""
    return bool(scan.at("://") or scan.at("sig=") or driver_places(scan)) or has_hook(scan)


def has_header(scan: Scan) -> bool:
    """Tell whether the text names a header that carries credentials, or a bearer."""
    found = authorization_places(scan) or cookie_places(scan)
    return bool(found or scan.at("bearer") or scan.at("basic "))


def has_command(scan: Scan) -> bool:
    """Tell whether the text holds a flag, a login or one of the files and codes that `commands` knows."""
    found = flag_places(scan) or echo_places(scan) or login_places(scan) or netrc_places(scan)
    return bool(found or scan.at("identified") or scan.at("wifi:")) or has_pgpass(scan)
