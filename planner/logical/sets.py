"""Plans over several inputs of like columns, and shared ones: UNION ALL, INTERSECT, EXCEPT, WITH."""

from __future__ import annotations

from dataclasses import dataclass

from ..expr import Column
from .base import Plan


@dataclass(frozen=True, eq=False)
class UnionAll(Plan):
    """Rows of each branch in turn. Output column i is column i of every branch (same types; the binder has
    inserted casts).
    """

    branches: tuple[Plan, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return self.branches


@dataclass(frozen=True, eq=False)
class SetOp(Plan):
    """INTERSECT or EXCEPT, with or without ALL (`all`); NULLs count as equal. UNION is Distinct over
    UnionAll.
    """

    kind: str
    all: bool
    left: Plan
    right: Plan
    columns: tuple[Column, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, eq=False)
class Cte(Plan):
    """WITH name AS (definition) body: `definition` is computed once and read by the CteRefs of `cte_id` in
    `body`. `materialized` is the user's word (None: the optimizer decides).
    """

    cte_id: int
    name: str
    definition: Plan
    body: Plan
    materialized: bool | None = None

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.body.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.definition, self.body)


@dataclass(frozen=True, eq=False)
class CteRef(Plan):
    """One use of a Cte: `columns[i]` (fresh ids) is column `positions[i]` of the definition's schema."""

    cte_id: int
    name: str
    columns: tuple[Column, ...]
    positions: tuple[int, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns
