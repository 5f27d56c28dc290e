"""Notes in older encodings: decoded where the text leaves no doubt, named and left out where it does not."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import Hipo

from hipocampus.platforms.importers.encodings import decode_note

KOREAN = "# 회의 기록\n\n결제 모듈은 다음 주에 배포하기로 했다. 담당자는 김민수, API 키는 만료 전에 바꾼다.\n"
CHINESE = (
    "# 会议记录\n\n我们决定下周发布支付模块,因为测试还没有完成。负责人是李明,他会在星期五之前说明情况。\n"
)
JAPANESE = "# 会議の記録\n\n決済モジュールは来週リリースすることに決めました。担当は田中さんです。\n"
FRENCH = (
    "# Réunion\n\nLe déploiement est prévu pour l’été ; ça coûte 30 € par mois. Où est la clé ? « Voilà »\n"
)
GERMAN = "# Übersicht\n\nDie Prüfung läuft über Nacht – größere Änderungen müssen bis Dienstag fertig sein.\n"
SPANISH = "# Reunión\n\n¿Qué pasó? El año próximo habrá más niños en la sesión — mañana será peor.\n"
NORDIC = "# Møte\n\nVi må også få på plass nøkkelen før påske, og så rydder vi opp på lørdag.\n"
TEXTS = {
    "Korean": (KOREAN, ["cp949", "euc_kr", "utf-16", "utf-8-sig"]),
    "short Korean": ("회의 기록\n", ["cp949"]),
    "Korean with rare syllables": ("펲시 콜라를 마시고 똠방각하를 보았다\n", ["cp949"]),
    "Chinese": (CHINESE, ["gb18030", "gbk", "gb2312", "utf-16"]),
    "Japanese": (JAPANESE, ["shift_jis", "cp932", "euc_jp", "utf-16"]),
    "Japanese in katakana": ("アクセス キーを サーバーに ログイン する\n", ["shift_jis"]),
    "French": (FRENCH, ["cp1252", "utf-16", "utf-32"]),
    "German": (GERMAN, ["cp1252"]),
    "plain German": ("Grüße aus der Straße, schöne Tage\n", ["latin-1", "cp1252"]),
    "Spanish": (SPANISH, ["cp1252"]),
    "Norwegian": (NORDIC, ["cp1252", "latin-1"]),
    "one word": ("a café in town\n", ["latin-1"]),
}
CASES = [(name, text, encoding) for name, (text, all_) in TEXTS.items() for encoding in all_]


@pytest.mark.parametrize(("name", "text", "encoding"), CASES, ids=[f"{n} {e}" for n, _, e in CASES])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_text_comes_out_as_it_was_written(name: str, text: str, encoding: str, newline: str) -> None:
    found = decode_note(text.replace("\n", newline).encode(encoding))
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen_by_its_zeros(encoding: str) -> None:
    found = decode_note(FRENCH.encode(encoding))
    assert found == (FRENCH, encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Съешь ещё этих мягких французских булок, да выпей же чаю\n", "cp1251"),
        ("Съешь ещё этих мягких французских булок, да выпей же чаю\n", "koi8-r"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy\n", "cp1250"),
        ("Zażółć gęślą jaźń, proszę państwa\n", "cp1250"),
        ("Zażółć gęślą jaźń, proszę państwa\n", "iso-8859-2"),
        ("Çoğu kişi şimdi ışık istiyor, değil mi?\n", "cp1254"),
        ("我們決定下週發布支付模組,因為測試還沒有完成。負責人會說明情況。\n", "big5"),
        ("Η συνάντηση μεταφέρθηκε για την επόμενη εβδομάδα\n", "cp1253"),
        ("הפגישה נדחתה לשבוע הבא בגלל הבדיקות\n", "cp1255"),
        ("การประชุมเลื่อนไปสัปดาห์หน้า\n", "cp874"),
    ],
)
def test_what_could_be_something_else_is_not_guessed(text: str, encoding: str) -> None:
    assert decode_note(text.encode(encoding)) is None


@pytest.mark.parametrize(
    "data",
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", b"a\0b", b"\xff\xff\xff", b"\x80\x81", bytes(range(256)), b"\xff"],
)
def test_bytes_that_are_no_text_are_not_guessed(data: bytes) -> None:
    assert decode_note(data) is None


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff")))
def test_utf_8_is_always_utf_8(text: str) -> None:
    assert decode_note(text.encode()) == (text, "utf-8")


@given(st.binary(max_size=200))
@example(b"\xff\xfe\xd8")
def test_any_bytes_are_text_or_not(data: bytes) -> None:
    found = decode_note(data)
    assert found is None or "\r" not in found.text


def test_the_import_says_what_it_took_a_file_for_and_leaves_out_what_is_unclear(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hipo, folder = Hipo(root, monkeypatch), tmp_path / "vault"
    folder.mkdir()
    (folder / "2026-03-05 old.md").write_bytes(KOREAN.encode("cp949"))
    (folder / "2026-03-06 windows.md").write_bytes(FRENCH.encode("utf-16"))
    (folder / "2026-03-07 new.md").write_text(KOREAN, encoding="utf-8")
    (folder / "2026-03-08 unclear.md").write_bytes("Съешь ещё этих булок".encode("cp1251"))
    ran = hipo("import", "notes", str(folder))
    assert ran.status == 1
    assert "read as cp949, not UTF-8: 2026-03-05 old.md" in ran.out
    assert "read as utf-16, not UTF-8: 2026-03-06 windows.md" in ran.out
    assert "new.md" not in ran.out
    assert "2026-03-08 unclear.md: neither UTF-8 nor for certain anything else" in ran.err
    log = (root / "memory" / "2026-03-05.md").read_text(encoding="utf-8")
    assert "결제 모듈은 다음 주에 배포하기로 했다" in log
    assert not (root / "memory" / "2026-03-08.md").exists()
    told = hipo("import", "notes", str(folder), "--json").json
    assert told["encodings"] == {"2026-03-05 old.md": "cp949", "2026-03-06 windows.md": "utf-16"}
    assert (told["entries"], told["duplicates"]) == (0, 3)


def test_another_memory_is_decoded_in_all_its_parts(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hipo, other = Hipo(root, monkeypatch), tmp_path / "other"
    for name in ("memory/2026-03-05.md", "knowledge/a.md", "plans/b.md", "WORKING.md"):
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_bytes(KOREAN.encode("cp949"))
    (other / "plans" / "c.md").write_bytes("Съешь ещё этих булок".encode("cp1251"))
    ran = hipo("import", "hipocampus", str(other))
    assert ran.status == 1
    assert "plans/c.md: neither UTF-8" in ran.err
    for name in ("memory/2026-03-05.md", "knowledge/a.md", "plans/b.md", "memory/2026-03-15.md"):
        assert "결제 모듈은" in (root / name).read_text(encoding="utf-8")
