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
from ..._strings import BOOL, numbers, of_array, strings, texts_of
from ...column import Column, made
from ...types import DataType, TypeId, size_of


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


@library
def hex_to_integers(input: Column, output_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    """Hexadecimal digits as an integer: other characters are passed over, and what is too long is cut."""
    expects(traits.is_integral_not_bool(output_type), logic_error("Output type is not integral"))
    rows = texts_of(input)
    found = [
        0
        if text is None
        else int("0" + re.sub("[^0-9a-fA-F]", "", re.sub("^0[xX]", "", text)), 16) & (1 << 64) - 1
        for text in rows.to_pylist()
    ]
    target = storage.NUMPY_TYPES[storage_type(Kind(output_type))]
    return made(output_type, storage.build(np.array(found, np.uint64).astype(target), storage.valid(rows)))


@library
def integers_to_hex(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """Two digits for each byte, without leading bytes of 0; negative numbers in two's complement."""
    expects(traits.is_integral_not_bool(input.type()), logic_error("Input column must be integral"))
    rows = input._rows
    mask = (1 << 8 * size_of(input.type())) - 1
    texts = [None if v is None else f"{v & mask:X}" for v in rows.to_pylist()]
    return strings([None if text is None else text.zfill(len(text) + len(text) % 2) for text in texts])
