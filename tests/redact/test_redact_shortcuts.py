"""What plain comparisons tell before a pattern is compiled agrees with the pattern that says the same."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.redact import anchors, commands, grammar, hashes, judge, names
from hipocampus.redact.assignments import find_assignments, is_secret
from hipocampus.redact.blocks import find_blocks
from hipocampus.redact.commands import find_commands
from hipocampus.redact.detectors import find_spans
from hipocampus.redact.hashes import find_hashes
from hipocampus.redact.headers import find_headers
from hipocampus.redact.manifests import find_manifests
from hipocampus.redact.phrases import find_phrases
from hipocampus.redact.places import braced_places, crypt_places, login_places
from hipocampus.redact.runs import find_runs
from hipocampus.redact.scan import Scan
from hipocampus.redact.urls import find_urls
from hipocampus.redact.values import value_after, value_before

PIECES = (
    "password", "Password", "PASSWORD", "passwort", "passe", "passphrase", "passage", "requirepass", "DB_PASS", "_pass", "pass", "secret",
    "secretary", "token", "tokenize", "api key", "keys", "keyboard", "key decisions", "cred", "creds", "credentials", "author", "auth", "_auth",
    '"auth', "pw", "pwd", "psk", "jwt", "salt", "salty", "senha", "senhas", "lösenord", "passord", "clave", "claves", "비밀번호", "API키", "パスワード", "ñ", "é", "К", "€", "\u3000", "\ud800",
    " ", "  ", "\t", "\n", "\r\n", " is ", " was changed to ", " for the admin is ", "it's", " expires", ", which ", ". ", ";", "! ", "? ",
    "=", ":", ": ", " = ", "=>", "->", "::", "%3D", "+=", "||=", "|", " | ", ",", '"', "'", "`", "\\", '\\"', "**", "__", "[]", "[", "]", "(", ")",
    "{", "}", "<", ">", "&quot;", "&gt;", "—", " — ", " - ", "–", "은 ", "는", "：", "是", "value", "value: ", "x", "Ab1+" * 8, "a-b_c.d" * 3, "hunter2",
    "`Xy12ab34` as the ", "-", "--", " -p", " --user ", " -->", "curl -u a:", "ab12CD34", "$", "$2b$10$", "{SSHA}", "{MD5}", ":::", ":*:", "://", "@",
    "@tcp(", "sig=", "Bearer ", "basic ", "cookie: a=", "authorization: ", "kind: Secret\ndata:\n", "machine h login u password ", "echo ", "| sudo -S",
    "seed phrase", "login", "credentials", "user/pass", ": admin / ", " for staging", " | ", "kim:", "-----BEGIN PRIVATE KEY-----\n", "new", "lambda", "myToken", "Key", "oauth", "config.py", "2024-01-01", "...", "your-", "%s", "\\d+",
)  # fmt: skip
texts = st.lists(
    st.one_of(
        st.sampled_from(PIECES), st.from_regex(r"[A-Za-z0-9]{1,20}", fullmatch=True), st.text(max_size=4)
    ),
    max_size=14,
).map("".join)
many = settings(max_examples=120, deadline=None)


def _anchor() -> re.Pattern[str]:
    end = r"(?=[\"'`\\\]*]{0,8}[ \t]{0,3}[=:|,]|[\"'`]|$)"
    return re.compile(
        rf"pass(?:w(?:or[dt]s?|d)?|ord|e\b|phrase|code)(?![a-z])|pass(?:{end}|(?=_)|(?<=_pass)(?=[ \t])|(?<=requirepass)(?=[ \t]))"
        rf"|secret(?!ar|ly|iv)|token(?!iz|is)|key(?! decisions| themes| files)(?![a-rt-z])|cred(?:s\b|ential)|auth(?:{end}|(?=_))"
        rf"|pwd(?![a-z])|pw(?:{end}|(?= ))|(?:psk|jwt|salt){end}|(?:senha|kennwort|wachtwoord|clave|parola|heslo|salasana|adgangskode|senord)(?![a-z])"
    )


@many
@given(texts)
def test_anchors_are_what_the_pattern_says(text: str) -> None:
    scan = Scan(text)
    for at in anchors.anchors(scan):
        match = _anchor().match(scan.low, at)
        assert anchors.anchor_end(scan.low, at) == (match.end() if match else 0)


@many
@given(texts)
def test_no_value_belongs_to_a_name_that_is_passed_over(text: str) -> None:
    scan = Scan(text)
    for at in anchors.anchors(scan):
        end = anchors.anchor_end(scan.low, at)
        if not end or anchors.name_at(scan, at):
            continue
        start, end = anchors._name_bounds(text, at, end)
        value = value_after(text, start, end)
        assert value_before(text, start) is None
        if value:
            found = text[value.start : value.end]
            assert value.how == "beside"
            assert not is_secret(found, names.Name("password", False), value, text[start:end])


@many
@given(texts)
def test_what_stands_between_name_and_value_is_what_the_whole_patterns_say(text: str) -> None:
    separator = re.compile(
        r"[ \t]{0,40}(?:(?P<assign>=>|<<<|:=|\?\?=|\|\|=|\+=|={1,3}|::?=?|→|->|＝|：|%3[AaDd])|(?P<cell>(?<=[ \t`*])\|(?=[ \t\r\n`*]|\Z))"
        r"|(?P<comma>,(?=\s{0,3}(?:[rbuf]?\\{0,15}[\"'`])))|(?P<call>\((?=[rbuf@$]{0,2}\\{0,15}[\"'`]))|(?P<tag>(?<!-)>|&gt;))"
        r"(?:\*{1,2}|__)?(?:\x1b\[[\d;]{0,8}m)?"
    )
    for at in range(len(text) + 1):
        plain, found = separator.match(text, at), grammar.match_separator(text, at)
        assert (plain and (plain.span(), plain.lastgroup)) == (found and (found.span(), found.lastgroup))
        phrase = grammar._phrase().match(text, at)
        assert grammar.phrase_end(text, at) == (phrase.end() if phrase else at)
        close = grammar._close().match(text, at)
        assert close and grammar.close_end(text, at) == close.end()
        opening = grammar._opening().match(text, at)
        assert opening and grammar.read_opening(text, at) == (opening.end(), opening["mark"] or "")


@many
@given(texts)
def test_long_words_and_other_letters_are_where_patterns_find_them(text: str) -> None:
    scan = Scan(text)
    assert scan.long_words() == [word.span() for word in re.finditer(r"[A-Za-z0-9_.~+/=-]{16,}", text)]
    letters = re.compile(f"[{''.join(anchors.OTHER_LETTERS)}]")
    assert scan.other_letters(anchors.OTHER_LETTERS) == [letter.start() for letter in letters.finditer(text)]


@many
@given(st.one_of(texts, st.from_regex(r"[A-Za-z]{1,8}(Key|Token|Config)?", fullmatch=True)))
def test_values_are_judged_as_the_patterns_judge_them(text: str) -> None:
    placeholder = re.compile(
        r"redacted|example|placeholder|change[_-]?me|your[_-]|your(?:key|token|pass|secret)|xxxxx|\*{5}|•••|\.\.\.|…|insert[_-]"
        r"|%[sdr](?![0-9a-z_])|%\(\w+\)|\[\^?[^\]\s]{0,24}\w-\w|\\[swdb][*+{\]]|\(\?[:=!p]"
    )
    for value in (text, *text.split()):
        assert judge.is_code(value) == (judge._code_shape().match(value) is not None)
        assert judge.is_harmless(value) == (judge._harmless_shape().fullmatch(value.lower()) is not None)
        if value:
            assert bool(placeholder.search(value.lower())) <= judge.is_placeholder(value)
        if value.isascii():
            assert judge.ascii_words(value) == names._western_parts().findall(value)


@many
@given(texts)
def test_a_detector_that_is_not_loaded_would_find_nothing(text: str) -> None:
    scan = Scan(text)
    every = (
        find_blocks, find_runs, find_assignments, find_urls, find_headers, find_manifests, find_commands, find_hashes, find_phrases,
    )  # fmt: skip
    alone = [(span.start, span.end, span.kind) for find in every for span in find(Scan(text))]
    assert [(span.start, span.end, span.kind) for span in find_spans(scan)] == alone


@many
@given(texts)
def test_hashes_and_logins_begin_only_where_they_are_looked_for(text: str) -> None:
    scan = Scan(text)
    logins = [at for word in ("login", "cred", "user/") for at in scan.at(word)]
    assert {at for at in logins if commands._login().match(text, at)} <= set(login_places(scan))
    assert {match.start() for match in hashes._crypt().finditer(text)} <= set(crypt_places(scan))
    assert {match.start() for match in hashes._braced().finditer(text)} <= set(braced_places(scan))
