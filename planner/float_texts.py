"""FLOAT and DOUBLE as CAST to VARCHAR writes them: the shortest digits that read back as the same number.

Where there is doubt which those are, a FLOAT has those of its DOUBLE: two texts are as short and as near,
or one as short or shorter lies on the border to the next FLOAT. Grisu3 (Florian Loitsch, "Printing
floating-point numbers quickly and accurately with integers", 2010), which DuckDB uses, cannot decide these.
"""

from __future__ import annotations

import math
import struct
from decimal import Decimal
from typing import Final

# From the first up FLOATs are whole numbers, and so are the borders between them. Below the second are all
# borders and midpoints of at most nine digits and zeros after them: they are no more than 25 bits and a power
# of two, so they have at most ten zeros.
_BORDERS: Final = (2.0**24, 1e20)
# Midpoints below it need more digits than any FLOAT.
_MIDPOINTS: Final = 1e-4
# Half the distance of FLOATs in units of the distance of doubles.
_HALF: Final = 2**28


def to_float32(value: float) -> float:
    """The nearest single-precision value; infinite beyond its range."""
    try:
        return struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def format_float(value: float, single: bool = False) -> str:
    """A floating-point number as CAST to VARCHAR writes it, always with a point or an exponent; as a FLOAT if
    `single`.

    >>> format_float(1.0), format_float(1e300), format_float(to_float32(0.1), single=True)
    ('1.0', '1e+300', '0.1')
    """
    if single and math.isfinite(value):
        for digits in range(9):
            nearest = f"{value:.{digits}e}"
            # The next FLOAT above a power of two is further off than the one below.
            mantissa, _, exponent = nearest.partition("e")
            away = Decimal(mantissa) + Decimal((value < 0, (1,), -digits))
            for text in (nearest, f"{away}e{exponent}"):
                if to_float32(float(text)) == value:
                    return single_text(value, float(text))
    return repr(value)


def single_text(value: float, short: float) -> str:
    """The text of a finite FLOAT whose shortest digits are those of `short`.

    >>> single_text(to_float32(0.1), 0.1), single_text(72045296.0, 72045300.0)
    ('0.1', '72045296.0')
    """
    text, size = repr(short), abs(value)
    if value == short or size < _MIDPOINTS or size >= _BORDERS[1]:
        return text
    if size < _BORDERS[0]:
        full = repr(value)
        # Midway between two texts that have one digit less.
        return full if full[-1] == "5" and len(full) == len(text) + 1 else text
    whole, written, half = int(value), int(Decimal(text)), int(math.ulp(value) * _HALF)
    digits = str(written)
    unit = 10 ** (len(digits) - len(digits.rstrip("0")))
    gap = abs(whole - written)
    border = gap == half or not ((whole + half) % (10 * unit) and (whole - half) % (10 * unit))
    return repr(value) if border or 2 * gap == unit else text
