"""The engines of a run, behind one interface: open a lake, run a text to an Arrow table, explain it.

Each takes the same number of threads, keeps no result cache, and plans every text anew. An engine is imported
in its own process only, see `worker.py`.
"""

import importlib.metadata
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from .generate import table_files
from .texts import TABLES

if TYPE_CHECKING:
    from ..engine.profile import Profile

Source = Literal["parquet", "memory"]
DeviceChoice = Literal["auto", "cpu", "gpu"]


@dataclass(frozen=True)
class Outcome:
    """A query's result and, from an engine that can fall back to another device, what fell back."""

    table: pa.Table
    fallbacks: tuple[str, ...] = ()
    uncounted: tuple[str, ...] = ()


class Engine(Protocol):
    """One engine over one lake; used by one thread."""

    def run(self, sql: str) -> Outcome:
        """Plan and run one query to its whole result."""
        ...

    def explain(self, sql: str) -> str:
        """The query's plan as text, in the engine's own form."""
        ...


def environment(name: str, threads: int) -> dict[str, str]:
    """Environment variables that set an engine's thread pools, which some engines size at import."""
    if name == "polars":
        return {"POLARS_MAX_THREADS": str(threads)}
    if name == "datafusion":
        return {"TOKIO_WORKER_THREADS": str(threads)}
    return {}


def version(name: str) -> str:
    """The installed version of an engine's distribution."""
    return importlib.metadata.version(name)


def open_engine(name: str, lake: Path, threads: int, source: Source, device: DeviceChoice = "auto") -> Engine:
    """Open an engine over a lake; for source "memory" the tables are first read into its own format. The
    device is TandemDB's to choose; the rivals have one.
    """
    if name == "tandemdb":
        return TandemDB(lake, threads, source, device)
    return _RIVALS[name](lake, threads, source)


def _paths(lake: Path, table: str) -> list[str]:
    return [str(path) for path in table_files(lake, table)]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class TandemDB:
    """TandemDB through its Python interface."""

    def __init__(self, lake: Path, threads: int, source: Source, device: DeviceChoice) -> None:
        from .. import connect

        config = {"threads": threads, "device": device}
        if source == "parquet":
            self.connection = connect(lake=str(lake), config=config)
        else:
            self.connection = connect(config=config)
            for table in TABLES:
                files = [f"select * from {_quoted(path)}" for path in _paths(lake, table)]
                self.connection.execute(f"create table {table} as {' union all '.join(files)}")

    def run(self, sql: str) -> Outcome:
        cursor = self.connection.execute(sql)
        table = cursor.fetch_arrow_table()
        profile = cursor.profile
        return Outcome(table, tuple(map(str, profile.fallbacks)), tuple(uncounted(profile)))

    def explain(self, sql: str) -> str:
        (row,) = self.connection.execute(f"explain (format json) {sql}").fetchall()
        return str(row[-1])


def uncounted(profile: "Profile") -> list[str]:
    """Operators that ran on another device than they were placed on, and that no fallback accounts for."""
    from ..physical.nodes import walk_nodes

    counted = {fallback.op_id for fallback in profile.fallbacks}
    nodes = () if profile.root is None else walk_nodes(profile.root)
    return [
        type(node).__name__
        for node in nodes
        if node.op_id in profile.operators
        and profile.operators[node.op_id].device is not node.device
        and node.op_id not in counted
    ]


class DuckDB:
    """DuckDB through its Python interface; the oracle as well."""

    def __init__(self, lake: Path, threads: int, source: Source) -> None:
        import duckdb

        self.connection = duckdb.connect(config={"threads": threads})
        kind = "view" if source == "parquet" else "table"
        for table in TABLES:
            paths = ", ".join(_quoted(path) for path in _paths(lake, table))
            self.connection.execute(f"create {kind} {table} as select * from read_parquet([{paths}])")

    def run(self, sql: str) -> Outcome:
        relation = self.connection.sql(sql)
        assert relation is not None, "a query has a result"
        return Outcome(relation.to_arrow_table())

    def explain(self, sql: str) -> str:
        return "\n".join(str(row[1]) for row in self.connection.execute(f"explain {sql}").fetchall())


class Polars:
    """Polars through its SQL context."""

    def __init__(self, lake: Path, threads: int, source: Source) -> None:
        import polars

        assert polars.thread_pool_size() == threads, "POLARS_MAX_THREADS was not set in time"
        frames: dict[str, Any] = {}
        for table in TABLES:
            scan = polars.scan_parquet(_paths(lake, table))
            frames[table] = scan if source == "parquet" else scan.collect()
        self.context = polars.SQLContext(frames=frames, eager=False)

    def run(self, sql: str) -> Outcome:
        return Outcome(self.context.execute(sql).collect().to_arrow())

    def explain(self, sql: str) -> str:
        return self.context.execute(sql).explain()


class DataFusion:
    """DataFusion through its Python interface."""

    def __init__(self, lake: Path, threads: int, source: Source) -> None:
        import datafusion

        self.context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(threads))
        for table in TABLES:
            files = table_files(lake, table)
            if source == "parquet":
                self.context.register_parquet(table, str(files[0] if len(files) == 1 else files[0].parent))
            else:
                held = pa.concat_tables(pq.read_table(path) for path in files)
                self.context.register_record_batches(table, _partitions(held, threads))

    def run(self, sql: str) -> Outcome:
        return Outcome(self.context.sql(sql.rstrip().rstrip(";")).to_arrow_table())

    def explain(self, sql: str) -> str:
        return str(self.context.sql(sql.rstrip().rstrip(";")).execution_plan().display_indent())


def _partitions(table: pa.Table, count: int) -> list[list[pa.RecordBatch]]:
    """A table's batches dealt out to as many partitions as there are threads."""
    batches = table.to_batches()
    return [batches[start::count] for start in range(min(count, len(batches)))]


_RIVALS: Final[Mapping[str, Callable[[Path, int, Source], Engine]]] = {
    "duckdb": DuckDB,
    "polars": Polars,
    "datafusion": DataFusion,
}

RIVALS: Final = tuple(_RIVALS)


def limit_cores(threads: int) -> None:
    """Keep this process to as many cores as it may use threads, helper threads included (Linux only)."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        if threads < len(cores):
            os.sched_setaffinity(0, cores[:threads])
