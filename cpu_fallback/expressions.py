"""Evaluation of bound expressions over CPU batches: the public entry points.

>>> from ..planner.expr import Call, Literal
>>> from ..planner.types import INTEGER
>>> evaluate_constant(Call(INTEGER, "+", (Literal(INTEGER, 1), Literal(INTEGER, 2))))
3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.batch import Batch
from ..planner.expr import Expr, Literal
from ..planner.messages_values import value_too_long
from ..planner.types import BOOLEAN
from .expr_compile import Compiler
from .expr_merge import concat_vectors
from .expr_program import Frame
from .functions.registry import Check
from .kernels.arrays import TextOverflow
from .pieces import in_parts
from .selection import Selection
from .storage import arrow_type
from .vector import Vector

Compiled = Callable[..., Vector]
CompiledMany = Callable[..., list[Vector]]
Predicate = Callable[..., Selection]

_NO_COLUMNS = Batch((), (), 1)


def never() -> None:
    """The check of work that nobody can cancel."""


def compile_expression(expr: Expr) -> Compiled:
    """A pure function from a batch (and `check`, see `compile_many`) to the expression's value; threads may
    share it.

    The value is a Vector of `batch.num_rows` rows or a constant. Errors of values (overflow, casts, ...)
    are SqlErrors with the place of the failing part; rows that SQL would not evaluate raise none.
    """
    run, type_ = compile_many((expr,)), expr.type

    def whole(batch: Batch, check: Check = never) -> Vector:
        parts = [(vectors[0], part.num_rows) for part, vectors in in_parts(run, batch, check)]
        if len(parts) == 1:
            return parts[0][0]
        try:
            return concat_vectors(type_, parts)
        except TextOverflow as overflow:
            raise value_too_long() from overflow

    return whole


def compile_many(exprs: Sequence[Expr]) -> CompiledMany:
    """Like `compile_expression` for several expressions, which share the parts they have in common.

    `check` is called between pieces of long work and may raise. Raises TextOverflow when strings are too many
    for one batch, also those of intermediate results: see `pieces.in_parts`.
    """
    compiler = Compiler()
    program = compiler.scope.program(*[compiler.slot(expr) for expr in exprs])
    types = [expr.type for expr in exprs]

    def run(batch: Batch, check: Check = never) -> list[Vector]:
        n = batch.num_rows
        if n == 0:
            return [Vector.of_array(type_, pa.array([], arrow_type(type_))) for type_ in types]
        return program.run(Frame(batch, n, check))

    return run


def compile_predicate(expr: Expr) -> Predicate:
    """A pure function from a batch (and `check`) to the rows for which a BOOLEAN expression is true (neither
    false nor NULL).
    """
    assert expr.type == BOOLEAN or isinstance(expr, Literal), expr
    compiler = Compiler()
    program = compiler.scope.program(compiler.slot(expr, truth=True))

    def run(batch: Batch, check: Check) -> list[Vector]:
        return program.run(Frame(batch, batch.num_rows, check))

    def select(batch: Batch, check: Check = never) -> Selection:
        n = batch.num_rows
        if n == 0:
            return Selection.all(0)
        parts = [_selected(vectors[0], part.num_rows) for part, vectors in in_parts(run, batch, check)]
        if len(parts) == 1:
            return parts[0]
        masks = [np.ones(part.n, dtype=np.bool_) if part.mask is None else part.mask for part in parts]
        return Selection(n, np.concatenate(masks))

    return select


def _selected(truth: Vector, n: int) -> Selection:
    if truth.is_constant:
        return Selection.all(n) if truth.value else Selection.none(n)
    return Selection(n, truth.values)


def evaluate_constant(expr: Expr) -> Any:
    """The value, in the literal form of its type, of an expression that reads no column."""
    return evaluate_constants((expr,))[0]


def evaluate_constants(exprs: Iterable[Expr], check: Check = never) -> list[Any]:
    """The values of several expressions that read no column."""
    ((_, vectors),) = in_parts(compile_many(tuple(exprs)), _NO_COLUMNS, check)
    return [vector.to_constant().value for vector in vectors]
