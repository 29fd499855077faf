"""Kernels of open addressing over rows of int64 words (see ``_slots`` for the slots' form)."""

from __future__ import annotations

import numpy as np

from ._intrinsics import prefetch
from ._jit import IN_U64, IN_WORDS, INT, OUT_I32, OUT_U64, OUT_WORDS, kernel
from ._slots import LOW32, ONE, PREFETCH_FROM, THIRTY_TWO


@kernel(IN_U64, IN_WORDS, INT, OUT_U64, OUT_WORDS, INT, INT, INT, INT, OUT_I32, OUT_I32)
def hash_insert(hashes, rows, start, slots, store, size, limit, first, before, gids, new_rows):
    """Insert rows from ``start`` on to the end, or to a row that needs a group beyond ``limit``: (row, size).

    New groups append their words to ``store`` and ``first`` + row to ``new_rows`` (at size - before).
    """
    n = len(hashes)
    width = rows.shape[1]
    mask = np.uint64(len(slots) - 1)
    far = len(slots) > PREFETCH_FROM
    for i in range(start, n):
        if far and i + 16 < n:
            prefetch(slots, np.int64(hashes[i + 16] & mask))
            ahead = slots[hashes[i + 8] & mask] & LOW32
            if ahead != 0:
                prefetch(store, np.int64(ahead - ONE) * width)
        piece = hashes[i] & LOW32
        place = piece & mask
        while True:
            slot = slots[place]
            if slot == 0:
                if size == limit:
                    return i, size
                for j in range(width):
                    store[size, j] = rows[i, j]
                new_rows[size - before] = first + i
                gids[i] = size
                size += 1
                slots[place] = (piece << THIRTY_TWO) | np.uint64(size)
                break
            if slot >> THIRTY_TWO == piece:
                group = (slot & LOW32) - ONE
                j = 0
                while j < width and store[group, j] == rows[i, j]:
                    j += 1
                if j == width:
                    gids[i] = group
                    break
            place = (place + ONE) & mask
    return n, size


@kernel(IN_U64, IN_WORDS, IN_U64, IN_WORDS, OUT_I32)
def hash_lookup(hashes, rows, slots, store, gids):
    """gids[i] = the group whose words equal row i, or -1."""
    n = len(hashes)
    width = rows.shape[1]
    mask = np.uint64(len(slots) - 1)
    far = len(slots) > PREFETCH_FROM
    for i in range(n):
        if far and i + 16 < n:
            prefetch(slots, np.int64(hashes[i + 16] & mask))
            ahead = slots[hashes[i + 8] & mask] & LOW32
            if ahead != 0:
                prefetch(store, np.int64(ahead - ONE) * width)
        piece = hashes[i] & LOW32
        place = piece & mask
        gids[i] = -1
        while True:
            slot = slots[place]
            if slot == 0:
                break
            if slot >> THIRTY_TWO == piece:
                group = (slot & LOW32) - ONE
                j = 0
                while j < width and store[group, j] == rows[i, j]:
                    j += 1
                if j == width:
                    gids[i] = group
                    break
            place = (place + ONE) & mask


@kernel(IN_U64, INT, OUT_U64)
def hash_place(hashes, first_group, slots):
    """Enter groups from ``first_group`` on, known to be distinct and to fit."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(hashes)):
        piece = hashes[i] & LOW32
        place = piece & mask
        while slots[place] != 0:
            place = (place + ONE) & mask
        slots[place] = (piece << THIRTY_TWO) | np.uint64(first_group + i + 1)
