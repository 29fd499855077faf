"""Single rows of frames: the nth from either end, and rows at a distance."""

from __future__ import annotations

from ._jit import BOOL, IN_I32, IN_I64, IN_PLACES, INT, OUT_I32, kernel


@kernel(IN_PLACES, IN_PLACES, IN_I64, BOOL, INT, INT, OUT_I32)
def nth_place(begins, ends, numbers, from_end, start, stop, out):
    """The place with a number (one, or one a frame), counted from 1, in each frame; -1 where it has none.

    Part p of frame i is begins[p, i] .. ends[p, i].
    """
    parts = begins.shape[0]
    one = len(numbers) == 1
    for i in range(start, stop):
        left = numbers[0] if one else numbers[i]
        out[i] = -1
        if left <= 0:
            continue
        for p in range(parts):
            part = parts - 1 - p if from_end else p
            size = ends[part, i] - begins[part, i]
            if left <= size:
                out[i] = ends[part, i] - left if from_end else begins[part, i] + left - 1
                break
            left -= max(size, 0)


@kernel(IN_I64, IN_I32, IN_I32, IN_I32, INT, INT, OUT_I32)
def shifted_place(offsets, before, firsts, lasts, start, stop, out):
    """The place `offsets` (one, or one a row) places that count after each row, before it if negative.

    before[i] is the number of places below i that count (empty: all do); what comes out is such a number, or
    -1 beyond the partition firsts[i] .. lasts[i]; also for offset 0, of which callers must think themselves
    where not all places count.
    """
    one, all_count = len(offsets) == 1, before.size == 0
    for i in range(start, stop):
        offset = offsets[0] if one else offsets[i]
        low = firsts[i] if all_count else before[firsts[i]]
        high = lasts[i] if all_count else before[lasts[i]]
        here = i if all_count else before[i]
        if offset > 0:
            after = i + 1 if all_count else before[i + 1]
            out[i] = after + offset - 1 if offset <= high - after else -1
        elif offset < 0:
            out[i] = here + offset if offset >= low - here else -1
        else:
            out[i] = here
