"""TABLESAMPLE and USING SAMPLE: rows kept by random numbers, or by numbers made of their places and a
seed."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sqlglot import exp

from .. import messages_from as messages
from ..expr import Comparison, Expr, Literal, SortKey, WindowCall, ref
from ..frontend import span_of
from ..logical import ColumnIds, Filter, Limit, Plan, Project, Window
from ..types import BIGINT, BOOLEAN, DOUBLE
from .calls import call
from .casting import cast_to
from .checks import refuse_unknown
from .plans import keep

_METHODS = frozenset({"SYSTEM", "BERNOULLI", "RESERVOIR"})
_PRIME = 2_147_483_647  # numbers made of seeds are below it


def sampled(plan: Plan, node: exp.Expr | None, ids: ColumnIds) -> Plan:
    """The rows of a plan that a sample keeps. So many rows: those of the smallest random numbers. A share:
    each row by itself, or with RESERVOIR exactly so many of all."""
    if node is None:
        return plan
    refuse_unknown(node, ("method", "percent", "size", "seed"))
    method = node.args["method"].name.upper() if node.args.get("method") is not None else ""
    if method and method not in _METHODS:
        raise messages.unknown_sample(method, span_of(node))
    percent, size = node.args.get("percent"), node.args.get("size")
    number = _number(percent if percent is not None else size, node)
    seed = node.args.get("seed") or None
    numbered, random = _random(plan, None if seed is None else int(_number(seed, node)), ids)
    if percent is None:
        count = int(number.to_integral_value(ROUND_HALF_UP))
        return keep(Limit(numbered, count, 0, (SortKey(ref(random)),)), plan.schema)
    if not 0 <= number <= 100:
        raise messages.sample_size(str(number), span_of(node))
    if method != "RESERVOIR":
        share = Literal(DOUBLE, float(number) / 100)
        kept: Plan = Filter(numbered, Comparison(BOOLEAN, "<", ref(random), share))
        return keep(kept, plan.schema)
    place = ids.column("place", BIGINT, nullable=False)
    total = ids.column("count_star", BIGINT, nullable=False)
    ranked = Window(numbered, (), (SortKey(ref(random)),), (place,), (WindowCall(BIGINT, "row_number", ()),))
    counted = Window(ranked, (), (), (total,), (WindowCall(BIGINT, "count_star", ()),))
    part = call("*", (cast_to(ref(total), DOUBLE), Literal(DOUBLE, float(number) / 100)))
    most = cast_to(call("floor", (part,)), BIGINT)
    return keep(Filter(counted, Comparison(BOOLEAN, "<=", ref(place), most)), plan.schema)


def _number(node: Any, sample: exp.Expr) -> Decimal:
    if not isinstance(node, exp.Literal) or node.is_string:
        raise messages.sample_constant(span_of(sample))
    return Decimal(node.this)


def _random(plan: Plan, seed: int | None, ids: ColumnIds) -> tuple[Plan, Any]:
    """The plan with a column of numbers in [0, 1) that look like random ones; with a seed always the same."""
    random = ids.column("random", DOUBLE, nullable=False)
    if seed is None:
        exprs: tuple[Expr, ...] = (*map(ref, plan.schema), call("random", ()))
        return Project(plan, (*plan.schema, random), exprs), random
    number = ids.column("row_number", BIGINT, nullable=False)
    numbered = Window(plan, (), (), (number,), (WindowCall(BIGINT, "row_number", ()),))
    prime = Literal(BIGINT, _PRIME)
    mixed: Expr = ref(number)
    # Each step is below 2^62.
    for factor in (48_271, 16_807, 69_621):
        shifted = call("+", (call("*", (mixed, Literal(BIGINT, factor))), Literal(BIGINT, seed % _PRIME)))
        once = call("%", (shifted, prime))
        mixed = call("%", (call("*", (once, once)), prime))
    value = call("/", (cast_to(mixed, DOUBLE), Literal(DOUBLE, float(_PRIME))))
    return Project(numbered, (*plan.schema, random), (*map(ref, plan.schema), value)), random
