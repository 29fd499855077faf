"""SUMMARIZE: one row a column with what its values are like, as a query over one Aggregate."""

from __future__ import annotations

from sqlglot import exp

from ..types import SQLType
from .environment import BoundQuery, Environment
from .expression import BindQuery
from .scope import unique_names

_ROWS = "summarized"
_CALLS = {"q25": 0.25, "q50": 0.5, "q75": 0.75}


def bind_summarize(node: exp.Summarize, env: Environment, bind_query: BindQuery) -> BoundQuery:
    """The rows of SUMMARIZE for a table or a query."""
    target = node.this
    source = target if isinstance(target, (exp.Table, exp.Subquery)) else exp.Subquery(this=target)
    base = exp.Select(expressions=[exp.Star()], from_=exp.From(this=source.copy()))
    bound = bind_query(base.copy(), env)
    names = unique_names(bound.names)
    columns = [_name(f"c{i}") for i in range(len(names))]
    alias = exp.TableAlias(this=_name("t"), columns=columns)
    items: list[exp.Expr] = [exp.Alias(this=_call("count", exp.Star()), alias=_name("n"))]
    rows: list[exp.Expr] = []
    for place, (name, column) in enumerate(zip(names, bound.plan.schema, strict=True)):
        read = exp.Column(this=_name(f"c{place}"))
        parts = _parts(read, column.type)
        items += [exp.Alias(this=part, alias=_name(f"{what}{place}")) for what, part in parts.items()]
        rows.append(_row(name, column.type, place, list(parts)))
    aggregated = exp.Select(
        expressions=items, from_=exp.From(this=exp.Subquery(this=base.copy(), alias=alias))
    )
    query = rows[0]
    for row in rows[1:]:
        query = exp.Union(this=query, expression=row, distinct=False)
    cte = exp.CTE(this=aggregated, alias=exp.TableAlias(this=_name(_ROWS)), materialized=True)
    query.set("with_", exp.With(expressions=[cte]))
    return bind_query(query, env)


def _parts(column: exp.Expr, kind: SQLType) -> dict[str, exp.Expr]:
    """The aggregates of a column: texts where they are shown as such."""
    parts: dict[str, exp.Expr] = {"count": _call("count", column), "unique": _distinct(column)}
    if not kind.is_nested:
        parts |= {what: _text(_call(what, column)) for what in ("min", "max")}
    if kind.is_numeric or (kind.is_temporal and kind.id.value not in ("INTERVAL",)):
        parts["avg"] = _text(_call("avg", column))
        for what, share in _CALLS.items():
            parts[what] = _text(_call("approx_quantile", column, exp.Literal.number(share)))
    if kind.is_numeric:
        parts["std"] = _text(_call("stddev", column))
    return parts


def _row(name: str, kind: SQLType, place: int, known: list[str]) -> exp.Select:
    def value(what: str) -> exp.Expr:
        if what not in known:
            return _text(exp.Null())
        return exp.Column(this=_name(f"{what}{place}"))

    total = exp.Column(this=_name("n"))
    missing = exp.Paren(this=exp.Sub(this=total, expression=value("count")))
    share = exp.Div(
        this=exp.Mul(this=missing, expression=exp.Literal.number("100.0")),
        expression=_call("nullif", total.copy(), exp.Literal.number(0)),
    )
    percentage = exp.Cast(this=share, to=_type("DECIMAL(9, 2)"))
    shown: dict[str, exp.Expr] = {
        "column_name": exp.Literal.string(name),
        "column_type": exp.Literal.string(str(kind)),
        "min": value("min"),
        "max": value("max"),
        "approx_unique": value("unique"),
        "avg": value("avg"),
        "std": value("std"),
        **{what: value(what) for what in _CALLS},
        "count": total.copy(),
        "null_percentage": percentage,
    }
    items = [exp.Alias(this=node, alias=_name(alias)) for alias, node in shown.items()]
    return exp.Select(expressions=items, from_=exp.From(this=exp.Table(this=_name(_ROWS))))


def _distinct(column: exp.Expr) -> exp.Expr:
    return _call("approx_count_distinct", column)


def _call(name: str, *args: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=[a.copy() for a in args])


def _text(node: exp.Expr) -> exp.Expr:
    return exp.Cast(this=node, to=_type("VARCHAR"))


def _type(text: str) -> exp.DataType:
    return exp.DataType.build(text, dialect="duckdb")


def _name(text: str) -> exp.Identifier:
    return exp.to_identifier(text, quoted=True)
