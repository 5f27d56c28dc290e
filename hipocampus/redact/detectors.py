"""Run the detectors that a text needs: each is loaded with the first text that holds a word of its own."""

from collections.abc import Iterator

from hipocampus.redact import places
from hipocampus.redact.anchors import OTHER_LETTERS, anchors, name_at
from hipocampus.redact.scan import Scan
from hipocampus.redact.spans import Span


def find_spans(scan: Scan) -> Iterator[Span]:
    """Yield what the detectors find, each in order; spans of different detectors may overlap."""
    if places.has_key_block(scan):
        from hipocampus.redact.blocks import find_blocks

        yield from find_blocks(scan)
    if scan.long_words():
        from hipocampus.redact.runs import find_runs

        yield from find_runs(scan)
    if any(name_at(scan, at) for at in anchors(scan)) or scan.other_letters(OTHER_LETTERS):
        from hipocampus.redact.assignments import find_assignments

        yield from find_assignments(scan)
    if places.has_url(scan):
        from hipocampus.redact.urls import find_urls

        yield from find_urls(scan)
    if places.has_header(scan):
        from hipocampus.redact.headers import find_headers

        yield from find_headers(scan)
    if places.manifest_places(scan) or places.registry_places(scan) or places.has_web_key(scan):
        from hipocampus.redact.manifests import find_manifests

        yield from find_manifests(scan)
    if places.has_command(scan):
        from hipocampus.redact.commands import find_commands

        yield from find_commands(scan)
    if places.call_places(scan):
        from hipocampus.redact.calls import find_calls

        yield from find_calls(scan)
    if places.has_console_word(scan):
        from hipocampus.redact.consoles import find_consoles

        yield from find_consoles(scan)
    if places.crypt_places(scan) or places.braced_places(scan) or places.has_windows_hash(scan):
        from hipocampus.redact.hashes import find_hashes

        yield from find_hashes(scan)
    if any(scan.at(word) for word in places.PHRASE_WORDS):
        from hipocampus.redact.phrases import find_phrases

        yield from find_phrases(scan)
