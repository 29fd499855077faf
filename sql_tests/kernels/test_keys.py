"""Key words of every type and back, and masks of NULLs."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels.oracles import QUICK, optional, sliced
from tandemdb.cpu_fallback.kernels import keys
from tandemdb.cpu_fallback.kernels.group_table import GroupTable

COLUMNS = [
    (pa.int64(), [1, None, -(1 << 63), 1]),
    (pa.uint64(), [(1 << 64) - 1, 0, None, 5]),
    (pa.int8(), [-1, None, 127, 0]),
    (pa.bool_(), [True, False, None, True]),
    (pa.date32(), [dt.date(1995, 3, 1), None, dt.date(1995, 3, 1), dt.date(1970, 1, 1)]),
    (pa.timestamp("us"), [dt.datetime(2020, 1, 1), None, None, dt.datetime(1960, 1, 1)]),
    (pa.float64(), [1.5, None, -2.5, 0.0]),
    (pa.float32(), [1.5, None, -2.5, 0.0]),
    (pa.decimal128(38, 2), [Decimal("1E+30"), None, Decimal("-1.25"), Decimal(0)]),
    (pa.string(), ["b", None, "", "b"]),
    (pa.large_string(), ["b", None, "", "b"]),
    (pa.binary(), [b"\xff", None, b"", b"\xff"]),
    (pa.dictionary(pa.int32(), pa.string()), ["b", None, "", "b"]),
    (pa.dictionary(pa.int8(), pa.int64()), [7, None, 8, 7]),
    (pa.null(), [None] * 4),
]


@pytest.mark.parametrize(("type_", "values"), COLUMNS)
def test_a_column_comes_back_from_its_words(type_: pa.DataType, values: list) -> None:
    arr = sliced(values, type_)
    interners = keys.make_interners([type_])
    normal = keys.normalise([arr], interners)
    assert len(normal.words) == keys.word_count([type_]) == keys.words_per_key(type_)
    (again,) = keys.key_columns(normal.words, normal.nulls, [type_], interners)
    again.validate(full=True)
    assert again.type == type_
    assert again.to_pylist() == values


@pytest.mark.parametrize(("type_", "values"), COLUMNS)
def test_groups_of_a_column_are_its_distinct_values(type_: pa.DataType, values: list) -> None:
    interners = keys.make_interners([type_])
    normal = keys.normalise([sliced(values, type_)], interners)
    table = GroupTable(len(normal.words))
    gids = table.insert(normal.words, normal.nulls)
    distinct = list(dict.fromkeys(values))
    assert gids.tolist() == [distinct.index(value) for value in values]
    (groups,) = keys.key_columns(*table.keys(), [type_], interners)
    assert groups.to_pylist() == distinct


def test_equal_floats_have_equal_words() -> None:
    normal = keys.normalise([pa.array([0.0, -0.0, float("nan"), -float("nan")])])
    assert len(set(normal.words[0].tolist())) == 2


@given(st.lists(st.tuples(*[optional(st.integers(0, 1))] * 70), min_size=1, max_size=8))
@QUICK
def test_more_than_64_columns_keep_their_nulls(rows: list[tuple[int | None, ...]]) -> None:
    types = [pa.int64()] * 70
    normal = keys.normalise([sliced(column, pa.int64()) for column in zip(*rows, strict=True)])
    assert len(normal.words) == keys.word_count(types) == 71
    table = GroupTable(71)
    gids = table.insert(normal.words, normal.nulls)
    distinct = list(dict.fromkeys(rows))
    assert gids.tolist() == [distinct.index(row) for row in rows]
    back = keys.key_columns(*table.keys(), types)
    assert list(zip(*(column.to_pylist() for column in back), strict=True)) == distinct
    expected = [None not in row for row in rows]
    assert (np.ones(len(rows)) if normal.valid is None else normal.valid).tolist() == expected


def test_probing_does_not_add_strings() -> None:
    interners = keys.make_interners([pa.string()])
    keys.normalise([pa.array(["a"])], interners)
    probe = keys.normalise([pa.array(["b", "a", None])], interners, add=False)
    assert probe.words[0].tolist() == [-1, 0, -1]
    assert probe.valid is not None
    assert probe.valid.tolist() == [1, 1, 0]
    assert interners[0] is not None
    assert len(interners[0]) == 1
