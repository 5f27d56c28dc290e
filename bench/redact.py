"""Measure the redactor: what it takes out, what it leaves, how fast, how much it costs to start.

    python bench/redact.py --corpus CORPUS.jsonl[.z] --text FOLDER [--text FOLDER …]

A corpus has one JSON object a line: `text`, `label` (`pos` or `neg`), `tier`, and for `pos` the strings that
must `vanish` and those that must `survive`; `.z` is the same, zlib in base64. A folder of real text holds (as
good as) no secrets: what is changed there is counted. Speeds are ratios to one plain pass of an alternation
of six words over the same text, so that they mean the same on every machine.
"""

import argparse
import base64
import json
import re
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

from hipocampus.redact import redact

PLAIN_PASS = re.compile("password|token|secret|key|cred|auth")


def load(path: Path) -> list[dict[str, Any]]:
    """Return the records of a corpus."""
    raw = path.read_text(encoding="utf-8")
    if path.suffix == ".z":
        raw = zlib.decompress(base64.b64decode(raw)).decode("utf-8")
    return [json.loads(line) for line in raw.split("\n") if line]


def leaks(secret: str, before: str, after: str) -> bool:
    """Tell whether eight characters in a row of a secret (two thirds of a short one) are still there."""
    size = 8 if len(secret) >= 12 else max(4, len(secret) * 2 // 3)
    rest = before.replace(secret, "\0")
    pieces = (secret[at : at + size] for at in range(max(1, len(secret) - size + 1)))
    return any(piece in after and piece not in rest for piece in pieces)


def measure_corpus(path: Path) -> None:
    tiers: dict[str, list[bool]] = {}
    kept: list[bool] = []
    changed: list[bool] = []
    again = 0
    for record in load(path):
        text = record["text"]
        after = redact(text).text
        again += redact(after).text != after
        if record["label"] == "neg":
            changed.append(after != text)
            continue
        gone = not any(leaks(secret, text, after) for secret in record["vanish"])
        tiers.setdefault(record["tier"], []).append(gone)
        kept.append(all(part in after for part in record["survive"]))
    for tier, found in sorted(tiers.items()):
        print(f"recall {tier:4}   {statistics.mean(found):8.4f}   of {len(found)}")
    print(f"context kept  {statistics.mean(kept):8.4f}")
    print(f"harmless hit  {statistics.mean(changed):8.4f}   of {len(changed)}")
    print(f"not idempotent {again:7}")


def best_seconds(run: Any, texts: list[str]) -> float:
    """Return the least processor time of three runs over all texts."""
    times = []
    for _ in range(3):
        started = time.process_time()
        for text in texts:
            run(text)
        times.append(time.process_time() - started)
    return min(times)


def measure_text(folder: Path) -> None:
    texts = [
        path.read_bytes().decode("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file()
    ]
    size_mb = sum(len(text.encode("utf-8", "replace")) for text in texts) / 1e6
    hits = sum(sum(redact(text).counts.values()) for text in texts)
    seconds = best_seconds(redact, texts)
    plain = best_seconds(lambda text: sum(1 for _ in PLAIN_PASS.finditer(text.lower())), texts)
    print(
        f"{folder.name}: {size_mb:.1f} MB, {hits} hits, {size_mb / seconds:.1f} MB/s, {seconds / plain:.2f} plain passes"
    )


def measure_start() -> None:
    """Print the cost of importing the redactor and of its first calls, in new processes, medians of seven."""
    code = (
        "import re, sys, time; a = time.perf_counter()\n"
        "from hipocampus.redact import redact; b = time.perf_counter()\n"
        "redact('- decisions: the gateway limits the rate at 200/s\\n'); c = time.perf_counter()\n"
        "redact('DB_PASS' + 'WORD=Harbor' + '4186x, token of https://a:b' + '4c5d6@db/'); d = time.perf_counter()\n"
        "print(b - a, c - b, d - c)"
    )
    runs = [
        [
            float(part)
            for part in subprocess.run(
                [sys.executable, "-c", code], capture_output=True, check=True, text=True
            ).stdout.split()
        ]
        for _ in range(7)
    ]
    for name, column in zip(
        ("import (re apart)", "first call, plain", "first secret"), zip(*runs, strict=True), strict=True
    ):
        print(f"{name:18} {statistics.median(column) * 1000:6.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, action="append", default=[])
    parser.add_argument("--text", type=Path, action="append", default=[])
    arguments = parser.parse_args()
    for path in arguments.corpus:
        measure_corpus(path)
    for folder in arguments.text:
        measure_text(folder)
    measure_start()


if __name__ == "__main__":
    main()
