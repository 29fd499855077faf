"""Python functions of many rows: called with one pyarrow array a parameter, they return an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ..physical.arrow_types import UnknownArrowType, from_arrow, result_type
from ..physical.python_functions import PythonFunction, error_text, value_text
from ..physical.python_values import to_result
from ..planner import messages_udf as messages
from ..planner.coercion import can_cast
from ..planner.errors import SqlError
from ..planner.functions import UserFunction
from ..planner.messages import plural
from ..planner.types import TypeId
from .arrow_storage import to_storage
from .casts import compile_cast
from .vector import Vector, null_constant


def call(made: PythonFunction, args: Sequence[Vector], n: int) -> Vector:
    """The function's values for `n` rows. A function without parameters returns one value."""
    signature = made.signature
    where = f"a batch of {plural(n, 'row')}"
    arrays = [pa.chunked_array([to_result(arg.array, arg.type, result_type(arg.type))]) for arg in args]
    try:
        returned = made.function(*arrays)
    except (Exception, SystemExit) as error:
        if signature.fails_as_null:
            return null_constant(signature.result)
        raise messages.failed(signature.name, where, error_text(error)) from error
    array = _as_array(signature, returned, where)
    if len(array) != n:
        raise messages.wrong_length(signature.name, len(array), n)
    if array.null_count and signature.is_strict:
        raise messages.returned_null(signature.name, where)
    return _as_vector(signature, array, where)


def _as_array(signature: UserFunction, returned: Any, where: str) -> pa.Array:
    """Arrays, chunked ones, tables of one column, and what pyarrow makes an array of (lists, NumPy)."""
    if isinstance(returned, (pa.Table, pa.RecordBatch)) and returned.num_columns == 1:
        returned = returned.column(0)
    if isinstance(returned, pa.Array):
        return returned
    try:
        if isinstance(returned, (str, bytes, pa.Table, pa.RecordBatch)):
            raise TypeError(f"a {type(returned).__name__} is no array")
        made = returned if isinstance(returned, pa.ChunkedArray) else pa.array(returned)
        return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
    except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        shown = f"{type(returned).__name__} {value_text(returned)}"
        raise messages.bad_return(
            signature.name, where, shown, signature.result, "it must be an array"
        ) from error


def _as_vector(signature: UserFunction, array: pa.Array, where: str) -> Vector:
    target, shown = signature.result, f"an array of {array.type}"
    try:
        kind = from_arrow(array.type)
        if kind.id is TypeId.NULL:
            return null_constant(target)
        if not can_cast(kind, target) or (kind.id is TypeId.BOOLEAN) is not (target.id is TypeId.BOOLEAN):
            raise UnknownArrowType(str(array.type))
        stored = Vector.of_array(kind, to_storage(array, kind))
        return compile_cast(kind, target, False)([stored], len(array))
    except UnknownArrowType as error:
        raise messages.bad_return(signature.name, where, shown, target) from error
    except SqlError as error:
        raise messages.bad_return(signature.name, where, shown, target, error.message) from error
    except pa.ArrowException as error:
        raise messages.bad_return(signature.name, where, shown, target, str(error)) from error
