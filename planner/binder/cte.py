"""WITH: common table expressions, each bound once and read through CteRef."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..expr import Column
from ..frontend import span_of
from ..logical import Cte, CteRef, Plan
from .checks import refuse_unknown
from .environment import CteBinding, Environment
from .expression import BindQuery
from .scope import Relation, unique_names
from .table_alias import apply_column_names


def bind_with(
    node: exp.With, env: Environment, bind_query: BindQuery
) -> tuple[Environment, list[CteBinding]]:
    """The environment of the query that follows, and the CTEs of this WITH in order."""
    refuse_unknown(node, ("expressions", "recursive"))
    ctes: list[CteBinding] = []
    for item in node.expressions:
        refuse_unknown(item, ("this", "alias", "materialized"))
        alias = item.args["alias"]
        name = alias.this.this
        if any(c.name.lower() == name.lower() for c in ctes):
            raise messages_query.duplicate_cte(name, span_of(alias.this))
        if node.args.get("recursive") and _mentions(item.this, name):
            raise messages.unsupported("Recursive CTEs are", span_of(alias.this))
        bound = bind_query(item.this, env)
        names = apply_column_names(name, unique_names(bound.names), alias, alias_columns_only=True)
        cte = CteBinding(env.context.ids.fresh(), name, names, bound.plan, item.args.get("materialized"))
        ctes.append(cte)
        env = env.with_cte(cte)
    return env, ctes


def _mentions(query: exp.Expr, name: str) -> bool:
    return any(
        isinstance(table.this, exp.Identifier)
        and not table.args.get("db")
        and table.this.this.lower() == name.lower()
        for table in query.find_all(exp.Table)
    )


def wrap_ctes(plan: Plan, ctes: list[CteBinding]) -> Plan:
    """The plan under the Cte nodes of the definitions it reads."""
    for cte in reversed(ctes):
        if cte.uses:
            plan = Cte(cte.id, cte.name, cte.definition, plan, cte.materialized)
    return plan


def read_cte(cte: CteBinding, alias: str, env: Environment) -> tuple[CteRef, Relation]:
    """One use of a CTE in FROM: fresh columns over its definition."""
    cte.uses += 1
    columns = tuple(
        Column(env.context.ids.fresh(), name, column.type, column.nullable)
        for name, column in zip(cte.names, cte.columns, strict=True)
    )
    plan = CteRef(cte.id, cte.name, columns, tuple(range(len(columns))))
    return plan, Relation(alias, cte.names, columns)
