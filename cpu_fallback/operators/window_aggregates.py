"""Aggregate functions over frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.expr import Literal, SortKey
from ...planner.messages_runtime import sum_overflow
from ...planner.types import SQLType, TypeId
from ..kernels import arith128, arrays, radix_sort, window_extremes, window_folds, window_moments, window_sums
from ..kernels.arrays import F64, I32, I64, U8, U64, Words
from ..kernels.window_bounds import is_sliding
from ..kernels.window_tree import SLOW_ROWS, pieces
from .aggregate_moments import variances
from .aggregate_state import as_mask, integer_column, wide_column
from .aggregate_sums import averages, floats_of, interval_averages
from .concat import concat_arrays, widened
from .intervals import parts as interval_parts
from .sort_keys import order_words
from .window_call import Call
from .window_frames import Frames
from .window_functions import over
from .window_result import Result

_DIGITS = 38


@dataclass(frozen=True)
class Counted:
    """The values of an argument that count, in order, and the frames over them."""

    values: pa.Array
    frames: Frames
    sizes: I64

    @property
    def some(self) -> U8:
        """1 where a frame has a value."""
        return as_mask(self.sizes > 0)


def counted_of(call: Call, number: int = 0) -> Counted:
    counting = call.counting(number)
    frames = counting.frames(call.frames)
    return Counted(call.counted(number, counting), frames, frames.sizes(call.check))


def _sliding(call: Call, frames: Frames) -> bool:
    """Whether the frames move on through the rows, so that each place need be entered and left once."""
    if len(frames.begins) > 1:
        return False
    begins, ends = frames.begins[0], frames.ends[0]
    return all(is_sliding(begins, ends, *part) for part in pieces(frames.count, call.check))


# Counts and sums
@over("count_star", "count")
def _count(call: Call) -> Result:
    counting = call.counting() if call.call.function == "count_star" else call.counting(0)
    sizes = counting.frames(call.frames).sizes(call.check)
    return call.result(integer_column(call.type, sizes, None), (0, call.window.count))


@over("sum", "count_if")
def _sum(call: Call) -> Result:
    """count_if is the sum of the condition as a number."""
    counted = counted_of(call)
    if call.type.is_float:
        return call.result(arrays.make_array(_float_sums(call, counted), counted.some, pa.float64()))
    total = _integer_sums(call, counted)
    if total.ndim == 1:
        return call.result(integer_column(call.type, total, counted.some))
    return call.result(exact_column(call, total, counted.some))


def exact_column(call: Call, total: Words, some: Any) -> pa.Array:
    """128-bit sums as a column. Raises OutOfRangeError where one has more than 38 digits."""
    if arith128.check_digits(total, _DIGITS, some) >= 0:
        raise sum_overflow()
    return wide_column(call.type, total, some)


@over("avg")
def _avg(call: Call) -> Result:
    kind = call.call.args[0].type
    counted = counted_of(call)
    if kind.id is TypeId.INTERVAL:
        parts = [arrays.sign_extended(part) for part in interval_parts(counted.values)]
        sums = [_wide_sums(call, part, counted.frames) for part in parts]
        return call.result(averages_of_intervals(call, sums, counted.sizes))
    if not call.type.is_float:
        total = _integer_sums(call, counted, wide=True)
        values = window_sums.quotients(total, counted.sizes, call.check)
        return call.result(integer_column(call.type, values, counted.some))
    if kind.is_float:
        sums = _float_sums(call, counted)
    else:
        total = _integer_sums(call, counted)
        sums = total.astype(np.float64) if total.ndim == 1 else floats_of(total)
    return call.result(averages(call.type, kind.scale, sums, counted.sizes, grouped=True))


def _float_sums(call: Call, counted: Counted) -> F64:
    values, frames = arrays.float64_values(counted.values), counted.frames
    if _sliding(call, frames):
        return window_sums.sliding_sums_float64(values, frames.begins[0], frames.ends[0], call.check)
    return window_sums.sums_float64(values, frames.begins, frames.ends, call.check)


def _integer_sums(call: Call, counted: Counted, *, wide: bool = False) -> I64 | Words:
    """Exact sums: in 64 bits where all fit, unless `wide` is asked for, else in 128."""
    frames, values = counted.frames, counted.values
    call.check()
    if pa.types.is_decimal128(values.type):
        return _wide_sums(call, arrays.decimal_words(values), frames)
    numbers = arrays.int64_values(values)
    largest = max(-int(numbers.min(initial=0)), int(numbers.max(initial=0)))
    if not wide and largest * int(counted.sizes.max(initial=0)) < 2**63:
        return window_sums.sums_int64(numbers, frames.begins, frames.ends, call.check)
    return _wide_sums(call, arrays.sign_extended(numbers), frames)


def _wide_sums(call: Call, words: Words, frames: Frames) -> Words:
    sums, bad = window_sums.sums_words(words, frames.begins, frames.ends, call.check)
    if bad >= 0:
        raise sum_overflow()
    return sums


def averages_of_intervals(call: Call, sums: Sequence[Words], counts: I64) -> pa.Array:
    """The averages of so many intervals a row whose months, days and microseconds have these sums."""
    made = []
    for start, stop in pieces(len(counts), call.check, SLOW_ROWS):
        made.append(interval_averages(call.type, [s[start:stop] for s in sums], counts[start:stop]))
    return concat_arrays(call.type, made)


@over("product")
def _product(call: Call) -> Result:
    counted = counted_of(call)
    values, frames = arrays.float64_values(counted.values), counted.frames
    products = window_folds.products(values, frames.begins, frames.ends, call.check)
    return call.result(arrays.make_array(products, counted.some, pa.float64()))


@over("var_pop", "var_samp", "stddev_pop", "stddev_samp")
def _variance(call: Call) -> Result:
    counted = counted_of(call)
    values, frames = arrays.float64_values(counted.values), counted.frames
    counts, squares = window_moments.moments(values, frames.begins, frames.ends, call.check)
    return call.result(variances(call.call.function, counts, squares))


# Truth and bits
@over("bool_and", "bool_or")
def _truth(call: Call) -> Result:
    """All are true where none is false."""
    counted, every = counted_of(call), call.call.function == "bool_and"
    frames = counted.frames
    deciding = (arrays.bool_bytes(counted.values) != every).astype(np.int64)
    found = window_sums.sums_int64(deciding, frames.begins, frames.ends, call.check) > 0
    return call.result(arrays.make_bool(found != every, counted.some))


@over("bit_and", "bit_or", "bit_xor")
def _bits(call: Call) -> Result:
    counted = counted_of(call)
    if may_be_wide(call.type):
        words = arrays.decimal_words(widened(counted.values, call.type))
        both = [_bit_part(call, np.ascontiguousarray(words[:, i]), counted.frames) for i in (0, 1)]
        return call.result(wide_column(call.type, np.stack(both, axis=1), counted.some))
    values = _bit_part(call, arrays.int64_values(counted.values), counted.frames)
    if call.type.id is TypeId.UBIGINT:
        values = values.view(np.uint64)
    return call.result(integer_column(call.type, values, counted.some))


def _bit_part(call: Call, values: I64, frames: Frames) -> I64:
    if call.call.function == "bit_xor":
        return window_sums.xors_int64(values, frames.begins, frames.ends, call.check)
    every = call.call.function == "bit_and"
    return window_folds.bits(values, every, frames.begins, frames.ends, call.check)


# Extremes
@over("min", "max", "arg_min", "arg_max")
def _extreme(call: Call) -> Result:
    """The value at the row that comes first by it; with arg_ by the second argument."""
    by = len(call.call.args) - 1
    counting = call.counting(*range(by + 1))
    descending = call.call.function in ("max", "arg_max")
    words = one_word(call, call.call.args[by].type, call.counted(by, counting), descending)
    frames = counting.frames(call.frames)
    return call.picked(0, counting.place(_least(call, words, frames)))


def _least(call: Call, words: U64, frames: Frames) -> I32:
    if _sliding(call, frames):
        return window_extremes.sliding_least(words, frames.begins[0], frames.ends[0], call.check)
    return window_extremes.least_places(words, frames.begins, frames.ends, call.check)


def one_word(call: Call, kind: SQLType, values: pa.Array, descending: bool) -> U64:
    """A word of each value that orders them; none of them is NULL."""
    if kind.id is TypeId.NULL:
        return np.zeros(len(values), dtype=np.uint64)
    words: Sequence[U64] = order_words([SortKey(Literal(kind, None), descending)], [values], call.check)
    if len(words) == 1:
        return words[0]
    packed = radix_sort.packed_keys(words)
    if len(packed) < 2:
        return packed[0][0] if packed else np.zeros(len(values), dtype=np.uint64)
    return dense_ranks([word for word, _ in packed], call).astype(np.uint64)


def dense_ranks(words: Sequence[U64], call: Call) -> I32:
    """How many different rows of words come before each row."""
    order = radix_sort.argsort(words, call.check)
    changed = np.zeros(len(order), dtype=np.bool_)
    for word in words:
        call.check()
        along = word[order]
        changed[1:] |= along[1:] != along[:-1]
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.cumsum(changed)
    return ranks
