"""Parts of strings by position: substring, left, right, split_part, padding; translate."""

from __future__ import annotations

from collections.abc import Sequence

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import VARCHAR
from ..number import Number, constant, nulled
from ..texts import between, between_columns, characters, joined, text_column, text_scalar
from ..values import Evaluation, Value
from .registry import scalar

_FAR = 2**31


def _place(arg: Value, run: Evaluation) -> Number:
    """A position within INT32: what lies beyond is as far as can be."""
    place = Number(run.column(arg), run.ops)
    place = place.unless(place.above(_FAR), _FAR)
    return place.unless(place.below(-_FAR), -_FAR)


@scalar("substring")
def substring(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Code points from a position on: 1 is the first, 0 the place before it, negative ones count from the
    end. A negative length reaches back.
    """
    column, start = run.column(args[0]), args[1]
    length = args[2] if len(args) > 2 else None
    if start.is_constant and start.literal >= 1 and (length is None or (length.literal or -1) >= 0):
        first = min(start.literal - 1, _FAR - 1)
        stop = None if length is None else min(first + length.literal, _FAR - 1)
        return Value(VARCHAR, between(column, first, stop, run.ops))
    size = characters(column, run.ops)
    place = _place(start, run)
    first = (size + place).unless(place.at_least(0), place - 1)
    last = size if length is None else first + _place(length, run)
    back = last.below(first)
    low, high = first.unless(back, last), last.unless(back, first)
    low, high = low.unless(low.below(0), 0), high.unless(high.above(size), size)
    made = between_columns(column, low, high.unless(high.below(0), 0), run.ops)
    missing = [v.column for v in (start, length) if v is not None and v.column is not None]
    for position in missing:
        if position.null_count():
            made = nulled(made, run.ops.is_null(position), run.ops)
    return Value(VARCHAR, made)


@scalar("left", "right")
def end(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The first or last code points; a negative count leaves that many out at the other end."""
    column, count = run.column(args[0]), args[1]
    size, places = characters(column, run.ops), _place(count, run)
    kept = (size + places).unless(places.at_least(0), places)
    kept = kept.unless(kept.above(size), size)
    kept = kept.unless(kept.below(0), 0)
    zero = constant(0, run.rows, run.ops)
    ends = (zero, kept) if node.function == "left" else (size - kept, size)
    made = between_columns(column, *ends, run.ops)
    if count.column is not None and count.column.null_count():
        made = nulled(made, run.ops.is_null(count.column), run.ops)
    return Value(VARCHAR, made)


@scalar("split_part")
def split_part(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Part number `index` (constant, from 1) between constant separators that are not empty; '' if there is
    none.
    """
    ops, column = run.ops, run.column(args[0])
    separator, index = args[1].literal, args[2].literal
    if index == 0:
        empty = text_column("", run.rows, ops)
        return Value(VARCHAR, nulled(empty, ops.is_null(column), ops) if column.null_count() else empty)
    # An empty text has one empty part, which the library need not count as one.
    part = ops.plc.strings.split.split.split_part
    found = ops.filled(
        part(column, text_scalar(separator, ops), index - 1, stream=ops.stream), text_scalar("", ops)
    )
    return Value(VARCHAR, nulled(found, ops.is_null(column), ops) if column.null_count() else found)


@scalar("lpad", "rpad")
def pad(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Cut or filled up to a constant number of code points by a constant filling, which starts anew when it
    ends.
    """
    ops, column = run.ops, run.column(args[0])
    size, filling = max(args[1].literal, 0), args[2].literal
    cut = between(column, 0, size, ops)
    missing = -characters(cut, ops) + size
    if not filling:
        name = node.function.upper()
        failure = run.failure(
            missing.above(0), lambda: messages.invalid_input(f"Insufficient padding in {name}.")
        )
        return Value(VARCHAR, cut, failures=(failure,))
    if not size:
        return Value(VARCHAR, cut)
    whole = text_column((filling * (size // len(filling) + 1))[:size], run.rows, ops)
    filled = between_columns(whole, constant(0, run.rows, ops), missing, ops)
    return Value(VARCHAR, joined([filled, cut] if node.function == "lpad" else [cut, filled], ops))


@scalar("translate")
def translate(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Characters of a constant set replaced by those at the same place in another, or left out where it is
    shorter.
    """
    column, old, new = run.column(args[0]), args[1].literal, args[2].literal
    table: dict[int | str, int | str] = {}
    for place, character in enumerate(old):
        # The library leaves out what becomes 0.
        table.setdefault(character, new[place] if place < len(new) else 0)
    if not table:
        return Value(VARCHAR, column)
    made = run.ops.plc.strings.translate.translate(column, table, stream=run.ops.stream)
    return Value(VARCHAR, made)
