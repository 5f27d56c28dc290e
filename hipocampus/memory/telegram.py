"""Say a sentence in few words: telegrams for ROOT.md, and lines cut to a length that keep what tells.

Pure. Function words and lead-ins go first; names, numbers, paths and negations stay longest.
"""

import re
from functools import cache
from math import ceil


@cache
def request_tail() -> re.Pattern[str]:
    """What is asked behind a fact: "I have 20 playlists already - do you have any tips?" says the fact all the same."""
    return re.compile(
        r"[,;]? (?:[-–—] )?(?:(?:and|so|but) )?(?:(?:can|could|would|do|did|have) you\b|what do you think|"
        r"i(?:'m| was| am) (?:\w+ly |just )?(?:wondering|looking|hoping|curious)\b|how can i\b|any (?:tips|ideas|suggestions)\b).*$",
        re.I | re.S,
    )


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(
        r"^(?:\W*(?:(?:oh|so|well|also|and|but|yes|yeah|hey|hi|hello|ok|okay|actually|anyway|wow|haha|great|thanks|"
        r"thank you|by the way|btw|speaking of (?:which|[^,;:]{2,30}(?=[,;:]))|in fact|to be honest|honestly|funny enough|"
        r"as i mentioned(?: earlier)?|just so you know|for (?:context|instance|example)|i (?:just )?(?:remember(?:ed)?|realized|think|guess|mean|noticed|wanted to (?:mention|add))"
        r"(?: that)?|you know|i(?:'m| am) (?:glad|happy|sure|excited to (?:say|share))(?: that)?|that reminds me|since|because|"
        r"it's funny(?: that)?|fun fact|which reminds me)\b[\s,:;–—-]*))+",
        re.I,
    )


@cache
def _opinion_tail() -> re.Pattern[str]:
    """What somebody thinks of what they told: ", and it was amazing" adds no fact."""
    return re.compile(
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
_KEEP_SHARE = 0.68
"""Share of the content words of a sentence that a telegram keeps: two of three still say which fact it
is, and the room goes to other facts. Measured: 0.75 leaves a tenth fewer facts in ROOT.md, 0.60 says them
too vaguely to be recognised."""


_HEAD_SHARE = 0.5
"""Share of the words at the front of a telegram that stay together: there stands what somebody did, and with what."""


def telegram(sentence: str, limit: int = 90, said: str = "", share: float = 0.0) -> str:
    """Return `sentence` as a telegram of at most `limit` characters: lead-ins and function words out, cut at a word.

    Of a longer sentence the words that say least go first; names, numbers, paths and negations stay. With
    `said`, the sentence as it was before words were replaced in it, the share that stays is of its words.
    `share` of the content words stay, by default two of three.
    """
    text = " ".join(sentence.replace("’", "'").split())
    if _cjk().search(text):
        return _cut(_asian_lead().sub("", text).strip(" .,;:!?。！？、，"), limit)
    original = {_bare(word) for word in said.replace("’", "'").split()} - _STOP if said else set()
    counts = original.__contains__ if said else lambda word: word not in _STOP
    least = ceil((share or _KEEP_SHARE) * (len(original) or sum(map(counts, map(_bare, text.split(" "))))))
    for pattern in (_lead_in(), request_tail(), _opinion_tail()):
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
    return at >= len(words) * _HEAD_SHARE and not _is_telling(words[at])


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


_TELLING = re.compile(r"[0-9`/_#@$%]|\w\.\w|[A-Z][A-Z]|[a-z][A-Z]|^--?\w")


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
