"""What a finished build side tells the scans of its probe side, on the GPU and across devices."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from operators.harness import Runner, relation
from tandemdb.cpu_fallback.operators.scan_filters import ScanFilters as CpuScanFilters
from tandemdb.gpu_exec import support
from tandemdb.gpu_exec.backend import GpuBackend
from tandemdb.gpu_exec.operators import parquet_scan
from tandemdb.gpu_exec.operators.chunks import ChunkReader
from tandemdb.physical import nodes, pipeline
from tandemdb.physical.batch import Device
from tandemdb.physical.key_range import KeyRange
from tandemdb.physical.nodes import walk_nodes
from tandemdb.planner.errors import SqlError
from tandemdb.planner.logical import JoinKind
from tandemdb.planner.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    HUGEINT,
    INTEGER,
    SMALLINT,
    TIMESTAMP,
    UBIGINT,
    VARCHAR,
    SQLType,
    decimal,
)

KINDS: dict[str, tuple[SQLType, list[Any], tuple[Any, Any]]] = {
    "smallint": (SMALLINT, [-(2**15), 3, None], (-(2**15), 3)),
    "integer": (INTEGER, [5, None, -7, 2**31 - 1], (-7, 2**31 - 1)),
    "bigint": (BIGINT, [-(2**63), 2**63 - 1, 0], (-(2**63), 2**63 - 1)),
    "unsigned": (UBIGINT, [2**64 - 1, 7, None], (7, 2**64 - 1)),
    "decimal": (decimal(12, 2), [100, 250, None], (100, 250)),
    "date": (DATE, [18_000, -5, None], (-5, 18_000)),
    "timestamp": (TIMESTAMP, [10**15, -1], (-1, 10**15)),
    "wide": (decimal(38, 2), [10**30, -5], (None, None)),
    "hugeint": (HUGEINT, [2**100, 5], (None, None)),
    "double": (DOUBLE, [float("nan"), 1.5], (None, None)),
    "varchar": (VARCHAR, ["b", None, "a"], (None, None)),
    "boolean": (BOOLEAN, [True], (None, None)),
    "one": (INTEGER, [4], (4, 4)),
}


def built(kind: SQLType, values: list[Any]) -> Any:
    runner = Runner(GpuBackend(), 2, 4)
    right = relation([(value,) for value in values], j=kind)
    left = relation([], k=kind)
    node = nodes.HashJoin(
        kind=JoinKind.SEMI,
        left=left.node(),
        right=right.node(),
        keys=(nodes.JoinKey(left["k"], right["j"]),),
        columns=left.columns,
    )
    runner.run(0, runner.relation(right, "plain"), [], pipeline.BuildSink(node))
    return runner.context.artifacts[0]


@pytest.mark.parametrize("name", KINDS)
def test_the_range_of_a_key(double: Any, name: str) -> None:
    del double
    kind, values, ends = KINDS[name]
    found = built(kind, values).runtime_filter(0)
    assert (found.low, found.high, found.empty) == (*ends, False)
    for nothing in ([], [None, None]):
        assert built(kind, nothing).runtime_filter(0).empty


def test_the_range_over_chunks(double: Any) -> None:
    """A right side that is large for the device is several."""
    del double
    parts = [KeyRange(3, 9, empty=False), KeyRange(None, None, empty=True), KeyRange(-1, 4, empty=False)]
    whole = KeyRange.together(parts)
    assert (whole.low, whole.high, whole.empty) == (-1, 9, False)
    assert KeyRange.together([*parts, KeyRange(None, None, empty=False)]).low is None
    assert KeyRange.together([parts[1]]).empty


def test_the_cpus_scan_tests_by_a_range(double: Any) -> None:
    """As of the build of a join on the GPU, of which the CPU has no table."""
    del double
    tester = CpuScanFilters._tester(built(INTEGER, [3, 7, None]), 0)
    assert tester is not None
    found = tester.test(pa.array([2, 3, None, 5, 8], pa.int32()))
    assert found.tolist() == [False, True, False, True, False]
    assert tester.test(pa.array([1, 3], pa.int32())).dtype == np.bool_
    assert not tester.overlaps(8, 9)
    unknown = CpuScanFilters._tester(built(DOUBLE, [1.0]), 0)
    assert unknown is not None
    assert unknown.test(pa.array([2.0, None])).tolist() == [True, False]


ROWS = 4000


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    numbers = range(ROWS)
    rows = pa.table(
        {
            "k": pa.array(numbers, pa.int32()),
            "mixed": pa.array([i * 7919 % ROWS if i % 11 else None for i in numbers], pa.int64()),
            "price": pa.array([i * 7919 % ROWS for i in numbers], pa.decimal128(12, 2)),
            "z": pa.array([0 if i == 3999 else 1 for i in numbers], pa.int32()),
            "s": pa.array([f"s{i}" for i in numbers]),
        }
    )
    pq.write_table(rows, folder / "t.parquet", row_group_size=500)
    return folder


@pytest.fixture
def con(double: Any, lake: Path) -> Iterator[tandemdb.Connection]:
    del double
    with tandemdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"CREATE VIEW t AS SELECT * FROM '{lake}/t.parquet'")
        connection.execute(f"CREATE TABLE m AS SELECT * FROM '{lake}/t.parquet'")
        connection.execute(
            """CREATE TABLE u AS SELECT 700 + range::INTEGER * 3 AS k, (700 + range * 3)::BIGINT AS n,
            (700 + range * 3)::DECIMAL(12, 2) AS price, range % 2 AS odd FROM range(20)"""
        )
        yield connection


def rows_of(profile: Any, node: nodes.Node) -> int:
    """How many rows an operator gave; one that had nothing to read is not in the profile."""
    found = profile.operators.get(node.op_id)
    return 0 if found is None else found.rows


def ran(con: Any, sql: str) -> tuple[list[Any], dict[str, int]]:
    """The rows, and how many each scan gave."""
    cursor = con.execute(sql)
    rows = sorted(cursor.fetchall(), key=repr)
    found = {
        "x" if "s" in node.names else "y": rows_of(cursor.profile, node)
        for node in walk_nodes(cursor.profile.root)
        if isinstance(node, nodes.TableScan)
    }
    return rows, found


QUERIES = {
    "number": ("SELECT x.s FROM {t} x JOIN u y ON x.k = y.k", 58),
    "unordered": ("SELECT x.s FROM {t} x JOIN u y ON x.mixed = y.n", 58),
    "decimal": ("SELECT x.s FROM {t} x JOIN u y ON x.price = y.price", 58),
    "semi": ("SELECT x.s FROM {t} x WHERE x.mixed IN (SELECT n FROM u WHERE odd = 1)", 55),
    "filtered": ("SELECT x.s FROM {t} x JOIN u y ON x.mixed = y.n WHERE x.s LIKE 's%' AND x.k > 10", 58),
    "nothing": ("SELECT x.s FROM {t} x JOIN u y ON x.k = y.k AND y.k % 7 > 6", 0),
}


@pytest.mark.parametrize("table", ["t", "m"])
@pytest.mark.parametrize("name", QUERIES)
def test_scans_give_what_may_match(con: Any, table: str, name: str) -> None:
    text, most = QUERIES[name]
    sql = text.format(t=table)
    con.execute("SET device = 'cpu'")
    expected, _ = ran(con, sql)
    con.execute("SET on_fallback = 'error'; SET device = 'gpu'")
    rows, given = ran(con, sql)
    assert rows == expected
    assert given["x"] <= most
    con.execute("SET runtime_filters = false")
    rows, given = ran(con, sql)
    assert rows == expected
    assert given["x"] > 1000


def test_row_groups_are_left_out_and_the_reader_filters(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[Any] = []
    terms: list[str] = []
    opened, made = ChunkReader._opened, parquet_scan.reader_tree

    def noted(reader: ChunkReader) -> Any:
        groups.extend(reader._groups)
        return opened(reader)

    def tree(given: Any, places: Any, ops: Any) -> Any:
        terms.extend(f"{term.left.name} {term.op} {term.right.value}" for term in given)
        return made(given, places, ops)

    monkeypatch.setattr(ChunkReader, "_opened", noted)
    monkeypatch.setattr(parquet_scan, "reader_tree", tree)
    con.execute("SET on_fallback = 'error'; SET device = 'gpu'")
    ran(con, "SELECT x.s FROM t x JOIN u y ON x.k = y.k")
    assert groups == [1]
    assert terms == ["k >= 700", "k <= 757"]
    groups.clear()
    ran(con, "SELECT x.s FROM t x JOIN u y ON x.k = y.k AND y.k % 7 > 6")
    assert groups == []
    # What the statistics of the row groups say already is not asked of every row.
    terms.clear()
    con.execute("CREATE TABLE wide AS SELECT range::INTEGER AS k FROM range(-5, 3600)")
    ran(con, "SELECT x.s FROM t x SEMI JOIN wide y ON x.k = y.k")
    assert terms == ["k <= 3599"]


def test_errors_of_the_predicate_come_first(con: Any) -> None:
    """It is an error though the row matches nothing, where no statistics leave it out."""
    sql = "SELECT x.s FROM {t} x JOIN u y ON x.mixed = y.n WHERE x.z = 1 OR 10 // x.z > 3"
    for table in ("t", "m"):
        for device in ("cpu", "gpu"):
            con.execute(f"SET device = '{device}'")
            with pytest.raises(SqlError, match="Division by zero"):
                con.execute(sql.format(t=table)).fetchall()


@pytest.mark.parametrize("lost", [nodes.TableScan, nodes.HashJoin])
def test_across_devices(con: Any, monkeypatch: pytest.MonkeyPatch, lost: type) -> None:
    """The scan on the CPU with the join on the GPU, and the other way round."""
    for text, most in QUERIES.values():
        for table in ("t", "m"):
            sql = text.format(t=table)
            con.execute("SET device = 'cpu'")
            expected, _ = ran(con, sql)
            with monkeypatch.context() as patch:
                patch.setitem(support.OPERATORS, lost, "taken away by the test")
                con.execute("SET device = 'gpu'")
                cursor = con.execute(sql)
                rows = sorted(cursor.fetchall(), key=repr)
                plan = list(walk_nodes(cursor.profile.root))
            (scan,) = (node for node in plan if isinstance(node, nodes.TableScan) and "s" in node.names)
            where = {type(n): n.device for n in plan if isinstance(n, (nodes.TableScan, nodes.HashJoin))}
            assert rows == expected
            assert where[lost] is Device.CPU
            assert set(where.values()) == {Device.CPU, Device.GPU}
            assert rows_of(cursor.profile, scan) <= most


def test_memory_is_short_in_every_call(con: Any, double: Any) -> None:
    con.execute("SET on_fallback = 'error'; SET device = 'gpu'")
    sql = "SELECT x.s FROM t x JOIN u y ON x.mixed = y.n WHERE x.k > 10"
    expected, _ = ran(con, sql)
    before = sum(double.calls.values())
    ran(con, sql)
    count = sum(double.calls.values()) - before
    for first in range(1, count + 1, 7):
        start = sum(double.calls.values())

        def fail(name: str, number: int, first: int = first, start: int = start) -> None:
            if first == number - start:
                raise MemoryError("std::bad_alloc: injected by the test")

        double.before_call = fail
        try:
            assert ran(con, sql)[0] == expected, first
        finally:
            double.before_call = None
