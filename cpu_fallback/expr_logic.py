"""AND, OR and NOT: three-valued, over masks of one byte a row.

The terms of a connective that cannot fail are evaluated for all rows and folded one after the other. Those
that can fail are evaluated only at the rows the terms before them leave open, and costly ones (strings) too
once most rows are decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..planner.expr import And, Expr, Or
from ..planner.types import BOOLEAN
from .expr_program import Frame, Part, Rows, Step, Steps
from .expr_raise import can_raise, is_costly
from .vector import Mask, Valid, Vector, null_constant

if TYPE_CHECKING:
    from .expr_compile import Compilation, Compiler

Fold = Callable[[Vector, Vector], Vector]


def negation(args: Sequence[Vector], n: int) -> Vector:
    """NOT; NULL stays NULL."""
    (arg,) = args
    return Vector.of_truth(BOOLEAN, ~arg.values, arg.valid)


def compile_connective(compiler: Compiler, node: And | Or, truth: bool) -> Compilation:
    """Compiles an n-ary AND or OR; returns its slot. With `truth` a NULL may come out as false."""
    fold = _folding(isinstance(node, And), truth)
    scope = compiler.scope
    eager: list[Expr] = []
    late: list[tuple[Expr, bool]] = []
    for term in node.args:
        raises = can_raise(term)
        if raises or is_costly(term):
            late.append((term, raises))
        else:
            eager.append(term)
    if not eager:
        eager.append(late.pop(0)[0])
    slot = yield compiler.compile(eager[0], truth)
    for term in eager[1:]:
        other = yield compiler.compile(term, truth)
        slot = scope.emit(_fold_step(fold, slot, other), (slot, other))
    for term, raises in late:
        part = yield compiler.part(term, truth)
        open_rows = _open_rows(isinstance(node, And), truth)
        slot = scope.emit(_late_step(fold, open_rows, slot, part, raises), (slot, *part.uses))
    return slot


def _fold_step(fold: Fold, left: int, right: int) -> Step:
    return lambda frame: fold(frame.slots[left], frame.slots[right])


def _late_step(
    fold: Fold, open_rows: Callable[[Vector], Mask | bool], slot: int, part: Part, raises: bool
) -> Step:
    def step(frame: Frame) -> Steps:
        known: Vector = frame.slots[slot]
        pending = open_rows(known)
        if isinstance(pending, bool):
            if not pending:
                return known
            rows = None
        else:
            count = int(np.count_nonzero(pending))
            if count == 0:
                return known
            all_rows = count == frame.n or (not raises and 2 * count > frame.n)
            rows = None if all_rows else np.flatnonzero(pending)
        value = yield part.at(frame, rows)
        return fold(known, value if rows is None else scatter_truth(value, rows, frame.n))

    return step


def scatter_truth(vector: Vector, rows: Rows, n: int) -> Vector:
    """Booleans of some rows as booleans of all `n`, false elsewhere."""
    vector = vector.expand(len(rows))
    values = np.zeros(n, dtype=np.bool_)
    values[rows] = vector.values
    valid: Valid = None
    if vector.valid is not None:
        valid = np.ones(n, dtype=np.bool_)
        valid[rows] = vector.valid
    return Vector.of_values(BOOLEAN, values, valid)


def _open_rows(conjunction: bool, truth: bool) -> Callable[[Vector], Mask | bool]:
    """The rows at which a later term still matters; a bool when that is all or none of them."""

    def for_and(known: Vector) -> Mask | bool:
        if known.is_constant:
            return bool(known.value) or (known.value is None and not truth)
        valid = known.valid
        return known.values if truth or valid is None else known.values | ~valid

    def for_or(known: Vector) -> Mask | bool:
        if known.is_constant:
            return not known.value
        return ~known.values

    return for_and if conjunction else for_or


def _folding(conjunction: bool, truth: bool) -> Fold:
    both = _both if conjunction else _either

    def fold(left: Vector, right: Vector) -> Vector:
        if left.is_constant or right.is_constant:
            return _with_constant(left, right, conjunction)
        if truth or (left.valid is None and right.valid is None):
            values = left.values & right.values if conjunction else left.values | right.values
            return Vector.of_values(BOOLEAN, values, None)
        return both(left, right)

    return fold


def _both(left: Vector, right: Vector) -> Vector:
    """AND: false where either is false, else NULL where either is NULL."""
    a, b, a_valid, b_valid = left.values, right.values, left.valid, right.valid
    if a_valid is None:
        valid = b_valid | ~a
    elif b_valid is None:
        valid = a_valid | ~b
    else:
        valid = (a_valid & (b_valid | ~a)) | (b_valid & ~b)
    return Vector.of_values(BOOLEAN, a & b, valid)


def _either(left: Vector, right: Vector) -> Vector:
    """OR: true where either is true, else NULL where either is NULL."""
    values = left.values | right.values
    a_valid, b_valid = left.valid, right.valid
    if a_valid is None or b_valid is None:
        valid = values | (b_valid if a_valid is None else a_valid)
    else:
        valid = values | (a_valid & b_valid)
    return Vector.of_values(BOOLEAN, values, valid)


def _with_constant(left: Vector, right: Vector, conjunction: bool) -> Vector:
    constant, other = (left, right) if left.is_constant else (right, left)
    if constant.value is None:
        return _with_null(other, conjunction)
    decides = constant.value is not conjunction
    return constant if decides else other


def _with_null(other: Vector, conjunction: bool) -> Vector:
    """NULL AND x is false or NULL, NULL OR x is true or NULL."""
    if other.is_constant:
        decided = other.value is not None and other.value is not conjunction
        return other if decided else null_constant(BOOLEAN)
    if not conjunction:
        return Vector.of_values(BOOLEAN, other.values, other.values)
    false = ~other.values if other.valid is None else other.valid & ~other.values
    return Vector.of_values(BOOLEAN, np.zeros(len(other), dtype=np.bool_), false)
