"""Lengths, cases, trimming, searching, replacing and repeating."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BIGINT, BOOLEAN, VARCHAR, SQLType
from .. import compute
from ..dictionary import on_entries
from ..vector import Vector
from .graphemes import reverse_graphemes
from .pattern import ESCAPE, matcher, quoted
from .registry import Evaluate, scalar
from .rowwise import rowwise

_LONGEST_STRING = 2**31 - 1


def of_strings(function: Callable[[pa.Array], pa.Array], result: SQLType) -> Evaluate:
    """A function of one string column by an arrow function; the result's arrow type is the storage of
    `result`.
    """

    def on(entries: Vector) -> Vector:
        return Vector.of_array(result, function(entries.array))

    return lambda args, n: on_entries(args[0], on)


def _count(function: Callable[[pa.Array], pa.Array], unit: int = 1) -> Evaluate:
    """A length as BIGINT."""

    def on(entries: Vector) -> Vector:
        counts = function(entries.array)
        values = Vector.of_array(BIGINT, compute.cast(counts, pa.int64())).values
        return Vector.of_values(BIGINT, values * unit, entries.valid)

    return lambda args, n: on_entries(args[0], on)


@scalar("length")
def length(call: Call) -> Evaluate:
    """Code points; elements of a list."""
    if call.args[0].type.is_nested:
        from .lists import list_length

        return list_length
    return _count(compute.code_points)


@scalar("strlen", "octet_length")
def byte_length(call: Call) -> Evaluate:
    """Bytes."""
    return _count(compute.byte_length)


@scalar("bit_length")
def bit_length(call: Call) -> Evaluate:
    """Bits."""
    return _count(compute.byte_length, 8)


@scalar("lower")
def lower(call: Call) -> Evaluate:
    """Each code point in lower case."""
    return of_strings(compute.lower, VARCHAR)


@scalar("upper")
def upper(call: Call) -> Evaluate:
    """Each code point in upper case."""
    return of_strings(compute.upper, VARCHAR)


_SIDES = {"trim": "both", "ltrim": "start", "rtrim": "end"}
_STRIPPED: dict[str, Callable[[str, str], str]] = {
    "trim": str.strip,
    "ltrim": str.lstrip,
    "rtrim": str.rstrip,
}


@scalar("trim", "ltrim", "rtrim")
def trim(call: Call) -> Evaluate:
    """Without spaces, or without the characters of the second argument, at the ends."""
    side, by_row = _SIDES[call.function], rowwise(_STRIPPED[call.function], VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text = args[0]
        if len(args) == 2 and (not args[1].is_constant or text.is_constant):
            return by_row(args, n)
        characters = args[1].value if len(args) == 2 else " "
        if not characters:
            return text
        return on_entries(text, lambda v: Vector.of_array(VARCHAR, compute.trim(v.array, characters, side)))

    return evaluate


@scalar("reverse")
def reverse(call: Call) -> Evaluate:
    """Characters as people see them (a letter with its accents, an emoji) in reverse order."""
    return rowwise(reverse_graphemes, VARCHAR)


@scalar("replace")
def replace(call: Call) -> Evaluate:
    """Every occurrence of the second argument replaced by the third; of the empty string, none."""
    by_row = rowwise(lambda text, part, new: text.replace(part, new) if part else text, VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, part, new = args
        if text.is_constant or not (part.is_constant and new.is_constant):
            return by_row(args, n)
        if not part.value:
            return text
        return on_entries(
            text, lambda v: Vector.of_array(VARCHAR, compute.replace(v.array, part.value, new.value))
        )

    return evaluate


@scalar("repeat")
def repeat(call: Call) -> Evaluate:
    """The string or blob a number of times; none for a count below 1."""

    def one(text: str | bytes, count: int) -> str | bytes:
        if len(text) * max(count, 0) > _LONGEST_STRING:
            raise messages.out_of_range("Cannot create a string of more than 2 GB")
        return text * max(count, 0)

    return rowwise(one, call.type)


_CONTAINS = {
    "contains": compute.contains,
    "starts_with": compute.starts_with,
    "ends_with": compute.ends_with,
}
_CONTAINS_ROW: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda text, part: part in text,
    "starts_with": str.startswith,
    "ends_with": str.endswith,
}


@scalar("contains", "starts_with", "ends_with")
def contains(call: Call) -> Evaluate:
    """Whether the second argument stands anywhere, at the start or at the end."""
    search, by_row = _CONTAINS[call.function], rowwise(_CONTAINS_ROW[call.function], BOOLEAN)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        text, part = args
        if text.is_constant or not part.is_constant:
            return by_row(args, n)
        if call.function == "contains":
            return on_entries(text, matcher(f"%{quoted(part.value)}%", ESCAPE))
        return on_entries(text, lambda v: Vector.of_array(BOOLEAN, search(v.array, part.value)))

    return evaluate


@scalar("strpos")
def strpos(call: Call) -> Evaluate:
    """Position of the second argument in code points from 1, 0 where it is not found."""
    return rowwise(lambda text, part: text.find(part) + 1, BIGINT)
