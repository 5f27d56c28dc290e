"""The exported page: one file, nothing from the network, and memory text in it is data whatever it holds."""

import base64
import hashlib
import html
import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command import Hipo
from support.trees import compacted, write_logs

from hipocampus.session.export import GENERATOR, _holder

Run = Callable[..., Hipo]

HOSTILE = (
    "</script><script>window.hacked=1</script><!-- {{style}} ]]> <img src=x onerror=hacked()> \u2028 \\u003c"
)


@pytest.fixture
def tree(root: Path) -> Path:
    write_logs(
        root,
        {
            "2026-02-27": "# 2026-02-27\n\nwords before\n\n## Old [reference]\n- outcome: x\n",
            "2026-03-09": f"# 2026-03-09\n\n## {HOSTILE} [user]\n<!-- 09:00 -->\n\n- rule: {HOSTILE}\n- more\n",
        },
    )
    (root / "memory" / "ROOT.md").write_text("---\ntype: root\n---\n\n## Topics Index\n", encoding="utf-8")
    (root / "knowledge").mkdir()
    (root / "knowledge" / "n.md").write_text(HOSTILE, encoding="utf-8")
    compacted(root, "2026-03-15")
    (root / "WORKING.md").write_text("# W\n\n## Port\n### Next Steps\n- [x] a\n- [ ] b\n", encoding="utf-8")
    return root


def page_of(hipo: Run, *options: str) -> str:
    ran = hipo("export", "html", "-", *options)
    assert ran.status == 0, ran.err
    return ran.out


def data(page: str, attribute: str) -> Any:
    found = re.search(rf'<script type="application/json" [^>]*{attribute}[^>]*>(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def test_everything_of_the_memory_is_in_the_page(tree: Path, hipo: Run) -> None:
    page = page_of(hipo)
    index = data(page, 'id="index"')
    assert index["days"] == {"2026-02-27": [0, 0, 0, 1], "2026-03-09": [0, 0, 1, 0]}
    assert (
        index["tasks"][0] | {"title": "Port", "state": "in progress", "open": 1, "done": 1}
        == index["tasks"][0]
    )
    assert data(page, 'id="notes"') == {"knowledge/n.md": HOSTILE}
    month = data(page, 'data-month="2026-03"')
    topic, kind, comment, body, start, end = month["days"]["2026-03-09"]["entries"][0]
    assert (topic, kind, comment) == (HOSTILE, 2, "09:00")
    assert body.startswith(f"- rule: {HOSTILE}")
    assert (start, end) == (3, 7)
    assert data(page, 'data-month="2026-02"')["days"]["2026-02-27"]["before"] == "words before"


def test_text_cannot_leave_its_place(tree: Path, hipo: Run) -> None:
    page = page_of(hipo, "--title", HOSTILE)
    assert len(re.findall(r"<script\b", page)) == len(re.findall(r"</script>", page)) == 5
    assert "<img" not in page
    assert f"<title>{html.escape(HOSTILE)}</title>" in page


@given(
    st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=5)
)
def test_any_text_comes_back_from_its_holder(value: Any) -> None:
    text = _holder('id="x"', value)
    inner = text.removeprefix('<script type="application/json" id="x">').removesuffix("</script>")
    assert "<" not in inner
    inner.encode()
    plain = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    assert json.loads(inner) == json.loads(plain)


def test_the_page_loads_nothing_and_runs_nothing_but_its_own_script(tree: Path, hipo: Run) -> None:
    page = page_of(hipo)
    policy = html.unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', page)[0])
    script = page.rsplit("<script>", 1)[1].rsplit("</script>", 1)[0]
    style = page.split("<style>", 1)[1].split("</style>", 1)[0]
    for text in (script, style):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    assert "innerHTML" not in script


def test_secrets_that_people_wrote_by_hand_stay_out(tree: Path, hipo: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5" + "Q7w8R9t0Yu" + "x2C4v6B8n1" + "Zk5pL3"
    write_logs(tree, {"2026-03-10": f"# 2026-03-10\n\n## Key {secret} [project]\n- outcome: {secret}\n"})
    (tree / "knowledge" / "s.md").write_text(f"token {secret}", encoding="utf-8")
    (tree / "TASK-QUEUE.md").write_text(f"- rotate {secret}\n", encoding="utf-8")
    assert secret not in page_of(hipo)


def test_a_file_is_for_its_owner_and_no_other_file_is_overwritten(tree: Path, hipo: Run) -> None:
    ran = hipo("export", "html", "page.html", "--json")
    assert (ran.status, ran.json["days"], ran.json["entries"]) == (0, 2, 2)
    assert stat.S_IMODE((tree / "page.html").stat().st_mode) == 0o600
    assert GENERATOR in (tree / "page.html").read_text(encoding="utf-8")[:1000]
    assert hipo("export", "html", "page.html").status == 0
    (tree / "mine.html").write_text("<p>mine", encoding="utf-8")
    refused = hipo("export", "html", "mine.html")
    assert (refused.status, (tree / "mine.html").read_text(encoding="utf-8")) == (1, "<p>mine")
    assert "--force" in refused.err
    assert hipo("export", "html", "mine.html", "--force").status == 0


def test_a_log_that_cannot_be_read_is_named_and_the_rest_is_there(tree: Path, hipo: Run) -> None:
    (tree / "memory" / "2026-03-11.md").mkdir()
    ran = hipo("export", "html", "page.html")
    assert ran.status == 1
    assert "2026-03-11.md" in ran.err
    assert "Old" in (tree / "page.html").read_text(encoding="utf-8")


def test_an_empty_memory_has_a_page(root: Path, hipo: Run) -> None:
    assert data(page_of(hipo), 'id="index"')["days"] == {}
