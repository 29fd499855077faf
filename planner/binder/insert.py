"""INSERT [OR REPLACE | OR IGNORE] INTO table [AS alias] [(columns)] [BY NAME] VALUES ... | query | DEFAULT
VALUES.
"""

from __future__ import annotations

from sqlglot import exp

from .. import messages, messages_changes, messages_query
from ..catalog import TableColumn, View, constraints_of
from ..errors import Span
from ..expr import Expr, ref
from ..frontend import span_of
from ..logical import Values
from ..statements import Insert, Query
from .casting import cast_to
from .checks import refuse_unknown
from .conflict import bind_conflict, target_node
from .constraints import with_checks
from .defaults import default_of, is_default
from .drop import own_name
from .environment import Environment
from .expression import BindQuery, bind_expression
from .plans import is_nullable, project
from .returning import bind_returning
from .scope import Scope
from .values import row_cells


def bind_insert(node: exp.Insert, env: Environment, bind_query: BindQuery) -> Insert:
    """The rows to insert in table order: columns not listed get their default, else NULL; values are cast to
    the columns' types.
    """
    refuse_unknown(
        node,
        ("this", "expression", "default", "with_", "returning", "alternative", "conflict", "by_name"),
    )
    target, listed = target_node(node), None
    if isinstance(node.this, exp.Schema):
        refuse_unknown(node.this, ("this", "expressions"))
        listed = node.this.expressions
    bare = target.copy()
    bare.set("alias", None)
    name = own_name(bare)
    table = env.context.catalog.lookup((name,))
    if table is None:
        raise messages_query.unknown_table(name, env.context.catalog.names(), span_of(target))
    if isinstance(table, View):
        raise messages_query.not_a_table(name, "view", span_of(target))
    columns = table.columns
    places = _places(columns, listed, table.name)
    source = node.args.get("expression")
    by_name = bool(node.args.get("by_name"))
    if by_name and listed is not None:
        raise messages.syntax("BY NAME takes no list of columns", span_of(listed[0]))
    checks = constraints_of(table).checks

    def finished(query: Query) -> Insert:
        plan = with_checks(query.plan, table.name, checks, env, bind_query)
        returning = bind_returning(node, table, env, bind_query)
        conflict = bind_conflict(node, table, places, env, bind_query)
        names = tuple(c.name for c in plan.schema)
        return Insert(table.name, Query(plan, names), checks, returning, conflict)

    if node.args.get("with_") is not None and isinstance(source, exp.Expr):
        source.set("with_", node.args["with_"])
    if source is None:
        rows: list[tuple[Expr | None, ...]] = [(None,) * len(columns)]
        return finished(_values(rows, columns, env, bind_query))
    if (
        isinstance(source, exp.Values)
        and not by_name
        and not any(source.args.get(k) for k in ("with_", "order", "limit", "offset"))
    ):
        refuse_unknown(source, ("expressions", "alias"))
        rows = [_row(row, places, columns, env, bind_query) for row in source.expressions]
        return finished(_values(rows, columns, env, bind_query))
    bound = bind_query(source, env)
    if by_name:
        places[:] = _places_by_name(columns, bound.names, table.name, span_of(source))
    if len(bound.names) != len(places):
        raise messages_query.insert_columns(len(places), len(bound.names), span_of(source))
    given = dict(zip(places, bound.plan.schema, strict=True))
    exprs = [
        cast_to(ref(given[i]), c.type) if i in given else default_of(c, env, bind_query)
        for i, c in enumerate(columns)
    ]
    plan = project(env.context.ids, bound.plan, [c.name for c in columns], exprs)
    return finished(Query(plan, tuple(c.name for c in columns)))


def _places(columns: tuple[TableColumn, ...], listed: list[exp.Expr] | None, table: str) -> list[int]:
    """The table position of each inserted column."""
    if listed is None:
        return list(range(len(columns)))
    index = {c.name.lower(): i for i, c in enumerate(columns)}
    places: list[int] = []
    for node in listed:
        if not isinstance(node, exp.Identifier):
            raise messages.syntax("A list of column names was expected here", span_of(node))
        place = index.get(node.this.lower())
        if place is None:
            raise messages_query.unknown_column_of(table, node.this, [c.name for c in columns], span_of(node))
        if place in places:
            raise messages_query.listed_twice(node.this, "the column list", span_of(node))
        places.append(place)
    return places


def _places_by_name(
    columns: tuple[TableColumn, ...], names: tuple[str, ...], table: str, span: Span | None
) -> list[int]:
    """The table position of each column of a query by its name."""
    index = {c.name.lower(): i for i, c in enumerate(columns)}
    places: list[int] = []
    for name in names:
        place = index.get(name.lower())
        if place is None:
            raise messages_changes.no_such_insert_column(table, name, [c.name for c in columns], span)
        if place in places:
            raise messages_query.listed_twice(name, "the column list", span)
        places.append(place)
    return places


def _row(
    row: exp.Expr,
    places: list[int],
    columns: tuple[TableColumn, ...],
    env: Environment,
    bind_query: BindQuery,
) -> tuple[Expr | None, ...]:
    """One row in table order; None where the default is meant."""
    env.context.poll()
    cells = row_cells(row)
    if len(cells) != len(places):
        raise messages_query.insert_columns(len(places), len(cells), span_of(row))
    result: list[Expr | None] = [None] * len(columns)
    for place, cell in zip(places, cells, strict=True):
        if is_default(cell):
            continue
        expr = bind_expression(cell, Scope(), env, bind_query, "VALUES")
        result[place] = cast_to(expr, columns[place].type)
    return tuple(result)


def _values(
    rows: list[tuple[Expr | None, ...]],
    columns: tuple[TableColumn, ...],
    env: Environment,
    bind_query: BindQuery,
) -> Query:
    defaults: dict[int, Expr] = {}

    def cell(place: int, expr: Expr | None) -> Expr:
        if expr is not None:
            return expr
        if place not in defaults:
            defaults[place] = default_of(columns[place], env, bind_query)
        return defaults[place]

    filled = tuple(tuple(cell(i, e) for i, e in enumerate(row)) for row in rows)
    outputs = tuple(
        env.context.ids.column(c.name, c.type, any(is_nullable(row[i], frozenset()) for row in filled))
        for i, c in enumerate(columns)
    )
    return Query(Values(outputs, filled), tuple(c.name for c in columns))
