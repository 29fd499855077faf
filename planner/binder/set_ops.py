"""UNION, INTERSECT, EXCEPT, with and without ALL. Chains of UNION are one node however long they are."""

from __future__ import annotations

from sqlglot import exp

from .. import messages_query
from ..coercion import set_operation_type
from ..frontend import span_of
from ..logical import Distinct, Plan, SetOp, UnionAll
from ..types import SQLType
from .checks import refuse_unknown
from .environment import BoundQuery, Environment
from .expression import BindQuery
from .order_by import bind_set_order
from .plans import cast_columns

_KNOWN = ("this", "expression", "distinct", "with_", "order", "limit", "offset")
_WORDS = {exp.Union: "UNION", exp.Intersect: "INTERSECT", exp.Except: "EXCEPT"}


def bind_set_operation(node: exp.SetOperation, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """Binds a chain of set operations with the ORDER BY and LIMIT of the whole."""
    word, branches = _flatten(node)
    bounds = [bind_query(branch, env) for branch in branches]
    first = bounds[0]
    for branch, bound in zip(branches[1:], bounds[1:], strict=True):
        if len(bound.names) != len(first.names):
            raise messages_query.set_operation_columns(
                word, len(first.names), len(bound.names), span_of(branch)
            )
    types = [set_operation_type([b.plan.schema[i].type for b in bounds]) for i in range(len(first.names))]
    plan = _plan(word, not node.args.get("distinct"), bounds, types, branches, env)
    names = [b.names for b in bounds]
    return bind_set_order(node, BoundQuery(plan, first.names), names, env, bind_query)


def _flatten(node: exp.SetOperation) -> tuple[str, list[exp.Expr]]:
    """The branches of a left-deep chain of one operation; chains of UNION [ALL] only, the others are not
    associative with themselves
    in every case and have two."""
    refuse_unknown(node, _KNOWN)
    word = _WORDS[type(node)]
    distinct = bool(node.args.get("distinct"))
    branches = [node.expression]
    left = node.this
    while word == "UNION" and type(left) is exp.Union and _plain_union(left, distinct):
        refuse_unknown(left, _KNOWN)
        branches.append(left.expression)
        left = left.this
    branches.append(left)
    return word, branches[::-1]


def _plain_union(node: exp.Union, distinct: bool) -> bool:
    same = bool(node.args.get("distinct")) == distinct
    return same and not any(node.args.get(k) for k in ("with_", "order", "limit", "offset"))


def _plan(
    word: str,
    all_: bool,
    bounds: list[BoundQuery],
    types: list[SQLType],
    branches: list[exp.Expr],
    env: Environment,
) -> Plan:
    ids = env.context.ids
    plans = [_cast(b.plan, types, branch, env) for b, branch in zip(bounds, branches, strict=True)]
    nullable = [any(p.schema[i].nullable for p in plans) for i in range(len(types))]
    if word != "UNION":
        nullable = [plans[0].schema[i].nullable for i in range(len(types))]
    names = bounds[0].names
    columns = tuple(ids.column(n, t, null) for n, t, null in zip(names, types, nullable, strict=True))
    if word == "UNION":
        union = UnionAll(tuple(plans), columns)
        return union if all_ else Distinct(union)
    left, right = plans
    return SetOp(word.lower(), all_, left, right, columns)


def _cast(plan: Plan, types: list[SQLType], branch: exp.Expr, env: Environment) -> Plan:
    """The branch as the common types; its place is looked up only for a cast, since that walks the branch."""
    if all(c.type == t for c, t in zip(plan.schema, types, strict=True)):
        return plan
    return cast_columns(env.context.ids, plan, types, span_of(branch))
