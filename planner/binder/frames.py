"""The frame of a window: which rows around each one count."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import messages
from .. import messages_windows as windows
from ..errors import Span
from ..expr import DEFAULT_FRAME, Expr, Frame, FrameBound, Literal, SortKey
from ..frontend.spans import span_of
from ..types import BIGINT, TypeId
from .calls import call
from .casting import cast_to, unify
from .expr_core import ExpressionBinder
from .guard import reject_unknown_args

_FIXED = {"UNBOUNDED": "unbounded", "CURRENT ROW": "current row"}
_EXCLUDES = {"NO OTHERS": "no others", "CURRENT ROW": "current row", "GROUP": "group", "TIES": "ties"}
# From the first row to the last: a frame whose start comes after its end here never has a row.
_PLACES = ("unbounded preceding", "preceding", "current row", "following", "unbounded following")


def bind_frame(
    binder: ExpressionBinder, spec: Any, order: tuple[SortKey, ...]
) -> tuple[Frame, tuple[SortKey, ...]]:
    """The frame, and the order by which rows are sorted for it: RANGE compares the key with the key less or
    plus a distance, so that all of them have one type. Raises ParserError for frames that cannot have a row.
    """
    if spec is None:
        return DEFAULT_FRAME, order
    reject_unknown_args(spec, "kind", "start", "start_side", "end", "end_side", "exclude")
    unit = str(spec.args["kind"]).lower()
    start = _bound(binder, spec.args["start"], spec.args.get("start_side"), span_of(spec))
    end = FrameBound("current row")
    if spec.args.get("end") is not None:
        end = _bound(binder, spec.args["end"], spec.args.get("end_side"), span_of(spec))
    _check(start, end, span_of(spec))
    excluded = spec.args.get("exclude")
    exclude = _EXCLUDES["NO OTHERS" if excluded is None else excluded.name.upper()]
    if unit != "range":
        start, end = (_counted(b) for b in (start, end))
    elif start.offset is not None or end.offset is not None:
        if len(order) != 1:
            raise windows.range_order(span_of(spec))
        order, start, end = _ranged(order[0], start, end)
    return Frame(unit, start, end, exclude), order


def _bound(binder: ExpressionBinder, value: Any, side: Any, span: Span | None) -> FrameBound:
    side = str(side or "").lower()
    if isinstance(value, str):
        kind = _FIXED[value]
        if kind == "current row":
            return FrameBound(kind)
        if side:
            return FrameBound(f"{kind} {side}")
    elif value is not None and side:
        return FrameBound(side, binder.bind(value))
    raise messages.syntax("PRECEDING or FOLLOWING was expected in the frame", span)


def _check(start: FrameBound, end: FrameBound, span: Span | None) -> None:
    if start.kind == _PLACES[-1]:
        raise windows.wrong_frame("A frame cannot start at UNBOUNDED FOLLOWING", span)
    if end.kind == _PLACES[0]:
        raise windows.wrong_frame("A frame cannot end at UNBOUNDED PRECEDING", span)
    if _PLACES.index(start.kind) > _PLACES.index(end.kind):
        problem = f"A frame that starts at {_shown(start)} cannot end at {_shown(end)}"
        raise windows.wrong_frame(problem, span)


def _shown(bound: FrameBound) -> str:
    return f"a row {bound.kind.upper()}" if bound.offset is not None else bound.kind.upper()


def _counted(bound: FrameBound) -> FrameBound:
    """ROWS and GROUPS count."""
    return bound if bound.offset is None else replace(bound, offset=cast_to(bound.offset, BIGINT))


def _ranged(
    key: SortKey, start: FrameBound, end: FrameBound
) -> tuple[tuple[SortKey, ...], FrameBound, FrameBound]:
    """RANGE with distances: bounds that hold the key at the edge, and the key, in their common type."""
    ordered = _counted_time(key.expr)
    values: list[Expr] = [ordered]
    for bound in (start, end):
        if bound.offset is not None:
            if isinstance(bound.offset, Literal) and bound.offset.value is None:
                raise windows.range_of_null(bound.offset.span)
            smaller = (bound.kind == "preceding") is not key.descending
            distance = bound.offset
            if ordered is not key.expr and distance.type.id is TypeId.INTERVAL:
                distance = call("epoch_us", (distance,), distance.span)
            values.append(call("-" if smaller else "+", (ordered, distance), bound.offset.span))
    common = iter(unify(values, "RANGE"))
    sorted_by = replace(key, expr=next(common))
    edges = [b if b.offset is None else replace(b, offset=next(common)) for b in (start, end)]
    return (sorted_by,), edges[0], edges[1]


def _counted_time(key: Expr) -> Expr:
    """The key; a time of day as its microseconds, because TIME and INTERVAL go round at midnight."""
    return call("epoch_us", (key,), key.span) if key.type.id is TypeId.TIME else key
