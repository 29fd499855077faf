"""Project: computes expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ...planner.expr import Column, Expr
from ..expressions import checked
from ..ops import Ops
from ..values import Evaluation
from .base import BatchTransform, device_batch
from .registry import implements


@implements(nodes.Project)
class Project(BatchTransform):
    """One output column an expression; what is known of their bounds goes along."""

    def __init__(self, spec: nodes.Project, backend: Any) -> None:
        self.op_id = spec.op_id
        self.columns = spec.columns
        self.exprs = spec.exprs

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch:
        """As many rows as come in."""
        return computed(self.exprs, self.columns, batch, ops)


def computed(exprs: Sequence[Expr], schema: Sequence[Column], batch: Batch, ops: Ops) -> Batch:
    """The expressions over a batch as a batch; raises the first error that a row has."""
    values = checked(exprs, batch, ops)
    run = Evaluation(ops, batch.num_rows)
    bounds = {}
    for column, value in zip(schema, values, strict=True):
        if value.bounds is not None:
            bounds[column.id] = value.bounds
        elif isinstance(value.literal, int) and not isinstance(value.literal, bool):
            bounds[column.id] = value.literal, value.literal
    return device_batch(schema, [run.column(value) for value in values], batch.num_rows, bounds)
