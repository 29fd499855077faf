"""NULL masks as memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arguments import library
from ..device import device
from ..kernels import storage
from ..rmm.pylibrmm.device_buffer import DeviceBuffer
from .column import Column
from .transform import mask_of
from .types import MaskState


@library
def copy_bitmask(col: Column, stream: Any = None, mr: Any = None) -> DeviceBuffer:
    """The mask of a column from its first row on; no bytes where it has no NULL."""
    if not col.null_count():
        return DeviceBuffer(size=0)
    return mask_of(storage.validity(col._rows)).obj


def bitmask_allocation_size_bytes(number_of_bits: int) -> int:
    return storage.bitmask_bytes(number_of_bits)


@library
def create_null_mask(
    size: int, state: MaskState = MaskState.UNINITIALIZED, stream: Any = None, mr: Any = None
) -> DeviceBuffer:
    """A mask of one state."""
    if state is MaskState.UNALLOCATED:
        return DeviceBuffer(size=0)
    made = DeviceBuffer(size=storage.bitmask_bytes(size))
    if state is not MaskState.UNINITIALIZED:
        made._bytes[:] = 255 if state is MaskState.ALL_VALID else 0
    return made


@library
def bitmask_and(columns: Sequence[Column], stream: Any = None, mr: Any = None) -> tuple[DeviceBuffer, int]:
    """Valid where all columns are, and how many rows are not."""
    return _combined(columns, np.logical_and)


@library
def bitmask_or(columns: Sequence[Column], stream: Any = None, mr: Any = None) -> tuple[DeviceBuffer, int]:
    """Valid where any column is, and how many rows are not."""
    return _combined(columns, np.logical_or)


def _combined(columns: Sequence[Column], how: Any) -> tuple[DeviceBuffer, int]:
    if not any(c.null_count() for c in columns) or (
        how is np.logical_or and not all(c.null_count() for c in columns)
    ):
        return DeviceBuffer(size=0), 0
    keep = how.reduce([storage.validity(c._rows) for c in columns])
    return mask_of(keep).obj, int((~keep).sum())


@library
def null_count(bitmask: Any, start: int, stop: int, stream: Any = None) -> int:
    """Rows from `start` to `stop` that are NULL."""
    device.synchronized("null_mask.null_count", implicit=True)
    bits = np.unpackbits(bitmask._bytes, bitorder="little")[start:stop]
    return int(len(bits) - bits.sum())
