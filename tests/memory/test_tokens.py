"""The estimate of o200k tokens, held against counts of the real tokenizer (`gpt-tokenizer`, o200k_base)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.memory.tokens import estimate_tokens

ENGLISH = """The rate limiter sits in the gateway, because bursts are legitimate there and nowhere else. We looked at the
leaky bucket first, and it dropped a tenth of the requests that customers made at the beginning of each hour. The token
bucket holds at 200 requests per second with three tests. Next week the old endpoint goes away; until then both answer.
My sister visited from Portugal in March, we walked along the coast for nine days, and I took about 400 photographs."""
KOREAN = "저는 작년부터 서울에 있는 스타트업에서 백엔드 개발자로 일하고 있습니다. 강아지 이름은 초코이고 세 살이에요."
JAPANESE = "私は東京のスタートアップでエンジニアとして働いています。先週、京都へ家族と旅行に行きました。"
CHINESE = "我在上海的一家互联网公司做后端开发，已经三年了。上周末和家人去了杭州旅行，买了很多龙井茶。"
CODE = """def add(self, item: dict[str, int], *, limit: int = 200) -> list[str]:
    if item["count"] > limit or not self._seen.get(item_id := str(item["id"])):
        raise ValueError(f"{item_id}: over {limit:,}")
    return [line.rstrip() for line in self.rows[-limit:] if line != "\\n"]
"""
EMOJI = "🎉🚀✅ 👩‍💻 great 👍🏽 ❤️ 🇰🇷 done 🐶🐱 👨‍👩‍👧‍👦 🤷🏻‍♀️ ⭐️ 🔥"
"""Texts whose real counts stand in COUNTS; `bench/tokens.py` prints these too."""

COUNTS = {"ENGLISH": 98, "KOREAN": 34, "JAPANESE": 31, "CHINESE": 34, "CODE": 80, "EMOJI": 46}


@pytest.mark.parametrize("name", COUNTS)
def test_the_estimate_is_not_below_the_real_count(name: str) -> None:
    assert estimate_tokens(globals()[name]) >= COUNTS[name]


def test_the_estimate_is_at_most_a_tenth_above_on_english() -> None:
    assert estimate_tokens(ENGLISH) <= 1.1 * COUNTS["ENGLISH"]


def test_no_text_has_no_tokens_and_any_text_has_one() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") >= 1


@given(st.text(max_size=300), st.text(max_size=300))
def test_more_text_never_costs_less(head: str, tail: str) -> None:
    assert estimate_tokens(f"{head}\n{tail}") >= max(estimate_tokens(head), estimate_tokens(tail)) - 2
