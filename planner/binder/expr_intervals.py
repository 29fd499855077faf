"""INTERVAL expressions."""

from __future__ import annotations

import re

from sqlglot import exp

from .. import messages
from ..expr import Expr, Literal
from ..frontend.intervals import plural
from ..frontend.spans import span_of
from ..interval_text import interval_of
from ..literals import format_value
from ..temporal import Interval
from ..types import BIGINT, DOUBLE, INTEGER, INTERVAL, SMALLINT, TINYINT
from .calls import call
from .expr_core import ExpressionBinder, binds
from .expr_literals import explicit_cast
from .guard import reject_unknown_args

# Units of which a fraction counts, with its digits; 1.5 of any other unit is 1.
_FRACTIONAL = {"second": 6, "millisecond": 3}
# Units that are counted in a BIGINT; the longer ones are in an INTEGER.
_SHORT = frozenset({"hour", "minute", "microsecond"})
_NUMBER = re.compile(r"\s*([+-]?)(\d+)(?:\.(\d*))?\s*")
# Whole numbers up to here pass through a DOUBLE unchanged.
_EXACT = 2**53
_DOUBLE_DIGITS = 15


@binds(exp.Interval)
def _interval(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "unit")
    span = span_of(node)
    unit_node = node.args.get("unit")
    if isinstance(unit_node, exp.IntervalSpan):
        raise messages.unsupported("Intervals of two units are", span, "Write INTERVAL '1 year 2 months'.")
    value = binder.bind(node.this)
    if unit_node is None:
        return explicit_cast(value, INTERVAL, span)
    unit: str = unit_node.name.lower()
    if isinstance(value, Literal):
        folded = _literal_interval(value, unit)
        if folded is not None:
            return Literal(INTERVAL, folded, span=span)
    count = BIGINT if unit in _SHORT else INTEGER
    if unit in _FRACTIONAL:
        value = explicit_cast(value, DOUBLE, span)
    elif value.type not in (TINYINT, SMALLINT, INTEGER):
        value = call("trunc", (explicit_cast(value, DOUBLE, span),), span)
        value = explicit_cast(value, count, span)
    return call("to_" + plural(unit), (value,), span)


def _literal_interval(value: Literal, unit: str) -> Interval | None:
    """The interval of a literal number of units; None where it is no plain number, or one that a DOUBLE or
    the interval cannot hold."""
    if value.value is None or not (value.type.is_string or value.type.is_integer or value.type.is_decimal):
        return None
    found = _NUMBER.fullmatch(format_value(value.value, value.type))
    if found is None or int(found[2]) > _EXACT:
        return None
    fraction = found[3] or "" if unit in _FRACTIONAL else ""
    if fraction and (len(fraction) > _FRACTIONAL[unit] or len(found[2]) + len(fraction) > _DOUBLE_DIGITS):
        return None
    result = interval_of(int(found[2]), fraction, unit, found[1] == "-")
    fits = abs(result[0]) < 2**31 and abs(result[1]) < 2**31 and abs(result[2]) < 2**63
    return result if fits else None
