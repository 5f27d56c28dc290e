"""What a sentence of a person is worth to memory: facts about themselves, and decisions.

ONE definition, used by summaries, ROOT.md and the ranking of recall. Pure text rules, no model: first
person, perfect or past tense, `my X`, a time, a number, a name count for a fact; questions and
requests count against it. English here, Korean, Japanese and Chinese in `asianfacts.py`.
"""

import re
from functools import cache
from itertools import pairwise

from hipocampus.memory.telegram import request_tail, shorten, telegram

__all__ = ["DECIDED", "FACT", "decision_score", "fact_score", "shorten", "telegram"]

FACT = 2.0
"""A sentence of at least this score says something about the person that is worth keeping."""

DECIDED = 1.0
"""A sentence of at least this score says what was decided."""

# Weights of the cues. A softmax over the sentences of 92 conversations whose telling sentence was known
# gave their order (an aside, a past tense and a number say most); rounded by hand.
_PERFECT, _PAST, _DEED, _BEING, _HABIT, _MINE, _KIN, _ASIDE, _RECENT, _TIME, _NUMBER, _TITLE, _NAME, _LONG = (
    (0.7, 1.2, 0.6, 0.3, 0.6, 0.6, 0.6, 1.4, 0.4, 0.5, 0.9, 0.4, 0.4, 1.0)
)  # fmt: skip
_REQUEST, _QUESTION, _ASKING, _WISH, _REPLY, _YOU, _PRONOUN, _ENDLESS = (
    1.5,
    1.2,
    0.6,
    0.9,
    0.6,
    0.6,
    0.7,
    1.0,
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SELF = _set("i i'm i've i'd i'll my me we our mine we've we're us")
_I = _set("i i've i'd we we've i'm")
_ADVERBS = _set(
    "just also even already now still never always ever once then have had been recently finally actually usually often"
)
_IRREGULAR = _set(
    "went got bought made took had saw met found came left moved gave told said spent paid sold won lost ran ate drove flew "
    "wrote read built chose began felt grew kept knew led put quit set sent slept spoke taught thought wore did was broke "
    "caught cut fell forgot hurt sang swam used became brought hit held been done seen gone taken written"
)
_DEEDS = _set(
    "graduated moved started joined bought got attended finished completed planted inherited upgraded participated went "
    "visited tried made built won lost sold ordered signed adopted raised met watched ran fixed replaced baked organized "
    "received picked switched installed took spent paid"
)
_HAD = _set("had been got")
_BEINGS = _set("currently now already also still actually a an the from on in at")
_HABITS = _set(
    "work live own have use prefer love like hate play teach study drive go run lead manage take keep wear eat drink speak"
)
_DIGITS = frozenset("0123456789")
_COUNTS = _set("two three four five six seven eight nine ten dozen twice half first second third")
_SOME = _COUNTS | _set("a an some")
_NOT_MINE = _set("own question next previous last prompt code request")
_CLOSE = _set(
    "wife husband partner girlfriend boyfriend fiance fiancé fiancée son daughter kid kids children baby mom mother dad father "
    "parents sister brother niece nephew grandma grandmother grandfather grandpa uncle aunt cousin cousins friend family dog "
    "dogs cat cats puppy pet pets job boss team company office commute apartment house home car bike birthday wedding degree "
    "thesis role doctor therapist roommate"
)
_SOON = _set("just recently finally lately currently already")
_DAYS = _set(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
_TIMES = _DAYS | _set("yesterday today tonight ago")
_SPANS = _DAYS | _set(
    "night week weekend month year summer winter spring fall morning day january february march april may june july august "
    "september october november december"
)
_OPENERS = _set("so and also ok okay thanks great yes well oh")
_ASKS = _set(
    "can could would will do does did is are should what how why when where which who any please tell give write make create "
    "explain help show translate generate suggest recommend list rewrite act imagine provide describe let's pretend"
)
_REPLIES = _set("thanks that's those these great wow yes yeah no ok okay it this you")
_GLAD = _set("glad happy sure excited")
_LOOKING = _set("looking thinking wondering interested hoping trying curious considering")
_WISHES = _set("want need might may should could can")
_ASKING_YOU = ("can you", "could you", "would you", "do you", "did you")
_OF_YOU = (
    "your",
    "you are",
    "you said",
    "you mentioned",
    "you just",
    "you have",
    "you provided",
    "you gave",
    "you wrote",
)
_THINGS = _set("it them this that these those one")

_WORD = re.compile(r"[a-zà-ÿ][a-zà-ÿ']*|\d")


@cache
def _names() -> re.Pattern[str]:
    return re.compile(r"(?<=[\w,;:'\"(] )[\"'(]?(?!I\b|I['’])[A-Z][\w&'’.-]+")


@cache
def _titles() -> re.Pattern[str]:
    return re.compile(r"\b(?:named|called)\b|[\"“'][\w][^\"”']{3,}[\"”']")


@cache
def _long_times() -> re.Pattern[str]:
    return re.compile(
        r"\bfor (?:the past|about|over|almost|\d)|\bsince (?!i want|you|it)\w|\b(?:years?|months?|weeks?) old\b|\bin \d{4}\b"
    )


def fact_score(sentence: str) -> float:
    """Return how much `sentence` reads like something a person says about themselves: about 0 to 8.

    0 is a question, a request or a text about something else; `FACT` and more is worth keeping.
    """
    if len(sentence) < 4:
        return 0.0
    if not sentence.isascii():
        from hipocampus.memory.asianfacts import asian_score  # its words are for those scripts alone

        sentence = sentence.replace("’", "'")
        asian = asian_score(sentence)
        if asian is not None:
            return asian
    low = sentence.lower()
    words = _WORD.findall(low)
    if _SELF.isdisjoint(words):
        return 0.0
    core = request_tail().sub("", sentence)
    if len(core) < 30:
        core = sentence
    if len(core) != len(sentence):
        low = core.lower()
        words = _WORD.findall(low)
        if _SELF.isdisjoint(words):
            return 0.0
    score = _for(core, low, words) - _against(core, low, words)
    return max(0.0, round(score, 2))


def _for(core: str, low: str, words: list[str]) -> float:
    """Return what speaks for a fact."""
    known = set(words)
    score = _LONG if len(core) >= 40 else _LONG / 2
    score += _doing(words)
    if (
        "by the way" in low
        or "speaking of" in low
        or "btw" in known
        or "actually" in known
        or words[0] == "oh"
    ):
        score += _ASIDE
    if not _SOON.isdisjoint(known):
        score += _RECENT
    if (
        not _TIMES.isdisjoint(known)
        or (not _SPANS.isdisjoint(known) and _timed(words))
        or _long_times().search(low)
    ):
        score += _TIME
    if (
        not _COUNTS.isdisjoint(known)
        or not _DIGITS.isdisjoint(core)
        or (not core.isascii() and any(map(str.isdecimal, core)))
    ):
        score += _NUMBER
    if _titles().search(core):
        score += _TITLE
    return score + min(len(_names().findall(core)), 3) * _NAME


def _doing(words: list[str]) -> float:
    """Return what the words behind "I" and "my" are worth, each kind once."""
    found: dict[str, float] = {}
    last = len(words) - 1
    for at, word in enumerate(words):
        if at == last:
            break
        if word in _I:
            step = at + 1
            while step < last and step < at + 4 and (words[step] in _ADVERBS or words[step].endswith("ly")):
                step += 1
            verb = words[step]
            past = verb in _IRREGULAR or (len(verb) > 3 and verb.endswith("ed"))
            if word in ("i've", "we've") or words[at + 1] == "have":
                if past or not _HAD.isdisjoint(words[at + 1 : step + 1]):
                    found["perfect"] = _PERFECT
            elif past and word != "i'm":
                found["past"] = _PAST
            if verb in _DEEDS:
                found["deed"] = _DEED
            if at + 2 <= last and words[at + 2] in _THINGS:
                found["pronoun"] = -_PRONOUN
            if word == "i'm" and (words[at + 1] in _BEINGS or words[at + 1].endswith("ing")):
                found["being"] = _BEING
            doing = words[at + 1] if words[at + 1] in _HABITS else verb
            if word in ("i", "we") and doing in _HABITS and "to" not in words[at + 2 : step + 2]:
                found["habit"] = _HABIT
                if doing in ("have", "own") and words[at + 2 : at + 3] and words[at + 2] in _SOME:
                    found["owning"] = _BEING
        elif word in ("my", "our") and words[at + 1] not in _NOT_MINE:
            found["mine"] = _MINE
            if word == "my" and not _CLOSE.isdisjoint(words[at + 1 : at + 3]):
                found["kin"] = _KIN
    return sum(found.values())


def _timed(words: list[str]) -> bool:
    return any(
        (a in ("last", "this", "every", "each", "in") and b in _SPANS)
        or (a in _SPANS and b.isdigit() and len(a) > 2)
        or (a in ("years", "year", "months", "weeks", "days") and b == "now")
        for a, b in pairwise(words)
    )


def _against(core: str, low: str, words: list[str]) -> float:
    """Return what speaks against a fact: it asks, wishes, answers, or is about the other one."""
    score = 0.0
    start = 3 if words[:3] == ["by", "the", "way"] else 0
    while start < len(words) - 1 and words[start] in _OPENERS:
        start += 1
    if words[start] in _ASKS or words[start : start + 2] == ["have", "you"]:
        score += _REQUEST
    if core.rstrip(" \"')”").endswith(("?", "？")):
        score += _QUESTION
    of_you = "you" in low  # few sentences speak to somebody, and only those are asked how
    if "please" in low or "i was wondering" in low or (of_you and any(ask in low for ask in _ASKING_YOU)):
        score += _ASKING
    score += _wishing(words)
    if words[0] in _REPLIES or low.startswith(("thank you", "that is")) or _glad(words):
        score += _REPLY
    if of_you and any(you in low for you in _OF_YOU):
        score += _YOU
    return score + (_ENDLESS if len(core) > 300 else 0.0)


def _wishing(words: list[str]) -> float:
    for at, word in enumerate(words[:-1]):
        after = words[at + 1]
        if word == "i'll" or (
            word == "i"
            and (after in _WISHES or after == "will" or words[at + 1 : at + 3] == ["was", "thinking"])
        ):
            return _WISH
        if word == "i'd" and after in ("like", "love", "be", "also", "appreciate"):
            return _WISH
        if word == "i'm" and not _LOOKING.isdisjoint(words[at + 1 : at + 3]):
            return _WISH
        if word == "i'm" and words[at + 1 : at + 3] == ["not", "sure"]:
            return _WISH
    return 0.0


def _glad(words: list[str]) -> bool:
    return "i'm" in words and any(a == "i'm" and b in _GLAD for a, b in pairwise(words))


_DECISION_HINTS = (
    "decid", "decis", "chose", "agreed", "settled", "opted", "opt for", "go with", "going with", " use ", "stick ", "order ",
    "book ", "sign up", "switch to", "choice", "from now on", "always ", "never ",
)  # fmt: skip
"""One of these stands in every English sentence that the pattern finds; looking for them is ten times cheaper."""


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
    if sentence.isascii():
        low = sentence.lower()
        if not any(hint in low for hint in _DECISION_HINTS):
            return 0.0
    if not _decisions().search(sentence):
        return 0.0
    score = 1.5
    if sentence.rstrip().endswith(("?", "？")):
        score -= 1.0
    if re.search(r"\d|[A-Z]\w+[A-Z_/.]\w*|[`/]", sentence):
        score += 0.5
    return score if len(sentence) <= 300 else score - 0.5
