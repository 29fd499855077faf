"""DEFAULT: as a value, and what it stands for."""

from __future__ import annotations

from sqlglot import exp

from ..catalog import TableColumn
from ..expr import Expr, Literal
from ..frontend import parse_script
from .casting import cast_to
from .environment import Environment
from .expression import BindQuery, bind_expression
from .scope import Scope


def is_default(cell: exp.Expr) -> bool:
    """Whether a value is the word DEFAULT."""
    return isinstance(cell, (exp.Var, exp.Column)) and cell.name.upper() == "DEFAULT"


def default_of(column: TableColumn, env: Environment, bind_query: BindQuery) -> Expr:
    """The default of a column as an expression of its type."""
    if column.default is None:
        return Literal(column.type, None)
    (parsed,) = parse_script(f"SELECT {column.default}")
    assert isinstance(parsed.ast, exp.Select)
    expr = bind_expression(
        parsed.ast.expressions[0], Scope(), Environment(env.context), bind_query, "DEFAULT"
    )
    return cast_to(expr, column.type)
