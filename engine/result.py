"""The result edge: from batches in storage form to Arrow tables and Python rows, with the same types whatever
the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..physical.arrow_types import result_type
from ..physical.batch import Batch
from ..physical.python_values import python_values, to_result
from ..planner.types import SQLType


def result_schema(names: Sequence[str], types: Sequence[SQLType]) -> pa.Schema:
    """The Arrow schema of a result."""
    return pa.schema([pa.field(name, result_type(kind)) for name, kind in zip(names, types, strict=True)])


def to_record_batch(batch: Batch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch as Arrow users expect it: plain strings, decimals as decimal128 of the declared precision."""
    arrays = [
        to_result(array, column.type, field.type)
        for array, column, field in zip(batch.columns, batch.schema, schema, strict=True)
    ]
    if not arrays:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * batch.num_rows, pa.struct([])))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def to_table(batches: Iterable[Batch], schema: pa.Schema) -> pa.Table:
    """All batches as one Arrow table."""
    if not len(schema):
        return pa.table({})
    return pa.Table.from_batches([to_record_batch(b, schema) for b in batches], schema=schema)


def to_rows(batch: Batch) -> Iterator[tuple[Any, ...]]:
    """Python rows, as DB-API users expect: int, float, Decimal, str, date, datetime, time, timedelta, bytes,
    bool, None.
    """
    columns = [
        python_values(array, column.type) for array, column in zip(batch.columns, batch.schema, strict=True)
    ]
    return zip(*columns, strict=True) if columns else iter([()] * batch.num_rows)
