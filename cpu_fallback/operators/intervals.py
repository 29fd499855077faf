"""INTERVAL as an ordered value: its length in microseconds, with months of 30 days and days of 24 hours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..kernels import arith128, arrays
from ..kernels.arrays import I64
from ..storage import INTERVAL_DTYPE

DAYS_A_MONTH = 30
MICROS_A_DAY = 86_400_000_000


def parts(column: pa.Array) -> tuple[I64, I64, I64]:
    """Months, days and microseconds of every row; arbitrary at NULL rows."""
    values = stored(column)
    return values["months"].astype(np.int64), values["days"].astype(np.int64), values["nanos"] // 1000


def stored(column: pa.Array) -> npt.NDArray[np.void]:
    """The rows of an interval array as records."""
    buffer = column.buffers()[1]
    if buffer is None or not len(column):
        return np.zeros(len(column), dtype=INTERVAL_DTYPE)
    start = INTERVAL_DTYPE.itemsize * column.offset
    return np.frombuffer(buffer, dtype=INTERVAL_DTYPE, count=len(column), offset=start)


def lengths(column: pa.Array) -> pa.Array:
    """Microseconds of every row as decimal128: they exceed 64 bits."""
    months, days, micros = parts(column)
    whole = arith128.mul_wide(months * DAYS_A_MONTH + days, np.full(len(column), MICROS_A_DAY))
    total, _ = arith128.add_words(whole, arith128.widen(micros))
    return arrays.make_decimal128(total, arrays.validity_bytes(column), 38, 0)


def length(value: tuple[int, int, int]) -> int:
    """Microseconds of an interval in literal form.

    >>> length((1, -1, 5))
    2505600000005
    """
    months, days, micros = value
    return (months * DAYS_A_MONTH + days) * MICROS_A_DAY + micros


def of_length(micros: int) -> tuple[int, int, int]:
    """An interval of days and microseconds in literal form.

    >>> of_length(-86_400_000_001)
    (0, -1, -1)
    """
    days, rest = divmod(abs(micros), MICROS_A_DAY)
    return (0, days, rest) if micros >= 0 else (0, -days, -rest)
