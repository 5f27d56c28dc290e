"""What a sentence of a person is worth to memory: facts about themselves, and decisions.

ONE definition, used by summaries, ROOT.md and the ranking of recall. Pure text rules, no model: first
person, perfect or past tense, `my X`, a time, a number, a name count for a fact; questions and
requests count against it. English, Korean, Japanese and Chinese cues.
"""

import re
from functools import cache
from math import ceil
from typing import NamedTuple

FACT = 2.0
"""A sentence of at least this score says something about the person that is worth keeping."""

DECIDED = 1.0
"""A sentence of at least this score says what was decided."""

_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_PAST = (
    "went|got|bought|made|took|had|saw|met|found|came|left|moved|gave|told|said|spent|paid|sold|won|lost|ran|ate|"
    "drove|flew|wrote|read|built|chose|began|felt|grew|kept|knew|led|put|quit|set|sent|slept|spoke|taught|thought|"
    "wore|did|was|broke|caught|cut|fell|forgot|hurt|sang|swam|used|became|brought|broke|hit|held"
)
_ADVERBS = r"(?:(?:\w+ly|just|also|even|already|now|still|never|always|ever|once|then|have|had|been) ){0,3}"


@cache
def _english() -> list[tuple[re.Pattern[str], float]]:
    """Cue and weight. A softmax over the sentences of conversations whose telling sentence was known gave
    the order of the weights (an aside, a past tense and a number say most); rounded by hand."""
    cues = [
        (
            r"\bi(?:'ve| have) (?:\w+ly |just |also |already |now )*(?:been|had|got|\w+(?:ed|en|ne|own|ught|ept))\b",
            0.7,
        ),
        (rf"\bi {_ADVERBS}(?:{_PAST}|\w\w+ed)\b", 1.2),
        (
            r"\bi(?:'ve| have|'d)? (?:\w+ly |just |also |already )*(?:graduated|moved|started|joined|bought|got|attended|finished|"
            r"completed|planted|inherited|upgraded|participated|went|visited|tried|made|built|won|lost|sold|ordered|signed up|"
            r"adopted|raised|met|watched|ran|fixed|replaced|baked|organized|received|picked up|switched|installed|took|spent|paid)\b",
            0.6,
        ),
        (r"\bi(?:'m| am) (?:currently|now|already|also|still|actually|a|an|the|from|on|in|at|\w+ing)\b", 0.3),
        (
            r"\bi (?:\w+ly |also |usually |often |always )?(?:work|live|own|have|use|prefer|love|like|hate|play|teach|"
            r"study|drive|go|run|lead|manage|take|keep|wear|eat|drink|speak)\b(?! to (?:know|see|get)\b)",
            0.6,
        ),
        (
            r"\b(?:my|our) (?!own\b|question|next\b|previous|last (?:question|message)|prompt|code\b|request)\w+",
            0.6,
        ),
        (
            r"\bmy (?:new |old |older |younger |little |big |best |late )?(?:wife|husband|partner|girlfriend|boyfriend|"
            r"fianc\w+|son|daughter|kids?|children|baby|mom|mother|dad|father|parents|sister|brother|niece|nephew|"
            r"grand\w+|uncle|aunt|cousins?|friend|family|dogs?|cats?|puppy|pets?|job|boss|team|company|office|commute|"
            r"apartment|house|home|car|bike|birthday|wedding|degree|thesis|role|doctor|therapist|roommate)\b",
            0.6,
        ),
        (r"\b(?:by the way|speaking of|btw|actually|fun fact|oh,)", 1.4),
        (r"\b(?:just|recently|finally|lately|currently|already)\b", 0.4),
        (
            rf"\b(?:yesterday|today|tonight|last (?:night|week|weekend|month|year|summer|winter|spring|fall|{_DAYS}|{_MONTHS})|"
            rf"(?:this|every|each) (?:morning|week|weekend|month|year|day|{_DAYS})|(?:days?|weeks?|months?|years?) (?:ago|now|old)|"
            rf"for (?:the past|about|over|almost|\d+)|since (?!i want|you|it)\w+|{_DAYS}|(?:{_MONTHS}|may) \d|in (?:{_MONTHS}|may|\d{{4}})\b)",
            0.5,
        ),
        (
            r"[$€£¥₩]\s?\d|\b\d[\d,.]*(?:k|%|th|st|nd|rd)?\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|twice|"
            r"half|first|second|third)\b",
            0.9,
        ),
        (r"\b(?:named|called)\b|[\"“']\w[^\"”']{3,}[\"”']", 0.4),
    ]
    return [(re.compile(pattern, re.I), weight) for pattern, weight in cues]


@cache
def _english_against() -> list[tuple[re.Pattern[str], float]]:
    cues = [
        (
            r"^(?:\W*(?:so|and|also|ok(?:ay)?|thanks|great|yes|well|oh|by the way)\W+)*(?:can|could|would|will|do|does|did|is|are|should|what|how|why|"
            r"when|where|which|who|have you|any|please|tell|give|write|make|create|explain|help|show|translate|generate|"
            r"suggest|recommend|list|rewrite|act|imagine|provide|describe|let's|pretend)\b",
            1.5,
        ),
        (r"\?\W*$", 1.2),
        (r"\b(?:can|could|would|do|did) you\b|\bi was wondering\b|\bplease\b", 0.6),
        (
            r"\bi(?:'m| am) (?:\w+ly |also |just )?(?:looking (?:for|to|into)|thinking (?:of|about)|wondering|interested|hoping|trying to|curious|not sure|considering)\b|"
            r"\bi(?:'d| would) (?:like|love|be|also|appreciate)\b|\bi (?:want|need|was thinking|might|may|should|could|can)\b|"
            r"\bi think i(?:'ll| will| should| might)\b|\bi(?:'ll| will)\b",
            0.9,
        ),
        (
            r"^(?:thanks|thank you|that's|that is|those|these|great|wow|yes|yeah|no|ok|okay|it|this|you)\b|\bi(?:'m| am) (?:glad|happy|sure|excited)\b",
            0.6,
        ),
        (r"\byou (?:are|said|mentioned|just|have|provided|gave|wrote)\b|\byour\b", 0.6),
        (r"\bi(?:'ve| have)? (?:\w+ly |just |also )?\w+ (?:it|them|this|that|these|those|one)\b", 0.7),
    ]
    return [(re.compile(pattern, re.I), weight) for pattern, weight in cues]


_REQUEST_TAIL = re.compile(
    r"[,;]? (?:[-–—] )?(?:(?:and|so|but) )?(?:(?:can|could|would|do|did|have) you\b|what do you think|"
    r"i(?:'m| was| am) (?:\w+ly |just )?(?:wondering|looking|hoping|curious)\b|how can i\b|any (?:tips|ideas|suggestions)\b).*$",
    re.I | re.S,
)
"""What is asked behind a fact: "I have 20 playlists already - do you have any tips?" says the fact all the same."""


@cache
def _first_person() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|my|me|we|our|mine|we've|we're)\b", re.I)


_NAME = re.compile(r"(?<=[\w,;:'\"(] )[\"'(]?(?!I\b|I['’])[A-Z][\w&'’.-]+")


def fact_score(sentence: str) -> float:
    """Return how much `sentence` reads like something a person says about themselves: about 0 to 8.

    0 is a question, a request or a text about something else; `FACT` and more is worth keeping.
    """
    if not sentence or len(sentence) < 4:
        return 0.0
    if not sentence.isascii():
        sentence = sentence.replace("’", "'")
        asian = _asian_score(sentence)
        if asian is not None:
            return asian
    core = _REQUEST_TAIL.sub("", sentence)
    core = core if len(core) >= 30 else sentence
    if not _first_person().search(core):
        return 0.0
    score = 1.0 if len(core) >= 40 else 0.0
    for cue, weight in _english():
        if cue.search(core):
            score += weight
    score += min(len(_NAME.findall(core)), 3) * 0.4
    for cue, weight in _english_against():
        if cue.search(core):
            score -= weight
    if len(core) > 300:
        score -= 1.0
    return max(0.0, round(score, 2))


class _Script(NamedTuple):
    """The cues of a language whose words are not set off by spaces: what must be there, and what counts."""

    letters: re.Pattern[str]
    about_self: re.Pattern[
        str
    ]  # "I", "my", kin, home, work; without it a past tense says nothing of a person
    cues: list[tuple[re.Pattern[str], float]]


@cache
def _scripts() -> list[_Script]:
    number = r"[0-9０-９]|[일이삼사오육칠팔구십백천만]+\s?(?:개|명|살|년|월|시간|만원|원)|[一二三四五六七八九十百千万两]+(?:年|月|歳|岁|个|個|人|回|次|匹|只|円|块|元|万)"
    rows = [
        (
            "[가-힣]",
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
                (number, 0.7),
                (r"참고로|아 그리고|그건 그렇고|사실", 0.7),
                (r"[?？]\s*$|(?:까요|나요|을까|ㄹ까|ㄴ가요|은가요)[.?!]*$", -2.0),
                (r"(?:주세요|줘|줄래|해라|하세요|바랍니다|알려|추천해|도와|부탁)", -1.6),
                (r"(?:싶어|싶은데|고민|생각 중|할까)", -0.5),
            ],
        ),
        (
            "[\u3040-\u30ff]",
            r"私|僕|俺|うち|我が家|自分|妻|夫|主人|息子|娘|両親|母|父|兄|姉|弟|妹|犬|猫|引っ越|結婚|誕生日|会社|仕事|学校|大学|旅行|趣味|住んで|飼って|通って",
            [
                (r"(?:まし|でし|っ|い|し|り)た(?:[。!！、]|$|ん|の|が|けど)", 1.2),
                (r"てい(?:ます|る)|です(?:[。!！]|$|が|けど)|が好き|が嫌い|アレルギー", 0.9),
                (
                    r"昨日|今日|先週|先月|去年|昨年|今年|最近|毎(?:日|週|朝|月)|週末|年前|ヶ月前|か月前|この前",
                    0.6,
                ),
                (number, 0.7),
                (r"ちなみに|そういえば|実は", 0.7),
                (r"[?？]\s*$|(?:ですか|ますか|でしょうか|かな)[。?？]*$", -2.0),
                (r"ください|教えて|お願い|してほしい|おすすめ", -1.6),
                (r"たいと思|つもり|考えてい", -0.4),
            ],
        ),
        (
            "[\u4e00-\u9fff]",
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
                (number, 0.7),
                (r"对了|對了|顺便|順便|其实|其實", 0.7),
                (r"[?？]\s*$|[吗嗎呢][。?？]*$", -2.0),
                (r"请|請|帮我|幫我|能不能|可以.{0,6}吗|怎么|怎麼|如何|推荐|推薦|告诉我|告訴我", -1.6),
                (r"我(?:想|打算|考虑|考慮)", -0.4),
            ],
        ),
    ]
    return [
        _Script(re.compile(letters), re.compile(self), [(re.compile(cue), weight) for cue, weight in cues])
        for letters, self, cues in rows
    ]


def _asian_score(sentence: str) -> float | None:
    """Return the score of a Korean, Japanese or Chinese sentence, None for one in another script."""
    for script in _scripts():
        if script.letters.search(sentence):
            break
    else:
        return None
    score = 0.8 if len(sentence) >= 12 else 0.3
    score += sum(weight for cue, weight in script.cues if cue.search(sentence))
    if script.about_self.search(sentence):
        score += 1.0
    else:
        score = min(score, FACT - 0.5)
    return max(0.0, round(score if len(sentence) <= 160 else score - 1.0, 2))


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(
        r"^(?:\W*(?:(?:oh|so|well|also|and|but|yes|yeah|hey|hi|hello|ok|okay|actually|anyway|wow|haha|great|thanks|"
        r"thank you|by the way|btw|speaking of (?:which|\w+(?: \w+){0,3})|in fact|to be honest|honestly|funny enough|"
        r"as i mentioned(?: earlier)?|just so you know|for (?:context|instance|example)|i (?:just )?(?:remember(?:ed)?|realized|think|guess|mean|noticed|wanted to (?:mention|add))"
        r"(?: that)?|you know|i(?:'m| am) (?:glad|happy|sure|excited to (?:say|share))(?: that)?|that reminds me|since|because|"
        r"it's funny(?: that)?|fun fact|which reminds me)\b[\s,:;–—-]*))+",
        re.I,
    )


_TAIL = re.compile(
    r"[,;]? (?:[-–—] )?(?:and|but|so|which)(?: (?:that|it))? (?:i(?:'m| am)|it(?:'s| is| was|'s been| has been)|that's|they(?:'re| are|'ve been)|has been|have been|is|was|makes?|made) "
    r"(?:\w+ly |so |such |a |an |been |all |me |just )*(?:amazing|great|awesome|wonderful|fantastic|incredible|nice|good|fun|blast|helpful|useful|excited|glad|happy|loving|enjoying|hooked|"
    r"game-changer|huge|perfect|beautiful|delicious|really|feel|thinking|looking|eager|itching|tasty|hit|easy|impressed|curious|worth|still|lifesaver|relaxing|rewarding|satisfying|treat|wondering|hoping|interested|trying)\b[^.]*$",
    re.I,
)
_FUNCTION = frozenset(
    "a an the i i'm i've i'd i'll im ive me my mine we we're we've our us it it's its that's this that these those "
    "am is are was were be been being have has had having do does did will would "
    "just also really actually very quite pretty so too even already definitely absolutely basically totally "
    "currently of to and or as some any lot lots there there's then which who what than such "
    "kind sort bit much many well about around them they they're they've he he's she she's her his their him you you're your "
    "lately recently myself yet far finally though".split()
)
_WEAK = frozenset(
    "able actually always amazing another awesome back best big bought came certain days definitely doing done every excited "
    "experience feel feeling few find finding found fun get gets getting glad go going good got great happy hard help helped "
    "helpful helping huge if in into interesting into keep keeping know like little long look looking lot love loved loving made make making "
    "managed more most need new nice nicely now old on once one only other out over own part past people perfect put "
    "quickly realized really remember right said say see seen seems since someone something soon special started starting "
    "still sure super take taken taking thing things think thinking though thought time times together took tried try "
    "trying turned up use used using want wanted was way went when where while with wonderful work working would yet from for at by "
    "because but decided enjoy enjoyed enjoying including".split()
)
_STOP = frozenset(
    "a an the and or but if of in on at to for from by with as is are was were be been being am do does did have has had i "
    "me my we our us you your he him his she her they them their it its this that these those what which who when where why "
    "how not no so than too very can could would should will may might must just about into over under out up down off then "
    "there here also any some all more most".split()
)
_KIN = frozenset(
    "wife husband partner girlfriend boyfriend son daughter kids mom mother dad father parents sister brother niece nephew "
    "grandmother grandma grandfather uncle aunt cousin friend dog cat puppy boss allergic allergy".split()
)
FILLERS = _FUNCTION | _WEAK
"""Words that say little on their own."""

_NEGATIVE = frozenset(
    "not don't didn't doesn't haven't hasn't never no can't couldn't won't isn't wasn't aren't without".split()
)
_KEEP_SHARE = 0.63
"""Share of the content words of a sentence that a telegram keeps: three of five still say which fact it
is, and the room goes to other facts. Measured: 0.75 leaves a seventh fewer facts in ROOT.md."""


def telegram(sentence: str, limit: int = 90, said: str = "") -> str:
    """Return `sentence` as a telegram of at most `limit` characters: lead-ins and function words out, cut at a word.

    Of a longer sentence the words that say least go first; names, numbers, paths and negations stay. With
    `said`, the sentence as it was before words were replaced in it, the share that stays is of its words.
    """
    text = " ".join(sentence.replace("’", "'").split())
    if _cjk().search(text):
        return _cut(_asian_lead().sub("", text).strip(" .,;:!?。！？、，"), limit)
    original = {_bare(word) for word in said.replace("’", "'").split()} - _STOP if said else set()
    counts = original.__contains__ if said else lambda word: word not in _STOP
    least = ceil(_KEEP_SHARE * (len(original) or sum(map(counts, map(_bare, text.split(" "))))))
    for pattern in (_lead_in(), _REQUEST_TAIL, _TAIL):
        cut = pattern.sub("", text)
        text = cut if len(cut) >= 30 and cut.count(" ") >= least else text
    words = _content(text)
    most = max(5, least)
    keep = [True] * len(words)
    left = sum(counts(_bare(word)) for word in words)
    for can_go in (_is_weak, _is_plain):
        for at in range(len(words) - 1, -1, -1):
            if left <= most:
                break
            if keep[at] and can_go(words, at):
                keep[at] = False
                left -= counts(_bare(words[at]))
    return _joined([w for w, k in zip(words, keep, strict=True) if k], limit)


@cache
def _cjk() -> re.Pattern[str]:
    return re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


@cache
def _asian_lead() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:아|음|네|참|그리고|그런데|근데|참고로|사실|그건 그렇고|저는|저도|제가|나는|나도|내가|저희는|우리는)[,\s]+)+|"
        r"^(?:(?:ちなみに|そういえば|実は|私は|私も|僕は|俺は)[、,\s]*)+|^(?:(?:对了|對了|顺便说一下|其实|其實)[，,\s]*)"
    )


def _cut(text: str, limit: int) -> str:
    """Cut text at a space or a mark before `limit` characters; in scripts without spaces anywhere."""
    if len(text) <= limit:
        return text
    at = max(text.rfind(mark, limit // 2, limit) for mark in " ,、，。;")
    return text[: at if at > 0 else limit].rstrip(" ,、，;")


def _is_weak(words: list[str], at: int) -> bool:
    return (
        words[at] == words[at].lower()
        and _bare(words[at]) in _WEAK
        and not (at and words[at - 1].lower() in _NEGATIVE)
    )


def _is_plain(words: list[str], at: int) -> bool:
    return at > 0 and not _is_telling(words[at])


def _bare(word: str) -> str:
    return word.strip(".,;:!?\"'()“”‘’*").lower()


def _is_telling(word: str) -> bool:
    return (
        bool(_TELLING.search(word)) or word[:1].isupper() or _bare(word) in _NEGATIVE or _bare(word) in _KIN
    )


def _content(text: str) -> list[str]:
    """Return the words of a sentence that say something; marks between clauses stay on the word before."""
    words = text.split(" ")
    kept: list[str] = []
    in_title = False
    for at, word in enumerate(words):
        if word[:1] in "\"“'" and word[-1:] not in "\"”'" and len(word) > 1:
            in_title = True
        bare = _bare(word)
        capital = word[:1].isupper() and at > 0 and bare not in ("i", "i'm", "i've", "i'd", "i'll")
        between = (
            bare in ("and", "of", "to", "the", "in", "&")
            and at + 1 < len(words)
            and words[at + 1][:1].isupper()
            and words[at - 1][:1].isupper()
        )
        negated = bool(kept) and kept[-1].lower() in _NEGATIVE
        drop = not bare or (
            bare in _FUNCTION and not capital and not between and not in_title and not negated
        )
        if not drop:
            kept.append(word)
        elif word[-1:] in ",;" and kept and kept[-1][-1:] not in ",;":
            kept[-1] += ","
        if in_title and re.search(r"[\"”'][,.!?]*$", word):
            in_title = False
    return kept


_DANGLING = frozenset(
    "in on at for from with by where when while because since but if into during including after before or until who which not".split()
)


def _joined(words: list[str], limit: int) -> str:
    """Return as many words as fit, without one that dangles at the end."""
    kept: list[str] = []
    size = -1
    for word in words:
        if size + len(word) + 1 > limit:
            break
        kept.append(word)
        size += len(word) + 1
    while len(kept) > 2 and _bare(kept[-1]) in _DANGLING:
        kept.pop()
    return " ".join(kept).rstrip(" .,;:!?-–—")[:limit] or " ".join(words)[:limit]


@cache
def _decisions() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:(?:i|we)(?:'ve| have)? (?:just |finally |now |already )?(?:decided|chose|chosen|agreed|settled|opted)\b|"
        r"(?:i(?:'ll| will)|we(?:'ll| will)|let's|i think i(?:'ll| will)|i(?:'m| am) going to|we(?:'re| are) going to)(?: definitely| probably)? "
        r"(?:go with|use|stick (?:with|to)|choose|opt for|order|book|sign up for|switch to)\b|"
        r"(?:i(?:'m| am)|we(?:'re| are)) going with\b|(?:the )?(?:decision|final choice)(?: is|:)|from now on\b|"
        r"(?:always|never) (?:use|commit|push|run|add)\b)|"
        r"(?:하기로 (?:했|결정|정)|기로 했|결정했|정했(?:어|습)|로 (?:하자|가자|할게|갈게)|쓰기로|앞으로는)|"
        r"(?:ことにし(?:た|ま)|に決め(?:た|ま)|にします)|(?:决定|決定|就用|选择了|選擇了)",
        re.I,
    )


def decision_score(sentence: str) -> float:
    """Return how much `sentence` says that something was decided: 0 no, `DECIDED` and more yes."""
    if not _decisions().search(sentence):
        return 0.0
    score = 1.5
    if sentence.rstrip().endswith(("?", "？")):
        score -= 1.0
    if re.search(r"\d|[A-Z]\w+[A-Z_/.]\w*|[`/]", sentence):
        score += 0.5
    return score if len(sentence) <= 300 else score - 0.5


_TELLING = re.compile(r"[\d`/_#@$€£%]|\w\.\w|[A-Z]{2}|[a-z][A-Z]|^[-]{1,2}\w")


def shorten(text: str, limit: int) -> str:
    """Return `text` on one line of at most `limit` characters.

    When it is too long, function words go first, then plain words from the end; paths, commands, ids,
    versions and numbers stay longest. What was left out shows as "…".
    """
    words = text.split()
    line = " ".join(words)
    if len(line) <= limit:
        return line
    lean = [w for w in words if w.strip(".,;:!?\"'()").lower() not in _FUNCTION]
    size = sum(map(len, lean)) + len(lean) - 1
    kept = [True] * len(lean)
    at = len(lean) - 1
    while size > limit - 2 and at > 3:
        if not _TELLING.search(lean[at]):
            kept[at] = False
            size -= len(lean[at]) + 1
        at -= 1
    out: list[str] = []
    for word, keep in zip(lean, kept, strict=True):
        if keep:
            out.append(word)
        elif out and out[-1] != "…":
            out.append("…")
    line = " ".join(out)
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
