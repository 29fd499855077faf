"""Aggregates over the frame of each row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa

from ...planner.expr import Expr, WindowCall
from ...planner.functions import AGGREGATES
from ...planner.types import TypeId
from ..number import Number, nulled
from ..storage import data_type, named_type
from ..values import Value
from .aggregate_plan import named_double
from .aggregate_sums import average, exact_sum, value_halves
from .grouping import first_rows
from .join_keys import comparable
from .window_folds import (
    ADD,
    BITS_AND,
    BITS_OR,
    BITS_XOR,
    GREATEST,
    LEAST,
    MULTIPLY,
    Fold,
    Folded,
    subtracted,
)
from .window_frames import Framed, Frames
from .window_moments import moments
from .window_order import Ranks, ordered
from .window_rows import WindowRows, mask_of
from .window_values import at_edge, first_value, last_value

Aggregated = Callable[["Over"], Any]


@dataclass(frozen=True)
class Over:
    """One aggregate over frames. What FILTER leaves out is NULL in `column`, and with DISTINCT what is
    there already."""

    call: WindowCall
    rows: WindowRows
    framed: Framed

    @property
    def arg(self) -> Expr:
        """The argument."""
        return self.call.args[0]

    @cached_property
    def column(self) -> Any:
        """The values that count."""
        ops, column = self.rows.ops, self.rows.column(self.arg)
        if self.call.filter is not None:
            taken = self.rows.run.truth(self.rows.value(self.call.filter))
            column = nulled(column, ops.inverse(taken), ops)
        if not self.call.distinct or not AGGREGATES[self.call.function].distinct_matters:
            return column
        # Frames start with the partition here (see `support_windows`): the first of equal values is in every
        # frame that has one of them.
        first = first_rows([self.rows.parts.number.column, comparable(column, ops)], ops)
        return nulled(column, ops.inverse(mask_of(first, self.rows.count, ops)), ops)

    @property
    def value(self) -> Value:
        """The values with what is known of them."""
        return Value(self.arg.type, self.column, bounds=self.rows.value(self.arg).bounds)

    def valid(self, column: Any) -> Number:
        """How many rows of each frame have a value in a column in window order, as INT64."""
        ops = self.rows.ops
        if not column.null_count():
            return self.framed.size.to("INT64")
        counted = ops.cast(ops.is_valid(column), named_type("INT32"))
        return Number(subtracted(counted, self.framed, ops), ops)

    @cached_property
    def known(self) -> Number:
        """How many values of each frame count."""
        return self.valid(self.column)

    def some(self, column: Any, known: Number | None = None) -> Any:
        """The column with NULL for frames without values."""
        ops = self.rows.ops
        return nulled(column, (self.known if known is None else known).equals(0), ops)

    def folded(self, column: Any, fold: Fold, known: Number | None = None) -> Any:
        """A column folded over the frames, NULL for those without values. `known`: how many it has there, if
        not as many as count."""
        return self.some(Folded([column], fold, self.rows).over(self.framed)[0], known)


def _counted_rows(over: Over) -> Any:
    call, rows = over.call, over.rows
    if call.filter is None:
        return over.framed.size.to("INT64").column
    taken = rows.ops.cast(rows.run.truth(rows.value(call.filter)), named_type("INT32"))
    return rows.ops.cast(subtracted(taken, over.framed, rows.ops), named_type("INT64"))


def _counted(over: Over) -> Any:
    return over.known.column


def _count_if(over: Over) -> Any:
    """The values that are true; NULL where no value is known."""
    ops = over.rows.ops
    true = ops.cast(ops.is_true(over.column), named_type("INT32"))
    return over.some(ops.cast(subtracted(true, over.framed, ops), named_type("INT64")))


def _exact(over: Over) -> list[Any]:
    """The sums of the high and the low halves."""
    ops, parts = over.rows.ops, value_halves(over.value, over.rows.run)
    if over.column.null_count():
        kind = pa.int64() if parts[0].type() == named_type("INT64") else pa.decimal128(38, 0)
        parts = [ops.filled(part, ops.scalar(pa.scalar(0, kind))) for part in parts]
    return [over.some(subtracted(part, over.framed, ops)) for part in parts]


def _sum(over: Over) -> Any:
    """Exact for integers and decimals, in doubles else; NULL where no value is."""
    if over.call.type.is_float:
        return over.folded(named_double(over.column, over.rows.ops), ADD)
    return exact_sum(_exact(over), over.call.type, over.rows.ops)


def _average(over: Over) -> Any:
    ops, source = over.rows.ops, over.arg.type
    total = [over.folded(named_double(over.column, ops), ADD)] if source.is_float else _exact(over)
    return average([over.known.column, *total], source, ops, grouped=True)


def _extreme(fold: Fold) -> Aggregated:
    """The least or greatest value; NaN is the greatest double."""

    def computed(over: Over) -> Any:
        integers = ordered(over.value, over.rows)
        return integers.values(over.folded(integers.column, fold))

    return computed


def _argument_of_extreme(*, descending: bool) -> Aggregated:
    """The first argument where the second is least or greatest, in the first of such rows; neither is NULL
    there."""

    def computed(over: Over) -> Any:
        ops, by = over.rows.ops, over.rows.column(over.call.args[1])
        if over.column.null_count():
            by = nulled(by, ops.is_null(over.column), ops)
        ranks = Ranks(by, over.rows, descending=descending)
        least = over.folded(ranks.column, LEAST, over.valid(ranks.column))
        return ranks.values(over.column, least)

    return computed


def _spread(degrees: int, *, root: bool) -> Aggregated:
    """Variance and standard deviation; of one value, whatever it is, 0 or NULL."""

    def computed(over: Over) -> Any:
        ops = over.rows.ops
        number, spread = moments(named_double(over.column, ops), over.rows, over.framed)
        found = spread.over(number - degrees)
        if root:
            found = found.of("SQRT")
        if not degrees:
            found = found.unless(number.equals(1), 0.0)
        return nulled(found.column, number.at_most(degrees), ops)

    return computed


def _product(over: Over) -> Any:
    return over.folded(named_double(over.column, over.rows.ops), MULTIPLY)


def _bits(fold: Fold) -> Aggregated:
    def computed(over: Over) -> Any:
        ops, whole = over.rows.ops, named_type("INT64")
        unsigned = over.arg.type.id is TypeId.UBIGINT
        column = ops.bits_as(over.column, whole) if unsigned else ops.cast(over.column, whole)
        found = over.folded(column, fold)
        target = data_type(over.call.type)
        return ops.bits_as(found, target) if unsigned else ops.cast(found, target)

    return computed


def _aggregated(computed: Aggregated) -> Callable[[WindowCall, WindowRows, Frames], Any]:
    def over_frames(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
        return computed(Over(call, rows, frames.of(call.frame)))

    return over_frames


def _any_value(call: WindowCall, rows: WindowRows, frames: Frames) -> Any:
    """The first value that is not NULL."""
    return at_edge(call, rows, frames, last=False, valid=True)


WINDOW_AGGREGATES: dict[str, Callable[[WindowCall, WindowRows, Frames], Any]] = {
    "first": first_value,
    "last": last_value,
    "any_value": _any_value,
} | {
    name: _aggregated(computed)
    for name, computed in {
        "count_star": _counted_rows,
        "count": _counted,
        "count_if": _count_if,
        "sum": _sum,
        "avg": _average,
        "min": _extreme(LEAST),
        "max": _extreme(GREATEST),
        "bool_and": _extreme(LEAST),
        "bool_or": _extreme(GREATEST),
        "arg_min": _argument_of_extreme(descending=False),
        "arg_max": _argument_of_extreme(descending=True),
        "var_samp": _spread(1, root=False),
        "var_pop": _spread(0, root=False),
        "stddev_samp": _spread(1, root=True),
        "stddev_pop": _spread(0, root=True),
        "product": _product,
        "bit_and": _bits(BITS_AND),
        "bit_or": _bits(BITS_OR),
        "bit_xor": _bits(BITS_XOR),
    }.items()
}
