"""CASE and COALESCE: branches are evaluated for the rows that choose them, and merged.

Conditions and values that cannot fail and cost little are evaluated for all rows (a compare and a choose
over a whole batch are cheaper than choosing rows and putting results back); the others run on their own
rows.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import numpy as np

from ..planner.expr import Case, Coalesce, ColumnRef, Expr, Literal
from .expr_merge import Piece, merge
from .expr_program import Frame, Part, Run, Step, Steps
from .expr_raise import can_raise, is_costly
from .vector import Mask, Vector

if TYPE_CHECKING:
    from .expr_compile import Compilation, Compiler


class _Operand:
    """An operand in the way it will be evaluated: a slot (for all rows, always) or a part (at the rows that
    need it).
    """

    __slots__ = ("part", "slot", "uses")

    def __init__(self, slot: int, part: Part | None) -> None:
        self.slot = slot
        self.part = part
        self.uses = (slot,) if part is None else part.uses

    def at(self, frame: Frame, chosen: Mask | None) -> Generator[Run, Vector, Piece]:
        """The value at the rows where `chosen` is true (None: all rows)."""
        if self.part is None:
            return Piece(chosen, None, frame.slots[self.slot])
        rows = None if chosen is None else np.flatnonzero(chosen)
        vector = yield self.part.at(frame, rows)
        return Piece(chosen, rows, vector)

    def truth_at(self, frame: Frame, open_rows: Mask | None) -> Generator[Run, Vector, Mask | bool]:
        """The open rows at which a condition is true."""
        piece = yield from self.at(frame, open_rows)
        vector = piece.vector
        if vector.is_constant:
            return (True if open_rows is None else open_rows) if vector.value else False
        if piece.rows is not None:
            mask = np.zeros(frame.n, dtype=np.bool_)
            mask[piece.rows] = vector.values
            return mask
        return vector.values if open_rows is None else vector.values & open_rows


def _operand(compiler: Compiler, expr: Expr, *, truth: bool = False, always: bool = False) -> Compilation:
    """Compiles an operand; with `always` it is evaluated for all rows."""
    simple = isinstance(expr, (Literal, ColumnRef))
    if always or simple or not (can_raise(expr) or is_costly(expr)):
        return _Operand((yield compiler.compile(expr, truth)), None)
    return _Operand(-1, (yield compiler.part(expr, truth)))


def compile_case(compiler: Compiler, node: Case) -> Compilation:
    """Compiles a searched CASE; returns its slot."""
    branches = []
    for at, (condition, value) in enumerate(node.branches):
        when = yield _operand(compiler, condition, truth=True, always=at == 0)
        then = yield _operand(compiler, value)
        branches.append((when, then))
    default = yield _operand(compiler, node.default)
    uses = [slot for pair in branches for operand in pair for slot in operand.uses]
    return compiler.scope.emit(_case_step(node, branches, default), (*uses, *default.uses))


def _case_step(node: Case, branches: list[tuple[_Operand, _Operand]], default: _Operand) -> Step:
    type_ = node.type

    def step(frame: Frame) -> Steps:
        pieces: list[Piece] = []
        left: Mask | None = None  # rows no branch has taken yet; None: all
        for condition, value in branches:
            taken = yield from condition.truth_at(frame, left)
            if isinstance(taken, bool):
                if not taken:
                    continue
                pieces.append((yield from value.at(frame, left)))
                return merge(type_, pieces, frame.n)
            count = int(np.count_nonzero(taken))
            if count == 0:
                continue
            if count == frame.n:
                return (yield from value.at(frame, None)).vector
            pieces.append((yield from value.at(frame, taken)))
            left = ~taken if left is None else left & ~taken
            if not left.any():
                return merge(type_, pieces, frame.n)
        pieces.append((yield from default.at(frame, left)))
        return merge(type_, pieces, frame.n)

    return step


def compile_coalesce(compiler: Compiler, node: Coalesce) -> Compilation:
    """Compiles COALESCE; returns its slot."""
    operands = []
    for at, arg in enumerate(node.args):
        operands.append((yield _operand(compiler, arg, always=at == 0)))
    uses = tuple(slot for operand in operands for slot in operand.uses)
    return compiler.scope.emit(_coalesce_step(node, operands), uses)


def _coalesce_step(node: Coalesce, operands: list[_Operand]) -> Step:
    type_ = node.type

    def step(frame: Frame) -> Steps:
        pieces: list[Piece] = []
        left: Mask | None = None
        for operand in operands:
            piece = yield from operand.at(frame, left)
            null = _null_rows(piece, frame.n, left)
            if isinstance(null, bool):
                if not null:
                    pieces.append(piece)
                    return merge(type_, pieces, frame.n)
                continue
            chosen = ~null if left is None else left & ~null
            pieces.append(piece.restricted(chosen))
            left = null
            if not left.any():
                return merge(type_, pieces, frame.n)
        pieces.append(Piece(left, None, Vector.constant(type_, None)))
        return merge(type_, pieces, frame.n)

    return step


def _null_rows(piece: Piece, n: int, left: Mask | None) -> Mask | bool:
    """The open rows at which the piece is NULL; False when there is none, True when it is all of them."""
    vector = piece.vector
    if vector.is_constant:
        return vector.is_null
    if vector.valid is None:
        return False
    if piece.rows is None:
        return ~vector.valid if left is None else left & ~vector.valid
    mask = np.zeros(n, dtype=np.bool_)
    mask[piece.rows] = ~vector.valid
    return mask
