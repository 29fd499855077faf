"""A query written in DuckDB's normal form, for the names of columns that are subqueries."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ..frontend.keywords import quote_name
from .names import expression_name, order_text
from .recursion import is_recursive


def query_text(node: exp.Expr) -> str:
    """The text of a query."""
    text = _body(node)
    with_ = node.args.get("with_")
    if with_ is None:
        return text
    ctes = [f"{_cte_name(cte)} AS {_materialized(cte)}({query_text(cte.this)})" for cte in with_.expressions]
    # The word is shown only where there is a recursion.
    recursive = with_.args.get("recursive") and any(is_recursive(c, c.alias) for c in with_.expressions)
    return f"WITH {'RECURSIVE ' if recursive else ''}{', '.join(ctes)} {text}"


def _cte_name(cte: exp.Expr) -> str:
    alias = cte.args["alias"]
    text = quote_name(alias.this.name)
    if columns := alias.args.get("columns"):
        text += f" ({', '.join(expression_name(c) for c in columns)})"
    if key := cte.args.get("key_expressions"):
        text += f" USING KEY ({', '.join(expression_name(k) for k in key)}) "
    return text


def _materialized(cte: exp.Expr) -> str:
    return {True: "MATERIALIZED ", False: "NOT MATERIALIZED "}.get(cte.args.get("materialized"), "")  # type: ignore[arg-type]


def _body(node: Any) -> str:
    match node:
        case exp.Select():
            return _select(node)
        case exp.SetOperation():
            word = type(node).__name__.upper() + ("" if node.args.get("distinct") else " ALL")
            return f"({query_text(node.this)}) {word} ({query_text(node.expression)}){_modifiers(node)}"
        case exp.Values():
            return f"SELECT * FROM {_values(node)} AS valueslist"
        case exp.Subquery():
            inner = query_text(node.this)
            tail = _modifiers(node)
            return f"({inner}){tail}" if tail else inner
        case _:
            return expression_name(node)


def _select(node: Any) -> str:
    parts = ["SELECT"]
    distinct = node.args.get("distinct")
    if distinct is not None:
        on = distinct.args.get("on")
        parts.append("DISTINCT" if on is None else f"DISTINCT ON {_listed(on)}")
    parts.append(", ".join(_item(item) for item in node.expressions))
    if node.args.get("from_"):
        parts.append("FROM " + _from(node))
    if node.args.get("where"):
        parts.append("WHERE " + expression_name(node.args["where"].this))
    group = node.args.get("group")
    if group is not None:
        parts.append("GROUP BY " + ("ALL" if group.args.get("all") else _names(group.expressions)))
    if node.args.get("having"):
        parts.append("HAVING " + expression_name(node.args["having"].this))
    return " ".join(parts) + _modifiers(node)


def _modifiers(node: exp.Expr) -> str:
    text = ""
    if node.args.get("order"):
        text += " " + order_text(node.args["order"])
    if node.args.get("limit"):
        text += " LIMIT " + expression_name(node.args["limit"].args["expression"])
    if node.args.get("offset"):
        text += " OFFSET " + expression_name(node.args["offset"].args["expression"])
    return text


def _names(nodes: list[exp.Expr]) -> str:
    return ", ".join(expression_name(n) for n in nodes)


def _listed(node: exp.Expr) -> str:
    return f"({_names(node.expressions if isinstance(node, exp.Tuple) else [node])})"


def _item(node: exp.Expr) -> str:
    if isinstance(node, exp.Alias):
        return f"{expression_name(node.this)} AS {quote_name(node.alias)}"
    star = node.this if isinstance(node, exp.Column) else node
    if isinstance(star, exp.Star) and star.args.get("except_"):
        return f"{expression_name(node)} EXCLUDE ({_names(star.args['except_'])})"
    return expression_name(node)


def _from(node: Any) -> str:
    text = _source(node.args["from_"].this)
    for join in node.args.get("joins") or ():
        text = _join(text, join)
    return text


def _join(left: str, join: Any) -> str:
    right = _source(join.this)
    if join.meta.get("comma"):
        return f"{left} , {right}"
    words = [join.args.get(k) for k in ("method", "side", "kind")]
    word = " ".join(w.upper() for w in words if w and w.upper() != "OUTER") or "INNER"
    if word == "ASOF":
        word = "ASOF INNER"
    text = f"{left} {word} JOIN {right}"
    if join.args.get("on") is not None:
        text += f" ON ({expression_name(join.args['on'])})"
    elif join.args.get("using"):
        text += f" USING ({_names(join.args['using'])})"
    return f"({text})"


def _source(node: Any) -> str:
    alias = node.args.get("alias")
    suffix = f" AS {_alias(alias)}" if alias is not None and (alias.this or alias.args.get("columns")) else ""
    match node:
        case exp.Table():
            parts = [node.args.get("catalog"), node.args.get("db"), node.this]
            text = ".".join(expression_name(p) for p in parts if p is not None)
        case exp.Values():
            inner = f"SELECT * FROM {_values(node)} AS valueslist"
            text = f"({inner})"
        case exp.Unnest() | exp.Lateral(this=exp.Unnest()):
            inner = node if isinstance(node, exp.Unnest) else node.this
            text = f"unnest({_names(inner.expressions)})"
            text += " WITH ORDINALITY" if inner.args.get("offset") else ""
        case exp.Subquery(this=exp.Table()):
            text = f"({_source(node.this)})"
        case exp.Subquery() | exp.Lateral():
            inner = node.this
            text = f"({query_text(inner.this if isinstance(inner, exp.Subquery) else inner)})"
        case _:
            text = expression_name(node)
    for join in node.args.get("joins") or ():
        text = _join(text, join)
    return text + suffix


def _alias(alias: Any) -> str:
    name = quote_name(alias.this.name) if alias.this is not None else ""
    columns = alias.args.get("columns")
    return f"{name}({', '.join(expression_name(c) for c in columns)})" if columns else name


def _values(node: Any) -> str:
    rows = [
        f"({_names(row.expressions)})" if isinstance(row, exp.Tuple) else f"({expression_name(row)})"
        for row in node.expressions
    ]
    return f"(VALUES {', '.join(rows)})"
