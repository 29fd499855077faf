"""Table functions: one registry entry each, from a call's constant arguments to a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...physical.tables import RangeTable
from ...planner.catalog import Table
from ...planner.expr import Literal
from ...planner.messages_query import table_function_usage, unsupported_range, zero_step
from ...planner.types import INTEGER_RANGES, TypeId
from .about_files import (
    glob,
    parquet_file_metadata,
    parquet_metadata,
    parquet_schema,
    read_blob,
    read_text,
)
from .csv_source import read_csv
from .file_options import Options, file_options, listed_files
from .json_source import read_json, read_ndjson
from .parquet_source import parquet_source

Maker = Callable[[Sequence[Any], Mapping[str, Any]], Table]
TABLE_FUNCTIONS: dict[str, Maker] = {}


def table_function(*names: str) -> Callable[[Maker], Maker]:
    """Registers a table function under its names."""

    def register(maker: Maker) -> Maker:
        TABLE_FUNCTIONS.update(dict.fromkeys(names, maker))
        return maker

    return register


table_function("read_csv", "read_csv_auto")(read_csv)
table_function("read_json", "read_json_auto")(read_json)
table_function("glob")(glob)
table_function("read_text")(read_text)
table_function("read_blob")(read_blob)
table_function("parquet_metadata")(parquet_metadata)
table_function("parquet_file_metadata")(parquet_file_metadata)
table_function("parquet_schema")(parquet_schema)
table_function("read_ndjson", "read_ndjson_auto")(read_ndjson)


@table_function("read_parquet", "parquet_scan")
def read_parquet(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_parquet(path or list of paths, option = value, ...)"""
    options = Options("read_parquet", named)
    common = file_options(options)
    for name in ("binary_as_string", "can_have_nan", "explicit_cardinality"):
        options.take(name, lambda _, value: value)
    options.end()
    return parquet_source("read_parquet", listed_files("read_parquet", args, (".parquet",)), common)


def _range(name: str, args: Sequence[Any], inclusive: bool) -> Table:
    if any(isinstance(a, Literal) for a in args):
        raise unsupported_range(name)
    low, high = INTEGER_RANGES[TypeId.BIGINT]
    whole = all(isinstance(a, int) and not isinstance(a, bool) and low <= a <= high for a in args)
    if not whole or not 1 <= len(args) <= 3:
        raise table_function_usage(name, f"{name}([start,] stop [, step]) with whole numbers of 64 bits")
    start, stop, step = (
        (0, args[0], 1) if len(args) == 1 else (args[0], args[1], args[2] if len(args) == 3 else 1)
    )
    if step == 0:
        raise zero_step(name)
    if inclusive:
        stop += 1 if step > 0 else -1
    return RangeTable(name, start, stop, step, name)


@table_function("range")
def range_(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """range([start,] stop [, step]): numbers from start up to stop, stop excluded"""
    if named:
        raise table_function_usage("range", "range([start,] stop [, step])")
    return _range("range", args, inclusive=False)


@table_function("generate_series")
def generate_series(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """generate_series([start,] stop [, step]): numbers from start up to stop, stop included"""
    if named:
        raise table_function_usage("generate_series", "generate_series([start,] stop [, step])")
    return _range("generate_series", args, inclusive=True)
