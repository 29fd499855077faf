"""Aggregate functions that the GPU runs: pure data, importable with no GPU library installed."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner import expr as e
from ..planner.types import TypeId

Reason = str | None

AGGREGATES: dict[str, Reason] = dict.fromkeys(
    (
        *("count_star", "count", "count_if", "sum", "avg", "product", "min", "max"),
        *("bool_and", "bool_or", "bit_and", "bit_or", "bit_xor"),
        *("stddev_samp", "stddev_pop", "var_samp", "var_pop"),
        *("first", "last", "any_value", "arg_min", "arg_max", "string_agg"),
        *("median", "quantile_disc", "quantile_cont", "mode"),
    )
)
_NUMBERS_ONLY = frozenset({"sum", "avg", "product", "var_samp", "var_pop", "stddev_samp", "stddev_pop"})
_BETWEEN = frozenset({"median", "quantile_cont"})


def aggregate_reasons(call: e.AggregateCall) -> list[str]:
    """Why a call of an aggregate that there is cannot run with these arguments."""
    return argument_reasons(call.function, call.args)


def argument_reasons(name: str, args: Sequence[e.Expr]) -> list[str]:
    """The same of its name and arguments."""
    if not args:
        return []
    kind = args[0].type
    if name in _NUMBERS_ONLY and not kind.is_numeric and kind.id not in (TypeId.NULL, TypeId.BOOLEAN):
        return [f"the aggregate {name} of {kind} runs on the CPU"]
    if name in ("bit_and", "bit_or", "bit_xor") and kind.id is TypeId.HUGEINT:
        return [f"the aggregate {name} of HUGEINT: 128-bit integers run on the CPU"]
    if name in _BETWEEN and kind.is_decimal and kind.width > 18:
        return [f"the aggregate {name} of {kind}: 128-bit decimals run on the CPU"]
    if name in _BETWEEN and kind.is_temporal and kind.id not in (TypeId.DATE, TypeId.TIMESTAMP):
        return [f"the aggregate {name} of {kind}: what lies between is computed on the CPU"]
    return []
