"""Calls of users' Python functions: which rows, in what pieces, with whose errors.

The functions are the connection's; a running query leads to them (`physical.context.Check`). Unlike functions
of our own they are not called twice for a row, nor for rows that need no value: a row comes again only where
a GPU's memory ran short and its pipeline is run once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..physical.python_functions import PythonFunction
from ..planner.errors import SqlError
from ..planner.expr import UserCall
from ..planner.functions import Form
from . import udf_arrow, udf_compiled, udf_native
from .expr_merge import Piece, concat_vectors, merge
from .expr_program import Frame, Step
from .functions.registry import Check
from .kernels.arrays import TextOverflow, text_bytes
from .pieces import BATCH_TEXT, PIECE_SECONDS
from .vector import Vector, combined_valid, null_constant

# Calls a function for rows of which no argument is NULL where that makes the value NULL; the arguments are no
# constants.
Call = Callable[[PythonFunction, Sequence[Vector], int], Vector]

# How each form is called, and rows a call at least and at most. Functions that see arrays see as many rows
# as in DuckDB, so that what they are given does not depend on how long they take.
_ARROW_ROWS = 2048
_CALLS: dict[Form, tuple[Call, int, int]] = {
    Form.NATIVE: (udf_native.call, 1, 1 << 13),
    Form.ARROW: (udf_arrow.call, _ARROW_ROWS, _ARROW_ROWS),
    Form.COMPILED: (udf_compiled.call, 1 << 10, 1 << 20),
}


def user_step(node: UserCall, slots: tuple[int, ...]) -> Step:
    """A step that calls the function of `node`, and names its place in errors."""
    signature, span = node.function, node.span
    # Value of the last constant arguments: these are mostly the same in every batch.
    last: list[tuple[Any, Vector]] = []

    def step(frame: Frame) -> Vector:
        args = [frame.slots[slot] for slot in slots]
        if signature.is_strict and any(arg.is_null for arg in args):
            return null_constant(node.type)
        made: PythonFunction = frame.check.functions[signature.number]
        try:
            if signature.is_volatile or not all(arg.is_constant for arg in args):
                return _of_rows(made, args, frame.n, frame.check)
            # By their text too: 0.0 equals -0.0.
            key = [(type(arg.value), arg.value, str(arg.value)) for arg in args]
            for known, value in last:
                if known == key:
                    return value
            value = _of_rows(made, args, 1, frame.check).to_constant()
            last[:] = [(key, value)]
            return value
        except SqlError as error:
            if error.span is None:
                error.span = span
            raise

    return step


def _of_rows(made: PythonFunction, args: Sequence[Vector], n: int, check: Check) -> Vector:
    """The values for `n` rows; those with a NULL argument are left out where that is the rule."""
    type_ = made.signature.computed
    valid = combined_valid(*args) if made.signature.is_strict else None
    if valid is None or valid.all():
        return _in_pieces(made, args, n, check)
    rows = np.flatnonzero(valid)
    if not len(rows):
        return null_constant(type_)
    values = _in_pieces(made, [arg.take(rows) for arg in args], len(rows), check)
    return merge(type_, [Piece(valid, rows, values), Piece(~valid, None, null_constant(type_))], n)


def _in_pieces(made: PythonFunction, args: Sequence[Vector], n: int, check: Check) -> Vector:
    """The values for all rows, a piece after the other, so that a query ends soon when it is interrupted."""
    signature = made.signature
    call, rows, most = _CALLS[signature.form]
    if not args:
        most = 1
    type_ = signature.computed
    parts: list[tuple[Vector, int]] = []
    at = size = 0
    while at < n:
        check()
        rows = min(rows, most, n - at)
        begin = time.perf_counter()
        part = call(made, [arg.slice(at, rows).expand(rows) for arg in args], rows)
        spent = time.perf_counter() - begin
        parts.append((part, rows))
        if type_.is_string and not part.is_constant:
            size += text_bytes(part.array)
            if size > BATCH_TEXT and n > 1:
                raise TextOverflow(f"more than {BATCH_TEXT} bytes of strings in one batch")
        at += rows
        if signature.form is not Form.ARROW:
            rows = min(4 * rows, int(rows * PIECE_SECONDS / max(spent, 1e-9)) + 1)
    return parts[0][0] if len(parts) == 1 else concat_vectors(type_, parts)
