"""Pairs of rows that join, and what a kind of join makes of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arguments import resource, scratch
from ..device import Allocation, device
from ..errors import data_type_error, expects, invalid_argument, logic_error, overflow_error
from ..kernels import keys, storage
from ._expressions import Rows, predicate, table_lookup
from ._kinds import Kind
from .column import Column, made
from .expressions import ColumnReference, Expression, TableReference
from .table import Table
from .types import DataType, NullEquality, TypeId

# The number of a row that is not there.
NO_ROW = -(2**31)
_INT32 = DataType(TypeId.INT32)
# Pairs that a condition is tried on at a time.
_BLOCK = 1 << 20


class Pairs(NamedTuple):
    """Row numbers on the left and on the right."""

    left: np.ndarray
    right: np.ndarray


class HashTable:
    """Memory of a table that a join has prepared; freed with this."""

    def __init__(self, of: Table, load_factor: float) -> None:
        self._memory = Allocation(resource(), int(8 * of.num_rows() / load_factor) + 8)


def equal(left: Table, right: Table, nulls: NullEquality) -> Pairs:
    """Pairs whose keys are equal: NaN equals NaN, -0.0 equals 0.0."""
    expects(left.num_columns() > 0, invalid_argument("Hash join keys are empty"))
    expects(
        left.num_columns() == right.num_columns(),
        logic_error("Mismatch in number of columns to be joined on"),
    )
    for a, b in zip(left.columns(), right.columns(), strict=True):
        expects(_same(a._kind, b._kind), data_type_error("Mismatch in joining column data types"))
    rows = left.num_rows()
    with scratch(16 * right.num_rows()):
        together = [
            storage.concatenate([a._rows, b._rows])
            for a, b in zip(left.columns(), right.columns(), strict=True)
        ]
        codes = keys.row_codes(together, rows + right.num_rows())
        if nulls is NullEquality.UNEQUAL:
            codes = keys.apart(codes, keys.with_null(together, len(codes)))
        return _matching(codes[:rows], codes[rows:])


def _same(a: Kind, b: Kind) -> bool:
    return (
        a.dtype == b.dtype and len(a.children) == len(b.children) and all(map(_same, a.children, b.children))
    )


def _matching(left: np.ndarray, right: np.ndarray) -> Pairs:
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    first, last = np.searchsorted(ordered, left, "left"), np.searchsorted(ordered, left, "right")
    counts = last - first
    check_rows(int(counts.sum()))
    at_left = np.repeat(np.arange(len(left)), counts)
    step = np.arange(len(at_left)) - np.repeat(np.cumsum(counts) - counts, counts)
    return Pairs(at_left, order[np.repeat(first, counts) + step])


def check_rows(count: int) -> None:
    expects(count <= device.row_limit, overflow_error("Size of join output exceeds the column size limit"))


def conditional(left: Table, right: Table, condition: Expression) -> Pairs:
    """Pairs for which the condition is true."""
    pairs = left.num_rows() * right.num_rows()
    found = [
        _kept(_block(begin, min(begin + _BLOCK, pairs), right.num_rows()), left, right, condition)
        for begin in range(0, pairs, _BLOCK)
    ]
    if not found:
        # No pair at all: the condition's types are checked all the same.
        nothing = np.zeros(0, np.int64)
        return _kept(Pairs(nothing, nothing), left, right, condition)
    return Pairs(np.concatenate([p.left for p in found]), np.concatenate([p.right for p in found]))


def _block(begin: int, end: int, width: int) -> Pairs:
    number = np.arange(begin, end)
    return Pairs(number // width, number % width)


def _kept(pairs: Pairs, left: Table, right: Table, condition: Expression) -> Pairs:
    whole = table_lookup(left, right)

    def lookup(reference: Expression) -> Rows:
        rows = whole(reference)
        on_right = isinstance(reference, ColumnReference) and reference._table is TableReference.RIGHT
        return Rows(storage.take(rows.array, pairs.right if on_right else pairs.left), rows.dtype)

    true = predicate(condition, lookup, len(pairs.left))
    return Pairs(pairs.left[true], pairs.right[true])


def mixed(
    left_keys: Table,
    right_keys: Table,
    left: Table,
    right: Table,
    condition: Expression,
    nulls: NullEquality,
) -> Pairs:
    """Pairs with equal keys for which the condition is true."""
    expects(
        left_keys.num_rows() == left.num_rows(),
        logic_error("The left conditional and equality tables differ in rows"),
    )
    expects(
        right_keys.num_rows() == right.num_rows(),
        logic_error("The right conditional and equality tables differ in rows"),
    )
    return _kept(equal(left_keys, right_keys, nulls), left, right, condition)


def matched(kind: str, pairs: Pairs, left: Table, right: Table) -> tuple[Column, Column]:
    """The pairs of an inner, left or full join as columns, shuffled."""
    at_left, at_right = pairs
    if kind in ("left", "full"):
        alone = np.setdiff1d(np.arange(left.num_rows()), at_left)
        at_left = np.concatenate([at_left, alone])
        at_right = np.concatenate([at_right, np.full(len(alone), NO_ROW)])
    if kind == "full":
        alone = np.setdiff1d(np.arange(right.num_rows()), pairs.right)
        at_left = np.concatenate([at_left, np.full(len(alone), NO_ROW)])
        at_right = np.concatenate([at_right, alone])
    check_rows(len(at_left))
    order = device.order(len(at_left))
    return _numbers(at_left[order]), _numbers(at_right[order])


def flags(kind: str, pairs: Pairs, left: Table) -> Column:
    """The left rows of a semi or anti join, shuffled."""
    found = np.zeros(left.num_rows(), np.bool_)
    found[pairs.left] = True
    at = np.flatnonzero(found if kind == "semi" else ~found)
    return _numbers(at[device.order(len(at))])


def _numbers(at: np.ndarray) -> Column:
    return made(_INT32, storage.build(at.astype(np.int32)))


def cross(left: Table, right: Table) -> Table:
    expects(bool(left.num_columns()), logic_error("Left table is empty"))
    expects(bool(right.num_columns()), logic_error("Right table is empty"))
    count = left.num_rows() * right.num_rows()
    check_rows(count)
    pairs = _block(0, count, max(right.num_rows(), 1))
    columns = [made(c._kind, storage.take(c._rows, pairs.left)) for c in left.columns()]
    columns += [made(c._kind, storage.take(c._rows, pairs.right)) for c in right.columns()]
    return Table(columns, count)
