"""Find credentials in URLs: `user:password@host`, a token for a user, webhooks, signed queries."""

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.redact.judge import is_hex, is_placeholder, is_random, is_reference, is_uuid
from hipocampus.redact.places import driver_places, has_hook
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span

# Hosts of webhooks that people write without the scheme.
_HOOK_HOSTS = (
    "hooks.slack.com/",
    "discord.com/api/webhooks/",
    "discordapp.com/api/webhooks/",
    "hooks.zapier.com/",
)


@cache
def _userinfo() -> re.Pattern[str]:
    return re.compile(
        r"://([^\s:/?#@\"'`<>|\\\[\]]{0,100})(?::([^\s/\"'`<>\\]{1,256}|[^\s\"'`<>\\]{1,256}?))?@(?=[A-Za-z0-9\[_${.-])"
    )


@cache
def _url() -> re.Pattern[str]:
    return re.compile(r"[^\s\"'`<>]{4,4096}")


@cache
def _driver() -> re.Pattern[str]:
    """`user:password@tcp(host)`, the form of Go's MySQL driver."""
    return re.compile(r"[\w.-]{1,64}:([^\s\"'`]{1,128})@(?:tcp|unix)\(")


@cache
def _query() -> re.Pattern[str]:
    return re.compile(
        r"[?&;](?i:(?:x-(?:amz|goog|ms|oss|cos)-)?(?:signature|sig|security-token|hmac|se?ign|code|key|auth|sid|appid|hapikey"
        r"|subscription-key|jwt|assertion|ticket|session|session_id|sessionid|token|t|k))=([^\s&\"'`<>\\#,;)\]|]{12,})"
    )


@cache
def _signature() -> re.Pattern[str]:
    return re.compile(r"sig=([A-Za-z0-9%+/_=-]{20,256})")


@cache
def _hook() -> re.Pattern[str]:
    return re.compile(
        r"(?:://)?[\w.-]{3,80}/(?:[\w.-]{1,40}/){0,4}?(?:services|web-?hooks?b?2?|hooks?|catch|incoming|workflows|key)"
        r"(?:/[\w@%-]{1,80}){0,4}?/((?:T[A-Z0-9]{7,}/[AB][A-Z0-9]{7,}/)?[A-Za-z0-9_.-]{16,}(?:/[\w@%-]{8,}){0,4})"
    )


@cache
def _bot() -> re.Pattern[str]:
    return re.compile(r"/bot(\d{6,12}:[A-Za-z0-9_-]{30,})")


def find_urls(scan: Scan) -> Iterator[Span]:
    """Yield the spans of secrets in the URLs of the text."""
    text, low = scan.text, scan.low
    done = 0
    for at in scan.at("://"):
        if text.find("@", at, at + 400) >= 0:
            yield from _users(text, at)
        url = _url().match(text, at) if at >= done else None
        if url:  # a URL inside it has been seen with it
            done = url.end()
            yield from _in_url(text, low, at, done)
    for host in _HOOK_HOSTS if has_hook(scan) else ():
        for at in scan.at(host):
            if text[at - 1 : at] != "/":  # without `https://`
                yield from _hooks(text, at)
    done = 0
    for at in scan.at("sig="):
        signature = _signature().match(text, at) if at >= done else None
        done = signature.end() if signature else done
        if signature and _is_signature(signature[1]):
            yield Span(signature.start(1), signature.end(1), "url-token")
    for at in driver_places(scan):
        yield from _passwords(_driver(), text, max(0, at - 200), at + 6)


def _in_url(text: str, low: str, at: int, end: int) -> Iterator[Span]:
    query = text.find("?", at, end)
    if query >= 0:
        for match in _query().finditer(text, query, end):
            if _is_signature(match[1]):
                yield Span(match.start(1), match.end(1), "url-token")
    if (
        low.find("hook", at, end) >= 0
        or low.find("/services/", at, end) >= 0
        or low.find("/key/", at, end) >= 0
    ):
        yield from _hooks(text, at)
    bot = _bot().search(text, at, end) if text.find("/bot", at, end) >= 0 else None
    if bot:
        yield Span(bot.start(1), bot.end(1), "telegram-token")


def _hooks(text: str, at: int) -> Iterator[Span]:
    hook = _hook().match(text, at)
    if hook and _is_hook_secret(hook[1]):
        yield Span(hook.start(1), hook.end(1), "webhook")


def _users(text: str, at: int) -> Iterator[Span]:
    match = _userinfo().match(text, at)
    if not match:
        return
    user, password = match[1], match[2]
    if password is None:
        if len(user) >= 20 and (is_random(user) or is_hex(user)) and not is_uuid(user):
            yield Span(match.start(1), match.end(1), "url-token")
    elif _is_url_password(password):
        yield Span(match.start(2), match.end(2), "url-password")


def _passwords(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    for match in pattern.finditer(text, start, end):
        if _is_url_password(match[1]):
            yield Span(match.start(1), match.end(1), "url-password")


def _is_url_password(password: str) -> bool:
    """Tell whether what stands between `:` and `@` is a password; `://host:8080/@name` is none."""
    head = password.split("/", 1)[0]
    if "/" in password and (
        head.isdigit() or ("." in head and "?" not in head and not any(c.isdigit() for c in head))
    ):
        return False
    return not (
        is_placeholder(password) or is_reference(password) or password.startswith(("[REDACTED", "%s", "{"))
    )


def _is_signature(value: str) -> bool:
    return not is_placeholder(value) and not is_reference(value) and (is_hex(value) or is_random(value, 14))


def _is_hook_secret(value: str) -> bool:
    parts = value.split("/")
    if len(parts) == 3 and parts[0][0] == "T" and parts[2].isalnum() and len(parts[2]) >= 20:  # Slack's
        return len(set(parts[2].lower())) > 3 and not is_placeholder(parts[2])
    return any(is_random(part) or is_uuid(part) for part in parts)
