"""How near the token estimate is to o200k: the ratio estimate / real count, over files of English, code and CJK.

    mkdir /tmp/tok && npm install --prefix /tmp/tok gpt-tokenizer
    python bench/tokens.py --npm /tmp/tok ENGLISH_DIR [--code CODE_DIR] [--cjk CJK_DIR]

Prints for each kind: the ratio over all text, and the least, median and greatest over pieces of 2,000
characters. The estimate must not be below 1.0 over a text, nor above 1.1 over an English one.
"""

import argparse
import json
import statistics
import subprocess
from pathlib import Path

from hipocampus.memory.tokens import estimate_tokens

PIECE_CHARS = 2000
MOST_PIECES = 400
KINDS = {"english": ("*.md", "*.txt"), "code": ("*.py", "*.js", "*.sh"), "cjk": ("*.md", "*.txt")}
SAMPLES = {
    "korean": "저는 작년부터 서울에 있는 스타트업에서 백엔드 개발자로 일하고 있습니다. 강아지 이름은 초코이고 세 살이에요.",
    "japanese": "私は東京のスタートアップでエンジニアとして働いています。先週、京都へ家族と旅行に行きました。",
    "chinese": "我在上海的一家互联网公司做后端开发，已经三年了。上周末和家人去了杭州旅行，买了很多龙井茶。",
    "emoji": "🎉🚀✅ 👩‍💻 great 👍🏽 ❤️ 🇰🇷 done 🐶🐱 👨‍👩‍👧‍👦 🤷🏻‍♀️ ⭐️ 🔥",
}


def real_counts(npm: Path, texts: list[str]) -> list[int]:
    script = Path(__file__).with_name("count_tokens.mjs")
    done = subprocess.run(
        ["node", script, npm], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return [int(n) for n in json.loads(done.stdout)]


def pieces_of(folder: Path, patterns: tuple[str, ...]) -> list[str]:
    """Return pieces of all files of a folder, evenly spread when they are many."""
    files = sorted(path for pattern in patterns for path in folder.rglob(pattern))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    found = [text[at : at + PIECE_CHARS] for text in texts for at in range(0, len(text), PIECE_CHARS)]
    found = [piece for piece in found if len(piece) == PIECE_CHARS]
    return found[:: max(1, len(found) // MOST_PIECES)]


def report(name: str, texts: list[str], npm: Path) -> None:
    real = real_counts(npm, texts)
    made = [estimate_tokens(text) for text in texts]
    ratios = sorted(a / b for a, b in zip(made, real, strict=True))
    print(
        f"{name:10s} {len(texts):4d} pieces   all {sum(made) / sum(real):.3f}   "
        f"least {ratios[0]:.3f}   median {statistics.median(ratios):.3f}   greatest {ratios[-1]:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("english", type=Path)
    parser.add_argument("--code", type=Path)
    parser.add_argument("--cjk", type=Path)
    parser.add_argument("--npm", type=Path, required=True, help="folder with node_modules/gpt-tokenizer")
    args = parser.parse_args()
    for name, patterns in KINDS.items():
        folder = getattr(args, name)
        if folder is not None:
            report(name, pieces_of(folder, patterns), args.npm)
    for name, text in SAMPLES.items():
        report(name, [text], args.npm)


if __name__ == "__main__":
    main()
