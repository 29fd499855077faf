"""Functions of structs and maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...planner import messages_values as messages
from ...planner.expr import Call, Literal
from ...planner.types import BOOLEAN, UBIGINT, SQLType
from ..nested import (
    Lists,
    concatenated,
    field_of,
    list_vector,
    lists_of,
    struct_vector,
    taken,
)
from ..operators.nested import ordered
from ..vector import Valid, Vector
from .list_values import _known, _search
from .lists import valid_rows
from .registry import Evaluate, scalar


@scalar("struct_pack")
def struct_pack(call: Call) -> Evaluate:
    """The arguments as fields."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        if not args:
            return Vector.constant(call.type, ())
        return struct_vector(call.type, args, n)

    return evaluate


@scalar("struct_extract")
def struct_extract(call: Call) -> Evaluate:
    """The field at a position, from 1."""
    place = call.args[1]
    assert isinstance(place, Literal)
    at = place.value - 1
    return lambda args, n: field_of(args[0], at)


def _map(type_: SQLType, lengths: np.ndarray, keys: Vector, values: Vector, n: int, valid: Valid) -> Vector:
    """A map of keys and values of each row in turn. Raises for a NULL key and for equal ones."""
    rows = np.repeat(np.arange(n), lengths)
    total = len(rows)
    if not _known(keys, total).all():
        raise messages.invalid_input("Map keys can not be NULL.")
    codes = ordered(keys, total)
    pairs = np.stack([rows, codes], axis=1)
    if total and len(np.unique(pairs, axis=0)) < total:
        raise messages.invalid_input("Map keys must be unique.")
    return list_vector(type_, lengths, struct_vector(type_.element, [keys, values], total), valid)


@scalar("map")
def map_(call: Call) -> Evaluate:
    """Of a list of keys and a list of values of one length."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        if not args:
            return Vector.constant(call.type, ())
        keys, values = lists_of(args[0], n), lists_of(args[1], n)
        valid = valid_rows(n, *args)
        if valid is not None:
            keys = keys._replace(lengths=np.where(valid, keys.lengths, 0))
            values = values._replace(lengths=np.where(valid, values.lengths, 0))
        if (keys.lengths != values.lengths).any():
            raise messages.invalid_input("The map key list does not align with the map value list")
        total = int(keys.lengths.sum())
        return _map(
            call.type, keys.lengths, keys.dense().expand(total), values.dense().expand(total), n, valid
        )

    return evaluate


@scalar("map_from_entries")
def map_from_entries(call: Call) -> Evaluate:
    """Of structs of two fields."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        if not lists.elements.type.is_struct:
            return Vector.constant(call.type, ())
        total = int(lists.lengths.sum())
        entries = lists.dense().expand(total)
        if not _known(entries, total).all():
            raise messages.invalid_input("Map keys can not be NULL.")
        return _map(call.type, lists.lengths, field_of(entries, 0), field_of(entries, 1), n, lists.valid)

    return evaluate


@scalar("map_keys", "map_values", "map_entries")
def map_parts(call: Call) -> Evaluate:
    """The keys, the values or both."""
    part = {"map_keys": 0, "map_values": 1}.get(call.function)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        held = lists.dense()
        members = held if part is None else field_of(held, part)
        return list_vector(call.type, lists.lengths, members, lists.valid)

    return evaluate


def _part(lists: Lists, part: int) -> Lists:
    return lists._replace(elements=field_of(lists.elements, part))


def _found(args: Sequence[Vector], n: int, part: int) -> np.ndarray:
    """The place of a key (0) or value (1) in each map, -1 where it is not."""
    lists = lists_of(args[0], n)
    kind = args[0].type.fields[part][1]
    from ...planner.types import list_of

    held = list_vector(list_of(kind), lists.lengths, field_of(lists.dense(), part), lists.valid)
    _, first = _search((held, args[1]), n, null_is_value=False)
    return first


@scalar("map_extract", "map_extract_value")
def map_extract(call: Call) -> Evaluate:
    """The value of a key: in a list, or NULL where there is none."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        first = _found(args, n, 0)
        values = _part(lists_of(args[0], n), 1)
        places = np.where(first >= 0, values.starts + first, -1)
        if call.function == "map_extract_value":
            return taken(values.elements, places)
        there = first >= 0
        valid = values.valid
        return list_vector(call.type, there.astype(np.int64), values.elements.take(places[there]), valid)

    return evaluate


@scalar("map_contains", "map_contains_value")
def map_contains(call: Call) -> Evaluate:
    """Whether there is such a key or value."""
    part = 0 if call.function == "map_contains" else 1

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return Vector.of_truth(BOOLEAN, _found(args, n, part) >= 0, valid_rows(n, *args))

    return evaluate


@scalar("map_concat")
def map_concat(call: Call) -> Evaluate:
    """Keys as they first come, each with its last value; NULL is an empty map, where not all are."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        parts = [lists_of(arg, n) for arg in args]
        rows = np.concatenate([part.rows for part in parts])
        total = len(rows)
        elements = concatenated(call.type.element, [(part.dense(), len(part.rows)) for part in parts])
        none = np.logical_and.reduce(
            [np.zeros(n, dtype=np.bool_) if p.valid is None else ~p.valid for p in parts]
        )
        codes = ordered(field_of(elements, 0), total)
        pairs = np.stack([rows, codes], axis=1)
        _, first, inverse = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
        last = np.zeros(len(first), dtype=np.int64)
        last[inverse.reshape(-1)] = np.arange(total)
        order = np.lexsort((first, rows[first]))
        lengths = np.bincount(rows[first], minlength=n).astype(np.int64)
        return list_vector(call.type, lengths, elements.take(last[order]), ~none if none.any() else None)

    return evaluate


@scalar("cardinality")
def cardinality(call: Call) -> Evaluate:
    """The number of entries."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        return Vector.of_values(UBIGINT, lists.lengths.astype(np.uint64), lists.valid)

    return evaluate
