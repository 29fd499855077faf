"""What the hash tables share: slots of 64 bits, the hash's low 32 bits above a number plus one; 0 is empty.

The place of a slot is the low bits of those 32, so that a rehash needs neither keys nor full hashes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ._jit import IN_U64, INT, OUT_U64, kernel
from .arrays import U64

Check = Callable[[], None]

PIECE = 1 << 20  # rows or slots handled between two calls of a ``check``
BLOCK = 1 << 16  # rows whose scratch arrays stay in the cache (and are not mapped afresh by the allocator)
PREFETCH_FROM = 1 << 16  # slots; a smaller table lies in the L2 cache
LOW32 = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)
THIRTY_TWO = np.uint64(32)


def grown_slots(old: U64, check: Check | None) -> U64:
    """The same entries in more slots; small tables grow in larger steps, to rehash less often."""
    slots = np.zeros(len(old) * (4 if len(old) < 1 << 20 else 2), dtype=np.uint64)
    for start in range(0, len(old), PIECE):
        if start and check is not None:
            check()
        _rehash(old, start, min(start + PIECE, len(old)), slots)
    return slots


@kernel(IN_U64, INT, INT, OUT_U64)
def _rehash(old, start, stop, slots):
    mask = np.uint64(len(slots) - 1)
    for i in range(start, stop):
        slot = old[i]
        if slot != 0:
            place = (slot >> THIRTY_TWO) & mask
            while slots[place] != 0:
                place = (place + ONE) & mask
            slots[place] = slot
