"""Find secrets beside the names that announce them: `DB_PASSWORD=…`, `"apiKey": "…"`, `the password is …`."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.anchors import OTHER_LETTERS, OTHER_STARTS, anchors, name_at
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
    is_word_password,
)
from hipocampus.redact.names import Name, is_word_for_password, name_of, words_of
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span
from hipocampus.redact.values import Value, cell_values, value_after, value_before

_NESTING = frozenset("=:({[<>|,;&\\")
_LONG = 256  # a longer value holds no names of its own: without this, `key=key=…` is read again at every name
_STOP_WORDS = frozenset(
    """a an the is are was be been must should can could may will to of for from in on at by with your you my our it its this that these not no
    and or if when then please enter type use used using required least than between contain contains characters letters match matches does
    do did has have incorrect wrong invalid forgot set reset change new confirm again here see ask was were as""".split()
)


_NAMING = frozenset(
    "password passwords passwd passphrase pass token secret key username credential credentials".split()
)


@cache
def _foreign() -> re.Pattern[str]:
    """The words for password, token, secret and API key in other languages.

    Every alternative begins with a letter that English lacks, so that English text costs nothing.
    """
    return re.compile(
        "비밀번호|비밀 번호|패스워드|암호|비번|토큰|시크릿|키(?:(?<=[Aa][Pp][Ii]키)|(?<=[Aa][Pp][Ii] 키)|(?<=인증키)|(?<=인증 키)|(?<=비밀키)|(?<=비밀 키)|(?<=액세스 키))|密(?:码|碼|钥|鑰)|口令|令牌"
        "|パス(?:ワード|フレーズ|コード)|暗証番号|トークン|シークレット|キー(?:(?<=[Aa][Pp][Ii]キー)|(?<=[Aa][Pp][Ii] キー))|秘密鍵|пароль|Пароль|ПАРОЛЬ|парола|Парола|секрет|Секрет|токен|Токен"
        "|ключ(?= (?i:api))|Ключ(?= (?i:api))|รหัสผ่าน|पासवर्ड|كلمة المرور|סיסמה|κωδικός|Κωδικός|ña(?<=ontraseña)|ł(?<=asł)o|şifre|Şifre|ậ(?<=mậ)t khẩu"
    )


_TOKEN_WORDS = ("api", "키", "キー", "鍵", "토큰", "トークン", "令牌", "токен", "密钥", "密鑰")


def find_assignments(scan: Scan) -> Iterator[Span]:
    """Yield the spans of values whose name announces a secret."""
    text, low = scan.text, scan.low
    done = 0
    columns: dict[int, int] = {}
    marked = "[redacted:" in low
    for at in anchors(scan):
        bounds = name_at(scan, at) if at >= done else None
        if not bounds or (marked and _is_in_marker(low, *bounds)):
            continue
        start, end = bounds
        done = end
        written = text[start:end]
        if _is_no_name(text, start, written):
            continue
        name = name_of(written, _word_before(text, start))
        if not name:
            continue
        value = value_after(text, start, end)
        earlier = value_before(text, start) if value is None or value.how == "beside" else None
        if earlier and is_secret(text[earlier.start : earlier.end], name, earlier, written):
            yield Span(earlier.start, earlier.end, name.kind)
        if value:
            found = _spans_of(text, value, name, written, end, columns)
            if found and value.quoted:
                found += _continued(text, value.end, name.kind)
            yield from found
            if found or value.end - value.start > _LONG or _holds_no_name(text, value):
                done = max(done, value.end)
    yield from _find_foreign(scan)


def _is_in_marker(low: str, start: int, end: int) -> bool:
    """Tell whether a name is the kind in a marker of the redactor's own."""
    before = max(0, start - 52)
    return low.rfind("[redacted:", before, end) > low.rfind("]", before, start)


def _is_no_name(text: str, start: int, written: str) -> bool:
    """Tell whether a word that could be a name only tells what comes: `<key>` of a property list, a part of an ARN."""
    if written == "key" and text[start - 1 : start] == "<":
        return True
    return text[start - 1 : start] == ":" and "arn:" in text[max(0, start - 90) : start].rpartition(" ")[2]


@cache
def _continuation() -> re.Pattern[str]:
    """What stands between a string and the one that goes on with it, or takes its place in a plan of changes."""
    return re.compile(r"([\"'])[ \t]{0,3}(?:->|\+|\\)[ \t\\]{0,4}\r?\n?[ \t]{0,40}\1([^\"'\s\\]{4,400})\1")


def _continued(text: str, end: int, kind: str) -> list[Span]:
    """Return the spans of strings that continue the quoted secret which ends at `end`."""
    spans: list[Span] = []
    while (found := _continuation().match(text, end)) and len(spans) < 20:
        end = found.end(2)
        if not is_placeholder(found[2]) and not found[2].startswith("[REDACTED"):
            spans.append(Span(found.start(2), end, kind))
    return spans


def _holds_no_name(text: str, value: Value) -> bool:
    """Tell whether nothing in a value can be a name with a value of its own."""
    return (
        not value.quoted
        and value.how in {"assign", "env"}
        and _NESTING.isdisjoint(text[value.start : value.end])
    )


def _find_foreign(scan: Scan) -> Iterator[Span]:
    text = scan.text
    columns: dict[int, int] = {}
    done = 0
    for at in scan.other_letters(OTHER_LETTERS):
        found = _foreign().match(text, at) if at >= done else None
        if not found:
            continue
        done = found.end()
        if text[done : done + 1] in OTHER_STARTS:
            continue
        kind = (
            "token"
            if any(word in text[max(0, found.start() - 4) : found.end()].lower() for word in _TOKEN_WORDS)
            else "password"
        )
        value = value_after(text, found.start(), found.end())
        if value:
            yield from _spans_of(text, value, Name(kind, False), found[0], found.end(), columns)


def _word_before(text: str, start: int) -> str:
    """Return the plain word before the name that begins at `start`, in lower case: `api` before `key`."""
    if text[start - 1 : start] != " " or text[start] not in "kKtTsS":
        return ""
    word = (
        text[max(0, start - 24) : start - 1].rpartition(" ")[2].rpartition("\n")[2].strip("\"'`*([").lower()
    )
    return word if word.isalpha() else ""


def _spans_of(
    text: str, value: Value, name: Name, written: str, end: int, columns: dict[int, int]
) -> list[Span]:
    """Return the spans of the secrets in a value, or in the column of which the name is the head."""
    span = _secret_in(text, value, name, written)
    if span:
        return [span]
    if value.how != "cell" or not _is_head(text, end):
        return []
    column = text.count("|", text.rfind("\n", 0, end) + 1, end)
    if columns.get(column, 0) > end:  # this column has been read, from a head above
        return []
    cells = cell_values(text, end)
    columns[column] = cells[-1].end if cells else end
    return [span for cell in cells if (span := _secret_in(text, cell, name, written))]


def _is_head(text: str, at: int) -> bool:
    """Tell whether the table row at `at` is followed by its rule, `|---|---|`."""
    line = text.find("\n", at, at + 1000)
    return line >= 0 and re.match(r"[ \t>]{0,8}\|?[ \t:|-]*--", text[line + 1 : line + 100]) is not None


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
    if (
        name.kind == "secret" and written[:4].lower() == "cred" and ":" in found
    ):  # credentials: user and password
        start += found.index(":") + 1
        found = found.partition(":")[2]
    return Span(start, end, name.kind) if is_secret(found, name, value, written) else None


def is_secret(found: str, name: Name, value: Value, written: str) -> bool:
    """Tell whether `found` is a secret, given what its name promises and where it stands."""
    if len(found) < 4 or (not value.quoted and (found[0] in "}])" or is_code(found))):
        return False
    if is_word_for_password(found) or (value.how == "beside" and written == "key" and _is_fingerprint(found)):
        return False
    if found.startswith(("[REDACTED", "[redacted")) or is_placeholder(found) or is_reference(found):
        return False
    if found.split(maxsplit=1) != [found]:  # holds a blank
        return value.quoted and name.kind == "password" and _is_passphrase(found)
    if is_harmless(found):
        return (
            name.kind == "password"
            and found.isdigit()
            and 6 <= len(found) <= 20
            and value.how in {"assign", "env", "flag"}
        )
    if name.strict and value.how == "next":
        return False
    if is_uuid(found):
        return not name.strict and value.how != "beside"
    if is_random(found, 16) and (has_digits(found) or not is_identifier(found)):
        return value.how != "beside" or has_digits(found, 2)
    if name.strict:
        return False
    if value.how in {"assign", "env", "flag"} and _is_encoded(found):
        return True
    if value.how in {"beside", "prose", "call", "cell", "next"}:
        return _is_strong(found, value, name)
    least = 6 if value.quoted or name.kind == "password" else 8
    if is_passwordlike(found, least) and (value.quoted or not is_identifier(found)):
        return True
    return name.kind == "password" and _is_plain_password(found, value, written)


def _is_fingerprint(found: str) -> bool:
    """Tell whether what stands beside `key` is the fingerprint of a public one: `gpg: key 80BB052C58FA454F`."""
    return len(found) in {8, 16, 32, 40} and found.isupper() and is_hex(found, 8)


@cache
def _encoded() -> re.Pattern[str]:
    return re.compile(r"(?=[a-z0-9/+]*[A-Z])(?=[A-Za-z]*[0-9/+])[A-Za-z0-9/+]{32,}={0,2}")


def _is_encoded(found: str) -> bool:
    """Tell whether a value reads as base64 of 24 bytes or more, like AWS's secret access keys."""
    return _encoded().fullmatch(found) is not None


def _is_strong(found: str, value: Value, name: Name) -> bool:
    """Tell whether a value is a password even where prose may stand: beside the name, after `is`, below it."""
    signs = sum(not char.isalnum() for char in found)
    least = 6 if name.kind == "password" else 8
    if not is_passwordlike(found, least):
        return False
    if is_identifier(found):
        return value.how == "prose" and name.kind == "password" and is_word_password(found)
    if value.how == "beside":
        return name.kind == "password" and (
            value.quoted or (has_digits(found) and any(char in "!@#$%^&*+=?" for char in found))
        )
    return has_digits(found) or signs >= 2


def _is_plain_password(found: str, value: Value, written: str) -> bool:
    """Tell whether a value of letters alone is a password: quoted, or in an environment file."""
    if not found.isascii() or len(found) < 6 or not any(char.isalpha() for char in found):
        return False
    if value.how == "env" and written == written.upper() and not value.quoted:
        return len(found) >= 8 and not is_harmless(found)
    if not value.quoted and is_word_password(found):
        return True
    words = words_of(found)
    return value.quoted and value.how in {"assign", "env"} and len(found) >= 8 and _NAMING.isdisjoint(words)


def _is_passphrase(found: str) -> bool:
    words = found.split()
    low = {word.lower().strip(".,:;!?'") for word in words}
    if not 2 <= len(words) <= 16 or not low.isdisjoint(_STOP_WORDS) or found[-1] in ".:?":
        return False
    return (
        all(len(word) < 24 for word in words)
        and (has_digits(found) or len(words) >= 4)
        and "${" not in found
        and "%" not in found
    )
