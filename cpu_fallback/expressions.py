"""Evaluation of bound expressions over CPU batches: the public entry points.

>>> from ..planner.expr import Call, Literal
>>> from ..planner.types import INTEGER
>>> evaluate_constant(Call(INTEGER, "+", (Literal(INTEGER, 1), Literal(INTEGER, 2))))
3
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyarrow as pa

from ..physical.batch import Batch
from ..planner.expr import Expr, Literal
from ..planner.types import BOOLEAN
from .expr_compile import Compiler
from .expr_program import Frame
from .selection import Selection
from .storage import arrow_type
from .vector import Vector

Compiled = Callable[[Batch], Vector]
CompiledMany = Callable[[Batch], list[Vector]]
Predicate = Callable[[Batch], Selection]

_NO_COLUMNS = Batch((), (), 1)


def compile_expression(expr: Expr) -> Compiled:
    """A pure function from a batch to the expression's value; threads may share it.

    The value is a Vector of `batch.num_rows` rows or a constant. Errors of values (overflow, casts, ...)
    are SqlErrors with the place of the failing part; rows that SQL would not evaluate raise none.
    """
    run = compile_many((expr,))
    return lambda batch: run(batch)[0]


def compile_many(exprs: Sequence[Expr]) -> CompiledMany:
    """Like `compile_expression` for several expressions, which share the parts they have in common."""
    compiler = Compiler()
    program = compiler.scope.program(*[compiler.slot(expr) for expr in exprs])
    types = [expr.type for expr in exprs]

    def run(batch: Batch) -> list[Vector]:
        n = batch.num_rows
        if n == 0:
            return [Vector.of_array(type_, pa.array([], arrow_type(type_))) for type_ in types]
        return program.run(Frame(batch, n))

    return run


def compile_predicate(expr: Expr) -> Predicate:
    """A pure function from a batch to the rows for which a BOOLEAN expression is true (neither false nor
    NULL).
    """
    assert expr.type == BOOLEAN or isinstance(expr, Literal), expr
    compiler = Compiler()
    program = compiler.scope.program(compiler.slot(expr, truth=True))

    def run(batch: Batch) -> Selection:
        n = batch.num_rows
        if n == 0:
            return Selection.all(0)
        vector = program.run_one(Frame(batch, n))
        if vector.is_constant:
            return Selection.all(n) if vector.value else Selection.none(n)
        return Selection(n, vector.values)

    return run


def evaluate_constant(expr: Expr) -> Any:
    """The value, in the literal form of its type, of an expression that reads no column."""
    return evaluate_constants((expr,))[0]


def evaluate_constants(exprs: Iterable[Expr]) -> list[Any]:
    """The values of several expressions that read no column."""
    vectors = compile_many(tuple(exprs))(_NO_COLUMNS)
    return [vector.to_constant().value for vector in vectors]
