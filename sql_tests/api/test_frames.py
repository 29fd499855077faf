"""Python objects as tables, and results as the frames of other libraries."""

import datetime
import decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
import tandemdb
from tandemdb.engine.sources.frames import is_frame

ROWS = pa.table(
    {
        "i": pa.array([1, None, 3], pa.int32()),
        "s": pa.array(["a", "é", None]).dictionary_encode(),
        "d": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("-2.25")], pa.decimal128(10, 2)),
        "t": pa.array([datetime.date(2020, 2, 29), None, None]),
        "b": pa.array([True, None, False]),
        "n": pa.array([[1, 2], None, []], pa.list_(pa.int64())),
    }
)
VALUES = [
    (1, "a", decimal.Decimal("1.50"), datetime.date(2020, 2, 29), True, [1, 2]),
    (None, "é", None, None, None, None),
    (3, None, decimal.Decimal("-2.25"), None, False, []),
]
ALL = (
    "SELECT 1::TINYINT AS a, 2::UBIGINT AS b, 1.5::FLOAT AS c, 2.5 AS d, 'x' AS e, '\\x00'::BLOB AS f,"
    " DATE '2020-01-01' AS g, TIME '01:02:03' AS h, TIMESTAMP '2020-01-01 01:02:03' AS i, true AS j,"
    " 5::HUGEINT AS k UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
)


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


@pytest.mark.parametrize(
    "make",
    [
        lambda: ROWS,
        lambda: ROWS.to_batches()[0],
        ROWS.to_reader,
        lambda: ds.dataset(ROWS),
        lambda: pl.from_arrow(ROWS),
        lambda: pl.from_arrow(ROWS).lazy(),
        lambda: duckdb.connect().from_arrow(ROWS),
        lambda: tandemdb.connect().register("t", ROWS).execute("FROM t"),
    ],
)
def test_objects_are_tables_by_their_variables_name(con, make) -> None:
    frame = make()
    assert is_frame(frame)
    assert con.execute("SELECT * FROM frame").fetchall() == VALUES


def test_pandas_frames(con) -> None:
    frame = pd.DataFrame({"i": [1, 2], "x": [0.5, None], "s": ["a", None]}, index=[5, 6])
    rows = con.execute("SELECT i, s, x FROM frame ORDER BY i").fetchall()
    assert rows == [(1, "a", 0.5), (2, None, None)], frame


def test_registered_objects_hide_tables_until_they_are_taken_back(con) -> None:
    con.execute("CREATE TABLE t AS SELECT 'table' AS v")
    assert con.register("T", {"v": ["lent"]}) is con
    assert con.execute("SELECT v FROM t").fetchall() == [("lent",)]
    assert con.execute("SHOW TABLES").fetchall() == [("t",)]
    con.unregister("t")
    assert con.execute("SELECT v FROM t").fetchall() == [("table",)]
    con.unregister("t")
    con.register("other", ROWS)
    assert con.execute("SHOW TABLES").fetchall() == [("other",), ("t",)]


def test_the_callers_locals_go_before_its_globals_and_after_tables(con) -> None:
    assert con.execute("SELECT count(*) FROM rows").fetchall() == [(3,)]
    ROWS = pa.table({"own": [1]})
    assert con.execute("SELECT * FROM rows").fetchall() == [(1,)], ROWS
    con.execute("CREATE TABLE rows AS SELECT 'stored' AS v")
    assert con.execute("SELECT * FROM rows").fetchall() == [("stored",)]
    assert con.execute("WITH rows AS (SELECT 5) FROM rows").fetchall() == [(5,)]


def test_only_the_nearest_caller_counts(con) -> None:
    inner = pa.table({"a": [1]})

    def called() -> list:
        return con.execute("SELECT * FROM inner_frame").fetchall()

    inner_frame = inner
    assert con.execute("SELECT * FROM inner_frame").fetchall() == [(1,)], inner_frame
    with pytest.raises(tandemdb.SqlError, match="inner_frame"):
        called()


def test_variables_that_differ_by_case_are_ambiguous(con) -> None:
    data, DATA = pa.table({"a": [1]}), pa.table({"a": [2]})
    assert con.execute("SELECT * FROM data").fetchall() == [(1,)], data
    assert con.execute("SELECT * FROM DATA").fetchall() == [(2,)], DATA
    with pytest.raises(tandemdb.SqlError, match='may be any of the Python variables "DATA", "data"'):
        con.execute("SELECT * FROM Data")


def test_a_reader_is_read_once_in_a_statement(con) -> None:
    reader = pa.table({"a": [1, 2]}).to_reader()
    sql = "SELECT x.a, y.a FROM reader x JOIN reader y USING (a) ORDER BY 1"
    assert con.execute(sql).fetchall() == [(1, 1), (2, 2)], reader


@pytest.mark.parametrize("value", [5, "text", [1, 2], None, pa.array([1])])
def test_what_is_no_table_cannot_be_registered(con, value) -> None:
    with pytest.raises(tandemdb.SqlError, match='Python object "x" of type'):
        con.register("x", value)


def test_arrow_types_without_a_sql_type_are_named(con) -> None:
    with pytest.raises(tandemdb.SqlError, match='Column "u" of the Python object "x" has the Arrow type'):
        con.register("x", pa.table({"u": pa.array([5], pa.duration("s")), "v": [1]}))


def test_columns_of_equal_names_are_told_apart(con) -> None:
    con.register("x", pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], ["a", "A", "a"]))
    cursor = con.execute("SELECT * FROM x")
    assert [d[0] for d in cursor.description] == ["a", "A_1", "a_2"]
    assert cursor.fetchall() == [(1, 2, 3)]


def test_results_are_the_same_frames_as_from_duckdb(con) -> None:
    ours, theirs = con.execute(ALL), duckdb.sql(ALL)
    # In columns of objects NULL is None here, NA there.
    mine, wanted_frame = ours.df(), theirs.df()
    objects = [name for name in mine if mine[name].dtype == object]
    assert objects == ["f", "h", "j"]
    assert mine[objects].isna().equals(wanted_frame[objects].isna())
    pd.testing.assert_frame_equal(
        mine.drop(columns=objects), wanted_frame.drop(columns=objects), check_dtype=False
    )
    assert con.execute(ALL).pl().drop("k").equals(theirs.pl().drop("k"))
    arrays, wanted = con.execute(ALL).fetchnumpy(), theirs.fetchnumpy()
    for name in "abcgij":
        assert arrays[name].dtype == wanted[name].dtype
        np.testing.assert_array_equal(arrays[name], wanted[name])
    assert [np.ma.is_masked(array) for array in arrays.values()] == [True] * 11
    assert con.execute("SELECT 1 AS a").fetchnumpy()["a"].tolist() == [1]


def test_results_stream_into_other_libraries(con) -> None:
    sql = "SELECT i, i * 2 AS j FROM range(300000) t(i)"
    assert pl.DataFrame(con.execute(sql)).shape == (300000, 2)
    assert pa.table(con.execute(sql)).num_rows == 300000
    assert con.execute(sql).arrow().num_rows == con.execute(sql).fetch_arrow_reader().read_all().num_rows


def test_types_of_frames_are_the_same_without_rows(con) -> None:
    none = f"SELECT * FROM ({ALL}) WHERE false"
    assert con.execute(none).pl().schema == con.execute(ALL).pl().schema
    assert con.execute(none).arrow().schema == con.execute(ALL).arrow().schema
    assert list(con.execute(none).fetchnumpy()) == list("abcdefghijk")
    assert con.execute(none).df().shape == (0, 11)
