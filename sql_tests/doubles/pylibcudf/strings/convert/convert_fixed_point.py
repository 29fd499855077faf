"""Decimals. Digits beyond the scale are cut off, and overflow wraps."""

from __future__ import annotations

import re
from typing import Any

from ....arguments import library
from ....errors import expects, logic_error
from ....kernels import fixed, i128, storage
from ... import traits
from ..._strings import BOOL, numbers, strings, texts_of
from ...column import Column, made
from ...types import DataType, TypeId, size_of

_FORM = r"([-+]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?"


def _unscaled(text: str, scale: int) -> int:
    """
    >>> _unscaled("-0.059", -2), _unscaled("7", -2), _unscaled("", -2)
    (-5, 700, 0)
    """
    match = re.match(_FORM, text)
    assert match is not None
    fraction = match[3] or ""
    value = int((match[2] + fraction) or 0)
    shift = int(match[4] or 0) - len(fraction) - scale
    value = value * 10**shift if shift >= 0 else value // 10**-shift
    return -value if match[1] == "-" else value


@library
def to_fixed_point(input: Column, output_type: DataType, stream: Any = None, mr: Any = None) -> Column:
    expects(
        traits.is_fixed_point(output_type), logic_error("Output for to_fixed_point must be a decimal type.")
    )
    rows, bits = texts_of(input), 8 * size_of(output_type)
    found = [0 if text is None else _unscaled(text, output_type.scale()) for text in rows.to_pylist()]
    values = fixed.narrow(fixed.wrapped(i128.of_ints(found), bits), bits)
    return made(output_type, storage.build(values, storage.valid(rows)))


def written(value: int, scale: int) -> str:
    """
    >>> written(-1, -2), written(125, -2), written(3, 0), written(3, 2)
    ('-0.01', '1.25', '3', '300')
    """
    if scale >= 0:
        return str(value * 10**scale)
    digits = str(abs(value)).zfill(1 - scale)
    return f"{'-' if value < 0 else ''}{digits[:scale]}.{digits[scale:]}"


@library
def from_fixed_point(input: Column, stream: Any = None, mr: Any = None) -> Column:
    expects(
        traits.is_fixed_point(input.type()),
        logic_error("Values for from_fixed_point must be a decimal type."),
    )
    keep = storage.validity(input._rows)
    values = i128.to_ints(fixed.wide(input._rows))
    scale = input.type().scale()
    return strings([written(v, scale) if ok else None for v, ok in zip(values, keep, strict=True)])


@library
def is_fixed_point(
    input: Column, decimal_type: DataType | None = None, stream: Any = None, mr: Any = None
) -> Column:
    """Whether a text is a number whose digits fit the type (DECIMAL64 where none is given)."""
    kind = decimal_type or DataType(TypeId.DECIMAL64)
    expects(traits.is_fixed_point(kind), logic_error("is_fixed_point is expecting a decimal type"))
    limit = 1 << (8 * size_of(kind) - 1)

    def fits(text: str) -> bool:
        form = re.fullmatch(_FORM, text)
        return (
            form is not None and bool(form[2] or form[3]) and -limit <= _unscaled(text, kind.scale()) < limit
        )

    return numbers(input, fits, BOOL)
