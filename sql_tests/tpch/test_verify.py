"""The comparison with the oracle finds what is wrong, and only that."""

from datetime import date
from decimal import Decimal

import pyarrow as pa
import pytest
from tandemdb.tpch.verify import LENIENT, Order, Rules, compare


def table(**columns: object) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def test_equal_tables_agree_in_any_row_order() -> None:
    one = table(a=[1, 2, None], b=["x", None, "z"])
    other = table(a=[None, 1, 2], b=["z", "x", None])
    assert compare(one, other) == []


def test_a_wrong_value_is_shown_with_what_stands_in_its_place() -> None:
    found = compare(table(a=[1, 2], b=["x", "y"]), table(a=[1, 2], b=["x", "Y"]))
    assert found == ["rows: missing row (2, y), unexpected row (2, Y)"]


def test_a_duplicate_in_the_place_of_another_row_is_found() -> None:
    assert compare(table(a=[1, 1, 2]), table(a=[1, 2, 2])) == ["rows: missing row (1)"]
    assert compare(table(a=[1, 2, 2]), table(a=[1, 1, 2])) == ["rows: unexpected row (1)"]


def test_row_count_is_reported_first() -> None:
    assert compare(table(a=[1]), table(a=[1, 1])) == ["2 rows, expected 1"]


def test_null_is_not_zero_and_not_nan() -> None:
    nan = float("nan")
    assert compare(table(a=[0.0, 1.0]), table(a=[None, 1.0])) != []
    assert compare(table(a=[nan, 1.0]), table(a=[None, 1.0])) != []
    assert compare(table(a=[nan, None]), table(a=[None, nan])) == []


@pytest.mark.parametrize(
    ("wanted", "got", "differs"),
    [
        (pa.int64(), pa.int32(), True),
        (pa.decimal128(15, 2), pa.decimal128(38, 2), True),
        (pa.decimal128(15, 2), pa.decimal64(15, 2), False),
        (pa.string(), pa.large_string(), False),
        (pa.string(), pa.dictionary(pa.int32(), pa.string()), False),
        (pa.string(), pa.binary(), True),
        (pa.date32(), pa.timestamp("us"), True),
    ],
)
def test_types_are_those_of_sql(wanted: pa.DataType, got: pa.DataType, differs: bool) -> None:
    one = pa.table({"a": pa.array([], type=wanted)})
    other = pa.table({"a": pa.array([], type=got)})
    assert compare(one, other) == ([f"column 'a' is {got}, expected {wanted}"] if differs else [])


def test_names_must_match_but_for_case() -> None:
    assert compare(table(a=[1]), table(A=[1])) == []
    assert compare(table(a=[1]), table(b=[1])) == ["column 1 is named 'b', expected 'a'"]


def test_doubles_agree_within_the_tolerance_and_no_further() -> None:
    one = table(a=[1e15, -1e-15, 0.1])
    assert compare(one, table(a=[1e15 * (1 + 5e-10), -1e-15, 0.1])) == []
    assert compare(one, table(a=[1e15 * (1 + 5e-9), -1e-15, 0.1])) != []
    assert compare(one, table(a=[1e15, 1e-15, 0.1])) != []


def test_doubles_pair_up_although_rounding_swaps_their_order() -> None:
    """Sorted by the first column the rows pair crosswise; only the second tells which belongs to which."""
    one = table(a=[1.0, 1.0 + 1e-12], b=[7.0, 8.0])
    other = table(a=[1.0 + 1e-12, 1.0], b=[7.0, 8.0])
    assert compare(one, other) == []
    assert compare(one, table(a=[1.0 + 1e-12, 1.0], b=[7.0, 9.0])) != []


def test_integers_and_decimals_have_no_tolerance() -> None:
    assert compare(table(a=[10**15]), table(a=[10**15 + 1])) != []
    assert compare(table(a=[Decimal("1e12")]), table(a=[Decimal("1e12") + 1])) != []


def test_order_by_is_respected() -> None:
    one = table(a=[1, 2, 3], b=["x", "y", "z"])
    found = compare(one, table(a=[1, 3, 2], b=["x", "z", "y"]), Order(("a",)))
    assert found == ["row 2: ORDER BY column 'a' is 3, expected 2"]


def test_rows_that_tie_may_come_in_any_order_within_their_tie() -> None:
    one = table(a=[1, 1, 2, 2], b=["w", "x", "y", "z"])
    assert compare(one, table(a=[1, 1, 2, 2], b=["x", "w", "z", "y"]), Order(("a",))) == []
    found = compare(one, table(a=[1, 1, 2, 2], b=["w", "y", "x", "z"]), Order(("a",)))
    assert found == ["rows 1 to 2: missing row (1, x), unexpected row (1, y)"]


def test_rows_tied_at_the_limit_may_be_others_of_the_same_tie() -> None:
    whole = table(a=[1, 2, 2, 2], b=["w", "x", "y", "z"])
    limited = whole.slice(0, 2)
    order = Order(("a",), lambda: whole)
    assert compare(limited, table(a=[1, 2], b=["w", "z"]), order) == []
    assert compare(limited, table(a=[1, 2], b=["w", "q"]), order) == [
        "row 2: missing row (2, x), unexpected row (2, q)"
    ]
    assert compare(limited, table(a=[1, 2], b=["q", "x"]), order) == [
        "row 1: missing row (1, w), unexpected row (1, q)"
    ]


def test_rivals_may_choose_other_number_types_but_not_other_numbers() -> None:
    one = pa.table({"n": pa.array([7], pa.int64()), "d": pa.array([date(2000, 1, 1)])})
    assert compare(one, pa.table({"n": [Decimal("7.00")], "x": [date(2000, 1, 1)]}), rules=LENIENT) == []
    assert compare(one, pa.table({"n": [7.1], "x": [date(2000, 1, 1)]}), rules=LENIENT) != []
    assert compare(one, pa.table({"n": [7], "x": [date(2000, 1, 2)]}), rules=LENIENT) != []


def test_many_equal_exact_rows_are_paired_by_their_sorted_doubles() -> None:
    values = [float(i) for i in range(2000)]
    one = table(k=["k"] * 2000, a=values)
    assert compare(one, table(k=["k"] * 2000, a=values[::-1])) == []
    values[1234] += 0.5
    found = compare(one, table(k=["k"] * 2000, a=values), rules=Rules())
    assert found == ["rows: missing row (k, 1234.0), unexpected row (k, 1234.5)"]
