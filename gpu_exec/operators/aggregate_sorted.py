"""Aggregates of a group's rows in order: first and last by ORDER BY, arg_min, string_agg, quantiles, mode."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...planner.date_units import MICROS_DAY
from ...planner.expr import AggregateCall, Literal, SortKey
from ...planner.types import BIGINT, SQLType, TypeId
from ..casts.floats import whole_doubles
from ..moments import stored
from ..number import Number
from ..ops import Ops
from ..storage import data_type, named_type
from ..texts import text_scalar
from ..values import Evaluation, Value
from .aggregate_call import CallPlan, Rows, of_rows
from .grouping import Groups
from .join_keys import comparable, even


@dataclass(frozen=True)
class Runs:
    """Rows of all groups, those of a group side by side and in order: their numbers, and of every group where
    its rows start and how many there are.
    """

    ops: Ops
    rows: Any
    starts: Number
    counts: Number

    def at(self, column: Any, place: Number, *, placed: bool = False) -> Any:
        """The column at a place within each group's rows; NULL where the group has none. With `placed` the
        column's rows are in this order already.
        """
        ops = self.ops
        rows = (self.starts + place).unless(self.counts.equals(0), -1).to("INT32").column
        if not placed:
            rows = ops.gathered([self.rows], rows, outside_is_null=True)[0]
            rows = ops.filled(rows, ops.int32(-1))
        return ops.gathered([column], rows, outside_is_null=True)[0]


def _sizes(groups: Groups) -> Number:
    ops = groups.ops
    policy = ops.plc.types.NullPolicy.INCLUDE
    (found,) = groups.aggregate([(groups.numbers, ops.plc.aggregation.count(policy))])
    whole = ops.cast(found, named_type("INT64"))
    return Number(ops.filled(whole, ops.scalar(pa.scalar(0, pa.int64()))), ops)


def runs_of(groups: Groups, keys: Sequence[Any], order: Sequence[SortKey]) -> Runs:
    """The rows by group, then by the keys, equal ones as they came."""
    ops = groups.ops
    columns = [groups.numbers, *(even(key, ops) for key in keys)]
    down = [False, *(key.descending for key in order)]
    first = [True, *(key.nulls_first for key in order)]
    counts = _sizes(groups)
    scan = ops.plc.reduce
    ends = scan.scan(counts.column, ops.plc.aggregation.sum(), scan.ScanType.INCLUSIVE, stream=ops.stream)
    if not groups.numbers.size():
        nothing = ops.plc.column_factories.make_empty_column(named_type("INT32"), stream=ops.stream)
        return Runs(ops, nothing, Number(ends, ops) - counts, counts)
    return Runs(ops, ops.order(columns, down, first), Number(ends, ops) - counts, counts)


# One row of the group ---------------------------------------------------------------------------------------
def first_by(call: AggregateCall, order: Sequence[SortKey], *, last: bool, valid: bool) -> CallPlan:
    """The argument at the first or last row by ORDER BY, or as they come."""
    if last and order:
        # The last row is the first one of the opposite order, so that of equal rows the first one is taken.
        order = [
            SortKey(key.expr, descending=not key.descending, nulls_first=not key.nulls_first) for key in order
        ]

    def compute(rows: Rows) -> Any:
        runs = runs_of(rows.groups, rows.keys, order)
        place = runs.counts - 1 if last and not order else runs.counts * 0
        return runs.at(rows.args[0], place)

    return of_rows(call, compute, (0,) if valid else ())


def extreme_argument(call: AggregateCall) -> CallPlan:
    """arg_min and arg_max: the first argument where the second is least or greatest, then by ORDER BY."""
    by = SortKey(call.args[1], descending=call.function == "arg_max")

    def compute(rows: Rows) -> Any:
        runs = runs_of(rows.groups, [rows.args[1], *rows.keys], [by, *call.order_by])
        return runs.at(rows.args[0], runs.counts * 0)

    return of_rows(call, compute, (0, 1), 2)


# Text -------------------------------------------------------------------------------------------------------
def string_agg(call: AggregateCall) -> CallPlan:
    """The texts of each group with a constant between them; NULL for none, and for a NULL between them."""
    between = ","
    if len(call.args) > 1:
        assert isinstance(call.args[1], Literal), call
        between = call.args[1].value

    def compute(rows: Rows) -> Any:
        ops, plc = rows.groups.ops, rows.groups.ops.plc
        if between is None:
            return plc.Column.all_null_like(rows.args[0], rows.groups.count, stream=ops.stream)
        texts, groups = rows.args[0], rows.groups
        if call.order_by:
            order = runs_of(groups, rows.keys, call.order_by).rows
            (texts,), groups = ops.gathered([texts], order), groups.of(order)
        (lists,) = groups.aggregate([(texts, plc.aggregation.collect_list(plc.types.NullPolicy.EXCLUDE))])
        combine = plc.strings.combine
        return combine.join_list_elements(
            lists,
            text_scalar(between, ops),
            text_scalar(None, ops),
            text_scalar(None, ops),
            combine.SeparatorOnNulls.YES,
            combine.OutputIfEmptyList.NULL_ELEMENT,
            stream=ops.stream,
        )

    return of_rows(call, compute, (0,))


# Quantiles --------------------------------------------------------------------------------------------------
def quantile(call: AggregateCall) -> CallPlan:
    """median, quantile_cont and quantile_disc with a constant fraction from 0 to 1."""
    kind = call.args[0].type
    fraction: Any = 0.5
    if call.function != "median":
        assert isinstance(call.args[1], Literal), call
        fraction = call.args[1].value
    continuous = call.function != "quantile_disc" and (kind.is_numeric or kind.is_temporal)

    def compute(rows: Rows) -> Any:
        column, ops = rows.args[0], rows.groups.ops
        runs = runs_of(rows.groups, [column], [SortKey(call.args[0])])
        if fraction is None:
            none = runs.counts * 0 - 1
            return runs.at(column, none.unless(runs.counts.above(0), -(2**40)))
        if not continuous:
            return runs.at(column, _discrete(runs.counts, fraction))
        return _continuous(column, kind, call.type, runs, fraction, ops)

    return of_rows(call, compute, (0,))


def _discrete(counts: Number, share: float) -> Number:
    size = counts.to("FLOAT64")
    below = (size - size * share).of("FLOOR").to("INT64")
    place = counts - below
    return place.unless(place.below(1), 1) - 1


def _continuous(column: Any, source: SQLType, target: SQLType, runs: Runs, fraction: float, ops: Ops) -> Any:
    counts = runs.counts
    place = (counts.unless(counts.below(1), 1) - 1).to("FLOAT64") * fraction
    low, high = place.of("FLOOR").to("INT64"), place.of("CEIL").to("INT64")
    part = place - low.to("FLOAT64")
    left, right = runs.at(column, low), runs.at(column, high)
    if target.is_float:
        return ops.cast(_blended(left, right, part, ops).column, data_type(target))
    return _between(left, right, part, source, target, ops)


def _doubles(column: Any, ops: Ops) -> Number:
    if column.type().id() == ops.plc.TypeId.DECIMAL128:
        column = ops.bits_as(column, named_type("DECIMAL128", 0))
    return Number(column, ops, "FLOAT64")


def _blended(left: Any, right: Any, part: Number, ops: Ops) -> Number:
    """Between two doubles; exactly the value where both are equal."""
    low, high = _doubles(left, ops), _doubles(right, ops)
    mixed = low * (-part + 1.0) + high * part
    return mixed.unless(ops.is_true(ops.either(part.equals(0.0), low.equals(high))), low)


_PARTS = 62


def _between(left: Any, right: Any, part: Number, source: SQLType, target: SQLType, ops: Ops) -> Any:
    """left + (right - left) * part in whole numbers of 128 bits: decimals by way of a double, times go to
    the nearest unit, halves up. The part is taken in steps of 2**-62.
    """
    wide = named_type("DECIMAL128", 0)
    run = Evaluation(ops, left.size())
    scale = 1

    def number(value: int) -> Any:
        return ops.scalar(pa.scalar(decimal.Decimal(value), pa.decimal128(38, 0)))

    def whole(column: Any) -> Any:
        value = stored(Value(source, column), run) if source.is_temporal else Number(column, ops)
        made = ops.cast(value.column, wide)
        return made if scale == 1 else ops.binary("MUL", made, number(scale), wide)

    if source.id is TypeId.DATE:
        scale = MICROS_DAY
    low, high = whole(left), whole(right)
    steps = whole_doubles((part * 2.0**_PARTS).of("RINT"))
    moved = ops.binary("MUL", ops.binary("SUB", high, low, wide), steps, wide)
    total = ops.binary("ADD", ops.binary("MUL", low, number(2**_PARTS), wide), moved, wide)
    if target.is_decimal:
        # By way of a double, as DuckDB; those of so few digits are exact where they are met.
        made = Number(total, ops, "FLOAT64") * 2.0**-_PARTS
        return ops.cast(ops.cast(made.column, named_type("INT64")), data_type(target))
    total = ops.binary("ADD", total, number(2 ** (_PARTS - 1)), wide)
    made = ops.binary("DIV", total, number(2**_PARTS), wide)
    # The division cut towards zero; below it, down is meant.
    rest = ops.binary("SUB", total, ops.binary("MUL", made, number(2**_PARTS), wide), wide)
    lower = ops.cast(ops.binary("LESS", rest, number(0)), named_type("INT64"))
    made = ops.binary("SUB", made, ops.cast(lower, wide), wide)
    return ops.bits_as(ops.cast(made, data_type(BIGINT)), data_type(target))


# Mode -------------------------------------------------------------------------------------------------------
def mode(call: AggregateCall) -> CallPlan:
    """The most frequent value, the first one of equally frequent ones."""

    def compute(rows: Rows) -> Any:
        column, groups = rows.args[0], rows.groups
        ops = groups.ops
        places = groups.distinct([column])
        numbers = _pair_numbers(groups, column, places)
        pairs = Groups(ops, [], places.size(), numbers)
        (of_pair,) = ops.gathered([groups.numbers], places)
        own = Groups(ops, [], groups.count, of_pair)
        # Pairs come in the order of their first rows, which the stable sort keeps.
        frequent = [SortKey(call.args[0], descending=True)]
        runs = runs_of(own, [_sizes(pairs).column], frequent)
        (values,) = ops.gathered([column], places)
        return runs.at(values, runs.counts * 0)

    return of_rows(call, compute, (0,))


def _pair_numbers(groups: Groups, column: Any, places: Any) -> Any:
    """For every row which of the different (group, value) pairs, whose first rows are `places`, it is."""
    ops = groups.ops
    compared = [groups.numbers, comparable(column, ops)]
    different = ops.gathered(compared, places)
    equal = ops.plc.types.NullEquality.EQUAL
    left, right = ops.plc.join.inner_join(ops.table(compared), ops.table(different), equal, stream=ops.stream)
    (numbers,) = ops.gathered([right], ops.order([left], [False], [True]))
    return numbers


SORTED: dict[str, Callable[[AggregateCall], CallPlan]] = {
    "arg_min": extreme_argument,
    "arg_max": extreme_argument,
    "string_agg": string_agg,
    "median": quantile,
    "quantile_cont": quantile,
    "quantile_disc": quantile,
    "mode": mode,
}
