"""How fast a scan with filter and aggregate gets through its bytes: python -m tandemdb.tpch.gpu_check_rate.

TPC-H's sixth query, on the columns it reads, once held in host memory and once from the Parquet files. Bytes
are those that the device must be given: of the stored values, or of the compressed columns in the files.
Prints one line of JSON.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow.parquet as pq

from . import parameters, texts
from .engines import DuckDB
from .generate import table_files

COLUMNS: Final = ("l_quantity", "l_extendedprice", "l_discount", "l_shipdate")
# Three DECIMAL(15,2) as 64-bit integers and a DATE of 32 bits.
STORED_BYTES: Final = 3 * 8 + 4
_WARMUP: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure the rate of a scan with filter and aggregate.")
    parser.add_argument("--lake", type=Path, required=True)
    parser.add_argument("--scale", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--device", choices=("auto", "cpu", "gpu"), default="gpu")
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args(arguments)
    sql = texts.render(6, parameters.validation(6, chosen.scale))
    expected = DuckDB(chosen.lake, chosen.threads, "parquet").run(sql).table.column(0).to_pylist()
    found = {name: _measured(name, sql, expected, chosen) for name in ("memory", "parquet")}
    print(json.dumps(found))
    return 0


def _measured(source: str, sql: str, expected: list[Any], chosen: argparse.Namespace) -> dict[str, Any]:
    from .. import connect

    files = table_files(chosen.lake, "lineitem")
    scans = [f"select {', '.join(COLUMNS)} from '{path}'" for path in files]
    kind = "table" if source == "memory" else "view"
    times, verified = [], True
    fallbacks: list[str] = []
    with connect(config={"threads": chosen.threads}) as connection:
        connection.execute(f"create {kind} lineitem as {' union all '.join(scans)}")
        connection.execute(f"set device = '{chosen.device}'")
        for turn in range(-_WARMUP, chosen.runs):
            start = time.perf_counter()
            cursor = connection.execute(sql)
            value = cursor.fetch_arrow_table().column(0).to_pylist()
            seconds = time.perf_counter() - start
            verified = verified and value == expected
            fallbacks += map(str, cursor.profile.fallbacks)
            if turn >= 0:
                times.append(seconds)
    size = _bytes(source, files)
    seconds = statistics.median(times)
    return {
        "bytes": size,
        "times": times,
        "seconds": seconds,
        "bytes_a_second": size / seconds,
        "fallbacks": fallbacks,
        "verified": verified,
    }


def _bytes(source: str, files: Sequence[Path]) -> int:
    metas = [pq.read_metadata(path) for path in files]
    if source == "memory":
        return STORED_BYTES * sum(meta.num_rows for meta in metas)
    groups = [meta.row_group(i) for meta in metas for i in range(meta.num_row_groups)]
    columns = [group.column(i) for group in groups for i in range(group.num_columns)]
    return sum(c.total_compressed_size for c in columns if c.path_in_schema in COLUMNS)


if __name__ == "__main__":
    sys.exit(main())
