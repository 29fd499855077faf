"""Lengths, searching, replacing, joining and repeating strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import BOOLEAN, VARCHAR
from ..number import Number, nulled
from ..storage import data_type
from ..texts import characters, int32, stripped, text_scalar
from ..values import Evaluation, Value
from .registry import scalar

_LONGEST = 2**31 - 1


@scalar("length")
def length(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Number of code points."""
    return Value(node.type, characters(run.column(args[0]), run.ops).column)


@scalar("strlen", "bit_length")
def byte_length(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Number of bytes, or of bits."""
    found = run.ops.plc.strings.attributes.count_bytes(run.column(args[0]), stream=run.ops.stream)
    made = Number(found, run.ops) * (8 if node.function == "bit_length" else 1)
    return Value(node.type, made.column)


@scalar("||", "concat")
def concatenation(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Strings one after the other: `||` is NULL where one is, `concat` leaves NULLs out."""
    parts = [run.column(arg) for arg in args if not arg.is_null]
    if not parts:
        return Value(VARCHAR, None, "")
    empty = text_scalar("", run.ops)
    if len(parts) == 1:
        return Value(VARCHAR, run.ops.filled(parts[0], empty) if node.function == "concat" else parts[0])
    instead = empty if node.function == "concat" else None
    table = run.ops.table(parts)
    made = run.ops.plc.strings.combine.concatenate(table, empty, instead, stream=run.ops.stream)
    return Value(VARCHAR, made)


@scalar("concat_ws")
def concat_ws(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The arguments after the constant separator with it between them; NULLs are left out."""
    ops, separator = run.ops, args[0].literal
    if separator is None:
        return Value(VARCHAR)
    parts = [run.column(arg) for arg in args[1:] if not arg.is_null]
    if not parts:
        return Value(VARCHAR, run.column(Value(VARCHAR, None, "")))
    # Every text gets a separator before it, which is nothing where the text is NULL; the first one goes.
    lead, empty = text_scalar(separator, ops), text_scalar("", ops)
    leads = ops.repeated(lead, run.rows)
    combine = ops.plc.strings.combine.concatenate
    led = [combine(ops.table([leads, part]), empty, stream=ops.stream) for part in parts]
    # A column of nothing more, as the library joins two columns at least.
    led.append(ops.repeated(empty, run.rows))
    together = combine(ops.table(led), empty, empty, stream=ops.stream)
    ends = ops.int32(len(separator)), ops.int32(_LONGEST), ops.int32(1)
    return Value(VARCHAR, ops.plc.strings.slice.slice_strings(together, *ends, stream=ops.stream))


@scalar("starts_with", "ends_with", "contains")
def find(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whether a string begins with, ends with or contains another."""
    call = getattr(run.ops.plc.strings.find, node.function)
    made = call(run.column(args[0]), run.operand(args[1]), stream=run.ops.stream)
    return Value(BOOLEAN, _null_with(args[1], made, run))


def _null_with(target: Value, made: Any, run: Evaluation) -> Any:
    """NULL where the target is: the library gives other answers there."""
    if target.is_constant or not target.column.null_count():
        return made
    return nulled(made, run.ops.is_null(target.column), run.ops)


@scalar("strpos")
def position(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The place of a text in a string, counted from 1; 0 where it is not."""
    found = run.ops.plc.strings.find.find(run.column(args[0]), run.operand(args[1]), stream=run.ops.stream)
    return Value(node.type, _null_with(args[1], (Number(found, run.ops) + 1).column, run))


@scalar("replace")
def replace(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """All places of a constant text replaced by another; the empty text is nowhere."""
    column = run.column(args[0])
    if not args[1].literal:
        return Value(VARCHAR, column)
    old, new = (text_scalar(arg.literal, run.ops) for arg in args[1:])
    return Value(VARCHAR, run.ops.plc.strings.replace.replace(column, old, new, stream=run.ops.stream))


@scalar("repeat")
def repeat(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The string a number of times; none for a count below 1."""
    ops, column = run.ops, run.column(args[0])
    times = Number(run.column(args[1]), ops)
    size = characters(column, ops)
    # The most that fits is asked by a division: the product could wrap.
    room = Number(ops.repeated(ops.scalar(pa.scalar(_LONGEST, pa.int64())), run.rows), ops)
    most = room.over(size.unless(size.equals(0), 1))
    long = times.above(most.unless(size.equals(0), 2**63 - 1))
    failure = run.failure(long, lambda: messages.out_of_range("Cannot create a string of more than 2 GB"))
    none = ops.either(failure.rows, times.outside(0, _LONGEST))
    counts = int32(times.unless(none, 0))
    made = ops.plc.strings.repeat.repeat_strings(column, counts, stream=ops.stream)
    return Value(VARCHAR, made, failures=(failure,))


_SIDES = {"trim": "BOTH", "ltrim": "LEFT", "rtrim": "RIGHT"}


@scalar("trim", "ltrim", "rtrim")
def trim(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Without spaces, or without the constant characters, at the ends."""
    column, removed = run.column(args[0]), args[1].literal if len(args) > 1 else " "
    # Without characters the library would take blanks and control characters.
    made = stripped(column, _SIDES[node.function], removed, run.ops) if removed else column
    return Value(VARCHAR, made)


@scalar("md5", "sha256")
def digest(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Hash in lower-case hexadecimal digits."""
    column = run.column(args[0])
    call = getattr(run.ops.plc.hashing, node.function)
    made = call(run.ops.table([column]), stream=run.ops.stream)
    if column.null_count():
        made = nulled(made, run.ops.is_null(column), run.ops)
    return Value(VARCHAR, made)


@scalar("hex")
def hexadecimal(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Whole numbers in as few digits as they take, negative ones in two's complement."""
    ops, column = run.ops, run.column(args[0])
    text = ops.plc.strings.convert.convert_integers.integers_to_hex(column, stream=ops.stream)
    bare = stripped(text, "LEFT", "0", ops)
    zero = ops.is_true(ops.binary("EQUAL", bare, text_scalar("", ops)))
    return Value(VARCHAR, ops.choose(text_scalar("0", ops), bare, zero))


@scalar("ascii", "unicode")
def first_code(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Code point of the first character; 0 or -1 of the empty string."""
    ops, column = run.ops, run.column(args[0])
    empty = ops.is_true(ops.binary("EQUAL", column, text_scalar("", ops)))
    # One character in every row, so that the code points are one a row: a space where there is none.
    some = ops.filled(ops.choose(text_scalar(" ", ops), column, empty), text_scalar(" ", ops))
    ends = ops.int32(0), ops.int32(1), ops.int32(1)
    first = ops.plc.strings.slice.slice_strings(some, *ends, stream=ops.stream)
    codes = Number(ops.plc.strings.attributes.code_points(first, stream=ops.stream), ops, "INT32")
    made = codes.unless(empty, 0 if node.function == "ascii" else -1).column
    if column.null_count():
        made = nulled(made, ops.is_null(column), ops)
    return Value(node.type, ops.cast(made, data_type(node.type)))
