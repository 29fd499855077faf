"""Casts between DATE and the TIMESTAMP types. Infinities are kept."""

from __future__ import annotations

from typing import Any

from ...planner import messages_values as messages
from ...planner.expr import Cast
from ...planner.types import TypeId
from ..functions.date_parts import rounded_over
from ..moments import (
    DATE_INFINITY,
    TIMESTAMP_INFINITY,
    UNITS,
    days_of,
    infinite,
    infinity_of,
    stored,
)
from ..number import Number
from ..storage import data_type
from ..values import Evaluation, Value
from .shared import settled


def between_moments(node: Cast, arg: Value, run: Evaluation) -> Value:
    """To a finer unit it must fit, to a coarser one it is rounded (halves away from 0), to a DATE cut off."""
    if node.type.id is TypeId.DATE:
        return _finished(node, arg, days_of(arg, run), None, run)
    given = stored(arg, run)
    per_second = UNITS[node.type.id]
    have, want = (1, 86_400 * per_second) if arg.type.id is TypeId.DATE else (UNITS[arg.type.id], per_second)
    if want <= have:
        return _finished(node, arg, rounded_over(given, have // want), None, run)
    factor = want // have
    limit = TIMESTAMP_INFINITY // factor
    return _finished(node, arg, given * factor, given.outside(-limit, limit), run)


def _finished(node: Cast, arg: Value, made: Number, beyond: Any, run: Evaluation) -> Value:
    ops = run.ops
    target = Value(node.type, None, 0)
    gone = infinite(arg, run)
    if node.type.id is TypeId.DATE:
        beyond = made.outside(-DATE_INFINITY, DATE_INFINITY)
    if gone is not None:
        if infinity_of(target) != infinity_of(arg):
            ends = (made * 0 + infinity_of(target)).unless(stored(arg, run).below(0), -infinity_of(target))
            made = made.unless(gone, ends)
        else:
            made = made.unless(gone, stored(arg, run))
        beyond = None if beyond is None else ops.both(beyond, ops.inverse(gone))
    whole = made.to("INT32") if node.type.id is TypeId.DATE else made
    column = ops.bits_as(whole.column, data_type(node.type))
    if beyond is None:
        return Value(node.type, column)
    what = f"{arg.type} is out of the range of {node.type}"
    return settled(node, column, run.failure(beyond, lambda: messages.conversion(what)), run)
