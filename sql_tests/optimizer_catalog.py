"""TPC-H at any scale factor as the optimizer sees it: row counts and column statistics, without data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from planner_catalog import SMALL, TPCH, MemoryCatalog, MemoryTable, bind_query, table
from tandemdb.planner.logical import ColumnIds, Plan
from tandemdb.planner.optimizer import OptimizerContext, optimize
from tandemdb.planner.optimizer.driver import Batch, Rule, run_rule
from tandemdb.planner.optimizer.printer import plan_text
from tandemdb.planner.statistics import ColumnStats, TableStats

ROWS = {
    "region": 5,
    "nation": 25,
    "supplier": 10_000,
    "customer": 150_000,
    "part": 200_000,
    "partsupp": 800_000,
    "orders": 1_500_000,
    "lineitem": 6_001_215,
}


def _day(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


# Distinct values, and bounds where there are any that conditions use.
_COLUMNS: dict[str, tuple[float, Any, Any]] = {
    "r_regionkey": (5, 0, 4),
    "r_name": (5, "AFRICA", "MIDDLE EAST"),
    "n_nationkey": (25, 0, 24),
    "n_name": (25, "ALGERIA", "VIETNAM"),
    "n_regionkey": (5, 0, 4),
    "s_suppkey": (10_000, 1, 10_000),
    "s_nationkey": (25, 0, 24),
    "s_acctbal": (9_955, -99822, 999972),
    "c_custkey": (150_000, 1, 150_000),
    "c_nationkey": (25, 0, 24),
    "c_acctbal": (140_187, -99999, 999999),
    "c_mktsegment": (5, "AUTOMOBILE", "MACHINERY"),
    "p_partkey": (200_000, 1, 200_000),
    "p_brand": (25, "Brand#11", "Brand#55"),
    "p_type": (150, "ECONOMY ANODIZED BRASS", "STANDARD POLISHED TIN"),
    "p_size": (50, 1, 50),
    "p_container": (40, "JUMBO BAG", "WRAP PKG"),
    "ps_partkey": (200_000, 1, 200_000),
    "ps_suppkey": (10_000, 1, 10_000),
    "ps_availqty": (9_999, 1, 9_999),
    "ps_supplycost": (99_865, 100, 100_000),
    "o_orderkey": (1_500_000, 1, 6_000_000),
    "o_custkey": (99_996, 1, 149_999),
    "o_orderstatus": (3, "F", "P"),
    "o_orderdate": (2_406, _day("1992-01-01"), _day("1998-08-02")),
    "o_orderpriority": (5, "1-URGENT", "5-LOW"),
    "l_orderkey": (1_500_000, 1, 6_000_000),
    "l_partkey": (200_000, 1, 200_000),
    "l_suppkey": (10_000, 1, 10_000),
    "l_quantity": (50, 100, 5_000),
    "l_discount": (11, 0, 10),
    "l_returnflag": (3, "A", "R"),
    "l_linestatus": (2, "F", "O"),
    "l_shipdate": (2_526, _day("1992-01-02"), _day("1998-12-01")),
    "l_commitdate": (2_466, _day("1992-01-31"), _day("1998-10-31")),
    "l_receiptdate": (2_554, _day("1992-01-04"), _day("1998-12-31")),
    "l_shipinstruct": (4, "COLLECT COD", "TAKE BACK RETURN"),
    "l_shipmode": (7, "AIR", "TRUCK"),
}
# What does not grow with the scale factor, and what does: keys, and money, whose values are limited.
_FIXED = ("region", "nation")
_KEYS = ("suppkey", "custkey", "partkey", "orderkey")
_BALANCES = 1_099_999


def _scaled(name: str, scale: float) -> tuple[float, Any, Any]:
    """Distinct values and bounds of a column at a scale factor."""
    ndv, low, high = _COLUMNS[name]
    if name.endswith(_KEYS):
        return ndv * scale, low, int(high * scale)
    if name.endswith("acctbal") and scale != 1:
        rows = ROWS["supplier" if name.startswith("s_") else "customer"] * scale
        return _BALANCES * (1 - math.exp(-rows / _BALANCES)), low, high
    return ndv, low, high


@dataclass(frozen=True)
class MeasuredTable(MemoryTable):
    """A table with statistics: none of its columns has a NULL."""

    known: Mapping[str, tuple[float, Any, Any]] = field(default_factory=dict)

    def stats(self) -> TableStats:
        return TableStats(self.rows, exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        found = self.known.get(name)
        if found is None:
            return ColumnStats(self.rows, 0, None, exact=True, source="parquet")
        ndv, low, high = found
        return ColumnStats(self.rows, 0, ndv, low, high, exact=True, source="parquet", confidence=0.9)


def measured_catalog(scale: float = 1) -> MemoryCatalog:
    """The eight tables of TPC-H at a scale factor with statistics, and t, u, w without."""
    entries: dict[str, Any] = {n: table(n, c) for n, c in SMALL.items()}
    known = {name: _scaled(name, scale) for name in _COLUMNS}
    for name, columns in TPCH.items():
        rows = ROWS[name] if name in _FIXED else int(ROWS[name] * scale)
        plain = table(name, columns, rows)
        entries[name] = MeasuredTable(plain.name, plain.columns, plain.rows, known)
    return MemoryCatalog(entries)


def optimized(sql: str, *, disabled: str = "", catalog: MemoryCatalog | None = None) -> Plan:
    """The optimised plan of a query."""
    ids = ColumnIds()
    query = bind_query(sql, catalog or measured_catalog(), ids=ids)
    names = frozenset(n for n in disabled.split(",") if n)
    return optimize(query.plan, OptimizerContext(ids, names))


def optimized_text(sql: str, **options: Any) -> str:
    """The optimised plan of a query as text."""
    return plan_text(optimized(sql, **options))


def before_and_after(sql: str, rule: Rule, given: tuple[Rule, ...] = ()) -> tuple[str, str]:
    """The plan of a query before and after one rule, `given` rules having run first."""
    ids = ColumnIds()
    context = OptimizerContext(ids)
    plan = bind_query(sql, measured_catalog(), ids=ids).plan
    for earlier in given:
        plan = run_rule(plan, earlier, context)
    return plan_text(plan), plan_text(run_rule(plan, rule, context))


def rules_by_name(batches: tuple[Batch, ...]) -> dict[str, Rule]:
    """All rules of the batches."""
    return {rule.name: rule for batch in batches for rule in batch.rules}
