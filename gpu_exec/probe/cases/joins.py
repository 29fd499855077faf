"""Joins of all kinds with NULL and NaN keys, with conditions, and partitions by hash."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pyarrow as pa

from .. import samples
from ..case import Case, Order
from ..forms import Form, TableForm, call, column, method, name, scalar, table

_I64, _F64, _TEXT = pa.int64(), pa.float64(), pa.string()
_I32 = pa.int32()
_NAN = math.nan
_EQUAL, _UNEQUAL = name("types.NullEquality.EQUAL"), name("types.NullEquality.UNEQUAL")
_KINDS = ("inner", "left", "full", "left_semi", "left_anti")

LEFT = table(column(_I64, [1, 2, 2, None, 4, 5]), column(_TEXT, ["a", "b", None, "d", "", "f"]))
RIGHT = table(column(_I64, [2, 2, None, 5, 6]), column(_TEXT, ["b", None, "d", "x", ""]))


def _keys(of: TableForm) -> TableForm:
    return table(of.columns[0])


def reference(index: int, side: str = "LEFT") -> Form:
    """A column of one side of a join in an expression."""
    return call("expressions.ColumnReference", index, name(f"expressions.TableReference.{side}"))


def operation(operator: str, *args: Form) -> Form:
    """An operation in an expression."""
    return call("expressions.Operation", name(f"expressions.ASTOperator.{operator}"), *args)


def literal(kind: pa.DataType, value: object) -> Form:
    """A literal in an expression."""
    return call("expressions.Literal", scalar(kind, value))


def cases() -> Iterator[Case]:
    yield from _equal()
    yield from _conditional()
    yield from _partitions()
    yield from _expressions()


def _equal() -> Iterator[Case]:
    for kind in _KINDS:
        for title, nulls in (("null_equal", _EQUAL), ("null_unequal", _UNEQUAL)):
            form = call(f"join.{kind}_join", _keys(LEFT), _keys(RIGHT), nulls)
            yield Case(f"join/{kind}/{title}", form, Order.PAIRS)
            yield Case(
                f"join/{kind}/{title}/two_keys", call(f"join.{kind}_join", LEFT, RIGHT, nulls), Order.PAIRS
            )
        nothing = table(column(_I64, []))
        for title, left, right in (
            ("no_left", nothing, _keys(RIGHT)),
            ("no_right", _keys(LEFT), nothing),
            ("none", nothing, nothing),
        ):
            yield Case(f"join/{kind}/{title}", call(f"join.{kind}_join", left, right, _UNEQUAL), Order.PAIRS)
        odd = table(column(_F64, [_NAN, 0.0, -0.0, None, 1.0]))
        yield Case(f"join/{kind}/nan_and_zero", call(f"join.{kind}_join", odd, odd, _UNEQUAL), Order.PAIRS)
        sliced = table(column(_I64, [9, 2, None, 5, 2], 1))
        yield Case(
            f"join/{kind}/sliced", call(f"join.{kind}_join", sliced, _keys(RIGHT), _UNEQUAL), Order.PAIRS
        )
    for kind in (
        pa.bool_(),
        pa.int8(),
        pa.uint64(),
        pa.date32(),
        pa.timestamp("us"),
        _TEXT,
        pa.decimal128(38, 2),
    ):
        keys = table(samples.with_nulls(kind))
        yield Case(
            f"join/inner/{samples.label(kind)}", call("join.inner_join", keys, keys, _UNEQUAL), Order.PAIRS
        )
    mixed = call("join.inner_join", table(column(pa.int32(), [1, 2])), table(column(_I64, [2, 1])), _UNEQUAL)
    yield Case("join/inner/types_differ", mixed, Order.PAIRS)
    for kind in ("semi", "anti"):
        for title, nulls in (("null_equal", _EQUAL), ("null_unequal", _UNEQUAL)):
            built = call("join.FilteredJoin", _keys(RIGHT), nulls, 0.5)
            yield Case(
                f"join/filtered/{kind}/{title}", method(built, f"{kind}_join", _keys(LEFT)), Order.PAIRS
            )
    yield Case("join/cross", call("join.cross_join", _keys(LEFT), _keys(RIGHT)), Order.ROWS)


def _conditional() -> Iterator[Case]:
    less = operation("LESS", reference(0), reference(0, "RIGHT"))
    for kind in _KINDS:
        form = call(f"join.conditional_{kind}_join", _keys(LEFT), _keys(RIGHT), less)
        yield Case(f"join/conditional/{kind}", form, Order.PAIRS)
        rest = table(column(_I64, [1, 5, None, 3, 4, 9])), table(column(_I64, [2, 3, 4, None, 1]))
        form = call(f"join.mixed_{kind}_join", _keys(LEFT), _keys(RIGHT), *rest, less, _UNEQUAL)
        yield Case(f"join/mixed/{kind}", form, Order.PAIRS)
        none = table(column(_I64, [])), table(column(_I64, []))
        form = call(f"join.mixed_{kind}_join", *none, *none, less, _UNEQUAL)
        yield Case(f"join/mixed/{kind}/no_rows", form, Order.PAIRS)
    texts = operation("EQUAL", reference(1), reference(1, "RIGHT"))
    yield Case(
        "join/conditional/inner/strings", call("join.conditional_inner_join", LEFT, RIGHT, texts), Order.PAIRS
    )


def _partitions() -> Iterator[Case]:
    for seed in (0, 42):
        yield Case(
            f"partition/hash/{seed}",
            call("partitioning.hash_partition", LEFT, [0], 3, seed=seed),
            Order.NONE,
        )
    by_map = call("partitioning.partition", LEFT, column(pa.int32(), [1, 0, 1, 0, 2, 2]), 3)
    yield Case("partition/map", by_map, Order.ROWS)
    no_rows = table(column(_I64, []))
    yield Case("partition/hash/no_rows", call("partitioning.hash_partition", no_rows, [0], 3), Order.NONE)
    for function in ("xxhash_64", "murmurhash3_x86_32"):
        for kind in (_I64, _F64, _TEXT):
            form = call(f"hashing.{function}", table(samples.with_nulls(kind)), 7)
            yield Case(f"hash/{function}/{samples.label(kind)}", form)


def _compared() -> Iterator[Case]:
    """What expressions computed by one kernel are made of, for every type they may be over."""
    for kind in samples.VALUES:
        if pa.types.is_string(kind) or pa.types.is_decimal(kind):
            continue
        label = samples.label(kind)
        rows = table(samples.full(kind), samples.with_nulls(kind))
        for operator in ("LESS", "NOT_EQUAL", "NULL_EQUAL"):
            both = operation(operator, reference(0), reference(1))
            yield Case(f"ast/two/{operator}/{label}", call("transform.compute_column", rows, both))
        at_least = operation("GREATER_EQUAL", reference(1), literal(kind, samples.VALUES[kind][2]))
        known = operation("NOT", operation("IS_NULL", reference(1)))
        tree = operation("NULL_LOGICAL_OR", at_least, operation("NULL_LOGICAL_AND", known, both))
        yield Case(f"ast/nested/{label}", call("transform.compute_column", rows, tree))
    rows = table(column(_I32, [2**30, None, -3, 7]), column(_I32, [1, 2, None, 2**20]))
    for operator in ("ADD", "SUB", "MUL"):
        tree = operation(operator, operation(operator, reference(0), reference(1)), literal(_I32, 1))
        yield Case(f"ast/{operator}/int32", call("transform.compute_column", rows, tree))
    above = operation("GREATER", operation("ADD", reference(0), reference(1)), literal(_I32, 5))
    yield Case("ast/compared_sum/int32", call("transform.compute_column", rows, above))
    no_rows = table(column(_I32, []))
    less = operation("LESS", reference(0), literal(_I32, 1))
    yield Case("ast/no_rows", call("transform.compute_column", no_rows, less))


def _expressions() -> Iterator[Case]:
    rows = table(
        column(_I64, [2**63 - 1, None, 3, -4]),
        column(_I64, [1, 2, None, -4]),
        column(_F64, [1.5, _NAN, -0.0, None]),
        column(pa.bool_(), [True, None, False, None]),
    )
    both = [reference(0), reference(1)]
    for operator in (
        "ADD",
        "SUB",
        "MUL",
        "DIV",
        "MOD",
        "EQUAL",
        "NOT_EQUAL",
        "LESS",
        "GREATER_EQUAL",
        "NULL_EQUAL",
    ):
        yield Case(
            f"ast/{operator}/int64", call("transform.compute_column", rows, operation(operator, *both))
        )
    for operator in ("LESS", "EQUAL", "ADD"):
        odd = operation(operator, reference(2), literal(_F64, 0.0))
        yield Case(f"ast/{operator}/float64", call("transform.compute_column", rows, odd))
    for operator in ("LOGICAL_AND", "LOGICAL_OR", "NULL_LOGICAL_AND", "NULL_LOGICAL_OR"):
        logic = operation(operator, reference(3), operation("LESS", *both))
        yield Case(f"ast/{operator}", call("transform.compute_column", rows, logic))
    for operator in ("NOT", "IS_NULL", "IDENTITY"):
        yield Case(
            f"ast/{operator}", call("transform.compute_column", rows, operation(operator, reference(3)))
        )
    yield from _compared()
    null = operation("ADD", reference(0), literal(_I64, None))
    yield Case("ast/null_literal", call("transform.compute_column", rows, null))
    mixed = operation("ADD", reference(0), reference(2))
    yield Case("ast/types_differ", call("transform.compute_column", rows, mixed))
    texts = operation("LESS", reference(1), literal(_TEXT, "c"))
    yield Case("ast/strings", call("transform.compute_column", LEFT, texts))
    days = table(samples.with_nulls(pa.date32()))
    day = operation("LESS", reference(0), literal(pa.date32(), samples.VALUES[pa.date32()][4]))
    yield Case("ast/dates", call("transform.compute_column", days, day))
