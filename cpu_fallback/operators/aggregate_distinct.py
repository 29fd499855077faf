"""DISTINCT inside an aggregate call: the function runs over a group's distinct values once all are known."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from ...planner.types import BIGINT
from ..kernels import arrays
from ..kernels.arrays import I32
from ..kernels.gather import select_indices
from ..vector import Vector
from .aggregate_plan import AggregatePlan, start_states
from .aggregate_state import Rows, State
from .grouping import Grouping
from .rows import take_array

# Distinct rows are handed to the inner states in pieces, so that a query can be interrupted between them.
_PIECE = 1 << 20


class DistinctRows:
    """Distinct (group, values) rows, in order of first appearance, and the states that run over them."""

    def __init__(self, inner: AggregatePlan, check: Callable[[], None]) -> None:
        self.inner = inner
        self.types = [expr.type for expr in inner.exprs]
        self.check = check
        self.pairs: Grouping | None = None
        self.grouped = False
        self._states: list[State] | None = None

    def update(self, rows: Rows) -> None:
        columns = [arg.to_array(rows.n) for arg in rows.args]
        gids = rows.gids
        if rows.selected is not None:
            chosen = select_indices(rows.selected)
            columns = [take_array(column, chosen) for column in columns]
            gids = None if gids is None else gids[chosen]
        self._add(columns, gids)

    def merge(self, other: DistinctRows, gids: I32, groups: int) -> None:
        if other.pairs is None:
            return
        columns = other.pairs.columns()
        if other.grouped:
            old = arrays.int64_values(columns[0])
            self._add(columns[1:], gids[old])
        else:
            self._add(columns, None)

    def states(self, groups: int) -> list[State]:
        """The inner states, having taken in the distinct rows."""
        if self._states is None:
            self._states = start_states(self.inner, self.check)
            if self.pairs is not None:
                self._run(self.pairs.columns(), groups)
        return self._states

    @property
    def nbytes(self) -> int:
        return 0 if self.pairs is None else self.pairs.nbytes

    def _add(self, columns: list[pa.Array], gids: I32 | None) -> None:
        types = list(self.types)
        if gids is not None:
            columns = [pa.array(gids.astype("int64")), *columns]
            types = [BIGINT, *types]
        if self.pairs is None:
            self.pairs = Grouping(types, self.check)
            self.grouped = gids is not None
        self.pairs.number(columns)

    def _run(self, columns: list[pa.Array], groups: int) -> None:
        assert self._states is not None
        total = len(columns[0])
        for start in range(0, total, _PIECE):
            self.check()
            part = [column.slice(start, _PIECE) for column in columns]
            gids = None
            if self.grouped:
                gids = arrays.int64_values(part[0]).astype("int32")
                part = part[1:]
            vectors = [Vector.of_array(kind, column) for kind, column in zip(self.types, part, strict=True)]
            for slot, state in zip(self.inner.slots, self._states, strict=True):
                args = [vectors[i] for i in slot.args]
                state.update(Rows(args, gids, groups, len(part[0]), None, start))
