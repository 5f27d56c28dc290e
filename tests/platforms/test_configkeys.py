"""Doctor hears of fields of the config that have no effect because of a slip."""

import json
import re
from pathlib import Path

import pytest

from hipocampus import config as config_module
from hipocampus.config import load_config
from hipocampus.platforms.configkeys import KNOWN, config_problems


def messages(root: Path, fields: object) -> list[str]:
    (root / "hipocampus.config.json").write_text(json.dumps(fields))
    return [problem.message for problem in config_problems(load_config(root))]


@pytest.mark.parametrize(
    ("fields", "slip", "meant"),
    [
        ({"tmezone": "Asia/Seoul"}, "tmezone", "timezone"),
        ({"timeZone": None}, "timeZone", "timezone"),
        ({"plattforms": []}, "plattforms", "platforms"),
        ({"compacton": {}}, "compacton", "compaction"),
        ({"compaction": {"cooldown_hours": 1}}, "compaction.cooldown_hours", "compaction.cooldownHours"),
        ({"compaction": {"rootMaxToken": 1}}, "compaction.rootMaxToken", "compaction.rootMaxTokens"),
        ({"cooldownHours": 1}, "cooldownHours", "compaction.cooldownHours"),
        ({"brain": {"modle": "x"}}, "brain.modle", "brain.model"),
        (
            {"brain": {"routes": [{"provider": "ollama", "minChar": 5}]}},
            "brain.routes.minChar",
            "brain.routes.minChars",
        ),
        ({"tidy": {"Auto": True}}, "tidy.Auto", "tidy.auto"),
    ],
)
def test_a_slip_is_named_with_what_was_meant(tmp_path: Path, fields: object, slip: str, meant: str) -> None:
    (message,) = messages(tmp_path, fields)
    assert f'"{slip}"' in message
    assert f'"{meant}"' in message


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"mine": 1, "name": "x", "version": 2, "$schema": "x"},
        {"search": {"vector": True, "embedModel": "auto"}, "compaction": {"notes": "x"}},
        {"platform": "claude-code", "platforms": ["codex"]},
        {"timezone": None, "timezones": ["a second field of somebody's"]},
    ],
)
def test_other_fields_are_left_in_peace(tmp_path: Path, fields: object) -> None:
    assert messages(tmp_path, fields) == []


def test_every_field_that_is_read_is_known() -> None:
    source = Path(config_module.__file__).read_text(encoding="utf-8")
    read = set(re.findall(r'\b(?:part|top)\.(?:\w+)\("(\w+)"', source))
    read |= set(re.findall(r'\b(?:part|top)\.raw\.get\("(\w+)"', source)) | set(
        re.findall(r'section\("\w+"\)\.\w+\("(\w+)"', source)
    )
    assert read <= {name for names in KNOWN.values() for name in names}
    assert {"timezone", "auto", "maxChars", "rootMaxTokens"} <= read
