"""Casts to VARCHAR of booleans, whole numbers, decimals, dates and timestamps."""

from __future__ import annotations

from typing import Any

from ...planner.expr import Cast
from ...planner.types import VARCHAR, TypeId
from ..functions.strftime import Clock, with_infinities
from ..number import Number
from ..ops import Ops
from ..storage import named_type
from ..texts import digits, joined, stripped, text_column, text_scalar
from ..values import Evaluation, Value

_DIGITS = {TypeId.TIMESTAMP_S: 0, TypeId.TIMESTAMP_MS: 3, TypeId.TIMESTAMP: 6, TypeId.TIMESTAMP_NS: 9}


def value_to_text(node: Cast, arg: Value, run: Evaluation) -> Value:
    """As CAST writes values."""
    ops = run.ops
    convert = ops.plc.strings.convert
    if arg.type.id is TypeId.BOOLEAN:
        words = text_scalar("true", ops), text_scalar("false", ops)
        made = convert.convert_booleans.from_booleans(arg.column, *words, stream=ops.stream)
    elif arg.type.is_temporal:
        made = with_infinities(_moment(arg, run), arg, run)
    elif arg.is_wide or arg.type.scale:
        made = _decimal(arg, run)
    else:
        made = convert.convert_integers.from_integers(arg.column, stream=ops.stream)
    return Value(VARCHAR, made)


def _decimal(arg: Value, run: Evaluation) -> Any:
    """All digits, as many after the point as the scale; no 0 before it where the type has no digit there."""
    ops, scale = run.ops, arg.type.scale
    if arg.is_wide:
        # Of a scale of 0 libcudf writes digits and a sign, as of an integer.
        bare = ops.bits_as(arg.column, named_type("DECIMAL128", 0))
        call = ops.plc.strings.convert.convert_fixed_point.from_fixed_point
        plain = call(bare, stream=ops.stream)
    else:
        plain = digits(Number(arg.column, ops), 1)
    if not scale:
        return plain
    minus = ops.plc.strings.find.starts_with(plain, text_scalar("-", ops), stream=ops.stream)
    size = stripped(plain, "LEFT", "-", ops)
    shown = arg.type.width > scale
    size = ops.plc.strings.padding.zfill(size, scale + shown, stream=ops.stream)
    ends = ops.int32(0), ops.int32(-scale), ops.int32(1)
    whole = ops.plc.strings.slice.slice_strings(size, *ends, stream=ops.stream)
    ends = ops.int32(-scale), ops.int32(2**31 - 1), ops.int32(1)
    broken = ops.plc.strings.slice.slice_strings(size, *ends, stream=ops.stream)
    sign = ops.choose(text_scalar("-", ops), text_scalar("", ops), ops.is_true(minus))
    return joined([sign, whole, text_column(".", run.rows, ops), broken], ops)


def date_text(clock: Clock) -> tuple[list[Any], Any]:
    """YYYY-MM-DD, and what follows years before 1."""
    ops, rows = clock.run.ops, clock.run.rows
    calendar = clock.calendar
    before = calendar.year.below(1)
    year = calendar.year.unless(before, -calendar.year + 1)
    dash = text_column("-", rows, ops)
    suffix = ops.choose(text_scalar(" (BC)", ops), text_scalar("", ops), ops.is_true(before))
    return [digits(year, 4), dash, digits(calendar.month, 2), dash, digits(calendar.day, 2)], suffix


def _moment(arg: Value, run: Evaluation) -> Any:
    """YYYY-MM-DD, and for a timestamp HH:MM:SS and the digits of the second without trailing zeros."""
    ops = run.ops
    clock = Clock(arg, run)
    date, suffix = date_text(clock)
    if arg.type.id is TypeId.DATE:
        return joined([*date, suffix], ops)
    colon, space = (text_column(mark, run.rows, ops) for mark in (":", " "))
    time = [digits(clock.hour, 2), colon, digits(clock.minute, 2), colon, digits(clock.second, 2)]
    parts = [*date, suffix, space, *time]
    if _DIGITS[arg.type.id]:
        parts.append(_fraction(clock, _DIGITS[arg.type.id], ops))
    return joined(parts, ops)


def _fraction(clock: Clock, places: int, ops: Ops) -> Any:
    """A point and the digits; nothing for a whole second."""
    text = digits(clock.fraction // 10 ** (9 - places), places)
    point = text_column(".", clock.run.rows, ops)
    # The zeros after the last other digit go, and the point where nothing is left.
    return stripped(stripped(joined([point, text], ops), "RIGHT", "0", ops), "RIGHT", ".", ops)
