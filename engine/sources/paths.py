"""The table that a path in FROM stands for, by its ending."""

from __future__ import annotations

from ...planner.catalog import Table
from ...planner.copy_options import format_of
from .csv_sniffer import CsvOptions
from .csv_source import SUFFIXES, csv_table
from .file_options import FileOptions
from .filesystem import expand, is_glob
from .json_source import SUFFIXES as JSON_SUFFIXES
from .json_source import JsonOptions, json_table
from .parquet_source import parquet_source


def open_path(path: str) -> Table | None:
    """The table over the files of a path, a glob or a folder; None when the text does not look like one."""
    kind = format_of(path)
    if kind == "csv":
        return csv_table(path, expand(path, SUFFIXES), CsvOptions(), FileOptions())
    if kind == "json":
        return json_table(path, expand(path, JSON_SUFFIXES), JsonOptions(), FileOptions())
    if kind is None and "/" not in path and not is_glob(path):
        return None
    return parquet_source(path, expand(path), FileOptions())
