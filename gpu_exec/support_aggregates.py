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
_PAIRS = "moments of pairs are kept by the CPU"
_DIGITS = "sums of powers cancel each other: the CPU has wider floats for them"
_SORTED = "it looks at all sorted values of a group, on the CPU"
AGGREGATES |= dict.fromkeys(
    (
        *("corr", "covar_pop", "covar_samp", "regr_avgx", "regr_avgy", "regr_count", "regr_slope"),
        *("regr_intercept", "regr_r2", "regr_sxx", "regr_syy", "regr_sxy"),
    ),
    _PAIRS,
)
AGGREGATES |= dict.fromkeys(("skewness", "kurtosis", "kurtosis_pop"), _DIGITS)
AGGREGATES["sem"] = "the moments of variances are not divided so on the GPU"
AGGREGATES |= dict.fromkeys(("entropy", "mad", "approx_quantile"), _SORTED)
AGGREGATES |= dict.fromkeys(
    ("arg_min_null", "arg_max_null"), "rows with a NULL argument are compared on the CPU"
)
AGGREGATES |= dict.fromkeys(("list", "histogram"), "lists and maps are made on the CPU")
_NUMBERS_ONLY = frozenset({"sum", "avg", "product", "var_samp", "var_pop", "stddev_samp", "stddev_pop"})
# Decimals of so many digits are exact as doubles.
_EXACT_DIGITS = 15
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
    if name in _BETWEEN and kind.is_decimal and kind.width > _EXACT_DIGITS:
        return [f"the aggregate {name} of {kind}: decimals that doubles do not hold run on the CPU"]
    if name in _BETWEEN and kind.is_temporal and kind.id not in (TypeId.DATE, TypeId.TIMESTAMP):
        return [f"the aggregate {name} of {kind}: what lies between is computed on the CPU"]
    return []
