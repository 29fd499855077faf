"""The value of an expression over a batch: an array of rows or one constant.

Fixed-width values are computed with in numpy (measured on 1M rows: two to five times as fast as pyarrow's
kernels for arithmetic and comparisons), strings and nested values in arrow; a vector converts lazily and
keeps both forms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..physical.stored import INT64_HIGH, INT64_LOW, may_be_wide, values_range
from ..planner.types import SQLType, TypeId
from . import compute, scalars
from .kernels import arrays
from .storage import arrow_type, has_values, numpy_dtype

Values = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Valid = Mask | None
_UNSET: Any = object()
# A constant string is repeated up to this many characters; a longer one is an entry of a dictionary.
_REPEATED_TEXT = 1 << 26


class Vector:
    """Values of one SQL type for the rows of a batch, or the same value for all of them.

    `type` is the SQL type. A constant holds `value` in the form of `expr.Literal` (None is NULL). Otherwise
    there is an arrow array, a numpy array of stored values with a mask of the valid rows, or both. Boolean
    values are False where they are NULL; other values are arbitrary there. `bounds` are inclusive bounds of
    the stored integers of the valid rows, where known: they hold, but need not be tight. Immutable; build
    one with `constant`, `of_array` or `of_values`.
    """

    __slots__ = ("_array", "_bounds", "_tight", "_valid", "_value", "_values", "is_constant", "type")

    def __init__(self, type_: SQLType) -> None:
        self.type = type_
        self.is_constant = False
        self._value: Any = None
        self._array: pa.Array | None = None
        self._values: Any = _UNSET
        self._valid: Any = _UNSET
        self._bounds: tuple[int, int] | None = None
        self._tight: Any = _UNSET

    # Building ---------------------------------------------------------------------------------------------
    @classmethod
    def constant(cls, type_: SQLType, value: Any) -> Vector:
        """The same `value`, in the literal form of its type, for every row."""
        vector = cls(type_)
        vector.is_constant = True
        vector._value = value
        if isinstance(value, int) and not isinstance(value, bool):
            vector._bounds = vector._tight = (value, value)
        return vector

    @classmethod
    def of_array(cls, type_: SQLType, array: pa.Array, bounds: tuple[int, int] | None = None) -> Vector:
        """Rows held by an arrow array in a storage of `type_`."""
        vector = cls(type_)
        vector._array = array
        vector._bounds = bounds
        return vector

    @classmethod
    def of_values(
        cls, type_: SQLType, values: Values, valid: Valid = None, bounds: tuple[int, int] | None = None
    ) -> Vector:
        """Rows held by a numpy array of stored values; `valid` is False at NULL rows, None when there is
        none.

        Boolean values must be False at NULL rows: see `of_truth`.
        """
        vector = cls(type_)
        vector._values = values
        vector._valid = valid
        vector._bounds = bounds
        return vector

    @classmethod
    def of_truth(cls, type_: SQLType, values: Mask, valid: Valid = None) -> Vector:
        """Boolean rows; whatever `values` says at NULL rows is cleared."""
        return cls.of_values(type_, values if valid is None else values & valid, valid)

    # Reading ----------------------------------------------------------------------------------------------
    @property
    def value(self) -> Any:
        """The value of a constant, None for NULL and for rows. Of a nested one made of an array it is found
        when it is asked for.
        """
        if self._value is _UNSET:
            assert self._array is not None
            self._value = scalars.literal_value(self.type, self._array, 0)
        return self._value

    @property
    def is_null(self) -> bool:
        """Whether this is the constant NULL."""
        return self.is_constant and self._value is None

    @property
    def is_wide(self) -> bool:
        """Whether the rows are decimal128, or the constant does not fit int64."""
        if self.is_constant:
            return may_be_wide(self.type) and not self.is_null and not INT64_LOW <= self.value <= INT64_HIGH
        return self._array is not None and pa.types.is_decimal(self._array.type)

    @property
    def is_dictionary(self) -> bool:
        """Whether the rows are dictionary-encoded strings."""
        return self._array is not None and pa.types.is_dictionary(self._array.type)

    @property
    def values(self) -> Any:
        """Stored values in the dtype of the type: a numpy array, for a constant a numpy scalar (0 for
        NULL).
        """
        if self._values is _UNSET:
            if self.is_constant:
                self._values = scalars.numpy_scalar(self.type, self.value)
            else:
                assert self._array is not None
                self._values = _numpy_values(self.type, self._array, self.valid)
        return self._values

    @property
    def valid(self) -> Valid:
        """False at NULL rows; None when no row is NULL. The constant NULL has no mask: callers look at
        `is_null` first.
        """
        if self._valid is _UNSET:
            if self.is_constant:
                assert self.value is not None, "the constant NULL has no mask"
                self._valid = None
            else:
                assert self._array is not None
                mask = arrays.validity_bytes(self._array)
                self._valid = None if mask is None else mask.view(np.bool_)
        return self._valid

    @property
    def array(self) -> pa.Array:
        """The rows as an arrow array (not for constants: see `to_array`)."""
        if self._array is None:
            assert not self.is_constant
            self._array = _arrow_array(self.type, self._values, self._valid)
        return self._array

    @property
    def scalar(self) -> pa.Scalar:
        """A constant as an arrow scalar in its storage."""
        assert self.is_constant
        return scalars.arrow_scalar(self.type, self.value)

    def to_array(self, n: int) -> pa.Array:
        """The rows as an arrow array of length `n`; constants are repeated."""
        if not self.is_constant:
            return self.array
        if self._value is None:
            return pa.nulls(n, arrow_type(self.type))
        if self.type.is_nested:
            return compute.take(self.one_row(), np.zeros(n, dtype=np.int64)) if n != 1 else self.one_row()
        if self.type.id in (TypeId.VARCHAR, TypeId.BLOB) and n * len(self.value) > _REPEATED_TEXT:
            return self._shared(n)
        return pa.repeat(self.scalar, n)

    def one_row(self) -> pa.Array:
        """A nested constant as an array of one row."""
        assert self.is_constant
        if self._array is None:
            self._array = scalars.literal_array(self.type, [self._value])
        return self._array

    def _shared(self, n: int) -> pa.Array:
        """A long constant string for `n` rows without a copy for each; blobs have no such storage."""
        if self.type.id is TypeId.BLOB:
            raise arrays.TextOverflow(f"{n} copies of a blob of {len(self.value)} bytes")
        codes = arrays.make_array(np.zeros(n, dtype=np.int32), None, pa.int32())
        return pa.DictionaryArray.from_arrays(codes, pa.array([self.value], pa.string()))

    def expand(self, n: int) -> Vector:
        """The same rows, not constant."""
        if not self.is_constant:
            return self
        if not self.is_null and has_values(self.type) and not self.is_wide:
            return Vector.of_values(self.type, np.full(n, self.values), None, self._bounds)
        return Vector.of_array(self.type, self.to_array(n), self._bounds)

    def decoded(self) -> Vector:
        """The same rows with dictionary encoding removed."""
        if not self.is_dictionary:
            return self
        return Vector.of_array(self.type, compute.decode_dictionary(self.array))

    def __len__(self) -> int:
        assert not self.is_constant, "a constant has no length"
        return len(self._values) if self._array is None else len(self._array)

    # Bounds -----------------------------------------------------------------------------------------------
    @property
    def bounds(self) -> tuple[int, int] | None:
        """Known inclusive bounds of the stored integers, else None."""
        return self._bounds

    def loose_bounds(self) -> tuple[int, int]:
        """Known bounds, else those that the type implies. No scan. Only for types that are stored as
        integers.
        """
        if self._bounds is not None:
            return self._bounds
        return values_range(self.type)

    def tight_bounds(self) -> tuple[int, int] | None:
        """The least and greatest stored integer, by a scan that is done once; None when no row is valid."""
        if self._tight is _UNSET:
            self._tight = self._scan_bounds()
        return self._tight

    def _scan_bounds(self) -> tuple[int, int] | None:
        if self.is_constant:
            return None
        if self.is_wide:
            return compute.min_max_decimal(self.array)
        values, valid = self.values, self.valid
        if valid is not None:
            values = values[valid]
        return (int(values.min()), int(values.max())) if len(values) else None

    # Choosing rows ----------------------------------------------------------------------------------------
    def take(self, rows: npt.NDArray[np.integer[Any]]) -> Vector:
        """The given rows, in that order."""
        if self.is_constant:
            return self
        if self._values is not _UNSET and self._valid is not _UNSET:
            valid = None if self._valid is None else self._valid.take(rows)
            return Vector.of_values(self.type, self._values.take(rows), valid, self._bounds)
        return Vector.of_array(self.type, compute.take(self.array, rows), self._bounds)

    def slice(self, start: int, count: int) -> Vector:
        """Rows `start` to `start + count`, without a copy."""
        if self.is_constant:
            return self
        stop = start + count
        array = None if self._array is None else self._array.slice(start, count)
        if self._values is _UNSET or self._valid is _UNSET:
            return Vector.of_array(self.type, array, self._bounds)
        valid = None if self._valid is None else self._valid[start:stop]
        part = Vector.of_values(self.type, self._values[start:stop], valid, self._bounds)
        part._array = array
        return part

    def to_constant(self) -> Vector:
        """A vector of one row as a constant."""
        if self.is_constant:
            return self
        assert len(self) == 1
        if self.type.is_nested:
            vector = Vector.constant(self.type, None if self.array.null_count else _UNSET)
            vector._array = self.array
            return vector
        return Vector.constant(self.type, scalars.literal_value(self.type, self.array, 0))

    def __repr__(self) -> str:
        if self.is_constant:
            return f"Vector({self.type} constant {self.value!r})"
        return f"Vector({self.type} x {len(self)})"


def combined_valid(*vectors: Vector) -> Valid:
    """Rows at which every vector is not NULL; None when that is all rows. No argument may be the constant
    NULL.
    """
    result: Valid = None
    for vector in vectors:
        valid = vector.valid
        if valid is not None:
            result = valid if result is None else result & valid
    return result


def null_constant(type_: SQLType) -> Vector:
    """NULL for every row."""
    return Vector.constant(type_, None)


def _numpy_values(type_: SQLType, array: pa.Array, valid: Valid) -> Values:
    if type_.id is TypeId.BOOLEAN:
        values = arrays.bool_bytes(array).view(np.bool_)
        return values if valid is None else values & valid
    dtype = numpy_dtype(type_)
    assert not pa.types.is_decimal(array.type), "wide values have no numpy form"
    buffer = array.buffers()[1]
    if buffer is None or not len(array):
        return np.zeros(len(array), dtype=dtype)
    return np.frombuffer(buffer, dtype=dtype, count=len(array), offset=dtype.itemsize * array.offset)


def _arrow_array(type_: SQLType, values: Values, valid: Valid) -> pa.Array:
    if type_.id is TypeId.BOOLEAN:
        return arrays.make_bool(values, valid)  # type: ignore[arg-type]
    if not values.flags.c_contiguous:
        values = np.ascontiguousarray(values)
    assert values.dtype == numpy_dtype(type_), (type_, values.dtype)
    mask = arrays.mask_to_buffer(valid)  # type: ignore[arg-type]
    return pa.Array.from_buffers(arrow_type(type_), len(values), [mask, pa.py_buffer(values)])
