"""Parts of strings by position."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .. import traits
from .._strings import each, strings, texts_of
from ..column import Column
from ..scalar import Scalar
from ..types import TypeId


def _position(scalar: Scalar | None, missing: int) -> int:
    if scalar is None:
        return missing
    known = scalar.type().id() is TypeId.INT32
    expects(known, logic_error("the positions of slice_strings are INT32 scalars"))
    expects(scalar._valid, logic_error("the positions of slice_strings are valid scalars"))
    return scalar._row[0].as_py()


@library
def slice_strings(
    input: Column,
    start: Column | Scalar | None = None,
    stop: Column | Scalar | None = None,
    step: Scalar | None = None,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """The characters from `start` to before `stop`; negative positions count from the end.

    A missing `stop` is not the end but 0, as the real function's source has it: nothing is left then.
    """
    if not isinstance(start, Column) and not isinstance(stop, Column):
        by = _position(step, 1)
        expects(by != 0, logic_error("Step parameter must not be 0"))
        begin, end = _position(start, 0), _position(stop, 0)
        return each(input, lambda text: text[begin:end:by])
    if step is not None:
        raise ValueError("Column-wise slice does not support step")
    if not isinstance(start, Column) or not isinstance(stop, Column):
        raise ValueError("start and stop must be provided for Column-wise slice")
    expects(start.size() == stop.size() == input.size(), logic_error("Columns must be the same size"))
    same = start.type() == stop.type() and traits.is_integral_not_bool(start.type())
    expects(same, logic_error("starts and stops must be of the same integer type"))
    expects(
        not start.null_count() and not stop.null_count(), logic_error("Positions values must not have nulls.")
    )
    rows = zip(texts_of(input).to_pylist(), start._rows.to_pylist(), stop._rows.to_pylist(), strict=True)
    return strings([None if text is None else _part(text, begin, end) for text, begin, end in rows])


def _part(text: str, begin: int, end: int) -> str:
    """By columns, -1 is the end and a place before the text is empty."""
    last = len(text) if end < 0 else min(end, len(text))
    return text[begin:last] if 0 <= begin < last else ""
