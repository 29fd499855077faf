"""CSV text to fields: where each field of each row begins and ends, and fields to Arrow strings.

A row ends at a line feed, a carriage return, or both. A field that begins with the quote goes on to the quote
that is not escaped; spaces may follow it, anything else makes the field MALFORMED, and it is then taken as it
is written.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ._jit import IN_I64, IN_U8, INT, OUT_I64, OUT_U8, kernel

QUOTED = 1
ESCAPED = 2
MALFORMED = 4
UNCLOSED = 8  # MALFORMED, too: its quote has no partner up to the end
_LF, _CR, _SPACE = 10, 13, 32


@dataclass(frozen=True)
class Dialect:
    """The characters of a CSV file. `quote`, `escape` and `comment` are bytes, -1 for none."""

    delimiter: bytes = b","
    quote: int = 34
    escape: int = 34
    comment: int = -1


@dataclass(frozen=True)
class Fields:
    """The fields of a text: `rows[r] : rows[r + 1]` are those of row r, which begins at byte `begins[r]`."""

    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]
    flags: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.int64]
    begins: npt.NDArray[np.int64]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The number of fields of each row."""
        return np.diff(self.rows)


@kernel(IN_U8, IN_U8, INT, INT, INT, OUT_I64, OUT_I64, OUT_U8, OUT_I64, OUT_I64, OUT_I64)
def _split(data, delimiter, quote, escape, comment, starts, ends, flags, rows, begins, counts):  # type: ignore[no-untyped-def]
    size, width = len(data), len(delimiter)
    first = delimiter[0] if width else 0
    place = fields = row = 0
    while place < size:
        if data[place] == comment:
            while place < size and data[place] != _LF and data[place] != _CR:
                place += 1
            if place < size and data[place] == _CR and place + 1 < size and data[place + 1] == _LF:
                place += 1
            place += 1
            continue
        begins[row] = place
        rows[row] = fields
        more = True
        while more:
            start, flag, end = place, 0, -1
            if place < size and data[place] == quote:
                place += 1
                start = place
                flag = 1
                closed = False
                while place < size:
                    byte = data[place]
                    if (
                        byte == escape
                        and place + 1 < size
                        and (data[place + 1] == quote or (escape != quote and data[place + 1] == escape))
                    ):
                        flag |= 2
                        place += 2
                    elif byte == quote:
                        closed = True
                        break
                    else:
                        place += 1
                if closed:
                    end = place
                    place += 1
                    while place < size and data[place] == _SPACE and first != _SPACE:
                        place += 1
                else:
                    flag = 12
                    start -= 1
                    place = start
            # What follows, up to the end of the field.
            after = place
            ended = 0
            while place < size:
                byte = data[place]
                if width and byte == first:
                    same = True
                    for offset in range(1, width):
                        if place + offset >= size or data[place + offset] != delimiter[offset]:
                            same = False
                            break
                    if same:
                        ended = 1
                        break
                if byte in (_LF, _CR) or byte == comment:
                    ended = 2
                    break
                place += 1
            if end < 0:
                end = place
            elif place != after:
                flag = 4
                start -= 1
                end = place
            starts[fields] = start
            ends[fields] = end
            flags[fields] = flag
            fields += 1
            if ended == 1:
                place += width
            else:
                more = False
                if place < size and data[place] == comment:
                    while place < size and data[place] != _LF and data[place] != _CR:
                        place += 1
                if place < size:
                    if data[place] == _CR and place + 1 < size and data[place + 1] == _LF:
                        place += 1
                    place += 1
        row += 1
    rows[row] = fields
    begins[row] = size
    counts[0] = row
    counts[1] = fields


@kernel(IN_U8, INT, INT)
def _last_end(data, quote, escape):  # type: ignore[no-untyped-def]
    """Behind the last line feed that stands outside of quotes, as counted by pairs; 0 for none."""
    inside = False
    found = 0
    size = len(data)
    place = 0
    while place < size:
        byte = data[place]
        if inside and byte == escape and escape != quote:
            place += 2
            continue
        if byte == quote:
            inside = not inside
        elif byte == _LF and not inside:
            found = place + 1
        place += 1
    return found


@kernel(IN_U8, IN_I64, IN_I64, IN_I64, IN_U8, INT, INT, OUT_I64, OUT_U8)
def _copy(data, places, starts, ends, flags, quote, escape, offsets, out):  # type: ignore[no-untyped-def]
    size = 0
    for row in range(len(places)):
        offsets[row] = size
        field = places[row]
        if field < 0:
            continue
        if flags[field] & 2:
            place = starts[field]
            while place < ends[field]:
                if (
                    data[place] == escape
                    and place + 1 < ends[field]
                    and (data[place + 1] == quote or data[place + 1] == escape)
                ):
                    place += 1
                out[size] = data[place]
                size += 1
                place += 1
        else:
            for place in range(starts[field], ends[field]):
                out[size] = data[place]
                size += 1
    offsets[len(places)] = size


def split(data: npt.NDArray[np.uint8], dialect: Dialect) -> Fields:
    """All fields of a text."""
    delimiter = np.frombuffer(dialect.delimiter, dtype=np.uint8)
    lines = int(np.count_nonzero(data == _LF)) + int(np.count_nonzero(data == _CR)) + 1
    most = lines + (int(np.count_nonzero(data == delimiter[0])) if len(delimiter) else 0)
    starts, ends = np.empty(most, np.int64), np.empty(most, np.int64)
    flags = np.empty(most, np.uint8)
    rows, begins = np.empty(lines + 1, np.int64), np.empty(lines + 1, np.int64)
    counts = np.empty(2, np.int64)
    marks = dialect.quote, dialect.escape, dialect.comment
    _split(data, delimiter, *marks, starts, ends, flags, rows, begins, counts)
    row, fields = int(counts[0]), int(counts[1])
    return Fields(starts[:fields], ends[:fields], flags[:fields], rows[: row + 1], begins[: row + 1])


def last_row_end(data: bytes, dialect: Dialect) -> int:
    """How many bytes of a block are whole rows; the block begins with a row."""
    if dialect.quote < 0 or bytes([dialect.quote]) not in data:
        found = data.rfind(b"\n") + 1
        # A file whose rows end with carriage returns alone.
        return found or data[:-1].rfind(b"\r") + 1
    found = int(_last_end(np.frombuffer(data, np.uint8), dialect.quote, dialect.escape))
    return found or (0 if b"\n" in data else data[:-1].rfind(b"\r") + 1)


def texts(
    data: npt.NDArray[np.uint8], fields: Fields, places: npt.NDArray[np.int64], dialect: Dialect
) -> pa.StringArray:
    """The fields of these numbers as strings, not yet checked to be UTF-8; -1 is an empty one."""
    offsets = np.empty(len(places) + 1, np.int64)
    found = np.maximum(places, 0)
    sizes = (fields.ends[found] - fields.starts[found]) * (places >= 0) if len(fields.starts) else 0
    out = np.empty(int(np.sum(sizes)), np.uint8)
    _copy(data, places, fields.starts, fields.ends, fields.flags, dialect.quote, dialect.escape, offsets, out)
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(out)]
    return pa.StringArray.from_buffers(len(places), buffers[1], buffers[2])
