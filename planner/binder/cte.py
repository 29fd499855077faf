"""WITH: common table expressions, each bound once and read through CteRef."""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_query
from ..expr import Column
from ..frontend import span_of
from ..logical import Cte, CteRef, Plan
from .checks import refuse_unknown
from .environment import CteBinding, Environment, SelfReference
from .expression import BindQuery
from .recursion import bind_recursive, is_recursive, table_names
from .scope import Relation, unique_names
from .table_alias import apply_column_names


def bind_with(
    query: exp.Expr, env: Environment, bind_query: BindQuery
) -> tuple[Environment, list[CteBinding]]:
    """The environment of the body of a query with WITH, and the CTEs that it reads, in order.

    What nothing reads is not bound: it may name tables that do not exist, as in DuckDB.
    """
    node = query.args["with_"]
    refuse_unknown(node, ("expressions", "recursive"))
    seen: set[str] = set()
    for item in node.expressions:
        refuse_unknown(item, ("this", "alias", "materialized", "key_expressions"))
        identifier = item.args["alias"].this
        if identifier.this.lower() in seen:
            raise messages_query.duplicate_cte(identifier.this, span_of(identifier))
        seen.add(identifier.this.lower())
        if isinstance(item.this, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            raise messages.unsupported(f"{item.this.key.upper()} in WITH is", span_of(identifier))
        if not isinstance(item.this, (exp.Query, exp.Values, exp.Table)):
            raise messages.syntax("A query was expected here", span_of(identifier))
    ctes: list[CteBinding] = []
    for item in _read_items(query):
        alias = item.args["alias"]
        name = alias.this.this
        recursive = node.args.get("recursive")
        if recursive and is_recursive(item, name):
            bound = bind_recursive(item, env, bind_query)
        else:
            bound = bind_query(item.this, env.with_cte(SelfReference(name)) if recursive else env)
        names = apply_column_names(name, unique_names(bound.names), alias, alias_columns_only=True)
        cte = CteBinding(env.context.ids.fresh(), name, names, bound.plan, item.args.get("materialized"))
        ctes.append(cte)
        env = env.with_cte(cte)
    return env, ctes


def _read_items(query: exp.Expr) -> list[exp.Expr]:
    """The entries of a query's WITH that its body reads, itself or through later entries, in order."""
    node = query.args["with_"]
    parts = [part for part in query.iter_expressions() if part is not node]
    names = {name for part in parts for name in table_names(part)}
    found: list[exp.Expr] = []
    for item in reversed(node.expressions):
        if item.args["alias"].this.this.lower() in names:
            found.append(item)
            names |= table_names(item.this)
    return found[::-1]


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
