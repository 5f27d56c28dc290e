"""Private key blocks go as a whole, however they are written, and take nothing else with them."""

import pytest

from hipocampus.redact import redact

MARK = "[REDACTED:private-key]"
LINES = ["MIIEvQ" + "Ab1+" * 14 + f"x{n}" for n in range(4)] + ["Zz9+" * 6 + "Q=="]


def block(name: str = "RSA PRIVATE KEY", joint: str = "\n", lead: str = "", cut: bool = False) -> str:
    lines = [f"-----BEGIN {name}-----", *LINES]
    if not cut:
        lines.append(f"-----END {name}-----")
    return joint.join(lead + line for line in lines)


@pytest.mark.parametrize(
    "name",
    [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
def test_one_marker_stands_in_the_place_of_a_block(name: str) -> None:
    result = redact(f"Here is the file:\n{block(name)}\nthe tests were green\n")
    assert result.text == f"Here is the file:\n{MARK}\nthe tests were green\n"
    assert result.counts == {"private-key": 1}


@pytest.mark.parametrize("lead", ["    ", "> ", "+", "# "])
def test_a_prefix_on_every_line_changes_nothing(lead: str) -> None:
    assert redact(f"x\n{block(lead=lead)}\nnext").text == f"x\n{lead}{MARK}\nnext"


def test_log_prefixes_and_line_numbers_are_no_way_out() -> None:
    lines = block().split("\n")
    logged = "\n".join(f"2025-01-02T03:04:{n:02} app | {line}" for n, line in enumerate(lines))
    numbered = "\n".join(f"{n:6}\t{line}" for n, line in enumerate(lines, 8))
    for text in (logged, numbered):
        result = redact(f"{text}\nnext step").text
        assert not any(line in result for line in LINES)
        assert result.endswith("next step")


@pytest.mark.parametrize("joint", ["\\n", "\\\\n", "\\r\\n", "\r\n"])
def test_escaped_line_breaks_count_as_line_breaks(joint: str) -> None:
    text = f'{{"private_key": "{block(joint=joint)}{joint}", "client": "kept"}}'
    assert redact(text).text == f'{{"private_key": "{MARK}{joint}", "client": "kept"}}'


def test_a_key_that_was_cut_off_does_not_swallow_what_follows() -> None:
    text = f"$ cat id_rsa\n{block(cut=True)}\n... (truncated)\n\nthe rest\n{block()}\nand the end"
    assert redact(text).text == f"$ cat id_rsa\n{MARK}\n... (truncated)\n\nthe rest\n{MARK}\nand the end"


def test_the_second_half_of_a_key_goes_too() -> None:
    half = "\n".join([*LINES[2:], "-----END RSA PRIVATE KEY-----"])
    assert redact(f"continued:\n{half}\nnext").text == f"continued:\n{MARK}\nnext"


def test_the_private_lines_of_a_putty_key_go() -> None:
    text = f"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n{LINES[0]}\n{LINES[1]}\nPrivate-MAC: 00ff\nnext"
    assert redact(text).text == (
        f"PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n{MARK}\nPrivate-MAC: 00ff\nnext"
    )


def test_words_about_keys_are_no_keys() -> None:
    text = "grep for -----BEGIN PRIVATE KEY----- in the logs; -----END PRIVATE KEY----- closes it"
    assert redact(text).text == text


@pytest.mark.parametrize("lead", ["> ", "# ", "// ", "| ", "1: ", "* ", ">> ", "; ", "    "])
@pytest.mark.parametrize("before", ["", "see below:\n"])
def test_a_block_with_something_before_each_line_goes_also_from_the_first_line_on(
    lead: str, before: str
) -> None:
    text = f"{before}{block(lead=lead)}\n"
    found = redact(text).text
    assert not any(line in found for line in LINES) and MARK in found and redact(found).text == found
    assert redact(found + "the tests were green\n").text.endswith("the tests were green\n")


def test_a_static_key_of_openvpn_is_a_key() -> None:
    lines = ["0a1b2c3d4e5f6071" * 2 for _ in range(4)]
    text = "\n".join(["-----BEGIN OpenVPN Static key V1-----", *lines, "-----END OpenVPN Static key V1-----"])
    assert redact(f"inline\n{text}\nend\n").text == f"inline\n{MARK}\nend\n"
