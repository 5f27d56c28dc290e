"""Judge a key's name: does what stands beside it hold a secret, and of which kind?"""

import re
from functools import cache

from hipocampus.redact.judge import ascii_words


class Name:
    """What a name promises: its kind; `strict`: only a value that looks drawn by chance counts."""

    __slots__ = ("kind", "strict")

    def __init__(self, kind: str, strict: bool) -> None:
        self.kind = kind
        self.strict = strict


_PASSWORD = frozenset(
    """password passwords passwd passphrase passcode pass pwd pw psk passwort kennwort senha contrasena contraseña clave
    wachtwoord senord lösenord passord adgangskode haslo hasło parola salasana heslo jelszo jelszó şifre sifre pswd passw passkey
    userpass storepass keypass passe sshpass bindpw rootpw adminpw requirepass masterauth passphase""".split()
)
_SECRET = frozenset(
    "secret secrets token tokens credential credentials cred creds jwt apikey apikeys apitoken authtoken".split()
)
_WEAK = frozenset("auth authorization bearer salt pepper hmac sas signature key keys".split())
# What a key opens: with one of these before it, a key is a secret one.
_KEYS = frozenset(
    """api access secret private priv signing sign encryption encrypt encrypting decryption master account admin app application service
    auth authentication authorization client consumer server write read ingest ingestion insert license licence root seal unseal
    wallet preshared shared storage hmac cipher fernet subscription deploy deployer deployment webhook session functions function
    jwt aes rsa user token cosmos maps search wireguard minisign recovery backup data vault bot integration developer dev live test
    prod production staging sandbox rest personal crypto kms x rpc host instrumentation connection merchant partner security""".split()
)
_NOT_KEYS = frozenset(
    """public pub primary foreign cache sort partition unique composite index dict map lookup idempotency dedupe dedup object row
    group routing translation i18n shortcut hot arrow press s3 column field json yaml config option natural surrogate candidate
    hash range shard bucket enter escape tab control ctrl alt shift meta command cmd function fn home end page up down left right
    any which same other each this that the a main major takeaway new old first last second next registry room message label
    attribute metadata tag topic sorting grouping storage_path file env query param parameter locale lang language category""".split()
)
_KEY_SUFFIXES = frozenset(
    "base prod production staging dev test live old new data b64 base64 primary secondary".split()
)
_NO_QUALIFIERS = frozenset(
    "if elif else and or not in is while return assert yield with for as del when unless".split()
)
# A name that ends with one of these speaks about a secret and does not hold one.
_ABOUT = frozenset(
    """count counts type types name names id ids length len size sizes limit limits budget usage used use cost price expiry expires expiration
    expired ttl age policy policies reset rotation rotations rotate field fields url urls uri uris endpoint endpoints path paths file files
    filename dir directory folder ref refs reference hash hashes hashed hint hints prompt label placeholder format pattern regex prefix
    prefixes suffix version versions status state enabled disabled required valid validator validation validity strength manager provider
    providers class store window index idx map list per min max num number total input inputs output outputs usage_metadata error errors
    exception message messages help text title description desc doc docs page form screen view button link icon input_type handler
    handlers callback function func method fn factory builder service services source sources scope scopes issuer audience
    algorithm alg digest fingerprint created updated at date time timestamp day days hour hours minutes seconds sec ms interval timeout
    attempts retries rate cache cached lookup header headers kind mode flag option options param params parameter key_id keyid level
    col column row table cell schema model bytes bits char chars characters rule rules check checks test tests support stats
    generator parser reader writer loader encoder decoder refresh_at expire lifetime left remaining buffer stream position pos offset""".split()
)
_ABOUT_BEFORE = frozenset(
    """no without reset forgot forgotten max min num total input output prompt completion cached reasoning context csrf_field missing invalid
    wrong count estimated eos bos pad unk sep cls mask sentence word sub stop next special start end image audio text batch byte per
    expected unexpected lex lexer parse parser syntax""".split()
)


def is_word_for_password(value: str) -> bool:
    """Tell whether a value is only a word for a password, as labels and translations are: `Passwort`."""
    return value.lower() in _PASSWORD


@cache
def _western_parts() -> re.Pattern[str]:
    return re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-zß-öø-ÿа-яёőűąćęłńóśźżığşüöç]+|\d+")


def words_of(name: str) -> list[str]:
    """Return the words of a name in lower case: `dbPassword`, `DB_PASSWORD`, `db.password` alike."""
    parts = ascii_words(name) if name.isascii() else _western_parts().findall(name)
    return [word.lower() for word in parts]


@cache
def name_of(name: str, before: str) -> Name | None:
    """Return what `name` promises, None when it promises nothing; `before` is the word before it.

    Cached: the same few names occur again and again in one text.
    """
    words = words_of(name)
    if not words:
        return None
    if (words[-1] in _ABOUT and words[-1] not in _PASSWORD) or words[0] in {"getpass", "no"}:
        return None
    kind = _kind(words, before)
    if not kind:
        return None
    plural = (
        words[-1] in {"tokens", "secrets", "passwords", "keys", "credentials"} and words[-1] != "credentials"
    )
    about = (len(words) > 1 and words[0] in _ABOUT_BEFORE) or (len(words) == 1 and before in _ABOUT_BEFORE)
    loose = kind == "password" or not (plural or kind == "weak")
    return Name("key" if kind == "weak" else kind, not loose or plural or (about and kind != "password"))


def _kind(words: list[str], before: str) -> str:
    known = set(words)
    if not known.isdisjoint(_PASSWORD):
        return "password" if words[-1] != "passkey" else ""
    if "key" in known or "keys" in known:
        return _key_kind(words, before)
    if not known.isdisjoint(_SECRET):
        if not known.isdisjoint({"token", "tokens", "jwt", "apitoken", "authtoken"}):
            return "token"
        return "api-key" if not known.isdisjoint({"apikey", "apikeys"}) else "secret"
    joined = "".join(words)
    for ending, kind in (
        ("password", "password"),
        ("passwd", "password"),
        ("passphrase", "password"),
        ("apikey", "api-key"),
        ("token", "token"),
        ("secret", "secret"),
        ("privatekey", "key"),
        ("secretkey", "key"),
        ("accesskey", "key"),
        ("accountkey", "key"),
    ):
        if joined.endswith(ending):
            return kind
    return "weak" if words[-1] in _WEAK else ""


def _key_kind(words: list[str], before: str) -> str:
    at = words.index("key") if "key" in words else words.index("keys")
    qualifiers = words[:at] or ([before] if before and before not in _NO_QUALIFIERS else [])
    suffix = words[at + 1 :]
    known = all(word in _KEY_SUFFIXES or word.isdigit() for word in suffix)
    if not qualifiers:
        return "" if suffix else "weak"
    if qualifiers[-1] in _KEYS or not {"secret", "api", "private"}.isdisjoint(qualifiers):
        if not known or qualifiers == ["x"]:
            return "weak"
        return "api-key" if "api" in qualifiers else "key"
    return "weak" if not suffix and _NOT_KEYS.isdisjoint(qualifiers) else ""
