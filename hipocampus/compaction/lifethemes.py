"""Which part of a life a sentence is about: work, home, family, pets, …

Pure keyword matching in English and Korean (some Japanese and Chinese): ROOT.md groups by it what
people said about themselves, so that a reader finds the dog beside the cat.
"""

import re
from functools import cache

OTHER = "Life"

_WORDS = {
    "Pets": r"dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|aquariums?|tank|fish|betta|hamster|parrot|chickens?|goats?|rooster|cows?|farm|horses?|vet|retriever|litter box|강아지|고양이|반려|개를|犬|猫|ペット|狗|宠物",
    "Work": r"jobs?|work(?:ing|ed|s)?|boss|coworkers?|colleagues?|company|office|team|manager|engineers?|clients?|career|promotion|salary|intern\w*|project|meetings?|conference|startup|business|employees?|degree|university|college|school|class(?:es)?|course[s]?|thesis|graduat\w+|study\w*|research|exam|professor|students?|campaign|customers?|resume|major|coding|python|certif\w+|workshop|회사|직장|업무|일하|팀장|동료|개발자|학교|대학|공부|졸업|시험|전공|강의|仕事|会社|大学|勉強|工作|公司|大学|学习",
    "Health": r"gym|yoga|runs?|running|ran|marathon|triathlon|bik(?:e|es|ing)|cycling|swim\w*|hik\w+|jog\w*|workouts?|training|fitness|zumba|miles|5k|pounds|weight|doctor|dr\.?|dentist|therap\w+|sleep|diagnosed|allerg\w+|symptoms?|health|pain|skin\w*|medication|sick|soccer|tennis|basketball|football|volleyball|steps|meditat\w+|diet|운동|헬스|요가|달리기|마라톤|수영|병원|의사|건강|다이어트|알레르기|약을|病院|運動|医者|运动|医院|跑步|过敏",
    "Family": r"mom|mother|dad|father|parents?|wife|husband|partner|girlfriend|boyfriend|fianc\w+|sons?|daughters?|kids?|bab(?:y|ies)|child(?:ren)?|sisters?|brothers?|siblings?|nieces?|nephews?|grand\w+|uncle|aunt|cousins?|famil(?:y|ies)|friends?|roommates?|neighbors?|weddings?|birthday|married|engagement|anniversary|funeral|엄마|아빠|어머니|아버지|부모님|아내|남편|아들|딸|아이|동생|형|누나|언니|오빠|친구|결혼|생일|가족|母|父|妻|夫|息子|娘|友達|家族|妈妈|爸爸|妻子|丈夫|儿子|女儿|朋友|结婚",
    "Home": r"apartment|house|home|room|kitchen|bedroom|living room|bathroom|furniture|sofa|couch|mattress|shelf|shelves|bookshelf|rug|garden\w*|plants?|planted|tomato(?:es)?|seeds|herbs|lawn|rent|mortgage|moved|neighbou?rhood|renovat\w+|decor\w*|clean(?:ed|ing)?|repair\w*|fixed|집|이사|아파트|방을|주방|가구|정원|화분|월세|전세|家を|部屋|引っ越|房子|搬家|公寓",
    "Food": r"recipes?|cook(?:ed|ing|s)?|bak(?:ed|ing)|cake|cookies|bread|restaurants?|coffee|tea|wine|beer|cocktails?|dinner|lunch|breakfast|meals?|vegan|vegetarian|sushi|pizza|pasta|chicken|soup|salad|grocer\w+|instant pot|smoothies?|요리|음식|식당|커피|맛집|저녁|점심|채식|料理|食べ|レストラン|吃|餐厅|咖啡|做饭",
    "Travel": r"trips?|travel\w*|flights?|flew|hotels?|airbnb|vacation|airport|airlines?|road trip|camping|beach|cruise|passport|visit(?:ed|ing)?|tour|national park|japan|europe|paris|hawaii|tokyo|여행|비행기|호텔|휴가|출장|旅行|ホテル|飞机|酒店|度假",
    "Shopping": r"bought|purchas\w+|paid|spent|cost|price|discount|coupon|sale|\$\d[\d,.]*|store|shopp\w+|amazon|gift card|cashback|budget|savings?|credit card|loan|donat\w+|raised|earned|sold|points|invest\w+|샀|구매|구입|결제|만원|할인|저축|買|円|买|花了|块钱",
    "Culture": r"watch(?:ed|ing)?|listen(?:ed|ing)?|books?|read(?:ing)?|novels?|author|podcasts?|audiobooks?|movies?|films?|series|season|episodes?|netflix|hbo|disney\+?|hulu|spotify|playlists?|songs?|albums?|concerts?|bands?|guitar|piano|violin|ukulele|vinyl|records?|music\w*|theat(?:er|re)|museum|exhibit\w*|festival|games?|gaming|xbox|playstation|switch|책|소설|영화|드라마|음악|노래|콘서트|기타|피아노|게임|本を|映画|音楽|ゲーム|书|电影|音乐|游戏",
    "Hobbies": r"paint\w*|draw\w*|photo\w*|cameras?|lens|knit\w*|crochet|sew\w*|craft\w*|models?|kit|collect\w*|stamps?|coins?|vintage|bird\w*|fish(?:ing|ed)|puzzles?|chess|cards?|figurines?|writing|poems?|blog|youtube|instagram|followers|volunteer\w*|취미|사진|그림|캠핑|낚시|등산|趣味|写真|画画|摄影|爱好",
    "Devices": r"phone|iphone|samsung|galaxy|android|laptop|computer|ram|tablet|ipad|tv|headphones|earbuds|smartwatch|fitbit|router|printer|cars?|drove|tires?|oil change|toyota|honda|ford|tesla|mpg|핸드폰|휴대폰|노트북|자동차|차를|아이폰|車|スマホ|手机|电脑|汽车",
}  # fmt: skip
_KOREAN = {
    "Pets": "반려동물", "Work": "일과 공부", "Health": "건강과 운동", "Family": "가족과 친구",
    "Home": "집", "Food": "음식", "Travel": "여행", "Shopping": "돈과 쇼핑",
    "Culture": "책, 영화, 음악", "Hobbies": "취미", "Devices": "기기와 차", OTHER: "생활",
}  # fmt: skip


@cache
def _patterns() -> tuple[list[tuple[str, re.Pattern[str]]], list[tuple[str, re.Pattern[str]]]]:
    """Return for each theme the pattern of its Latin words, and the one of words in other scripts."""
    latin, other = [], []
    for name, words in _WORDS.items():
        parts = words.split("|")
        latin.append((name, re.compile("|".join(w for w in parts if w.isascii()))))
        other.append((name, re.compile("|".join(w for w in parts if not w.isascii()))))
    return latin, other


@cache
def _theme_of_word(word: str) -> str:
    return next((name for name, pattern in _patterns()[0] if pattern.fullmatch(word)), "")


_LATIN = re.compile(r"\$\d[\d,.]*|\d?[a-z][a-z+.]*")


def theme_of(text: str) -> str:
    """Return the theme that most words of `text` belong to, the first one of equals; OTHER without any."""
    hits = dict.fromkeys(_WORDS, 0)
    for word in _LATIN.findall(text.lower()):
        if theme := _theme_of_word(word.rstrip(".")):
            hits[theme] += 1
    if not text.isascii():
        for name, pattern in _patterns()[1]:
            hits[name] += len(pattern.findall(text))
    best = max(hits, key=lambda name: hits[name])
    return best if hits[best] else OTHER


def shown_theme(theme: str, text: str) -> str:
    """Return the name of a theme in the language of `text`: Korean where it is mostly Hangul."""
    hangul = len(re.findall("[가-힣]", text))
    return _KOREAN.get(theme, theme) if hangul * 3 > len(text) else theme
