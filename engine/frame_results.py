"""Arrow tables as the frames of other libraries, which are imported here only, when asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ..planner import messages_api as messages


def to_pandas(table: pa.Table) -> Any:
    """A pandas DataFrame as from DuckDB: decimals are float64, dates datetime64; columns may share names."""
    if not _is_there("pandas"):
        raise messages.library_missing("pandas")
    return _plain(table).to_pandas()


def to_polars(table: pa.Table) -> Any:
    """A Polars DataFrame, over the same memory; a second column of a name gets `_1` behind it."""
    if not _is_there("polars"):
        raise messages.library_missing("polars")
    from importlib import import_module

    return import_module("polars").from_arrow(_distinct(table))


def to_numpy(table: pa.Table) -> dict[str, Any]:
    """One array a column, masked where there are NULLs; types as in `to_pandas`."""
    result = {}
    table = _distinct(_plain(table))
    for name, column in zip(table.column_names, table.columns, strict=True):
        valid = np.asarray(column.is_valid())
        if column.null_count and not (pa.types.is_string(column.type) or pa.types.is_nested(column.type)):
            filled = column.combine_chunks().fill_null(_zero(column.type))
            values = filled.to_numpy(zero_copy_only=False)
        else:
            values = column.to_numpy()
        result[name] = np.ma.masked_array(values, ~valid) if column.null_count else values
    return result


def _zero(kind: pa.DataType) -> pa.Scalar:
    """A value to stand behind the mask."""
    if pa.types.is_binary(kind):
        return pa.scalar(b"", kind)
    if pa.types.is_boolean(kind):
        return pa.scalar(False)
    if pa.types.is_interval(kind):
        return pa.scalar((0, 0, 0), kind)
    if pa.types.is_temporal(kind):
        return pa.scalar(0, pa.int64()).cast(kind)
    return pa.scalar(0, kind)


def _plain(table: pa.Table) -> pa.Table:
    """Decimals as doubles, dates as timestamps: NumPy has neither."""
    return table.cast(pa.schema([pa.field(f.name, _plain_type(f.type)) for f in table.schema]))


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_decimal(kind):
        return pa.float64()
    return pa.timestamp("us") if pa.types.is_date(kind) else kind


def _distinct(table: pa.Table) -> pa.Table:
    names: list[str] = []
    for name in table.column_names:
        own, number = name, 1
        while own in names:
            own, number = f"{name}_{number}", number + 1
        names.append(own)
    return table.rename_columns(names)


def _is_there(library: str) -> bool:
    from importlib.util import find_spec

    return find_spec(library) is not None
