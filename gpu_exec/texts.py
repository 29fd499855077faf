"""Small pieces of text on the device: scalars, parts by position, numbers in digits, texts put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from .number import Number
from .ops import Ops
from .storage import named_type


def text_scalar(text: str | None, ops: Ops) -> Any:
    """A STRING scalar."""
    return ops.scalar(pa.scalar(text, pa.string()))


def text_column(text: str, rows: int, ops: Ops) -> Any:
    """The same text in every row."""
    return ops.repeated(text_scalar(text, ops), rows)


def characters(column: Any, ops: Ops) -> Number:
    """Numbers of code points, INT64."""
    return Number(ops.plc.strings.attributes.count_characters(column, stream=ops.stream), ops)


def between(column: Any, start: int, stop: int | None, ops: Ops) -> Any:
    """Code points from `start` to before `stop` (None: the end); negative ones count from the end."""
    # Without a stop the library would take 0 for one.
    ends = ops.int32(start), ops.int32(2**31 - 1 if stop is None else stop), ops.int32(1)
    return ops.plc.strings.slice.slice_strings(column, *ends, stream=ops.stream)


def between_columns(column: Any, start: Number, stop: Number, ops: Ops) -> Any:
    """Code points from `start` to before `stop`, both at least 0 and one a row; nothing where they are NULL.

    An empty part is asked for as 0 to 0: what the library makes of other empty ones is not told.
    """
    zero = ops.scalar(pa.scalar(0, pa.int64()))
    start, stop = (Number(ops.filled(n.column, zero), ops) for n in (start, stop))
    empty = start.at_least(stop)
    first, end = (n.unless(empty, 0).to("INT32").column for n in (start, stop))
    return ops.plc.strings.slice.slice_strings(column, first, end, stream=ops.stream)


def joined(parts: Sequence[Any], ops: Ops) -> Any:
    """Texts of each row one after the other; NULL where one is."""
    if len(parts) == 1:
        return parts[0]
    empty = text_scalar("", ops)
    return ops.plc.strings.combine.concatenate(ops.table(parts), empty, stream=ops.stream)


def digits(number: Number, width: int) -> Any:
    """Numbers in decimal digits, filled up with zeros to a width (after a sign)."""
    ops = number.ops
    text = ops.plc.strings.convert.convert_integers.from_integers(number.column, stream=ops.stream)
    return ops.plc.strings.padding.zfill(text, width, stream=ops.stream) if width > 1 else text


def stripped(column: Any, side: str, characters: str, ops: Ops) -> Any:
    """Without the given characters (at least one) at the LEFT, RIGHT or BOTH ends."""
    strip = ops.plc.strings.strip.strip
    where = getattr(ops.plc.strings.side_type.SideType, side)
    return strip(column, where, text_scalar(characters, ops), stream=ops.stream)


def program(pattern: str, flags: int, ops: Ops) -> Any:
    """A regular expression of libcudf's; flags as Python's numbers of them."""
    plc = ops.plc.strings
    return plc.regex_program.RegexProgram.create(pattern, plc.regex_flags.RegexFlags(flags))


def matches(column: Any, pattern: str, ops: Ops) -> Any:
    """Where the text contains a match of a libcudf pattern."""
    return ops.plc.strings.contains.contains_re(column, program(pattern, 0, ops), stream=ops.stream)


def is_text(column: Any, text: str, ops: Ops) -> Any:
    """Where the text is this one."""
    return ops.binary("EQUAL", column, text_scalar(text, ops))


def int32(number: Number) -> Any:
    """The numbers as row numbers and counts are stored."""
    return number.ops.cast(number.column, named_type("INT32"))
