"""Choosing an overload by the costs of implicit casts."""

from __future__ import annotations

from collections.abc import Sequence

from .. import messages
from ..coercion import ArgType, settled
from ..errors import Span
from .signature import BoundTypes, Overload, Values


def choose(name: str, overloads: Sequence[Overload], kinds: Sequence[ArgType], span: Span | None) -> Overload:
    """The overload with the cheapest casts. No match and a tie are errors."""
    best: list[Overload] = []
    best_cost: int | None = None
    for overload in overloads:
        cost = overload.cost(kinds)
        if cost is None:
            continue
        if best_cost is None or cost < best_cost:
            best, best_cost = [overload], cost
        elif cost == best_cost:
            best.append(overload)
    if not best:
        raise messages.no_matching_function(name, kinds, [o.text(name) for o in overloads], span)
    if len(best) > 1:
        raise messages.ambiguous_function(name, kinds, [o.text(name) for o in best], span)
    return best[0]


def resolve(
    name: str,
    overloads: Sequence[Overload],
    kinds: Sequence[ArgType],
    values: Values,
    span: Span | None,
) -> BoundTypes:
    """Argument and result types of the call `name(kinds)`; `values` are the values of literal arguments, None
    for others.

    >>> from ..types import BIGINT, DOUBLE, INTEGER
    >>> both = (Overload((BIGINT,), BIGINT), Overload((DOUBLE,), DOUBLE))
    >>> str(resolve("f", both, [INTEGER], lambda _: None, None).result)
    'BIGINT'
    """
    overload = choose(name, overloads, kinds, span)
    return overload.bound(tuple(settled(k) for k in kinds), values)
