"""Words that ask for nothing by themselves where a question names a time: `what did we do last week`, `뭐 했지`.

Pure. A question of a time and such words alone asks for everything of these days.
"""

import re
from functools import cache

from hipocampus.recall.cjk import has_run, normal, run_pattern
from hipocampus.recall.query import STOP_WORDS

FILLER = frozenset(
    "anything anyone decide decided everything events find found go going gone happen happened happening happens know "
    "learn learned list look made make making new news notes please recall recap record recorded remember remind say since "
    "said show something stuff summarise summarize summary talk talked tell thing things told was went work worked "
    "working works write wrote discuss discussed update updates happenings note noted entries entry memory".split()
)
"""English words, as they are typed; `decisions`, `changes`, `bugs` are no filler: logs use them."""


@cache
def _asian() -> re.Pattern[str]:
    """Korean, Japanese and Chinese filler, longest first, with the endings of a question."""
    korean = (
        r"무엇을|무엇|무슨|뭐를|뭘|뭐가|뭐|우리가|우리는|우리|내가|나는|일이|일을|일들|일|있었나요?|있었지|있었어요?|있었는지"
        r"|(?:결정|이야기|얘기|논의|작업|진행|기록)?(?:했었지|했더라|했는지|했나요|했어요|했습니까|했니|했나|했지|했어|한)"
        r"|정했[지나어]요?|정한|결정|거지|거야|것들|것|거|알려\s?줘요?|보여\s?줘요?|요약(?:해\s?줘)?|에는|에서|에|은|는|이|가|을|를|의|도|요"
    )
    japanese = (
        r"何をしました|何をした|何をしていた|なにをした|何があった|何がありました|何を|なにを|何が|何|なに"
        r"|決めました|決めた|決まった|しました|していた|した|やりました|やった|話した|ましたか|こと|私たち|我々"
        r"|教えて(?:ください)?|は|に|の|を|が|か|で"
    )
    chinese = (
        r"我们|我們|咱们|做了什么|做了什麼|做了哪些|做了啥|做什么|干了什么|干了啥|决定了|決定了|决定|決定|讨论了|討論了|发生了|發生了"
        r"|什么|什麼|哪些|事情|事|有|做了|做|干了|啥|了|的|我|吗|嗎|呢"
    )
    return re.compile(f"(?:{korean}|{japanese}|{chinese})+")


def is_filler(text: str) -> bool:
    """Whether a text, the words of time taken out, names nothing to look for."""
    for word in _without_asian(normal(text)).lower().split():
        core = re.sub(r"[^\w']+", " ", word.replace("’", "'")).split()
        if any(part not in FILLER and part not in STOP_WORDS for part in core):
            return False
    return True


def _without_asian(text: str) -> str:
    """Return `text` without the runs that are filler as a whole."""
    if not has_run(text):
        return text
    return run_pattern().sub(lambda run: "" if _asian().fullmatch(run[0]) else run[0], text)
