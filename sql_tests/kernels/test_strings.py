"""LIKE and SUBSTRING against DuckDB."""

from __future__ import annotations

import random

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import QUICK, sliced
from tandemdb.cpu_fallback.kernels import strings
from tandemdb.cpu_fallback.kernels.strings import LikePattern

_random = random.Random(11)
TEXTS = [
    None
    if _random.random() < 0.1
    else "".join(_random.choice("abé😀_%\\") for _ in range(_random.randrange(14)))
    for _ in range(150)
]
TEXTS += ["", "ab" * 20, "xx needle of more than eight bytes yy", "needle of more than eight bytes"]
STORAGES = [sliced(TEXTS, pa.string()), sliced(TEXTS, pa.large_string()), pa.array(TEXTS).dictionary_encode()]


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.register("t", pa.table({"s": pa.array(TEXTS, pa.string())}))
    return con


def column(connection: duckdb.DuckDBPyConnection, expression: str, *parameters: str) -> list:
    rows = connection.execute(f"SELECT {expression} FROM t", list(parameters)).fetchall()
    return [row[0] for row in rows]


@given(pattern=st.text(alphabet="abé😀%%__", max_size=7))
@QUICK
def test_like(connection: duckdb.DuckDBPyConnection, pattern: str) -> None:
    expected = [int(bool(found)) for found in column(connection, "s LIKE ?", pattern)]
    for arr in STORAGES:
        assert strings.like(arr, LikePattern.parse(pattern)).tolist() == expected


@given(pattern=st.lists(st.sampled_from(["a", "b", "é", "%", "_", "\\%", "\\_", "\\\\", "\\a"]), max_size=6))
@QUICK
def test_like_with_escape(connection: duckdb.DuckDBPyConnection, pattern: list[str]) -> None:
    text = "".join(pattern)
    expected = [int(bool(found)) for found in column(connection, "s LIKE ? ESCAPE '\\'", text)]
    assert strings.like(STORAGES[0], LikePattern.parse(text, "\\")).tolist() == expected


@pytest.mark.parametrize(
    "pattern",
    [
        "%needle of more than eight bytes%",
        "%eight bytes",
        "needle of more%",
        "%needle%eight%",
        "%n_edle of m%",
    ],
)
def test_long_patterns(connection: duckdb.DuckDBPyConnection, pattern: str) -> None:
    expected = [int(bool(found)) for found in column(connection, "s LIKE ?", pattern)]
    assert sum(expected) > 0
    assert strings.like(STORAGES[0], LikePattern.parse(pattern)).tolist() == expected


def test_a_pattern_must_not_end_with_its_escape_character() -> None:
    with pytest.raises(ValueError, match="escape character"):
        LikePattern.parse("a$", "$")


@pytest.mark.parametrize(
    "needle", ["", "a", "é", "ab", "%", "eight bytes", "needle of more than eight bytes"]
)
def test_contains_starts_ends(needle: str) -> None:
    data = needle.encode()
    for arr in STORAGES:
        assert strings.contains(arr, data).tolist() == [int(s is not None and needle in s) for s in TEXTS]
        assert strings.starts_with(arr, data).tolist() == [
            int(s is not None and s.startswith(needle)) for s in TEXTS
        ]
        assert strings.ends_with(arr, data).tolist() == [
            int(s is not None and s.endswith(needle)) for s in TEXTS
        ]


FAR = st.one_of(st.integers(-15, 15), st.sampled_from([2**31 - 1, -(2**31) + 1]))


@given(start=FAR, length=st.one_of(st.none(), FAR))
@QUICK
def test_substring(connection: duckdb.DuckDBPyConnection, start: int, length: int | None) -> None:
    arguments = f"{start}" if length is None else f"{start}, {length}"
    expected = column(connection, f"substring(s, {arguments})")
    for arr in STORAGES:
        assert strings.substring(arr, start, length).to_pylist() == expected


def test_substring_with_arguments_whose_sum_overflows() -> None:
    arr = pa.array(["hello"])
    assert strings.substring(arr, 2**63 - 1, 2**63 - 1).to_pylist() == [""]
    assert strings.substring(arr, 2**63 - 1, -(2**63)).to_pylist() == ["hello"]
    assert strings.substring(arr, -(2**63), 2**63 - 1).to_pylist() == ["hello"]
    assert strings.substring(arr, 2, 2**63 - 1).to_pylist() == ["ello"]


def test_substring_of_ascii_and_by_row() -> None:
    arr = sliced(["hello", None, "", "abc"], pa.string())
    starts, lengths = np.array([2, 1, 1, -2]), np.array([3, 1, 1, 1])
    assert strings.substring(arr, starts, lengths).to_pylist() == ["ell", None, "", "b"]
    assert strings.substring(arr, -3).to_pylist() == ["llo", None, "", "abc"]
    assert strings.substring(arr.dictionary_encode(), starts, 2).to_pylist() == ["el", None, "", "bc"]
    assert strings.substring(pa.array([], pa.string()), 1, 1).to_pylist() == []
