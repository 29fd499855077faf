"""Rows chosen, moved, ordered and made: filters, gathers, sorts, searches, replacements."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case, Order
from ..forms import Form, call, column, name, scalar, table
from ..samples import VALUES, label

_I64, _F64, _BOOL, _TEXT = pa.int64(), pa.float64(), pa.bool_(), pa.string()
_NAN = math.nan


def _orders(*ascending: bool) -> list[Form]:
    return [name(f"types.Order.{'ASCENDING' if up else 'DESCENDING'}") for up in ascending]


def _nulls(*first: bool) -> list[Form]:
    return [name(f"types.NullOrder.{'BEFORE' if before else 'AFTER'}") for before in first]


def cases() -> Iterator[Case]:
    yield from _filters()
    yield from _gathers()
    yield from _sorts()
    yield from _replacements()


def _filters() -> Iterator[Case]:
    mask = column(_BOOL, [True, None, False, True, True, None, True])
    for kind in VALUES:
        form = call("stream_compaction.apply_retention_mask", table(samples.with_nulls(kind)), mask)
        yield Case(f"filter/{label(kind)}", form)
    sliced = column(_BOOL, [False, True, None, True], 1)
    rows = table(column(_I64, [1, 2, 3, 4], 1), column(_TEXT, ["a", None, "c", "d"], 1))
    yield Case("filter/sliced", call("stream_compaction.apply_retention_mask", rows, sliced))
    none = call("stream_compaction.apply_retention_mask", table(column(_I64, [])), column(_BOOL, []))
    yield Case("filter/no_rows", none)
    wrong = call("stream_compaction.apply_retention_mask", rows, column(_I64, [1, 0, 1]))
    yield Case("filter/mask_of_integers", wrong)
    short = call("stream_compaction.apply_retention_mask", rows, column(_BOOL, [True]))
    yield Case("filter/mask_too_short", short)


def _gathers() -> Iterator[Case]:
    nullify, unchecked = (
        name("copying.OutOfBoundsPolicy.NULLIFY"),
        name("copying.OutOfBoundsPolicy.DONT_CHECK"),
    )
    places = column(pa.int32(), [6, 0, 0, 3])
    outside = column(pa.int32(), [-(2**31), 1, 99, -1])
    for kind in (_I64, _TEXT, _BOOL, pa.decimal128(38, 2)):
        rows = table(samples.with_nulls(kind))
        yield Case(f"gather/{label(kind)}", call("copying.gather", rows, places, unchecked))
        yield Case(f"gather/{label(kind)}/outside", call("copying.gather", rows, outside, nullify))
    rows = table(samples.with_nulls(_I64))
    yield Case("gather/no_places", call("copying.gather", rows, column(pa.int32(), []), unchecked))
    yield Case(
        "gather/from_no_rows",
        call("copying.gather", table(column(_TEXT, [])), column(pa.int32(), [0]), nullify),
    )
    yield Case("gather/int64_places", call("copying.gather", rows, column(_I64, [1, 2]), unchecked))
    yield Case("gather/null_place", call("copying.gather", rows, column(pa.int32(), [1, None]), nullify))
    mask = column(_BOOL, [True, None, False, True, False, None, True])
    other = samples.column(_I64, [10, 20, None, 40, 50, 60, 70])
    values = samples.with_nulls(_I64)
    yield Case("choose/columns", call("copying.copy_if_else", values, other, mask))
    yield Case("choose/scalar_right", call("copying.copy_if_else", values, scalar(_I64, 5), mask))
    yield Case("choose/null_scalar", call("copying.copy_if_else", values, scalar(_I64, None), mask))
    yield Case("choose/scalars", call("copying.copy_if_else", scalar(_I64, 1), scalar(_I64, 2), mask))
    texts = samples.with_nulls(_TEXT)
    yield Case("choose/strings", call("copying.copy_if_else", texts, scalar(_TEXT, "é"), mask))
    yield Case("choose/types_differ", call("copying.copy_if_else", values, samples.full(_F64), mask))
    target = table(column(_I64, [0, 0, None, 0]))
    yield Case(
        "scatter/columns",
        call("copying.scatter", table(column(_I64, [7, None])), column(pa.int32(), [2, 0]), target),
    )
    yield Case(
        "scatter/scalar", call("copying.scatter", [scalar(_I64, 9)], column(pa.int32(), [1, 3]), target)
    )
    yield Case(
        "scatter/mask",
        call(
            "copying.boolean_mask_scatter",
            table(column(_I64, [7])),
            target,
            column(_BOOL, [None, True, False, None]),
        ),
    )
    yield Case("shift/down", call("copying.shift", values, 2, scalar(_I64, None)))
    yield Case("shift/up", call("copying.shift", values, -2, scalar(_I64, 0)))
    yield Case("reverse", call("copying.reverse", table(values)))
    yield Case("element", call("copying.get_element", values, 1))
    yield Case("sequence", call("filling.sequence", 4, scalar(pa.int32(), 3), scalar(pa.int32(), 2)))
    yield Case("sequence/no_rows", call("filling.sequence", 0, scalar(pa.int32(), 0), scalar(pa.int32(), 1)))
    yield Case("repeat/count", call("filling.repeat", table(column(_TEXT, ["a", None])), 2))
    yield Case(
        "repeat/counts", call("filling.repeat", table(column(_TEXT, ["a", None])), column(pa.int32(), [0, 3]))
    )
    yield Case("drop_nulls", call("stream_compaction.drop_nulls", table(values), [0], 1))


def _sorts() -> Iterator[Case]:
    for kind in VALUES:
        rows = table(samples.with_nulls(kind))
        for up in (True, False):
            for before in (True, False):
                title = f"{'ascending' if up else 'descending'}/nulls_{'before' if before else 'after'}"
                form = call("sorting.stable_sorted_order", rows, _orders(up), _nulls(before))
                if kind in (_I64, _F64, _TEXT) or up is not before:
                    yield Case(f"sort/{label(kind)}/{title}", form)
    two = table(column(_I64, [1, 1, None, 0, None]), column(_F64, [_NAN, 2.0, -0.0, 0.0, None]))
    form = call("sorting.stable_sorted_order", two, _orders(True, False), _nulls(False, True))
    yield Case("sort/two_keys", form)
    zeros = table(column(_F64, [0.0, -0.0, _NAN, -_NAN, 0.0]))
    yield Case(
        "sort/zeros_and_nans", call("sorting.stable_sorted_order", zeros, _orders(True), _nulls(False))
    )
    yield Case(
        "sort/no_rows",
        call("sorting.stable_sorted_order", table(column(_I64, [])), _orders(True), _nulls(True)),
    )
    by_key = call("sorting.stable_sort_by_key", two, table(two.columns[0]), _orders(True), _nulls(False))
    yield Case("sort/by_key", by_key)
    yield Case("sort/is_sorted", call("sorting.is_sorted", two, _orders(True, True), _nulls(False, False)))
    for up in (True, False):
        for pattern, values in samples.patterns(_I64):
            order = _orders(up)[0]
            yield Case(
                f"top_k/{'ascending' if up else 'descending'}/{pattern}",
                call("sorting.top_k", values, 2, order),
                Order.ROWS,
            )
    sorted_rows = table(column(_I64, [1, 3, 3, 7, None]))
    needles = table(column(_I64, [0, 3, None, 9]))
    for function in ("lower_bound", "upper_bound"):
        form = call(f"search.{function}", sorted_rows, needles, _orders(True), _nulls(False))
        yield Case(f"search/{function}", form)
    yield Case(
        "search/contains", call("search.contains", column(_I64, [1, None, 3]), column(_I64, [3, 4, None]))
    )


def _replacements() -> Iterator[Case]:
    for kind in (_I64, _TEXT, _F64):
        values = samples.with_nulls(kind)
        yield Case(
            f"replace_nulls/{label(kind)}/scalar",
            call("replace.replace_nulls", values, scalar(kind, VALUES[kind][5])),
        )
        yield Case(
            f"replace_nulls/{label(kind)}/column", call("replace.replace_nulls", values, samples.full(kind))
        )
        yield Case(
            f"replace_nulls/{label(kind)}/null", call("replace.replace_nulls", values, scalar(kind, None))
        )
    odd = samples.full(_F64)
    yield Case("normalize_nans_and_zeros", call("replace.normalize_nans_and_zeros", odd))
    yield Case("nans_to_nulls", call("transform.column_nans_to_nulls", odd))
    lists = column(pa.list_(_I64), [[1, None], [], None, [3]])
    yield Case(
        "lists/explode_outer", call("lists.explode_outer", table(lists, column(_I64, [1, 2, 3, 4])), 1 - 1)
    )
    yield Case("lists/count", call("lists.count_elements", lists))
    yield Case("lists/sort", call("lists.sort_lists", lists, _orders(True)[0], _nulls(False)[0]))
