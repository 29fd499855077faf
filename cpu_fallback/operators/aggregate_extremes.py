"""States of min, max, bool_and, bool_or and the bit aggregates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.types import SQLType, TypeId
from ..kernels import aggregates as grouped
from ..kernels import aggregates_one as one
from ..kernels import arrays
from ..kernels.arrays import F64, I32, I64, U8, Valid, Words
from ..kernels.string_extremes import StringExtremes
from ..storage import arrow_type
from ..vector import Vector
from .aggregate_state import Rows, State, integer_column, padded, wide_column
from .aggregate_sums import int64_of, words_of
from .concat import widened

_ONE_GROUP = np.zeros(1, dtype=np.int32)
_TOP_BIT = np.int64(-(2**63))


def extreme(type_: SQLType, largest: bool) -> Callable[[], State]:
    """What makes a min (or max) state for values of a type."""
    if type_.id in (TypeId.VARCHAR, TypeId.BLOB):
        return lambda: StringExtreme(type_, largest)
    if type_.is_float:
        return lambda: FloatExtreme(type_, largest)
    if may_be_wide(type_):
        return lambda: WideExtreme(type_, largest)
    return lambda: IntegerExtreme(type_, largest)


class IntegerExtreme:
    """Least or greatest stored integer: integers, DECIMAL up to 18 digits, BOOLEAN and the temporal types."""

    def __init__(self, type_: SQLType, largest: bool) -> None:
        self.type = type_
        self.kernel = grouped.max_int64 if largest else grouped.min_int64
        self.one = one.max_int64_one if largest else one.min_int64_one
        self.best: I64 = np.zeros(0, dtype=np.int64)
        self.seen: U8 = np.zeros(0, dtype=np.uint8)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        values, valid = ordered_int64(arg), rows.valid(arg)
        self._reserve(rows.groups)
        if rows.gids is not None:
            self.kernel(rows.gids, values, valid, self.best, self.seen)
            return
        best = self.one(values, valid)
        if best is not None:
            self.kernel(_ONE_GROUP, np.array([best], dtype=np.int64), None, self.best, self.seen)

    def merge(self, other: IntegerExtreme, gids: I32, groups: int) -> None:
        self._reserve(groups)
        best, seen = padded(other.best, len(gids)), padded(other.seen, len(gids))
        self.kernel(gids, best, seen, self.best, self.seen)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        best, seen = padded(self.best, groups), padded(self.seen, groups)
        if self.type.id is TypeId.UBIGINT:
            best = (best ^ _TOP_BIT).view(np.uint64)
        return integer_column(self.type, best, seen)

    def _reserve(self, groups: int) -> None:
        self.best = grouped.grow(self.best, groups, 0)
        self.seen = grouped.grow(self.seen, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.best.nbytes + self.seen.nbytes


class FloatExtreme:
    """Least or greatest FLOAT or DOUBLE; NaN is the greatest."""

    def __init__(self, type_: SQLType, largest: bool) -> None:
        self.type = type_
        self.kernel = grouped.max_float64 if largest else grouped.min_float64
        self.one = one.max_float64_one if largest else one.min_float64_one
        self.best: F64 = np.zeros(0)
        self.seen: U8 = np.zeros(0, dtype=np.uint8)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        values, valid = arg.values.astype(np.float64, copy=False), rows.valid(arg)
        self._reserve(rows.groups)
        if rows.gids is not None:
            self.kernel(rows.gids, values, valid, self.best, self.seen)
            return
        best = self.one(values, valid)
        if best is not None:
            self.kernel(_ONE_GROUP, np.array([best]), None, self.best, self.seen)

    def merge(self, other: FloatExtreme, gids: I32, groups: int) -> None:
        self._reserve(groups)
        best, seen = padded(other.best, len(gids)), padded(other.seen, len(gids))
        self.kernel(gids, best, seen, self.best, self.seen)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        return arrays.make_array(padded(self.best, groups), padded(self.seen, groups), arrow_type(self.type))

    def _reserve(self, groups: int) -> None:
        self.best = grouped.grow(self.best, groups, 0)
        self.seen = grouped.grow(self.seen, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.best.nbytes + self.seen.nbytes


class WideExtreme:
    """Least or greatest HUGEINT, or DECIMAL of over 18 digits; batches may be int64 or decimal128."""

    def __init__(self, type_: SQLType, largest: bool) -> None:
        self.type = type_
        self.kernel = grouped.max_words if largest else grouped.min_words
        self.one = one.max_words_one if largest else one.min_words_one
        self.best: Words = np.zeros((0, 2), dtype=np.int64)
        self.seen: U8 = np.zeros(0, dtype=np.uint8)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        words, valid = arrays.decimal_words(widened(arg.array, self.type)), rows.valid(arg)
        self._reserve(rows.groups)
        if rows.gids is not None:
            self.kernel(rows.gids, words, valid, self.best, self.seen)
            return
        best = self.one(words, valid)
        if best is not None:
            self.kernel(_ONE_GROUP, words_of(best), None, self.best, self.seen)

    def merge(self, other: WideExtreme, gids: I32, groups: int) -> None:
        self._reserve(groups)
        best, seen = padded(other.best, len(gids)), padded(other.seen, len(gids))
        self.kernel(gids, best, seen, self.best, self.seen)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        return wide_column(self.type, padded(self.best, groups), padded(self.seen, groups))

    def _reserve(self, groups: int) -> None:
        self.best = grouped.grow(self.best, groups, 0)
        self.seen = grouped.grow(self.seen, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.best.nbytes + self.seen.nbytes


class StringExtreme:
    """Least or greatest VARCHAR or BLOB, by bytes."""

    def __init__(self, type_: SQLType, largest: bool) -> None:
        self.type = arrow_type(type_)
        self.state = StringExtremes(largest)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        self.state.update(rows.numbers, arg.array, rows.groups, rows.selected)

    def merge(self, other: StringExtreme, gids: I32, groups: int) -> None:
        self.state.merge(gids[: len(other.state.result(self.type))], other.state, groups)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        found = self.state.result(self.type)
        missing = groups - len(found)
        return found if missing == 0 else pa.concat_arrays([found, pa.nulls(missing, self.type)])

    @property
    def nbytes(self) -> int:
        return self.state.nbytes


class Truth:
    """bool_and and bool_or."""

    def __init__(self, every: bool) -> None:
        self.every = every
        self.kernel = grouped.bool_and if every else grouped.bool_or
        self.truth: U8 = np.zeros(0, dtype=np.uint8)
        self.seen: U8 = np.zeros(0, dtype=np.uint8)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        self._take(rows.numbers, arg.values.view(np.uint8), rows.valid(arg), rows.groups)

    def merge(self, other: Truth, gids: I32, groups: int) -> None:
        truth, seen = padded(other.truth, len(gids), self.every), padded(other.seen, len(gids))
        self._take(gids, truth, seen, groups)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        return arrays.make_bool(padded(self.truth, groups), padded(self.seen, groups))

    def _take(self, gids: I32, values: U8, valid: Valid, groups: int) -> None:
        self.truth = grouped.grow(self.truth, groups, int(self.every))
        self.seen = grouped.grow(self.seen, groups, 0)
        self.kernel(gids, values, valid, self.truth, self.seen)

    @property
    def nbytes(self) -> int:
        return self.truth.nbytes + self.seen.nbytes


_BITS: dict[str, tuple[Any, int]] = {
    "bit_and": (grouped.bit_and, -1),
    "bit_or": (grouped.bit_or, 0),
    "bit_xor": (grouped.bit_xor, 0),
}


class Bits:
    """bit_and, bit_or and bit_xor of integers; a HUGEINT is done in two words."""

    def __init__(self, function: str, type_: SQLType) -> None:
        self.type = type_
        self.kernel, self.start = _BITS[function]
        self.wide = may_be_wide(type_)
        self.parts: list[I64] = [np.zeros(0, dtype=np.int64) for _ in range(1 + self.wide)]
        self.seen: U8 = np.zeros(0, dtype=np.uint8)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        if self.wide:
            words = arrays.decimal_words(widened(arg.array, self.type))
            parts = [np.ascontiguousarray(words[:, 0]), np.ascontiguousarray(words[:, 1])]
        else:
            parts = [int64_of(arg)]
        self._take(rows.numbers, parts, rows.valid(arg), rows.groups)

    def merge(self, other: Bits, gids: I32, groups: int) -> None:
        parts = [padded(part, len(gids), self.start) for part in other.parts]
        self._take(gids, parts, padded(other.seen, len(gids)), groups)

    def column(self, groups: int) -> pa.Array:
        """The values, NULL where there is none."""
        parts, seen = [padded(part, groups) for part in self.parts], padded(self.seen, groups)
        if self.wide:
            return wide_column(self.type, np.stack(parts, axis=1), seen)
        values = parts[0].view(np.uint64) if self.type.id is TypeId.UBIGINT else parts[0]
        return integer_column(self.type, values, seen)

    def _take(self, gids: I32, parts: list[I64], valid: Valid, groups: int) -> None:
        self.seen = grouped.grow(self.seen, groups, 0)
        for i, part in enumerate(parts):
            self.parts[i] = grouped.grow(self.parts[i], groups, self.start)
            self.kernel(gids, part, valid, self.parts[i], self.seen)

    @property
    def nbytes(self) -> int:
        return self.seen.nbytes + sum(part.nbytes for part in self.parts)


def ordered_int64(vector: Vector) -> I64:
    """Stored integers as int64 in the same order: unsigned 64-bit values get their top bit flipped."""
    values = int64_of(vector)
    return values ^ _TOP_BIT if vector.type.id is TypeId.UBIGINT else values
