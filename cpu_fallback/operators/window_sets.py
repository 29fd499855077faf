"""Aggregates over frames that need the set of values in a frame: DISTINCT, quantiles, the mode."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.expr import Literal
from ...planner.functions import AGGREGATES
from ...planner.messages_runtime import sum_overflow
from ...planner.types import TypeId
from ..kernels import arrays, window_sets, window_sums
from ..kernels.arrays import I32, I64, Words
from ..kernels.window_tree import SLOW_ROWS, pieces
from .aggregate_moments import variances
from .aggregate_sorted import between, continuous_places, discrete_place
from .aggregate_state import as_mask, integer_column, null_column, wide_column
from .aggregate_sums import averages, floats_of
from .comparable import is_one_way
from .concat import concat_arrays, widened
from .intervals import parts as interval_parts
from .rows import take_array
from .window_aggregates import averages_of_intervals, dense_ranks, exact_column, one_word
from .window_call import Call, Counting
from .window_frames import Frames
from .window_functions import FUNCTIONS, over
from .window_gathered import NAMES as GATHERED
from .window_result import Result


@dataclass(frozen=True)
class Coded:
    """The values that count, in order: their codes, the place among them of the first of each code, and the
    frames over them."""

    values: pa.Array
    codes: I32
    firsts: I32
    frames: Frames
    counting: Counting

    @property
    def edges(self) -> tuple[I32, I32]:
        """Begins and ends of the frames."""
        return self.frames.begins, self.frames.ends


def coded(call: Call, *, apart: bool = False) -> Coded:
    """The first argument's values; with `apart` equal ones have codes of their own, in order."""
    counting = call.counting(0)
    values = call.counted(0, counting)
    words = [one_word(call, call.call.args[0].type, values, False)]
    if apart:
        words.append(np.arange(len(values), dtype=np.uint64))
    codes = dense_ranks(words, call)
    firsts = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int32)
    # The last one that is written stays.
    firsts[codes[::-1]] = np.arange(len(codes) - 1, -1, -1, dtype=np.int32)
    return Coded(values, codes, firsts, counting.frames(call.frames), counting)


# DISTINCT
def is_distinct(call: Call) -> bool:
    """Whether DISTINCT makes a difference to the call."""
    function = AGGREGATES.get(call.call.function)
    keeps = (
        "any_value",
        "arg_min",
        "arg_max",
        "median",
        "quantile_disc",
        "quantile_cont",
        "string_agg",
        "list",
    )
    return (
        call.call.distinct
        and function is not None
        and function.distinct_matters
        and function.name not in (*keeps, *GATHERED)
    )


def distinct(call: Call) -> Result:
    """An aggregate over the different values of each frame."""
    function = call.call.function
    if function == "mode":
        # All are equally frequent: the first one it is.
        first = replace(call.call, function="any_value", distinct=False)
        return FUNCTIONS[first.function](Call(first, call.inputs))
    made = coded(call)
    if function == "count":
        counts = window_sets.distinct_counts(made.codes, *made.edges, call.check)
        return call.result(integer_column(call.type, counts, None), (0, call.window.count))
    if function == "bit_xor":
        return _xor(call, made)
    if call.call.args[0].type.is_float:
        return _of_floats(call, made)
    return _of_integers(call, made)


def _of_floats(call: Call, made: Coded) -> Result:
    values = arrays.float64_values(made.values)
    found = window_sets.distinct_moments(made.codes, values, *made.edges, call.check)
    match call.call.function:
        case "sum":
            column = found.sums
        case "product":
            column = found.products
        case "avg":
            return call.result(averages(call.type, 0, found.sums, found.counts, grouped=True))
        case function:
            return call.result(variances(function, found.counts, found.squares))
    return call.result(arrays.make_array(column, as_mask(found.counts > 0), pa.float64()))


def _of_integers(call: Call, made: Coded) -> Result:
    """sum, avg and count_if of integers, decimals, booleans and times."""
    counts = window_sets.distinct_counts(made.codes, *made.edges, call.check)
    some = as_mask(counts > 0)
    kind = call.call.args[0].type
    if kind.id is TypeId.INTERVAL:
        sums = [_sums(call, made, arrays.sign_extended(part)) for part in interval_parts(made.values)]
        return call.result(averages_of_intervals(call, sums, counts))
    total = _sums(call, made, _words(made.values))
    if call.call.function != "avg":
        return call.result(exact_column(call, total, some))
    if call.type.is_float:
        return call.result(averages(call.type, kind.scale, floats_of(total), counts, grouped=True))
    return call.result(integer_column(call.type, window_sums.quotients(total, counts, call.check), some))


def _words(values: pa.Array) -> Words:
    if pa.types.is_decimal128(values.type):
        return arrays.decimal_words(values)
    return arrays.sign_extended(arrays.int64_values(values))


def _sums(call: Call, made: Coded, words: Words) -> Words:
    sums, bad = window_sets.distinct_words(made.codes, words, False, *made.edges, call.check)
    if bad >= 0:
        raise sum_overflow()
    return sums


def _xor(call: Call, made: Coded) -> Result:
    wide = may_be_wide(call.type)
    words = arrays.decimal_words(widened(made.values, call.type)) if wide else _words(made.values)
    found, _ = window_sets.distinct_words(made.codes, words, True, *made.edges, call.check)
    some = as_mask(made.frames.sizes(call.check) > 0)
    if wide:
        return call.result(wide_column(call.type, found, some))
    values = np.ascontiguousarray(found[:, 0])
    if call.type.id is TypeId.UBIGINT:
        values = values.view(np.uint64)
    return call.result(integer_column(call.type, values, some))


# Quantiles
@over("median", "quantile_disc", "quantile_cont")
def _quantile(call: Call) -> Result:
    """The value at a fraction of the sorted values of each frame."""
    fraction, kind = 0.5, call.call.args[0].type
    if call.call.function != "median":
        constant = call.call.args[1]
        assert isinstance(constant, Literal), constant
        fraction = constant.value
    if fraction is None:
        return call.result(null_column(call.type, call.frames.count))
    # Of intervals that are equal but differ (30 days, a month) it is the frame's own that comes out.
    made = coded(call, apart=is_one_way(kind) and not call.call.distinct)
    if call.call.distinct:
        counts = window_sets.distinct_counts(made.codes, *made.edges, call.check)
    else:
        counts = made.frames.sizes(call.check)
    continuous = kind.is_numeric or kind.is_temporal or kind.id is TypeId.INTERVAL
    if call.call.function == "quantile_disc" or not continuous:
        (places,) = _at(call, made, counts, discrete_place(counts, fraction))
        return call.picked(0, made.counting.place(places))
    low, high, part = continuous_places(counts, fraction)
    places = _at(call, made, counts, low, high)
    found, some = [], as_mask(counts > 0)
    for start, stop in pieces(len(counts), call.check, SLOW_ROWS):
        left, right = (take_array(made.values, p[start:stop], nullable=True) for p in places)
        found.append(between(kind, call.type, left, right, part[start:stop], some[start:stop]))
    return call.result(concat_arrays(call.type, found))


def _at(call: Call, made: Coded, counts: I64, *numbers: I64) -> list[I32]:
    """Places of values with these numbers among the sorted ones of each frame; -1 for an empty frame."""
    wanted = np.stack([np.where(counts > 0, n, -1) for n in numbers]).astype(np.int32)
    codes = window_sets.nth_codes(made.codes, *made.edges, call.call.distinct, wanted, call.check)
    firsts = made.firsts if len(made.firsts) else np.zeros(1, dtype=np.int32)
    return [np.where(row < 0, np.int32(-1), firsts[np.maximum(row, 0)]) for row in codes]


@over("mode")
def _mode(call: Call) -> Result:
    """The most frequent value of each frame, of equally frequent ones the one that comes first."""
    made = coded(call)
    places = window_sets.mode_places(made.codes, *made.edges, call.check)
    return call.picked(0, made.counting.place(places))
