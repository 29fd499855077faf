"""Whether a pipeline may run a second time when rows of the first run have been given out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from typing import Any

from ..planner.expr import Expr, SortKey
from ..planner.optimizer.properties import is_volatile
from .nodes import JoinKey
from .pipeline import Pipeline, RecursionSource, node_of, specs_of


def is_repeatable(pipeline: Pipeline) -> bool:
    """Whether a second run gives the rows of the first, in their order: no expression is volatile."""
    for spec in specs_of(pipeline):
        if any(is_volatile(expr) for expr in _expressions(spec)):
            return False
        if isinstance(spec, RecursionSource) and not all(map(is_repeatable, spec.rounds)):
            return False
    return True


def _expressions(spec: Any) -> Iterator[Expr]:
    """What the operator of a spec evaluates; what its inputs do is not among it."""
    pending = [getattr(part, field.name) for part in (node_of(spec), spec) for field in _fields(part)]
    while pending:
        value = pending.pop()
        if isinstance(value, Expr):
            yield value
        elif isinstance(value, tuple):
            pending += value
        elif isinstance(value, (JoinKey, SortKey)):
            pending += [getattr(value, field.name) for field in _fields(value)]


def _fields(value: Any) -> tuple[Field[Any], ...]:
    return fields(value) if is_dataclass(value) else ()
