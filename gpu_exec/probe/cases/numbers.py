"""Arithmetic, comparisons, three-valued logic, casts and rounding."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from .. import samples
from ..case import Case
from ..forms import Form, call, column, dtype, name, scalar
from ..samples import DECIMAL64, DECIMAL64_VALUES, FLOATS, INTEGERS, VALUES, label

_D = decimal.Decimal
_I64, _F64, _BOOL = pa.int64(), pa.float64(), pa.bool_()
_NAN, _INF = math.nan, math.inf
_NAMES = {
    pa.bool_(): "BOOL8",
    pa.int8(): "INT8",
    pa.int16(): "INT16",
    pa.int32(): "INT32",
    pa.int64(): "INT64",
    pa.uint8(): "UINT8",
    pa.uint16(): "UINT16",
    pa.uint32(): "UINT32",
    pa.uint64(): "UINT64",
    pa.float32(): "FLOAT32",
    pa.float64(): "FLOAT64",
    pa.date32(): "TIMESTAMP_DAYS",
    pa.timestamp("us"): "TIMESTAMP_MICROSECONDS",
    pa.string(): "STRING",
}
_DECIMALS_128 = column(pa.decimal128(38, 2), [_D("1.25"), None, _D("-7.00"), _D("0.05")])
_DECIMALS_64 = column(DECIMAL64, [_D("1.25"), None, _D("-7.00"), _D("0.05")])
_COMPARISONS = (
    "EQUAL",
    "NOT_EQUAL",
    "LESS",
    "GREATER",
    "LESS_EQUAL",
    "GREATER_EQUAL",
    "NULL_EQUALS",
    "NULL_NOT_EQUALS",
)


def _binary(operator: str, left: Form, right: Form, kind: str, scale: int = 0) -> Form:
    operation = name(f"binaryop.BinaryOperator.{operator}")
    return call("binaryop.binary_operation", left, right, operation, dtype(kind, scale))


def _unary(operator: str, of: Form) -> Form:
    return call("unary.unary_operation", of, name(f"unary.UnaryOperator.{operator}"))


def _cast(of: Form, kind: str, scale: int = 0) -> Form:
    return call("unary.cast", of, dtype(kind, scale))


def cases() -> Iterator[Case]:
    yield from _arithmetic()
    yield from _decimals()
    yield from _comparisons()
    yield from _logic()
    yield from _functions()
    yield from _casts()
    yield from _rounding()


def _arithmetic() -> Iterator[Case]:
    for kind in (*INTEGERS, *FLOATS):
        values = samples.with_nulls(kind)
        for operator in ("ADD", "SUB", "MUL"):
            yield Case(f"binary/{operator}/{label(kind)}", _binary(operator, values, values, _NAMES[kind]))
    ones = column(_I64, [2**63 - 1, -(2**63), None, 5])
    for operator in ("ADD", "SUB", "MUL"):
        yield Case(f"binary/{operator}/int64/scalar", _binary(operator, ones, scalar(_I64, 2), "INT64"))
        yield Case(
            f"binary/{operator}/int64/null_scalar", _binary(operator, ones, scalar(_I64, None), "INT64")
        )
    yield Case("binary/SUB/int64/scalar_first", _binary("SUB", scalar(_I64, 2), ones, "INT64"))
    yield Case("binary/ADD/int64/empty", _binary("ADD", column(_I64, []), column(_I64, []), "INT64"))
    sliced = column(_I64, [1, None, 3, None, 5], 1)
    yield Case("binary/ADD/int64/sliced", _binary("ADD", sliced, sliced, "INT64"))
    yield Case(
        "binary/ADD/int32_to_int64",
        _binary("ADD", samples.full(pa.int32()), samples.full(pa.int32()), "INT64"),
    )
    left = column(_I64, [7, -7, 7, -7, None, 1])
    right = column(_I64, [2, 2, -2, -2, 2, None])
    for operator in ("DIV", "TRUE_DIV", "FLOOR_DIV", "MOD", "PMOD", "PYMOD"):
        yield Case(f"binary/{operator}/int64", _binary(operator, left, right, "INT64"))
        floats = _binary(
            operator, column(_F64, [7.5, -7.5, 0.0, None]), column(_F64, [2.0, 2.0, 0.0, 1.0]), "FLOAT64"
        )
        yield Case(f"binary/{operator}/float64", floats)
    yield Case("binary/TRUE_DIV/int64_to_float64", _binary("TRUE_DIV", left, right, "FLOAT64"))
    yield Case(
        "binary/DIV/float64/by_zero",
        _binary("DIV", column(_F64, [1.0, -1.0, 0.0]), scalar(_F64, 0.0), "FLOAT64"),
    )
    for operator in ("SHIFT_LEFT", "SHIFT_RIGHT", "BITWISE_AND", "BITWISE_OR", "BITWISE_XOR"):
        yield Case(
            f"binary/{operator}/int64", _binary(operator, left, column(_I64, [1, 2, 3, 63, 1, 1]), "INT64")
        )
    powers = _binary(
        "POW", column(_F64, [2.0, -8.0, 0.0, _NAN]), column(_F64, [0.5, 1 / 3, -1.0, 0.0]), "FLOAT64"
    )
    yield Case("binary/POW/float64", powers)
    yield Case(
        "binary/INT_POW/int64",
        _binary("INT_POW", column(_I64, [3, -2, 10]), column(_I64, [4, 3, 18]), "INT64"),
    )
    for operator in ("NULL_MAX", "NULL_MIN"):
        yield Case(f"binary/{operator}/int64", _binary(operator, left, right, "INT64"))
        odd = _binary(operator, samples.with_nulls(_F64), scalar(_F64, 0.0), "FLOAT64")
        yield Case(f"binary/{operator}/float64/odd", odd)


def _decimals() -> Iterator[Case]:
    for title, values, kind in (
        ("decimal64", _DECIMALS_64, "DECIMAL64"),
        ("decimal128", _DECIMALS_128, "DECIMAL128"),
    ):
        for operator, scale in (("ADD", 2), ("SUB", 2), ("MUL", 4), ("DIV", 0), ("MOD", 2)):
            yield Case(f"binary/{operator}/{title}", _binary(operator, values, values, kind, scale))
        for operator in ("TRUE_DIV", "FLOOR_DIV", "DIV"):
            yield Case(f"binary/{operator}/{title}_to_float64", _binary(operator, values, values, "FLOAT64"))
        yield Case(f"binary/MUL/{title}/declared_scale_differs", _binary("MUL", values, values, kind, 2))
        yield Case(
            f"binary/ADD/{title}/scalar",
            _binary("ADD", values, scalar(values.array.type, _D("0.10")), kind, 2),
        )
    finer = column(pa.decimal128(38, 4), [_D("1.2500"), _D("0.0001"), None, _D("0.0500")])
    yield Case("binary/ADD/decimal128/scales_differ", _binary("ADD", _DECIMALS_128, finer, "DECIMAL128", 4))
    yield Case("binary/EQUAL/decimal128/scales_differ", _binary("EQUAL", _DECIMALS_128, finer, "BOOL8"))
    yield Case("binary/EQUAL/decimal64_and_128", _binary("EQUAL", _DECIMALS_64, _DECIMALS_128, "BOOL8"))
    extremes = column(DECIMAL64, DECIMAL64_VALUES)
    yield Case("binary/MUL/decimal64/overflow", _binary("MUL", extremes, extremes, "DECIMAL64", 4))
    largest = samples.full(pa.decimal128(38, 2))
    yield Case("binary/MUL/decimal128/overflow", _binary("MUL", largest, largest, "DECIMAL128", 4))


def _comparisons() -> Iterator[Case]:
    for kind in VALUES:
        left = samples.with_nulls(kind)
        reverse = column(kind, VALUES[kind][::-1])
        for operator in _COMPARISONS if kind in (_F64, pa.string(), _I64) else ("EQUAL", "LESS"):
            yield Case(f"binary/{operator}/{label(kind)}", _binary(operator, left, reverse, "BOOL8"))
        yield Case(
            f"binary/LESS/{label(kind)}/scalar", _binary("LESS", left, scalar(kind, VALUES[kind][5]), "BOOL8")
        )
    for operator in ("EQUAL", "LESS", "NULL_EQUALS"):
        odd = _binary(operator, samples.full(_F64), scalar(_F64, _NAN), "BOOL8")
        yield Case(f"binary/{operator}/float64/nan_scalar", odd)
    yield Case(
        "binary/NULL_EQUALS/int64/null_scalar",
        _binary("NULL_EQUALS", samples.with_nulls(_I64), scalar(_I64, None), "BOOL8"),
    )
    mixed = _binary("LESS", samples.full(pa.int32()), samples.full(_I64), "BOOL8")
    yield Case("binary/LESS/int32_and_int64", mixed)
    yield Case(
        "binary/LESS/uint64_and_int64",
        _binary("LESS", samples.full(pa.uint64()), samples.full(_I64), "BOOL8"),
    )
    days = column(pa.date32(), VALUES[pa.date32()])
    stamps = column(pa.timestamp("us"), VALUES[pa.timestamp("us")])
    yield Case("binary/LESS/date_and_timestamp", _binary("LESS", days, stamps, "BOOL8"))
    yield Case("binary/SUB/timestamp", _binary("SUB", stamps, stamps, "DURATION_MICROSECONDS"))
    yield Case(
        "binary/ADD/timestamp_and_duration",
        _binary("ADD", stamps, scalar(pa.duration("us"), 5), "TIMESTAMP_MICROSECONDS"),
    )


def _logic() -> Iterator[Case]:
    left = column(_BOOL, [True, True, True, False, False, False, None, None, None])
    right = column(_BOOL, [True, False, None] * 3)
    for operator in ("LOGICAL_AND", "LOGICAL_OR", "NULL_LOGICAL_AND", "NULL_LOGICAL_OR"):
        yield Case(f"logic/{operator}", _binary(operator, left, right, "BOOL8"))
        for value in (True, False, None):
            yield Case(
                f"logic/{operator}/scalar_{value}", _binary(operator, left, scalar(_BOOL, value), "BOOL8")
            )
    yield Case("logic/NOT", _unary("NOT", left))
    for kind in (_I64, pa.string(), _F64):
        for function in ("is_null", "is_valid"):
            yield Case(f"logic/{function}/{label(kind)}", call(f"unary.{function}", samples.with_nulls(kind)))
    for function in ("is_nan", "is_not_nan"):
        yield Case(f"logic/{function}", call(f"unary.{function}", samples.with_nulls(_F64)))
    yield Case("logic/is_null/sliced", call("unary.is_null", column(_I64, [1, None, 3, None], 1)))


def _functions() -> Iterator[Case]:
    angles = column(_F64, [0.0, 1.0, -1.0, 2.0, _NAN, _INF, None])
    for operator in (
        "SIN",
        "COS",
        "TAN",
        "ARCSIN",
        "ARCCOS",
        "ARCTAN",
        "SINH",
        "COSH",
        "TANH",
        "EXP",
        "LOG",
        "SQRT",
        "CBRT",
    ):
        yield Case(f"unary/{operator}", _unary(operator, angles))
    halves = column(_F64, [0.5, -0.5, 1.5, 2.5, -2.5, _NAN, None, -0.0])
    for operator in ("CEIL", "FLOOR", "ABS", "RINT", "NEGATE"):
        yield Case(f"unary/{operator}/float64", _unary(operator, halves))
        yield Case(f"unary/{operator}/decimal128", _unary(operator, _DECIMALS_128))
    for operator in ("ABS", "NEGATE", "BIT_INVERT"):
        yield Case(f"unary/{operator}/int64", _unary(operator, samples.with_nulls(_I64)))


def _casts() -> Iterator[Case]:
    pairs: list[tuple[pa.DataType, pa.DataType]] = [
        *((_I64, kind) for kind in (_BOOL, pa.int8(), pa.int32(), pa.uint64(), pa.float32(), _F64)),
        *((_F64, kind) for kind in (_BOOL, pa.int8(), pa.int32(), _I64, pa.uint64(), pa.float32())),
        (_BOOL, _I64),
        (pa.uint64(), _I64),
        (pa.date32(), pa.timestamp("us")),
        (pa.timestamp("us"), pa.date32()),
        (pa.date32(), pa.int32()),
        (pa.timestamp("us"), _I64),
        (_I64, pa.timestamp("us")),
        (pa.int32(), pa.date32()),
        (_I64, pa.string()),
    ]
    for source, target in pairs:
        yield Case(f"cast/{label(source)}/{label(target)}", _cast(samples.with_nulls(source), _NAMES[target]))
        supported = call("unary.is_supported_cast", dtype(_NAMES[source]), dtype(_NAMES[target]))
        yield Case(f"cast/supported/{label(source)}/{label(target)}", supported)
    halves = column(_F64, [0.5, 1.5, 2.5, -0.5, -1.5, 1e300, None, _NAN])
    yield Case("cast/float64/int64/halves", _cast(halves, "INT64"))
    small = column(_F64, [0.125, 0.375, -0.125, 1.005, None])
    yield Case("cast/float64/decimal64", _cast(small, "DECIMAL64", 2))
    yield Case("cast/float64/decimal128", _cast(small, "DECIMAL128", 2))
    for title, values in (("decimal64", _DECIMALS_64), ("decimal128", _DECIMALS_128)):
        targets: list[Any] = [
            ("DECIMAL64", 1),
            ("DECIMAL128", 1),
            ("DECIMAL128", 4),
            ("FLOAT64", 0),
            ("INT64", 0),
        ]
        for kind, scale in targets:
            yield Case(f"cast/{title}/{kind}_{scale}", _cast(values, kind, scale))
    yield Case("cast/int64/decimal128", _cast(samples.with_nulls(_I64), "DECIMAL128", 2))
    yield Case("cast/decimal128/int64/overflow", _cast(samples.full(pa.decimal128(38, 2)), "INT64"))
    yield Case(
        "cast/decimal128/decimal64/overflow", _cast(samples.full(pa.decimal128(38, 2)), "DECIMAL64", 2)
    )
    bits = call("unary.bit_cast", column(_I64, [125, None, -7]), dtype("DECIMAL64", 2))
    yield Case("cast/bits/int64/decimal64", bits)
    yield Case("cast/bits/decimal64/int64", call("unary.bit_cast", _DECIMALS_64, dtype("INT64")))
    yield Case("cast/bits/float64/int64", call("unary.bit_cast", samples.full(_F64), dtype("INT64")))
    yield Case(
        "cast/bits/date32/int32", call("unary.bit_cast", samples.with_nulls(pa.date32()), dtype("INT32"))
    )


def _rounding() -> Iterator[Case]:
    halves = column(_F64, [0.5, 1.5, 2.5, -0.5, 1.005, 1234.5678, _NAN, None])
    for method in ("HALF_UP", "HALF_EVEN"):
        for places in (0, 2, -2):
            kind = name(f"round.RoundingMethod.{method}")
            yield Case(f"round/{method}/float64/{places}", call("round.round", halves, places, kind))
            yield Case(
                f"round/{method}/decimal128/{places}",
                call("round.round_decimal", _DECIMALS_128, places, kind),
            )
        ints = call(
            "round.round", column(_I64, [15, 25, -15, None, 149]), -1, name(f"round.RoundingMethod.{method}")
        )
        yield Case(f"round/{method}/int64", ints)
