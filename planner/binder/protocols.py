"""What binding expressions asks of binding queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sqlglot import exp

from ..errors import Span
from ..expr import Expr
from ..logical import Plan


class Scope(Protocol):
    """The names visible at a place of a query."""

    def resolve(self, parts: tuple[str, ...], span: Span | None) -> Expr:
        """What a possibly qualified name ([catalog.][schema.]table.column) refers to: a reference to a column
        here or of a query around, or the expression behind a SELECT alias. Raises BinderError with candidates
        when there is nothing or too much."""
        ...

    def at_place(self, place: int, span: Span | None) -> Expr:
        """The column of FROM at a place, counted from 1. Raises BinderError where there is none."""
        ...


# Binds a query inside an expression.
SubqueryBinder = Callable[[exp.Expr], Plan]
