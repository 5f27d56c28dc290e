"""Cues of Korean, Japanese and Chinese sentences in which a person tells something about themselves.

Pure. `facts.py` asks for the score; the weights follow those of English.
"""

import re
from functools import cache
from typing import NamedTuple


class _Script(NamedTuple):
    """The cues of a language whose words are not set off by spaces: what must be there, and what counts."""

    about_self: re.Pattern[str]  # "I", "my", kin, home, work; else a past tense says nothing of a person
    cues: list[tuple[re.Pattern[str], float]]


_UNDECIDED = 1.5
"""Most that a sentence without a word of oneself, kin, home or work can get: below `facts.FACT`."""


_NUMBER = r"[0-9０-９]|[일이삼사오육칠팔구십백천만]+\s?(?:개|명|살|년|월|시간|만원|원)|[一二三四五六七八九十百千万两]+(?:年|月|歳|岁|个|個|人|回|次|匹|只|円|块|元|万)"


def _script(about_self: str, cues: list[tuple[str, float]]) -> _Script:
    return _Script(re.compile(about_self), [(re.compile(cue), weight) for cue, weight in cues])


@cache
def _korean() -> _Script:
    return _script(
        r"(?:^|\s)(?:저는|저도|제가|저희|제|나는|나도|내가|내|우리)(?=\s|$)|아내|남편|아들|딸|부모님|어머니|아버지|엄마|아빠|동생|"
        r"강아지|고양이|반려|이사(?!회)|결혼|생일|알레르기|취미|출퇴근|입양|키우|살고|다니|좋아하|싫어하|회사|직장|학교|여행|운동",
        [
            (
                r"(?:[았었했였갔왔됐샀봤]|렸|졌|켰|꼈)(?:다|어|고|는데|지만|습니다|음|던)|(?:은|인|한) 지 ",
                1.2,
            ),
            (
                r"고 있(?:어|습|다|는)|(?:이에요|예요|입니다|이야|거든요)|(?:살|일하|다니|키우|좋아|싫어)",
                0.9,
            ),
            (
                r"어제|오늘|그저께|지난\s?(?:주|달|해|번)|작년|올해|이번\s?(?:주|달)|요즘|최근|얼마 전|매(?:일|주|달)|아침마다|주말|년째|전에",
                0.6,
            ),
            (_NUMBER, 0.7),
            (r"참고로|아 그리고|그건 그렇고|사실", 0.7),
            (r"[?？]\s*$|(?:까요|나요|을까|ㄹ까|ㄴ가요|은가요)[.?!]*$", -2.0),
            (r"(?:주세요|줘|줄래|해라|하세요|바랍니다|알려|추천해|도와|부탁)", -1.6),
            (r"(?:싶어|싶은데|고민|생각 중|할까)", -0.5),
        ],
    )


@cache
def _japanese() -> _Script:
    return _script(
        r"私|僕|俺|うち|我が家|自分|妻|夫|主人|息子|娘|両親|母|父|兄|姉|弟|妹|犬|猫|引っ越|結婚|誕生日|会社|仕事|学校|大学|旅行|趣味|住んで|飼って|通って",
        [
            (r"(?:まし|でし|っ|い|し|り)た(?:[。!！、]|$|ん|の|が|けど)", 1.2),
            (r"てい(?:ます|る)|です(?:[。!！]|$|が|けど)|が好き|が嫌い|アレルギー", 0.9),
            (
                r"昨日|今日|先週|先月|去年|昨年|今年|最近|毎(?:日|週|朝|月)|週末|年前|ヶ月前|か月前|この前",
                0.6,
            ),
            (_NUMBER, 0.7),
            (r"ちなみに|そういえば|実は", 0.7),
            (r"[?？]\s*$|(?:ですか|ますか|でしょうか|かな)[。?？]*$", -2.0),
            (r"ください|教えて|お願い|してほしい|おすすめ", -1.6),
            (r"たいと思|つもり|考えてい", -0.4),
        ],
    )


@cache
def _chinese() -> _Script:
    return _script(
        r"我|咱|本人|老婆|老公|妻子|丈夫|儿子|兒子|女儿|女兒|爸|妈|媽",
        [
            (
                r"[了过過](?:[，。！一两二三四五六七八九十\d]|$)|(?:买|買|去|搬|养|養|换|換|参加|參加|开始|開始|毕业|畢業|结婚|結婚)了|刚|剛",
                1.2,
            ),
            (r"我(?:在|是|有|住|的|喜欢|喜歡|不喜欢|讨厌|每|养|養|家|叫)|我们|我們|过敏|過敏", 0.9),
            (
                r"昨天|今天|前天|上(?:周|个月|週|個月)|去年|今年|最近|每(?:天|周|週|月)|周末|週末|年前|个月前|個月前",
                0.6,
            ),
            (_NUMBER, 0.7),
            (r"对了|對了|顺便|順便|其实|其實", 0.7),
            (r"[?？]\s*$|[吗嗎呢][。?？]*$", -2.0),
            (r"请|請|帮我|幫我|能不能|可以.{0,6}吗|怎么|怎麼|如何|推荐|推薦|告诉我|告訴我", -1.6),
            (r"我(?:想|打算|考虑|考慮)", -0.4),
        ],
    )


_SCRIPTS = (("[가-힣]", _korean), ("[\u3040-\u30ff]", _japanese), ("[\u4e00-\u9fff]", _chinese))
"""The letters of each script; its cues are made ready with the first sentence that holds one."""

_FIRST = "\u3040"
"""The smallest of these letters: most sentences have none that large."""


def _script_of(sentence: str) -> _Script | None:
    if max(sentence, default="") >= _FIRST:
        for letters, cues in _SCRIPTS:
            if re.search(letters, sentence):
                return cues()
    return None


def asian_score(sentence: str) -> float | None:
    """Return the score of a Korean, Japanese or Chinese sentence, None for one in another script."""
    script = _script_of(sentence)
    if script is None:
        return None
    score = 0.8 if len(sentence) >= 12 else 0.3
    score += sum(weight for cue, weight in script.cues if cue.search(sentence))
    if script.about_self.search(sentence):
        score += 1.0
    else:
        score = min(score, _UNDECIDED)
    return max(0.0, round(score if len(sentence) <= 160 else score - 1.0, 2))
