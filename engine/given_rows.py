"""Sets of parameters as the rows of a table, for `executemany`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from ..cpu_fallback.operators.values import literal_column
from ..physical.batch import Batch
from ..physical.tables import MemoryTable
from ..planner.catalog import TableColumn
from ..planner.expr import Column
from ..planner.python_literals import NoLiteral, python_literal
from ..planner.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTEGER_RANGES,
    MAX_DECIMAL_WIDTH,
    NULL,
    VARCHAR,
    SQLType,
    decimal,
)

_WHOLE = (INTEGER, BIGINT, HUGEINT)


def mismatched(rows: Sequence[Sequence[Any] | Mapping[str, Any]], keys: Sequence[str]) -> int | None:
    """The number of the first set that does not have exactly these parameters, if any."""
    names = {key.lower() for key in keys}
    positions = all(key.isdigit() for key in keys)
    for number, row in enumerate(rows):
        if isinstance(row, Mapping):
            if {str(key).lower() for key in row} != names:
                return number
        elif not positions or len(row) != len(keys):
            return number
    return None


def given_rows(
    name: str, rows: Sequence[Sequence[Any] | Mapping[str, Any]], keys: Sequence[str], uid: int
) -> MemoryTable | None:
    """A table of one row a set of parameters, with a column for each of `keys`. None where the values of one
    parameter have no type in common, so that each has to be a literal of its own.
    """
    columns: list[tuple[SQLType, pa.Array]] = []
    for place, key in enumerate(keys):
        values = [_by_name(row, key) if isinstance(row, Mapping) else row[place] for row in rows]
        try:
            column = _column(values)
        except (NoLiteral, OverflowError, UnicodeError):
            return None  # executed by itself, the value is refused by name
        if column is None:
            return None
        columns.append(column)
    schema = tuple(Column(i, key, kind) for i, (key, (kind, _)) in enumerate(zip(keys, columns, strict=True)))
    batch = Batch(schema, [array for _, array in columns], len(rows))
    stored = tuple(TableColumn(column.name, column.type) for column in schema)
    return MemoryTable(name, stored, uid, 0, (batch,))


def _fits(number: int, kind: SQLType) -> bool:
    low, high = INTEGER_RANGES[kind.id]
    return low <= number <= high


def _by_name(row: Mapping[str, Any], key: str) -> Any:
    if key in row:
        return row[key]
    return next(value for name, value in row.items() if str(name).lower() == key.lower())


# Python's own classes whose values are literals as they are; subclasses are looked at one by one.
_AS_THEY_ARE: dict[type, SQLType] = {str: VARCHAR, float: DOUBLE, bool: BOOLEAN}


def _column(values: Sequence[Any]) -> tuple[SQLType, pa.Array] | None:
    classes = {type(value) for value in values} - {type(None)}
    if len(classes) == 1:
        (only,) = classes
        kind = _AS_THEY_ARE.get(only)
        if only is int:
            numbers = [value for value in values if value is not None]
            kind = next((k for k in _WHOLE[:2] if _fits(min(numbers), k) and _fits(max(numbers), k)), None)
        if kind is not None:
            return kind, literal_column(kind, values)
    literals = [python_literal(value) for value in values]
    kinds = {kind for kind, _ in literals} - {NULL}
    forms = [form for _, form in literals]
    if not kinds:
        kind = VARCHAR  # NULLs of this type can be cast to all others
    elif len(kinds) == 1:
        (kind,) = kinds
    elif kinds <= set(_WHOLE):
        kind = max(kinds, key=_WHOLE.index)
    elif all(kind.is_decimal for kind in kinds):
        scale = max(kind.scale for kind in kinds)
        width = max(kind.width - kind.scale for kind in kinds) + scale
        if width > MAX_DECIMAL_WIDTH:
            return None
        forms = [None if form is None else form * 10 ** (scale - own.scale) for own, form in literals]
        kind = decimal(width, scale)
    else:
        return None
    return kind, literal_column(kind, forms)
