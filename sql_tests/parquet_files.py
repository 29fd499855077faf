"""Writing odd Parquet files and reading them with both engines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import tandemdb
from oracle.duck import duck


def write_columns(path: Path, names: Sequence[str], columns: Sequence[Any] | None = None) -> Path:
    """A file with columns of these names, which may repeat; column i holds i unless given."""
    arrays = [pa.array(c) for c in columns or [[number] for number in range(len(names))]]
    pq.write_table(pa.Table.from_arrays(arrays, names=list(names)), path)
    return path


def both(sql: str, folder: Path) -> tuple[Any, Any]:
    """(column names, types, rows) of a query on TandemDB and on DuckDB; `@name` stands for a file of the
    folder.
    """
    sql = sql.replace("@", f"{folder}/")
    mine = tandemdb.connect().execute(sql)
    other = duck().execute(sql)
    theirs = [c[0] for c in other.description], [str(c[1]) for c in other.description], other.fetchall()
    assert mine.description is not None
    return ([c[0] for c in mine.description], [str(c[1]) for c in mine.description], mine.fetchall()), theirs


def outcome(connection: Any, sql: str) -> tuple[str, Any]:
    """('rows', types and rows), or ('error', its text)."""
    try:
        cursor = connection.execute(sql)
        return "rows", ([str(c[1]) for c in cursor.description], cursor.fetchall())
    except (tandemdb.Error, duckdb.Error) as error:
        return "error", str(error)
