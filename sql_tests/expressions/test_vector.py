"""Vectors, selections and what the CPU backend knows about storage."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tandemdb.cpu_fallback.dictionary import on_entries
from tandemdb.cpu_fallback.expr_merge import Piece, merge
from tandemdb.cpu_fallback.expressions import compile_expression, compile_predicate
from tandemdb.cpu_fallback.functions import wide
from tandemdb.cpu_fallback.scalars import literal_value
from tandemdb.cpu_fallback.selection import Selection
from tandemdb.cpu_fallback.vector import Vector, combined_valid
from tandemdb.physical.batch import Batch
from tandemdb.planner.errors import ConversionError, OutOfRangeError
from tandemdb.planner.expr import Call, Cast, Column, Literal, ref
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTERVAL,
    VARCHAR,
    SQLType,
    decimal,
)

BIG = 10**30


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (INTEGER, 7),
        (BOOLEAN, True),
        (DOUBLE, -0.0),
        (decimal(5, 2), -125),
        (decimal(38, 2), BIG),
        (HUGEINT, BIG),
        (HUGEINT, 5),
        (VARCHAR, "é"),
        (DATE, 18_000),
        (INTERVAL, (1, -2, 3)),
        (INTEGER, None),
        (VARCHAR, None),
    ],
)
def test_constants_become_rows_and_come_back(type_: SQLType, value: Any) -> None:
    vector = Vector.constant(type_, value)
    assert vector.is_constant
    assert vector.is_null == (value is None)
    expanded = vector.expand(3)
    assert not expanded.is_constant
    assert [literal_value(type_, expanded.array, row) for row in range(3)] == [value] * 3
    assert [literal_value(type_, vector.to_array(2), row) for row in range(2)] == [value] * 2
    assert vector.expand(1).to_constant().value == value
    assert len(vector.to_array(0)) == 0


def test_values_of_sliced_arrays() -> None:
    array = pa.array([9, 1, None, 3, 9], pa.int32()).slice(1, 3)
    vector = Vector.of_array(INTEGER, array)
    assert vector.valid is not None
    assert vector.valid.tolist() == [True, False, True]
    assert vector.values[[0, 2]].tolist() == [1, 3]
    assert vector.tight_bounds() == (1, 3)
    assert vector.take(np.array([2, 0])).array.to_pylist() == [3, 1]
    bits = Vector.of_array(BOOLEAN, pa.array([True, None, True, False]).slice(1))
    assert bits.values.tolist() == [False, True, False]


def test_rows_that_are_all_null_have_no_bounds() -> None:
    assert Vector.of_array(INTEGER, pa.nulls(3, pa.int32())).tight_bounds() is None
    assert Vector.of_array(INTEGER, pa.array([], pa.int32())).tight_bounds() is None


def test_rows_valid_everywhere() -> None:
    a = Vector.of_array(INTEGER, pa.array([1, None, 3], pa.int32()))
    b = Vector.of_array(INTEGER, pa.array([1, 2, 3], pa.int32()))
    assert combined_valid(b, Vector.constant(INTEGER, 1)) is None
    valid = combined_valid(a, b)
    assert valid is not None
    assert valid.tolist() == [True, False, True]


# Bounds and storage ---------------------------------------------------------------------------------------
def product(
    left: list[int], right: list[int], type_: SQLType, bounds: dict[int, tuple[int, int]] | None = None
) -> Vector:
    """left * right of scaled decimals."""
    columns = (Column(0, "a", decimal(38, 2)), Column(1, "b", decimal(38, 2)))
    arrays = [_decimals(left), _decimals(right)]
    batch = Batch(columns, arrays, len(left), bounds=bounds or {})
    return compile_expression(Call(type_, "*", (ref(columns[0]), ref(columns[1]))))(batch)


def _decimals(values: list[int]) -> pa.Array:
    if all(abs(value) < 2**63 for value in values):
        return pa.array(values, pa.int64())
    return pa.array([Decimal(value).scaleb(-2) for value in values], pa.decimal128(38, 2))


def test_products_stay_in_64_bits_where_the_data_allow_it() -> None:
    vector = product([100, 200], [5, -7], decimal(38, 4))
    assert not vector.is_wide
    assert vector.bounds == (-1400, 1000)
    assert vector.values.tolist() == [500, -1400]


def test_known_bounds_are_carried_along_without_a_scan() -> None:
    vector = product([100, 200], [5, 7], decimal(38, 4), {0: (0, 1000), 1: (0, 10)})
    assert vector.bounds == (0, 10_000)


@pytest.mark.parametrize("python_rows", [0, 10_000])
def test_products_become_128_bits_where_they_must(python_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Python's integers and by the compiled kernel."""
    monkeypatch.setattr(wide, "PYTHON_ROWS", python_rows)
    vector = product([10**17, -(10**17)], [10**5, 10**10], decimal(38, 4))
    assert vector.is_wide
    assert [literal_value(vector.type, vector.array, row) for row in (0, 1)] == [10**22, -(10**27)]
    columns = (Column(0, "a", decimal(38, 2)),)
    batch = Batch(columns, [_decimals([BIG, 0, -BIG])], 3)
    a = ref(columns[0])
    for op, values in (("+", [2 * BIG, 0, -2 * BIG]), ("-", [0, 0, 0])):
        result = compile_expression(Call(decimal(38, 2), op, (a, a)))(batch)
        array = result.to_array(3)
        assert [literal_value(result.type, array, row) for row in range(3)] == values
    with pytest.raises(OutOfRangeError, match=r"Overflow in multiplication of DECIMAL\(38\)"):
        product([10**20, 1], [10**20, 1], decimal(38, 4))


def test_wide_values_that_fit_are_made_narrow() -> None:
    column = Column(0, "a", decimal(38, 2))
    array = pa.array([Decimal("1.50"), None, Decimal("-2.25")], pa.decimal128(38, 2))
    batch = Batch((column,), [array], 3)
    vector = compile_expression(Call(decimal(38, 2), "+", (ref(column), ref(column))))(batch)
    assert not vector.is_wide
    assert vector.array.to_pylist() == [300, None, -450]


def test_garbage_at_null_rows_is_not_seen() -> None:
    column = Column(0, "a", BIGINT)
    values = np.array([1, 2**63 - 1, 0], dtype=np.int64)
    mask = pa.py_buffer(np.packbits([1, 0, 0], bitorder="little"))
    array = pa.Array.from_buffers(pa.int64(), 3, [mask, pa.py_buffer(values)])
    batch = Batch((column,), [array], 3)
    one = Literal(BIGINT, 1)
    for op in ("+", "*", "//", "%"):
        result = compile_expression(
            Call(BIGINT, op, (one if op in ("//", "%") else ref(column), ref(column)))
        )(batch)
        assert result.to_array(3).null_count == 2
    assert compile_expression(Cast(INTEGER, ref(column)))(batch).array.to_pylist() == [1, None, None]


# Dictionaries ---------------------------------------------------------------------------------------------
def encoded(codes: list[int | None], entries: list[str | None]) -> Vector:
    """Dictionary-encoded rows."""
    array = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(entries, pa.string()))
    return Vector.of_array(VARCHAR, array)


def test_a_function_runs_once_for_each_entry() -> None:
    seen: list[int] = []

    def upper(vector: Vector) -> Vector:
        seen.append(len(vector))
        return Vector.of_array(
            VARCHAR, pa.array([None if v is None else v.upper() for v in vector.array.to_pylist()])
        )

    result = on_entries(encoded([0, 1, None, 2, 0, 3], ["a", "A", None, "b"]), upper)
    assert seen == [4]
    assert result.array.to_pylist() == ["A", "A", None, None, "A", "B"]
    assert result.is_dictionary
    assert result.array.dictionary.to_pylist() == ["A", "B"]


def test_an_entry_without_rows_raises_nothing() -> None:
    column = Column(0, "a", VARCHAR)
    array = encoded([1, 1, None], ["x", "12"]).array
    assert compile_expression(Cast(INTEGER, ref(column)))(Batch((column,), [array], 3)).array.to_pylist() == [
        12,
        12,
        None,
    ]
    bad = encoded([1, 0, 1], ["x", "12"]).array
    with pytest.raises(ConversionError, match="'x'"):
        compile_expression(Cast(INTEGER, ref(column)))(Batch((column,), [bad], 3))


def test_choosing_between_strings_makes_a_dictionary() -> None:
    mask = np.array([True, False, True])
    pieces = [
        Piece(mask, None, Vector.constant(VARCHAR, "x")),
        Piece(~mask, None, Vector.constant(VARCHAR, "y")),
    ]
    result = merge(VARCHAR, pieces, 3)
    assert result.is_dictionary
    assert result.array.to_pylist() == ["x", "y", "x"]
    pieces[1] = Piece(~mask, None, Vector.constant(VARCHAR, "x"))
    assert merge(VARCHAR, pieces, 3).array.dictionary.to_pylist() == ["x"]


# Selections -----------------------------------------------------------------------------------------------
def test_selections() -> None:
    array = pa.array(["a", "b", "c"])
    some = Selection(3, np.array([True, False, True]))
    assert (some.count, some.is_all, some.rows.tolist()) == (2, False, [0, 2])
    assert some.apply(array).to_pylist() == ["a", "c"]
    assert Selection.all(3).apply(array) is array
    assert Selection.none(3).apply(array).to_pylist() == []
    assert Selection.all(3).rows.tolist() == [0, 1, 2]
    assert Selection.none(3).count == 0


def test_constant_predicates_keep_all_or_nothing() -> None:
    batch = Batch((Column(0, "a", INTEGER),), [pa.array([1, 2], pa.int32())], 2)
    for value, count in ((True, 2), (False, 0), (None, 0)):
        assert compile_predicate(Literal(BOOLEAN, value))(batch).count == count


def test_importing_the_evaluator_loads_no_compiler() -> None:
    script = "import sys, tandemdb.cpu_fallback.expressions; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
