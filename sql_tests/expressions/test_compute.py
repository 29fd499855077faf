"""Every wrapper around pyarrow.compute: NULL, NaN, -0.0, overflow, empty and sliced input."""

from __future__ import annotations

import inspect
import math
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tandemdb.cpu_fallback import compute

TEXTS = ["abc", None, "", "héllo", "a%b", "ABC", "abcabc"]


def text_array(sliced: bool) -> pa.Array:
    """TEXTS, perhaps as a part of a longer array."""
    return pa.array(["before", *TEXTS, "after"]).slice(1, len(TEXTS)) if sliced else pa.array(TEXTS)


@pytest.fixture(params=[False, True], ids=["whole", "sliced"])
def texts(request: pytest.FixtureRequest) -> pa.Array:
    return text_array(request.param)


def mapped(function: Any) -> list[Any]:
    """The Python function over TEXTS, None for None."""
    return [None if text is None else function(text) for text in TEXTS]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, None, 3], pa.int64()),
        pa.array([math.nan, -0.0, None]),
        pa.array(["a", None, "ccc"]),
        pa.array(["a", None, "a"]).dictionary_encode(),
        pa.array([Decimal("1.5"), None, Decimal("-2.5")], pa.decimal128(38, 1)),
        pa.array([True, None, False]),
    ],
    ids=lambda array: str(array.type),
)
def test_take(array: pa.Array) -> None:
    for part in (array, pa.concat_arrays([array, array]).slice(2, 3)):
        rows = np.array([2, 0, 0, 1], dtype=np.int32)
        taken = compute.take(part, rows)
        assert taken.type == part.type
        assert str(taken.to_pylist()) == str([part.to_pylist()[row] for row in rows])
        assert len(compute.take(part, np.array([], dtype=np.int64))) == 0


def test_dictionaries(texts: pa.Array) -> None:
    encoded = compute.encode_dictionary(texts)
    assert encoded.type == pa.dictionary(pa.int32(), pa.string())
    assert encoded.dictionary.to_pylist() == ["abc", "", "héllo", "a%b", "ABC", "abcabc"]
    assert compute.decode_dictionary(encoded).to_pylist() == TEXTS
    with_null = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int32()), pa.array(["x", None]))
    assert compute.decode_dictionary(with_null).to_pylist() == ["x", None, None]
    assert len(compute.encode_dictionary(texts.slice(0, 0))) == 0


def test_concat(texts: pa.Array) -> None:
    assert compute.concat([texts]) is texts
    assert compute.concat([texts, texts.slice(0, 0), texts.slice(1, 1)]).to_pylist() == [*TEXTS, None]


def test_least_and_greatest_decimal() -> None:
    values = [None, Decimal("-99999999999999999999999999999999999.999"), Decimal("0.001"), Decimal("7")]
    array = pa.array(values, pa.decimal128(38, 3))
    assert compute.min_max_decimal(array) == (-99999999999999999999999999999999999999, 7000)
    assert compute.min_max_decimal(array.slice(2)) == (1, 7000)
    assert compute.min_max_decimal(array.slice(0, 1)) is None
    assert compute.min_max_decimal(array.slice(0, 0)) is None


@pytest.mark.parametrize("op", ["=", "<>", "<", "<=", ">", ">="])
def test_compare_by_bytes(op: str, texts: pa.Array) -> None:
    python = {"=": "__eq__", "<>": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}[op]
    expected = mapped(lambda text: getattr(text.encode(), python)(b"abc"))
    assert compute.compare(op, texts, pa.scalar("abc")).to_pylist() == expected
    assert compute.compare(op, texts, texts).to_pylist() == mapped(lambda text: op in ("=", "<=", ">="))
    assert compute.compare(op, texts.slice(0, 0), pa.scalar("abc")).to_pylist() == []


def test_bytes_beyond_ascii_come_last() -> None:
    assert compute.compare("<", pa.array(["z", "\uffff"]), pa.array(["é", "\U0001f986"])).to_pylist() == [
        True,
        True,
    ]


def test_is_in(texts: pa.Array) -> None:
    wanted = pa.array(["abc", "ABC"])
    assert compute.is_in(texts, wanted).to_pylist() == [text in ("abc", "ABC") for text in TEXTS]
    assert compute.is_in(texts.slice(0, 0), wanted).to_pylist() == []


def test_if_else(texts: pa.Array) -> None:
    mask = pa.array([text == "" for text in TEXTS])
    assert compute.if_else(mask, "empty", texts).to_pylist() == [t if t != "" else "empty" for t in TEXTS]
    nothing = compute.if_else(mask, pa.scalar(None, pa.string()), texts)
    assert nothing.to_pylist() == [t if t != "" else None for t in TEXTS]


def test_cast() -> None:
    assert compute.cast(pa.array([1, None]), pa.int8()).to_pylist() == [1, None]
    with pytest.raises(pa.ArrowInvalid):
        compute.cast(pa.array([300]), pa.int8())
    with pytest.raises(pa.ArrowInvalid):
        compute.cast(pa.array(["x"]), pa.int8())


def test_searching(texts: pa.Array) -> None:
    assert compute.starts_with(texts, "ab").to_pylist() == mapped(lambda text: text.startswith("ab"))
    assert compute.ends_with(texts, "bc").to_pylist() == mapped(lambda text: text.endswith("bc"))
    assert compute.contains(texts, "%").to_pylist() == mapped(lambda text: "%" in text)
    assert compute.contains(texts, "").to_pylist() == mapped(lambda text: True)
    assert compute.matches_regex(texts, "l+").to_pylist() == mapped(lambda text: "l" in text)
    assert compute.contains(texts.slice(0, 0), "x").to_pylist() == []
    with pytest.raises(pa.ArrowInvalid):
        compute.matches_regex(texts, "(")


def test_replacing(texts: pa.Array) -> None:
    assert compute.replace(texts, "bc", "é").to_pylist() == mapped(lambda text: text.replace("bc", "é"))
    assert compute.replace_regex(texts, "b(.)", r"<\1>", 1).to_pylist() == mapped(
        lambda text: text.replace("bc", "<c>", 1) if "%" not in text else "a%b"
    )
    assert compute.replace_regex(texts, "b", "", None).to_pylist() == mapped(
        lambda text: text.replace("b", "")
    )
    with pytest.raises(pa.ArrowInvalid):
        compute.replace_regex(texts, "b", r"\1", None)
    found = compute.extract_regex(texts, "(?P<x>b)(?P<y>c)").to_pylist()
    assert found == [{"x": "b", "y": "c"} if text and "bc" in text else None for text in TEXTS]


def test_cases_and_lengths(texts: pa.Array) -> None:
    assert compute.lower(texts).to_pylist() == mapped(str.lower)
    assert compute.upper(texts).to_pylist() == mapped(str.upper)
    assert compute.code_points(texts).to_pylist() == mapped(len)
    assert compute.byte_length(texts).to_pylist() == mapped(lambda text: len(text.encode()))
    for side, strip in (("both", str.strip), ("start", str.lstrip), ("end", str.rstrip)):
        assert compute.trim(texts, "acé", side).to_pylist() == mapped(lambda text, s=strip: s(text, "acé"))


@pytest.mark.parametrize(("start", "stop"), [(0, 2), (1, None), (-2, None), (0, -1), (3, 1), (0, 100)])
def test_slicing(texts: pa.Array, start: int, stop: int | None) -> None:
    assert compute.slice_code_points(texts, start, stop).to_pylist() == mapped(lambda text: text[start:stop])


def test_joining(texts: pa.Array) -> None:
    assert compute.join([texts, pa.scalar("x")], "-").to_pylist() == mapped(lambda text: f"{text}-x")
    assert compute.join([texts, texts], "", null_as="").to_pylist() == [(t or "") * 2 for t in TEXTS]
    assert compute.join([texts.slice(0, 0), "x"], "").to_pylist() == []
    lists = pa.array([["a", "b"], [], None, ["é"]], pa.list_(pa.string()))
    assert compute.join_lists(lists, ", ").to_pylist() == ["a, b", "", None, "é"]
    assert compute.join([pa.array([b"a", None]), pa.scalar(b"b")], b"").to_pylist() == [b"ab", None]


def test_masks() -> None:
    assert compute.any_true(pa.array([None, False, True]))
    assert not compute.any_true(pa.array([None, False]))
    assert not compute.any_true(pa.array([], pa.bool_()))
    assert compute.fill_null(pa.array([None, "x"]), "").to_pylist() == ["", "x"]


def test_every_wrapper_is_tested_here() -> None:
    tested = inspect.getsource(sys.modules[__name__])
    names = [
        name
        for name, value in vars(compute).items()
        if inspect.isfunction(value) and value.__module__ == compute.__name__
    ]
    assert [name for name in names if not name.startswith("_") and f"compute.{name}(" not in tested] == []


def test_pyarrow_compute_is_called_in_one_module_only() -> None:
    """Besides the array methods that need no compute function."""
    folder = compute.__file__.rpartition("compute.py")[0]
    from pathlib import Path

    users = [
        path.name for path in Path(folder).rglob("*.py") if "pyarrow.compute" in _imports(path.read_text())
    ]
    assert users == ["compute.py"]


def _imports(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if line.lstrip().startswith(("import ", "from ")))
