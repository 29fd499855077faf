"""Strings several times."""

from __future__ import annotations

from typing import Any

from ...arguments import library
from ...errors import expects, logic_error
from .. import traits
from .._strings import each, strings, texts_of
from ..column import Column


@library
def repeat_strings(input: Column, repeat_times: Column | int, stream: Any = None, mr: Any = None) -> Column:
    """Each so many times; not at all where that is not positive."""
    if not isinstance(repeat_times, Column):
        return each(input, lambda text: text * repeat_times)
    expects(
        traits.is_integral_not_bool(repeat_times.type()),
        logic_error("repeat_strings expects an integer type"),
    )
    expects(repeat_times.size() == input.size(), logic_error("The input columns must have the same size."))
    pairs = zip(texts_of(input).to_pylist(), repeat_times._rows.to_pylist(), strict=True)
    return strings([None if text is None or times is None else text * times for text, times in pairs])
