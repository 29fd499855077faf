"""Casts from VARCHAR: the forms that `planner.literals` reads, by libcudf's regular expressions.

Numbers are digits with a point and an exponent: they are laid out as one string of digits whose place of the
point is known, cut there, rounded by the next digit, and read in two halves, so that nothing is inexact.
"""

from __future__ import annotations

import decimal
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...physical.stored import INT64_HIGH, values_range
from ...planner import messages_values as messages
from ...planner.errors import SqlError
from ...planner.expr import Cast
from ...planner.literals import parse_text
from ...planner.types import BOOLEAN, SQLType, TypeId
from ..number import Number, nulled
from ..ops import Ops
from ..storage import data_type, named_type
from ..texts import (
    between,
    between_columns,
    characters,
    is_text,
    joined,
    matches,
    program,
    stripped,
    text_column,
    text_scalar,
)
from ..values import Evaluation, Failure, Value
from .from_text_moments import text_to_moment
from .shared import settled, shown

# What surrounds a number and is no part of it.
_BLANKS = "\t\n\v\f\r "
_NUMBER = (
    "^[-+]?(?:[0-9]+(?:_[0-9]+)*(?:[.](?:[0-9]+(?:_[0-9]+)*)?)?|[.][0-9]+(?:_[0-9]+)*)"
    "(?:[eE][-+]?[0-9]+(?:_[0-9]+)*[.]?)?\\Z"
)
_HEX = "^0[xX][0-9a-fA-F]+(?:_[0-9a-fA-F]+)*\\Z"
_BINARY = "^0[bB][01]+(?:_[01]+)*\\Z"
_TRUE = ("true", "t", "yes", "y", "1")
_FALSE = ("false", "f", "no", "n", "0")
_UNSIGNED = frozenset({TypeId.UTINYINT, TypeId.USMALLINT, TypeId.UINTEGER, TypeId.UBIGINT})
# More digits than a number of ours has.
_MOST_DIGITS = 38
_HALF = 19


def text_to_value(node: Cast, arg: Value, run: Evaluation) -> Value:
    """A string as a value of another type; what does not stand for one fails, or is NULL with TRY_CAST."""
    if node.type.id is TypeId.BOOLEAN:
        made, wrong = _boolean(arg.column, run)
    elif node.type.is_temporal:
        made, wrong = text_to_moment(arg.column, node.type, run)
    else:
        made, wrong = _number(arg.column, node.type, run)
    if arg.column.null_count():
        made = nulled(made, run.ops.is_null(arg.column), run.ops)
    return settled(node, made, _failed(arg, wrong, node.type, run), run)


def _failed(arg: Value, wrong: Any, target: SQLType, run: Evaluation) -> Failure:
    def error(values: Sequence[Any]) -> SqlError:
        text = str(values[0])
        return messages.cast_failed(text, shown(target), _reason(text, target))

    rows = run.ops.both(run.ops.is_true(wrong), run.ops.is_valid(arg.column))
    return run.failure_of(rows, (arg,), error)


def _reason(text: str, target: SQLType) -> str:
    """Why a string is no value of a type, in the words of the CPU."""
    try:
        parse_text(text, target)
    except ValueError as error:
        return str(error)
    return "it is no such value or out of range"


def _boolean(column: Any, run: Evaluation) -> tuple[Any, Any]:
    ops = run.ops
    capitals: dict[int | str, int | str] = {chr(code): chr(code + 32) for code in range(65, 91)}
    small = ops.plc.strings.translate.translate(column, capitals, stream=ops.stream)

    def among(words: tuple[str, ...]) -> Any:
        haystack = ops.upload(pa.array(words, pa.string()))
        return ops.plc.search.contains(haystack, small, stream=ops.stream)

    yes, no = among(_TRUE), among(_FALSE)
    return ops.cast(yes, data_type(BOOLEAN)), ops.inverse(ops.either(yes, no))


@dataclass(frozen=True)
class _Digits:
    """Numbers taken apart: `text` their digits without leading zeros, of which `whole` (may be negative or
    beyond the digits) stand before the point, and `written` before the point as it was written.
    """

    text: Any
    whole: Number
    written: Number
    negative: Any
    wrong: Any


def _group(column: Any, pattern: str, ops: Ops) -> Any:
    """The only group of a pattern, '' where it does not match."""
    single = ops.plc.strings.extract.extract_single
    found = single(column, program(pattern, 0, ops), 0, stream=ops.stream)
    return ops.filled(found, text_scalar("", ops))


def _integers(column: Any, ops: Ops) -> Number:
    """INT64 of texts of at most 18 digits; 0 of the empty one."""
    kept = ops.choose(text_scalar("0", ops), column, ops.is_true(is_text(column, "", ops)))
    convert = ops.plc.strings.convert.convert_integers
    return Number(convert.to_integers(kept, named_type("INT64"), stream=ops.stream), ops)


def _taken_apart(column: Any, ops: Ops) -> _Digits:
    known = matches(column, _NUMBER, ops)
    bare = ops.plc.strings.replace.replace(
        column, text_scalar("_", ops), text_scalar("", ops), stream=ops.stream
    )
    bare = ops.choose(bare, text_scalar("0", ops), ops.is_true(known))
    whole = _group(bare, "^[-+]?([0-9]*)", ops)
    broken = _group(bare, "[.]([0-9]*)", ops)
    exponent = _group(bare, "[eE]([-+]?[0-9]+)[.]?\\Z", ops)
    power_size = stripped(stripped(exponent, "LEFT", "+-", ops), "LEFT", "0", ops)
    minus = ops.plc.strings.find.starts_with(exponent, text_scalar("-", ops), stream=ops.stream)
    far = characters(power_size, ops).above(5)
    size = _integers(between(power_size, 0, 5, ops), ops).unless(far, 99_999)
    power = size.unless(minus, -size)
    places = characters(broken, ops)
    every = joined([whole, broken], ops)
    text = stripped(every, "LEFT", "0", ops)
    # Leading zeros are no digits: the point moves with them.
    before = characters(whole, ops) + power - (characters(every, ops) - characters(text, ops))
    negative = ops.plc.strings.find.starts_with(bare, text_scalar("-", ops), stream=ops.stream)
    written = characters(stripped(whole, "LEFT", "0", ops), ops)
    # Exponents have 16 bits; the point of larger numbers is out of range whatever their digits are.
    wrong = ops.either(ops.inverse(known), power.outside(-(2**15), 2**15 - 1))
    large = ops.both((power - places).above(400), characters(text, ops).above(0))
    wrong = ops.either(wrong, large)
    return _Digits(text, before, written, negative, wrong)


def _read(text: Any, ops: Ops) -> Any:
    """Up to 38 digits as DECIMAL128 of scale 0."""
    filled = ops.plc.strings.padding.zfill(text, 2 * _HALF, stream=ops.stream)
    wide, kind = named_type("DECIMAL128", 0), named_type("UINT64")
    convert = ops.plc.strings.convert.convert_integers.to_integers
    upper, lower = (
        ops.cast(convert(between(filled, start, start + _HALF, ops), kind, stream=ops.stream), wide)
        for start in (0, _HALF)
    )
    factor = ops.scalar(pa.scalar(decimal.Decimal(10**_HALF), pa.decimal128(38, 0)))
    return ops.binary("ADD", ops.binary("MUL", upper, factor, wide), lower, wide)


def _number(column: Any, target: SQLType, run: Evaluation) -> tuple[Any, Any]:
    """A whole number or a DECIMAL, and the rows that are none."""
    ops, wide = run.ops, named_type("DECIMAL128", 0)
    bare = stripped(column, "BOTH", _BLANKS, ops)
    parts = _taken_apart(bare, ops)
    # The digits of the stored integer: those before the point and as many after it as the scale.
    count = parts.whole + target.scale
    size = characters(parts.text, ops)
    zero = size.equals(0)
    too_long = ops.both(count.above(_MOST_DIGITS), ops.inverse(zero))
    count = count.unless(ops.either(too_long, zero), 0)
    kept = count.unless(count.below(0), 0)
    begin = Number(kept.column, ops) * 0
    head = between_columns(parts.text, begin, kept.unless(kept.above(size), size), ops)
    missing = kept - size
    zeros = between_columns(text_column("0" * _MOST_DIGITS, run.rows, ops), begin, missing, ops)
    value = _read(joined([head, zeros], ops), ops)
    # The next digit rounds, halves away from zero; before the first digit there are zeros only.
    after = between_columns(parts.text, kept, kept + 1, ops)
    up = ops.both(matches(after, "^[5-9]", ops), count.at_least(0))
    step = ops.cast(Number(up, ops).column, wide)
    value = ops.binary("ADD", value, step, wide)
    nothing = ops.scalar(pa.scalar(decimal.Decimal(0), pa.decimal128(38, 0)))
    opposite = ops.binary("SUB", ops.repeated(nothing, run.rows), value, wide)
    value = ops.choose(opposite, value, ops.is_true(parts.negative))
    wrong = ops.either(parts.wrong, too_long)
    if target.is_integer:
        started = stripped(column, "LEFT", _BLANKS, ops)
        if target.id in _UNSIGNED:
            # Of texts with a sign these take a plain -0 only.
            plain = matches(started, "^-[0-9]+\\Z", ops)
            wrong = ops.either(wrong, ops.both(parts.negative, ops.inverse(plain)))
        value, wrong = _with_radix(started, value, wrong, run)
    else:
        # What stands before the point must be in range whatever the exponent.
        wrong = ops.either(wrong, parts.written.above(target.width - target.scale))
    return _stored(value, target, wrong, run)


def _with_radix(bare: Any, value: Any, wrong: Any, run: Evaluation) -> tuple[Any, Any]:
    """Takes in the rows that are hexadecimal (0x1F) or binary (0b11) numbers, without blanks after them."""
    ops = run.ops
    binary, hexadecimal = matches(bare, _BINARY, ops), matches(bare, _HEX, ops)
    plain = ops.plc.strings.replace.replace(
        bare, text_scalar("_", ops), text_scalar("", ops), stream=ops.stream
    )
    digits = between(plain, 2, None, ops)
    zero = text_scalar("0", ops)
    bits = ops.choose(digits, zero, ops.is_true(binary))
    # Four by four, as many as there may be: all combinations are replaced, so the next four are looked at.
    filled = ops.plc.strings.padding.zfill(stripped(bits, "LEFT", "0", ops), 128, stream=ops.stream)
    fours = ops.upload(pa.array([f"{i:04b}" for i in range(16)], pa.string()))
    sixteen = ops.upload(pa.array([f"{i:X}" for i in range(16)], pa.string()))
    of_bits = ops.plc.strings.replace.replace_multiple(filled, fours, sixteen, stream=ops.stream)
    text = ops.choose(digits, of_bits, ops.is_true(hexadecimal))
    text = stripped(text, "LEFT", "0", ops)
    long = characters(text, ops).above(32)
    text = ops.plc.strings.padding.zfill(between(text, 0, 32, ops), 32, stream=ops.stream)
    wide, kind = named_type("DECIMAL128", 0), named_type("UINT64")
    convert = ops.plc.strings.convert.convert_integers.hex_to_integers
    upper, lower = (
        Number(convert(between(text, start, start + 16, ops), kind, stream=ops.stream), ops, "UINT64")
        for start in (0, 16)
    )
    # 10**38 begins with these bits; HUGEINT ends before it.
    beyond = ops.either(long, upper.above(10**38 >> 64))
    factor = ops.scalar(pa.scalar(decimal.Decimal(2**64), pa.decimal128(38, 0)))
    high = ops.cast(upper.unless(beyond, 0).column, wide)
    made = ops.binary("ADD", ops.binary("MUL", high, factor, wide), ops.cast(lower.column, wide), wide)
    these = ops.is_true(ops.either(binary, hexadecimal))
    return ops.choose(made, value, these), ops.choose(beyond, wrong, these)


def _stored(value: Any, target: SQLType, wrong: Any, run: Evaluation) -> tuple[Any, Any]:
    """DECIMAL128 as the target, and the rows that it cannot hold."""
    ops = run.ops
    ends = [ops.scalar(pa.scalar(decimal.Decimal(end), pa.decimal128(38, 0))) for end in values_range(target)]
    outside = ops.either(ops.binary("LESS", value, ends[0]), ops.binary("GREATER", value, ends[1]))
    wrong = ops.is_true(ops.either(wrong, outside))
    if values_range(target)[1] > INT64_HIGH and target.id is not TypeId.UBIGINT:
        return ops.bits_as(value, data_type(target, wide=True)), wrong
    nothing = ops.scalar(pa.scalar(decimal.Decimal(0), pa.decimal128(38, 0)))
    return ops.cast(ops.choose(nothing, value, wrong), data_type(target)), wrong
