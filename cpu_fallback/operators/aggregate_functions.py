"""The aggregate functions of the CPU: each name's states and how its column is read off them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from ...planner.expr import AggregateCall, Literal, SortKey
from ...planner.functions import AGGREGATES
from ...planner.types import TypeId
from . import aggregate_lists as lists
from . import aggregate_pairs as pairs
from . import aggregate_sorted as ordered
from . import aggregate_spread as spread
from . import aggregate_sums as sums
from .aggregate_distinct import DistinctRows
from .aggregate_extremes import Bits, Truth, extreme
from .aggregate_moments import Moments, variance_column
from .aggregate_plan import AggregatePlan, Check
from .aggregate_rows import BestRow, EdgeRow
from .aggregate_sorted import SortedValues
from .aggregate_state import null_column
from .comparable import is_one_way

# Makes the column of a call from the node's states and the number of groups.
Finish = Callable[[Sequence[Any], int], pa.Array]
Bind = Callable[[AggregateCall, AggregatePlan], Finish]

_BINDERS: dict[str, Bind] = {}


def aggregates(*names: str) -> Callable[[Bind], Bind]:
    """Registers a function that enters the states of a call in a plan."""

    def register(bind: Bind) -> Bind:
        for name in names:
            assert name not in _BINDERS, name
            _BINDERS[name] = bind
        return bind

    return register


def bind_call(call: AggregateCall, plan: AggregatePlan) -> Finish:
    """Enters the states that a call needs; the result makes its column."""
    function = AGGREGATES[call.function]
    if function.skips_nulls and function.empty is None and call.args[0].type.id is TypeId.NULL:
        return lambda states, groups: null_column(call.type, groups)
    if call.distinct and function.distinct_matters and call.args:
        return _bind_distinct(call, plan)
    return _BINDERS[call.function](call, plan)


def _bind_distinct(call: AggregateCall, plan: AggregatePlan) -> Finish:
    options = AGGREGATES[call.function].constants
    values = tuple(arg for place, arg in enumerate(call.args) if place not in options)
    identity = ("distinct", values, call.filter, tuple(key.expr for key in call.order_by))
    inner = plan.inner.setdefault(identity, AggregatePlan(grouped=True))
    finish = bind_call(replace(call, distinct=False, filter=None), inner)
    slot = plan.state(identity, lambda check: DistinctRows(inner, check), call, inner.exprs)
    return lambda states, groups: finish(states[slot].states(groups), groups)


def _count_slots(call: AggregateCall, plan: AggregatePlan) -> tuple[int, int]:
    rows = plan.state("rows", lambda check: sums.RowCount(), call, ())
    return rows, plan.state("nulls", lambda check: sums.NullCount(), call, call.args[:1])


@aggregates("count_star")
def _count_star(call: AggregateCall, plan: AggregatePlan) -> Finish:
    rows = plan.state("rows", lambda check: sums.RowCount(), call, ())
    return lambda states, groups: sums.count_column(call.type, states[rows], None, groups)


@aggregates("count")
def _count(call: AggregateCall, plan: AggregatePlan) -> Finish:
    rows, nulls = _count_slots(call, plan)
    return lambda states, groups: sums.count_column(call.type, states[rows], states[nulls], groups)


@aggregates("sum", "count_if")
def _sum(call: AggregateCall, plan: AggregatePlan) -> Finish:
    """count_if is the sum of the condition as a number."""
    rows, nulls = _count_slots(call, plan)
    if call.args[0].type.is_float:
        floats = plan.state("floats", lambda check: sums.FloatSum(), call, call.args)

        def of_floats(states: Sequence[Any], groups: int) -> pa.Array:
            some = sums.counts(states[rows], states[nulls], groups) > 0
            return sums.float_column(call.type, states[floats].result(groups), some)

        return of_floats
    total = plan.state("integers", lambda check: sums.IntegerSum(), call, call.args)
    return lambda states, groups: sums.integer_sum_column(
        call.type, states[total], states[rows], states[nulls], groups
    )


@aggregates("avg")
def _avg(call: AggregateCall, plan: AggregatePlan) -> Finish:
    kind = call.args[0].type
    rows, nulls = _count_slots(call, plan)
    if kind.id is TypeId.INTERVAL:
        sum_ = plan.state("intervals", lambda check: sums.IntervalSum(), call, call.args)
        return lambda states, groups: sums.interval_average_column(
            call.type, states[sum_], states[rows], states[nulls], groups
        )
    if kind.is_float:
        total = plan.state("floats", lambda check: sums.FloatSum(), call, call.args)
    else:
        total = plan.state("integers", lambda check: sums.IntegerSum(), call, call.args)
    if not call.type.is_float:
        return lambda states, groups: sums.temporal_average_column(
            call.type, kind.scale, states[total], states[rows], states[nulls], groups
        )
    return lambda states, groups: sums.average_column(
        call.type, kind.scale, states[total], states[rows], states[nulls], groups, grouped=plan.grouped
    )


@aggregates("product")
def _product(call: AggregateCall, plan: AggregatePlan) -> Finish:
    rows, nulls = _count_slots(call, plan)
    slot = plan.state("product", lambda check: sums.Product(), call, call.args)

    def finish(states: Sequence[Any], groups: int) -> pa.Array:
        some = sums.counts(states[rows], states[nulls], groups) > 0
        return sums.float_column(call.type, states[slot].result(groups), some)

    return finish


@aggregates("min", "max")
def _extreme(call: AggregateCall, plan: AggregatePlan) -> Finish:
    if is_one_way(call.args[0].type):
        return _best(call, plan, (SortKey(call.args[0], descending=call.function == "max"),), True)
    make = extreme(call.args[0].type, call.function == "max")
    slot = plan.state(call.function, lambda check: make(), call, call.args)
    return lambda states, groups: states[slot].column(groups)


@aggregates("bool_and", "bool_or")
def _truth(call: AggregateCall, plan: AggregatePlan) -> Finish:
    every = call.function == "bool_and"
    slot = plan.state(call.function, lambda check: Truth(every), call, call.args)
    return lambda states, groups: states[slot].column(groups)


@aggregates("bit_and", "bit_or", "bit_xor")
def _bits(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = plan.state(call.function, lambda check: Bits(call.function, call.type), call, call.args)
    return lambda states, groups: states[slot].column(groups)


@aggregates(*pairs.PAIR_FUNCTIONS, "regr_count")
def _pairs(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = plan.state("pairs", lambda check: pairs.Pairs(), call, call.args)
    if call.function == "regr_count":
        return lambda states, groups: pairs.pair_counts(states[slot], groups)
    return lambda states, groups: pairs.pair_column(call.function, states[slot], groups)


@aggregates("skewness", "kurtosis", "kurtosis_pop")
def _shape(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = plan.state("powers", lambda check: pairs.Powers(), call, call.args)
    return lambda states, groups: pairs.shape_column(call.function, states[slot], groups)


@aggregates("entropy", "mad", "approx_quantile")
def _spread(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = _sorted_values(call, plan, (SortKey(call.args[0]),), value_order=True)
    if call.function == "entropy":
        return lambda states, groups: spread.entropy_column(states[slot], groups)
    if call.function == "mad":
        return lambda states, groups: spread.deviation_column(call.type, states[slot], groups)
    fraction = _constant(call)
    if fraction is None:
        return lambda states, groups: null_column(call.type, groups)
    return lambda states, groups: spread.digest_column(call.type, states[slot], fraction, groups)


@aggregates("var_pop", "var_samp", "stddev_pop", "stddev_samp", "sem")
def _variance(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = plan.state("moments", lambda check: Moments(), call, call.args)
    return lambda states, groups: variance_column(call.function, states[slot], groups)


@aggregates("first", "last", "any_value")
def _edge(call: AggregateCall, plan: AggregatePlan) -> Finish:
    kind, required = call.args[0].type, call.function == "any_value"
    if call.order_by:
        keys = _reversed(call.order_by) if call.function == "last" else call.order_by
        return _best(call, plan, keys, required)
    last = call.function == "last"
    slot = plan.state(call.function, lambda check: EdgeRow(kind, last, required), call, call.args)
    return lambda states, groups: states[slot].column(groups)


@aggregates("arg_min_null", "arg_max_null")
def _arg_extreme_null(call: AggregateCall, plan: AggregatePlan) -> Finish:
    """The same, where the first argument may be NULL."""
    by = SortKey(call.args[1], descending=call.function == "arg_max_null")
    return _best(call, plan, (by, *call.order_by), False, required_keys=1)


@aggregates("arg_min", "arg_max")
def _arg_extreme(call: AggregateCall, plan: AggregatePlan) -> Finish:
    """The row with the least or greatest second argument, then the first by ORDER BY; no argument is NULL."""
    by = SortKey(call.args[1], descending=call.function == "arg_max")
    return _best(call, plan, (by, *call.order_by), True, required_keys=1)


def _best(
    call: AggregateCall,
    plan: AggregatePlan,
    keys: Sequence[SortKey],
    required: bool,
    required_keys: int = 0,
) -> Finish:
    """The first argument at the first row by `keys`. Calls with the same order share their sorting."""
    count = len(keys)
    exprs = [key.expr for key in keys]
    types = [expr.type for expr in exprs]
    order = tuple((key.descending, key.nulls_first) for key in keys)
    needed = (*range(required_keys), *((count,) if required else ()))
    # A value that must not be NULL decides which rows count; others only ride along.
    wanted = call.args[:1]
    identity = ("best", order, needed, wanted if required else ())

    def make(check: Check) -> BestRow:
        return BestRow(
            keys, needed, [*types, *(plan.exprs[i].type for i in plan.slots[slot].args[count:])], check
        )

    slot = plan.state(identity, make, call, exprs)
    place = plan.extend(slot, count, wanted[0])
    return lambda states, groups: states[slot].column(place, groups)


def _reversed(keys: Sequence[SortKey]) -> tuple[SortKey, ...]:
    return tuple(replace(k, descending=not k.descending, nulls_first=not k.nulls_first) for k in keys)


def _sorted_values(
    call: AggregateCall,
    plan: AggregatePlan,
    keys: Sequence[SortKey],
    value_order: bool = False,
    nulls: bool = False,
) -> int:
    """The slot of a state that holds the values of the first argument, with `nulls` also NULL, by `keys`."""
    value = call.args[0]
    exprs = [value, *(key.expr for key in keys if not value_order)]
    order = [0] if value_order else list(range(1, len(exprs)))
    identity = ("sorted", value_order, nulls, tuple((key.descending, key.nulls_first) for key in keys))
    types = [expr.type for expr in exprs]
    return plan.state(identity, lambda check: SortedValues(keys, order, types, check, nulls), call, exprs)


@aggregates("string_agg")
def _string_agg(call: AggregateCall, plan: AggregatePlan) -> Finish:
    separator = _constant(call) if len(call.args) > 1 else ","
    slot = _sorted_values(call, plan, call.order_by)
    return lambda states, groups: ordered.joined_column(states[slot], separator, groups)


@aggregates("list")
def _list(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = _sorted_values(call, plan, call.order_by, nulls=True)
    return lambda states, groups: lists.list_column(call.type, states[slot], groups)


@aggregates("histogram")
def _histogram(call: AggregateCall, plan: AggregatePlan) -> Finish:
    slot = _sorted_values(call, plan, (SortKey(call.args[0]),), value_order=True)
    return lambda states, groups: lists.histogram_column(call.type, states[slot], groups)


@aggregates("median", "quantile_cont", "quantile_disc", "mode")
def _quantile(call: AggregateCall, plan: AggregatePlan) -> Finish:
    value = call.args[0]
    slot = _sorted_values(call, plan, (SortKey(value),), value_order=True)
    if call.function == "mode":
        return lambda states, groups: ordered.mode_column(states[slot], groups)
    fraction = 0.5 if call.function == "median" else _constant(call)
    if fraction is None:
        return lambda states, groups: null_column(call.type, groups)
    between = value.type.is_numeric or value.type.is_temporal or value.type.id is TypeId.INTERVAL
    if call.function == "quantile_disc" or not between:
        return lambda states, groups: ordered.discrete_column(states[slot], fraction, groups)
    return lambda states, groups: ordered.continuous_column(call.type, states[slot], fraction, groups)


def _constant(call: AggregateCall) -> Any:
    """The second argument, a literal."""
    argument = call.args[1]
    assert isinstance(argument, Literal), argument
    return argument.value
