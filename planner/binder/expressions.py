"""Binding of expressions: loads the handlers of every kind of expression."""

from __future__ import annotations

from . import (
    expr_aggregates,
    expr_comparisons,
    expr_conditional,
    expr_functions,
    expr_intervals,
    expr_lambdas,
    expr_literals,
    expr_nested,
    expr_operators,
    expr_patterns,
    expr_subqueries,
    expr_windows,
)
from .expr_core import HANDLERS, ExpressionBinder

_LOADED = (
    expr_aggregates,
    expr_comparisons,
    expr_conditional,
    expr_functions,
    expr_intervals,
    expr_lambdas,
    expr_literals,
    expr_nested,
    expr_operators,
    expr_patterns,
    expr_subqueries,
    expr_windows,
)

__all__ = ["HANDLERS", "ExpressionBinder"]
