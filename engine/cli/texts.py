"""Result batches as columns of text, whole columns at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...cpu_fallback.expressions import compile_expression
from ...physical.batch import Batch
from ...physical.python_values import python_values
from ...planner.expr import Cast, Column, ref
from ...planner.types import VARCHAR, SQLType
from ..cursor import Cursor
from ..nested_texts import nested_text

# Written without quotes in JSON; not the non-finite floats, which JSON has no form for.
_BARE = ("BOOLEAN", "INTEGER", "TINYINT", "SMALLINT", "BIGINT", "HUGEINT")
_BARE_UNSIGNED = ("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")


def text_batches(cursor: Cursor) -> Iterator[list[list[str | None]]]:
    """The remaining rows, batch by batch: one list a column, its values as CAST AS VARCHAR writes them,
    None for NULL.
    """
    for batch in cursor.fetch_batches():
        yield [text_column(batch, index) for index in range(len(batch.columns))]


def text_column(batch: Batch, index: int) -> list[str | None]:
    """The values of one column as text."""
    column, array = batch.schema[index], batch.columns[index]
    if column.type.is_nested:
        values = python_values(array, column.type)
        return [None if v is None else nested_text(v) for v in values]
    if column.type.is_string:
        return array.to_pylist()
    # Ids of a result may repeat (SELECT a, a), so the cast is made over a batch of this column alone.
    own = Column(0, column.name, column.type)
    cast = compile_expression(Cast(VARCHAR, ref(own)))
    return cast(Batch((own,), [array], batch.num_rows)).to_array(batch.num_rows).to_pylist()


def json_column(texts: list[str | None], kind: SQLType) -> list[str]:
    """JSON forms of a column's texts: numbers and truth values bare, everything else quoted, so that
    nothing is lost.
    """
    name = str(kind)
    if name in _BARE or name in _BARE_UNSIGNED:
        return ["null" if t is None else t for t in texts]
    if kind.is_float:
        return ["null" if t is None else _json_float(t) for t in texts]
    if kind.is_nested:
        return ["null" if t is None else t for t in texts]
    return ["null" if t is None else json.dumps(t, ensure_ascii=False) for t in texts]


def _json_float(text: str) -> str:
    return f'"{text}"' if text.lstrip("-") in ("nan", "inf") else text
