"""What people say about themselves, and what was decided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.memory.facts import DECIDED, FACT, decision_score, fact_score, shorten, telegram

FACTS = [
    "By the way, I just moved into a two-bedroom apartment on March 15th.",
    "I have a golden retriever named Max.",
    "My sister got married last weekend in Lisbon.",
    "I've been working as a nurse for three years.",
    "I take yoga classes at Serenity Yoga every Tuesday.",
    "저는 작년부터 서울에 있는 회사에서 백엔드 개발자로 일하고 있어요.",
    "지난주에 강아지를 입양했는데 이름은 초코예요.",
    "참고로 저는 땅콩 알레르기가 있어요.",
    "先週、妻と京都へ旅行に行きました。",
    "うちの犬の名前はモモで、三歳です。",
    "我在上海的一家公司做后端开发，已经三年了。",
    "我的猫叫咪咪，今年四岁。",
]
NO_FACTS = [
    "Can you recommend a good collar for a dog?",
    "How do I sort a list in Python?",
    "Write me a poem about the sea.",
    "The gateway limits requests to 200 per second.",
    "Thanks, that's really helpful!",
    "제주도 여행 일정 좀 추천해 주세요.",
    "파이썬에서 리스트를 정렬하려면 어떻게 하나요?",
    "테스트를 3개 추가했다.",
    "おすすめのレストランを教えてください。",
    "请帮我写一个排序函数。",
]


@pytest.mark.parametrize("sentence", FACTS)
def test_what_a_person_says_about_themselves_is_a_fact(sentence: str) -> None:
    assert fact_score(sentence) >= FACT


@pytest.mark.parametrize("sentence", NO_FACTS)
def test_questions_requests_and_statements_about_things_are_none(sentence: str) -> None:
    assert fact_score(sentence) < FACT


def test_a_request_behind_a_fact_does_not_hide_it() -> None:
    asked = "I have 20 playlists on Spotify already - do you have any tips on how to sort them?"
    assert fact_score(asked) >= FACT


def test_a_fact_with_a_name_and_a_number_weighs_more_than_a_vague_one() -> None:
    exact = "I paid $80 for the mixer at Target yesterday."
    assert fact_score(exact) > fact_score("I like to cook something new sometimes at home.")


@pytest.mark.parametrize(
    "sentence",
    [
        "I think I'll go with the Sonos Beam.",
        "We decided to keep PostgreSQL.",
        "토큰 버킷 방식을 쓰기로 했다.",
        "トークンバケットを使うことにした。",
        "我们决定采用令牌桶算法。",
    ],
)
def test_decisions_are_recognised(sentence: str) -> None:
    assert decision_score(sentence) >= DECIDED


def test_a_question_about_a_choice_is_no_decision() -> None:
    assert decision_score("Should I go with the Sonos Beam?") < DECIDED


def test_a_telegram_keeps_names_and_numbers_and_drops_the_lead_in() -> None:
    said = (
        "By the way, I just sold 15 jars of my homemade jam at the Homemade Market on May 29th, earning $225."
    )
    assert telegram(said) == "sold 15 jars homemade jam Homemade Market May 29th, $225"


def test_a_telegram_keeps_the_negation() -> None:
    assert "don't eat" in telegram("By the way, I don't eat any meat since I moved to Berlin last year.")


def test_a_korean_telegram_keeps_its_verb() -> None:
    assert telegram("참고로 저는 땅콩 알레르기가 있어요.") == "땅콩 알레르기가 있어요"


def test_shorten_keeps_paths_and_numbers_to_the_end() -> None:
    long = "the limiter now lives in gateway/limits.py and " + "was tested very carefully " * 12 + "at 200/s"
    short = shorten(long, 80)
    assert len(short) <= 80 and "gateway/limits.py" in short and "200/s" in short and "…" in short


@given(st.text(max_size=400), st.integers(10, 200))
def test_telegrams_and_shortened_lines_are_one_line_within_their_limit(text: str, limit: int) -> None:
    for line in (telegram(text, limit), shorten(text, limit)):
        assert len(line) <= limit
        assert len(line.splitlines()) <= 1
    assert fact_score(text) >= 0 and decision_score(text) >= 0


@given(st.text(max_size=200))
def test_scores_are_the_same_each_time(text: str) -> None:
    assert fact_score(text) == fact_score(text)
