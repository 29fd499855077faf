"""An in-memory catalog for tests of the planner: tables without data, declared by their columns, and the same
in DuckDB.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tandemdb.planner.catalog import TableColumn, View
from tandemdb.planner.frontend import parse_script, run_deep
from tandemdb.planner.statements import BindContext, Query, Statement
from tandemdb.planner.statistics import ColumnStats, TableStats
from tandemdb.planner.types import BIGINT, DATE, DOUBLE, INTEGER, VARCHAR, decimal

MONEY = decimal(15, 2)
TPCH: dict[str, str] = {
    "region": "r_regionkey BIGINT, r_name VARCHAR, r_comment VARCHAR",
    "nation": "n_nationkey BIGINT, n_name VARCHAR, n_regionkey BIGINT, n_comment VARCHAR",
    "supplier": "s_suppkey BIGINT, s_name VARCHAR, s_address VARCHAR, s_nationkey BIGINT, s_phone VARCHAR, "
    "s_acctbal DECIMAL(15,2), s_comment VARCHAR",
    "customer": "c_custkey BIGINT, c_name VARCHAR, c_address VARCHAR, c_nationkey BIGINT, c_phone VARCHAR, "
    "c_acctbal DECIMAL(15,2), c_mktsegment VARCHAR, c_comment VARCHAR",
    "part": "p_partkey BIGINT, p_name VARCHAR, p_mfgr VARCHAR, p_brand VARCHAR, p_type VARCHAR, "
    "p_size INTEGER, "
    "p_container VARCHAR, p_retailprice DECIMAL(15,2), p_comment VARCHAR",
    "partsupp": "ps_partkey BIGINT, ps_suppkey BIGINT, ps_availqty INTEGER, ps_supplycost DECIMAL(15,2), "
    "ps_comment VARCHAR",
    "orders": "o_orderkey BIGINT, o_custkey BIGINT, o_orderstatus VARCHAR, o_totalprice DECIMAL(15,2), "
    "o_orderdate DATE, o_orderpriority VARCHAR, o_clerk VARCHAR, o_shippriority INTEGER, o_comment VARCHAR",
    "lineitem": "l_orderkey BIGINT, l_partkey BIGINT, l_suppkey BIGINT, l_linenumber INTEGER, "
    "l_quantity DECIMAL(15,2), l_extendedprice DECIMAL(15,2), l_discount DECIMAL(15,2), l_tax DECIMAL(15,2), "
    "l_returnflag VARCHAR, l_linestatus VARCHAR, l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE, "
    "l_shipinstruct VARCHAR, l_shipmode VARCHAR, l_comment VARCHAR",
}
# Tables for everything else.
SMALL: dict[str, str] = {
    "t": "a INTEGER, b INTEGER, s VARCHAR, d DATE, p DECIMAL(10,2), x DOUBLE",
    "u": "a BIGINT, c INTEGER, s VARCHAR",
    "w": "k INTEGER, v VARCHAR",
}
_TYPES = {
    "BIGINT": BIGINT, "INTEGER": INTEGER, "VARCHAR": VARCHAR, "DATE": DATE, "DOUBLE": DOUBLE,
    "DECIMAL(15,2)": MONEY, "DECIMAL(10,2)": decimal(10, 2),
}  # fmt: skip


@dataclass(frozen=True)
class MemoryTable:
    """A table of columns only."""

    name: str
    columns: tuple[TableColumn, ...]
    rows: int = 1000

    @property
    def identity(self) -> Hashable:
        return (self.name, self.columns)

    def stats(self) -> TableStats:
        return TableStats(self.rows, exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        return None


def table(name: str, columns: str, rows: int = 1000) -> MemoryTable:
    """A table from a column list as in CREATE TABLE."""
    parts = columns.replace("(15,2)", "(15;2)").replace("(10,2)", "(10;2)").split(", ")
    pairs = [part.replace(";", ",").split(" ") for part in parts]
    return MemoryTable(name, tuple(TableColumn(n, _TYPES[t]) for n, t in pairs), rows)


@dataclass
class MemoryCatalog:
    """Tables and views by lower-case name; `range` and files called known.parquet exist too."""

    entries: dict[str, MemoryTable | View] = field(default_factory=dict)

    def lookup(self, parts: Sequence[str]) -> MemoryTable | View | None:
        if [p.lower() for p in parts[:-1]] not in ([], ["main"], ["memory", "main"]):
            return None
        return self.entries.get(parts[-1].lower())

    def names(self) -> Iterable[str]:
        return [e.name for e in self.entries.values()]

    def table_function(self, name: str, args: Sequence[Any], named: Mapping[str, Any]) -> MemoryTable | None:
        if name in ("range", "generate_series"):
            return MemoryTable(name, (TableColumn(name, BIGINT),))
        return None

    def table_functions(self) -> Iterable[str]:
        return ["range", "generate_series"]

    def open_path(self, path: str) -> MemoryTable | None:
        return table("known", SMALL["u"]) if path == "known.parquet" else None


def tpch_catalog() -> MemoryCatalog:
    """The eight tables of TPC-H, and t, u, w."""
    return MemoryCatalog({n: table(n, c) for n, c in {**TPCH, **SMALL}.items()})


def bind_sql(sql: str, catalog: MemoryCatalog | None = None, **context: Any) -> Statement:
    """Binds a one-statement script."""
    from tandemdb.planner.binder import bind

    (parsed,) = parse_script(sql)
    bound = BindContext(catalog or tpch_catalog(), **context)
    return run_deep(lambda: bind(parsed, bound), parsed.depth)


def bind_query(sql: str, catalog: MemoryCatalog | None = None, **context: Any) -> Query:
    """Binds a query."""
    statement = bind_sql(sql, catalog, **context)
    assert isinstance(statement, Query)
    return statement


def describe(sql: str, catalog: MemoryCatalog | None = None) -> list[tuple[str, str]]:
    """(name, type) of every result column."""
    query = bind_query(sql, catalog)
    return [(n, str(c.type)) for n, c in zip(query.names, query.plan.schema, strict=True)]


def duckdb_connection() -> Any:
    """DuckDB with the same (empty) tables."""
    import duckdb

    connection = duckdb.connect()
    for name, columns in {**TPCH, **SMALL}.items():
        connection.execute(f"CREATE TABLE {name} ({columns})")
    return connection
