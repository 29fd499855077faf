"""The bytes of a value that hash functions read."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ..kernels import keys, storage
from ._kinds import raw
from .types import DataType, TypeId, size_of


def row_bytes(rows: pa.Array, kind: DataType) -> list[bytes | None]:
    """The bytes of each value, None for NULL. All NaNs have the same, and both zeros."""
    keep = storage.validity(rows)
    if kind.id() is TypeId.STRING:
        return [None if v is None else v.encode() for v in rows.to_pylist()]
    if kind.id() in (TypeId.FLOAT32, TypeId.FLOAT64):
        data = keys.canonical(storage.values(rows)).view(np.uint8)
    else:
        data = raw(rows)
    width = size_of(kind)
    cut = np.ascontiguousarray(data).tobytes()
    return [cut[i * width : (i + 1) * width] if keep[i] else None for i in range(len(rows))]
