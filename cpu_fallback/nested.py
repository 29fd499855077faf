"""The one form of nested values: arrow list, map and struct arrays whose members are stored as results have
them (DECIMAL as decimal128, strings plain), and the vectors of their members.

A list is seen as a start and a length in the vector of all elements (`Lists`), so that a constant list, a
slice and a reordering need no copy of the elements until they are put together again by `gathered`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ..physical.arrow_types import result_type
from ..physical.stored import may_be_wide
from ..planner.types import SQLType, TypeId
from . import compute
from .arrow_storage import to_storage
from .kernels import arrays
from .kernels.arrays import I64, TextOverflow
from .vector import Valid, Vector, null_constant

_MOST_ELEMENTS = 2**31 - 1


class Lists(NamedTuple):
    """Row i is `elements[starts[i] : starts[i] + lengths[i]]`; a NULL row has no elements. `valid` is None
    where no row is NULL.
    """

    starts: I64
    lengths: I64
    valid: Valid
    elements: Vector

    @property
    def rows(self) -> I64:
        """For each element of each list in turn, the row of the list."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    @property
    def places(self) -> I64:
        """For each element of each list in turn, where it is in `elements`."""
        ends = np.cumsum(self.lengths)
        before = ends - self.lengths
        return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(self.starts - before, self.lengths)

    def dense(self) -> Vector:
        """The elements of each list in turn, no others."""
        total = int(self.lengths.sum())
        if total == 0:
            return self.elements.slice(0, 0) if not self.elements.is_constant else self.elements
        first = int(self.starts[np.argmax(self.lengths > 0)])
        used = self.lengths > 0
        starts, lengths = self.starts[used], self.lengths[used]
        if first + total <= len(self.elements) and (starts[1:] == (starts + lengths)[:-1]).all():
            return self.elements.slice(first, total)
        return self.elements.take(self.places)


def lists_of(vector: Vector, n: int) -> Lists:
    """The rows of a LIST or MAP vector; those of a MAP are STRUCTs of key and value."""
    element = vector.type.element
    if vector.is_constant:
        if vector.is_null:
            none = np.zeros(n, dtype=np.int64)
            empty = Vector.of_array(element, pa.array([], result_type(element)))
            return Lists(none, none, np.zeros(n, dtype=np.bool_), of_member(element, empty.array))
        one = lists_of(Vector.of_array(vector.type, vector.one_row()), 1)
        return Lists(np.repeat(one.starts, n), np.repeat(one.lengths, n), None, one.elements)
    array = vector.array
    offsets = _offsets(array)
    starts, lengths = offsets[:-1], np.diff(offsets)
    valid = vector.valid
    if valid is not None:
        lengths = np.where(valid, lengths, 0)
    return Lists(starts, lengths, valid, of_member(element, _elements(array)))


def _offsets(array: pa.Array) -> I64:
    buffer = array.buffers()[1]
    if buffer is None or not len(array):
        return np.zeros(len(array) + 1, dtype=np.int64)
    view = np.frombuffer(buffer, dtype=np.int32, count=len(array) + 1, offset=4 * array.offset)
    return view.astype(np.int64)


def _elements(array: pa.Array) -> pa.Array:
    """All elements that the array holds, also those of rows that a slice has cut away."""
    return array.values


def list_vector(type_: SQLType, lengths: I64, elements: Vector, valid: Valid) -> Vector:
    """Lists (or maps) of `lengths`, one after the other in `elements`."""
    return Vector.of_array(type_, list_array(type_, lengths, to_member(elements, int(lengths.sum())), valid))


def list_array(type_: SQLType, lengths: I64, members: pa.Array, valid: Valid) -> pa.Array:
    """As `list_vector`, over members in their stored form."""
    total = int(lengths.sum())
    if total > _MOST_ELEMENTS:
        raise TextOverflow(f"{total} elements in one array")
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    mask = arrays.mask_to_buffer(_bytes(valid))
    nulls = -1 if valid is not None else 0
    stored = result_type(type_)
    if type_.is_map:
        # Arrow wants the entries of maps in just this type.
        fields = [stored.key_field, stored.item_field]
        members = pa.StructArray.from_arrays([members.field(0), members.field(1)], fields=fields)
    return pa.Array.from_buffers(
        stored, len(lengths), [mask, pa.py_buffer(offsets)], nulls, children=[members]
    )


def _bytes(valid: Valid) -> Any:
    return None if valid is None else np.ascontiguousarray(valid).view(np.uint8)


def gathered(type_: SQLType, lists: Lists) -> Vector:
    """The lists as a vector of `type_`."""
    return list_vector(type_, lists.lengths, lists.dense(), lists.valid)


def fields_of(vector: Vector, n: int) -> list[Vector]:
    """The fields of a STRUCT vector; NULL where the struct is."""
    types = [kind for _, kind in vector.type.fields]
    if vector.is_constant:
        values = (None,) * len(types) if vector.value is None else vector.value
        return [Vector.constant(kind, value) for kind, value in zip(types, values, strict=True)]
    array = vector.array
    fields = [of_member(kind, array.field(i)) for i, kind in enumerate(types)]
    if vector.valid is None:
        return fields
    return [masked(field, vector.valid) for field in fields]


def field_of(vector: Vector, place: int) -> Vector:
    """One field of a STRUCT vector."""
    kind = vector.type.fields[place][1]
    if vector.is_constant:
        return Vector.constant(kind, None if vector.value is None else vector.value[place])
    field = of_member(kind, vector.array.field(place))
    return field if vector.valid is None else masked(field, vector.valid)


def struct_vector(type_: SQLType, fields: Sequence[Vector], n: int, valid: Valid = None) -> Vector:
    """Structs of the fields, NULL where `valid` is False."""
    return Vector.of_array(type_, struct_array(type_, [to_member(field, n) for field in fields], n, valid))


def struct_array(type_: SQLType, members: Sequence[pa.Array], n: int, valid: Valid) -> pa.Array:
    """As `struct_vector`, over members in their stored form."""
    mask = arrays.mask_to_buffer(_bytes(valid))
    nulls = -1 if valid is not None else 0
    return pa.Array.from_buffers(result_type(type_), n, [mask], nulls, children=list(members))


def masked(vector: Vector, valid: Valid) -> Vector:
    """The rows, NULL where `valid` is False."""
    if valid is None or vector.is_null:
        return vector
    vector = vector.expand(len(valid))
    own = vector.valid
    if own is not None and not (own & ~valid).any():
        return vector
    rows = np.where(valid, np.arange(len(valid)), -1)
    return Vector.of_array(vector.type, compute.take(vector.array, rows, nullable=True), vector.bounds)


def taken(vector: Vector, rows: I64) -> Vector:
    """The given rows; NULL for row -1."""
    if vector.is_constant:
        return masked(vector, rows >= 0)
    return Vector.of_array(vector.type, compute.take(vector.array, rows, nullable=True), vector.bounds)


def to_member(vector: Vector, n: int) -> pa.Array:
    """The rows in the form that members of nested values have."""
    kind = vector.type
    if kind.id is TypeId.NULL or vector.is_null:
        return pa.nulls(n, result_type(kind))
    array = vector.decoded().to_array(n)
    wanted = result_type(kind)
    if array.type == wanted:
        return array
    if pa.types.is_dictionary(array.type):
        return compute.decode_dictionary(array)
    if pa.types.is_int64(array.type):
        values = arrays.int64_values(array)
        return arrays.scaled_to_decimal128(
            values, arrays.validity_bytes(array), wanted.precision, wanted.scale
        )
    return compute.cast(array, wanted)


def of_member(kind: SQLType, array: pa.Array) -> Vector:
    """Members as a vector."""
    if kind.id is TypeId.NULL:
        return Vector.of_array(kind, pa.nulls(len(array)))
    if kind.id is TypeId.DECIMAL and not may_be_wide(kind):
        return Vector.of_array(kind, to_storage(array, kind))
    if kind.id is TypeId.DECIMAL:
        return Vector.of_array(kind, compute.cast(array, pa.decimal128(38, kind.scale)))
    return Vector.of_array(kind, array)


def concatenated(type_: SQLType, vectors: Sequence[tuple[Vector, int]]) -> Vector:
    """The rows of all vectors, with their numbers of rows, one after the other."""
    from .expr_merge import concat_vectors

    wanted = [(vector, n) for vector, n in vectors if n]
    if not wanted:
        return null_constant(type_).expand(0)
    return concat_vectors(type_, wanted).expand(sum(n for _, n in wanted))
