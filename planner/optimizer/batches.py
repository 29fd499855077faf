"""The order of all rules: the one place to look for what runs when, and why."""

from __future__ import annotations

from .driver import Batch, Mode, Rule
from .rules.eliminate_distinct import eliminate_distinct
from .rules.filter_ctes import filter_ctes
from .rules.fold_null_tests import fold_null_tests
from .rules.hoist_constants import hoist_constants
from .rules.infer_filters import infer_filters
from .rules.inline_ctes import inline_ctes
from .rules.merge_projects import merge_projects
from .rules.order_joins import order_joins
from .rules.outer_to_inner import outer_to_inner
from .rules.prove_conditions import prove_conditions
from .rules.prune_columns import prune_columns
from .rules.prune_empty import prune_empty
from .rules.push_filters import push_filters
from .rules.push_limits import push_limits
from .rules.remove_sorts import remove_sorts
from .rules.simplify_aggregates import simplify_aggregates
from .rules.simplify_expressions import simplify_expressions
from .rules.simplify_groups import simplify_groups
from .rules.simplify_joins import simplify_joins
from .rules.split_disjunctions import split_disjunctions
from .rules.unnest_subqueries import unnest_subqueries


def _rule(apply, why: str, *, required: bool = False) -> Rule:
    return Rule(apply.__name__, apply, why, required)


UNNEST = _rule(
    unnest_subqueries, "no operator runs a subquery; joins take part in all that follows", required=True
)
SIMPLIFY = _rule(simplify_expressions, "plain conditions are what all other rules recognise")
CONSTANTS = _rule(hoist_constants, "what is added to a sum once need not be added to every row")
INLINE_CTES = _rule(inline_ctes, "what is read once is optimised with its reader")
SPLIT_OR = _rule(split_disjunctions, "an OR over several relations would wait for their join")
OUTER = _rule(outer_to_inner, "inner joins can be reordered and filtered from both sides")
PUSH = _rule(push_filters, "fewer rows early, and scans can skip what no row passes")
INFER = _rule(infer_filters, "a constant on one side of an equality filters the other side too")
PROVE = _rule(prove_conditions, "what statistics decide need not be evaluated")
NULLS = _rule(fold_null_tests, "plain equalities can be hashed, ordered and pushed")
EMPTY = _rule(prune_empty, "what has no rows need not be planned")
JOINS = _rule(
    simplify_joins, "joins with one row, and marks that are tested at once, are no joins of their own"
)
PROJECTS = _rule(merge_projects, "projections between joins keep them apart")
DISTINCT = _rule(eliminate_distinct, "grouping is the one operator that finds equal rows")
GROUPS = _rule(simplify_groups, "every key is hashed and compared for every row")
AGGREGATES = _rule(simplify_aggregates, "count(*) reads no column, and DISTINCT keeps a table of values")
LIMITS = _rule(push_limits, "what nobody sees need not be computed; top-N needs no full sort")
SORTS = _rule(remove_sorts, "an order that nobody sees costs a sort")
FILTER_CTES = _rule(filter_ctes, "a shared result holds only what some reader wants")
ORDER = _rule(order_joins, "the order of joins decides the cost more than anything else")
COLUMNS = _rule(prune_columns, "columns that nobody reads are not decoded, hashed or copied")

BATCHES = (
    Batch("unnesting", Mode.ONCE, (UNNEST, INLINE_CTES)),
    Batch("conditions", Mode.ONCE, (SIMPLIFY, CONSTANTS, SPLIT_OR)),
    Batch(
        "rewriting",
        Mode.FIXED_POINT,
        (SIMPLIFY, OUTER, JOINS, PROJECTS, PUSH, INFER, PROVE, NULLS, EMPTY),
    ),
    Batch("shared results", Mode.ONCE, (FILTER_CTES, PUSH)),
    Batch("grouping", Mode.ONCE, (DISTINCT, GROUPS, AGGREGATES, SORTS, LIMITS)),
    Batch("joins", Mode.ONCE, (ORDER, PUSH)),
    Batch("columns", Mode.ONCE, (COLUMNS, PROJECTS, AGGREGATES)),
)


def rule_names() -> tuple[str, ...]:
    """Names that `SET disabled_rules` takes, in order of first use."""
    return tuple(dict.fromkeys(r.name for batch in BATCHES for r in batch.rules if not r.required))
