"""Functions of strings that give strings or numbers of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import Call
from ...planner.types import VARCHAR
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .registry import scalar

_FAR = 2**31 - 1


@scalar("length")
def length(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Number of characters."""
    found = run.ops.plc.strings.attributes.count_characters(args[0].column, stream=run.ops.stream)
    return Value(node.type, run.ops.cast(found, data_type(node.type)))


@scalar("substring")
def substring(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Characters from a constant place on, which counts from 1 or, negative, from the end."""
    start, count = args[1].literal, args[2].literal if len(args) > 2 else None
    first = start - 1 if start > 0 else start
    stop = None if count is None else first + count
    if start < 0 and stop is not None and stop >= 0:
        stop = None
    if start == 0:
        # Place 0 is before the first character.
        first, stop = 0, None if count is None else max(count - 1, 0)
    # Without a stop the library would take 0 for one.
    ends = (run.ops.int32(first), run.ops.int32(_FAR if stop is None else stop), run.ops.int32(1))
    made = run.ops.plc.strings.slice.slice_strings(args[0].column, *ends, stream=run.ops.stream)
    return Value(VARCHAR, made)


@scalar("||", "concat")
def concatenation(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Strings one after the other: `||` is NULL where one is, `concat` leaves NULLs out."""
    parts = [run.column(arg) for arg in args if not arg.is_null]
    empty = _text("", run)
    narep = empty if node.function == "concat" else None
    table = run.ops.table(parts)
    made = run.ops.plc.strings.combine.concatenate(table, empty, narep, stream=run.ops.stream)
    return Value(VARCHAR, made)


def _text(text: str, run: Evaluation) -> Any:
    return run.ops.scalar(pa.scalar(text, pa.string()))


@scalar("starts_with", "ends_with", "contains")
def find(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether a string begins with, ends with or contains another."""
    call = getattr(run.ops.plc.strings.find, node.function)
    return Value(node.type, call(args[0].column, run.operand(args[1]), stream=run.ops.stream))


@scalar("replace")
def replace(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """All places of a constant text replaced by another; the empty text is nowhere."""
    if not args[1].literal:
        return args[0]
    old, new = (_text(arg.literal, run) for arg in args[1:])
    return Value(
        VARCHAR, run.ops.plc.strings.replace.replace(args[0].column, old, new, stream=run.ops.stream)
    )


@scalar("reverse")
def reverse(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The characters from last to first."""
    return Value(VARCHAR, run.ops.plc.strings.reverse.reverse(args[0].column, stream=run.ops.stream))


@scalar("strpos")
def position(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The place of a text in a string, counted from 1; 0 where it is not."""
    found = run.ops.plc.strings.find.find(args[0].column, run.operand(args[1]), stream=run.ops.stream)
    made = run.ops.binary("ADD", found, run.ops.int32(1), named_type("INT32"))
    return Value(node.type, run.ops.cast(made, data_type(node.type)))
