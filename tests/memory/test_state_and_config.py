"""State and settings: what cannot be used is named, and nothing but a HipoError comes out."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.texts import anything
from support.trees import at

from hipocampus.config import CONFIG_NAME, load_config
from hipocampus.errors import ConfigError
from hipocampus.memory.state import BrokenState, CompactionState, parse_state, render_state

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_STATE_KEYS = st.sampled_from(
    ["lastCompactionRun", "rawLinesSinceLastCompaction", "checkpointsSinceLastCompaction", "other", ""]
)


def test_a_state_is_read_and_written_with_the_keys_of_others() -> None:
    text = (
        '{"mine": [1], "lastCompactionRun": "2026-03-15T05:32:11.000Z", "rawLinesSinceLastCompaction": 12,'
        ' "checkpointsSinceLastCompaction": 3, "한글": {"a": null}}'
    )
    state = parse_state(text)
    assert (state.raw_lines, state.checkpoints) == (12, 3)
    written = json.loads(render_state(state.counted(5, 1)))
    assert written == {
        "lastCompactionRun": "2026-03-15T05:32:11Z",
        "rawLinesSinceLastCompaction": 17,
        "checkpointsSinceLastCompaction": 4,
        "mine": [1],
        "한글": {"a": None},
    }
    assert json.loads(render_state(state.dispatched(at("2026-03-16"))))["mine"] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        '{"lastCompactionRun": "yesterday"}',
        '{"lastCompactionRun": 5}',
        '{"rawLinesSinceLastCompaction": "12"}',
        '{"checkpointsSinceLastCompaction": -1}',
        '{"checkpointsSinceLastCompaction": true}',
        '{"rawLinesSinceLastCompaction": 1.5}',
        "[" * 100_000,
    ],
)
def test_a_state_that_cannot_be_used_says_so(text: str) -> None:
    with pytest.raises(BrokenState):
        parse_state(text)


@given(anything | st.dictionaries(_STATE_KEYS, json_values, max_size=4).map(json.dumps))
def test_any_text_is_a_state_or_a_broken_one(text: str) -> None:
    try:
        state = parse_state(text)
    except BrokenState:
        return
    assert isinstance(state, CompactionState) and state.raw_lines >= 0
    assert parse_state(render_state(state)) == parse_state(render_state(parse_state(render_state(state))))


_CONFIG = {
    "platform": json_values | st.sampled_from(["claude-code", "opencode"]),
    "platforms": json_values | st.just(["codex"]),
    "timezone": json_values | st.sampled_from(["Asia/Seoul", "../etc/passwd", "Mars", "Europe", "/", "\x00"]),
    "search": json_values | st.dictionaries(st.sampled_from(["engine", "vector", "embedModel"]), json_values),
    "compaction": json_values
    | st.dictionaries(
        st.sampled_from(["rootMaxTokens", "cooldownHours", "summarizer", "command"]),
        json_values | st.sampled_from([3000, 0, 0.5, "extractive", "command", ["claude"]]),
    ),
    "brain": json_values
    | st.dictionaries(
        st.sampled_from(["provider", "routes", "maxTokens", "overflowChars", "store"]),
        json_values | st.just([{"provider": "ollama", "maxChars": 5}]) | st.just([{}]),
    ),
    "tidy": json_values,
    "unknown": json_values,
}


@given(st.fixed_dictionaries({}, optional=_CONFIG).map(json.dumps) | anything)
def test_any_config_is_read_or_refused_in_one_line_that_names_the_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / CONFIG_NAME
    path.write_text(text, "utf-8")
    try:
        config = load_config(tmp_path)
    except ConfigError as error:
        assert str(path) in str(error) and error.exit_code == 2 and error.hint
        return
    assert 300 <= config.compaction.root_max_tokens <= 100_000
    assert config.compaction.cooldown_hours >= 0
    assert config.zone is None or config.timezone


@pytest.mark.parametrize(
    ("raw", "field", "stands", "allowed"),
    [
        ({"compaction": {"rootMaxTokens": "many"}}, "compaction.rootMaxTokens", '"many"', "whole number"),
        ({"compaction": {"cooldownHours": -1}}, "compaction.cooldownHours", "-1", "a number from 0"),
        ({"compaction": {"summarizer": "gpt"}}, "compaction.summarizer", '"gpt"', '"extractive"'),
        (
            {"compaction": {"summarizer": "command"}},
            "compaction.summarizer",
            '"command"',
            "compaction.command",
        ),
        ({"timezone": "Seoul"}, "timezone", '"Seoul"', "IANA"),
        ({"platforms": ["emacs"]}, "platforms", '["emacs"]', '"codex"'),
        ({"brain": {"routes": [{"provider": "x"}]}}, "brain.routes[0].provider", '"x"', '"ollama"'),
        ({"brain": 5}, "brain", "5", "an object"),
        ({"tidy": {"auto": "yes"}}, "tidy.auto", '"yes"', "true or false"),
    ],
)
def test_a_wrong_value_is_named_with_what_may_stand_there(
    tmp_path: Path, raw: dict[str, object], field: str, stands: str, allowed: str
) -> None:
    text = json.dumps(raw)
    (tmp_path / CONFIG_NAME).write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    message = str(caught.value)
    assert f"{field} is {stands}" in message and allowed in message
    assert (tmp_path / CONFIG_NAME).read_text() == text


def test_the_originals_config_is_read_and_its_fields_are_kept(tmp_path: Path) -> None:
    (tmp_path / CONFIG_NAME).write_bytes(
        b'\xef\xbb\xbf{"platform": "claude-code", "search": {"vector": true, "embedModel": "auto"},'
        b' "compaction": {"rootMaxTokens": 2000, "cooldownHours": 0}, "mine": 1}'
    )
    config = load_config(tmp_path)
    assert config.platforms == ("claude-code",) and config.search.vector
    assert (config.compaction.root_max_tokens, config.compaction.cooldown_hours) == (2000, 0)
    assert config.raw["mine"] == 1
