"""Constants where no expression over rows can stand: arguments of table functions, values of settings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sqlglot import exp

from .. import messages_query
from ..expr import Call, Expr, Literal
from ..frontend import span_of
from ..types import TypeId
from .environment import Environment
from .expression import BindQuery, bind_expression
from .scope import Scope


def constant_argument(node: exp.Expr, function: str, env: Environment, bind_query: BindQuery) -> Any:
    """The Python value of a table function's argument. Raises BinderError if it is not a constant."""
    if isinstance(node, exp.Array):
        return [constant_argument(item, function, env, bind_query) for item in node.expressions]
    if isinstance(node, exp.Struct):
        return {
            pair.this.name: constant_argument(pair.expression, function, env, bind_query)
            for pair in node.expressions
            if isinstance(pair, exp.PropertyEQ)
        }
    if node.find(exp.Column) is not None:
        raise messages_query.table_function_argument(function, span_of(node))
    expr = bind_expression(
        node, Scope(), Environment(env.context), bind_query, "a table function's arguments"
    )
    folded = _fold(expr)
    if folded is None:
        raise messages_query.table_function_argument(function, span_of(node))
    return python_value(folded)


def _fold(expr: Expr) -> Literal | None:
    """Literals, and minus before a number."""
    if isinstance(expr, Literal):
        return expr
    if isinstance(expr, Call) and expr.function == "neg":
        inner = _fold(expr.args[0])
        return (
            None if inner is None or inner.value is None else Literal(expr.type, -inner.value, span=expr.span)
        )
    return None


def python_value(literal: Literal) -> Any:
    """A literal's value as the Python object a user would write; the literal itself where its form would be
    taken for another value (a TIMESTAMP for a number).
    """
    kind = literal.type
    if kind.is_decimal and literal.value is not None:
        return Decimal(literal.value).scaleb(-kind.scale)
    plain = literal.value is None or kind.is_numeric or kind.is_string or kind.id is TypeId.BOOLEAN
    return literal.value if plain else literal
