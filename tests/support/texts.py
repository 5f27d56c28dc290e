"""Texts as people, agents and accidents write them, for property tests."""

from hypothesis import settings
from hypothesis import strategies as st


def examples(number: int) -> settings:
    """So many examples of a law that is slow to check; the profile `explore` takes them many times over."""
    steady = settings.get_profile("steady")
    assert settings.default is not None
    return settings(max_examples=max(1, number * settings.default.max_examples // steady.max_examples))


# Any character that UTF-8 can hold; a lone surrogate cannot stand in a file.
anything = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300)

_WORDS = st.sampled_from(
    "payment flow token bucket limit gateway tests ordering 결제 흐름 버킷 결정 速度 café 🚀 👩‍👩‍👧 @alice v2.1 200/s a_b x=1 "
    "[draft] status: fixed — the we decided because".split()
)
line = (
    st.lists(_WORDS, min_size=1, max_size=6)
    .map(" ".join)
    .filter(lambda text: not text.rstrip().endswith("]") and text.strip() == text)
)

_ROWS = st.one_of(
    line,
    line.map("- outcome: {}".format),
    line.map("- decisions:\n  - {}".format),
    line.map("## {} [project]".format),
    line.map("## {}".format),
    line.map("    ## {}".format),
    line.map("<!-- {} -->".format),
    st.sampled_from(
        [
            "",
            "",
            "---",
            "status: fixed",
            "```",
            "```py",
            "~~~",
            "````",
            "##",
            "## ",
            "##\t",
            "# 2026-03-15",
            "### deep",
            "- [ ] open",
            "| a | b |",
            "\t- x",
            "  - nested",
            "User: hello",
            "<!--",
            "-->",
            "`` `",
            "## x ```",
        ]
    ),
    st.text(alphabet="#`~ -[]<!>:*@\t가é", max_size=12),
)
markdown = st.lists(_ROWS, max_size=25).map("\n".join)
