"""Running a function over a batch in pieces, so that a query can be interrupted and no array outgrows arrow.

Most functions of strings take microseconds a row or make strings of any length, and nothing tells which
before they run. So the first rows are run by themselves and timed: where the rest will be quick the function
runs once over all rows, else piece by piece, each of about `PIECE_SECONDS` and `PIECE_BYTES`, with a look at
cancellation between them. Where the strings of a result are too many for one batch, `TextOverflow` tells the
caller to try with fewer rows (`in_parts`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from ..physical.batch import Batch
from ..planner.messages_values import value_too_long
from ..planner.types import SQLType, TypeId
from .dictionary import on_entries
from .expr_merge import concat_vectors
from .functions.registry import Check, Evaluate
from .kernels.arrays import TextOverflow, text_bytes
from .vector import Vector

Compute = Callable[[Batch, Check], list[Vector]]

# Rows of the first piece, which tells how long the others take.
FIRST_ROWS = 512
# What a piece may take: a query that is interrupted ends within half a second.
PIECE_SECONDS = 0.05
# Bytes of strings that go into a piece, and that come out of it as far as the pieces before can tell.
PIECE_BYTES = 1 << 24
# A function that takes less for a whole batch is not cut: putting pieces together copies the result.
QUICK_SECONDS = 0.1
# Bytes of strings that one column of a batch may get from a function; a single value may be longer.
BATCH_TEXT = 1 << 28


def in_pieces(
    evaluate: Evaluate, type_: SQLType, args: Sequence[Vector], n: int, check: Check, *, strict: bool
) -> Vector:
    """`evaluate` of the rows of `args`, which is a function of each row by itself; its values are of `type_`.

    `strict`: NULL arguments give NULL. Raises TextOverflow when the result is too long for one batch.
    """
    varying = [at for at, arg in enumerate(args) if not arg.is_constant]
    if strict and len(varying) == 1 and args[varying[0]].is_dictionary:
        at = varying[0]

        def of_entries(entries: Vector) -> Vector:
            held = [*args[:at], entries, *args[at + 1 :]]
            return _in_pieces(evaluate, type_, held, len(entries), check)

        return on_entries(args[at], of_entries)
    return _in_pieces(evaluate, type_, args, n, check)


def _in_pieces(evaluate: Evaluate, type_: SQLType, args: Sequence[Vector], n: int, check: Check) -> Vector:
    size = sum(_bytes(arg) for arg in args if not arg.is_constant)
    rows = min(FIRST_ROWS, _rows_of(n, size))
    if n <= rows:
        return _limited(evaluate(args, n), n)
    parts: list[tuple[Vector, int]] = []
    made = at = 0
    while at < n:
        check()
        rows = min(rows, n - at)
        begin = time.perf_counter()
        part = evaluate([arg.slice(at, rows) for arg in args], rows)
        spent = time.perf_counter() - begin
        produced = _bytes(part)
        quick = spent * n < QUICK_SECONDS * rows and produced * n < PIECE_BYTES * rows
        if at == 0 and quick and size <= PIECE_BYTES:
            return _limited(evaluate(args, n), n)
        parts.append((part, rows))
        made += produced
        if made > BATCH_TEXT:
            raise TextOverflow(f"more than {BATCH_TEXT} bytes of strings in one batch")
        at += rows
        in_time = int(rows * PIECE_SECONDS / max(spent, 1e-9)) + 1
        rows = min(8 * rows, in_time, _rows_of(n, size), _rows_of(rows, produced))
    return _limited(concat_vectors(type_, parts), n)


def in_parts(compute: Compute, batch: Batch, check: Check) -> Iterator[tuple[Batch, list[Vector]]]:
    """The batch, in as many parts as its computed values need, with these; a value that is too long by itself
    is an OutOfRangeError.
    """
    waiting = [batch]
    while waiting:
        part = waiting.pop()
        check()
        try:
            vectors = compute(part, check)
        except TextOverflow as overflow:
            if part.num_rows <= 1:
                raise value_too_long() from overflow
            half = part.num_rows // 2
            waiting += [part.slice(half, part.num_rows), part.slice(0, half)]
            continue
        yield part, vectors


def _limited(vector: Vector, n: int) -> Vector:
    if n > 1 and _bytes(vector) > BATCH_TEXT:
        raise TextOverflow(f"more than {BATCH_TEXT} bytes of strings in one batch")
    return vector


def _bytes(vector: Vector) -> int:
    """Bytes of the strings of a vector, of dictionary rows those of the entries; 0 for other types."""
    if vector.is_constant or vector.type.id not in (TypeId.VARCHAR, TypeId.BLOB):
        return 0
    return text_bytes(vector.array)


def _rows_of(rows: int, size: int) -> int:
    """How many of `rows` rows of `size` bytes together make a piece; at least one."""
    return max(1, rows * PIECE_BYTES // size) if size else rows * 8
