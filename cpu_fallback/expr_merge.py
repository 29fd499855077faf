"""Putting the values of disjoint sets of rows together into one vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ..physical.stored import may_be_wide
from ..planner.types import VARCHAR, SQLType, TypeId
from . import compute
from .expr_program import Rows
from .functions.wide import widened
from .kernels import arrays
from .storage import arrow_type, has_values, numpy_dtype
from .vector import Mask, Valid, Vector, null_constant


class Piece:
    """Values for the rows where `mask` is true (None: all). `vector` holds all rows of the batch, or with
    `rows` exactly those.
    """

    __slots__ = ("mask", "rows", "vector")

    def __init__(self, mask: Mask | None, rows: Rows | None, vector: Vector) -> None:
        self.mask = mask
        self.rows = rows
        self.vector = vector

    def restricted(self, mask: Mask) -> Piece:
        """The piece at a part of its rows."""
        if self.rows is None or self.vector.is_constant:
            return Piece(mask, None, self.vector)
        return Piece(mask, np.flatnonzero(mask), self.vector.take(np.flatnonzero(mask.take(self.rows))))

    def index(self) -> Rows | Mask:
        """What numpy takes to address the rows of the piece."""
        if self.rows is not None:
            return self.rows
        assert self.mask is not None
        return self.mask


def merge(type_: SQLType, pieces: Sequence[Piece], n: int) -> Vector:
    """One vector of `n` rows from pieces that cover every row exactly once."""
    if len(pieces) == 1 and (pieces[0].rows is None or len(pieces[0].rows) == n):
        return pieces[0].vector
    if type_.id is TypeId.NULL or all(piece.vector.is_null for piece in pieces):
        return null_constant(type_)
    if type_.is_string and all(piece.vector.is_constant for piece in pieces):
        return _merge_texts(pieces, n)
    if not has_values(type_):
        return _merge_arrays(type_, pieces, n)
    if may_be_wide(type_) and any(piece.vector.is_wide for piece in pieces):
        wide = [
            Piece(p.mask, p.rows, widened(p.vector, n if p.rows is None else len(p.rows))) for p in pieces
        ]
        return _merge_arrays(type_, wide, n)
    return _merge_values(type_, pieces, n)


def concat_vectors(type_: SQLType, parts: Sequence[tuple[Vector, int]]) -> Vector:
    """The rows of all parts (vectors of `type_` and their numbers of rows) one after the other. May raise
    TextOverflow.
    """
    vectors = [vector for vector, _ in parts]
    if all(vector.is_null for vector in vectors):
        return null_constant(type_)
    wide = any(vector.is_wide for vector in vectors)
    if wide or not has_values(type_):
        held = [(widened(v, rows) if wide else v.expand(rows)).decoded() for v, rows in parts]
        return Vector.of_array(type_, compute.concat([vector.array for vector in held]))
    values = np.concatenate([np.full(rows, v.values) if v.is_constant else v.values for v, rows in parts])
    valid: Valid = None
    if any(vector.is_null or vector.valid is not None for vector in vectors):
        masks = [np.full(n, not v.is_null) if v.is_null or v.valid is None else v.valid for v, n in parts]
        valid = np.concatenate(masks)
    bounds = _joint_bounds(vectors)
    return Vector.of_values(type_, values, valid, bounds)


def _merge_values(type_: SQLType, pieces: Sequence[Piece], n: int) -> Vector:
    """Fixed-width values. Two pieces of whole vectors are one choose; otherwise each piece is written to
    its rows.
    """
    valid = _merge_valid(pieces, n)
    bounds = _joint_bounds([piece.vector for piece in pieces])
    if len(pieces) == 2 and all(piece.rows is None for piece in pieces):
        first, second = pieces
        assert first.mask is not None
        left, right = first.vector.values, second.vector.values
        if first.vector.is_constant and second.vector.is_constant:
            values = np.array([right, left]).take(first.mask.view(np.uint8))
        else:
            values = np.where(first.mask, left, right)
    else:
        values = np.empty(n, dtype=numpy_dtype(type_))
        for piece in pieces:
            own = piece.vector.values
            if piece.rows is None and not piece.vector.is_constant:
                assert piece.mask is not None
                np.copyto(values, own, where=piece.mask)
            else:
                values[piece.index()] = own
    if type_.id is TypeId.BOOLEAN:
        return Vector.of_truth(type_, values, valid)
    return Vector.of_values(type_, values, valid, bounds)


def _merge_valid(pieces: Sequence[Piece], n: int) -> Valid:
    if all(not piece.vector.is_null and piece.vector.valid is None for piece in pieces):
        return None
    valid = np.ones(n, dtype=np.bool_)
    for piece in pieces:
        vector = piece.vector
        if vector.is_null:
            valid[piece.index()] = False
        elif vector.valid is not None:
            own = vector.valid
            if piece.rows is None:
                assert piece.mask is not None
                np.copyto(valid, own, where=piece.mask)
            else:
                valid[piece.rows] = own
    return valid


def _joint_bounds(vectors: Sequence[Vector]) -> tuple[int, int] | None:
    bounds = [vector.bounds for vector in vectors if not vector.is_null]
    known = [b for b in bounds if b is not None]
    if len(known) < len(bounds) or not known:
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _merge_arrays(type_: SQLType, pieces: Sequence[Piece], n: int) -> Vector:
    """Strings, nested and wide values: all parts one after the other, then a take that puts them in place."""
    wide = any(piece.vector.is_wide for piece in pieces)
    stored = arrow_type(type_, wide=wide)
    parts: list[pa.Array] = []
    places = np.empty(n, dtype=np.int64)
    start = 0
    for piece in pieces:
        vector = piece.vector.decoded()
        if vector.is_constant:
            parts.append(pa.nulls(1, stored) if vector.is_null else vector.to_array(1))
            places[piece.index()] = start
        elif piece.rows is None:
            parts.append(vector.array)
            np.copyto(places, np.arange(start, start + n), where=piece.mask)  # type: ignore[arg-type]
        else:
            parts.append(vector.array)
            places[piece.rows] = np.arange(start, start + len(piece.rows))
        start += len(parts[-1])
    return Vector.of_array(type_, compute.take(compute.concat(parts), places))


def _merge_texts(pieces: Sequence[Piece], n: int) -> Vector:
    """Constant strings: dictionary-encoded, with the distinct ones as entries."""
    texts = list(dict.fromkeys(piece.vector.value for piece in pieces if piece.vector.value is not None))
    codes = np.zeros(n, dtype=np.int32)
    for piece in pieces:
        if piece.vector.value is not None:
            codes[piece.index()] = texts.index(piece.vector.value)
    valid = _merge_valid(pieces, n)
    mask = None if valid is None else arrays.mask_to_buffer(valid.view(np.uint8))
    indices = pa.Array.from_buffers(pa.int32(), n, [mask, pa.py_buffer(codes)])
    return Vector.of_array(VARCHAR, pa.DictionaryArray.from_arrays(indices, pa.array(texts, pa.string())))
