"""The order of all rules: the one place to look for what runs when, and why."""

from __future__ import annotations

from .driver import Batch, Mode, Rule
from .rules.order_joins import order_joins
from .rules.push_filters import push_filters
from .rules.simplify_expressions import simplify_expressions
from .rules.unnest_subqueries import unnest_subqueries

SIMPLIFY = Rule(
    "simplify_expressions", simplify_expressions, "plain conditions are what all other rules recognise"
)
UNNEST = Rule(
    "unnest_subqueries",
    unnest_subqueries,
    "no operator runs a subquery; as joins they take part in everything that follows",
    required=True,
)
PUSH = Rule("push_filters", push_filters, "fewer rows early, and scans can skip what no row passes")
ORDER = Rule("order_joins", order_joins, "the order of joins decides the cost more than anything else")

BATCHES = (
    Batch("unnesting", Mode.ONCE, (UNNEST,)),
    Batch("rewriting", Mode.FIXED_POINT, (SIMPLIFY, PUSH)),
    Batch("joins", Mode.ONCE, (ORDER,)),
)


def rule_names() -> tuple[str, ...]:
    """Names that `SET disabled_rules` takes, in order of first use."""
    return tuple(dict.fromkeys(r.name for batch in BATCHES for r in batch.rules if not r.required))
