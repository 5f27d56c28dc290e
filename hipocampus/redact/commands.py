"""Find passwords in command lines and files whose syntax names no key: `curl -u`, `mysql -p`, netrc, pgpass, Wi-Fi."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import is_harmless, is_placeholder, is_reference
from hipocampus.redact.spans import Span

# An argument: quoted with one kind of quote (maybe escaped), or bare. Its text is the group `value`.
_ARG = r"""(?:\\{0,3}(?P<mark>["'])(?P<quoted>[^"'\n\\]{1,200})\\{0,3}(?P=mark)|(?P<bare>[^\s"'`|;&<>\\]{1,200}))"""
_BEFORE = r"(?:[^\n|;]{0,300}?\s)?"
_RULES: tuple[tuple[tuple[str, ...], str], ...] = (
    # (words of which one must occur, pattern)
    (
        ("curl", "wget", "http"),
        rf"\b(?:curl|wget|https?)\s{_BEFORE}(?:-u|--user|--proxy-user|-U|-a|--auth)(?:[= ]\s{{0,3}})?(?P<user>)" + _ARG,
    ),
    (
        ("mysql", "mariadb"),
        rf"\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli)\s{_BEFORE}-p" + _ARG,
    ),
    (
        ("sshpass", "docker", "podman", "helm", "skopeo", "oc ", "buildah", "nerdctl", "az ", "mongo", "plink", "pscp"),
        r"\b(?:sshpass|(?:docker|podman|buildah|skopeo|nerdctl|helm registry|oc|az)\s+login|mongo(?:sh|dump|restore)?|plink|pscp)\s"
        rf"{_BEFORE}(?:-p|-pw)[ =]?" + _ARG,
    ),
    (
        ("redis-cli", "sqlcmd", "ldap", "bcp", "unzip", "zip", "7z", "smbclient", "ipmitool", "snmp", "rclone"),
        rf"\b(?:redis-cli\s{_BEFORE}-a |(?:sqlcmd|bcp|unzip|zip|ipmitool)\s{_BEFORE}-P ?"
        rf"|ldap(?:search|modify|add|whoami|passwd|delete)\s{_BEFORE}-w |7za?\s{_BEFORE}-p(?=\S)|rclone obscure )" + _ARG,
    ),
    (("pass:",), r"\s-pass(?:in|out)?\s+(?:\"|')?pass:" + _ARG),
    (("smbclient", "smb", "cifs"), rf"\bsmbclient\s{_BEFORE}-U\s+(?:[^\s%]+%)" + _ARG),
    (
        ("sudo", "stdin", "chpasswd", "passwd", "cryptsetup", "kinit", "login", "su "),
        r"\b(?:echo|printf)\s+(?:-n\s+|-e\s+|(?:'%s(?:\\n)?'|\"%s(?:\\n)?\")\s+)?(?P<user2>)" + _ARG + r"""(?=\s*\|\s*"""
        r"""(?:sudo\b[^\n|]{0,80}-S|sudo\s+(?:chpasswd|passwd)|chpasswd|passwd\b|kinit|su\b|cryptsetup|[^\n|]{0,120}-stdin|gh auth|vault))""",
    ),
    (
        ("--body", "from-literal", "secret"),
        r"\bgh\s+secret\s+set\s[^\n|;]{0,200}?(?:--body|-b)[= ]" + _ARG,
    ),
    (("wifi:",), r"\bWIFI:[^\n]{0,200}?P:(?P<bare>(?:[^;\n\\]|\\.){4,120})(?=;)"),
    (
        ("identified by", "with password", "encrypted password", "set password"),
        r"\b(?:IDENTIFIED\s+(?:WITH\s+\S{1,40}\s+)?(?:BY|AS)|(?:ENCRYPTED\s+)?PASSWORD(?:\s*=)?)\s+" + _ARG,
    ),
    (
        ("login:", "login ", "cred", "user", "logins"),
        r"\b(?:login|log[- ]?in|credentials|creds|user(?:name)?\s?(?:/|and|&)\s?pass(?:word)?|user:pass(?:word)?)(?:\s+(?:is|are|for\s+\S{1,30}))?"
        r"\s{0,3}[:=]?\s{1,3}[`\"'*]{0,2}[\w.@-]{2,40}(?:\s?/\s?|:|\s\|\s)[`\"'*]{0,2}(?P<pair>[^\s\"'`<>|,]{6,100})",
    ),
    (
        ("machine ",),
        r"\bmachine\s+\S+\s+(?:login\s+\S+\s+)?(?:account\s+\S+\s+)?password\s+" + _ARG,
    ),
    ((":5432:", ":3306:", ":*:", ":5433:", ":6432:"), r"(?:^|[\s\"'`])[\w.*-]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:(?P<bare>[^\s\"'`]{4,120})"),
    (("net user",), r"\bnet\s+user\s+\S{1,40}\s+" + _ARG),
)  # fmt: skip


@cache
def _pattern(rule: str) -> re.Pattern[str]:
    return re.compile(rule, re.IGNORECASE if rule.startswith(r"\b(?:IDENT") else 0)


def find_commands(text: str, low: str) -> Iterator[Span]:
    """Yield the spans of passwords in commands; `low` is the text in lower case."""
    for words, rule in _RULES:
        if not any(word in low for word in words):
            continue
        for match in _pattern(rule).finditer(text):
            yield from _argument(match)


def _argument(match: re.Match[str]) -> Iterator[Span]:
    groups = match.groupdict()
    name = next((each for each in ("quoted", "bare", "pair") if groups.get(each)), "")
    if not name:
        return
    value, start = match[name], match.start(name)
    if "user" in groups or ("user2" in groups and ":" in value and "chpasswd" in match.string[match.end() : match.end() + 30]):
        user, colon, value = value.partition(":")
        if not colon:
            return
        start += len(user) + 1
    trimmed = value.rstrip(".,;:)]}")
    value = trimmed if name != "quoted" else value
    if len(value) < 3 or is_placeholder(value) or is_reference(value) or value.startswith(("-", "/", "[REDACTED")):
        return
    if name == "pair" and (is_harmless(value) or not any(char.isdigit() or char in "!@#$%^&*+=?" for char in value)):
        return
    yield Span(start, start + len(value), "password")
