"""Pairs of rows that a join matches: row numbers of both sides, in the order of left row, then right row.

libcudf gives pairs in any order; the order that SQL's users see is restored by sorting them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...physical.batch import Batch
from ...planner.expr import Column, Expr, references
from ...planner.messages_runtime import second_row
from ..expressions import predicate
from ..ops import Ops
from ..storage import named_type
from .base import device_batch

# Pairs tested at once, at most.
BLOCK = 1 << 24
# Bytes that testing a pair takes beside the columns it reads.
_PAIR_BYTES = 32
# No row: libcudf's own mark for it, which gather with `outside_is_null` turns into NULL.
NO_ROW = -(2**31)


@dataclass(frozen=True)
class Pairs:
    """Left and right row numbers (INT32) side by side."""

    left: Any
    right: Any

    def __len__(self) -> int:
        return self.left.size()


def equal_pairs(left: Sequence[Any], right: Sequence[Any], ops: Ops) -> Pairs:
    """The pairs of rows whose keys are equal, in any order; NULL equals nothing."""
    unequal = ops.plc.types.NullEquality.UNEQUAL
    found = ops.plc.join.inner_join(ops.table(left), ops.table(right), unequal, stream=ops.stream)
    return Pairs(*found)


def all_pairs(left: int, start: int, stop: int, ops: Ops) -> Pairs:
    """Every one of `left` left rows with the right rows start .. stop, in order."""
    width = max(stop - start, 0)
    numbers = ops.row_numbers(left * width)
    if not left * width:
        return Pairs(numbers, numbers)
    kind, by = named_type("INT32"), ops.int32(width)
    right = ops.binary("ADD", ops.binary("MOD", numbers, by, kind), ops.int32(start), kind)
    return Pairs(ops.binary("DIV", numbers, by, kind), right)


def block(ops: Ops) -> int:
    """How many pairs are tested at once, at most."""
    return max(1024, min(BLOCK, ops.memory.work_bytes // _PAIR_BYTES))


def blocks(
    left: Batch, right: Batch, condition: Expr | None, size: int, check: Callable[[], None], ops: Ops
) -> Iterator[Pairs]:
    """All pairs for which a condition is true, of about `size` pairs tested at once."""
    for pairs in all_blocks(left.num_rows, right.num_rows, size, check, ops):
        yield matching(pairs, condition, left, right, ops)


def all_blocks(left: int, right: int, size: int, check: Callable[[], None], ops: Ops) -> Iterator[Pairs]:
    """All pairs of so many left and right rows, about `size` at once."""
    step = max(1, size // max(1, left))
    for start in range(0, max(right, 1), step):
        check()
        yield all_pairs(left, start, min(start + step, right), ops)


def matching(pairs: Pairs, condition: Expr | None, left: Batch, right: Batch, ops: Ops) -> Pairs:
    """The pairs for which a condition is true; None keeps all."""
    if condition is None or not len(pairs):
        return pairs
    mask = predicate(condition, pair_batch(pairs, [condition], left, right, ops), ops)
    return Pairs(*ops.kept([pairs.left, pairs.right], mask))


def pair_batch(pairs: Pairs, exprs: Sequence[Expr], left: Batch, right: Batch, ops: Ops) -> Batch:
    """The columns that expressions read, one row a pair."""
    wanted = frozenset().union(*(references(expr) for expr in exprs))
    schema: list[Column] = []
    columns: list[Any] = []
    for batch, rows in ((left, pairs.left), (right, pairs.right)):
        some = [c for c in batch.schema if c.id in wanted]
        columns += ops.gathered([batch.column(c.id) for c in some], rows)
        schema += some
    return device_batch(schema, columns, len(pairs), {**left.bounds, **right.bounds})


def in_order(pairs: Pairs, ops: Ops) -> Pairs:
    """The pairs by left row, then right row."""
    if len(pairs) < 2:
        return pairs
    columns = [pairs.left, pairs.right]
    return Pairs(*ops.gathered(columns, ops.order(columns, [False, False], [True, True])))


def matched(rows: Any, count: int, ops: Ops) -> Any:
    """Which of `count` rows are among these row numbers, as a boolean column."""
    if not rows.size():
        return ops.repeated(ops.truth(False), count)
    return ops.plc.search.contains(rows, ops.row_numbers(count), stream=ops.stream)


def numbers_where(mask: Any, ops: Ops) -> Any:
    """The row numbers at which a mask is true."""
    (rows,) = ops.kept([ops.row_numbers(mask.size())], mask)
    return rows


def with_unmatched(pairs: Pairs, count: int, ops: Ops) -> Pairs:
    """Adds a pair (left row, no row) for every one of `count` left rows that has no match."""
    missing = numbers_where(ops.inverse(matched(pairs.left, count, ops)), ops)
    if not missing.size():
        return pairs
    nothing = ops.repeated(ops.int32(NO_ROW), missing.size())
    left, right = ops.concatenated([[pairs.left, pairs.right], [missing, nothing]])
    return Pairs(left, right)


def refuse_second(pairs: Pairs, ops: Ops) -> None:
    """Raises where a left row has two matches. The pairs are in order."""
    count = len(pairs)
    if count < 2:
        return
    (first,) = ops.sliced([pairs.left], 0, count - 1)
    (second,) = ops.sliced([pairs.left], 1, count)
    if ops.any_true(ops.binary("EQUAL", first, second)):
        raise second_row()
