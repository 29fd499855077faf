"""Joins of two plans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from ..expr import Column, Expr
from .base import Plan


class JoinKind(Enum):
    """What a join returns. Schemas: INNER/LEFT/RIGHT/FULL/SINGLE: left then right columns; SEMI/ANTI: left
    columns; RIGHT_SEMI/RIGHT_ANTI: right columns; MARK: left columns and the mark."""

    INNER = "INNER"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    FULL = "FULL"
    SEMI = "SEMI"
    ANTI = "ANTI"
    RIGHT_SEMI = "RIGHT_SEMI"
    RIGHT_ANTI = "RIGHT_ANTI"
    MARK = "MARK"
    SINGLE = "SINGLE"


@dataclass(frozen=True, eq=False)
class Join(Plan):
    """Join of two plans with disjoint ids.

    `condition` (None: every pair) keeps pairs for which it is true. MARK: the output column `mark` is, for
    each left row, the three-valued OR over the right rows for which `condition` is true (a NULL condition
    excludes the right row) of the three-valued AND of `mark_terms`; FALSE over no row. So `x IN (correlated
    subquery)` has the correlation in `condition` and `x = y` in `mark_terms`; EXISTS has no mark_terms and
    never NULL. SINGLE: like LEFT, but a second match is the error 'More than one row returned by a subquery
    used as an expression'. `lateral`: the right side may refer to columns of the left one (removed by
    unnesting).
    """

    kind: JoinKind
    left: Plan
    right: Plan
    condition: Expr | None = None
    mark: Column | None = None
    mark_terms: tuple[Expr, ...] = ()
    lateral: bool = False

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        left, right = self.left.schema, self.right.schema
        match self.kind:
            case JoinKind.SEMI | JoinKind.ANTI:
                return left
            case JoinKind.RIGHT_SEMI | JoinKind.RIGHT_ANTI:
                return right
            case JoinKind.MARK:
                assert self.mark is not None
                return (*left, self.mark)
            case JoinKind.LEFT | JoinKind.SINGLE:
                return (*left, *(replace(c, nullable=True) for c in right))
            case JoinKind.RIGHT:
                return (*(replace(c, nullable=True) for c in left), *right)
            case JoinKind.FULL:
                return tuple(replace(c, nullable=True) for c in (*left, *right))
            case _:
                return (*left, *right)

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (*(() if self.condition is None else (self.condition,)), *self.mark_terms)

    @cached_property
    def outer_references(self) -> frozenset[int]:
        free = super().outer_references
        return free - self.left.ids if self.lateral else free
