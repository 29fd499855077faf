"""Values as INT64 in the same order, and back: what minima and maxima over frames are computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...planner.types import TypeId
from ..number import Number, nulled
from ..storage import data_type, integer_type, is_wide, named_type
from ..values import Value
from .aggregate_plan import ordered_bits, ordered_doubles
from .join_keys import even
from .window_rows import WindowRows, inverse


@dataclass(frozen=True)
class Integers:
    """`column` has a value's integer, NULL where it is NULL; `values` makes values of such integers again."""

    column: Any
    values: Callable[[Any], Any]


def ordered(value: Value, rows: WindowRows) -> Integers:
    """The values of a column in window order."""
    ops, type_, column = rows.ops, value.type, value.column
    whole = named_type("INT64")
    if type_.is_float:
        return Integers(ordered_bits(column, ops), lambda found: ordered_doubles(found, type_, ops))
    if type_.is_string or is_wide(column):
        return _ranked(column, rows)
    if type_.id is TypeId.UBIGINT:
        # The upper half of the numbers is below the lower one as INT64: the first bit is turned round.
        return Integers(
            Number(ops.bits_as(column, whole), ops).bit("BITWISE_XOR", -(2**63)).column,
            lambda found: ops.bits_as(Number(found, ops).bit("BITWISE_XOR", -(2**63)).column, column.type()),
        )
    if type_.is_temporal:
        under = integer_type(type_)
        return Integers(
            ops.cast(ops.bits_as(column, under), whole),
            lambda found: ops.bits_as(ops.cast(found, under), data_type(type_)),
        )
    return Integers(ops.cast(column, whole), lambda found: ops.cast(found, column.type()))


def _ranked(column: Any, rows: WindowRows) -> Integers:
    ranks = Ranks(column, rows)
    return Integers(ranks.column, lambda found: ranks.values(column, found))


class Ranks:
    """The places of rows in the order of a column, of equal ones as the rows are; `column` has them as INT64,
    NULL where it is NULL."""

    def __init__(self, column: Any, rows: WindowRows, *, descending: bool = False) -> None:
        ops = rows.ops
        self._rows = rows
        self._order = ops.order([even(column, ops)], [descending], [False])
        self.column = ops.cast(inverse(self._order, ops), named_type("INT64"))
        if column.null_count():
            self.column = nulled(self.column, ops.is_null(column), ops)

    def values(self, column: Any, found: Any) -> Any:
        """The values of some column in the rows with these places; NULL for NULL."""
        ops, nowhere = self._rows.ops, self._rows.ops.int32(self._rows.count)
        place = ops.cast(found, named_type("INT32"))
        place = ops.filled(place, nowhere) if place.null_count() else place
        (row,) = ops.gathered([self._order], place, outside_is_null=True)
        row = ops.filled(row, nowhere) if row.null_count() else row
        return ops.gathered([column], row, outside_is_null=True)[0]
