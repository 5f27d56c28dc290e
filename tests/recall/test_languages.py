"""Korean, Japanese and Chinese: what is asked for is the first result, from one character on."""

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import pytest

from hipocampus.recall import search

TODAY = date(2026, 5, 30)

KOREAN = {
    "결제모듈의 재시도횟수를 세 번으로 바꿨다": ["재시도", "결제 재시도 횟수", "결제모듈"],
    "배포는 매주 목요일 오후에만 진행하기로 했다": [
        "배포 요일",
        "목요일 배포",
        "언제 배포하나요",
        "매주 목요일",
    ],
    "고양이 이름은 나비이고 올해 네 살이 되었다": ["고양이", "고양이 이름이 뭐였지?", "나비"],
    "서울에서 부산까지 기차로 두 시간 사십 분 걸렸다": ["부산 기차", "부산까지 얼마나 걸렸어요"],
    "데이터베이스 이전은 새벽 두 시에 시작한다": ["데이터베이스 이전 시각", "새벽", "디비 이전은 새벽 몇 시"],
    "회의록은 세 줄로 짧게 써 달라고 부탁했다": ["회의록", "회의록 작성 방식"],
    "어머니 생신 선물로 무선 청소기를 샀다": ["생신 선물", "어머니 선물 무엇을 샀지", "청소기"],
    "로그인 토큰의 만료 시간을 십오 분으로 줄였다": ["토큰 만료", "로그인 만료 시간"],
    "김치찌개에는 돼지고기보다 참치를 넣는 편이다": ["김치찌개", "찌개에 넣는 재료 참치"],
    "한강 공원에서 십 킬로미터를 처음으로 완주했다": ["한강", "십 킬로미터 완주", "강"],
    "환불 요청은 고객센터에서 사흘 안에 처리한다": ["환불 처리 기간", "고객센터", "환불"],
    "도서관에서 빌린 책은 다음 달 초까지 반납해야 한다": ["책 반납", "도서관 반납"],
}

JAPANESE = {
    "決済バッチは深夜二時に実行する": ["バッチ", "決済バッチの時刻", "深夜"],
    "猫の名前はモモで、三歳になった": ["猫の名前", "モモ", "猫"],
    "検索の索引は毎朝作り直す": ["索引", "検索の索引はいつ作り直しますか"],
    "京都への出張は新幹線で往復した": ["京都出張", "新幹線", "京都へはどうやって行きましたか"],
    "返金は三営業日以内に処理する": ["返金", "返金は何日以内"],
    "ログの保存期間を九十日に延ばした": ["ログの保存期間", "保存期間を延ばした"],
    "会議の議事録は箇条書きで短く書く": ["議事録", "議事録の書き方", "箇条書き"],
    "母の誕生日に圧力鍋を贈った": ["誕生日", "母に贈ったもの", "圧力鍋"],
    "味噌汁には豆腐とわかめを入れる": ["味噌汁", "味噌汁の具 豆腐", "豆腐"],
    "富士山に初めて登り、山頂で日の出を見た": ["富士山", "日の出を見た場所", "山頂"],
    "データベースの移行は来月まで延期した": ["データベース移行", "移行の延期", "ﾃﾞｰﾀﾍﾞｰｽ"],
    "認証トークンの有効期限を十五分に短縮した": ["トークン", "有効期限", "認証トークンの期限"],
}

CHINESE = {
    "支付网关的回调超时改为三十秒": ["回调超时", "超时", "支付网关"],
    "每周四下午才可以发布新版本": ["发布", "什么时候发布新版本", "周四"],
    "我家的猫叫团子，今年五岁": ["猫", "猫叫什么名字", "团子"],
    "数据库迁移从凌晨两点开始": ["数据库迁移", "凌晨", "迁移几点开始", "两点"],
    "退款申请由客服在三天内处理": ["退款", "退款多久处理", "客服"],
    "日志保留时间延长到九十天": ["日志保留", "日志保留多少天", "九十天"],
    "会议纪要请写得简短，不超过三行": ["会议纪要", "纪要怎么写"],
    "给妈妈的生日礼物是一台吸尘器": ["生日礼物", "妈妈的礼物", "吸尘器"],
    "麻婆豆腐要少放辣椒多放花椒": ["麻婆豆腐", "花椒"],
    "第一次在西湖边跑完了十公里": ["西湖", "十公里", "跑完十公里在哪里"],
    "登录令牌的有效期缩短为十五分钟": ["令牌有效期", "登录令牌"],
    "從台北搭高鐵到高雄花了兩個小時": ["高鐵", "台北到高雄", "高雄"],
}


def tree(root: Path, facts: Mapping[str, object]) -> dict[str, str]:
    """Write each sentence into a log of its own day, and return the paths by sentence."""
    (root / "memory").mkdir(parents=True)
    paths = {}
    for number, sentence in enumerate(facts):
        day = date(2026, 4, 1) + timedelta(number)
        path = f"memory/{day}.md"
        (root / path).write_text(
            f"# {day}\n\n## M{number} [project]\n- outcome: {sentence}\n", encoding="utf-8"
        )
        paths[sentence] = path
    return paths


@pytest.mark.parametrize("facts", [KOREAN, JAPANESE, CHINESE], ids=["korean", "japanese", "chinese"])
def test_every_query_of_a_language_finds_its_sentence_first(
    tmp_path: Path, facts: dict[str, list[str]]
) -> None:
    paths = tree(tmp_path, facts)
    wrong = []
    for sentence, queries in facts.items():
        for query in queries:
            hits = search(tmp_path, query, today=TODAY).hits
            if not hits or hits[0].path != paths[sentence]:
                wrong.append((query, hits[0].text if hits else None))
    assert not wrong


def test_there_are_at_least_thirty_queries_a_language() -> None:
    assert all(sum(map(len, facts.values())) >= 30 for facts in (KOREAN, JAPANESE, CHINESE))


@pytest.mark.parametrize("word", ["猫", "강", "山"])
def test_one_character_is_a_query(tmp_path: Path, word: str) -> None:
    tree(tmp_path, KOREAN | JAPANESE | CHINESE)
    hits = search(tmp_path, word, today=TODAY).hits
    assert hits
    assert all(word in hit.text for hit in hits)
