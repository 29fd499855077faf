"""Runtime filters: what the keys of a finished build side say about the rows of the probe side."""

from __future__ import annotations

from typing import Any

from ...physical.key_range import KeyRange
from ...planner.types import INTEGER_RANGES, SQLType
from ..ops import Ops
from ..storage import data_type, integer_type, is_wide


def key_range(values: Any, type_: SQLType, ops: Ops) -> KeyRange:
    """The range of a key's values, as literals have them; part of a step. Waits for the device.

    Known for integers, decimals of 64 bits, dates and timestamps. Of other types only whether there is a
    value at all.
    """
    if values.null_count() == values.size():
        return KeyRange(None, None, empty=True)
    exact = type_.id in INTEGER_RANGES or type_.is_decimal
    if is_wide(values) or not (exact or type_.is_temporal):
        return KeyRange(None, None, empty=False)
    numbers = values if exact else ops.bits_as(values, integer_type(type_))
    kind = data_type(type_) if exact else integer_type(type_)
    plc = ops.plc

    def end(which: Any) -> Any:
        return plc.reduce.reduce(numbers, which, kind, stream=ops.stream).to_py(stream=ops.stream)

    return KeyRange(end(plc.aggregation.min()), end(plc.aggregation.max()), empty=False)
