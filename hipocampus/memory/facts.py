"""What a sentence of a person is worth to memory: facts about themselves, and decisions.

ONE definition, used by summaries, ROOT.md and the ranking of recall. Pure text rules, no model: first
person, perfect or past tense, `my X`, a time, a number, a name count for a fact; questions and
requests count against it. English, Korean, Japanese and Chinese cues.
"""

import re
from functools import cache

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
    """Cue and weight. Weights were fitted by hand on half of a question set and checked on the other half."""
    cues = [
        (r"\bi(?:'ve| have) (?:\w+ly |just |also |already |now )*(?:been|had|got|\w+(?:ed|en|ne|own|ught|ept))\b", 1.3),
        (rf"\bi {_ADVERBS}(?:{_PAST}|\w\w+ed)\b", 1.3),
        (r"\bi(?:'m| am) (?:currently|now|already|also|still|actually|a|an|the|from|on|in|at|\w+ing)\b", 0.5),
        (r"\bi (?:\w+ly |also |usually |often |always )?(?:work|live|own|have|use|prefer|love|like|hate|play|teach|"
         r"study|drive|go|run|lead|manage|take|keep|wear|eat|drink|speak)\b(?! to (?:know|see|get)\b)", 0.6),
        (r"\b(?:my|our) (?!own\b|question|next\b|previous|last (?:question|message)|prompt|code\b|request)\w+", 0.8),
        (r"\bmy (?:new |old |older |younger |little |big |best |late )?(?:wife|husband|partner|girlfriend|boyfriend|"
         r"fianc\w+|son|daughter|kids?|children|baby|mom|mother|dad|father|parents|sister|brother|niece|nephew|"
         r"grand\w+|uncle|aunt|cousins?|friend|family|dogs?|cats?|puppy|pets?|job|boss|team|company|office|commute|"
         r"apartment|house|home|car|bike|birthday|wedding|degree|thesis|role|doctor|therapist|roommate)\b", 0.5),
        (r"\b(?:by the way|speaking of|btw|actually|fun fact|oh,)\b", 0.7),
        (r"\b(?:just|recently|finally|lately|currently|already)\b", 0.5),
        (rf"\b(?:yesterday|today|tonight|last (?:night|week|weekend|month|year|summer|winter|spring|fall|{_DAYS}|{_MONTHS})|"
         rf"(?:this|every|each) (?:morning|week|weekend|month|year|day|{_DAYS})|(?:days?|weeks?|months?|years?) (?:ago|now|old)|"
         rf"for (?:the past|about|over|almost|\d+)|since (?!i want|you|it)\w+|{_DAYS}|(?:{_MONTHS}|may) \d|in (?:{_MONTHS}|may|\d{{4}})\b)", 0.8),
        (r"[$€£¥₩]\s?\d|\b\d[\d,.]*(?:k|%|th|st|nd|rd)?\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|dozen|twice|"
         r"half|first|second|third)\b", 0.8),
    ]  # fmt: skip
    return [(re.compile(pattern, re.I), weight) for pattern, weight in cues]


@cache
def _english_against() -> list[tuple[re.Pattern[str], float]]:
    cues = [
        (r"^(?:\W*(?:so|and|also|ok(?:ay)?|thanks|great|yes|well|oh|by the way)\W+)*(?:can|could|would|will|do|does|did|is|are|should|what|how|why|"
         r"when|where|which|who|have you|any|please|tell|give|write|make|create|explain|help|show|translate|generate|"
         r"suggest|recommend|list|rewrite|act|imagine|provide|describe|let's|pretend)\b", 1.5),
        (r"\?\W*$", 1.2),
        (r"\b(?:can|could|would|do|did) you\b|\bi was wondering\b|\bplease\b", 0.8),
        (r"\bi(?:'m| am) (?:looking (?:for|to|into)|thinking (?:of|about)|wondering|interested|hoping|trying to|curious|not sure|considering)\b|"
         r"\bi(?:'d| would) (?:like|love|be|also|appreciate)\b|\bi (?:want|need|was thinking|might|may|should|could|can)\b|"
         r"\bi think i(?:'ll| will| should| might)\b|\bi(?:'ll| will)\b", 1.0),
        (r"^(?:thanks|thank you|that's|that is|those|these|great|wow|yes|yeah|no|ok|okay|it|this|you)\b", 0.6),
        (r"\byou (?:are|said|mentioned|just|have|provided|gave|wrote)\b|\byour\b", 0.8),
    ]  # fmt: skip
    return [(re.compile(pattern, re.I), weight) for pattern, weight in cues]


@cache
def _first_person() -> re.Pattern[str]:
    return re.compile(r"\b(?:i|i'm|i've|my|me|we|our|mine|we've|we're)\b", re.I)


_NAME = re.compile(r"(?<=[\w,;:'\"(] )[\"'(]?(?!I\b|I['’])[A-Z][\w&'’.-]+")


def fact_score(sentence: str) -> float:
    """Return how much `sentence` reads like something a person says about themselves: about 0 to 6.

    0 is a question, a request or a text about something else; `FACT` and more is worth keeping.
    """
    if not sentence or len(sentence) < 4:
        return 0.0
    if not sentence.isascii():
        sentence = sentence.replace("’", "'")
        asian = _asian_score(sentence)
        if asian is not None:
            return asian
    if not _first_person().search(sentence):
        return 0.0
    score = 0.0
    for cue, weight in _english():
        if cue.search(sentence):
            score += weight
    names = len(_NAME.findall(sentence))
    score += min(names, 3) * 0.4
    for cue, weight in _english_against():
        if cue.search(sentence):
            score -= weight
    size = len(sentence)
    if 40 <= size <= 170:
        score += 1.0
    elif size > 300:
        score -= 1.0
    return max(0.0, round(score, 2))


def _asian_score(sentence: str) -> float | None:
    return None


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
    r"(?:[,;]? (?:and|but|so|which|-|–|—) (?:i(?:'ve)? (?:was|'m|am|'d)|it(?:'s| was| is|'s been| has been)|i(?:'m| am)|they(?:'re| are|'ve)|that's|was|is|has been|were|"
    r"(?:can|could|would|do) you|do you|i was wondering|wondering|what|how)\b[^.,]*)[.!?]*$|"
    r"[,;]? (?:[-–—] )?(?:(?:can|could|would|do) you|what do you think|and i(?:'m| was) (?:wondering|thinking|looking|hoping)|so i(?:'m| was| am| think| might| want)|i was wondering)\b.*$",
    re.I,
)
_FUNCTION = frozenset(
    "a an the i i'm i've i'd i'll im ive me my mine we we're we've our us it it's its that's this that these those "
    "am is are was were be been being have has had having do does did will would could should can may might must "
    "just also really actually very quite pretty so too even still already definitely absolutely basically totally "
    "currently of to and or as some any lot lots there then which who what than such like get got getting "
    "kind sort bit little much many well about around them they he she his her their him you your "
    "lately recently".split()
)
_SHED = re.compile(r"^[\"'“”‘’(*_]+|[\"'“”‘’)*_]+$")


def telegram(sentence: str, limit: int = 90) -> str:
    """Return `sentence` as a telegram of at most `limit` characters: lead-ins and function words out, cut at a word."""
    text = " ".join(sentence.replace("’", "'").split())
    short = _lead_in().sub("", text)
    text = short if len(short) >= 12 else text
    cut = _TAIL.sub("", text)
    text = cut if len(cut) >= 40 else text
    kept: list[str] = []
    size = 0
    for word in text.split(" "):
        bare = word.strip(".,;:!?\"'()“”*").lower()
        if bare in _FUNCTION or not bare:
            if word[-1:] in ",;" and kept and kept[-1][-1:] not in ",;":
                kept[-1] += ","
                size += 1
            continue
        if size + len(word) + 1 > limit + 1:
            break
        kept.append(word)
        size += len(word) + 1
    return " ".join(kept).rstrip(" .,;:!?-–—")[:limit]


@cache
def _decisions() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:(?:i|we)(?:'ve| have)? (?:just |finally |now )?(?:decided|chose|chosen|agreed|settled|opted|picked)|"
        r"(?:i|we)(?:'ll| will)(?: definitely| probably)? (?:go with|use|stick (?:with|to)|choose|take|keep)|"
        r"(?:i(?:'m| am)|we(?:'re| are)) going (?:to go )?with|let's (?:go with|use|stick|keep|do)|i think i(?:'ll| will) (?:go with|use|stick|try|start|get|order|book)|"
        r"(?:the )?(?:decision|final choice)(?: is|:)|instead of \w+ing|from now on|we should always|"
        r"(?:always|never) (?:use|commit|push|write|run|add)\b)|"
        r"(?:하기로 (?:했|결정|정)|결정했|정했(?:어|습)|로 (?:하자|가자|할게|갈게)|쓰기로|앞으로는)|"
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
