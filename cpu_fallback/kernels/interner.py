"""Gives every distinct string a dense code, so that strings are grouped, joined and compared as integers.

The bytes of all strings lie in one arena in code order; the hash table's slots are those of ``group_table``
(the hash's low 32 bits above the code plus one), and a match compares the bytes. A dictionary array costs
one look-up for each dictionary entry that its rows use (for all entries of a small one), then one gather.

Measured on 1M strings of 18 bytes, time of ``pyarrow.compute.dictionary_encode`` over ours: 0.7 for up to
1,000 distinct ones, 1.5 for 100,000, 1.9 for 1M (and pyarrow's codes would still have to be unified between
batches). A dictionary array whose entries are known takes 0.35 ms.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import arrays
from ._intrinsics import prefetch
from ._jit import IN_I32, IN_I64, IN_U8, IN_U64, INT, OUT_I32, OUT_I64, OUT_U8, OUT_U64, kernel
from ._mix import equal_bytes
from ._slots import BLOCK, LOW32, ONE, PIECE, PREFETCH_FROM, THIRTY_TWO, Check, grown_slots
from .arrays import I32, I64, U8, U64, StringViews, Valid, kernel_mask
from .hashing import hash_strings

StringHasher = Callable[[I64, U8], U64]

MAX_CODES = (1 << 31) - 2
_UNKNOWN = -2


class StringInterner:
    """Codes of strings (or blobs) in order of first appearance; NULL has code -1.

    Not safe for use by two threads at once. ``check`` is called between pieces of long operations and may
    raise.

    >>> interner = StringInterner()
    >>> interner.intern(pa.array(["b", "a", None, "b"])).tolist()
    [0, 1, -1, 0]
    >>> interner.strings().to_pylist()
    ['b', 'a']
    """

    def __init__(self, check: Check | None = None, hasher: StringHasher = hash_strings) -> None:
        self._check = check
        self._hasher = hasher
        self._size = 0
        self._arena: U8 = np.empty(0, dtype=np.uint8)
        self._offsets: I64 = np.zeros(1, dtype=np.int64)
        self._slots: U64 = np.zeros(1024, dtype=np.uint64)
        self._dictionary: tuple[pa.Array, I32] | None = None  # the last one seen and the codes of its entries
        self._probed = threading.local()

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._arena.nbytes + self._offsets.nbytes + self._slots.nbytes

    def intern(self, arr: pa.Array) -> I32:
        """The code of every row, adding strings not yet known; -1 for NULL.

        Takes string-like arrays and dictionary arrays of them. OverflowError beyond 2**31 - 2 codes.
        """
        if pa.types.is_dictionary(arr.type):
            return self._intern_dictionary(arr)
        if pa.types.is_null(arr.type):
            return np.full(len(arr), -1, dtype=np.int32)
        return self._intern_strings(arrays.string_views(arr), arrays.validity_bytes(arr))

    def lookup(self, arr: pa.Array) -> I32:
        """The code of every row, -1 where the string is unknown or NULL."""
        if pa.types.is_null(arr.type):
            return np.full(len(arr), -1, dtype=np.int32)
        if pa.types.is_dictionary(arr.type):
            return _gather_codes(arr, self._entry_codes(arr.dictionary))
        views, valid = arrays.string_views(arr), arrays.validity_bytes(arr)
        out = np.empty(len(arr), dtype=np.int32)
        for start in range(0, len(arr), BLOCK):
            stop = min(start + BLOCK, len(arr))
            offsets, mask = views.offsets[start : stop + 1], _mask_part(valid, start, stop)
            hashes = self._hasher(offsets, views.data)
            _find(offsets, views.data, mask, hashes, self._slots, self._arena, self._offsets, out[start:stop])
        return out

    def _entry_codes(self, dictionary: pa.Array) -> I32:
        """The codes of a dictionary's entries; batches often come with the same one, so each thread keeps its
        last.
        """
        known = getattr(self._probed, "last", None)
        if known is None or known[1] != self._size or not _same_buffers(known[0], dictionary):
            known = self._probed.last = (dictionary, self._size, self.lookup(dictionary))
        return known[2]

    def strings(self, type_: pa.DataType | None = None) -> pa.Array:
        """All strings in code order (the bytes are shared, not copied).

        The type is ``string`` unless given. OverflowError when they exceed the 2 GiB of a type with 32-bit
        offsets.
        """
        offsets = self._offsets[: self._size + 1]
        return arrays.make_strings(offsets, self._arena[: offsets[-1]], None, type_)

    def merge(self, other: StringInterner) -> I32:
        """Add the strings of ``other``; its code c is our code ``result[c]``."""
        offsets = other._offsets[: other._size + 1]
        return self._intern_strings(StringViews(offsets, other._arena), None)

    def _intern_dictionary(self, arr: pa.DictionaryArray) -> I32:
        dictionary = arr.dictionary
        if self._dictionary is None or not _same_buffers(self._dictionary[0], dictionary):
            self._dictionary = (dictionary, np.full(len(dictionary), _UNKNOWN, dtype=np.int32))
        codes = self._dictionary[1]
        indices = arrays.values_view(arr.indices)
        valid = arrays.validity_bytes(arr.indices)
        if (codes == _UNKNOWN).any():
            missing = _missing_entries(codes, indices if valid is None else indices[valid.view(np.bool_)])
            if len(missing) == len(dictionary):
                codes[:] = self.intern(dictionary)
            elif len(missing):
                codes[missing] = self.intern(dictionary.take(pa.array(missing)))
        return _gather_codes(arr, codes)

    def _intern_strings(self, views: StringViews, valid: Valid) -> I32:
        n = len(views.offsets) - 1
        codes = np.empty(n, dtype=np.int32)
        for start in range(0, n, BLOCK):
            if start % PIECE == 0 and self._check is not None:
                self._check()
            stop = min(start + BLOCK, n)
            offsets, mask = views.offsets[start : stop + 1], _mask_part(valid, start, stop)
            hashes = self._hasher(offsets, views.data)
            done = 0
            while done < stop - start:
                limit = min(len(self._offsets) - 1, len(self._slots) // 2)
                done, self._size, need = _add(
                    offsets, views.data, mask, hashes, done, self._slots, self._arena, self._offsets,
                    self._size, limit, codes[start:stop],
                )  # fmt: skip
                if done < stop - start:
                    self._grow(int(need))
        return codes

    def _grow(self, need: int) -> None:
        """Room for one more string of ``need`` bytes; whatever is full at least doubles."""
        if self._size >= MAX_CODES:
            raise OverflowError(f"more than {MAX_CODES} distinct strings in one interner")
        used = int(self._offsets[self._size])
        if used + need > len(self._arena):
            arena = np.empty(max(2 * len(self._arena), used + need, 4096), dtype=np.uint8)
            arena[:used] = self._arena[:used]
            self._arena = arena
        if self._size + 1 >= len(self._offsets):
            offsets = np.empty(max(2 * len(self._offsets), 1024), dtype=np.int64)
            offsets[: self._size + 1] = self._offsets[: self._size + 1]
            self._offsets = offsets
        if self._size >= len(self._slots) // 2:
            self._slots = grown_slots(self._slots, self._check)


# A dictionary of so many times fewer entries than rows is interned whole: finding those in use would take
# longer.
_FEW = 16


def _missing_entries(codes: I32, indices: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The entries of a dictionary that have no code yet and that rows use, or all without a code if they are
    few.
    """
    if _FEW * len(codes) <= len(indices):
        return np.flatnonzero(codes == _UNKNOWN)
    if _FEW * len(indices) <= len(codes):
        return np.unique(indices[codes[indices] == _UNKNOWN])
    used = np.zeros(len(codes), dtype=np.bool_)
    used[indices] = True
    return np.flatnonzero(used & (codes == _UNKNOWN))


def _mask_part(valid: Valid, start: int, stop: int) -> U8:
    return kernel_mask(None if valid is None else valid[start:stop])


def _same_buffers(a: pa.Array, b: pa.Array) -> bool:
    """Whether two arrays (``a`` is kept alive by its holder) are views of the same memory."""
    if a is b:
        return True
    if len(a) != len(b) or a.offset != b.offset or a.type != b.type:
        return False
    return all(
        (x is None and y is None) or (x is not None and y is not None and x.address == y.address)
        for x, y in zip(a.buffers(), b.buffers(), strict=True)
    )


def _gather_codes(arr: pa.DictionaryArray, codes: I32) -> I32:
    """Codes of the rows of a dictionary array from those of its entries."""
    indices = arrays.values_view(arr.indices).astype(np.int32, copy=False)
    out = np.empty(len(arr), dtype=np.int32)
    _gather(indices, kernel_mask(arrays.validity_bytes(arr.indices)), codes, out)
    return out


@kernel(IN_I32, IN_U8, IN_I32, OUT_I32)
def _gather(indices, valid, codes, out):
    for i in range(len(indices)):
        if valid.size != 0 and valid[i] == 0:
            out[i] = -1
        else:
            out[i] = codes[np.uint32(indices[i])]


@kernel(IN_I64, IN_U8, IN_U8, IN_U64, INT, OUT_U64, OUT_U8, OUT_I64, INT, INT, OUT_I32)
def _add(offsets, data, valid, hashes, start, slots, arena, ends, size, limit, codes):
    """Intern rows from ``start`` on; stops early where a new string finds no room: ``(row, size, its
    bytes)``.
    """
    n = len(codes)
    mask = np.uint64(len(slots) - 1)
    far = len(slots) > PREFETCH_FROM
    for i in range(start, n):
        if far and i + 16 < n:
            prefetch(slots, np.int64(hashes[i + 16] & mask))
            ahead = slots[hashes[i + 8] & mask] & LOW32
            if ahead != 0:
                prefetch(ends, np.int64(ahead - ONE))
        if valid.size != 0 and valid[i] == 0:
            codes[i] = -1
            continue
        begin = offsets[i]
        length = offsets[i + 1] - begin
        piece = hashes[i] & LOW32
        place = piece & mask
        while True:
            slot = slots[place]
            if slot == 0:
                used = ends[size]
                if size == limit or used + length > len(arena):
                    return i, size, length
                for j in range(length):
                    arena[used + j] = data[begin + j]
                codes[i] = size
                size += 1
                ends[size] = used + length
                slots[place] = (piece << THIRTY_TWO) | np.uint64(size)
                break
            if slot >> THIRTY_TWO == piece:
                code = (slot & LOW32) - ONE
                first = ends[code]
                if ends[code + ONE] - first == length and equal_bytes(arena, first, data, begin, length):
                    codes[i] = code
                    break
            place = (place + ONE) & mask
    return n, size, 0


@kernel(IN_I64, IN_U8, IN_U8, IN_U64, IN_U64, IN_U8, IN_I64, OUT_I32)
def _find(offsets, data, valid, hashes, slots, arena, ends, codes):
    mask = np.uint64(len(slots) - 1)
    for i in range(len(codes)):
        codes[i] = -1
        if valid.size != 0 and valid[i] == 0:
            continue
        begin = offsets[i]
        length = offsets[i + 1] - begin
        piece = hashes[i] & LOW32
        place = piece & mask
        while True:
            slot = slots[place]
            if slot == 0:
                break
            if slot >> THIRTY_TWO == piece:
                code = (slot & LOW32) - ONE
                first = ends[code]
                if ends[code + ONE] - first == length and equal_bytes(arena, first, data, begin, length):
                    codes[i] = code
                    break
            place = (place + ONE) & mask
