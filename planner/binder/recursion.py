"""WITH RECURSIVE: the part that starts, and the part that is repeated over what the round before gave."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from .. import messages, messages_query
from ..frontend import span_of
from ..logical import Plan, Recursion, WorkingRef
from ..messages_from import clause_of_recursion
from .checks import refuse_unknown
from .environment import BoundQuery, Environment, RecursionBinding, SelfReference
from .expression import BindQuery
from .plans import cast_columns
from .scope import Relation, unique_names
from .table_alias import apply_column_names

# The schema under which a recursive part reads all rows so far, not those of the last round.
_WHOLE = "recurring"


def is_recursive(item: exp.Expr, name: str) -> bool:
    """Whether an entry of WITH RECURSIVE reads itself: a UNION that is bound as a recursion."""
    query = _union(item.this)
    return type(query) is exp.Union and not query.args.get("by_name") and name.lower() in table_names(query)


def _union(query: exp.Expr) -> exp.Expr:
    while isinstance(query, exp.Subquery) and not any(v for k, v in query.args.items() if k != "this"):
        query = query.this
    return query


def bind_recursive(item: exp.Expr, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """The Recursion of an entry. Its columns have the names and types of the part that starts."""
    alias = item.args["alias"]
    name = alias.this.this
    query = _union(item.this)
    refuse_unknown(query, ("this", "expression", "distinct", "by_name", "with_", "order", "limit", "offset"))
    for clause in ("order", "limit", "offset"):
        if query.args.get(clause) is not None:
            word = "ORDER BY" if clause == "order" else "LIMIT or OFFSET"
            raise clause_of_recursion(word, span_of(query.args[clause]))
    anchor_node, step_node = query.this, query.expression
    with_ = query.args.get("with_")
    if with_ is not None:
        anchor_node, step_node = (_under(with_, part) for part in (anchor_node, step_node))
    anchor = bind_query(anchor_node, env.with_cte(SelfReference(name)))
    names = apply_column_names(name, unique_names(anchor.names), alias, alias_columns_only=True)
    ids = env.context.ids
    columns = tuple(ids.column(n, c.type) for n, c in zip(names, anchor.plan.schema, strict=True))
    binding = RecursionBinding(ids.fresh(), name, names, columns)
    step = bind_query(step_node, env.with_cte(binding))
    if len(step.names) != len(names):
        raise messages_query.set_operation_columns("UNION", len(names), len(step.names), span_of(step_node))
    plan: Plan = step.plan
    types = [c.type for c in columns]
    if any(c.type != t for c, t in zip(plan.schema, types, strict=True)):
        plan = cast_columns(ids, plan, types, span_of(step_node))
    key = _key(item, names)
    distinct = bool(query.args.get("distinct")) and not key
    recursion = Recursion(
        binding.id, name, anchor.plan, plan, anchor.plan.schema, plan.schema, columns, distinct, key
    )
    return BoundQuery(recursion, anchor.names)


def _under(with_: exp.Expr, query: exp.Expr) -> exp.Expr:
    """A part of the union under the WITH of the whole."""
    query = query.copy()
    own = query.args.get("with_")
    if own is None:
        query.set("with_", with_.copy())
    else:
        own.set("expressions", [*(e.copy() for e in with_.expressions), *own.expressions])
    return query


def _key(item: exp.Expr, names: tuple[str, ...]) -> tuple[int, ...]:
    found = []
    lower = [n.lower() for n in names]
    for node in item.args.get("key_expressions") or ():
        name = node.name
        if name.lower() not in lower:
            raise messages.unknown_column(name, names, span_of(node))
        found.append(lower.index(name.lower()))
    return tuple(found)


def is_whole_of_recursion(parts: tuple[str, ...], env: Environment) -> bool:
    """Whether a name is that of a recursion's rows so far: recurring.name."""
    is_two = len(parts) == 2 and parts[0].lower() == _WHOLE
    return is_two and isinstance(env.ctes.get(parts[1].lower()), RecursionBinding)


def read_recursion(
    cte: RecursionBinding, alias: str, env: Environment, *, whole: bool
) -> tuple[WorkingRef, Relation]:
    """One use of a recursive entry in its own recursive part: fresh columns over its rows."""
    columns = tuple(replace(c, id=env.context.ids.fresh()) for c in cte.columns)
    plan = WorkingRef(cte.id, cte.name, columns, tuple(range(len(columns))), whole)
    return plan, Relation(alias, cte.names, columns)


def table_names(query: exp.Expr) -> set[str]:
    """The names of tables anywhere in a query that may be those of WITH entries, in lower case."""
    return {
        table.this.this.lower()
        for table in query.find_all(exp.Table)
        if isinstance(table.this, exp.Identifier)
        and (not table.args.get("db") or table.args["db"].name.lower() == _WHOLE)
    }
