"""Columns as texts, for the formats that are text."""

from __future__ import annotations

import pyarrow as pa

from ...cpu_fallback import compute
from ...cpu_fallback.expressions import compile_expression
from ...physical.batch import Batch
from ...physical.python_values import python_values
from ...planner.coercion import can_cast
from ...planner.expr import Cast, Column, ref
from ...planner.types import VARCHAR
from ..nested_texts import nested_text


def text_array(array: pa.Array, column: Column) -> pa.Array:
    """A column's values as plain strings, as CAST AS VARCHAR writes them."""
    if pa.types.is_dictionary(array.type):
        array = compute.decode_dictionary(array)
    if column.type.is_string:
        return array
    if column.type.is_nested and not can_cast(column.type, VARCHAR):
        values = python_values(array, column.type)
        return pa.array([None if v is None else nested_text(v) for v in values], pa.string())
    own = Column(0, column.name, column.type)
    cast = compile_expression(Cast(VARCHAR, ref(own)))
    made = cast(Batch((own,), [array], len(array))).to_array(len(array))
    return compute.decode_dictionary(made) if pa.types.is_dictionary(made.type) else made
