"""Groups, reductions, running aggregates and joins on the double, against values worked out by hand."""

from __future__ import annotations

import decimal
import math
from typing import Any

import pyarrow as pa
import pytest
from doubles.testing import col, dtype, rows, scalar, table, values

D = decimal.Decimal
I32, I64, F64, BOOL, TEXT = pa.int32(), pa.int64(), pa.float64(), pa.bool_(), pa.string()
MAX, MIN = 2**63 - 1, -(2**63)
NO_ROW = -(2**31)
pytestmark = pytest.mark.usefixtures("device")


def aggregations() -> Any:
    import pylibcudf as plc

    return plc.aggregation


def grouped(keys: Any, of: Any, *aggs: Any, exclude: bool = False) -> dict[Any, Any]:
    """Aggregates by key; more than one as a tuple."""
    import pylibcudf as plc

    policy = plc.types.NullPolicy.EXCLUDE if exclude else plc.types.NullPolicy.INCLUDE
    groups = plc.groupby.GroupBy(table(keys), policy)
    found, results = groups.aggregate([plc.groupby.GroupByRequest(of, list(aggs))])
    names = [key for (key,) in values(found)]
    cells = values(results[0])
    return dict(zip(names, [c[0] if len(c) == 1 else c for c in cells], strict=True))


KEYS = [1, 2, None, 1, 2, None, 3]


def test_aggregates_skip_nulls() -> None:
    a = aggregations()
    of = col(I64, [1, None, 3, 4, None, 6, None])
    keys = col(I64, KEYS)
    assert grouped(keys, of, a.sum()) == {1: 5, 2: None, None: 9, 3: None}
    assert grouped(keys, of, a.min(), a.max()) == {1: (1, 4), 2: (None, None), None: (3, 6), 3: (None, None)}
    assert grouped(keys, of, a.mean()) == {1: 2.5, 2: None, None: 4.5, 3: None}
    assert grouped(keys, of, a.sum(), exclude=True) == {1: 5, 2: None, 3: None}


def test_counts() -> None:
    import pylibcudf as plc

    a, policy = aggregations(), plc.types.NullPolicy
    of = col(TEXT, ["a", None, "b", "a", None, "b", None])
    found = grouped(
        col(I64, KEYS), of, a.count(policy.EXCLUDE), a.count(policy.INCLUDE), a.nunique(policy.INCLUDE)
    )
    assert found == {1: (2, 2, 1), 2: (0, 2, 1), None: (2, 2, 1), 3: (0, 1, 1)}


def test_group_keys_meet_nan_with_nan_and_zero_with_zero() -> None:
    import pylibcudf as plc

    a, policy = aggregations(), plc.types.NullPolicy
    keys = col(F64, [math.nan, -math.nan, 0.0, -0.0, None, 1.0])
    found = grouped(keys, col(I64, [1] * 6), a.count(policy.INCLUDE))
    assert sorted(found.values()) == [1, 1, 2, 2]


def test_groups_come_in_no_order() -> None:
    found = list(grouped(col(I64, list(range(20))), col(I64, [1] * 20), aggregations().sum()))
    assert sorted(found) == list(range(20))
    assert found != list(range(20))


def test_sorted_keys_keep_their_order() -> None:
    import pylibcudf as plc

    keys = table(col(I64, [1, 1, 2, 3, 3]))
    groups = plc.groupby.GroupBy(keys, plc.types.NullPolicy.INCLUDE, plc.types.Sorted.YES)
    found, results = groups.aggregate(
        [plc.groupby.GroupByRequest(col(I64, [1, 2, 3, 4, 5]), [aggregations().sum()])]
    )
    assert (values(found), values(results[0])) == ([(1,), (2,), (3,)], [(3,), (3,), (9,)])


def test_sums_keep_the_type_of_decimals_and_wrap() -> None:
    import pylibcudf as plc

    a = aggregations()
    one = col(I64, [1] * 10)
    large = col(pa.decimal64(18, 0), [D(10**18 - 1)] * 10)
    groups = plc.groupby.GroupBy(table(one))
    _, results = groups.aggregate([plc.groupby.GroupByRequest(large, [a.sum()])])
    total = results[0].columns()[0]
    assert total.type() == dtype("DECIMAL64", 0)
    assert values(plc.unary.bit_cast(total, dtype("INT64"))) == [(10**19 - 10 + 2**63) % 2**64 - 2**63]
    wide = plc.unary.cast(large, dtype("DECIMAL128", 0))
    assert grouped(one, wide, a.sum()) == {1: D(10**19 - 10)}
    assert grouped(col(I64, [1, 1]), col(I64, [MAX, 1]), a.sum()) == {1: MIN}


def test_sums_of_narrow_integers_are_64_bits_wide() -> None:
    a = aggregations()
    found = grouped(col(I64, [1, 1]), col(pa.int8(), [127, 127]), a.sum())
    assert found == {1: 254}
    assert grouped(col(I64, [1, 1]), col(BOOL, [True, True]), a.sum()) == {1: 2}


def test_variance_needs_values() -> None:
    a = aggregations()
    of = col(F64, [1.0, 3.0, 5.0])
    assert grouped(col(I64, [1, 1, 2]), of, a.variance(1)) == {1: 2.0, 2: None}
    assert grouped(col(I64, [1, 1, 2]), of, a.variance(0)) == {1: 1.0, 2: 0.0}
    with pytest.raises(RuntimeError, match="numeric"):
        grouped(col(I64, [1]), col(pa.decimal64(9, 2), [D("1.00")]), a.std())


def test_nth_elements_follow_the_rows() -> None:
    import pylibcudf as plc

    a, policy = aggregations(), plc.types.NullPolicy
    keys, of = col(I64, [1, 2, 1, 2, 1]), col(TEXT, [None, "b", "c", None, "e"])
    assert grouped(keys, of, a.nth_element(0, policy.INCLUDE)) == {1: None, 2: "b"}
    assert grouped(keys, of, a.nth_element(0, policy.EXCLUDE)) == {1: "c", 2: "b"}
    assert grouped(keys, of, a.nth_element(-1, policy.INCLUDE)) == {1: "e", 2: None}
    assert grouped(keys, of, a.nth_element(2, policy.INCLUDE)) == {1: "e", 2: None}


def test_collected_lists() -> None:
    import pylibcudf as plc

    a, policy = aggregations(), plc.types.NullPolicy
    keys, of = col(I64, [1, 2, 1, 1]), col(I64, [5, None, None, 5])
    assert grouped(keys, of, a.collect_list(policy.INCLUDE)) == {1: [5, None, 5], 2: [None]}
    assert grouped(keys, of, a.collect_list(policy.EXCLUDE)) == {1: [5, 5], 2: []}
    assert grouped(keys, of, a.collect_set(policy.EXCLUDE)) == {1: [5], 2: []}


def test_extremes_of_strings_and_where_they_are() -> None:
    a = aggregations()
    keys, of = col(I64, [1, 1, 2, 2]), col(TEXT, ["b", "a", None, "é"])
    assert grouped(keys, of, a.min(), a.max()) == {1: ("a", "b"), 2: ("é", "é")}
    assert grouped(keys, of, a.argmin()) == {1: 1, 2: 3}
    with pytest.raises(RuntimeError, match="Invalid type/aggregation"):
        grouped(keys, of, a.sum())


def test_a_nan_among_the_values_may_come_out_or_not() -> None:
    a = aggregations()
    found = grouped(col(I64, [1, 1, 2, 2, 2]), col(F64, [math.nan, 1.0, math.nan, 1.0, 2.0]), a.min())
    assert found[1] == 1.0
    assert math.isnan(found[2])


def test_groups_of_no_rows() -> None:
    a = aggregations()
    assert grouped(col(I64, []), col(I64, []), a.sum(), a.mean(), a.collect_list()) == {}
    assert grouped(col(TEXT, [None]), col(I64, [1]), a.sum(), exclude=True) == {}


def test_unsupported_aggregations_are_refused() -> None:
    a = aggregations()
    with pytest.raises(NotImplementedError, match="groupby"):
        grouped(col(I64, [1]), col(BOOL, [True]), a.any())
    with pytest.raises(RuntimeError, match="Size mismatch"):
        grouped(col(I64, [1]), col(I64, [1, 2]), a.sum())


def test_running_aggregates_within_groups() -> None:
    import pylibcudf as plc

    a = aggregations()
    groups = plc.groupby.GroupBy(table(col(I64, [1, 2, 1, 2, 1])), plc.types.NullPolicy.INCLUDE)
    of = col(I64, [1, 10, 2, None, 4])
    found, results = groups.scan([plc.groupby.GroupByRequest(of, [a.sum(), a.max()])])
    pairs = list(zip(values(found), values(results[0]), strict=True))
    assert [row for (key,), row in pairs if key == 1] == [(1, 1), (3, 2), (7, 4)]
    assert [row for (key,), row in pairs if key == 2] == [(10, 10), (None, None)]


def test_group_offsets_are_those_of_sorted_keys() -> None:
    import pylibcudf as plc

    groups = plc.groupby.GroupBy(table(col(I64, [2, 1, 2])), plc.types.NullPolicy.INCLUDE)
    offsets, keys, of = groups.get_groups(table(col(TEXT, ["a", "b", "c"])))
    assert (offsets, values(keys), values(of)) == ([0, 1, 3], [(1,), (2,), (2,)], [("b",), ("a",), ("c",)])


def reduce(of: Any, agg: Any, out: Any) -> Any:
    import pylibcudf as plc

    return plc.reduce.reduce(of, agg, out).to_arrow().as_py()


def test_reductions() -> None:
    a = aggregations()
    of = col(I64, [9, 3, None, 4], 1)
    assert reduce(of, a.sum(), dtype("INT64")) == 7
    assert reduce(of, a.min(), dtype("INT64")) == 3
    assert reduce(of, a.mean(), dtype("FLOAT64")) == 3.5
    assert reduce(of, a.sum(), dtype("FLOAT64")) == 7.0
    assert reduce(col(I64, [MAX, 1]), a.sum(), dtype("INT64")) == MIN
    assert reduce(col(I64, [None, None]), a.sum(), dtype("INT64")) is None
    assert reduce(col(I64, []), a.max(), dtype("INT64")) is None
    assert reduce(col(BOOL, [True, None, False]), a.any(), dtype("BOOL8")) is True
    assert reduce(col(TEXT, ["b", "a"]), a.min(), dtype("STRING")) == "a"


def test_a_reduction_of_decimals_keeps_their_type() -> None:
    a = aggregations()
    cents = col(pa.decimal64(18, 2), [D("1.25"), None, D("2.50")])
    assert reduce(cents, a.sum(), dtype("DECIMAL64", 2)) == D("3.75")
    with pytest.raises(ValueError, match="output type"):
        reduce(cents, a.sum(), dtype("DECIMAL128", 2))


def test_reductions_check_their_output_type() -> None:
    a = aggregations()
    with pytest.raises(ValueError, match="matching output"):
        reduce(col(I64, [1]), a.min(), dtype("INT32"))
    with pytest.raises(ValueError, match="BOOL8"):
        reduce(col(BOOL, [True]), a.all(), dtype("INT32"))
    with pytest.raises(ValueError, match="floating"):
        reduce(col(I64, [1]), a.mean(), dtype("INT64"))
    with pytest.raises(NotImplementedError):
        reduce(col(I64, [1]), a.m2(), dtype("FLOAT64"))


def test_scans_of_a_column_and_windows() -> None:
    import pylibcudf as plc

    a = aggregations()
    inclusive = plc.reduce.ScanType.INCLUSIVE
    of = col(I64, [3, None, 4, 1])
    assert values(plc.reduce.scan(of, a.sum(), inclusive)) == [3, None, 7, 8]
    assert values(plc.reduce.scan(of, a.min(), inclusive)) == [3, None, 3, 1]
    # Two rows before and the row itself are "2 preceding" less one.
    assert values(plc.rolling.rolling_window(of, 2, 0, 1, a.sum())) == [3, 3, 4, 5]
    assert values(plc.rolling.rolling_window(of, 2, 1, 2, a.max())) == [None, 4, 4, 4]
    begins, ends = col(I32, [1, 2, 3, 4]), col(I32, [0, 0, 0, 0])
    assert values(plc.rolling.rolling_window(of, begins, ends, 1, a.sum())) == [3, 3, 7, 8]


def test_quantiles_of_sorted_rows() -> None:
    import pylibcudf as plc

    how = plc.types.Interpolation
    of = col(F64, [1.0, 2.0, 4.0])
    assert values(plc.quantiles.quantile(of, [0.25, 0.5], how.LINEAR)) == [1.5, 2.0]
    assert values(plc.quantiles.quantile(of, [0.25], how.HIGHER)) == [2.0]
    # Unsorted rows are taken as they stand.
    assert values(plc.quantiles.quantile(col(F64, [4.0, 1.0, 2.0]), [0.0], how.LOWER)) == [4.0]


def test_distinct_counts() -> None:
    import pylibcudf as plc

    count, nulls, nans = plc.reduce.distinct_count, plc.types.NullPolicy, plc.types.NanPolicy
    of = col(F64, [math.nan, math.nan, 0.0, -0.0, None])
    assert count(of, nulls.INCLUDE, nans.NAN_IS_VALID) == 3
    assert count(of, nulls.EXCLUDE, nans.NAN_IS_VALID) == 2
    assert count(of, nulls.EXCLUDE, nans.NAN_IS_NULL) == 1


def join(kind: str, left: Any, right: Any, *, equal: bool = False) -> Any:
    import pylibcudf as plc

    nulls = plc.types.NullEquality.EQUAL if equal else plc.types.NullEquality.UNEQUAL
    found = getattr(plc.join, f"{kind}_join")(left, right, nulls)
    return rows(found) if isinstance(found, tuple) else sorted(values(found))


def test_joins_of_all_kinds() -> None:
    left, right = table(col(I64, [1, 2, 2, None])), table(col(I64, [2, None, 3]))
    assert join("inner", left, right) == [(1, 0), (2, 0)]
    assert join("inner", left, right, equal=True) == [(1, 0), (2, 0), (3, 1)]
    assert join("left", left, right) == [(0, NO_ROW), (1, 0), (2, 0), (3, NO_ROW)]
    assert join("full", left, right) == [(NO_ROW, 1), (NO_ROW, 2), (0, NO_ROW), (1, 0), (2, 0), (3, NO_ROW)]
    assert join("left_semi", left, right) == [1, 2]
    assert join("left_anti", left, right) == [0, 3]
    assert join("left_anti", left, right, equal=True) == [0]


def test_joins_with_nothing_on_a_side() -> None:
    some, none = table(col(TEXT, ["a", None])), table(col(TEXT, []))
    assert join("inner", some, none) == join("inner", none, some) == []
    assert join("left", some, none) == [(0, NO_ROW), (1, NO_ROW)]
    assert join("full", none, some) == [(NO_ROW, 0), (NO_ROW, 1)]
    assert join("left_anti", some, none) == [0, 1]


def test_join_keys_meet_nan_and_zero_and_need_one_type() -> None:
    left = table(col(F64, [9.0, math.nan, 0.0], 1))
    right = table(col(F64, [-0.0, math.nan]))
    assert join("inner", left, right) == [(0, 1), (1, 0)]
    with pytest.raises(TypeError, match="data types"):
        join("inner", table(col(I64, [1])), table(col(I32, [1])))
    with pytest.raises(RuntimeError, match="number of columns"):
        join("inner", table(col(I64, [1])), table(col(I64, [1]), col(I64, [1])))


def test_join_pairs_come_in_no_order() -> None:
    import pylibcudf as plc

    keys = table(col(I64, list(range(30))))
    left, right = plc.join.inner_join(keys, keys, plc.types.NullEquality.EQUAL)
    assert values(left) == values(right)
    assert values(left) != list(range(30))


def test_two_keys_join_on_both() -> None:
    left = table(col(I64, [1, 1, None]), col(TEXT, ["a", "b", "a"]))
    right = table(col(I64, [1, None]), col(TEXT, ["b", "a"]))
    assert join("inner", left, right) == [(1, 0)]
    assert join("inner", left, right, equal=True) == [(1, 0), (2, 1)]


def test_conditional_and_mixed_joins() -> None:
    import pylibcudf as plc

    e = plc.expressions
    less = e.Operation(e.ASTOperator.LESS, e.ColumnReference(0), e.ColumnReference(0, e.TableReference.RIGHT))
    left, right = table(col(I64, [1, 5, None])), table(col(I64, [2, None]))
    assert rows(plc.join.conditional_inner_join(left, right, less)) == [(0, 0)]
    assert rows(plc.join.conditional_left_join(left, right, less)) == [(0, 0), (1, NO_ROW), (2, NO_ROW)]
    assert sorted(values(plc.join.conditional_left_anti_join(left, right, less))) == [1, 2]
    keys = table(col(I64, [7, 7, 7])), table(col(I64, [7, 7]))
    found = plc.join.mixed_full_join(*keys, left, right, less, plc.types.NullEquality.UNEQUAL)
    assert rows(found) == [(NO_ROW, 1), (0, 0), (1, NO_ROW), (2, NO_ROW)]
    with pytest.raises(TypeError, match="boolean"):
        plc.join.conditional_inner_join(left, right, e.Literal(scalar(I64, 1)))


def test_a_prepared_join() -> None:
    import pylibcudf as plc

    built = plc.join.FilteredJoin(table(col(I64, [2, None])), plc.types.NullEquality.UNEQUAL, 0.5)
    left = table(col(I64, [1, 2, None]))
    assert sorted(values(built.semi_join(left))) == [1]
    assert sorted(values(built.anti_join(left))) == [0, 2]
    with pytest.raises(ValueError, match="load factor"):
        plc.join.FilteredJoin(left, plc.types.NullEquality.UNEQUAL, 0.0)


def test_exclusive_sums_lead_and_lag() -> None:
    import pylibcudf as plc

    a = aggregations()
    of = col(I64, [3, None, 4, 1])
    assert values(plc.reduce.scan(of, a.sum(), plc.reduce.ScanType.EXCLUSIVE)) == [0, None, 3, 7]
    assert values(plc.rolling.rolling_window(of, 1, 0, 1, a.lag(1))) == [None, 3, None, 4]
    assert values(plc.rolling.rolling_window(of, 1, 0, 1, a.lead(2))) == [4, 1, None, None]
    assert values(plc.rolling.rolling_window(of, 2, 0, 1, a.row_number())) == [1, 2, 2, 2]
