"""Which calls were made on the double, as data: what each argument was, without its values.

with recording() as calls: ...  # calls: a set of JSON texts

The conformance test makes the same calls on the real library, with dummies in place of columns.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from enum import Enum
from typing import Any

from .device import device
from .pylibcudf.aggregation import Aggregation
from .pylibcudf.column import Column
from .pylibcudf.expressions import ColumnNameReference, ColumnReference, Expression, Literal
from .pylibcudf.groupby import GroupBy, GroupByRequest
from .pylibcudf.join import FilteredJoin
from .pylibcudf.scalar import Scalar
from .pylibcudf.strings.regex_program import RegexProgram
from .pylibcudf.table import Table
from .pylibcudf.types import DataType


@contextlib.contextmanager
def recording() -> Iterator[set[str]]:
    """The calls made within, each once."""
    found: set[str] = set()
    before = device.observe

    def observe(name: str, arguments: dict[str, Any]) -> None:
        found.add(json.dumps([name, {key: described(value) for key, value in arguments.items()}]))

    device.observe = observe
    try:
        yield found
    finally:
        device.observe = before


def _kind(kind: Any) -> list[Any]:
    return [kind.dtype.id().name, kind.dtype.scale(), [_kind(child) for child in kind.children]]


def described(value: Any) -> Any:
    """An argument as JSON: its class, types, options; no values of columns, and no sizes but 1."""
    match value:
        case Enum():
            module = type(value).__module__.removeprefix("doubles.pylibcudf.")
            return {"enum": f"{module}.{type(value).__name__.removeprefix('_')}", "name": value.name}
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [described(part) for part in value]
        case Column():
            shape = {"nulls": value.null_count() > 0, "one": value.size() == 1}
            return {"column": _kind(value._kind)} | shape
        case Table():
            return {"table": [described(column) for column in value.columns()]}
        case Scalar():
            return {"scalar": _kind(value._kind)}
        case DataType():
            return {"dtype": [value.id().name, value.scale()]}
        case Aggregation():
            options = {key: described(option) for key, option in value._options.items()}
            return {"aggregation": value.kind().name, "options": options}
        case GroupByRequest():
            return {"request": [described(value._values), described(value._aggregations)]}
        case GroupBy():
            return {"groups": [described(value._keys), described(value._nulls)]}
        case FilteredJoin():
            return {"filtered": [described(value._right), described(value._nulls)]}
        case RegexProgram():
            return {"regex": value._pattern}
        case Expression():
            return {"expression": _expression(value)}
    return {"object": f"{type(value).__module__}.{type(value).__name__}"}


def _expression(value: Expression) -> list[Any]:
    match value:
        case Literal():
            return ["Literal", described(value._value)]
        case ColumnReference():
            return ["ColumnReference", value._index, described(value._table)]
        case ColumnNameReference():
            return ["ColumnNameReference", value._name]
    operands = [_expression(operand) for operand in value._operands]  # type: ignore[attr-defined]
    return ["Operation", described(value._op), *operands]  # type: ignore[attr-defined]
