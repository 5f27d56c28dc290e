"""Judge a candidate value: a placeholder, a reference, code, something like a password, or random.

Pure functions of the value alone; what the key is called and where the value stands is the
caller's business.
"""

import itertools
import re
from functools import cache

# Words that make a value a placeholder when it has no others.
_PLACEHOLDER_WORDS = frozenset(
    """
    your my our the a an some any this that here there x xx xxx xxxx yyy zzz abc foo bar baz qux
    example sample dummy placeholder changeme change me replace insert enter put add set fill paste
    todo tbd fixme none null nil undefined unset empty blank na n true false yes no on off default
    password passwd passphrase pass pwd passcode pw secret secrets token tokens key keys apikey api
    access auth authorization authentication bearer basic credential credentials cred creds login user
    username usr name account client id email value val string str text str1 int integer bool boolean
    number float bytes byte any object dict map list array optional required mandatory hidden masked
    redacted removed omitted elided private public shared service server app application admin root
    database db host url uri file path env environment var variable config settings production prod
    staging dev development test testing local localhost ask see from with in of for is be to and or
    not it will goes new old current temp random long strong secure encrypted hashed plain raw type
    github gitlab openai anthropic google aws azure slack stripe npm docker option self it's readonly
    read write only generated auto automatic manual internal external managed unknown disabled enabled
    invalid valid expired wrong missing forgotten incorrect rejected accepted denied revoked ok okay
    rotated reset updated stored saved deleted changed
    """.split()
)
_REFERENCE_STARTS = (
    "$", "%(", "{{", "{%", "#{", "@{", "<%", "arn:", "op://", "vault:", "secret://", "sm://", "ssm:", "env:", "env(",
    "file:", "keyring:", "alias/", "projects/", "sha1:", "sha256:", "sha512:", "sha1-", "sha256-", "sha384-", "sha512-",
    "md5:", "enc[", "!vault", "!secret", "!env", "!sub", "!ref", "http://", "https://", "data:", "0x7f", "ssh-", "os.",
    "process.", "import.meta", "secrets.", "env.", "config.", "settings.", "self.", "this.", "var.", "local.", "&lt;",
)  # fmt: skip
_COMMON_PAIRS = frozenset(
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic "
    "ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un "
    "lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev "
    "ld ry mp fe bl ab gh ty op wo sa ay ex ke".split()
)


_FORMAT_SIGNS = frozenset("%[\\(")
_DIGITS = frozenset("0123456789")
_SHAPE_SIGNS = frozenset(
    "0123456789.,#/\\@"
)  # one of these is in every harmless shape but those of two words
_KEYWORDS = frozenset(("lambda", "new", "await", "not"))
_TYPE_ENDINGS = ("Key", "Token", "Type", "Secret", "Provider", "Params", "Config")
# One of these anywhere makes a placeholder, in lower case: no secret contains them by chance.
_PLACEHOLDER_PARTS = (
    "redacted", "example", "placeholder", "changeme", "change_me", "change-me", "your_", "your-", "yourkey", "yourtoken",
    "yourpass", "yoursecret", "xxxxx", "*****", "•••", "...", "…", "insert_", "insert-",
)  # fmt: skip


@cache
def _ascii_words() -> re.Pattern[str]:
    return re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")


def ascii_words(value: str) -> list[str]:
    """Return the words and numbers of ASCII in a value, as they are written: `dbPassword2` holds three."""
    return _ascii_words().findall(value)


@cache
def _format_part() -> re.Pattern[str]:
    """What regular expressions and format strings hold, in lower case: such a value is a pattern and no secret."""
    return re.compile(r"%[sdr](?![0-9a-z_])|%\(\w+\)|\[\^?[^\]\s]{0,24}\w-\w|\\[swdb][*+{\]]|\(\?[:=!p]")


@cache
def _harmless_shape() -> re.Pattern[str]:
    """Dates, times, versions, sizes, addresses, paths, file names, colours, in lower case: values that say nothing."""
    return re.compile(
        r"\d{4}-\d\d(?:-\d\d)?(?:[t_ ].*)?|\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[ap]m)?|v?\d+(?:\.\d+){1,3}(?:[-+][\w.]{1,12})?"
        r"|[\d.,]+(?:\s?[a-z%]{1,3})?|\d+/\d+|\d+-(?:bit|char|byte|digit|day|hour|minute|year|word|letter|length)\S*"
        r"|#[0-9a-f]{3,8}|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|(?:\.{1,2}|~)?/[\w./~@-]*|[a-z]:\\.*"
        r"|[\w./@-]*\.(?:py|js|ts|tsx|jsx|mjs|go|rs|rb|java|kt|c|h|cpp|cs|php|sh|md|txt|json|ya?ml|toml|ini|cfg|conf|env"
        r"|lock|log|html?|css|svg|png|jpe?g|gif|pdf|pem|crt|cer|key|pub|csv|xml|sql|db|zip|gz|tf|tfvars|jks|p12|pfx|com"
        r"|org|net|io|dev)(?::\d+)?"
        r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:utf|base|sha)-?\d+[a-z]{0,8}|md5|rs\d+|hs\d+|es\d+|ed25519|x25519|aes-?\d+\S*"
        r"|oauth-?\d?|saml2?|http2|s3|ec2|k8s|v\d+|(?:gpt|claude|llama|gemini)-?\d[\w.-]*|o\d(?:-[a-z]+){0,2}|cl100k_base|o200k_base"
    )


@cache
def _code_shape() -> re.Pattern[str]:
    """An expression: a call, an index, a dotted name, an arrow, a type, a template."""
    return re.compile(
        r"""[A-Za-z_$][\w$]*(?:(?:\?|!)?\.[A-Za-z_$][A-Za-z_$]*)+[;,)\]}]*$   # dotted name, no digits after the dots
        |[A-Za-z_][\w.]*(?:Key|Token|Type|Secret|Provider|Params|Config)[;,)\]}]*$
        |.*[\w\])]\([^()]{0,200}\)|[A-Za-z_$][\w$.]*\($|[\w.]+\([\w"'].*      # call
        |[A-Za-z_$][\w$.]*\[|[A-Za-z_$][\w.]*<[\w,\s]+>?                      # index, generic type
        |[({\[]|.*=>|.*->|.*\(\)|[&*][a-z_]\w*$|lambda\b|new\b|await\b|not\b|f?["']""",
        re.VERBOSE,
    )


def is_placeholder(value: str) -> bool:
    """Tell whether a value stands for a secret without being one: `<token>`, `xxxx`, `your-key-here`."""
    if (
        len(value) < 3
        or value.lower() in _PLACEHOLDER_WORDS
        or (value[0] == "<" and value[-1] == ">")
        or (value[0] == "{" and value[-1] == "}")
    ):
        return True
    if len(set(value)) <= 2:
        return True
    low = value.lower()
    for part in _PLACEHOLDER_PARTS:
        if part in low:
            return True
    if not _FORMAT_SIGNS.isdisjoint(value) and _format_part().search(low):
        return True
    return value.isascii() and _PLACEHOLDER_WORDS.issuperset(map(str.lower, ascii_words(value)))


def is_reference(value: str) -> bool:
    """Tell whether a value says where a secret is: `$VAR`, `${{ secrets.X }}`, an ARN, a path, a digest."""
    low = value.lower()
    if low.startswith("$") and value[1:2].isdigit():
        return False  # $1$… and $2b$…: a crypt hash
    if low.startswith(_REFERENCE_STARTS):
        return True
    return (value[0] == "%" and value[-1] == "%") or "${" in value or "{{" in value


def is_harmless(value: str) -> bool:
    """Tell whether a value is a date, a number, a version, a path, an address or a file name."""
    if value.isalpha() or (value.isascii() and _SHAPE_SIGNS.isdisjoint(value)):
        return value.lower() in {"oauth", "oauth-", "saml"}
    return _harmless_shape().fullmatch(value.lower()) is not None


def is_code(value: str) -> bool:
    """Tell whether an unquoted value is an expression of a programming language."""
    if value.isalnum():
        named = value.endswith(_TYPE_ENDINGS) and value not in _TYPE_ENDINGS
        return value in _KEYWORDS or (named and value[0].isascii() and value[0].isalpha())
    return _code_shape().match(value) is not None and not _is_dotted_chance(value)


def _is_dotted_chance(value: str) -> bool:
    """Tell whether a value only looks like a dotted name: its letters and digits are mixed as no name's are."""
    if not value.replace(".", "").isalnum() or not value.isascii() or len(value) < 10:
        return False
    if value in (value.lower(), value.upper()):
        return False
    return irregular(value) > 0.42 and wordlike(value) < 0.45


def is_identifier(value: str) -> bool:
    """Tell whether an unquoted value reads as a name in code: words joined by `_` or `.`, at most one digit."""
    return value.replace(".", "_").isidentifier() and not has_digits(value, 2) and wordlike(value) >= 0.45


@cache
def _technical() -> re.Pattern[str]:
    """Words with digits that name an algorithm, an encoding or a protocol."""
    return re.compile(
        r"(?:base|sha|md|utf|iso|latin|rfc|cp|aes|rsa|des|hs|rs|es|ed|x|ipv|oauth|http|saml|pkcs|win|amd|arm|int|uint|float"
        r"|argon|bcrypt|scrypt|crypt|pbkdf|crc|str|string|bytes|hex|hash|pass|arg|var|param|val|value|field|user|key)\d"
    )


def is_word_password(value: str) -> bool:
    """Tell whether words and a digit are a password all the same: `hunter2secret`, not `password1` or `sha256hash`."""
    if not value.isalnum() or not value.isascii() or len(value) < 8 or not has_digits(value):
        return False
    if value[0].isdigit() or _technical().match(value.lower()):
        return False
    return not _PLACEHOLDER_WORDS.issuperset(word.lower() for word in ascii_words(value) if word.isalpha())


def has_digits(value: str, least: int = 1) -> bool:
    """Tell whether a value holds at least that many ASCII digits."""
    if least == 1:
        return not _DIGITS.isdisjoint(value)
    return sum(char in _DIGITS for char in value) >= least


def wordlike(value: str) -> float:
    """Return the share of adjacent letters that are usual in English: about 0.8 for words, 0.25 for chance."""
    low = value.lower()
    pairs = [
        first + second for first, second in itertools.pairwise(low) if first.isalpha() and second.isalpha()
    ]
    return sum(pair in _COMMON_PAIRS for pair in pairs) / len(pairs) if pairs else 0.0


def is_hex(value: str, least: int = 16) -> bool:
    """Tell whether a value is hexadecimal, of one case, with letters and digits, and long enough."""
    if len(value) < least or (value.strip("0123456789abcdef") and value.strip("0123456789ABCDEF")):
        return False
    digits = sum(char.isdigit() for char in value)
    return 0.25 * len(value) <= digits <= 0.95 * len(value)


def is_uuid(value: str) -> bool:
    """Tell whether a value is a UUID in its usual form."""
    return len(value) == 36 and value[8:24:5] == "----" and is_hex(value.replace("-", "").lower(), 32)


def is_random(value: str, least: int = 16) -> bool:
    """Tell whether a value looks drawn by chance: long, letters and digits mixed, unlike words."""
    if len(value) < least:
        return False
    if is_hex(value, least) or is_uuid(value):
        return True
    letters = sum(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    if letters < 4 or (digits < 1 and (len(value) < 20 or value in (value.lower(), value.upper()))):
        return False
    if digits >= 2 and irregular(value) > 0.42:
        return True
    return wordlike(value) < (0.55 if digits >= 3 else 0.45)


def irregular(value: str) -> float:
    """Return the share of adjacent characters of different classes: 0.6 for chance, below 0.4 for names."""
    classes = [1 if char.islower() else 2 if char.isupper() else 3 if char.isdigit() else 4 for char in value]
    return sum(a != b for a, b in itertools.pairwise(classes)) / max(1, len(classes) - 1)


def is_passwordlike(value: str, least: int = 6) -> bool:
    """Tell whether a value may be a password: a letter, and a digit, unusual signs or no words at all."""
    if len(value) < least or not any(char.isalpha() for char in value):
        return False
    signs = sum(char in "!@#$%^&*+=?~" for char in value)
    mixed = value != value.lower() and value != value.upper()
    if has_digits(value) or signs >= 2 or (signs >= 1 and mixed):
        return True
    return mixed and len(value) >= 8 and irregular(value) > 0.45
