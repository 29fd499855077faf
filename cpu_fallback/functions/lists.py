"""Functions of lists that look at positions: elements, slices, lists put together, reversed, resized."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BIGINT, SQLType
from ..kernels.arrays import I64
from ..nested import (
    Lists,
    concatenated,
    gathered,
    list_vector,
    lists_of,
    struct_vector,
    taken,
)
from ..vector import Valid, Vector, combined_valid
from .registry import Evaluate, scalar
from .rowwise import rowwise


def valid_rows(n: int, *vectors: Vector) -> Valid:
    """Rows at which no argument is NULL; arguments may be the constant NULL."""
    if any(vector.is_null for vector in vectors):
        return np.zeros(n, dtype=np.bool_)
    return combined_valid(*vectors)


def numbers(vector: Vector, n: int) -> I64:
    """A BIGINT argument for each row; arbitrary where it is NULL."""
    if vector.is_null:
        return np.zeros(n, dtype=np.int64)
    return vector.expand(n).values


@scalar("list_value")
def list_value(call: Call) -> Evaluate:
    """The arguments of each row in turn."""
    element = call.type.element

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        count = len(args)
        if not count:
            return Vector.constant(call.type, ())
        together = concatenated(element, [(arg, n) for arg in args])
        if count > 1:
            together = together.take(np.arange(count * n).reshape(count, n).T.reshape(-1))
        return list_vector(call.type, np.full(n, count, dtype=np.int64), together, None)

    return evaluate


@scalar("list_extract")
def list_extract(call: Call) -> Evaluate:
    """From 1; from the end where negative; NULL where there is none."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists, wanted = lists_of(args[0], n), numbers(args[1], n)
        place = np.where(wanted > 0, wanted - 1, wanted + lists.lengths)
        there = (wanted != 0) & (place >= 0) & (place < lists.lengths)
        valid = valid_rows(n, *args)
        if valid is not None:
            there &= valid
        return taken(lists.elements, np.where(there, lists.starts + place, -1))

    return evaluate


def slice_bounds(lengths: I64, begin: I64, end: I64) -> tuple[I64, I64]:
    """Places from 0, `stop` exclusive, of a slice from one position to another (inclusive, negative: from the
    end).
    """
    start = np.where(begin < 0, begin + lengths, begin - 1)
    stop = np.where(end < 0, end + lengths + 1, end)
    return np.clip(start, 0, lengths), np.clip(stop, 0, lengths)


@scalar("list_slice")
def list_slice(call: Call) -> Evaluate:
    """The elements from one position to another, every so many; a negative step walks back. Of a text, its
    characters.
    """
    if call.type.is_string:
        return rowwise(text_slice, call.type)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        valid = valid_rows(n, *args)
        begin, end = numbers(args[1], n), numbers(args[2], n)
        step = numbers(args[3], n) if len(args) == 4 else np.ones(n, dtype=np.int64)
        if ((step == 0) & (True if valid is None else valid)).any():
            raise messages.invalid_input("Slice step cannot be zero")
        low = np.where(step > 0, begin, end)
        high = np.where(step > 0, end, begin)
        start, stop = slice_bounds(lists.lengths, low, high)
        width = np.maximum(stop - start, 0)
        size = np.maximum(np.abs(step), 1)
        lengths = (width + size - 1) // size
        if valid is not None:
            lengths = np.where(valid, lengths, 0)
        first = lists.starts + np.where(step > 0, start, stop - 1)
        if (step == 1).all():
            return gathered(call.type, Lists(first, lengths, valid, lists.elements))
        walk = Lists(np.zeros(n, dtype=np.int64), lengths, valid, lists.elements)
        rows = walk.rows
        places = first[rows] + walk.places * step[rows]
        return list_vector(call.type, lengths, lists.elements.take(places), valid)

    return evaluate


def text_slice(text: str, begin: int, end: int) -> str:
    """The characters from one position to another.

    >>> text_slice("hello", -2, -1), text_slice("hello", 0, 2), text_slice("hello", -9, -9)
    ('lo', 'he', '')
    """
    size = len(text)
    start = begin + size if begin < 0 else begin - 1
    stop = end + size + 1 if end < 0 else end
    return text[max(start, 0) : max(stop, 0)]


def joined(type_: SQLType, parts: Sequence[Lists], n: int, valid: Valid) -> Vector:
    """The lists of each row one after the other."""
    elements = concatenated(type_.element, [(part.elements, len(part.elements)) for part in parts])
    shifts = np.cumsum([0, *(len(part.elements) for part in parts)])[:-1]
    starts = np.stack([part.starts + shift for part, shift in zip(parts, shifts, strict=True)], axis=1)
    lengths = np.stack([part.lengths for part in parts], axis=1)
    if valid is not None:
        lengths = np.where(valid[:, None], lengths, 0)
    flat = Lists(starts.reshape(-1), lengths.reshape(-1), None, elements)
    return list_vector(type_, lengths.sum(axis=1), elements.take(flat.places), valid)


@scalar("list_concat")
def list_concat(call: Call) -> Evaluate:
    """NULL where all arguments are."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        if not args:
            return Vector.constant(call.type, ())
        parts = [lists_of(arg, n) for arg in args]
        none = np.logical_and.reduce([_null_rows(part, n) for part in parts])
        return joined(call.type, parts, n, ~none if none.any() else None)

    return evaluate


def _null_rows(lists: Lists, n: int) -> Any:
    return np.zeros(n, dtype=np.bool_) if lists.valid is None else ~lists.valid


def concat_lists(call: Call) -> Evaluate:
    """The operator ||: NULL where either list is."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return joined(call.type, [lists_of(arg, n) for arg in args], n, valid_rows(n, *args))

    return evaluate


def _single(vector: Vector, n: int) -> Lists:
    """Each row as a list of its value."""
    held = vector.expand(n)
    return Lists(np.arange(n), np.ones(n, dtype=np.int64), None, held)


@scalar("list_append", "list_prepend")
def list_append(call: Call) -> Evaluate:
    """NULL counts as an empty list."""
    first = call.function == "list_append"

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        if first:
            parts = [lists_of(args[0], n), _single(args[1], n)]
        else:
            parts = [_single(args[0], n), lists_of(args[1], n)]
        return joined(call.type, parts, n, None)

    return evaluate


@scalar("list_reverse")
def list_reverse(call: Call) -> Evaluate:
    """From the last to the first."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        ends = np.cumsum(lists.lengths)
        rows = lists.rows
        back = (ends - 1)[rows] - np.arange(len(rows)) + lists.starts[rows]
        return list_vector(call.type, lists.lengths, lists.elements.take(back), lists.valid)

    return evaluate


@scalar("list_resize")
def list_resize(call: Call) -> Evaluate:
    """Filled up with the third argument, or NULL; a NULL size is 0."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        known = valid_rows(n, args[1])
        size = numbers(args[1], n)
        size = size if known is None else np.where(known, size, 0)
        valid = lists.valid
        size = size if valid is None else np.where(valid, size, 0)
        if (size < 0).any():
            value = int(size[np.argmax(size < 0)])
            raise messages.conversion(
                f"Type INT32 with value {value} can't be cast because the value is out of range for the "
                "destination type UINT64"
            )
        walk = Lists(np.zeros(n, dtype=np.int64), size, None, lists.elements)
        rows, within = walk.rows, walk.places
        inside = within < lists.lengths[rows]
        if len(args) == 2:
            members = taken(lists.elements, np.where(inside, lists.starts[rows] + within, -1))
        else:
            both = concatenated(
                call.type.element, [(lists.elements, len(lists.elements)), (args[2].expand(n), n)]
            )
            places = np.where(inside, lists.starts[rows] + within, len(lists.elements) + rows)
            members = both.take(places)
        return list_vector(call.type, size, members, valid)

    return evaluate


@scalar("list_zip")
def list_zip(call: Call) -> Evaluate:
    """As long as the longest list, or with TRUE as the shortest; NULL counts as an empty list."""
    count = len(call.type.element.fields)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        parts = [lists_of(arg, n) for arg in args[:count]]
        lengths = np.maximum.reduce([part.lengths for part in parts])
        if len(args) > count and not args[count].is_null:
            short = np.minimum.reduce([part.lengths for part in parts])
            cut = args[count].expand(n)
            lengths = np.where(cut.values, short, lengths)
        walk = Lists(np.zeros(n, dtype=np.int64), lengths, None, parts[0].elements)
        rows, within = walk.rows, walk.places
        fields = [
            taken(part.elements, np.where(within < part.lengths[rows], part.starts[rows] + within, -1))
            for part in parts
        ]
        members = struct_vector(call.type.element, fields, len(rows))
        return list_vector(call.type, lengths, members, None)

    return evaluate


@scalar("flatten")
def flatten(call: Call) -> Evaluate:
    """The elements of the inner lists; a NULL list inside is none."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        outer = lists_of(args[0], n)
        if not outer.elements.type.is_list:
            return list_vector(
                call.type, np.zeros(n, dtype=np.int64), outer.elements.slice(0, 0), outer.valid
            )
        total = int(outer.lengths.sum())
        inner = lists_of(outer.dense().expand(total), total)
        lengths = np.bincount(outer.rows, weights=inner.lengths, minlength=n).astype(np.int64)
        return list_vector(call.type, lengths, inner.dense(), outer.valid)

    return evaluate


@scalar("array_length")
def array_length(call: Call) -> Evaluate:
    """Number of elements; of the first dimension only."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        valid = valid_rows(n, *args)
        if len(args) == 2:
            wrong = numbers(args[1], n) != 1
            if (wrong if valid is None else wrong & valid).any():
                raise messages.not_implemented(
                    "array_length for lists with dimensions other than 1 not implemented"
                )
        return Vector.of_values(BIGINT, lists_of(args[0], n).lengths.astype(np.int64), valid)

    return evaluate


def list_length(args: Sequence[Vector], n: int) -> Vector:
    """Number of elements of lists and maps."""
    return Vector.of_values(BIGINT, lists_of(args[0], n).lengths.astype(np.int64), args[0].expand(n).valid)


@scalar("list_select", "list_where")
def list_select(call: Call) -> Evaluate:
    """The elements at positions, NULL where there is none; or those where a flag is true."""
    flags = call.function == "list_where"

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists, other = lists_of(args[0], n), lists_of(args[1], n)
        valid = valid_rows(n, *args)
        if valid is not None:
            other = other._replace(lengths=np.where(valid, other.lengths, 0))
        rows = other.rows
        picked = other.dense().expand(len(rows))
        if picked.valid is not None and not picked.valid.all():
            raise messages.invalid_input(
                "NULLs are not allowed as list elements in the second input parameter."
            )
        walk = Lists(np.zeros(n, dtype=np.int64), other.lengths, None, lists.elements)
        within = walk.places if flags else picked.values - 1
        inside = (within >= 0) & (within < lists.lengths[rows])
        places = np.where(inside, lists.starts[rows] + within, -1)
        lengths = other.lengths
        if flags:
            kept = picked.values
            places, rows = places[kept], rows[kept]
            lengths = np.bincount(rows, minlength=n).astype(np.int64)
        return list_vector(call.type, lengths, taken(lists.elements, places), valid)

    return evaluate
