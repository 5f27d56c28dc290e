"""What a conversation is worth to a summary: its topic, what the person said, what was decided and done.

Pure. A heading like `Session 7` says nothing, so such a conversation is named after what the person
asked for. At most a few sentences a conversation are kept; `facts.py` says which.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hipocampus.compaction.items import DECISION, DONE, SAID, TOPIC, Item
from hipocampus.memory import facts, speech

MOST_SAID = 6
"""Sentences about themselves kept of one conversation: the first is its topic line, the others lessons."""

MOST_DECIDED = 2
SAID_CHARS = 240
LABEL_CHARS = 44

_GENERIC = re.compile(
    r"^(?:(?:session|conversation|chat|transcript|dialogue|discussion|untitled|part|thread|log|대화|세션|会話|对话|對話)?"
    r"[\s#:_.-]*(?:\d[\d\s:._-]*)?(?:am|pm)?|\d{1,2}:\d\d\S*\s+(?:session|conversation|chat|대화|세션|会話|对话))$",
    re.I,
)


class Sentence(NamedTuple):
    score: float
    text: str
    line: int
    speaker: str


def is_generic(topic: str) -> bool:
    """True for a heading that names no topic: `Session 7`, `13:56 Conversation`, a number, nothing."""
    return bool(_GENERIC.match(topic.strip()))


def conversation(
    topic: str, kind: str, turns: list[speech.Turn], place_of: Callable[[int], str], head: str
) -> list[Item]:
    """Return the items of one conversation: its topic first. `head` is the place of its heading."""
    own = [t for t in turns if t.role == speech.PERSON] or [
        t for t in turns if t.speaker and t.role != speech.ASSISTANT
    ]
    named = own[0].role != speech.PERSON
    name = label(own) if is_generic(topic) else topic
    said, decided = _weigh(own, named)
    items: list[Item] = []
    if said:
        items.append(
            Item(TOPIC, name, "user", f'"{said[0].text}"', (place_of(said[0].line),), 1, said[0].score)
        )
    else:
        items.append(Item(TOPIC, name, kind, f'"{asked(own)}"', (head,)))
    for s in said[1:]:
        items.append(Item(SAID, name, "user", f'"{s.text}"', (place_of(s.line),), 1, s.score))
    for s in decided:
        items.append(Item(DECISION, name, kind, s.text, (place_of(s.line),), 1, s.score))
    for text, line in _done(turns):
        items.append(Item(DONE, name, kind, text, (place_of(line),), 1, 0.5))
    return items


def _weigh(turns: list[speech.Turn], named: bool) -> tuple[list[Sentence], list[Sentence]]:
    """Return the facts, best first, and the decisions, in order; no sentence twice."""
    said: dict[str, Sentence] = {}
    decided: list[Sentence] = []
    for turn in turns:
        if len(turn.text) > 4000:  # pasted documents are not speech
            continue
        line = turn.line_start
        for row in turn.text.split("\n"):
            for sentence in speech.sentences(row):
                score = facts.fact_score(sentence)
                if score >= facts.FACT:
                    text = facts.shorten(f"{turn.speaker}: {sentence}" if named else sentence, SAID_CHARS)
                    text = text.replace('"', "'")
                    if text not in said:
                        said[text] = Sentence(score, text, line, turn.speaker)
                elif len(decided) < MOST_DECIDED and facts.decision_score(sentence) >= facts.DECIDED:
                    decided.append(Sentence(1.0, facts.shorten(sentence, SAID_CHARS), line, turn.speaker))
            line += 1
    best = sorted(said.values(), key=lambda s: (-s.score, s.line))[:MOST_SAID]
    return best, decided


@cache
def _outcome() -> re.Pattern[str]:
    return re.compile(
        r"^(?:[-*✅✔] ?)?(?:done|fixed|implemented|committed|merged|deployed|released|완료|수정 ?완료|完了|完成)"
        r"\b[:.!]? ?(\S[^\n]{8,200})$",
        re.I | re.M,
    )


def _done(turns: list[speech.Turn]) -> list[tuple[str, int]]:
    """Return at most two lines of an assistant that report finished work, with their line numbers."""
    found: list[tuple[str, int]] = []
    for turn in turns:
        if turn.role == speech.ASSISTANT and (match := _outcome().search(turn.text)):
            found.append(
                (
                    " ".join(match[0].lstrip("-*✅✔ ").split()),
                    turn.line_start + turn.text.count("\n", 0, match.start()),
                )
            )
    return found[-2:]


@cache
def _request() -> re.Pattern[str]:
    ask = (
        r"(?:please |kindly )?(?:(?:can|could|would|will) you (?:please |also )?(?:help me (?:to |with )?|tell me |give me |explain |"
        r"suggest |recommend |show me |provide (?:me )?|write (?:me )?|create |make |list )?|"
        r"i(?:'m| am) (?:currently )?(?:planning|looking (?:for|to|into|at)|trying to|thinking (?:of|about)|working on|interested in|"
        r"considering|wondering|having|curious about|struggling with|going to|getting|doing|writing) (?:some |on |to )?|"
        r"i(?:'ve| have) been (?:thinking (?:of|about)|trying to|wanting to|looking (?:for|into)|having|meaning to) |"
        r"i (?:was (?:wondering|thinking|hoping)|need|want|would like|am looking)(?: (?:if you|you|to|about|of|help|some))*(?: (?:could|can|know))? |"
        r"i'd (?:like|love)(?: you)? to |(?:do|did) you (?:know|have)(?: any| some)? |what (?:is|are|'s|would be|do you think (?:of|about)) |what's |how (?:do|can|does|would|should|to) (?:i |we |you )?|"
        r"tell me (?:about |more about )?|give me |explain (?:to me )?|help me (?:to |with )?|(?:any|some) (?:tips|advice|recommendations|suggestions|ideas|good)(?: (?:on|for|about))? |"
        r"(?:suggest|recommend|list|describe|summarize|write|create|make|generate|provide|show me|let's|pretend|act as|you are|imagine) |is there |are there |why (?:is|are|do|does) )"
    )
    return re.compile(rf"^(?:(?:hey|hi|hello|ok|okay|so|well|great|thanks|and|but)\b[\s,!.]*)*{ask}", re.I)


_AFTER = re.compile(
    r"\s*(?:[,;.?!]| - | – | — |\b(?:and|but|so) (?:i|was|can|could|do|would|it|wanted)\b|\b(?:which|because|since|that i)\b|\(|:).*$",
    re.I | re.S,
)
_EMPTY_START = re.compile(
    r"^(?:(?:some|any|a|an|the|my|more|few|tips|advice|ideas|recommendations|suggestions|information|help|good|new|on|for|about|of|to|with|how|what|"
    r"if|you|could|can|would|me|get|start|find|make|create|improve|also|need)\b[\s,]*)+",
    re.I,
)


def label(turns: list[speech.Turn]) -> str:
    """Return a topic of at most LABEL_CHARS for a conversation: what its first lines ask about."""
    best = ""
    for turn in turns[:3]:
        for sentence in speech.sentences(turn.text[:600])[:3]:
            if _GREETING.match(sentence):
                continue
            short = _REQUEST_TAIL.sub("", sentence) if not sentence.isascii() else sentence
            cut = _request().sub("", short)
            plain = _AFTER.sub("", cut, count=1) if len(cut) > LABEL_CHARS else cut
            plain = _EMPTY_START.sub("", plain)
            name = _clip(plain if len(plain) >= 8 else cut)
            name = name.strip(" .,;:!?\"'`*#[]()→。！？、，").replace("[", "(").replace("]", ")")
            if len(name.split()) >= 2 or (name and not name.isascii() and len(name) >= 4):
                return name[0].upper() + name[1:]
            best = best or name
    return (best[:1].upper() + best[1:]) or "Conversation"


def _clip(text: str) -> str:
    """Return the first words of a topic, articles and the like left out, and nothing dangling at its end."""
    words = [w for w in text.split() if w.strip("*").lower() not in _ARTICLES]
    size = 0
    kept: list[str] = []
    for word in words:
        if kept and size + len(word) > LABEL_CHARS:
            break
        kept.append(word)
        size += len(word) + 1
    while len(kept) > 1 and kept[-1].strip(".,;:").lower() in _DANGLING:
        kept.pop()
    return " ".join(kept)[:LABEL_CHARS]


_ARTICLES = frozenset("a an the some any my your our really just very also".split())
_DANGLING = frozenset(
    "to of and or in on at for from with by as is are that which who if it its than into about "
    "i'm i've i we you be was were do does can could would should out up so but how what when where".split()
)

_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|good (?:morning|evening|afternoon)|안녕(?:하세요|하십니까)?|こんにちは|こんばんは|おはよう(?:ございます)?|"
    r"你好|您好)(?:,? \w+)?\W*$",
    re.I,
)
_REQUEST_TAIL = re.compile(
    r"\s*(?:(?:을|를|좀|에 대해)?\s*(?:알려|추천해|도와|설명해|만들어|작성해|정리해|고쳐|수정해)\s?(?:줘|주세요|줄래|주실|달라)\S*|"
    r"(?:を|について)?(?:教えて|手伝って|おすすめ|説明して|作って)\S*|(?:ですか|ますか))[.?!。？！]*$"
)


def asked(turns: list[speech.Turn]) -> str:
    """Return what the person asked for first, as one short line."""
    for sentence in speech.sentences(turns[0].text[:1500]):
        if len(sentence) >= 12:
            return facts.shorten(sentence, 160).replace('"', "'")
    return facts.shorten(" ".join(turns[0].text[:400].split()), 160).replace('"', "'")
