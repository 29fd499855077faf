"""bit_and, bit_or and bit_xor, for which pylibcudf has no aggregation.

Rows lie group by group; in step k each takes in the row 2**k further on, if that is of its group, so that the
first row of every group ends with all of them. Partial results merge in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import AggregateCall
from ...planner.types import TypeId
from ..number import Number
from ..ops import Ops
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .aggregate_call import CallPlan, Columns, guarded
from .aggregate_sorted import runs_of
from .grouping import Groups

_OPERATORS = {"bit_and": "BITWISE_AND", "bit_or": "BITWISE_OR", "bit_xor": "BITWISE_XOR"}


def bits(call: AggregateCall) -> CallPlan:
    """The bits of all values that are not NULL."""
    operator = _OPERATORS[call.function]

    def reduced(column: Any, groups: Groups) -> Columns:
        ops = groups.ops
        # Narrow values are carried on to 64 bits, and the result with them: it is in range again.
        wide = _in_64(column, ops)
        if wide.null_count():
            wide, rows = ops.kept([wide, ops.row_numbers(wide.size())], ops.is_valid(wide))
            groups = groups.of(rows)
        runs = runs_of(groups, [], [])
        folded = _folded(wide, groups.numbers, runs.rows, operator, ops)
        first = runs.at(folded, runs.counts * 0, placed=True)
        if call.type.id is TypeId.UBIGINT:
            return [ops.bits_as(first, named_type("UINT64"))]
        return [ops.cast(first, data_type(call.type))]

    def partial(args: Sequence[Value], groups: Groups, run: Evaluation) -> Columns:
        return reduced(run.column(args[0]), groups)

    def merge(columns: Columns, groups: Groups) -> Columns:
        return reduced(columns[0], groups)

    return CallPlan((guarded(call.args[0], call),), partial, merge, lambda columns, ops: columns[0])


def _in_64(column: Any, ops: Ops) -> Any:
    """INT64 with the same low bits."""
    unsigned = column.type() == named_type("UINT64")
    return ops.bits_as(column, named_type("INT64")) if unsigned else ops.cast(column, named_type("INT64"))


def _folded(column: Any, numbers: Any, order: Any, operator: str, ops: Ops) -> Any:
    """The rows in order, each with what follows it in its group taken in."""
    count = order.size()
    if count < 2:
        return column
    column, numbers = ops.gathered([column, numbers], order)
    shift = ops.plc.copying.shift
    nothing, no_group = ops.scalar(pa.scalar(0, pa.int64())), ops.int32(-1)
    step = 1
    while step < count:
        ahead = shift(column, -step, nothing, stream=ops.stream)
        same = ops.binary("EQUAL", numbers, shift(numbers, -step, no_group, stream=ops.stream))
        taken = Number(column, ops).bit(operator, Number(ahead, ops)).column
        column = ops.choose(taken, column, same)
        step *= 2
    return column
