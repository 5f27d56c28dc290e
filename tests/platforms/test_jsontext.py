"""JSON edited as text: what is put in comes out again, and every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.platforms import jsontext
from hipocampus.platforms.jsontext import BadJson

scalars = st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=6)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
documents = st.dictionaries(st.text(max_size=4), values, max_size=4)
styles = st.sampled_from([(None, None), (2, None), (4, None), ("\t", None), (None, (",", ":"))])


def written(document: object, style: tuple[object, object], newline: str, tail: str) -> str:
    indent, separators = style
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False)  # type: ignore[arg-type]
    return text.replace("\n", newline) + tail


@given(documents, styles, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n"]), values)
def test_a_member_that_is_added_is_there_and_comes_out_again(
    document: dict[str, object], style: tuple[object, object], newline: str, tail: str, value: object
) -> None:
    document.pop("hooks", None)
    text = written(document, style, newline, tail)
    more = jsontext.add_member(text, (), "hooks", value)
    assert json.loads(more) == {**document, "hooks": value}
    assert jsontext.remove_member(more, (), "hooks") == text


@given(st.lists(scalars, min_size=1, max_size=4), styles, values)
def test_an_item_that_is_added_is_there_and_comes_out_again(
    items: list[object], style: tuple[object, object], value: object
) -> None:
    text = written({"a": {"list": items}, "z": 1}, style, "\n", "\n")
    more = jsontext.add_item(text, ("a", "list"), value)
    assert json.loads(more) == {"a": {"list": [*items, value]}, "z": 1}
    holder = jsontext.find(more, ("a", "list"))
    assert holder is not None
    assert jsontext.remove_at(more, holder, len(items)) == text


@given(documents, styles)
def test_every_value_is_found_where_it_stands(
    document: dict[str, object], style: tuple[object, object]
) -> None:
    text = written(document, style, "\n", "")
    for key, value in document.items():
        found = jsontext.find(text, (key,))
        assert found is not None
        assert jsontext.load(text, found) == value


def test_the_style_of_the_file_is_taken_up() -> None:
    text = '{\n\t"a": 1\n}\n'
    assert jsontext.add_member(text, (), "b", {"c": [1]}) == (
        '{\n\t"a": 1,\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}\n'
    )
    assert jsontext.add_member('{"a": 1}', (), "b", [2]) == '{"a": 1, "b": [2]}'


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "{ // comment\n}", '{"a": 1,}', '{"a": 1, "a": 2}', "{'a': 1}", "{" * 5000]
)
def test_what_is_not_strict_json_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        jsontext.parse(text)
