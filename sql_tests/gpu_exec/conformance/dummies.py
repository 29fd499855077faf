"""Real objects of pylibcudf without a device: columns whose memory nobody may look at."""

from __future__ import annotations

import functools
from typing import Any

import pylibcudf as plc

ROWS = 3


class Memory:
    """A piece of memory that is not there."""

    ptr, size = 0x1000, 1 << 10


class NoDummy(Exception):
    """An argument that cannot be made without a device."""


def named(path: str) -> Any:
    return functools.reduce(getattr, path.split("."), plc)


def dtype(kind: list[Any]) -> Any:
    return plc.DataType(plc.TypeId[kind[0]], kind[1])


def column(kind: list[Any], *, nulls: bool, rows: int = ROWS) -> Any:
    name, _, children = kind
    offsets = plc.Column(plc.DataType(plc.TypeId.INT32), rows + 1, Memory(), None, 0, 0, [])
    inner = [column(child, nulls=False) for child in children]
    parts = {"STRING": [offsets], "LIST": [offsets, *inner], "STRUCT": inner}.get(name, [])
    if name == "DICTIONARY32":
        raise NoDummy(name)
    mask = Memory() if nulls else None
    return plc.Column(dtype(kind), rows, Memory(), mask, int(nulls), 0, parts)


# Aggregations by their kind: the factory and the options it takes in order.
_FACTORIES = {
    "COUNT_VALID": ("count", ()),
    "COUNT_ALL": ("count", ()),
    "VARIANCE": ("variance", ("ddof",)),
    "STD": ("std", ("ddof",)),
    "QUANTILE": ("quantile", ("quantiles", "interp")),
    "NUNIQUE": ("nunique", ("nulls",)),
    "NTH_ELEMENT": ("nth_element", ("n", "nulls")),
    "COLLECT_LIST": ("collect_list", ("nulls",)),
    "COLLECT_SET": ("collect_set", ("nulls", "null_equal", "nan_equal")),
    "RANK": ("rank", ("method", "order", "nulls", "precedence", "percentage")),
    "LEAD": ("lead", ("offset",)),
    "LAG": ("lag", ("offset",)),
}


def aggregation(kind: str, options: dict[str, Any]) -> Any:
    factory, names = _FACTORIES.get(kind, (kind.lower(), ()))
    arguments = [made(options[name]) for name in names]
    if factory == "count":
        policy = plc.types.NullPolicy
        arguments = [policy.INCLUDE if kind == "COUNT_ALL" else policy.EXCLUDE]
    return getattr(plc.aggregation, factory)(*arguments)


def expression(form: list[Any]) -> Any:
    kind, *rest = form
    if kind == "Literal":
        raise NoDummy("scalar")
    if kind == "Operation":
        operator, *operands = rest
        return plc.expressions.Operation(made(operator), *map(expression, operands))
    return getattr(plc.expressions, kind)(*map(made, rest))


def made(form: Any) -> Any:
    """The real object for what `doubles.calls.described` wrote; NoDummy where that needs a device."""
    match form:
        case list():
            return [made(part) for part in form]
        case {"enum": path, "name": name}:
            found = {"partitioning.HashId": "libcudf.partitioning.hash_id"}.get(path, path)
            return named(found)[name]
        case {"column": kind, "nulls": nulls, "one": one}:
            return column(kind, nulls=nulls, rows=1 if one else ROWS)
        case {"table": columns}:
            return plc.Table([made(part) for part in columns])
        case {"dtype": kind}:
            return dtype(kind)
        case {"aggregation": kind, "options": options}:
            return aggregation(kind, options)
        case {"request": [values, aggregations]}:
            return plc.groupby.GroupByRequest(made(values), made(aggregations))
        case {"groups": [keys, nulls]}:
            return plc.groupby.GroupBy(made(keys), made(nulls))
        case {"regex": pattern}:
            flags = plc.strings.regex_flags.RegexFlags.DEFAULT
            return plc.strings.regex_program.RegexProgram.create(pattern, flags)
        case {"expression": of}:
            return expression(of)
        case dict():
            raise NoDummy(str(form)[:60])
    return form
