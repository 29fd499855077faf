"""Where the values of a JSON text end."""

from __future__ import annotations

import numpy as np

from ._jit import IN_U8, INT, kernel

_QUOTE, _BACKSLASH, _LF, _COMMA = 34, 92, 10, 44


@kernel(IN_U8, INT)
def _last_end(data, limit):  # type: ignore[no-untyped-def]
    depth = 0
    inside = False
    found = 0
    place = 0
    size = len(data)
    while place < size:
        byte = data[place]
        if inside:
            if byte == _BACKSLASH:
                place += 1
            elif byte == _QUOTE:
                inside = False
        elif byte == _QUOTE:
            inside = True
        elif byte in (91, 123):
            depth += 1
        elif byte in (93, 125):
            depth -= 1
            if depth == 0:
                found = place + 1
        elif depth <= 0 and byte in (_LF, _COMMA):
            found = place + 1
        place += 1
        if found and found >= limit:
            return found
    return found


def last_value_end(data: bytes) -> int:
    """Behind the last value that is whole, of values side by side; 0 for none."""
    return int(_last_end(np.frombuffer(data, np.uint8), len(data) + 1))


def first_value_end(data: bytes) -> int:
    """Behind the first value that is whole; 0 for none."""
    return int(_last_end(np.frombuffer(data, np.uint8), 1))
