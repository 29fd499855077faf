"""Parts of dates and timestamps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner.expr import Call
from ...planner.types import TypeId
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .registry import Function, scalar

_COMPONENTS = {
    "year": "YEAR",
    "month": "MONTH",
    "day": "DAY",
    "hour": "HOUR",
    "minute": "MINUTE",
    "second": "SECOND",
}


def component(name: str, column: Any, run: Evaluation) -> Any:
    """A part of each date by libcudf's name, INT16."""
    part = getattr(run.ops.plc.datetime.DatetimeComponent, name)
    return run.ops.plc.datetime.extract_datetime_component(column, part, stream=run.ops.stream)


def _part(name: str) -> Function:
    def evaluate(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
        column = args[0].column
        if args[0].type.id is TypeId.DATE and name in ("HOUR", "MINUTE", "SECOND"):
            zero = run.ops.repeated(run.ops.scalar(pa.scalar(0, pa.int64())), run.rows)
            null = run.ops.plc.Column.all_null_like(zero, run.rows, stream=run.ops.stream)
            return Value(node.type, run.ops.choose(zero, null, run.ops.is_valid(column)))
        return Value(node.type, run.ops.cast(component(name, column, run), data_type(node.type)))

    return evaluate


for _function, _name in _COMPONENTS.items():
    scalar(_function)(_part(_name))


@scalar("quarter")
def quarter(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """1 to 4."""
    found = run.ops.plc.datetime.extract_quarter(args[0].column, stream=run.ops.stream)
    return Value(node.type, run.ops.cast(found, data_type(node.type)))


@scalar("dayofyear")
def day_of_year(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """1 to 366."""
    found = run.ops.plc.datetime.day_of_year(args[0].column, stream=run.ops.stream)
    return Value(node.type, run.ops.cast(found, data_type(node.type)))


@scalar("dayofweek")
def day_of_week(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Sunday is 0; libcudf counts Monday as 1 and Sunday as 7."""
    found = run.ops.cast(component("WEEKDAY", args[0].column, run), named_type("INT64"))
    seven = run.ops.scalar(pa.scalar(7, pa.int64()))
    return Value(node.type, run.ops.binary("MOD", found, seven, data_type(node.type)))


@scalar("last_day")
def last_day(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The last day of the month."""
    found = run.ops.plc.datetime.last_day_of_month(args[0].column, stream=run.ops.stream)
    return Value(node.type, run.ops.cast(found, data_type(node.type)))
