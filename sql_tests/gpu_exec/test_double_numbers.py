"""Arithmetic, comparisons, casts and rounding on the double, against values worked out by hand."""

from __future__ import annotations

import decimal
import math
from typing import Any

import pyarrow as pa
import pytest
from doubles.testing import col, dtype, scalar, table, values

D = decimal.Decimal
I32, I64, F64, BOOL, TEXT = pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string()
MAX, MIN = 2**63 - 1, -(2**63)
pytestmark = pytest.mark.usefixtures("device")


def binary(operator: str, left: Any, right: Any, out: Any) -> Any:
    import pylibcudf as plc

    return plc.binaryop.binary_operation(left, right, plc.binaryop.BinaryOperator[operator], out)


def unary(operator: str, of: Any) -> Any:
    import pylibcudf as plc

    return plc.unary.unary_operation(of, plc.unary.UnaryOperator[operator])


def cast(of: Any, to: Any) -> list[Any]:
    import pylibcudf as plc

    found = plc.unary.cast(of, to)
    assert found.type() == to
    return values(found)


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("ADD", [MIN, 7, None, None]),
        ("SUB", [MAX - 1, 3, None, None]),
        ("MUL", [MAX, 10, None, None]),
    ],
)
def test_integers_wrap_and_null_stays_null(operator: str, expected: list[Any]) -> None:
    found = binary(operator, col(I64, [MAX, 5, None, 1]), col(I64, [1, 2, 3, None]), dtype("INT64"))
    assert values(found) == expected
    assert found.null_count() == 2


def test_narrow_operands_wrap_before_a_wider_result_is_stored() -> None:
    large = col(I32, [2**31 - 1])
    assert values(binary("ADD", large, large, dtype("INT64"))) == [-2]
    assert values(binary("ADD", col(pa.int8(), [127]), col(pa.int8(), [1]), dtype("INT64"))) == [128]


def test_a_column_and_a_scalar_either_way_round() -> None:
    assert values(binary("SUB", scalar(I64, 10), col(I64, [1, None]), dtype("INT64"))) == [9, None]
    assert values(binary("SUB", col(I64, [1, None]), scalar(I64, 10), dtype("INT64"))) == [-9, None]
    assert values(binary("ADD", col(I64, [1, 2]), scalar(I64, None), dtype("INT64"))) == [None, None]


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("DIV", [3, -3, -3, 3]),
        ("FLOOR_DIV", [3, -4, -4, 3]),
        ("MOD", [1, -1, 1, -1]),
        ("PMOD", [1, 1, 1, -1]),
        ("PYMOD", [1, 1, -1, -1]),
    ],
)
def test_integer_division(operator: str, expected: list[int]) -> None:
    left, right = col(I64, [7, -7, 7, -7]), col(I64, [2, 2, -2, -2])
    assert values(binary(operator, left, right, dtype("INT64"))) == expected


def test_integer_division_by_zero_is_no_error_but_any_value() -> None:
    found = values(binary("DIV", col(I64, [7, None]), col(I64, [0, 0]), dtype("INT64")))
    assert found == [-1, None]


def test_float_division_by_zero() -> None:
    found = values(binary("DIV", col(F64, [1.0, -1.0, 0.0]), scalar(F64, 0.0), dtype("FLOAT64")))
    assert found[:2] == [math.inf, -math.inf]
    assert math.isnan(found[2])
    assert values(binary("TRUE_DIV", col(I64, [1]), col(I64, [4]), dtype("FLOAT64"))) == [0.25]


def test_sliced_operands() -> None:
    left, right = col(I64, [9, 1, None, 3], 1), col(I64, [9, 9, 10, 20, 30], 2)
    assert values(binary("ADD", left, right, dtype("INT64"))) == [11, None, 33]


def test_shifts_and_bits() -> None:
    left = col(I64, [1, -8])
    assert values(binary("SHIFT_LEFT", left, col(I64, [3, 1]), dtype("INT64"))) == [8, -16]
    assert values(binary("SHIFT_RIGHT", left, col(I64, [1, 1]), dtype("INT64"))) == [0, -4]
    assert values(binary("SHIFT_RIGHT_UNSIGNED", left, col(I64, [1, 1]), dtype("INT64")))[1] == 2**63 - 4
    assert values(binary("BITWISE_XOR", left, col(I64, [3, 0]), dtype("INT64"))) == [2, -8]


def test_comparisons_of_signed_and_unsigned_follow_c() -> None:
    found = binary("LESS", col(I64, [-1]), col(pa.uint64(), [1]), dtype("BOOL8"))
    assert values(found) == [False]


def test_nan_compares_as_in_ieee_and_null_equals_is_never_null() -> None:
    left, right = col(F64, [math.nan, 0.0, None, None]), col(F64, [math.nan, -0.0, None, 1.0])
    assert values(binary("EQUAL", left, right, dtype("BOOL8"))) == [False, True, None, None]
    assert values(binary("NULL_EQUALS", left, right, dtype("BOOL8"))) == [False, True, True, False]
    assert values(binary("NULL_NOT_EQUALS", left, right, dtype("BOOL8"))) == [True, False, False, True]


def test_strings_compare_by_bytes() -> None:
    left, right = col(TEXT, ["a", "Z", "é", None]), col(TEXT, ["b", "a", "z", "a"])
    assert values(binary("LESS", left, right, dtype("BOOL8"))) == [True, True, False, None]


def test_three_valued_logic_only_in_the_null_forms() -> None:
    left, right = col(BOOL, [True, False, None, None]), col(BOOL, [None, None, False, True])
    out = dtype("BOOL8")
    assert values(binary("LOGICAL_AND", left, right, out)) == [None] * 4
    assert values(binary("NULL_LOGICAL_AND", left, right, out)) == [None, False, False, None]
    assert values(binary("NULL_LOGICAL_OR", left, right, out)) == [True, None, None, True]


def test_null_max_takes_the_other_operand() -> None:
    left, right = col(I64, [1, None, 5, None]), col(I64, [3, 4, None, None])
    assert values(binary("NULL_MAX", left, right, dtype("INT64"))) == [3, 4, 5, None]
    assert values(binary("NULL_MIN", left, right, dtype("INT64"))) == [1, 4, 5, None]


CENTS = pa.decimal64(18, 2)


def test_decimals_keep_their_scale_or_take_the_declared_one() -> None:
    left = col(CENTS, [D("1.25"), D("-7.00"), None])
    assert values(binary("ADD", left, left, dtype("DECIMAL64", 2))) == [D("2.50"), D("-14.00"), None]
    assert values(binary("MUL", left, left, dtype("DECIMAL64", 4))) == [D("1.5625"), D("49.0000"), None]
    # A smaller scale cuts digits off, it does not round.
    assert values(binary("MUL", left, left, dtype("DECIMAL64", 2))) == [D("1.56"), D("49.00"), None]
    assert values(binary("DIV", left, left, dtype("DECIMAL64", 0))) == [D("1"), D("1"), None]
    assert values(binary("LESS", left, scalar(CENTS, D("0.00")), dtype("BOOL8"))) == [False, True, None]


def test_scales_that_differ_meet_at_the_finer() -> None:
    coarse, fine = col(pa.decimal128(38, 2), [D("1.25")]), col(pa.decimal128(38, 4), [D("0.0001")])
    assert values(binary("ADD", coarse, fine, dtype("DECIMAL128", 4))) == [D("1.2501")]
    assert values(binary("GREATER", coarse, fine, dtype("BOOL8"))) == [True]


def test_decimals_wrap_in_their_width() -> None:
    large = col(pa.decimal64(18, 0), [D(10**18 - 1)])
    wrapped = ((10**18 - 1) ** 2 + 2**63) % 2**64 - 2**63
    found = binary("MUL", large, large, dtype("DECIMAL64", 0))
    import pylibcudf as plc

    assert values(plc.unary.bit_cast(found, dtype("INT64"))) == [wrapped]
    wide = plc.unary.cast(large, dtype("DECIMAL128", 0))
    assert values(binary("MUL", wide, wide, dtype("DECIMAL128", 0))) == [D((10**18 - 1) ** 2)]


def test_decimals_of_two_widths_do_not_meet() -> None:
    left, right = col(CENTS, [D("1.00")]), col(pa.decimal128(38, 2), [D("1.00")])
    with pytest.raises(TypeError, match=r"Unsupported operator|decimal type"):
        binary("ADD", left, right, dtype("DECIMAL128", 2))
    with pytest.raises(TypeError):
        binary("DIV", left, left, dtype("FLOAT64"))


def test_casts_of_floats() -> None:
    floats = col(F64, [2.9, -2.9, math.nan, 1e300, -1e300, None])
    assert cast(floats, dtype("INT64")) == [2, -2, 0, MAX, MIN, None]
    assert cast(col(F64, [1.009, -0.019, None]), dtype("DECIMAL64", 2)) == [D("1.00"), D("-0.01"), None]
    # Cut, but what is nearest to a decimal is that decimal.
    assert cast(col(F64, [0.29, -1.15, 1.005, 1e17]), dtype("DECIMAL128", 2)) == [
        *(D("0.29"), D("-1.15"), D("1.00"), D("100000000000000000.00"))
    ]
    assert cast(col(F64, [0.0, 0.5, None]), dtype("BOOL8")) == [False, True, None]


def test_casts_of_integers_wrap() -> None:
    assert cast(col(I64, [300, -1, None]), dtype("INT8")) == [44, -1, None]
    assert cast(col(I64, [-1]), dtype("UINT64")) == [2**64 - 1]


def test_casts_of_decimals() -> None:
    cents = col(CENTS, [D("1.29"), D("-1.29"), None])
    assert cast(cents, dtype("DECIMAL64", 1)) == [D("1.2"), D("-1.2"), None]
    assert cast(cents, dtype("DECIMAL128", 4)) == [D("1.2900"), D("-1.2900"), None]
    assert cast(cents, dtype("FLOAT64")) == [1.29, -1.29, None]
    assert cast(cents, dtype("INT64")) == [1, -1, None]


def test_casts_of_times_go_to_the_day_they_lie_in() -> None:
    import datetime

    stamps = col(pa.timestamp("us"), [-1, 86_400_000_000, None])
    assert cast(stamps, dtype("TIMESTAMP_DAYS")) == [
        datetime.date(1969, 12, 31),
        datetime.date(1970, 1, 2),
        None,
    ]
    with pytest.raises(RuntimeError, match="convertible"):
        cast(stamps, dtype("INT64"))


def test_bits_of_one_type_as_another() -> None:
    import pylibcudf as plc

    sliced = col(I64, [9, 125, None, -7], 1)
    assert values(plc.unary.bit_cast(sliced, dtype("DECIMAL64", 2))) == [D("1.25"), None, D("-0.07")]
    assert values(plc.unary.bit_cast(col(F64, [1.0]), dtype("INT64"))) == [0x3FF0000000000000]
    with pytest.raises(RuntimeError):
        plc.unary.bit_cast(sliced, dtype("INT32"))


def test_unary_operators() -> None:
    assert values(unary("NOT", col(BOOL, [True, None, False]))) == [False, None, True]
    assert values(unary("ABS", col(I64, [-3, MIN, None]))) == [3, MIN, None]
    assert values(unary("RINT", col(F64, [0.5, 1.5, -2.5]))) == [0.0, 2.0, -2.0]
    cents = col(CENTS, [D("1.20"), D("-1.20"), None])
    assert values(unary("CEIL", cents)) == [D("2.00"), D("-1.00"), None]
    assert values(unary("FLOOR", cents)) == [D("1.00"), D("-2.00"), None]
    with pytest.raises(TypeError):
        unary("NEGATE", col(pa.uint8(), [1]))
    with pytest.raises(TypeError):
        unary("SQRT", col(TEXT, ["a"]))


def test_rounding() -> None:
    import pylibcudf as plc

    up, even = plc.round.RoundingMethod.HALF_UP, plc.round.RoundingMethod.HALF_EVEN
    halves = col(F64, [0.5, 1.5, 2.5, -0.5, None])
    assert values(plc.round.round(halves, 0, up)) == [1.0, 2.0, 3.0, -1.0, None]
    assert values(plc.round.round(halves, 0, even)) == [0.0, 2.0, 2.0, -0.0, None]
    assert values(plc.round.round(col(I64, [15, 25, -15, 14]), -1, up)) == [20, 30, -20, 10]
    assert values(plc.round.round(col(I64, [15, 25, -15, 14]), -1, even)) == [20, 20, -20, 10]
    cents = col(CENTS, [D("1.25"), D("-1.35"), None])
    found = plc.round.round_decimal(cents, 1, up)
    assert found.type() == dtype("DECIMAL64", 1)
    assert values(found) == [D("1.3"), D("-1.4"), None]
    assert values(plc.round.round_decimal(cents, 1, even)) == [D("1.2"), D("-1.4"), None]


def test_expressions() -> None:
    import pylibcudf as plc

    e = plc.expressions
    a, b = e.ColumnReference(0), e.ColumnReference(1)
    rows = table(col(I64, [MAX, None, 3]), col(I64, [1, 2, None]))
    add = e.Operation(e.ASTOperator.ADD, a, b)
    assert values(plc.transform.compute_column(rows, add)) == [MIN, None, None]
    same = e.Operation(e.ASTOperator.NULL_EQUAL, a, e.Literal(scalar(I64, None)))
    assert values(plc.transform.compute_column(rows, same)) == [False, True, False]
    with pytest.raises(RuntimeError, match="non-matching"):
        plc.transform.compute_column(rows, e.Operation(e.ASTOperator.ADD, a, e.Literal(scalar(F64, 1.0))))
    with pytest.raises(IndexError):
        plc.transform.compute_column(rows, e.ColumnReference(2))
    wide = table(
        col(pa.decimal128(38, 2), [D("1.00"), None]), col(pa.decimal128(38, 2), [D("2.00"), D("0.00")])
    )
    less = e.Operation(e.ASTOperator.LESS, a, b)
    assert values(plc.transform.compute_column(wide, less)) == [True, None]
    with pytest.raises(TypeError, match="DECIMAL128"):
        plc.transform.compute_column(wide, add)


def test_deep_expressions_need_no_recursion() -> None:
    import pylibcudf as plc

    e = plc.expressions
    deep = e.ColumnReference(0)
    for _ in range(3000):
        deep = e.Operation(e.ASTOperator.ADD, deep, e.ColumnReference(0))
    assert values(plc.transform.compute_column(table(col(I64, [1, None])), deep)) == [3001, None]
