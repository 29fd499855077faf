"""Casts between nested types, from the members up, and between them and text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.nested_text import NEEDS_QUOTES, escaped, plain_member, split_members, split_pair
from ...planner.types import BOOLEAN, VARCHAR, SQLType, TypeId, list_of
from .. import compute
from ..dictionary import on_entries
from ..functions.registry import Evaluate
from ..functions.rowwise import rowwise
from ..kernels import arrays
from ..nested import fields_of, list_array, list_vector, lists_of, struct_vector
from ..vector import Vector, null_constant
from .registry import cast

_TEXTS = list_of(VARCHAR)
_NESTED = (TypeId.LIST, TypeId.STRUCT, TypeId.MAP)


def _inner(source: SQLType, target: SQLType, safe: bool) -> Callable[[Vector, int], Vector]:
    """The cast of members."""
    from . import compile_cast

    if source.id is TypeId.NULL:
        return lambda vector, n: null_constant(target)
    run = compile_cast(source, target, safe)

    def evaluate(vector: Vector, n: int) -> Vector:
        if vector.is_null or n == 0:
            return null_constant(target)
        return run((vector.expand(n),), n)

    return evaluate


@cast((TypeId.LIST, TypeId.MAP), (TypeId.LIST, TypeId.MAP))
def list_to_list(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Each element; a map is a list of its entries."""
    inner = _inner(source.element, target.element, safe)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        lists = lists_of(args[0], n)
        total = int(lists.lengths.sum())
        return list_vector(target, lists.lengths, inner(lists.dense(), total), lists.valid)

    return evaluate


@cast((TypeId.STRUCT,), (TypeId.STRUCT,))
def struct_to_struct(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Fields of the same name, or at the same place where one side has no names; NULL for others."""
    if source.is_tuple or target.is_tuple:
        places: list[int | None] = list(range(len(target.fields)))
    else:
        known = {name.lower(): place for place, (name, _) in enumerate(source.fields)}
        places = [known.get(name.lower()) for name, _ in target.fields]
    casts = [
        None if at is None else _inner(source.fields[at][1], kind, safe)
        for at, (_, kind) in zip(places, target.fields, strict=True)
    ]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        fields = fields_of(arg, n)
        made = [
            null_constant(kind) if run is None or at is None else run(fields[at], n)
            for run, at, (_, kind) in zip(casts, places, target.fields, strict=True)
        ]
        return struct_vector(target, made, n, arg.valid)

    return evaluate


@cast(_NESTED, (TypeId.VARCHAR,))
def nested_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """As planner.nested_text writes values, from the members up."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return Vector.of_array(VARCHAR, _texts(args[0].expand(n), n))

    return evaluate


def _texts(vector: Vector, n: int) -> pa.Array:
    """The texts of nested values; NULL where they are."""
    kind = vector.type
    if kind.is_struct:
        return _struct_texts(vector, n)
    lists = lists_of(vector, n)
    total = int(lists.lengths.sum())
    elements = lists.dense().expand(total)
    if kind.is_map:
        key, value = fields_of(elements, total)
        members = compute.join([_member_texts(key, total), _member_texts(value, total)], "=")
    else:
        members = _member_texts(elements, total)
    joined = compute.join_lists(list_array(_TEXTS, lists.lengths, members, lists.valid), ", ")
    ends = ("{", "}") if kind.is_map else ("[", "]")
    return compute.join([ends[0], joined, ends[1]], "")


def _struct_texts(vector: Vector, n: int) -> pa.Array:
    kind = vector.type
    parts: list[Any] = ["(" if kind.is_tuple or not kind.fields else "{"]
    for place, ((name, _), field) in enumerate(zip(kind.fields, fields_of(vector, n), strict=True)):
        label = "" if kind.is_tuple else escaped(name) + ": "
        parts += [(", " if place else "") + label, _member_texts(field.expand(n), n)]
    parts.append(")" if kind.is_tuple or not kind.fields else "}")
    if len(parts) == 2:
        parts = [pa.array(["()"] * n)]
    texts = compute.join(parts, "")
    if vector.valid is None:
        return texts
    return compute.if_else(arrays.make_bool(vector.valid, None), texts, pa.scalar(None, pa.string()))


def _member_texts(vector: Vector, n: int) -> pa.Array:
    """The texts of members, quoted where that is needed; 'NULL' for NULL."""
    from . import compile_cast

    if n == 0 or vector.is_null or vector.type.id is TypeId.NULL:
        return pa.array(["NULL"] * n, pa.string())
    vector = vector.expand(n)
    if vector.type.is_nested:
        return compute.fill_null(_texts(vector, n), "NULL")
    texts = vector
    if not vector.type.is_string:
        texts = compile_cast(vector.type, VARCHAR, False)((vector,), n).expand(n)
    array = on_entries(texts, _quoted).decoded().array
    return compute.fill_null(array, "NULL")


def _quoted(vector: Vector) -> Vector:
    """Texts quoted where that is needed."""
    array = vector.array
    special = Vector.of_array(BOOLEAN, compute.matches_regex(array, NEEDS_QUOTES)).values
    rows = np.flatnonzero(special)
    if not len(rows):
        return vector
    texts = [escaped(text) for text in compute.take(array, rows).to_pylist()]
    places = np.arange(len(array))
    places[rows] = len(array) + np.arange(len(rows))
    both = compute.concat([array, pa.array(texts, pa.string())])
    return Vector.of_array(VARCHAR, compute.take(both, places))


@cast((TypeId.VARCHAR,), _NESTED)
def text_to_nested(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """As planner.nested_text reads texts."""
    return rowwise(reader(target, safe), target)


def reader(target: SQLType, safe: bool) -> Callable[[str], Any]:
    """A function from text to the literal form of the type; with `safe` None for what cannot be read."""
    if not target.is_nested:
        if target.is_string:
            return lambda text: text
        from .from_text import value_reader

        return value_reader(target, safe)
    if target.is_struct:
        return _struct_reader(target, safe)
    if target.is_map:
        return _map_reader(target, safe)
    element = _member_reader(target.element, safe)

    def read(text: str) -> Any:
        members = split_members(text, "[")
        if members is None:
            return _bad(text, target, safe)
        return tuple(element(raw) for raw in members)

    return read


def _bad(text: str, target: SQLType, safe: bool) -> None:
    if not safe:
        raise messages.conversion(
            f"Type VARCHAR with value '{text}' can't be cast to the destination type {target}"
        )


def _member_reader(kind: SQLType, safe: bool) -> Callable[[str], Any]:
    read = reader(kind, safe)

    def member(raw: str) -> Any:
        text = raw if kind.is_nested and raw[:1] in "[{(" else plain_member(raw)
        return None if text is None else read(text)

    return member


def _struct_reader(target: SQLType, safe: bool) -> Callable[[str], Any]:
    members = [_member_reader(kind, safe) for _, kind in target.fields]
    places = {name.lower(): place for place, (name, _) in enumerate(target.fields)}

    def read(text: str) -> Any:
        if text.strip()[:1] == "(":
            parts = split_members(text, "(")
            if parts is None or len(parts) != len(members):
                return _bad(text, target, safe)
            return tuple(run(raw) for run, raw in zip(members, parts, strict=True))
        entries = split_members(text, "{")
        if entries is None:
            return _bad(text, target, safe)
        values: list[Any] = [None] * len(members)
        for entry in entries:
            pair = split_pair(entry, ":")
            place = None if pair is None else places.get(str(plain_member(pair[0])).lower())
            if pair is None or place is None or not pair[1]:
                return _bad(text, target, safe)
            values[place] = members[place](pair[1])
        return tuple(values)

    return read


def _map_reader(target: SQLType, safe: bool) -> Callable[[str], Any]:
    (_, key_type), (_, value_type) = target.fields
    key, value = _member_reader(key_type, safe), _member_reader(value_type, safe)

    def read(text: str) -> Any:
        entries = split_members(text, "{")
        if entries is None:
            return _bad(text, target, safe)
        pairs = []
        for entry in entries:
            pair = split_pair(entry, "=")
            if pair is None:
                return _bad(text, target, safe)
            pairs.append((key(pair[0]), value(pair[1])))
        if any(name is None for name, _ in pairs) or len({name for name, _ in pairs}) < len(pairs):
            return _bad(text, target, safe)
        return tuple(pairs)

    return read
