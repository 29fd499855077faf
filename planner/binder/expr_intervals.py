"""INTERVAL expressions."""

from __future__ import annotations

from sqlglot import exp

from .. import messages
from ..expr import Expr, Literal
from ..frontend.spans import span_of
from ..literals import format_value
from ..temporal import INTERVAL_UNITS, Interval, interval_of
from ..types import BIGINT, DOUBLE, INTERVAL
from .calls import call
from .expr_core import ExpressionBinder, binds
from .expr_literals import explicit_cast
from .guard import reject_unknown_args

_PLURALS = {"century": "centuries", "millennium": "millennia"}
# Units of which a fraction counts; 1.5 of any other unit is 1.
_FRACTIONAL = frozenset({"second", "millisecond"})


@binds(exp.Interval)
def _interval(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "unit", "fraction_in_string")
    span = span_of(node)
    unit_node = node.args.get("unit")
    if isinstance(unit_node, exp.IntervalSpan):
        raise messages.unsupported("Intervals of two units are", span, "Write INTERVAL '1 year 2 months'.")
    value = binder.bind(node.this)
    if unit_node is None:
        return explicit_cast(value, INTERVAL, span)
    unit = INTERVAL_UNITS.get(unit_node.name.lower())
    if unit is None:
        raise messages.unknown_date_part(unit_node.name.lower(), span)
    if isinstance(value, Literal):
        # The fraction counts in '1.5 days'; in 1.5 DAY and '1.5' DAY it does not.
        in_string = bool(node.args.get("fraction_in_string"))
        folded = _literal_interval(value, unit, in_string or unit in _FRACTIONAL)
        if folded is not None:
            return Literal(INTERVAL, folded, span=span)
    if not value.type.is_integer:
        value = explicit_cast(value, DOUBLE, span)
        if unit not in _FRACTIONAL:
            value = explicit_cast(call("trunc", (value,), span), BIGINT, span)
    return call("to_" + _PLURALS.get(unit, unit + "s"), (value,), span)


def _literal_interval(value: Literal, unit: str, fraction_counts: bool) -> Interval | None:
    """The interval of a literal number of units; None where it is no plain number or the interval is too
    long."""
    if value.value is None or not (value.type.is_string or value.type.is_integer or value.type.is_decimal):
        return None
    text = format_value(value.value, value.type).strip()
    whole, _, fraction = text.lstrip("+-").partition(".")
    if not (whole + fraction).isdigit():
        return None
    result = interval_of(int(whole or 0), fraction if fraction_counts else "", unit, text.startswith("-"))
    fits = abs(result[0]) < 2**31 and abs(result[1]) < 2**31 and abs(result[2]) < 2**63
    return result if fits else None
