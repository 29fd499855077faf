"""What of a scan's predicate the Parquet reader evaluates, and that rows and errors stay the CPU's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tandemdb.gpu_exec.operators import parquet_scan
from tandemdb.gpu_exec.operators.reader_filter import is_plain
from tandemdb.physical.parquet_meta import FileId, read_meta
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import ColumnRef, walk

NAN = float("nan")
ROWS = pa.table(
    {
        "i": pa.array([5, None, -3, 2**31 - 1, -(2**31), 0, 7, 7, 1, None, 2, 9], pa.int32()),
        "n": pa.array([2**63 - 1, -(2**63), 0, None, 1, -1, 3, 3, 4, 5, 6, 7], pa.int64()),
        "s": pa.array([-128, 127, 0, None, 1, 2, 3, 4, 5, 6, 7, 8], pa.int8()),
        "day": pa.array([0, -1, None, 20_000, 1, 2, 3, 4, 5, 6, 7, 8], pa.date32()),
        "at": pa.array([0, -1, None, 2**60, 1, 2, 3, 4, 5, 6, 7, 8], pa.timestamp("us")),
        "ms": pa.array([0, -1, None, 2**40, 1, 2, 3, 4, 5, 6, 7, 8], pa.timestamp("ms")),
        "u": pa.array([0, 255, None, 3, 4, 5, 6, 7, 8, 9, 10, 11], pa.uint8()),
        "x": pa.array([0.5, NAN, None, -0.0, 0.0, NAN, NAN, NAN, 1.5, 2.5, -1.5, NAN], pa.float64()),
        "p": pa.array([1, None, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], pa.decimal128(9, 2)),
        "t": pa.array(["a", None, "", "b", "c", "ä", "d", "e", "f", "g", "h", "i"], pa.string()),
        "b": pa.array([True, None, False, True] * 3, pa.bool_()),
        "full": pa.array(range(12), pa.int32()),
        "took": pa.array(range(12), pa.duration("us")),
        "a.b": pa.array(range(12), pa.int32()),
    }
)


@pytest.fixture
def lake(tmp_path: Path) -> str:
    pq.write_table(ROWS, tmp_path / "rows.parquet", row_group_size=4, store_decimal_as_integer=True)
    return str(tmp_path)


@pytest.fixture
def con(double: Any, lake: str) -> Iterator[tandemdb.Connection]:
    del double
    with tandemdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"CREATE VIEW r AS SELECT * FROM '{lake}/rows.parquet'")
        connection.execute("SET on_fallback = 'error'")
        yield connection


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The columns of each term that readers were given."""
    found: list[str] = []
    original = parquet_scan.reader_tree

    def noted(terms: Any, places: Any, ops: Any) -> Any:
        found.extend(
            "/".join(dict.fromkeys(p.name for p in walk(t) if isinstance(p, ColumnRef))) for t in terms
        )
        return original(terms, places, ops)

    monkeypatch.setattr(parquet_scan, "reader_tree", noted)
    return found


def same(con: Any, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query on the GPU, which must be the CPU's, in their order."""
    con.execute("SET device = 'cpu'")
    expected = con.execute(sql).fetchall()
    con.execute("SET device = 'gpu'")
    found = con.execute(sql).fetchall()
    assert repr(found) == repr(expected), sql
    return found


@pytest.mark.parametrize(
    ("where", "columns"),
    [
        ("i > 3", ["i"]),
        ("3 < i", ["i"]),
        ("i <> 7", ["i"]),
        ("i = 7", ["i"]),
        ("i BETWEEN 1 AND 7", ["i", "i"]),
        ("n >= 3 AND i < 100", ["n", "i"]),
        ("n = 9223372036854775807", ["n"]),
        ("s <= 127", ["s"]),
        ("s = -128", ["s"]),
        ("day >= DATE '1970-01-03'", ["day"]),
        ("at <= TIMESTAMP '1970-01-01 00:00:00.000004'", ["at"]),
        ("(i = 5 OR n < 0) AND full < 11", ["i/n", "full"]),
        ("i > 3 AND x > 1", ["i"]),
        ("i < 3 AND (i > 0 OR x > 1)", ["i"]),
        ("took >= 4", ["took"]),
    ],
)
def test_the_reader_gets(con: Any, pushed: list[str], where: str, columns: list[str]) -> None:
    same(con, f"SELECT i, n, x, t FROM r WHERE {where}")
    assert sorted(set(pushed)) == sorted(set(columns))
    assert same(con, f"SELECT count(*) FROM r WHERE {where}") != [(0,)]


@pytest.mark.parametrize(
    "where",
    [
        "x > 1",
        "x < 1",
        "x = 'nan'",
        "p > 0.03",
        "t > 'b'",
        "u > 4",
        "b",
        "b = true",
        "i IS NULL",
        "i IS NOT NULL",
        "NOT (i > 3 AND x > 0)",
        "i > n",
        "i % 4 > 0",
        "i IS DISTINCT FROM 3",
        "ms < TIMESTAMP '1970-01-01 00:00:00.004'",
        '"a.b" > 3',
        "i IN (5, 7, NULL)",
        "i > 3 OR x > 1",
    ],
)
def test_the_reader_does_not_get(con: Any, pushed: list[str], where: str) -> None:
    assert same(con, f"SELECT i, n, x, t FROM r WHERE {where}")
    assert pushed == []


def test_no_row_is_left(con: Any, pushed: list[str]) -> None:
    """Also where the statistics do not tell."""
    assert same(con, "SELECT t FROM r WHERE full > 4 AND full < 6 AND i < -1 AND n > 0") == []
    assert same(con, "SELECT t, full FROM r WHERE i = 6") == []
    assert pushed


def test_errors_in_rows_where_a_term_is_null(con: Any, pushed: list[str]) -> None:
    """They are due, so that the reader must not drop such rows; those of a false term are not."""
    for device in ("cpu", "gpu"):
        con.execute(f"SET device = '{device}'")
        # Rows 1 and 9 have no i; the text of row 9 is a number nowhere.
        with pytest.raises(SqlError, match="Could not convert"):
            con.execute("SELECT full FROM r WHERE i > 100000 AND CAST(t AS INTEGER) > 0").fetchall()
    assert pushed == []
    assert same(con, "SELECT i FROM r WHERE full > 7 AND 10 // (full - 7) > 4") == [(1,), (None,)]
    assert pushed == ["full"]


def test_names_that_are_not_unique(tmp_path: Path) -> None:
    """The reader looks for a filter's columns by name."""
    path = tmp_path / "twice.parquet"
    column = pa.array([1, 2, 3], pa.int32())
    pq.write_table(pa.Table.from_arrays([column] * 4, ["k", "n", "k", "N"]), path)
    stat = path.stat()
    meta = read_meta(FileId(str(path), stat.st_size, stat.st_mtime_ns))
    assert [is_plain(column, meta) for column in meta.columns] == [False, True, False, True]


def test_a_file_that_lacks_the_column(double: Any, tmp_path: Path, pushed: list[str]) -> None:
    del double
    pq.write_table(pa.table({"a": [1, 2], "k": pa.array([1, 2], pa.int32())}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"a": [3, 4]}), tmp_path / "b.parquet")
    files = f"read_parquet('{tmp_path}/*.parquet', union_by_name = true)"
    with tandemdb.connect(config={"threads": 1}) as con:
        assert same(con, f"SELECT a FROM {files} WHERE k > 1") == [(2,)]
        assert same(con, f"SELECT a FROM {files} WHERE k IS NULL OR k > 1 ORDER BY a") == [(2,), (3,), (4,)]
        assert pushed == ["k"]


def test_memory_is_short_while_the_reader_filters(con: Any, double: Any) -> None:
    """At each call in turn, also when the reader has to begin again: no row is lost or comes twice."""
    sql = "SELECT full, t FROM r WHERE n <> 3 AND i >= -5"
    expected = same(con, sql)
    before = sum(double.calls.values())
    con.execute(sql).fetchall()
    count = sum(double.calls.values()) - before
    assert double.calls["io.parquet.ChunkedParquetReader.has_next"]
    for first in range(1, count + 1, 3):
        start = sum(double.calls.values())

        def fail(name: str, number: int, first: int = first, start: int = start) -> None:
            if first <= number - start < first + 2:
                raise MemoryError("std::bad_alloc: injected by the test")

        double.before_call = fail
        try:
            assert con.execute(sql).fetchall() == expected, first
        finally:
            double.before_call = None


NUMBERS = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([-(2**31), 2**31 - 1]))
SIMPLE = st.builds(
    lambda column, op, value: f"{column} {op} {value}",
    st.sampled_from(["a", "b", "x"]),
    st.sampled_from(["=", "<>", "<", "<=", ">", ">="]),
    st.integers(-3, 3),
)
TERMS = st.one_of(
    SIMPLE,
    st.lists(SIMPLE, min_size=2, max_size=3).map(lambda terms: f"({' OR '.join(terms)})"),
    st.just("a IS NULL"),
    st.just("NOT (a < 0 AND b > 0)"),
)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from([None, NAN, -0.0, 0.0, 1.0])), max_size=9),
    terms=st.lists(TERMS, min_size=1, max_size=3),
    group=st.integers(1, 4),
)
def test_random_predicates(double: Any, tmp_path: Path, rows: Any, terms: Any, group: int) -> None:
    del double
    a, b, x = ([row[i] for row in rows] for i in range(3))
    table = pa.table(
        {"a": pa.array(a, pa.int32()), "b": pa.array(b, pa.int64()), "x": pa.array(x, pa.float64())}
    )
    pq.write_table(table, tmp_path / "random.parquet", row_group_size=group)
    with tandemdb.connect(config={"threads": 1}) as con:
        same(con, f"SELECT a, b, x FROM '{tmp_path}/random.parquet' WHERE {' AND '.join(terms)}")
