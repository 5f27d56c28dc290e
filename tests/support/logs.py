"""Raw logs of several weeks as hypothesis strategies: what agents, people and pasted conversations leave behind."""

from collections.abc import Callable
from datetime import date, timedelta

from hypothesis import strategies as st

from hipocampus.memory.entries import TYPES
from support.texts import line

FIRST = date(2026, 2, 23)  # a Monday; the week belongs to February, the next one to March
TODAY = "2026-04-20"  # everything of these weeks is closed, April is not over

_TOPICS = st.sampled_from(
    [
        "Payment flow",
        "payment  FLOW",
        "Short answers",
        "결제 흐름",
        "Café menu",
        "Deploy: staging",
        "v2.1",
        "a [draft]",
    ]
)
_PLAIN = st.sampled_from(
    [
        "- outcome: rate limit holds at 200/s, see gateway/limits.py:40",
        "- decisions:\n  - token bucket over leaky bucket — bursts are legitimate",
        "- request: refactor the endpoint",
        "- references: knowledge/rate-limits.md",
        "- analysis: 게이트웨이에서 제한한다 🚀",
        "- rule: answer in three lines\n- why: reads on a phone\n- how-to-apply: every status question",
        "- [ ] the migration is still open",
        "status: fixed",
        "---",
        "```py\n## not a heading\nx = 1\n```",
        "~~~\nleft open",
        "    ## indented",
        "### deeper\n\ntext below",
        "| a | b |\n|---|---|",
        "@alice asked for it",
    ]
)
_PASSING = st.sampled_from(
    ["## Try [temporary]\n- outcome: gone", "## A probe\n- delete later", "## 임시\n말"]
)
_TALK = st.sampled_from(
    [
        "## Session\nUser: I work as a nurse in Daegu and have two cats.\nAssistant: Noted.",
        "User: 나는 부산에 살고 매주 등산을 해.\nAssistant: 좋네요.",
        "plain words without any heading",
    ]
)


@st.composite
def _entry(draw: Callable[..., str]) -> str:
    kind = draw(st.sampled_from(["", "", " [unknown]", *(f" [{name}]" for name in TYPES)]))
    comment = draw(st.sampled_from(["", "<!-- 14:32 session 4f1c -->\n"]))
    body = "\n".join(draw(st.lists(_PLAIN | line.map("- outcome: {}".format), max_size=4)))
    return f"## {draw(_TOPICS)}{kind}\n{comment}{body}"


@st.composite
def _long(draw: Callable[..., str]) -> str:
    """Enough lines for a summary: one long entry, or a great many."""
    count = draw(st.integers(60, 260))
    if draw(st.booleans()):
        return "## Rehearsal [project]\n- analysis:\n" + "\n".join(
            f"  - table {n}: {n * 37} rows" for n in range(count)
        )
    kinds = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=3))
    return "\n\n".join(
        f"## Topic {n} [{kinds[n % len(kinds)]}]\n- outcome: step {n} done, src/part{n}.py\n- request: part {n}"
        for n in range(count)
    )


@st.composite
def log_texts(draw: Callable[..., str], *, long: bool = True) -> str:
    """The text of one raw log, with `\\n`."""
    parts = draw(st.lists(_entry() | _entry() | _TALK | _PASSING, max_size=5))
    if long and draw(st.integers(0, 4)) == 0:
        parts.insert(draw(st.integers(0, len(parts))), draw(_long()))
    head = draw(st.sampled_from(["# 2026-03-01\n\n", "", "\n\n", "prose before\n\n"]))
    return head + "\n\n".join(parts) + draw(st.sampled_from(["\n", "", "\n\n\n"]))


def _as_bytes(text: str, style: str) -> bytes:
    if "r" in style:
        text = text.replace("\n", "\r\n")
    data = text.encode()
    if "b" in style:
        data = b"\xef\xbb\xbf" + data
    return data + b"\xff\xfe broken\n" if "x" in style else data


@st.composite
def trees(draw: Callable[..., str], *, long: bool = True, most: int = 6) -> dict[str, bytes]:
    """Raw logs by day, over up to five weeks, in any order of bytes that people leave."""
    offsets = draw(st.lists(st.integers(0, 34), min_size=1, max_size=most, unique=True))
    styles = st.sampled_from(["", "", "", "r", "b", "rb", "x"])
    return {
        (FIRST + timedelta(days=n)).isoformat(): _as_bytes(draw(log_texts(long=long)), draw(styles))
        for n in sorted(offsets)
    }
