"""Casts from VARCHAR: the forms that planner.literals reads.

Plain forms of numbers, dates and timestamps are read by arrow; whatever it refuses is read string by
string, once for each distinct one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ...physical.stored import physical_name
from ...planner import messages_values as messages
from ...planner.literals import parse_text
from ...planner.types import SQLType, TypeId
from .. import compute
from ..dictionary import on_entries
from ..functions.registry import Evaluate
from ..functions.rowwise import rowwise
from ..storage import arrow_type
from ..vector import Vector
from .registry import INTEGERS, TIMESTAMPS, cast
from .temporal import DATE_INFINITY, TIMESTAMP_INFINITY

_OTHERS = (TypeId.BOOLEAN, TypeId.DECIMAL, TypeId.TIME, TypeId.INTERVAL, TypeId.BLOB)
_MADE_BY_ARROW = (
    *(kind for kind in INTEGERS if kind is not TypeId.HUGEINT),
    TypeId.FLOAT,
    TypeId.DOUBLE,
    TypeId.DATE,
    TypeId.TIMESTAMP,
)
# Length of YYYY-MM-DD HH, which arrow takes and SQL does not.
_HOUR_ONLY = 13
_TEMPORAL = (TypeId.DATE, *TIMESTAMPS)


@cast((TypeId.VARCHAR,), (*_MADE_BY_ARROW, TypeId.HUGEINT, *_OTHERS, *TIMESTAMPS[1:]))
def text_to_value(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """A string as a value of any type."""
    by_row = rowwise(value_reader(target, safe), target)
    if target.id not in _MADE_BY_ARROW:
        return by_row
    stored = arrow_type(target)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        def read(entries: Vector) -> Vector:
            array = _by_arrow(entries.array, stored)
            if array is None:
                return by_row((entries,), len(entries))
            return Vector.of_array(target, array)

        return on_entries(args[0], read)

    return evaluate


def _by_arrow(array: pa.Array, stored: pa.DataType) -> pa.Array | None:
    """None if one of the strings is not in the plain form that arrow reads as SQL does."""
    if pa.types.is_integer(stored) and compute.any_true(compute.matches_regex(array, "[xX]")):
        # Arrow reads hexadecimal digits as two's complement.
        return None
    if pa.types.is_timestamp(stored) and (compute.byte_length(array).to_numpy(False) == _HOUR_ONLY).any():
        return None
    try:
        return compute.cast(array, stored)
    except pa.ArrowInvalid:
        return None


def value_reader(target: SQLType, safe: bool) -> Callable[[str], Any]:
    """A function from text to the literal form of a type; with `safe` None for what cannot be read."""
    shown = str(target) if target.is_decimal or target.is_temporal else physical_name(target)
    infinity = DATE_INFINITY if target.id is TypeId.DATE else TIMESTAMP_INFINITY

    def read(text: str) -> Any:
        if target.id in _TEMPORAL:
            sign = _infinite(text)
            if sign:
                return sign * infinity
        try:
            return parse_text(text, target)
        except ValueError as error:
            if safe:
                return None
            raise messages.cast_failed(text, shown, str(error)) from None

    return read


def _infinite(text: str) -> int:
    """1 for 'infinity', -1 for '-infinity', 0 for other text."""
    lowered = text.strip().lower()
    if lowered in ("infinity", "inf"):
        return 1
    return -1 if lowered in ("-infinity", "-inf") else 0
