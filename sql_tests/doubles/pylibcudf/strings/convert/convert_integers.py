"""Integers. What follows the digits is ignored, and overflow wraps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ....arguments import library
from ....errors import expects, logic_error
from ....kernels import storage
from ... import traits
from ..._kinds import Kind, storage_type
from ..._strings import BOOL, numbers, of_array, texts_of
from ...column import Column, made
from ...types import DataType, TypeId


def _parsed(text: str) -> int:
    match = re.match(r"([-+]?)([0-9]*)", text)
    assert match is not None
    value = int(match[2] or 0)
    return -value if match[1] == "-" else value


@library
def to_integers(input: Column, output_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    """The number at the beginning of each text, 0 where there is none."""
    expects(traits.is_integral_not_bool(output_type), logic_error("Output type is not integral"))
    rows = texts_of(input)
    found = [0 if text is None else _parsed(text) & (1 << 64) - 1 for text in rows.to_pylist()]
    target = storage.NUMPY_TYPES[storage_type(Kind(output_type))]
    values = np.array(found, np.uint64).view(np.int64).astype(target)
    return made(output_type, storage.build(values, storage.valid(rows)))


@library
def from_integers(integers: Column, stream: Any = None, mr: Any = None) -> Column:
    expects(
        traits.is_integral_not_bool(integers.type()), logic_error("Values for from_integers must be integral")
    )
    return of_array(DataType(TypeId.STRING), integers._rows)


@library
def is_integer(input: Column, int_type: DataType | None = None, stream: Any = None, mr: Any = None) -> Column:
    """Whether a text is digits after an optional sign, and within the type's range where one is given."""
    low, high = -(2**200), 2**200
    if int_type is not None:
        expects(traits.is_integral_not_bool(int_type), logic_error("Unsupported integer type"))
        limits = np.iinfo(storage.NUMPY_TYPES[storage_type(Kind(int_type))])
        low, high = int(limits.min), int(limits.max)

    def fits(text: str) -> bool:
        return re.fullmatch(r"[-+]?[0-9]+", text) is not None and low <= int(text) <= high

    return numbers(input, fits, BOOL)
