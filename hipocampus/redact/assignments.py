"""Find secrets beside the names that announce them: `DB_PASSWORD=…`, `"apiKey": "…"`, `the password is …`."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import (
    has_digits,
    is_code,
    is_harmless,
    is_hex,
    is_identifier,
    is_passwordlike,
    is_placeholder,
    is_random,
    is_reference,
    is_uuid,
)
from hipocampus.redact.names import Name, name_of, words_of
from hipocampus.redact.spans import Span
from hipocampus.redact.values import Value, cell_values, value_after

_NAME_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-")
_NAME_MOST = 64
_STOP_WORDS = frozenset(
    """a an the is are was be been must should can could may will to of for from in on at by with your you my our it its this that these not no
    and or if when then please enter type use used using required least than between contain contains characters letters match matches does
    do did has have incorrect wrong invalid forgot set reset change new confirm again here see ask was were as""".split()
)


@cache
def _anchor() -> re.Pattern[str]:
    """The words that announce a secret, in lower case; grouped by first letter, which is what makes it fast."""
    return re.compile(
        r"pass(?:w(?:or[dt]|d)?|phrase|code|(?=[\"'`\\\]*]{0,8}[ \t]{0,3}[=:|])|(?=_))|p(?:wd|sk|w)(?=[\"'`\\\]*]{0,8}\s{0,3}[=:| ])"
        r"|(?:_|store|key|user|master)pass(?=[\"'` =:])|secret(?!ar|ly)|token(?!iz|is)|key(?![a-rt-z])|cred(?:s|ential)|apikey"
        r"|auth(?=[\"'`\\\]]{0,8}\s{0,3}[=:])|bearer |salt(?=[\"'`\\\]]{0,8}\s{0,3}[=:,])|jwt(?=[\"'`\\\]]{0,8}\s{0,3}[=:])"
        r"|requirepass|masterauth|kennwort|senha|wachtwoord|mot de passe|salasana|contrasena|heslo|clave(?=\s{0,2}[:=])"
    )


@cache
def _foreign() -> re.Pattern[str]:
    return re.compile(
        r"비밀\s?번호|패스워드|암호|비번|토큰|시크릿|(?:API|api|Api)\s?키|인증\s?키|비밀\s?키|액세스\s?키|密[码碼]|口令|密[钥鑰]|令牌|密語|パスワード|パスフレーズ|暗証番号|トークン"
        r"|シークレット|(?:API|api)\s?キー|秘密鍵|[Cc]ontraseña|[Пп]ароль|[Сс]екрет|[Тт]окен|[Кк]люч API|[Łł]|[Hh]asło|[Şş]ifre|[Ll]ösenord|mật khẩu|รหัสผ่าน|पासवर्ड"
        r"|كلمة المرور|סיסמה|[Κκ]ωδικός|[Jj]elszó|[Пп]арола|[Cc]lé (?:API|api|secrète)|[Сс]ырсөз"
    )


def find_assignments(text: str, low: str) -> Iterator[Span]:
    """Yield the spans of values whose name announces a secret; `low` is the text in lower case."""
    done = 0
    marked = "[redacted:" in low
    for anchor in _anchor().finditer(low):
        if anchor.start() < done:
            continue
        start, end = _name_bounds(text, anchor.start(), anchor.end())
        if marked and low.rfind("[redacted:", max(0, start - 52), end) > low.rfind("]", max(0, start - 52), start):
            continue
        done = end
        yield from _spans_at(text, start, end)
    if not text.isascii():
        for anchor in _foreign().finditer(text):
            value = value_after(text, anchor.start(), anchor.end())
            kind = "password" if anchor[0][0] not in "AaクТттト토" and "키" not in anchor[0] else "token"
            yield from _judged(text, value, Name(kind, False), anchor[0], anchor.end())


def _spans_at(text: str, start: int, end: int) -> Iterator[Span]:
    written = text[start:end]
    before = ""
    if text[start - 1 : start] in {" ", "_"} or text[start - 1 : start] == "-":
        before = re.split(r"[^A-Za-z0-9]+", text[max(0, start - 24) : start - 1])[-1].lower()
    name = name_of(written, before)
    if name is None:
        return
    value = value_after(text, start, end)
    yield from _judged(text, value, name, written, end)


def _judged(text: str, value: Value | None, name: Name, written: str, end: int) -> Iterator[Span]:
    if value is None:
        return
    span = _secret_in(text, value, name, written)
    if span:
        yield span
    elif value.how == "cell" and _is_head(text, end):
        for cell in cell_values(text, end):
            span = _secret_in(text, cell, name, written)
            if span:
                yield span


def _is_head(text: str, at: int) -> bool:
    """Tell whether the table row at `at` is followed by its rule, `|---|---|`."""
    line = text.find("\n", at, at + 1000)
    return line >= 0 and re.match(r"[ \t>]{0,8}\|?[ \t:|-]*--", text[line + 1 : line + 100]) is not None


def _name_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    left, right = start, end
    while left > 0 and start - left < _NAME_MOST and text[left - 1] in _NAME_CHARS:
        left -= 1
    while right < len(text) and right - end < _NAME_MOST and text[right] in _NAME_CHARS:
        right += 1
    while right > end and text[right - 1] in ".-$":
        right -= 1
    if text[left - 1 : left] == "\\" and left < start and text[left] in "nrt":
        left += 1  # `\nPASSWORD` in a JSON string
    return left, right


@cache
def _scheme() -> re.Pattern[str]:
    return re.compile(r"(?:[A-Za-z][A-Za-z-]{2,14})[ \t]+(?=\S{8,}$)")


def _secret_in(text: str, value: Value, name: Name, written: str) -> Span | None:
    """Return the span of the secret in a value, None when the value is harmless."""
    start, end = value.start, value.end
    found = text[start:end]
    scheme = _scheme().match(found) if value.quoted else None
    if scheme:  # "Bearer …", "Basic …"
        start += scheme.end()
        found = found[scheme.end() :]
    return Span(start, end, name.kind) if is_secret(found, name, value, written) else None


def is_secret(found: str, name: Name, value: Value, written: str) -> bool:
    """Tell whether `found` is a secret, given what its name promises and where it stands."""
    if len(found) < 4 or found.startswith(("[REDACTED", "[redacted")) or is_placeholder(found) or is_reference(found):
        return False
    if any(char.isspace() for char in found):
        return value.quoted and name.kind == "password" and _is_passphrase(found)
    if not value.quoted and is_code(found):
        return False
    if is_harmless(found):
        return name.kind == "password" and found.isdigit() and 6 <= len(found) <= 20 and value.how in {"assign", "env", "flag"}
    if is_uuid(found):
        return not name.strict and value.how != "beside"
    if is_random(found, 16) and (has_digits(found) or not is_identifier(found)):
        return value.how != "beside" or has_digits(found, 2)
    if name.strict:
        return False
    if value.how in {"beside", "prose", "call", "cell", "next"}:
        return _is_strong(found, value, name)
    if is_passwordlike(found) and (value.quoted or not is_identifier(found)):
        return True
    return name.kind == "password" and _is_plain_password(found, value, written)


def _is_strong(found: str, value: Value, name: Name) -> bool:
    """Tell whether a value is a password even where prose may stand: beside the name, after `is`, below it."""
    signs = sum(not char.isalnum() for char in found)
    least = 6 if name.kind == "password" else 8
    if not is_passwordlike(found, least) or is_identifier(found):
        return False
    if value.how == "beside":
        return name.kind == "password" and (value.quoted or (has_digits(found) and any(char in "!@#$%^&*+=?" for char in found)))
    return has_digits(found) or signs >= 2


def _is_plain_password(found: str, value: Value, written: str) -> bool:
    """Tell whether a value of letters alone is a password: quoted, or in an environment file."""
    if not found.isascii() or len(found) < 6 or not any(char.isalpha() for char in found):
        return False
    if value.how == "env" and written == written.upper() and not value.quoted:
        return len(found) >= 8 and not is_harmless(found)
    return value.quoted and value.how in {"assign", "env"} and found not in words_of(written) and len(found) >= 8


def _is_passphrase(found: str) -> bool:
    words = found.split()
    low = {word.lower().strip(".,:;!?'") for word in words}
    if not 2 <= len(words) <= 16 or not low.isdisjoint(_STOP_WORDS) or found[-1] in ".:?":
        return False
    return all(len(word) < 24 for word in words) and (has_digits(found) or len(words) >= 4) and "${" not in found and "%" not in found
