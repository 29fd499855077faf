"""The table of aggregate functions, and those that libcudf's own aggregations make."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import AggregateCall, Expr, Literal
from ...planner.functions import AGGREGATES
from ...planner.types import BIGINT, SQLType
from ..number import Number
from ..ops import Ops
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .aggregate_bits import bits
from .aggregate_call import CallPlan, Columns, guarded
from .aggregate_sorted import SORTED, first_by
from .aggregate_sums import average, exact_parts, exact_sum, merged_parts
from .grouping import Groups


def plan_call(call: AggregateCall, *, grouped: bool) -> CallPlan:
    """The plan of a call, with GROUP BY or without; `support.py` says which there are."""
    if call.function in _EDGES and (call.filter is not None or call.order_by or call.distinct):
        last, valid = _EDGES[call.function]
        return first_by(call, call.order_by, last=last, valid=valid)
    made = _average(call, grouped=grouped) if call.function == "avg" else PLANS[call.function](call)
    # Sorted ones see to DISTINCT by themselves; what counts rows has nothing that could be equal.
    if not call.distinct or not call.args or call.function in SORTED:
        return made
    if not AGGREGATES[call.function].distinct_matters:
        return made
    inner = made.partial

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        column = run.column(args[0])
        rows = groups.distinct([column])
        (kept,) = run.ops.gathered([column], rows)
        value = Value(args[0].type, kept, bounds=args[0].bounds)
        return inner([value], groups.of(rows), Evaluation(run.ops, rows.size()))

    return CallPlan(made.exprs, partial, made.merge, made.finish, mergeable=False)


# Whether it is the last value, and whether NULLs are passed over.
_EDGES = {"first": (False, False), "last": (True, False), "any_value": (False, True)}


def _argument(call: AggregateCall) -> Expr:
    """The argument, NULL in rows that FILTER leaves out."""
    return guarded(call.args[0] if call.args else Literal(BIGINT, 1), call)


def _how(name: str, *args: Any) -> Callable[[Ops], Any]:
    return lambda ops: getattr(ops.plc.aggregation, name)(*args)


def _simple(
    call: AggregateCall,
    how: Callable[[Ops], Any],
    merge: Callable[[Ops], Any],
    *,
    before: Callable[[Any, Ops], Any] = lambda column, ops: column,
    after: Callable[[Any, Ops], Any] = lambda column, ops: column,
    mergeable: bool = True,
) -> CallPlan:
    """One library aggregation over the argument, merged by another; `before` and `after` it a conversion."""

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        return groups.aggregate([(before(run.column(args[0]), run.ops), how(run.ops))])

    def merged(columns: Columns, groups: Groups) -> Columns:
        return groups.aggregate([(columns[0], merge(groups.ops))])

    return CallPlan((_argument(call),), partial, merged, lambda c, ops: after(c[0], ops), mergeable)


def _counted(call: AggregateCall) -> CallPlan:
    """count(*) counts rows, count(x) those that are not NULL; none is 0."""
    everything = not call.args and call.filter is None

    def count(ops: Ops) -> Any:
        policy = ops.plc.types.NullPolicy
        return ops.plc.aggregation.count(policy.INCLUDE if everything else policy.EXCLUDE)

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        (found,) = groups.aggregate([(run.column(args[0]), count(run.ops))])
        return [run.ops.cast(found, named_type("INT64"))]

    def merge(columns: Columns, groups: Groups) -> Columns:
        return groups.aggregate([(columns[0], groups.ops.plc.aggregation.sum())])

    def finish(columns: Columns, ops: Ops) -> Any:
        return ops.filled(columns[0], ops.scalar(pa.scalar(0, pa.int64())))

    return CallPlan((_argument(call),), partial, merge, finish)


def _count_if(call: AggregateCall) -> CallPlan:
    """The rows at which a condition is true: the sum of the condition as a number, NULL where it is nowhere
    known.
    """
    return _simple(call, _how("sum"), _how("sum"), before=lambda c, ops: ops.cast(c, named_type("INT64")))


def _sum(call: AggregateCall) -> CallPlan:
    """Exact for integers and decimals, in doubles else; NULL where no value is."""
    if call.type.is_float:
        double = named_double
        return _simple(call, _how("sum"), _how("sum"), before=double)

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        return exact_parts(args[0], groups, run)

    return CallPlan((_argument(call),), partial, merged_parts, lambda c, ops: exact_sum(c, call.type, ops))


def _average(call: AggregateCall, *, grouped: bool = False) -> CallPlan:
    """The exact sum, or the sum of doubles, over the count."""
    source = call.args[0].type

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        column, ops = run.column(args[0]), run.ops
        count = ops.plc.aggregation.count(ops.plc.types.NullPolicy.EXCLUDE)
        if source.is_float:
            total = groups.aggregate([(named_double(column, ops), ops.plc.aggregation.sum())])
        else:
            total = exact_parts(args[0], groups, run)
        (number,) = groups.aggregate([(column, count)])
        return [ops.cast(number, named_type("INT64")), *total]

    def merge(columns: Columns, groups: Groups) -> Columns:
        total = groups.ops.plc.aggregation.sum()
        (number,) = groups.aggregate([(columns[0], total)])
        if source.is_float:
            return [number, *groups.aggregate([(columns[1], total)])]
        return [number, *merged_parts(columns[1:], groups)]

    return CallPlan(
        (_argument(call),), partial, merge, lambda c, ops: average(c, source, ops, grouped=grouped)
    )


def named_double(column: Any, ops: Ops) -> Any:
    """FLOAT64 of a column of numbers."""
    return ops.cast(column, named_type("FLOAT64"))


def _extreme(name: str) -> Callable[[AggregateCall], CallPlan]:
    """The least or greatest value; NaN is the greatest double."""

    def plan(call: AggregateCall) -> CallPlan:
        type_ = call.args[0].type
        if type_.is_float:
            return _simple(
                call,
                _how(name),
                _how(name),
                before=ordered_bits,
                after=lambda c, ops: ordered_doubles(c, type_, ops),
            )
        if str(type_) == "BOOLEAN":
            return _boolean(name)(call)
        return _simple(call, _how(name), _how(name))

    return plan


def ordered_bits(column: Any, ops: Ops) -> Any:
    """Doubles as integers in the order of SQL: NaN above infinity; -0.0 is just below 0.0, so that the result
    is one of the values.
    """
    x = Number(column, ops, "FLOAT64")
    one_nan = x.unless(ops.is_true(x.differs(x)), math.nan)
    return _flipped(one_nan.bits("INT64").column, ops)


def _flipped(bits: Any, ops: Ops) -> Any:
    """Negative doubles have their magnitude's bits inverted, so that the integers are in order; twice it is
    undone.
    """
    whole = named_type("INT64")
    sign = ops.binary("SHIFT_RIGHT", bits, ops.scalar(pa.scalar(63, pa.int64())), whole)
    mask = ops.binary("BITWISE_AND", sign, ops.scalar(pa.scalar(2**63 - 1, pa.int64())), whole)
    return ops.binary("BITWISE_XOR", bits, mask, whole)


def ordered_doubles(column: Any, type_: SQLType, ops: Ops) -> Any:
    double = ops.bits_as(_flipped(column, ops), named_type("FLOAT64"))
    return ops.cast(double, data_type(type_))


def _boolean(name: str) -> Callable[[AggregateCall], CallPlan]:
    """AND and OR of booleans are their least and greatest value."""

    def plan(call: AggregateCall) -> CallPlan:
        byte = named_type("INT8")
        return _simple(
            call,
            _how(name),
            _how(name),
            before=lambda column, ops: ops.cast(column, byte),
            after=lambda column, ops: ops.cast(column, ops.bool),
        )

    return plan


def _nth(place: int, *, valid: bool) -> Callable[[AggregateCall], CallPlan]:
    """The first or last value, or the first that is not NULL."""

    def plan(call: AggregateCall) -> CallPlan:
        def how(ops: Ops) -> Any:
            policy = ops.plc.types.NullPolicy
            return ops.plc.aggregation.nth_element(place, policy.EXCLUDE if valid else policy.INCLUDE)

        return _simple(call, how, how)

    return plan


def _spread(name: str, degrees: int) -> Callable[[AggregateCall], CallPlan]:
    """Variance and standard deviation over all rows at once; of one value, whatever it is, 0 or NULL."""

    def plan(call: AggregateCall) -> CallPlan:
        def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
            how, column = run.ops.plc.aggregation, named_double(run.column(args[0]), run.ops)
            valid = how.count(run.ops.plc.types.NullPolicy.EXCLUDE)
            return groups.aggregate([(column, getattr(how, name)(degrees)), (column, valid)])

        def finish(columns: Columns, ops: Ops) -> Any:
            found, number = columns
            if degrees:
                return found
            one = ops.binary("EQUAL", number, ops.int32(1))
            return ops.choose(ops.scalar(pa.scalar(0.0, pa.float64())), found, one)

        return CallPlan((_argument(call),), partial, lambda columns, groups: columns, finish, mergeable=False)

    return plan


def _product(call: AggregateCall) -> CallPlan:
    return _simple(call, _how("product"), _how("product"), before=named_double)


PLANS: dict[str, Callable[[AggregateCall], CallPlan]] = {
    "count_star": _counted,
    "count": _counted,
    "count_if": _count_if,
    "sum": _sum,
    "avg": _average,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "bool_and": _boolean("min"),
    "bool_or": _boolean("max"),
    "first": _nth(0, valid=False),
    "last": _nth(-1, valid=False),
    "any_value": _nth(0, valid=True),
    "var_samp": _spread("variance", 1),
    "var_pop": _spread("variance", 0),
    "stddev_samp": _spread("std", 1),
    "stddev_pop": _spread("std", 0),
    "product": _product,
    **dict.fromkeys(("bit_and", "bit_or", "bit_xor"), bits),
    **SORTED,
}
