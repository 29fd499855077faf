"""Dates and timestamps read from text: YYYY-MM-DD[ HH:[MM[:[SS[.F]]]]][zone], infinity and epoch.

A zone is checked and ignored. The forms are those of `planner.temporal`.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ...planner.types import SQLType, TypeId
from ..functions.date_parts import rounded_over
from ..moments import (
    DATE_INFINITY,
    TIMESTAMP_INFINITY,
    days_from_civil,
    month_length,
)
from ..number import Number
from ..ops import Ops
from ..storage import data_type, named_type
from ..texts import between, is_text, program, stripped, text_scalar
from ..values import Evaluation

_BLANKS = "\t\n\v\f\r "
_DATE = r"^(-?[0-9]{1,9})([-/ \\])([0-9]{1,2})([-/ \\])([0-9]{1,2})((?:[^0-9].*)?)\Z"
_BEFORE_CHRIST = r"^[\t-\r ][(][bB][cC][)]((?:[^0-9].*)?)\Z"
# What may follow the time begins like no part of it, so that there is one way to match.
_CLOCK = (
    r"^[ T]?[\t-\r ]*([0-9]{1,9}):(?:([0-9]{1,2})(?::(?:([0-9]{1,2})(?:[.]([0-9]*))?)?)?)?((?:[-+Z ].*)?)\Z"
)
_ZONE = (
    r"^(?:Z[\t-\r ]*|[-+][0-9]{2}(?:[0-9]{2}|:[0-9]{2}(?::[0-9]{2})?)?[\t-\r ]*"
    r"| [A-Za-z0-9/_:+-]*[\t-\r ]*)\Z"
)
_DOT_ALL = 16
_MOST_DAYS = 2**31 - 2


def _extracted(column: Any, pattern: str, ops: Ops) -> list[Any]:
    """The groups of a pattern; NULL where it does not match or a group takes no part."""
    found = ops.plc.strings.extract.extract(column, program(pattern, _DOT_ALL, ops), stream=ops.stream)
    return list(found.columns())


def _whole(column: Any, ops: Ops, missing: int = 0) -> Number:
    """Integers of texts of few digits; `missing` where there is no text."""
    absent = ops.either(ops.is_null(column), ops.is_true(is_text(column, "", ops)))
    kept = ops.choose(text_scalar(str(missing), ops), column, absent)
    convert = ops.plc.strings.convert.convert_integers
    return Number(convert.to_integers(kept, named_type("INT64"), stream=ops.stream), ops)


def _words(bare: Any, words: tuple[str, ...], ops: Ops) -> Any:
    capitals: dict[int | str, int | str] = {chr(code): chr(code + 32) for code in range(65, 91)}
    small = ops.plc.strings.translate.translate(bare, capitals, stream=ops.stream)
    haystack = ops.upload(pa.array(words, pa.string()))
    return ops.is_true(ops.plc.search.contains(haystack, small, stream=ops.stream))


def text_to_moment(column: Any, target: SQLType, run: Evaluation) -> tuple[Any, Any]:
    """The moments in the storage of the target, and the rows that are none."""
    ops = run.ops
    digits = 9 if target.id is TypeId.TIMESTAMP_NS else 6
    bare = stripped(column, "BOTH", _BLANKS, ops)
    days, rest, wrong = _date(stripped(column, "LEFT", _BLANKS, ops), run)
    time, no_time = _time_of_day(rest, digits, run)
    # Blanks after a date are nothing, but the time of a timestamp is missing there.
    ending = stripped(rest, "BOTH", _BLANKS, ops) if target.id is TypeId.DATE else rest
    no_rest = ops.is_true(is_text(ending, "", ops))
    wrong = ops.either(wrong, ops.both(no_time, ops.inverse(no_rest)))
    if target.id is TypeId.DATE:
        made, infinity = days, DATE_INFINITY
    else:
        wrong = ops.either(wrong, _beyond(days, time, digits))
        made, infinity = days * (86_400 * 10**digits) + time, TIMESTAMP_INFINITY
        made = rounded_over(made, {TypeId.TIMESTAMP_MS: 1000, TypeId.TIMESTAMP_S: 10**6}.get(target.id, 1))
    for words, value in (
        (("epoch",), 0),
        (("infinity", "inf"), infinity),
        (("-infinity", "-inf"), -infinity),
    ):
        these = _words(bare, words, ops)
        made = made.unless(these, value)
        wrong = ops.both(wrong, ops.inverse(these))
    kept = made.to("INT32") if target.id is TypeId.DATE else made
    return ops.bits_as(kept.column, data_type(target)), wrong


def _beyond(days: Number, time: Number, digits: int) -> Any:
    """Where days and ticks of 10**-digits seconds leave the range of INT64."""
    ops, per_day = days.ops, 86_400 * 10**digits
    limit, rest = divmod(2**63 - 2, per_day)
    high = ops.both(days.equals(limit), time.above(rest))
    # -(limit + 1) days and some ticks are as far below.
    low = ops.both(days.equals(-limit - 1), time.below(per_day - rest))
    return ops.either(ops.either(high, low), days.outside(-limit - 1, limit))


def _date(bare: Any, run: Evaluation) -> tuple[Number, Any, Any]:
    """Days of the date at the start, what follows it ('' for nothing), and where there is no such day."""
    ops = run.ops
    year_text, first, month_text, second, day_text, rest = _extracted(bare, _DATE, ops)
    known = ops.both(ops.is_valid(first), ops.is_true(ops.binary("EQUAL", first, second)))
    year, month, day = (_whole(text, ops, 1) for text in (year_text, month_text, day_text))
    rest = ops.filled(rest, text_scalar("", ops))
    (after,) = _extracted(rest, _BEFORE_CHRIST, ops)
    before = ops.is_valid(after)
    signed = ops.plc.strings.find.starts_with(bare, text_scalar("-", ops), stream=ops.stream)
    no_year = ops.both(before, ops.either(year.equals(0), ops.is_true(signed)))
    year = year.unless(before, -year + 1)
    rest = ops.choose(after, rest, before)
    no_month = month.outside(1, 12)
    month = month.unless(no_month, 1)
    no_day = ops.either(no_month, day.outside(1, month_length(year, month)))
    days = days_from_civil(year, month, day)
    far = days.outside(-_MOST_DAYS, _MOST_DAYS)
    wrong = ops.either(ops.either(ops.inverse(known), no_year), ops.either(no_day, far))
    return days.unless(wrong, 0), rest, wrong


def _time_of_day(rest: Any, digits: int, run: Evaluation) -> tuple[Number, Any]:
    """Ticks of 10**-digits seconds of the time that follows a date, and where there is none."""
    ops = run.ops
    hour_text, minute_text, second_text, fraction_text, zone = _extracted(rest, _CLOCK, ops)
    hour, minute, second = (_whole(text, ops) for text in (hour_text, minute_text, second_text))
    fraction = between(ops.filled(fraction_text, text_scalar("", ops)), 0, digits, ops)
    side = ops.plc.strings.side_type.SideType.RIGHT
    ticks = _whole(ops.plc.strings.padding.pad(fraction, digits, side, "0", stream=ops.stream), ops)
    total = (hour * 3600 + minute * 60 + second) * 10**digits + ticks
    late = ops.either(minute.above(59), ops.either(second.above(59), total.above(86_400 * 10**digits)))
    zone = ops.filled(zone, text_scalar("", ops))
    wrong = ops.either(ops.is_null(hour_text), ops.either(late, ops.inverse(_is_zone(zone, ops))))
    return total.unless(wrong, 0), wrong


def _is_zone(zone: Any, ops: Ops) -> Any:
    """Where a text is '', 'Z', an offset or a word that may name a time zone."""
    form = ops.plc.strings.contains.contains_re(zone, program(_ZONE, 0, ops), stream=ops.stream)
    return ops.is_true(ops.either(is_text(zone, "", ops), form))
