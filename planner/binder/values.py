"""VALUES: rows of expressions, their columns called col0, col1, ..."""

from __future__ import annotations

from sqlglot import exp

from .. import messages_query
from ..expr import Expr
from ..frontend import span_of
from ..logical import Values
from .casting import unify
from .checks import refuse_unknown
from .environment import BoundQuery, Environment
from .expression import BindQuery, bind_expression
from .plans import is_nullable
from .scope import Scope


def bind_values(node: exp.Values, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """Binds the rows; the columns' types are the common types of their values. Order and limit are the
    caller's.
    """
    scope = Scope(outer=env.outer)
    rows: list[tuple[Expr, ...]] = []
    for row in node.expressions:
        env.context.poll()
        cells = row_cells(row)
        if rows and len(cells) != len(rows[0]):
            raise messages_query.values_length(len(rows[0]), len(cells), span_of(row))
        rows.append(tuple(bind_expression(cell, scope, env, bind_query, "VALUES") for cell in cells))
    return values_plan(rows, env)


def values_plan(rows: list[tuple[Expr, ...]], env: Environment) -> BoundQuery:
    """Values over bound rows of equal length, cast to common types."""
    columns, casted = [], []
    for position in range(len(rows[0])):
        cells = unify([row[position] for row in rows], "VALUES")
        nullable = any(is_nullable(cell, frozenset()) for cell in cells)
        columns.append(env.context.ids.column(f"col{position}", cells[0].type, nullable))
        casted.append(cells)
    plan = Values(tuple(columns), tuple(zip(*casted, strict=True)))
    return BoundQuery(plan, tuple(c.name for c in columns))


def row_cells(row: exp.Expr) -> list[exp.Expr]:
    """The expressions of one row of VALUES."""
    if not isinstance(row, exp.Tuple) or not row.expressions:
        raise messages_query.bad_row(span_of(row))
    refuse_unknown(row, ("expressions",))
    return row.expressions
