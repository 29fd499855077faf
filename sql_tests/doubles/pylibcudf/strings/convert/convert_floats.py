"""Floating point numbers. What follows the number is ignored."""

from __future__ import annotations

import math
import re
from typing import Any

from ....arguments import library
from ....errors import expects, logic_error
from ... import traits
from ..._strings import BOOL, numbers, strings
from ...column import Column
from ...types import DataType

_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_WORDS = r"[-+]?(?:inf(?:inity)?|nan)"


def _parsed(text: str) -> float:
    match = re.match(f"(?i:{_WORDS})|{_NUMBER}", text)
    return float(match[0]) if match else 0.0


@library
def to_floats(strings: Column, output_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    """The number at the beginning of each text, 0 where there is none."""
    expects(traits.is_floating_point(output_type), logic_error("Output type is not float"))
    return numbers(strings, _parsed, output_type)


def _written(value: float) -> str:
    """At most ten digits, with an exponent for the very small and large.

    >>> _written(0.1), _written(1e20), _written(1.0), _written(123456789.125)
    ('0.1', '1.0e+20', '1.0', '123456789.1')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "-Inf" if value < 0 else "Inf"
    if value == 0:
        return "-0.0" if math.copysign(1, value) < 0 else "0.0"
    if 1e-4 <= abs(value) < 1e10:
        text = f"{value:.10g}"
        return text if "." in text else f"{text}.0"
    digits, power = f"{value:.9e}".split("e")
    digits = digits.rstrip("0")
    return f"{digits}{'0' if digits.endswith('.') else ''}e{power[0]}{int(power[1:]):02d}"


@library
def from_floats(floats: Column, stream: Any = None, mr: Any = None) -> Column:
    """A text of at most ten digits: not every value comes back."""
    expects(
        traits.is_floating_point(floats.type()), logic_error("Values for from_floats must be a float type.")
    )
    return strings([None if v is None else _written(v) for v in floats._rows.to_pylist()])


@library
def is_float(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """Whether a text is a number, `inf` or `nan`."""
    return numbers(input, lambda text: re.fullmatch(f"(?i:{_WORDS})|{_NUMBER}", text) is not None, BOOL)
