"""Strings looked for in strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...arguments import library
from ...errors import expects, logic_error
from .._strings import BOOL, INT32, numbers, of_array, text_of, texts_of
from ..column import Column, made
from ..scalar import Scalar


def _rows(
    input: Column, target: Column, function: Callable[[str, str], Any], kind: pa.DataType, missing: Any
) -> pa.Array:
    """The function on each pair; NULL for a NULL text, `missing` for a NULL target."""
    expects(input.size() == target.size(), logic_error("strings and targets column must be the same size"))
    pairs = zip(texts_of(input).to_pylist(), texts_of(target).to_pylist(), strict=True)
    return pa.array(
        [None if text is None else missing if part is None else function(text, part) for text, part in pairs],
        kind,
    )


@library
def find(
    input: Column, target: Column | Scalar, start: int = 0, stop: int = -1, stream: Any = None, mr: Any = None
) -> Column:
    """The character where the target begins first, -1 where it is not."""
    if isinstance(target, Column):
        return made(INT32, _rows(input, target, lambda text, part: text.find(part, start), pa.int32(), None))
    expects(stop < 0 or start <= stop, logic_error("Parameter start must be less than stop"))
    part = text_of(target, "target")
    return numbers(input, lambda text: text.find(part, start, None if stop < 0 else stop), INT32)


@library
def rfind(
    input: Column, target: Scalar, start: int = 0, stop: int = -1, stream: Any = None, mr: Any = None
) -> Column:
    """The character where the target begins last, -1 where it is not."""
    expects(stop < 0 or start <= stop, logic_error("Parameter start must be less than stop"))
    part = text_of(target, "target")
    return numbers(input, lambda text: text.rfind(part, start, None if stop < 0 else stop), INT32)


@library
def contains(input: Column, target: Column | Scalar, stream: Any = None, mr: Any = None) -> Column:
    """Whether the target is in each text; false for a NULL among several targets."""
    if isinstance(target, Column):
        return made(BOOL, _rows(input, target, lambda text, part: part in text, pa.bool_(), False))
    return of_array(BOOL, pc.match_substring(texts_of(input), text_of(target, "target")))


@library
def starts_with(input: Column, target: Column | Scalar, stream: Any = None, mr: Any = None) -> Column:
    if isinstance(target, Column):
        return made(BOOL, _rows(input, target, str.startswith, pa.bool_(), None))
    return of_array(BOOL, pc.starts_with(texts_of(input), text_of(target, "target")))


@library
def ends_with(input: Column, target: Column | Scalar, stream: Any = None, mr: Any = None) -> Column:
    if isinstance(target, Column):
        return made(BOOL, _rows(input, target, str.endswith, pa.bool_(), None))
    return of_array(BOOL, pc.ends_with(texts_of(input), text_of(target, "target")))
