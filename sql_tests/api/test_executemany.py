"""executemany: INSERT ... VALUES (?, ...) is executed once for all rows, as if row by row."""

import datetime
import decimal
import time

import pytest
import tandemdb

D = decimal.Decimal


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


def test_ten_thousand_rows_take_less_than_a_second(con) -> None:
    con.execute("CREATE TABLE t(a INTEGER, s VARCHAR, d DECIMAL(10,2), x DOUBLE)")
    rows = [(i, f"text {i}", D(i) / 4, i / 7) for i in range(10_000)]
    con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows[:2])
    start = time.perf_counter()
    cursor = con.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    assert time.perf_counter() - start < 1
    assert cursor.rowcount == 10_000
    assert con.execute("FROM t OFFSET 2").fetchall() == rows


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("TINYINT", [1, None, -5]),
        ("BIGINT", [1, 2**40, None, -(2**63)]),
        ("HUGEINT", [2**100, 1, None]),
        ("DOUBLE", [1, 2.5, None, float("inf")]),
        ("DECIMAL(10,2)", [D("1.5"), D("-22.25"), None, D("1E+3")]),
        ("DECIMAL(10,2)", [D("1.5"), 3, 2.5, "4.25"]),
        ("VARCHAR", ["a", "", None, "é", 5, True]),
        ("BLOB", [b"", b"\x00\xff", None]),
        ("DATE", [datetime.date(2020, 2, 29), None]),
        ("DATE", ["2020-02-29", None, "1999-01-01"]),
        ("TIMESTAMP", [datetime.datetime(2020, 1, 1, 2, 3, 4, 5), None]),
        ("TIME", [datetime.time(1, 2, 3), None]),
        ("INTERVAL", [datetime.timedelta(days=1, seconds=5), None]),
        ("BOOLEAN", [True, None, False]),
        ("DATE", [None, None]),
        ("BLOB", [None, None]),
    ],
)
def test_values_are_those_of_single_inserts(con, kind: str, values: list) -> None:
    con.execute(f"CREATE TABLE one(v {kind}); CREATE TABLE many(v {kind})")
    for value in values:
        con.execute("INSERT INTO one VALUES (?)", [value])
    assert con.executemany("INSERT INTO many VALUES (?)", [[v] for v in values]).rowcount == len(values)
    assert con.execute("FROM many").fetchall() == con.execute("FROM one").fetchall()


@pytest.mark.parametrize(
    ("sql", "rows", "stored"),
    [
        ("INSERT INTO t(b, a) VALUES (?, ?)", [("x", 1), ("y", 2)], [(1, "x", 7), (2, "y", 7)]),
        ("INSERT INTO t VALUES (?, 'c' || 'd', 5)", [[1], [2]], [(1, "cd", 5), (2, "cd", 5)]),
        ("INSERT INTO t VALUES (?, ? || '!', 0)", [(1, "a"), (2, "b")], [(1, "a!", 0), (2, "b!", 0)]),
        ("INSERT INTO t VALUES (?, DEFAULT, ?)", [(1, 2), (3, 4)], [(1, None, 2), (3, None, 4)]),
        ("INSERT INTO t VALUES ($2, $1, 0)", [("x", 1), ("y", 2)], [(1, "x", 0), (2, "y", 0)]),
        (
            "INSERT INTO t VALUES ($k, $V, $k)",
            [{"k": 1, "v": "x"}, {"v": "y", "K": 2}],
            [(1, "x", 1), (2, "y", 2)],
        ),
        ("INSERT INTO t VALUES (?::DOUBLE, ?, 1)", [("1", 2), ("2", 3)], [(1, "2", 1), (2, "3", 1)]),
        ("INSERT INTO t SELECT ?, ?, 1", [(1, "a"), (2, "b")], [(1, "a", 1), (2, "b", 1)]),
        ("INSERT INTO t VALUES (?, 'a', 1), (?, 'b', 1)", [(1, 2), (3, 4)], None),
    ],
)
def test_forms_of_the_statement(con, sql: str, rows: list, stored: list | None) -> None:
    con.execute("CREATE TABLE t(a INTEGER, b VARCHAR, c INTEGER DEFAULT 7)")
    con.executemany(sql, rows)
    stored = stored or [(1, "a", 1), (2, "b", 1), (3, "a", 1), (4, "b", 1)]
    assert con.execute("FROM t").fetchall() == stored


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([[1], [2, 3]], r"does not have: \$2"),
        ([[1], []], r"No value was given for parameter \$1"),
        ([[1], ["x"], [3]], "Could not convert string 'x'"),
        ([[1], [2**40]], "out of range|Type INT64|cast"),
        ([[1], [object()]], "object"),
    ],
)
def test_one_bad_row_stores_none_or_those_before_it_and_the_error_is_that_of_a_single_insert(
    con, rows: list, text: str
) -> None:
    con.execute("CREATE TABLE t(a INTEGER)")
    with pytest.raises(tandemdb.Error, match=text):
        con.executemany("INSERT INTO t VALUES (?)", rows)
    assert con.execute("SELECT count(*) <= 1 FROM t").fetchall() == [(True,)]
    assert con.execute("SELECT 1").fetchall() == [(1,)]
