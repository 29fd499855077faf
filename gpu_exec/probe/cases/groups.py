"""Grouped and whole-column aggregation, scans, distinct rows, quantiles."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case, Order
from ..forms import Form, call, column, dtype, method, name, scalar, table
from ..samples import DECIMAL64, FLOATS, INTEGERS, VALUES, label

_D = decimal.Decimal
_I64, _F64 = pa.int64(), pa.float64()
_NAN = math.nan
_KEYS = column(_I64, [1, 2, None, 1, 2, None, 3])
_INCLUDE, _EXCLUDE = name("types.NullPolicy.INCLUDE"), name("types.NullPolicy.EXCLUDE")
_SORTED = name("types.Sorted.YES")
_EQUAL, _UNEQUAL = name("types.NullEquality.EQUAL"), name("types.NullEquality.UNEQUAL")
_NANS_EQUAL, _NANS_UNEQUAL = name("types.NanEquality.ALL_EQUAL"), name("types.NanEquality.UNEQUAL")

AGGREGATIONS: dict[str, Form] = {
    "sum": call("aggregation.sum"),
    "min": call("aggregation.min"),
    "max": call("aggregation.max"),
    "mean": call("aggregation.mean"),
    "count_valid": call("aggregation.count", _EXCLUDE),
    "count_all": call("aggregation.count", _INCLUDE),
    "product": call("aggregation.product"),
    "sum_of_squares": call("aggregation.sum_of_squares"),
    "var": call("aggregation.variance", 1),
    "var_pop": call("aggregation.variance", 0),
    "std": call("aggregation.std", 1),
    "median": call("aggregation.median"),
    "quantile": call("aggregation.quantile", [0.25], name("types.Interpolation.LINEAR")),
    "nunique": call("aggregation.nunique", _EXCLUDE),
    "nunique_with_nulls": call("aggregation.nunique", _INCLUDE),
    "first": call("aggregation.nth_element", 0, _INCLUDE),
    "first_valid": call("aggregation.nth_element", 0, _EXCLUDE),
    "last": call("aggregation.nth_element", -1, _INCLUDE),
    "argmin": call("aggregation.argmin"),
    "argmax": call("aggregation.argmax"),
    "collect_list": call("aggregation.collect_list", _INCLUDE),
    "collect_list_valid": call("aggregation.collect_list", _EXCLUDE),
    "collect_set": call("aggregation.collect_set", _EXCLUDE),
    "m2": call("aggregation.m2"),
}
_OF_TYPES = ("sum", "min", "max", "mean", "count_valid")


def grouped(keys: Form, values: Form, aggregation: Form, nulls: Form = _INCLUDE) -> Form:
    """Keys and results of one aggregation."""
    request = call("groupby.GroupByRequest", values, [aggregation])
    return method(call("groupby.GroupBy", keys, nulls), "aggregate", [request])


def cases() -> Iterator[Case]:
    yield from _groups()
    yield from _keys()
    yield from _reductions()
    yield from _scans()
    yield from _windows()
    yield from _distinct()


def _groups() -> Iterator[Case]:
    keys = table(_KEYS)
    for title, aggregation in AGGREGATIONS.items():
        for kind in (_I64, _F64):
            form = grouped(keys, column(kind, [1, None, 3, 4, None, 6, None]), aggregation)
            yield Case(f"group/{title}/{label(kind)}", form, Order.ROWS)
    for kind in (
        *INTEGERS,
        *FLOATS,
        pa.bool_(),
        pa.string(),
        pa.date32(),
        pa.timestamp("us"),
        pa.decimal128(38, 2),
    ):
        for title in _OF_TYPES:
            form = grouped(keys, samples.with_nulls(kind), AGGREGATIONS[title])
            yield Case(f"group/{title}/{label(kind)}/odd", form, Order.ROWS)
    large = column(DECIMAL64, [_D("9999999999999999.99")] * 6 + [None])
    for title in ("sum", "mean", "min", "var"):
        yield Case(f"group/{title}/decimal64/overflow", grouped(keys, large, AGGREGATIONS[title]), Order.ROWS)
    wide = column(pa.decimal128(38, 2), [_D("9" * 36 + ".99")] * 7)
    yield Case("group/sum/decimal128/overflow", grouped(keys, wide, AGGREGATIONS["sum"]), Order.ROWS)
    for title in ("sum", "min", "count_valid", "mean", "collect_list"):
        form = grouped(table(column(_I64, [])), column(_I64, []), AGGREGATIONS[title])
        yield Case(f"group/{title}/no_rows", form, Order.ROWS)
        form = grouped(keys, column(_I64, [None] * 7), AGGREGATIONS[title])
        yield Case(f"group/{title}/all_null", form, Order.ROWS)
    several = [AGGREGATIONS[title] for title in ("sum", "min", "count_valid")]
    request = call("groupby.GroupByRequest", column(_I64, [1, 2, 3, 4, 5, 6, 7]), several)
    again = call("groupby.GroupByRequest", column(_F64, [1, 2, 3, 4, 5, 6, 7]), several[:1])
    form = method(call("groupby.GroupBy", keys, _INCLUDE), "aggregate", [request, again])
    yield Case("group/several", form, Order.ROWS)
    form = method(
        call("groupby.GroupBy", keys, _INCLUDE), "get_groups", table(samples.with_nulls(pa.string()))
    )
    yield Case("group/get_groups", form)


def _keys() -> Iterator[Case]:
    count = AGGREGATIONS["count_all"]
    values = column(_I64, [1] * 7)
    for kind in VALUES:
        yield Case(
            f"group/keys/{label(kind)}", grouped(table(samples.with_nulls(kind)), values, count), Order.ROWS
        )
    excluded = grouped(table(_KEYS), values, count, _EXCLUDE)
    yield Case("group/keys/nulls_excluded", excluded, Order.ROWS)
    two = table(_KEYS, samples.with_nulls(pa.string()))
    yield Case("group/keys/two", grouped(two, values, count), Order.ROWS)
    nans = column(_F64, [_NAN, _NAN, 0.0, -0.0, None, None, 1.0])
    yield Case("group/keys/nan_and_zero", grouped(table(nans), values, count), Order.ROWS)
    sliced = table(column(_I64, [1, None, 1, 2, None], 1))
    yield Case(
        "group/keys/sliced",
        grouped(sliced, column(_I64, [1, 2, 3, 4, 5], 1), AGGREGATIONS["sum"]),
        Order.ROWS,
    )


def _reductions() -> Iterator[Case]:
    outputs = {_I64: "INT64", _F64: "FLOAT64"}
    for kind, output in outputs.items():
        for pattern, values in samples.patterns(kind, [3, 1, 4, 1, 5, 9, 2]):
            for title in ("sum", "min", "max", "product"):
                form = call("reduce.reduce", values, AGGREGATIONS[title], dtype(output))
                yield Case(f"reduce/{title}/{label(kind)}/{pattern}", form)
            for title in ("mean", "var"):
                form = call("reduce.reduce", values, AGGREGATIONS[title], dtype("FLOAT64"))
                yield Case(f"reduce/{title}/{label(kind)}/{pattern}", form)
    for kind in samples.INTEGERS:
        # As a join's build asks for the range of its keys.
        for title in ("min", "max"):
            form = call(
                "reduce.reduce", samples.with_nulls(kind), AGGREGATIONS[title], dtype(str(kind).upper())
            )
            yield Case(f"reduce/{title}/{label(kind)}/extremes", form)
    odd = samples.full(_F64)
    for title in ("min", "max", "sum"):
        yield Case(
            f"reduce/{title}/float64/nan", call("reduce.reduce", odd, AGGREGATIONS[title], dtype("FLOAT64"))
        )
        text = call("reduce.reduce", samples.with_nulls(pa.string()), AGGREGATIONS[title], dtype("STRING"))
        yield Case(f"reduce/{title}/string", text)
    largest = column(_I64, [2**63 - 1, 1, None])
    yield Case(
        "reduce/sum/int64/overflow", call("reduce.reduce", largest, AGGREGATIONS["sum"], dtype("INT64"))
    )
    cents = column(DECIMAL64, [_D("1.25"), None, _D("2.50")])
    for kind in ("DECIMAL64", "DECIMAL128"):
        form = call("reduce.reduce", cents, AGGREGATIONS["sum"], dtype(kind, 2))
        yield Case(f"reduce/sum/decimal64/to_{kind}", form)
    booleans = column(pa.bool_(), [True, None, False])
    for title in ("any", "all"):
        yield Case(
            f"reduce/{title}", call("reduce.reduce", booleans, call(f"aggregation.{title}"), dtype("BOOL8"))
        )
    yield Case("reduce/minmax", call("reduce.minmax", samples.with_nulls(_I64)))
    valid, ignored = name("types.NanPolicy.NAN_IS_VALID"), _EXCLUDE
    yield Case(
        "reduce/distinct_count", call("reduce.distinct_count", samples.with_nulls(_F64), ignored, valid)
    )


def _scans() -> Iterator[Case]:
    values = column(_I64, [3, None, 4, 1, 5, 9, 2])
    for title in ("sum", "min", "max"):
        form = call("reduce.scan", values, AGGREGATIONS[title], name("reduce.ScanType.INCLUSIVE"))
        yield Case(f"scan/{title}", form)
        grouping = call("groupby.GroupBy", table(_KEYS), _INCLUDE)
        request = call("groupby.GroupByRequest", values, [AGGREGATIONS[title]])
        yield Case(f"scan/grouped/{title}", method(grouping, "scan", [request]), Order.ROWS)
    for how in ("FIRST", "MIN", "DENSE", "AVERAGE"):
        ascending, after = name("types.Order.ASCENDING"), name("types.NullOrder.AFTER")
        form = call(
            "sorting.rank", values, name(f"aggregation.RankMethod.{how}"), ascending, _INCLUDE, after, False
        )
        yield Case(f"scan/rank/{how}", form)
    for title in ("sum", "min", "count_valid"):
        yield Case(
            f"scan/rolling/{title}", call("rolling.rolling_window", values, 2, 1, 1, AGGREGATIONS[title])
        )


def _windows() -> Iterator[Case]:
    """What window functions are made of."""
    inclusive, sum_ = name("reduce.ScanType.INCLUSIVE"), AGGREGATIONS["sum"]
    yield Case("scan/sum/int32", call("reduce.scan", column(pa.int32(), [1, 0, 1, 1]), sum_, inclusive))
    whole = column(pa.decimal128(38, 0), [_D(10**37), _D(-(10**19)), _D(3), _D(9 * 10**37)])
    yield Case("scan/sum/decimal128", call("reduce.scan", whole, sum_, inclusive))
    yield Case("scan/sum/no_rows", call("reduce.scan", column(_I64, []), sum_, inclusive))
    # Sorted keys: rows stay where they are.
    sorted_ = call("groupby.GroupBy", table(column(pa.int32(), [0, 0, 1, 1, 1, 2, 3])), _INCLUDE, _SORTED)
    numbers = {_I64: [3, 5, 4, 1, 5, 9, 2], _F64: [0.5, -1.5, 1e300, _NAN, 2.0, math.inf, -0.0]}
    for kind, values in numbers.items():
        for title in ("sum", "min", "max", "product"):
            request = call("groupby.GroupByRequest", column(kind, values), [AGGREGATIONS[title]])
            yield Case(f"scan/sorted_keys/{title}/{label(kind)}", method(sorted_, "scan", [request]))
    for kind in (pa.int32(), _I64):
        left, right = column(kind, [3, None, -4, None]), column(kind, [1, 7, None, None])
        for how in ("NULL_MIN", "NULL_MAX"):
            operator = name(f"binaryop.BinaryOperator.{how}")
            form = call("binaryop.binary_operation", left, right, operator, dtype(label(kind).upper()))
            yield Case(f"window/{how}/{label(kind)}", form)
    for kind in VALUES:
        after, before = column(kind, VALUES[kind], 1), column(kind, [*VALUES[kind][1:], None], 1)
        operator = name("binaryop.BinaryOperator.NULL_NOT_EQUALS")
        form = call("binaryop.binary_operation", after, before, operator, dtype("BOOL8"))
        yield Case(f"window/changes/{label(kind)}", form)
    order = column(pa.int32(), [2, 0, 3, 1])
    rows = table(column(pa.int32(), [0, 1, 2, 3]))
    yield Case("window/inverse", call("copying.scatter", rows, order, rows))
    yield Case("window/backwards", call("filling.sequence", 4, scalar(pa.int32(), 3), scalar(pa.int32(), -1)))
    sizes = column(pa.int32(), [2, 0, 3, 1])
    yield Case("window/longest", call("reduce.reduce", sizes, AGGREGATIONS["max"], dtype("INT32")))


def _distinct() -> Iterator[Case]:
    first, anyone = (name(f"stream_compaction.DuplicateKeepOption.KEEP_{k}") for k in ("FIRST", "ANY"))
    nans = table(column(_F64, [_NAN, None, 0.0, -0.0, _NAN, None, 1.0]))
    for nulls_title, nulls in (("null_equal", _EQUAL), ("null_unequal", _UNEQUAL)):
        for nans_title, equality in (("nan_equal", _NANS_EQUAL), ("nan_unequal", _NANS_UNEQUAL)):
            title = f"{nulls_title}/{nans_title}"
            form = call("stream_compaction.distinct", nans, [0], first, nulls, equality)
            yield Case(f"distinct/{title}", form, Order.ROWS)
            form = call("stream_compaction.stable_distinct", nans, [0], first, nulls, equality)
            yield Case(f"distinct/stable/{title}", form)
    rows = table(_KEYS, samples.with_nulls(pa.string()))
    indices = call("stream_compaction.distinct_indices", rows, first, _EQUAL, _NANS_EQUAL)
    yield Case("distinct/indices", indices, Order.ROWS)
    form = call("stream_compaction.distinct", rows, [0], anyone, _EQUAL, _NANS_EQUAL)
    yield Case("distinct/any", form, Order.NONE)
    yield Case(
        "distinct/no_rows",
        call("stream_compaction.stable_distinct", table(column(_I64, [])), [0], first, _EQUAL, _NANS_EQUAL),
    )
    numbers = column(_F64, [3.0, 1.0, None, 2.0])
    for how in ("LINEAR", "LOWER", "NEAREST"):
        form = call("quantiles.quantile", numbers, [0.0, 0.25, 0.5, 1.0], name(f"types.Interpolation.{how}"))
        yield Case(f"quantile/{how}", form)
