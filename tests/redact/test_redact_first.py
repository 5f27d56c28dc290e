"""The redactor's promises."""

from hipocampus.redact import redact, strip_private


def test_a_password_goes_and_the_line_stays():
    secret = "Hunter" + "288x"
    result = redact(f"mail.smtp.password={secret} then step 2")
    assert result.text == "mail.smtp.password=[REDACTED:password] then step 2"
    assert result.counts == {"password": 1}


def test_private_blocks_are_dropped_and_their_lines_counted():
    assert strip_private("a\n<private>\nb\n</PRIVATE>\nc\n") == ("a\nc\n", 3)
