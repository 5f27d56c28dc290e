"""The shapes of tokens: what stands at a place of a text that may begin one.

Vendors' formats come from `vendors`; here are those that are more than a prefix (JSON web tokens,
Discord, Terraform Cloud, Azure AD, Telegram, Mailchimp, Airtable, Asana), and the guess for vendors
that the table lacks: a short prefix, then characters drawn by chance.
"""

import re
from functools import cache

from hipocampus.redact.judge import has_digits, irregular, is_hex, is_random, is_uuid, wordlike
from hipocampus.redact.spans import Span
from hipocampus.redact.vendors import WORD, format_of, is_common

# Prefixes of identifiers that are no secret, from the APIs' own documentation.
_IDS = frozenset(
    """
    msg prt prj toolu tooluse req call chatcmpl cmpl run thread asst step file resp rs fc ws gen batch vs vsfc ft ftjob org proj user
    cus pi price prod sub evt in ch acct seti pm src card ba txn re po tr cs il ii si sha sha1 sha256 sha384 sha512 md5
    css sc jsx chunk vendor main index bundle img image layer node trace span session sess conv conversation event id uid uuid
    task job doc page block item obj ref sid cid tid pid rid hash digest commit build release arn ami vpc subnet sg eni vol
    snap igw rtb acl key-id etag nonce srvtoolu mcp agent plan invite team ws workspace channel ssh ecdsa rsa claude gpt model
    app lib js static page icon logo report post data log run test file user client server pr mr pkg mod ver rev ref tx addr
    ses s env dep branch tree ckeditor react vue svelte angular webpack vite next nuxt chrome firefox chapter section article
    container blob upload asset assets video audio ckpt exp trial cache temp tmp sentry ray pod svc deploy deployment ip i
    """.split()
)
# Lengths of tokens that are all of one length, prefix included.
_WHOLE = dict.fromkeys(("ghp_", "gho_", "ghu_", "ghs_", "npm_"), 40) | {
    "AIza": 39,
    "AKIA": 20,
    "github_pat_": 93,
}
_SECRET_WORDS = frozenset(
    "key api apikey sk rk pat tok token secret auth live test prod pw pass bearer jwt access refresh".split()
)


@cache
def _chars(alphabet: str) -> re.Pattern[str]:
    return re.compile(f"[{alphabet}]+")


@cache
def _jwt() -> re.Pattern[str]:
    return re.compile(r"eyJ[A-Za-z0-9_=-]{6,}\.[A-Za-z0-9_=-]{6,}(?:\.[A-Za-z0-9_=-]*){0,3}")


@cache
def _generic() -> re.Pattern[str]:
    """A prefix: up to four short words, each of one case."""
    return re.compile(
        r"((?:(?:[a-z]{1,11}[0-9]{0,2}[a-z]{0,2}|[A-Z]{2,10}[0-9]{0,2})[_-]){1,4})(?=[A-Za-z0-9_-]{20,})"
    )


@cache
def _digest_before() -> re.Pattern[str]:
    return re.compile(
        r"(?:sha[0-9]{0,3}|md5|digest|hash|etag|checksum|integrity|nonce)[\"']?\s?[=:-]\s?[\"']?\Z",
        re.IGNORECASE,
    )


@cache
def _lead() -> re.Pattern[str]:
    """A prefix of two to six characters and a dot, as in `hvs.` or `SG.`, and the rest."""
    return re.compile(
        r"(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9]{1,5})\.([A-Za-z0-9_-]{22,})((?:\.[A-Za-z0-9_-]{16,})*)"
    )


def vendor_at(text: str, start: int, *, inner: bool = False) -> Span | None:
    """Return the span of a vendor's token that begins at `start`; `inner`: in the middle of a run."""
    found = format_of(text[start : start + 24])
    if not found:
        return None
    prefix, form = found
    match = _chars(form.alphabet).match(text, start + len(prefix))
    if not match:
        return None
    body = match[0].rstrip(".-=" if "=" not in form.alphabet else ".-")
    tail = text[match.end() : match.end() + 2]
    if len(body) < form.least or _is_filler(body):
        return None
    if inner or is_common(prefix):
        chance = is_random(_longest(body)) or is_hex(body, 24) or is_uuid(body)
        if not chance or _digest_before().search(text, max(0, start - 16), start):
            return None
    if form.alphabet == "A-Z0-9" and (tail[:1].isalnum() or tail[:1] == "_") and tail.isascii():
        return None
    end = match.end() if "=" in form.alphabet else start + len(prefix) + len(body)
    return Span(start, end, form.kind)


def dotted_at(text: str, left: int, start: int, end: int) -> Span | None:
    """Return the span of a token of several parts: JWT, Discord, Terraform Cloud, Azure AD."""
    if text.startswith("eyJ", start):
        match = _jwt().match(text, start)
        if match:
            return Span(match.start(), match.end(), "jwt")
        rest = rest_of_line().match(text, end)
        if rest and "." in rest[1]:
            return Span(start, end, "jwt")
    following = text[end : end + 12]
    if following.startswith(".atlasv1."):
        tail = _chars(WORD).match(text, end + 9)
        if tail and len(tail[0]) >= 30:
            return Span(start, tail.end(), "cloud-token")
    if following[:1] == "." and text[start] in "MNO" and end - start in range(22, 30):
        match = re.compile(r"\.[A-Za-z0-9_-]{5,7}\.[A-Za-z0-9_-]{26,}").match(text, end)
        if match and has_digits(text[start:end]):
            return Span(start, match.end(), "discord-token")
    if following[:1] == "." and text.startswith("pat", start) and end - start == 17:  # Airtable
        match = re.compile(r"\.[0-9a-f]{64}").match(text, end)
        if match:
            return Span(start, match.end(), "saas-token")
    if "~" in text[left:start] or following[:1] == "~":
        match = re.compile(r"[A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{30,40}").search(
            text, max(0, left - 6), end + 48
        )
        if match:
            return Span(match.start(), match.end(), "azure-key")
    return None


def bare_at(text: str, start: int, end: int) -> Span | None:
    """Return the span of a token without a prefix that has a shape of its own: Mailchimp, Telegram, Google refresh."""
    run = text[start:end]
    if text[start - 3 : start] == "1//" and run[0] == "0" and len(run) >= 30:
        return Span(start - 3, end, "google-token")
    if text[start - 1 : start] == ":" and run.startswith("AA") and 32 <= len(run) <= 40:
        left = start - 1
        while left > start - 14 and text[left - 1] in "0123456789":
            left -= 1
        if start - 1 - left >= 8:
            return Span(left, end, "telegram-token")
    if (
        text[start - 1 : start] == ":"
        and is_hex(run, 32)
        and re.search(r"\b\d/\d{10,20}:\Z", text[max(0, start - 24) : start])
    ):
        return Span(start, end, "saas-token")  # Asana
    if len(run) in range(36, 38) and run[32:35] == "-us" and is_hex(run[:32]):
        return Span(start, end, "mailchimp-key")
    if run.startswith("sk-") and len(run) >= 23 and not _is_filler(run[3:]) and is_random(_longest(run[3:])):
        return Span(start, end, "llm-key")
    return None


def generic_at(text: str, start: int, end: int) -> Span | None:
    """Return the span of a token of a vendor that the table lacks: a short prefix and characters drawn by chance.

    The prefix must not be one of an identifier. Hexadecimal digits are believed only when no path or
    file name holds them, since digests are written like that.
    """
    match = _generic().match(text, start, end)
    if not match or _digest_before().search(text, max(0, start - 16), start):
        return None
    words = match[1].lower().replace("-", "_").replace(".", "_").rstrip("_").split("_")
    telling = not _SECRET_WORDS.isdisjoint(words)
    if match.end(1) - start < 4 and not telling:
        return None
    body = text[match.end(1) : end].rstrip("_-")
    if words[0] in _IDS or (words[-1] in _IDS and not telling) or _is_filler(body):
        return None
    if is_hex(body, 32):
        named = text[start - 1 : start] == "/" or text[end : end + 1] == "."
        return Span(start, end, "token") if telling or (len(words[0]) <= 6 and not named) else None
    letters = re.sub("[_-]", "", body)
    if len(letters) < (20 if telling else 24 if letters != body else 22) or not has_digits(letters, 2):
        return None
    if letters in (letters.lower(), letters.upper()):
        chance = (
            letters == body
            and has_digits(letters, 4)
            and irregular(letters) > (0.22 if letters == letters.upper() or telling else 0.4)
        )
        return Span(start, end, "token") if chance and wordlike(letters) < 0.45 else None
    return Span(start, end, "token") if irregular(letters) > 0.42 and wordlike(letters) < 0.6 else None


def lead_at(text: str, left: int) -> Span | None:
    """Return the span of an unknown vendor's token with a dot after its prefix, like `hvs.…`."""
    match = _lead().match(text, left)
    if not match or match[1].lower() in _IDS or not has_digits(match[2], 3):
        return None
    body = re.sub("[_-]", "", match[2])
    mixed = body not in (body.lower(), body.upper())
    return (
        Span(match.start(), match.end(), "token")
        if mixed and irregular(body) > 0.42 and wordlike(body) < 0.5
        else None
    )


@cache
def rest_of_line() -> re.Pattern[str]:
    """The rest of a token on a line of its own, as terminals break long lines."""
    return re.compile(r"\r?\n([A-Za-z0-9_.+/=-]{12,})[ \t]*(?=\r?\n|$)")


def wrapped_at(text: str, span: Span) -> Span | None:
    """Return the span of the rest of a token, where the next line holds that and nothing else.

    What is a token, a digest or a word itself is no rest, nor is what holds characters that the token's
    format lacks; a token that has its whole length has none.
    """
    if text[span.end : span.end + 1] not in {"\r", "\n"} or span.end - span.start < 24:
        return None
    rest = rest_of_line().match(text, span.end)
    if not rest:
        return None
    token, tail = text[span.start : span.end], rest[1]
    known = format_of(token[:24])
    if known and (
        len(token) == _WHOLE.get(known[0]) or not _chars(known[1].alphabet).fullmatch(tail.rstrip("="))
    ):
        return None
    if format_of(tail[:24]) or generic_at(text, *rest.span(1)) or is_hex(tail, 12) or is_uuid(tail):
        return None
    for case in (str.lower, str.upper):
        if tail == case(tail) and token != case(token):
            return None
    if not is_random(tail, 12):
        return None
    return Span(*rest.span(1), span.kind)


def _is_filler(body: str) -> bool:
    low = body.lower()
    return len(set(low)) <= 3 or "xxxx" in low or "example" in low or "your" in low[:8] or "****" in low


def _longest(body: str) -> str:
    """Return the longest stretch without separators: the part that is drawn by chance."""
    return max(re.split(r"[_.-]", body), key=len)
