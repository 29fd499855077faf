"""What the functions of strings share: the texts of a column, and columns of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import data_type_error, expects, logic_error
from ..kernels import storage
from .column import Column, made
from .scalar import Scalar
from .types import DataType, TypeId

STRING, BOOL, INT32 = DataType(TypeId.STRING), DataType(TypeId.BOOL8), DataType(TypeId.INT32)


def texts_of(column: Column) -> pa.Array:
    """The rows of a column of strings; an error for any other."""
    expects(column.type().id() is TypeId.STRING, data_type_error("strings_column_view only supports strings"))
    return column._rows


def text_of(scalar: Scalar, what: str) -> str:
    """The text of a scalar that must be valid."""
    expects(scalar.type().id() is TypeId.STRING, data_type_error(f"{what} must be a string"))
    expects(scalar._valid, logic_error(f"Parameter {what} must be valid."))
    return scalar._row[0].as_py()


def optional_text(scalar: Scalar | None) -> str | None:
    """The text of a scalar; None where it is NULL or absent."""
    if scalar is None:
        return None
    expects(scalar.type().id() is TypeId.STRING, data_type_error("a string is expected"))
    return scalar._row[0].as_py()


def strings(texts: Sequence[str | None]) -> Column:
    return made(STRING, pa.array(texts, pa.string()))


def each(column: Column, function: Callable[[str], str | None]) -> Column:
    """The function on each text; NULL stays NULL. It is called once a distinct text."""
    encoded = texts_of(column).dictionary_encode()
    changed = pa.array([function(text) for text in encoded.dictionary.to_pylist()], pa.string())
    return made(STRING, changed.take(encoded.indices))


def numbers(column: Column, function: Callable[[str], Any], kind: DataType) -> Column:
    """As `each`, for numbers and booleans; None gives NULL."""
    from ._kinds import Kind, storage_type

    encoded = texts_of(column).dictionary_encode()
    found = pa.array([function(text) for text in encoded.dictionary.to_pylist()], storage_type(Kind(kind)))
    return made(kind, found.take(encoded.indices))


def of_array(kind: DataType, found: pa.Array) -> Column:
    """A column of what pyarrow computed."""
    from ._kinds import Kind, storage_type

    target = storage_type(Kind(kind))
    return made(kind, found if found.type == target else found.cast(target))


def whole(values: np.ndarray, keep: np.ndarray | None, kind: DataType = INT32) -> Column:
    return made(kind, storage.build(values, keep))
