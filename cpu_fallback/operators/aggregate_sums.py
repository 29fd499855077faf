"""States of count, sum, avg and product.

Counts are kept as rows less NULLs, so that all aggregates over columns without NULLs share one count of rows.
Sums of integers and decimals are exact; sums of doubles are compensated.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pyarrow as pa

from ...planner.messages_runtime import sum_overflow
from ...planner.types import SQLType
from ..kernels import aggregates as grouped
from ..kernels import aggregates_one as one
from ..kernels import arrays
from ..kernels.arrays import F64, I32, I64, U8, Words
from ..vector import Vector
from .aggregate_state import Rows, as_mask, integer_column, padded, wide_column
from .intervals import DAYS_A_MONTH, MICROS_A_DAY, parts
from .values import literal_column

_LIMIT = 10**38  # a DECIMAL or HUGEINT has 38 digits


class RowCount:
    """Rows that FILTER selects."""

    def __init__(self) -> None:
        self.count: I64 = np.zeros(0, dtype=np.int64)

    def update(self, rows: Rows) -> None:
        self.count = grouped.grow(self.count, rows.groups, 0)
        if rows.gids is None:
            self.count[0] += one.count_valid_one(rows.selected, rows.n)
        else:
            grouped.count_valid(rows.gids, rows.selected, self.count)

    def merge(self, other: RowCount, gids: I32, groups: int) -> None:
        self.count = grouped.grow(self.count, groups, 0)
        grouped.merge_counts(gids, padded(other.count, len(gids)), self.count)

    @property
    def nbytes(self) -> int:
        return self.count.nbytes


class NullCount(RowCount):
    """Rows that FILTER selects and at which an argument is NULL; costs nothing where there is none."""

    def update(self, rows: Rows) -> None:
        valid = rows.valid(*rows.args)
        if valid is None or valid is rows.selected:
            return
        null = as_mask(valid == 0) if rows.selected is None else rows.selected & as_mask(valid == 0)
        super().update(Rows((), rows.gids, rows.groups, rows.n, null))

    def merge(self, other: NullCount, gids: I32, groups: int) -> None:
        if len(other.count):
            super().merge(other, gids, groups)


class IntegerSum:
    """Exact sums of integers, decimals and booleans, in 128 bits."""

    def __init__(self) -> None:
        self.words: Words = np.zeros((0, 2), dtype=np.int64)
        self.overflow: U8 = np.zeros(0, dtype=np.uint8)
        self.total = 0  # of the only group, where there is one

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        valid = rows.valid(arg)
        if arg.is_wide:
            words = arrays.decimal_words(arg.array)
            if rows.gids is None:
                self.total += one.sum_words_one(words, valid)
            else:
                self._reserve(rows.groups)
                grouped.sum_words(rows.gids, words, valid, self.words, self.overflow)
            return
        values = int64_of(arg)
        if rows.gids is None:
            self.total += one.sum_int64_one(values, valid)
        else:
            self._reserve(rows.groups)
            grouped.sum_int64(rows.gids, values, valid, self.words)

    def merge(self, other: IntegerSum, gids: I32, groups: int) -> None:
        self.total += other.total
        self._reserve(groups)
        words = padded(other.words, len(gids))
        grouped.sum_words(gids, words, None, self.words, self.overflow)
        self.overflow[gids[: len(other.overflow)]] |= other.overflow[: len(gids)]

    def result(self, groups: int) -> Words:
        """128-bit sums; OutOfRangeError when one has left that range."""
        if self.overflow.any():
            raise sum_overflow()
        words = padded(self.words, groups)
        if self.total:
            assert groups == 1
            if abs(self.total) >= _LIMIT:
                raise sum_overflow()
            words = words_of(self.total)
        return words

    def _reserve(self, groups: int) -> None:
        self.words = grouped.grow(self.words, groups, 0)
        self.overflow = grouped.grow(self.overflow, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.words.nbytes + self.overflow.nbytes


class IntervalSum:
    """Sums of months, days and microseconds."""

    def __init__(self) -> None:
        self.sums: list[Words] = [np.zeros((0, 2), dtype=np.int64) for _ in range(3)]

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        valid = rows.valid(arg)
        for index, values in enumerate(parts(arg.array)):
            self.sums[index] = grouped.grow(self.sums[index], rows.groups, 0)
            grouped.sum_int64(rows.numbers, values, valid, self.sums[index])

    def merge(self, other: IntervalSum, gids: I32, groups: int) -> None:
        none = np.zeros(groups, dtype=np.uint8)
        for index, words in enumerate(other.sums):
            self.sums[index] = grouped.grow(self.sums[index], groups, 0)
            grouped.sum_words(gids, padded(words, len(gids)), None, self.sums[index], none)

    @property
    def nbytes(self) -> int:
        return sum(words.nbytes for words in self.sums)


class FloatSum:
    """Compensated sums of doubles."""

    def __init__(self) -> None:
        self.total: F64 = np.zeros(0)
        self.comp: F64 = np.zeros(0)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        values, valid = arg.values.astype(np.float64, copy=False), rows.valid(arg)
        self._reserve(rows.groups)
        if rows.gids is None:
            total, comp = one.sum_float64_one(values, valid)
            part = np.array([total]), np.array([comp])
            grouped.merge_sum_float64(np.zeros(1, dtype=np.int32), *part, self.total, self.comp)
        else:
            grouped.sum_float64(rows.gids, values, valid, self.total, self.comp)

    def merge(self, other: FloatSum, gids: I32, groups: int) -> None:
        self._reserve(groups)
        total, comp = padded(other.total, len(gids)), padded(other.comp, len(gids))
        grouped.merge_sum_float64(gids, total, comp, self.total, self.comp)

    def result(self, groups: int) -> F64:
        """The sums."""
        return grouped.float_sum_result(padded(self.total, groups), padded(self.comp, groups))

    def _reserve(self, groups: int) -> None:
        self.total = grouped.grow(self.total, groups, 0)
        self.comp = grouped.grow(self.comp, groups, 0)

    @property
    def nbytes(self) -> int:
        return self.total.nbytes + self.comp.nbytes


class Product:
    """Products of doubles."""

    def __init__(self) -> None:
        self.value: F64 = np.ones(0)

    def update(self, rows: Rows) -> None:
        (arg,) = rows.args
        self.value = grouped.grow(self.value, rows.groups, 1)
        values, gids, valid = arg.values, rows.numbers, rows.valid(arg)
        if valid is not None:
            values, gids = values[valid != 0], gids[valid != 0]
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            np.multiply.at(self.value, gids, values)

    def merge(self, other: Product, gids: I32, groups: int) -> None:
        self.value = grouped.grow(self.value, groups, 1)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            np.multiply.at(self.value, gids, padded(other.value, len(gids), 1))

    def result(self, groups: int) -> F64:
        """The products."""
        return padded(self.value, groups, 1)

    @property
    def nbytes(self) -> int:
        return self.value.nbytes


def int64_of(vector: Vector) -> I64:
    """The stored integers of a vector, widened to int64 (unsigned 64-bit values keep their bits)."""
    values = vector.values
    return values.view(np.int64) if values.dtype == np.uint64 else values.astype(np.int64, copy=False)


def words_of(value: int) -> Words:
    """One 128-bit integer as words."""
    return np.frombuffer(value.to_bytes(16, "little", signed=True), dtype=np.int64).reshape(1, 2)


def int_of(word: Words) -> int:
    """One row of 128-bit words as an int."""
    low, high = word.tolist()
    return (high << 64) + (low & 0xFFFFFFFFFFFFFFFF)


def floats_of(words: Words) -> F64:
    """128-bit integers as the nearest doubles."""
    low, high = words[:, 0], words[:, 1]
    if (high == low >> 63).all():
        return low.astype(np.float64)
    exact = np.ldexp(high.astype(np.longdouble), 64) + low.view(np.uint64).astype(np.longdouble)
    return exact.astype(np.float64)


# Results
def counts(rows: RowCount, nulls: NullCount | None, groups: int) -> I64:
    """Rows that count: those selected less those that are NULL."""
    total = padded(rows.count, groups)
    return total if nulls is None or not len(nulls.count) else total - padded(nulls.count, groups)


def count_column(type_: SQLType, rows: RowCount, nulls: NullCount | None, groups: int) -> pa.Array:
    """count and count_star."""
    return integer_column(type_, counts(rows, nulls, groups), None)


def integer_sum_column(
    type_: SQLType, total: IntegerSum, rows: RowCount, nulls: NullCount, groups: int
) -> pa.Array:
    """sum of integers and decimals; NULL over no value."""
    words, some = total.result(groups), counts(rows, nulls, groups) > 0
    high = words[:, 1]
    limit_high = _LIMIT >> 64
    if ((high >= limit_high) | (high <= -limit_high)).any():
        check_digits(words)
    return wide_column(type_, words, as_mask(some))


def check_digits(words: Words) -> None:
    """OutOfRangeError when a sum has more than 38 digits."""
    for word in words:
        if abs(int_of(word)) >= _LIMIT:
            raise sum_overflow()


def float_column(type_: SQLType, values: F64, valid: np.ndarray) -> pa.Array:
    """A FLOAT or DOUBLE column."""
    return arrays.make_array(values, as_mask(valid), pa.float64())


def average_column(
    type_: SQLType,
    scale: int,
    total: IntegerSum | FloatSum,
    rows: RowCount,
    nulls: NullCount,
    groups: int,
    *,
    grouped: bool,
) -> pa.Array:
    """avg as a double: see `averages`."""
    count = counts(rows, nulls, groups)
    sums = floats_of(total.result(groups)) if isinstance(total, IntegerSum) else total.result(groups)
    return averages(type_, scale, sums, count, grouped=grouped)


def averages(type_: SQLType, scale: int, sums: F64, count: I64, *, grouped: bool) -> pa.Array:
    """avg as a double: the sum, which is exact for integers and decimals, over the count; NULL over none.

    A DECIMAL's power of ten divides the sum where there are no groups, and multiplies the count where there
    are: so DuckDB 2.0.1 does it (measured), and the last bit decides ties of ORDER BY and DISTINCT.
    """
    divisor = np.maximum(count, 1)
    if scale and grouped:
        divisor = divisor * 10.0**scale
    elif scale:
        sums = sums / 10.0**scale
    with np.errstate(invalid="ignore"):
        return float_column(type_, sums / divisor, count > 0)


def temporal_average_column(
    type_: SQLType, scale: int, total: IntegerSum, rows: RowCount, nulls: NullCount, groups: int
) -> pa.Array:
    """avg of times and timestamps in whole units, cut off towards zero."""
    count, words = counts(rows, nulls, groups), total.result(groups)
    values = np.zeros(groups, dtype=np.int64)
    for group in np.flatnonzero(count):
        exact, n = int_of(words[group]), int(count[group])
        values[group] = exact // n if exact >= 0 else -(-exact // n)
    return integer_column(type_, values, as_mask(count > 0))


def interval_average_column(
    type_: SQLType, total: IntervalSum, rows: RowCount, nulls: NullCount, groups: int
) -> pa.Array:
    """avg of intervals: see `interval_averages`."""
    columns = [padded(words, groups) for words in total.sums]
    return interval_averages(type_, columns, counts(rows, nulls, groups))


def interval_averages(type_: SQLType, columns: Sequence[Words], count: I64) -> pa.Array:
    """From sums of months, days and microseconds: what months leave over goes to the days, what days leave
    over to the microseconds; NULL over none.
    """
    values: list[tuple[int, int, int] | None] = []
    for group, n in enumerate(count.tolist()):
        if not n:
            values.append(None)
            continue
        months, days, micros = (Fraction(int_of(column[group]), n) for column in columns)
        days += (months - int(months)) * DAYS_A_MONTH
        micros += (days - int(days)) * MICROS_A_DAY
        values.append((int(months), int(days), round(micros)))
    return literal_column(type_, values)
