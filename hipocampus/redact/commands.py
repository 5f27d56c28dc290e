"""Find passwords in commands and files whose syntax names no key: `curl -u`, `mysql -p`, netrc, pgpass, Wi-Fi codes."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.headers import crumbs
from hipocampus.redact.judge import has_digits, is_harmless, is_passwordlike, is_placeholder, is_reference
from hipocampus.redact.places import echo_places, flag_places, has_pgpass, login_places, netrc_places
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

_FLAGS_MOST = 12  # flags of one line that are looked at
_HEAD_MOST = 300  # characters of a command line before the flag that are looked at
# An argument: quoted with one kind of quote (maybe escaped), or bare.
_ARGUMENT = r"""(?:\\{0,3}(?P<mark>["'])(?P<quoted>[^"'\n\\]{1,200})\\{0,3}(?P=mark)|(?P<bare>[^\s"'`|;&<>\\]{1,200}))"""

# flag, and the commands of which it takes a password; `:` and `%` stand between a user and the password, `;` between cookies
_FLAGS: tuple[tuple[str, str, str], ...] = (
    (r"(?:-u|--user|--proxy-user|-U|-a|--auth)[= ]?\s{0,3}", ":", r"curl|https?|xh|wget"),
    (r"-U[= ]?\s{0,3}", "%", r"smbclient|rpcclient|net"),
    (r"-p", "", r"mysql|mysqldump|mysqladmin|mysqlimport|mysqlpump|mycli|mariadb(?:-\w+)?|7za?|rar|unrar"),
    (
        r"-p[= ]?\s{0,3}",
        "",
        r"sshpass|(?:docker|podman|buildah|skopeo|nerdctl|oc|az|cf|helm\s+registry|npm)\s+login|mongo(?:sh|dump|restore)?",
    ),
    (r"-pw\s{1,3}", "", r"plink|pscp|psftp|putty"),
    (r"-p\s{1,3}", "", r"cqlsh|ncftp(?:put|get|ls)?"),
    (r"-u\s{1,3}", ",", r"lftp"),
    (r"(?:-A|-X)\s{1,3}", "", r"snmp(?:walk|get|getnext|set|bulkwalk|bulkget|trap|inform)"),
    (r"(?:-k|-K)\s{1,3}", "", r"openssl\s+(?:enc|aes\S{0,20}|des\S{0,20})"),
    (r"-t\s{1,3}", "", r"codecov|influx"),
    (r"--value[= ]\s{0,3}", "", r"(?:aws\s+)?ssm\s+put-parameter"),
    (r"-a\s{1,3}", "", r"redis-cli"),
    (r"-P[= ]?\s{0,3}", "", r"sqlcmd|bcp|unzip|zip|ipmitool|isql"),
    (r"-w\s{1,3}", "", r"ldap(?:search|modify|add|whoami|passwd|delete)"),
    (r"(?:--body|-b)[= ]\s{0,3}", "", r"gh\s+secret\s+set"),
    (r"(?:--cookie|-b)[= ]\s{0,3}", ";", r"curl"),
    (r"-pass(?:in|out)?\s{1,3}(?:[\"'])?pass:", "", r"openssl"),
)


@cache
def _commands(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s/`\"'$(])(?:{names})\s")


@cache
def _flag(written: str) -> re.Pattern[str]:
    return re.compile(written + _ARGUMENT)


@cache
def _echo() -> re.Pattern[str]:
    return re.compile(
        r"(?:echo|printf)\s+(?:-n\s+|-e\s+|'%s(?:\\n)?'\s+|\"%s(?:\\n)?\"\s+)?"
        + _ARGUMENT
        + r"\s{0,3}\|\s{0,3}(?P<sink>sudo\b[^\n|]{0,80}?-S"
        r"|(?:sudo\s+)?(?:chpasswd|passwd)\b|kinit|su\b|cryptsetup|[^\n|]{0,120}?-stdin|gh auth|vault)"
    )


@cache
def _login() -> re.Pattern[str]:
    """`login: admin / …`, `credentials admin:…`, `user/pass: dana / …`."""
    return re.compile(
        r"(?i:login|credentials|creds|user(?:name)?\s?(?:/|and|&|:)\s?pass(?:word|wd)?)(?:\s(?i:is|are|for(?:\s\S{1,20}){1,3}?))?\s{0,3}[:=]?\s{1,3}"
        r"[`\"'*]{0,2}[\w.@-]{2,40}(?:\s?/\s?|:|\s\|\s)[`\"'*]{0,2}(?P<bare>[^\s\"'`<>|,]{6,100})"
    )


@cache
def _machine() -> re.Pattern[str]:
    """The end of a netrc entry, `machine host login user password …`."""
    return re.compile(r"password\s{1,8}" + _ARGUMENT)


@cache
def _login_before() -> re.Pattern[str]:
    return re.compile(r"(?:machine|login|account)\s{1,8}\S{1,100}\s{1,8}\Z")


@cache
def _pgpass() -> re.Pattern[str]:
    return re.compile(
        r"(?m:^|(?<=[\s\"'`]))[\w.*-]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:(?P<bare>[^\s\"'`]{4,120})"
    )


@cache
def _identified() -> re.Pattern[str]:
    return re.compile(r"identified\s+(?:with\s+\S{1,40}\s+)?by\s+(?=[\"'\\])" + _ARGUMENT, re.IGNORECASE)


@cache
def _wifi() -> re.Pattern[str]:
    return re.compile(r"WIFI:(?:[A-OQ-Z]:[^;\n]{0,63};){0,6}P:(?P<bare>(?:[^;\n\\]|\\.){4,63})(?=;)")


def find_commands(scan: Scan) -> Iterator[Span]:
    """Yield the spans of passwords in commands."""
    text = scan.text
    yield from _flags(scan)
    for at in echo_places(scan):
        match = _echo().match(text, at)
        if match:
            yield from _argument(match, ":" if "chpasswd" in match["sink"] else "")
    for at in login_places(scan):
        pair = _login().match(text, at)
        if pair and _is_pair_password(pair["bare"]):
            yield from _argument(pair, "")
    for at in netrc_places(scan):
        entry = _machine().match(text, at)
        if entry and _login_before().search(text, max(0, at - 200), at):
            yield from _argument(entry, "")
    for word, pattern in (("identified", _identified), ("wifi:", _wifi)):
        for at in scan.at(word):
            found = pattern().match(text, at)
            if found:
                yield from _argument(found, "")
    if has_pgpass(scan):
        for found in _pgpass().finditer(text):
            yield from _argument(found, "")


def _flags(scan: Scan) -> Iterator[Span]:
    """Yield the passwords after flags, looking at few flags of each line."""
    text = scan.text
    line, flags = -1, 0
    for at in flag_places(scan):
        start = text.rfind("\n", max(0, at - _HEAD_MOST), at)
        start = start if start >= 0 else -2 - at // _HEAD_MOST  # a long line: look at it piece by piece
        flags = flags + 1 if start == line else 1
        line = start
        if flags <= _FLAGS_MOST:
            yield from _flagged(text, at)


def _flagged(text: str, at: int) -> Iterator[Span]:
    """Yield the password after the flag before which the blank at `at` stands."""
    head = ""
    for written, user, names in _FLAGS:
        if text[at + 1 : at + 3] not in written:  # so that few patterns are ever compiled
            continue
        head = head or _head(text[max(0, at - _HEAD_MOST) : at])
        if not _commands(names).search(head):
            continue
        match = _flag(written).match(text, at + 1)
        if match:
            yield from crumbs(text, match.start(), match.end()) if user == ";" else _argument(match, user)
            return


def _head(before: str) -> str:
    """Return the command to which the end of a text belongs, with a blank behind it."""
    start = max(before.rfind("\n"), before.rfind("|"), before.rfind(";")) + 1
    escaped = before.rfind("\\n", start)
    return before[start if escaped < 0 else escaped + 2 :] + " "


def _argument(match: re.Match[str], user_sign: str) -> Iterator[Span]:
    groups = match.groupdict()
    name = "quoted" if groups.get("quoted") else "bare"
    value, start = match[name], match.start(name)
    if user_sign:
        user, sign, value = value.partition(user_sign)
        if not sign:
            return
        start += len(user) + 1
    if name == "bare":
        value = value.rstrip(".,;:)]}")
    if (
        len(value) < 3
        or is_placeholder(value)
        or is_reference(value)
        or value.startswith(("-", "/", "[REDACTED"))
    ):
        return
    yield Span(start, start + len(value), "password")


def _is_pair_password(value: str) -> bool:
    value = value.rstrip(".,;:)]}")
    return not is_harmless(value) and is_passwordlike(value) and (has_digits(value) or "/" not in value)
