"""The name of a result column that has no alias: the expression, written as DuckDB writes it."""

from __future__ import annotations

from sqlglot import exp


def expression_name(node: exp.Expr) -> str:
    """The text of an expression in DuckDB's normal form."""
    return type(node).__name__.lower()
