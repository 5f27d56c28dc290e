"""Measure recall on conversations with known answers, and its speed, as ratios that hold on any machine.

    python bench/recall.py --memaware DIR [--locomo DIR] [--halves] [--speed] [--baseline] [--today 2026-07-01]

`--memaware` is a folder with memory/, map.json (which lines of which log are which conversation) and
questions.json; `--locomo` one with a folder for each conversation: memory/, map.json (which lines are which
turn) and qa.json. Both are copied first. Nothing is asked of a model: what is measured is whether the right
conversation, its text, or the answer's words are among the results and in the first 2,000 characters.

  hit@10     a right conversation is among ten results
  gold@2000  its text is in the first 2,000 characters of the results
  ansS@2000  the answer stands in there, word for word (answers of at most 40 characters)
  ev@2000    the sentence of the person that holds it does
  rec@10     share of the answering turns that ten results cover; rec@2000: that stand in 2,000 characters

`--halves` prints two halves of the questions apart; paraphrases of one question are in the same half.
`--baseline` adds plain FTS5 over chunks of 1,000 characters with 200 of overlap. `--speed` prints, as ratios
of medians in one run to the start-up of a minimal Typer program: a query in a fresh process, one after a
changed log, and ripgrep for one word; the cold index is in seconds.
"""

import argparse
import json
import math
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.recall import search

CHARS, RESULTS = 2000, 30
MINIMAL = """import typer
app = typer.Typer()
@app.command()
def a(): print("a")
@app.command()
def b(): print("b")
app()
"""
_WORD = re.compile(r"\w+")
_COMMON = frozenset(
    "a an the and or but if of in on at to for from by with as is are was were be been being am do does did have has "
    "had i me my we our you your he him his she her they them their it its this that these those what which who whom "
    "when where why how not no so than too very can could would should will shall may might must just about into over "
    "under out up down off then there here also any some all more most user mentioned previous previously answer".split()
)


class Result(NamedTuple):
    """What the measures look at in a result."""

    path: str
    first: int
    last: int
    text: str


Search = Callable[[str, int], list[Result]]


def words_of(text: object) -> str:
    return " ".join(_WORD.findall(str(text).lower()))


def holds(text: str, words: str) -> bool:
    return f" {words} " in f" {text} "


def packed(results: Iterable[Result]) -> list[tuple[Result, str]]:
    """The results' texts, a blank line between them, cut at CHARS."""
    kept, used = [], 0
    for result in results:
        if used >= CHARS:
            break
        text = result.text[: CHARS - used]
        kept.append((result, text))
        used += len(text) + 2
    return kept


class Ranges:
    """Which conversation or turn the lines of a file belong to."""

    def __init__(self, folder: Path) -> None:
        self.rows: dict[str, list[list[Any]]] = {
            path: sorted(rows) for path, rows in json.loads((folder / "map.json").read_text("utf-8")).items()
        }

    def touched(self, result: Result) -> list[str]:
        rows = self.rows.get(result.path, [])
        at = max(0, bisect_right([row[0] for row in rows], result.first) - 1)
        return [r[2] for r in rows[at:] if r[0] <= result.last and r[1] >= result.first]

    def covered(self, result: Result) -> list[str]:
        return [r[2] for r in self.rows.get(result.path, []) if result.first <= r[0] <= result.last]


def texts_of(folder: Path, ranges: Ranges) -> dict[str, str]:
    found = {}
    for path, rows in ranges.rows.items():
        lines = (folder / path).read_text("utf-8").split("\n")
        found.update({name: "\n".join(lines[first - 1 : last]) for first, last, name in rows})
    return found


def prepared(folder: Path, ranges: Ranges) -> list[dict[str, Any]]:
    """The questions with what is looked for: the answer's words, and the sentence that holds it."""
    texts = texts_of(folder, ranges)
    sentences: dict[str, list[tuple[str, set[str]]]] = {}
    counts: Counter[str] = Counter()
    for name, text in texts.items():
        said, role, kept = text.split("\n"), "", []
        for line in said:
            if mark := re.match(r"(User|Assistant): ", line):
                role, line = mark[1], line[mark.end() :]
            if role == "User":
                kept += [(s, set(_WORD.findall(s.lower()))) for s in re.split(r"(?<=[.!?])\s+", line)]
        sentences[name] = [(s, w) for s, w in kept if w]
        counts.update({word for _, words in sentences[name] for word in words})
    questions: list[dict[str, Any]] = json.loads((folder / "questions.json").read_text("utf-8"))
    for question in questions:
        answer, gold = words_of(question["answer"]), question["answer_session_ids"]
        short = len(str(question["answer"])) <= 40 and re.search(r"[a-z]{3}", answer)
        question["ans"] = answer if short and any(holds(words_of(texts[g]), answer) for g in gold) else ""
        asked = _WORD.findall(f"{question['should_recall']} {question['answer']}".lower())
        weights = {w: math.log(1 + len(texts) / (1 + counts[w])) for w in asked if w not in _COMMON}
        total = sum(weights.values()) or 1.0
        scored = [
            (sum(weights[w] for w in weights.keys() & ws) / total, s) for g in gold for s, ws in sentences[g]
        ]
        best = max(scored, default=(0.0, ""), key=lambda pair: pair[0])
        question["ev"] = words_of(best[1]) if best[0] >= 0.4 else ""
    return questions


def measure_memaware(ranges: Ranges, questions: list[dict[str, Any]], find: Search) -> dict[str, float]:
    seen: dict[str, list[bool]] = {"hit@10": [], "gold@2000": [], "ansS@2000": [], "ev@2000": []}
    for question in questions:
        results = find(question["question"], RESULTS)
        gold = set(question["answer_session_ids"])
        seen["hit@10"].append(any(gold & set(ranges.touched(r)) for r in results[:10]))
        pack = packed(results)
        shown = [r for r, text in pack if len(text) >= min(80, len(r.text))]
        seen["gold@2000"].append(any(gold & set(ranges.touched(r)) for r in shown))
        text = words_of("\n\n".join(text for _, text in pack))
        if question["ans"]:
            seen["ansS@2000"].append(holds(text, question["ans"]))
        if question["ev"]:
            seen["ev@2000"].append(question["ev"] in text)
    return {name: 100 * statistics.fmean(values) for name, values in seen.items() if values}


def measure_locomo(folders: Sequence[Path], finder: Callable[[Path], Search]) -> dict[str, float]:
    covered, shown = [], []
    for folder in folders:
        ranges, find = Ranges(folder), finder(folder)
        turns = {name: words_of(text).split() for name, text in texts_of(folder, ranges).items()}
        for question in json.loads((folder / "qa.json").read_text("utf-8")):
            results, gold = find(question["question"], RESULTS), set(question["evidence"])
            got = {name for result in results[:10] for name in ranges.covered(result)}
            covered.append(len(gold & got) / len(gold))
            text = words_of("\n".join(text for _, text in packed(results)))
            parts = [(turns[g], max(3, int(len(turns[g]) * 0.6))) for g in gold]
            inside = [" ".join(t[:n]) in text or " ".join(t[-n:]) in text for t, n in parts]
            shown.append(sum(inside) / len(gold))
    return {"rec@10": 100 * statistics.fmean(covered), "rec@2000": 100 * statistics.fmean(shown)}


def hipo(folder: Path, today: date) -> Search:
    def find(query: str, n: int) -> list[Result]:
        hits = search(folder, query, today=today, n=n).hits
        return [Result(h.path, h.line_start, h.line_end, h.text) for h in hits]

    return find


def chunks(folder: Path) -> Search:
    """The baseline: FTS5 over chunks of 1,000 characters with 200 of overlap, all words joined by OR."""
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE c USING fts5(text, path UNINDEXED, line UNINDEXED, tokenize='porter unicode61')"
    )
    for path in sorted((folder / "memory").glob("*.md")):
        text = path.read_text("utf-8")
        for at in range(0, len(text), 800):
            row = (text[at : at + 1000], f"memory/{path.name}", 1 + text.count("\n", 0, at))
            db.execute("INSERT INTO c VALUES(?, ?, ?)", row)

    def find(query: str, n: int) -> list[Result]:
        asked = [w for w in dict.fromkeys(_WORD.findall(query.lower())) if w not in _COMMON]
        if not asked:
            return []
        match = " OR ".join(f'"{word}"' for word in asked)
        rows = db.execute("SELECT path, line, text FROM c WHERE c MATCH ? ORDER BY rank LIMIT ?", (match, n))
        return [Result(path, line, line + text.count("\n"), text) for path, line, text in rows]

    return find


def half_of(question: dict[str, Any]) -> int:
    return zlib.crc32(str(question["source_question_id"]).encode()) & 1


def report(name: str, figures: dict[str, float]) -> None:
    print(f"{name:24s} " + "  ".join(f"{key} {value:5.1f}" for key, value in figures.items()), flush=True)


def run_speed(folder: Path) -> None:
    """Print the cold index in seconds, and the rest against a minimal Typer program, in turns."""
    minimal = folder.parent / "minimal.py"
    minimal.write_text(MINIMAL, encoding="utf-8")
    begun = time.perf_counter()
    shutil.rmtree(folder / "memory/.hipo", ignore_errors=True)
    search(folder, "warm", today=date(2026, 7, 1))
    print(f"cold index {time.perf_counter() - begun:.2f} s")
    log = sorted((folder / "memory").glob("2*.md"))[0]
    recall = [
        sys.executable,
        "-m",
        "hipocampus",
        "--root",
        str(folder),
        "recall",
        "--json",
        "what did my dog eat",
    ]
    took: dict[str, list[float]] = {}
    for round_ in range(15):
        timed(took, "minimal", [sys.executable, str(minimal), "a"])
        timed(took, "fresh process", recall)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"\n## Round [project]\n- outcome: {round_}\n")
        timed(took, "one changed log", recall)
        timed(took, "settled", recall)
        if shutil.which("rg"):
            timed(took, "ripgrep", ["rg", "-i", "kibble", str(folder / "memory")])
    base = statistics.median(took.pop("minimal"))
    took.pop("settled")
    for name, seconds in took.items():
        print(f"{name:16s} {statistics.median(seconds) / base:5.2f} x a minimal Typer program")


def timed(took: dict[str, list[float]], name: str, command: list[str]) -> None:
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    took.setdefault(name, []).append(time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--memaware", type=Path)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--today", type=date.fromisoformat, default=date(2026, 7, 1))
    for flag in ("--halves", "--speed", "--baseline"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        if options.memaware:
            folder = Path(shutil.copytree(options.memaware, Path(temporary) / "memaware"))
            subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
            ranges = Ranges(folder)
            questions = prepared(folder, ranges)
            finders = {"hipo": hipo(folder, options.today)} | (
                {"chunks": chunks(folder)} if options.baseline else {}
            )
            for name, find in finders.items():
                report(f"{name}: memaware", measure_memaware(ranges, questions, find))
                for half in (0, 1) if options.halves else ():
                    some = [q for q in questions if half_of(q) == half]
                    report(f"  half {half}", measure_memaware(ranges, some, find))
            if options.speed:
                run_speed(folder)
        if options.locomo:
            trees = Path(shutil.copytree(options.locomo, Path(temporary) / "locomo"))
            subprocess.run(["chmod", "-R", "u+w", str(trees)], check=True)
            folders = sorted(path.parent for path in trees.glob("*/qa.json"))
            makers = {"hipo": lambda f: hipo(f, options.today)} | (
                {"chunks": chunks} if options.baseline else {}
            )
            for name, maker in makers.items():
                report(f"{name}: locomo", measure_locomo(folders, maker))
                for half in (0, 1) if options.halves else ():
                    report(f"  half {half}", measure_locomo(folders[half::2], maker))


if __name__ == "__main__":
    main()
