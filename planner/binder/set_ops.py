"""UNION, INTERSECT, EXCEPT, with and without ALL, UNION BY NAME. Chains of UNION are one node, however
long."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..coercion import set_operation_type
from ..expr import Literal, ref
from ..frontend import span_of
from ..logical import Distinct, Plan, SetOp, UnionAll
from ..types import NULL, SQLType
from .checks import refuse_unknown
from .environment import BoundQuery, Environment
from .expression import BindQuery
from .order_by import bind_set_order
from .plans import cast_columns, project

_KNOWN = ("this", "expression", "distinct", "by_name", "with_", "order", "limit", "offset")
_WORDS = {exp.Union: "UNION", exp.Intersect: "INTERSECT", exp.Except: "EXCEPT"}


def bind_set_operation(node: exp.SetOperation, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """Binds a chain of set operations with the ORDER BY and LIMIT of the whole."""
    word, branches = _flatten(node)
    bounds = [bind_query(branch, env) for branch in branches]
    if node.args.get("by_name"):
        bounds = _by_name(bounds, branches, env)
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
    word = _WORDS[type(node)]
    if node.args.get("by_name") and word != "UNION":
        raise messages.syntax(f"BY NAME is for UNION, not for {word}", span_of(node.expression))
    refuse_unknown(node, _KNOWN)
    branches = [node.expression]
    left = node.this
    while word == "UNION" and type(left) is exp.Union and _plain_union(left, node):
        refuse_unknown(left, _KNOWN)
        branches.append(left.expression)
        left = left.this
    branches.append(left)
    return word, branches[::-1]


def _plain_union(node: exp.Union, above: exp.Expr) -> bool:
    same = all(bool(node.args.get(k)) == bool(above.args.get(k)) for k in ("distinct", "by_name"))
    return same and not any(node.args.get(k) for k in ("with_", "order", "limit", "offset"))


def _by_name(bounds: list[BoundQuery], branches: list[exp.Expr], env: Environment) -> list[BoundQuery]:
    """The branches with the columns of all of them, in the order in which their names appear; what a branch
    lacks is NULL there."""
    names: dict[str, str] = {}
    for bound, branch in zip(bounds, branches, strict=True):
        own = [name.lower() for name in bound.names]
        for name, key in zip(bound.names, own, strict=True):
            if own.count(key) > 1:
                raise messages_query.repeated_name(name, span_of(branch))
            names.setdefault(key, name)
    shown = tuple(names.values())
    found = []
    for bound in bounds:
        columns = dict(zip((n.lower() for n in bound.names), bound.plan.schema, strict=True))
        exprs = [ref(columns[key]) if key in columns else Literal(NULL, None) for key in names]
        found.append(BoundQuery(project(env.context.ids, bound.plan, shown, exprs), shown))
    return found


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
