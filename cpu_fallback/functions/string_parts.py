"""Parts of strings by position: substring, left, right, split_part, and padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import VARCHAR
from .. import compute
from ..dictionary import on_entries
from ..kernels import arrays
from ..vector import Vector, combined_valid
from .pattern import KERNEL_ROWS
from .registry import Evaluate, scalar
from .rowwise import rowwise


def substring_one(text: str, start: int, length: int | None = None) -> str:
    """Code points from `start`: 1 is the first, 0 the place before it, negative ones count from the end. A
    negative length reaches back.

    >>> substring_one("hello", -3, 2), substring_one("hello", 2, -1), substring_one("hello", 0, 2)
    ('ll', 'h', 'h')
    """
    size = len(text)
    first = start - 1 if start >= 0 else size + start
    last = size if length is None else first + length
    if last < first:
        first, last = last, first
    return text[max(first, 0) : max(min(last, size), 0)]


@scalar("substring")
def substring(call: Call) -> Evaluate:
    """See `substring_one`."""
    by_row = rowwise(substring_one, VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, start = args[0], args[1]
        length = args[2] if len(args) == 3 else None
        simple = not text.is_constant and start.is_constant and start.value >= 1
        if not simple or (length is not None and not (length.is_constant and length.value >= 0)):
            return by_row(args, n) if n < KERNEL_ROWS or text.is_constant else _by_kernel(text, start, length)
        stop = None if length is None else start.value - 1 + length.value
        return on_entries(text, lambda v: Vector.of_array(VARCHAR, _slice(v, start.value - 1, stop)))

    return evaluate


def _by_kernel(text: Vector, start: Vector, length: Vector | None) -> Vector:
    """`text` is not constant; positions are constants or one a row."""
    from ..kernels.strings import substring as cut

    text = text.decoded()
    array = cut(text.array, _positions(start), None if length is None else _positions(length))
    valid = combined_valid(*(vector for vector in (text, start, length) if vector is not None))
    if valid is not None and valid is not text.valid:
        array = compute.if_else(arrays.make_bool(valid, None), array, pa.scalar(None, array.type))
    return Vector.of_array(VARCHAR, array)


def _positions(vector: Vector) -> Any:
    return vector.value if vector.is_constant else vector.values


def _slice(vector: Vector, start: int, stop: int | None) -> pa.Array:
    return compute.slice_code_points(vector.array, start, stop)


_END: dict[str, Callable[[str, int], str]] = {
    "left": lambda text, count: text[:count] if count >= 0 else text[: max(len(text) + count, 0)],
    "right": lambda text, count: text[max(len(text) - count, 0) :] if count >= 0 else text[-count:],
}


@scalar("left", "right")
def end(call: Call) -> Evaluate:
    """The first or last code points; a negative count leaves that many out at the other end."""
    by_row, at_start = rowwise(_END[call.function], VARCHAR), call.function == "left"

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, count = args
        if text.is_constant or not count.is_constant or count.value == 0 or abs(count.value) > 2**31:
            return by_row(args, n)
        if at_start:
            start, stop = 0, count.value
        else:
            start, stop = -count.value, None
        return on_entries(text, lambda v: Vector.of_array(VARCHAR, _slice(v, start, stop)))

    return evaluate


def split_part_one(text: str, separator: str, index: int) -> str:
    """Part `index` (from 1, negative from the end; 0 has none) between separators; an empty separator splits
    characters.

    >>> split_part_one("a,b", ",", -1), split_part_one("a,b", ",", 3)
    ('b', '')
    """
    parts = text.split(separator) if separator else list(text)
    at = index - 1 if index > 0 else len(parts) + index
    return parts[at] if index != 0 and 0 <= at < len(parts) else ""


@scalar("split_part")
def split_part(call: Call) -> Evaluate:
    """See `split_part_one`."""
    return rowwise(split_part_one, VARCHAR)


@scalar("lpad", "rpad")
def pad(call: Call) -> Evaluate:
    """Cut or filled up to a number of code points; the filling starts with its first character again when
    it ends.
    """
    name, at_start = call.function, call.function == "lpad"

    def one(text: str, size: int, filling: str) -> str:
        missing = size - len(text)
        if missing <= 0:
            return text[: max(size, 0)]
        if not filling:
            raise messages.invalid_input(f"Insufficient padding in {name.upper()}.")
        filled = (filling * (missing // len(filling) + 1))[:missing]
        return filled + text if at_start else text + filled

    return rowwise(one, VARCHAR)


@scalar("translate")
def translate(call: Call) -> Evaluate:
    """Characters of the second argument replaced by those at the same place in the third, or left out where
    it is shorter.
    """

    def one(text: str, old: str, new: str) -> str:
        table: dict[int, str | None] = {}
        for at, character in enumerate(old):
            table.setdefault(ord(character), new[at] if at < len(new) else None)
        return text.translate(table)

    return rowwise(one, VARCHAR)
