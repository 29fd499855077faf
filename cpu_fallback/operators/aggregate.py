"""Aggregate: groups rows and computes functions over each group; without functions this is DISTINCT."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.memory import Reservation
from ...physical.operators import SinkBase
from ...physical.pipeline import AggregateSink, Flow, Rows
from ..expressions import compile_many
from ..pieces import in_parts
from ..vector import Vector
from . import aggregate_state
from .aggregate_functions import bind_call
from .aggregate_plan import AggregatePlan, start_states
from .base import split
from .grouping import Grouping
from .registry import implements
from .size_limits import size_limits

# The position of a row in the whole input: its morsel's number above its number in the morsel.
_SEQ_SHIFT = 32


@dataclass
class Local:
    """One task's groups and states. `grouping` is None without GROUP BY."""

    grouping: Grouping | None
    states: list[Any]
    reservation: Reservation
    check: Callable[[], None]
    first_seq: int = -1
    seq: int = -1
    row: int = 0

    @property
    def groups(self) -> int:
        """Number of groups."""
        return 1 if self.grouping is None else self.grouping.size

    def reserve(self) -> None:
        """Makes the reservation as large as what is held."""
        held = sum(state.nbytes for state in self.states)
        self.reservation.resize(held + (0 if self.grouping is None else self.grouping.nbytes))


@implements(AggregateSink)
class Aggregate(SinkBase):
    """One row a group, in the order of their first rows; without GROUP BY one row, also for no input."""

    def __init__(self, spec: AggregateSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.schema
        self.plan = AggregatePlan(grouped=bool(spec.node.groups))
        self.keys = [self.plan.expr(expr) for expr in node.groups]
        self.key_types = [expr.type for expr in node.groups]
        self.finishes = [bind_call(call, self.plan) for call in node.calls]
        self.compute = compile_many(self.plan.exprs)

    def start(self, task: Task) -> Local:
        """No groups yet (one without GROUP BY)."""
        grouping = Grouping(self.key_types, task.check) if self.keys else None
        states = start_states(self.plan, task.check)
        return Local(grouping, states, task.query.reservation("GROUP BY"), task.check)

    def add(self, local: Local, batch: Batch, seq: int) -> Flow:
        """Numbers the groups of the batch's rows and hands the rows to every state."""
        if seq != local.seq:
            local.seq, local.row = seq, 0
            local.first_seq = seq if local.first_seq < 0 else local.first_seq
        for part, vectors in in_parts(self.compute, batch, local.check):
            self._add(local, vectors, part.num_rows, seq)
        return Flow.MORE

    def _add(self, local: Local, vectors: Sequence[Vector], n: int, seq: int) -> None:
        position = (seq << _SEQ_SHIFT) + local.row
        local.row += n
        gids = None
        if local.grouping is not None:
            with size_limits("GROUP BY"):
                gids = local.grouping.number([vectors[key].to_array(n) for key in self.keys])
        expanded = [vector.expand(n) for vector in vectors]
        for slot, state in zip(self.plan.slots, local.states, strict=True):
            selected = None if slot.filter is None else _selection(vectors[slot.filter], n)
            args = [expanded[i] for i in slot.args]
            state.update(aggregate_state.Rows(args, gids, local.groups, n, selected, position))
        local.reserve()

    def finish(self, parts: Sequence[Local], task: Task) -> Rows:
        """Merges the tasks' groups and reads the results off the states."""
        with size_limits("GROUP BY"):
            result = self._merged(parts, task)
            columns = [] if result.grouping is None else result.grouping.columns()
            columns += [finish(result.states, result.groups) for finish in self.finishes]
        rows = Batch(self.schema, columns, result.groups)
        task.metrics(self.op_id).rows += result.groups
        return Rows(self.schema, [part for part in split(rows, task.query.batch_size) if part.num_rows])

    def _merged(self, parts: Sequence[Local], task: Task) -> Local:
        used = sorted((part for part in parts if part.first_seq >= 0), key=lambda part: part.first_seq)
        if not used:
            return self.start(task)
        into = used[0]
        for part in used[1:]:
            task.check()
            gids = np.zeros(1, dtype=np.int32)
            if into.grouping is not None and part.grouping is not None:
                gids = into.grouping.number(part.grouping.columns())
            for state, other in zip(into.states, part.states, strict=True):
                state.merge(other, gids, into.groups)
            into.reserve()
            part.reservation.release()
        return into


def _selection(condition: Vector, n: int) -> Any:
    """The rows at which a FILTER condition is true, as a byte mask."""
    return condition.expand(n).values.view(np.uint8)
