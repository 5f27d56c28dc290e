"""Bytes of notes as text: UTF-8, or an older encoding where the text itself leaves no doubt. Pure.

Old encodings have no mark, and most bytes are valid in several of them. What decides is whether the
characters that come out are ones that people write together: each encoding has a test of its own, and a
file is decoded when exactly one of them passes.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from hipocampus.files import BOM

SAMPLE = 200_000  # characters that are judged; all of them are decoded
# The most frequent characters of written Korean and Chinese (simplified): in running text they are about a
# third of all; in text of another language read with the wrong table, almost none.
_KOREAN = frozenset(
    "이다는을가에의고하지로도한기를은자사어리나대인시그해서일과정들스수부있보아전제라주게원것상여거구용성장"
    "조경없오면만공국관되러비동물방내신마무세연으와했었습니까요음같까지던데때말모생음행동안심중화계발회"
)
_CHINESE = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    "日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政"
    "美相见被利什二等产或新己制身果加月话合回特代内信表化老给世位次度门任常先海通教儿原东"
)
_BESIDE_LETTERS = frozenset("’‘´·­")  # other signs within a word mean the wrong table


class Decoded(NamedTuple):
    """The text of a file, and the encoding that it was taken for."""

    text: str
    encoding: str  # as Python calls it


def decode_note(data: bytes) -> Decoded | None:
    """Return bytes as text with `\\n` line ends; None where nothing says for certain what they are."""
    found = _marked(data) or _as("utf-8", data)
    if found is not None and "\0" not in found.text:
        return found
    if b"\0" in data:
        return _utf_16_without_mark(data)
    fitting = [
        decoded
        for encoding, fits in _TESTS.items()
        if (decoded := _as(encoding, data)) and fits(_sample(decoded.text))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _marked(data: bytes) -> Decoded | None:
    """A file that begins with a byte order mark; UTF-32 first, as its mark begins like that of UTF-16."""
    marks = {
        b"\xef\xbb\xbf": "utf-8",
        b"\xff\xfe\0\0": "utf-32",
        b"\0\0\xfe\xff": "utf-32",
        b"\xff\xfe": "utf-16",
        b"\xfe\xff": "utf-16",
    }
    return next((_as(name, data) for mark, name in marks.items() if data.startswith(mark)), None)


def _utf_16_without_mark(data: bytes) -> Decoded | None:
    """Text of which every second byte is mostly zero; anything else with zeros in it is no text."""
    for name, zeros, others in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
        if zeros.count(0) > 0.6 * len(zeros) and not others.count(0):
            return _as(name, data)
    return None


def _as(encoding: str, data: bytes) -> Decoded | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return Decoded(text.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n"), encoding)


def _sample(text: str) -> str:
    """What is judged; text with control characters or without a meaning in the table is judged as nothing."""
    return "" if re.search(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff]", text) else text[:SAMPLE]


# --- what each encoding's text looks like ---


def _share(of: int, among: int) -> float:
    return of / among if among else 0.0


def _letters(text: str) -> list[str]:
    return [char for char in text if char > "\x7f" and char.isalpha()]


def _count(letters: list[str], low: str, high: str) -> int:
    return sum(low <= char <= high for char in letters)


def _is_korean(text: str) -> bool:
    letters = _letters(text)
    hangul = _share(_count(letters, "가", "힣"), len(letters))
    return hangul >= 0.9 and _share(sum(c in _KOREAN for c in letters), len(letters)) >= 0.25


def _is_chinese(text: str) -> bool:
    letters = _letters(text)
    han = _share(_count(letters, "\u4e00", "\u9fff"), len(letters))
    return han >= 0.95 and _share(sum(c in _CHINESE for c in letters), len(letters)) >= 0.2


def _is_japanese(text: str) -> bool:
    """Kana between the Han characters; half-width ones are what other tables' bytes turn into."""
    letters = _letters(text)
    kana = _share(_count(letters, "\u3041", "\u30ff"), len(letters))
    return kana >= 0.3 and _share(_count(letters, "\uff61", "\uff9f"), len(letters)) < 0.05


def _is_western(text: str) -> bool:
    """Letters with accents: few, each for itself among plain ones, and signs only between words."""
    runs = re.findall(r"[^\x00-\x7f]+", text)
    letters = re.findall(r"[^\W\d_]", text)
    if not runs or not set(re.findall(r"[^\x00-\x7f]", text)) <= _WESTERN:
        return False
    accented = _letters(text)
    inside = re.findall(r"(?<=[^\W\d_])[^\w\s\x00-\x7f](?=[^\W\d_])", text)
    if any(sign not in _BESIDE_LETTERS and sign not in "–—…" for sign in inside):
        return False
    together = _share(sum(map(len, runs)), len(runs))  # 1.0: each for itself; "Grüße" has two together
    return together <= 1.4 and _share(len(accented), len(letters)) <= 0.3 and _is_of_one_language(accented)


def _is_of_one_language(accented: list[str]) -> bool:
    """Whether all but a stray one of the letters are of one alphabet: Czech or Polish read in this table are of none."""
    folded = [letter.lower() for letter in accented]
    return any(sum(c not in alphabet for c in folded) <= len(folded) // 40 for alphabet in _ALPHABETS)


_ALPHABETS = [
    frozenset(letters)
    for letters in (
        "àâæçéèêëîïôœùûüÿ",  # French
        "äöüßé",  # German
        "áéíóúüñªº",  # Spanish
        "àáâãçéêíóôõúüªº",  # Portuguese
        "àèéìíîòóù",  # Italian
        "àçéèíïóòúü",  # Catalan
        "åäöéüšž",  # Swedish, Finnish, Estonian
        "æøåéèòóôü",  # Danish, Norwegian
        "áðéíóúýþæö",  # Icelandic
        "ëïéèêöüáóíúç",  # Dutch
    )
]
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŒœŠšŽžŸ"
    "€£¥§©®™°±«»‹›¿¡ºª²³½¼¾µ·•–—…‘’“”„‚´\u00a0\u00ad×÷¢¶†‡"
)
_TESTS: dict[str, Callable[[str], bool]] = {
    "cp949": _is_korean,
    "shift_jis": _is_japanese,
    "euc_jp": _is_japanese,
    "gb18030": _is_chinese,
    "cp1252": _is_western,
}
