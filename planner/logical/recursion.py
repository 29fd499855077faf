"""WITH RECURSIVE: a plan that is repeated over the rows of its last round."""

from __future__ import annotations

from dataclasses import dataclass

from ..expr import Column
from .base import Plan


@dataclass(frozen=True, eq=False)
class Recursion(Plan):
    """The rows of `anchor`, then those of `step` again and again, each time over the rows of the round before
    (which WorkingRefs of `cte_id` in `step` read), until a round has none. Output column i is
    `anchor_columns[i]` and `step_columns[i]`, columns of the two inputs.

    With `distinct` (UNION) a row that came before is left out, from the next round too. With `key` (USING
    KEY, positions of columns) the result is a table of one row a key, in which later rows replace earlier
    ones.
    """

    cte_id: int
    name: str
    anchor: Plan
    step: Plan
    anchor_columns: tuple[Column, ...]
    step_columns: tuple[Column, ...]
    columns: tuple[Column, ...]
    distinct: bool
    key: tuple[int, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.anchor, self.step)


@dataclass(frozen=True, eq=False)
class WorkingRef(Plan):
    """One use, within the step of a Recursion, of the rows of its last round: `columns[i]` (fresh ids) is
    column
    `positions[i]` of its schema. `whole`: of all rows so far instead (`recurring.name`).
    """

    cte_id: int
    name: str
    columns: tuple[Column, ...]
    positions: tuple[int, ...]
    whole: bool = False

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns
