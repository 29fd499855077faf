"""Names of days and months, and the last day of a month."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ...planner.expr import Call
from ...planner.time_formats import DAYS, MONTHS
from ...planner.types import BIGINT, DATE, VARCHAR
from ..kernels import arrays
from ..vector import Vector
from .calendar import civil, days_from_civil, days_in_month
from .date_parts import CALENDAR_PARTS
from .moments import on_days
from .registry import Evaluate, scalar


def _named(number: Callable[[Any], Any], names: tuple[str, ...], first: int) -> Evaluate:
    entries = pa.array(names)

    def evaluate(args: Any, n: int) -> Vector:
        numbers = on_days(args[0], number, BIGINT)
        valid = numbers.valid
        codes = (numbers.values - first).astype(np.int32)
        if valid is not None:
            codes = np.where(valid, codes, np.int32(0))
        mask = None if valid is None else arrays.mask_to_buffer(valid)  # type: ignore[arg-type]
        indices = pa.Array.from_buffers(pa.int32(), len(codes), [mask, pa.py_buffer(codes)])
        return Vector.of_array(VARCHAR, pa.DictionaryArray.from_arrays(indices, entries))

    return evaluate


@scalar("dayname")
def dayname(call: Call) -> Evaluate:
    """English name of the day of the week."""
    return _named(CALENDAR_PARTS["dayofweek"], DAYS, 0)


@scalar("monthname")
def monthname(call: Call) -> Evaluate:
    """English name of the month."""
    return _named(CALENDAR_PARTS["month"], MONTHS, 1)


def _last_day(days: Any) -> Any:
    date = civil(days)
    return days_from_civil(date.year, date.month, days_in_month(date.year, date.month)).astype(np.int32)


@scalar("last_day")
def last_day(call: Call) -> Evaluate:
    """The last day of the month."""
    return lambda args, n: on_days(args[0], _last_day, DATE)
