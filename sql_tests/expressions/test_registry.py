"""Every scalar function of the planner's registry runs on the CPU, for every overload."""

from __future__ import annotations

import importlib
import itertools
from typing import Any

import pyarrow as pa
import pytest
from tandemdb.cpu_fallback.casts import registry
from tandemdb.cpu_fallback.casts.registry import CASTS
from tandemdb.cpu_fallback.expressions import compile_expression, evaluate_constant
from tandemdb.cpu_fallback.functions.registry import IMPLEMENTATIONS, load_all
from tandemdb.cpu_fallback.scalars import arrow_scalar, literal_array
from tandemdb.physical.batch import Batch
from tandemdb.planner import types as t
from tandemdb.planner.coercion import can_cast
from tandemdb.planner.errors import InvalidInputError, UnsupportedError
from tandemdb.planner.expr import Call, Column, Expr, Literal, ref
from tandemdb.planner.functions import SCALARS, Nulls
from tandemdb.planner.functions.signature import Overload, Pattern
from tandemdb.planner.types import SQLType, TypeId

SAMPLES: dict[TypeId, Any] = {
    **dict.fromkeys(t.INTEGER_RANGES, 3),
    TypeId.BOOLEAN: True,
    TypeId.FLOAT: 0.5,
    TypeId.DOUBLE: 0.5,
    TypeId.DECIMAL: 125,
    TypeId.VARCHAR: "day",
    TypeId.BLOB: b"x",
    TypeId.DATE: 18_000,
    TypeId.TIME: 3_600_000_000,
    **dict.fromkeys((TypeId.TIMESTAMP, TypeId.TIMESTAMPTZ, TypeId.TIMESTAMP_NS), 1_600_000_000_000_000),
    TypeId.TIMESTAMP_S: 1_600_000_000,
    TypeId.TIMESTAMP_MS: 1_600_000_000_000,
    TypeId.INTERVAL: (1, 2, 3_000_000),
}
SPECIAL: dict[str, tuple[Any, ...]] = {
    "strftime": ("%Y",),
    "list_sort": (("b", "a"), "DESC", "NULLS FIRST"),
    "list_reverse_sort": (("b", "a"), "NULLS FIRST"),
    "list_grade_up": (("b", "a"), "DESC", "NULLS FIRST"),
    "list_select": (("a", "b"), (2, 1)),
    "list_where": (("a", "b"), (True, False)),
    "array_length": (("a", "b"), 1),
    "struct_extract": (("a",), 1),
    "list_position": (("day",), "day"),
    "list_extract": (("a",), 1),
    "map_extract_value": ((("day", "b"),), "day"),
    "regexp_extract_all": ("a", "(a)", 1, "i"),
    "string_split_regex": ("a", "b", "i"),
    "strptime": ("2020", "%Y"),
    "try_strptime": ("2020", "%Y"),
    "like_escape": ("a", "a", "$"),
    "ilike_escape": ("a", "a", "$"),
    "regexp_matches": ("a", "a", "i"),
    "regexp_full_match": ("a", "a", "i"),
    "regexp_replace": ("a", "a", "b", "g"),
    "regexp_extract": ("a", "(a)", 1, "i"),
    "make_date": (2020, 3, 3),
    "<<": (1, 2),
    "date_diff": ("hour",),
    "decode": (b"a", "replace"),
    "timezone": ("UTC",),
    "time_bucket": ((0, 1, 0),),
    "make_timestamptz": (2020, 3, 3, 3, 3, 0.5, "UTC"),
    "from_base64": ("YWI=",),
    "unbin": ("101",),
    "unhex": ("A1",),
    "bar": (0.5, 0.0, 1.0, 8.0),
    "date_sub": ("hour",),
    "date_part": ("hour",),
    "date_trunc": ("hour",),
}

# What else than lists, maps and structs of texts these are called with.
NESTED_KINDS = {
    Pattern.LIST: t.list_of(t.VARCHAR),
    Pattern.MAP: t.map_of(t.VARCHAR, t.VARCHAR),
    Pattern.STRUCT: t.struct_of(("a", t.VARCHAR)),
}
_PAIRS = t.list_of(t.struct_of(("k", t.VARCHAR), ("v", t.INTEGER)))
KINDS = {
    "flatten": t.list_of(t.list_of(t.VARCHAR)),
    "map_from_entries": _PAIRS,
    **dict.fromkeys(("list_cosine_similarity", "list_cosine_distance"), t.list_of(t.DOUBLE)),
    **dict.fromkeys(("list_inner_product", "list_negative_inner_product"), t.list_of(t.DOUBLE)),
    "list_distance": t.list_of(t.DOUBLE),
}
ANY_KINDS = {"list_zip": t.list_of(t.VARCHAR), "map_concat": t.map_of(t.VARCHAR, t.VARCHAR)}
# Their types come of a lambda, or of the aggregate that is named.
BY_THE_BINDER = frozenset({"list_aggregate", "list_transform", "list_filter", "list_reduce"})

# Bound, as in DuckDB, but without a meaning.
NOT_OF_INTERVALS = {"week", "yearweek", "dayofweek", "isodow", "dayofyear", "isoyear", "era"}


def calls() -> list[Any]:
    """A call of every overload, with typed literals."""
    found = []
    for name, function in sorted(SCALARS.items()):
        for overload in function.overloads if name not in BY_THE_BINDER else ():
            arguments, call = _call(name, overload)
            found.append(pytest.param(call, id=f"{name}({', '.join(str(a.type) for a in arguments)})"))
    return found


def _call(name: str, overload: Overload) -> tuple[list[Literal], Call]:
    patterns = [*overload.params, *([overload.variadic] if overload.variadic is not None else [])]
    kinds = tuple(_kind(pattern, name) for pattern in patterns)
    values = tuple(_value(name, kind, at) for at, kind in enumerate(kinds))
    bound = overload.bound(kinds, values.__getitem__)
    arguments = [Literal(kind, _value(name, kind, at)) for at, kind in enumerate(bound.args)]
    return arguments, Call(bound.result, name, tuple(arguments))


def _kind(pattern: SQLType | Pattern, name: str) -> SQLType:
    if pattern is Pattern.DECIMAL:
        return t.decimal(5, 2)
    if name in KINDS and pattern is not Pattern.ANY:
        return KINDS[name]
    if pattern is Pattern.ANY:
        return ANY_KINDS.get(name, t.VARCHAR)
    if isinstance(pattern, Pattern):
        return NESTED_KINDS[pattern]
    assert isinstance(pattern, SQLType)
    return pattern


def _value(name: str, kind: SQLType, at: int) -> Any:
    if name == "neg" and kind.id.value.startswith("U"):
        return 0
    if name == "time_bucket" and kind.is_string:
        return "UTC"
    special = SPECIAL.get(name, ())
    if name == "strftime":
        return "%Y" if kind.is_string else SAMPLES[kind.id]
    return special[at] if at < len(special) else _sample(kind)


def _sample(kind: SQLType) -> Any:
    if kind.is_struct:
        return tuple(_sample(field) for _, field in kind.fields)
    return (_sample(kind.element),) if kind.is_nested else SAMPLES.get(kind.id)


@pytest.mark.parametrize("call", calls())
def test_every_overload_runs(call: Call) -> None:
    """Over constants, over columns, and over NULL columns."""
    if call.function in NOT_OF_INTERVALS and call.args[0].type == t.INTERVAL:
        with pytest.raises(UnsupportedError, match="of an INTERVAL is not supported"):
            evaluate_constant(call)
        return
    if call.function == "error":
        with pytest.raises(InvalidInputError, match="day"):
            evaluate_constant(call)
        return
    value = evaluate_constant(call)
    columns = [Column(at, f"c{at}", arg.type) for at, arg in enumerate(call.args)]
    literal = SCALARS[call.function].constants
    refs: tuple[Expr, ...] = tuple(
        call.args[at] if at in literal else ref(column) for at, column in enumerate(columns)
    )
    over_columns = Call(call.type, call.function, refs)
    for stored in ([arg.value for arg in call.args if isinstance(arg, Literal)], [None] * len(columns)):
        arrays = [
            pa.array([arrow_scalar(column.type, held)] * 3, arrow_scalar(column.type, held).type)
            if not column.type.is_nested
            else literal_array(column.type, [held] * 3)
            for column, held in zip(columns, stored, strict=True)
        ]
        batch = Batch(columns, arrays, 3)
        vector = compile_expression(over_columns)(batch)
        array = vector.to_array(3)
        assert vector.type == call.type
        null = any(held is None for held in stored)
        if null and SCALARS[call.function].nulls is Nulls.PROPAGATE:
            assert array.null_count == 3
        elif not null and value is not None:
            assert array.null_count == 0


def test_nothing_is_implemented_that_the_planner_does_not_know() -> None:
    load_all()
    assert set(IMPLEMENTATIONS) == set(SCALARS)


def test_every_cast_of_the_planner_exists() -> None:
    kinds = [t.decimal(5, 2) if kind is TypeId.DECIMAL else SQLType(kind) for kind in TypeId]
    kinds = [kind for kind in kinds if not kind.is_nested] + list(NESTED_KINDS.values())
    # All of them, whichever were loaded before.
    for family in registry._FAMILIES:
        importlib.import_module(f"{registry.__package__}.{family}")
    missing = [
        (str(source), str(target))
        for source, target in itertools.permutations(kinds, 2)
        if source.id is not TypeId.NULL and can_cast(source, target) and (source.id, target.id) not in CASTS
    ]
    assert not missing
