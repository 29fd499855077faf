"""Python functions in SQL: values, NULLs, errors and calls as in DuckDB."""

from __future__ import annotations

import datetime
import decimal
import enum
import functools
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import tandemdb

D = decimal.Decimal
UTC = datetime.UTC


def rows(module: Any, function: Callable[..., Any], sql: str, *args: Any, **options: Any) -> Any:
    """The rows of a query that calls `function` as f."""
    con = module.connect()
    con.create_function("f", function, *args, **options)
    return con.execute(sql).fetchall()


def outcome(module: Any, *args: Any, **options: Any) -> Any:
    """Rows, or the word "error"."""
    try:
        return rows(module, *args, **options)
    except module.Error:
        return "error"


# What comes back --------------------------------------------------------------------------------------------
SAME_AS_DUCKDB = [
    (1.5, "BIGINT"), (1.0, "BIGINT"), (2.5, "INTEGER"), ("7", "BIGINT"), ("x", "BIGINT"), (300, "TINYINT"),
    (True, "BIGINT"), (True, "VARCHAR"), (True, "DOUBLE"), (2, "BOOLEAN"), ("true", "BOOLEAN"),
    (0.0, "BOOLEAN"), (3, "VARCHAR"), (3.5, "VARCHAR"), (b"ab", "VARCHAR"), ("ab", "BLOB"), (b"ab", "BLOB"),
    (bytearray(b"ab"), "BLOB"), (datetime.date(2020, 1, 2), "DATE"),
    (datetime.datetime(2020, 1, 2, 3), "DATE"), (datetime.date(2020, 1, 2), "TIMESTAMP"),
    ("2020-01-02", "DATE"), (datetime.date(2020, 1, 2), "VARCHAR"),
    (datetime.datetime(2020, 1, 2, 3, 4, 5, 6), "TIMESTAMP"), (datetime.time(1, 2, 3), "TIME"),
    (datetime.timedelta(days=2, hours=3), "INTERVAL"), (D("1.25"), "DECIMAL(5,1)"),
    (D("1.25"), "DECIMAL(5,2)"), (1.25, "DECIMAL(5,1)"), (12345, "DECIMAL(5,2)"), (5, "DOUBLE"),
    (2**70, "HUGEINT"), (2**70, "BIGINT"), (2**70, "DOUBLE"), (float("inf"), "DOUBLE"),
    (float("inf"), "BIGINT"), (2**31, "INTEGER"), (-1, "UBIGINT"), (uuid.UUID(int=5), "VARCHAR"),
    (object(), "VARCHAR"), (D("1.5"), "BIGINT"), (D("1.5"), "DOUBLE"),
    (datetime.datetime(2020, 1, 2, 3, tzinfo=UTC), "TIMESTAMP"), (5, "DATE"), (5, "TIMESTAMP"),
    (5, "INTERVAL"), ("\ud800", "VARCHAR"), (1.5, "HUGEINT"), (None, "BIGINT"),
]  # fmt: skip


def shown(value: Any) -> str:
    """The same in every process: an object's own text has its address."""
    return "object" if type(value) is object else repr(value)


@pytest.mark.parametrize(("value", "kind"), SAME_AS_DUCKDB, ids=shown)
def test_a_returned_value_is_cast_as_in_duckdb(value: Any, kind: str) -> None:
    call = (lambda x: value, "SELECT f(1), typeof(f(1))", ["BIGINT"], kind)
    assert outcome(tandemdb, *call) == outcome(duckdb, *call)


class Colour(enum.IntEnum):
    RED = 7


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (float("nan"), "DOUBLE", "nan"),
        (np.int64(5), "BIGINT", "5"),
        (np.float32(1.5), "DOUBLE", "1.5"),
        (np.bool_(True), "BOOLEAN", "true"),
        (np.datetime64("2020-01-02T03:04:05.000001", "ns"), "TIMESTAMP", "2020-01-02 03:04:05.000001"),
        (np.timedelta64(90, "m"), "INTERVAL", "01:30:00"),
        (Colour.RED, "INTEGER", "7"),
        (datetime.datetime(2020, 1, 2, 3), "TIMESTAMPTZ", "2020-01-02 03:00:00+00"),
    ],
    ids=repr,
)
def test_values_that_only_we_take(value: Any, kind: str, expected: str) -> None:
    """docs/compatibility.md: DuckDB makes NULL of NaN, and refuses most NumPy scalars and naive datetimes."""
    assert rows(tandemdb, lambda x: value, "SELECT f(1)::VARCHAR", ["BIGINT"], kind) == [(expected,)]


@pytest.mark.parametrize("value", [float("nan"), 2**4000, [1], {"a": 1}, D("NaN"), 10**40], ids=str)
def test_what_a_bigint_cannot_be_is_an_error_that_names_the_row(value: Any) -> None:
    with pytest.raises(tandemdb.DataError, match=r'"f" returned .* for f\(3\), not a BIGINT'):
        rows(
            tandemdb, lambda x: value if x == 3 else x, "SELECT f(i) FROM range(5) t(i)", ["BIGINT"], "BIGINT"
        )


@pytest.mark.parametrize("value", [[1], {"a": 1}, (1, 2), object()], ids=lambda value: type(value).__name__)
def test_a_class_without_a_sql_type_is_an_error_for_texts_too(value: Any) -> None:
    """docs/compatibility.md: DuckDB writes lists and dicts as text."""
    with pytest.raises(tandemdb.DataError, match=f"not a VARCHAR: it is of the class {type(value).__name__}"):
        rows(tandemdb, lambda x: value, "SELECT f(1)", [int], str)


def test_mixed_classes_of_values() -> None:
    values = [1, "2", None, 3.6, D("4.4"), np.int8(5), 2**40, None]
    given = rows(
        tandemdb,
        lambda i: values[i],
        "SELECT f(i) FROM range(8) t(i)",
        [int],
        "BIGINT",
        null_handling="special",
    )
    assert [row[0] for row in given] == [1, 2, None, 4, 4, 5, 2**40, None]


# What goes in -----------------------------------------------------------------------------------------------
ARGUMENTS = [
    ("TINYINT", "1"), ("HUGEINT", "99999999999999999999999999999999999999"),
    ("UBIGINT", "18446744073709551615"), ("FLOAT", "0.1"), ("DECIMAL(10,2)", "1.5"),
    ("DECIMAL(38,5)", "1.5"), ("BOOLEAN", "true"), ("VARCHAR", "'a'"), ("BLOB", "'\\xAA'"),
    ("DATE", "'2020-01-02'"), ("TIME", "'01:02:03'"), ("TIMESTAMP", "'2020-01-02 03:04:05.5'"),
    ("TIMESTAMP_S", "'2020-01-02 03:04:05'"), ("TIMESTAMP_NS", "'2020-01-02 03:04:05.123456789'"),
    ("INTERVAL", "'1 month 2 days 3 hours'"), ("BIGINT", "NULL"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), ARGUMENTS)
def test_an_argument_is_the_python_value_that_duckdb_gives(kind: str, text: str) -> None:
    def seen(module: Any) -> Any:
        values: list[Any] = []
        sql = f"SELECT f(x) FROM (SELECT {text}::{kind} AS x)"
        rows(module, lambda x: values.append(x) or 1, sql, [kind], "BIGINT", null_handling="special")
        return type(values[0]), values[0]  # DuckDB folds some constants twice

    assert seen(tandemdb) == seen(duckdb)


def test_an_argument_that_python_cannot_hold_is_an_error() -> None:
    sql = "SELECT f(DATE '0044-03-15 (BC)')"
    with pytest.raises(tandemdb.DataError, match="A DATE given to the Python function"):
        rows(tandemdb, lambda x: 1, sql, ["DATE"], "BIGINT")
    assert rows(tandemdb, lambda x: pa.array([len(x)]), sql, ["DATE"], "BIGINT", type="arrow") == [(1,)]


# Which rows it is called for --------------------------------------------------------------------------------
CALLS = [
    ("SELECT f(1) FROM range(10)", {}),
    ("SELECT f(1) FROM range(10)", {"side_effects": True}),
    ("SELECT f(i) + f(i) FROM range(3) t(i)", {}),
    ("SELECT f(i) + f(i) FROM range(3) t(i)", {"side_effects": True}),
    ("SELECT f(i) FROM (VALUES (1), (NULL), (3)) t(i)", {}),
    ("SELECT f(i) FROM (VALUES (1), (NULL), (3)) t(i)", {"null_handling": "special"}),
    ("SELECT f(NULL)", {}),
    ("SELECT f(NULL)", {"null_handling": "special"}),
    ("SELECT i FROM range(5) t(i) WHERE i > 2 AND f(i) > 0", {}),
    ("SELECT CASE WHEN i > 2 THEN f(i) END FROM range(5) t(i)", {}),
    ("SELECT i FROM (SELECT i, f(i) y FROM range(5) t(i))", {}),
    ("SELECT i FROM (SELECT i, f(i) y FROM range(5) t(i))", {"side_effects": True}),
    ("SELECT i FROM range(5) t(i) WHERE f(0) = 1", {}),
    ("SELECT i FROM range(0) t(i) WHERE f(i) = 1", {}),
]


@pytest.mark.parametrize(("sql", "options"), CALLS)
def test_it_is_called_as_often_as_in_duckdb(sql: str, options: dict[str, Any]) -> None:
    def calls(module: Any) -> Any:
        values: list[Any] = []
        found = rows(module, lambda x: values.append(x) or x, sql, [int], int, **options)
        return found, sorted(values, key=str)

    assert calls(tandemdb) == calls(duckdb)


@pytest.mark.parametrize("handling", ["default", "special"])
def test_an_outer_join_keeps_rows_that_a_function_of_null_wants(handling: str) -> None:
    sql = """SELECT a, b FROM (VALUES (1), (2)) t(a) LEFT JOIN (VALUES (1)) u(b) ON a = b
    WHERE f(b) > 0 AND f(NULL::INTEGER) IS DISTINCT FROM 0 ORDER BY a"""
    call = (lambda x: 1 if x is None else x, sql, [int], int)
    given = rows(tandemdb, *call, null_handling=handling)
    assert given == rows(duckdb, *call, null_handling=handling)
    assert len(given) == (2 if handling == "special" else 1)


def test_arrow_functions_see_no_rows_with_null_unless_asked() -> None:
    sql = "SELECT f(i, j) FROM (VALUES (1, 1), (NULL, 2), (3, NULL), (4, 4)) t(i, j)"
    for options in ({}, {"null_handling": "special"}):

        def seen(module: Any, options: dict[str, str] = options) -> Any:
            given: list[Any] = []

            def function(x: Any, y: Any) -> Any:
                given.append((type(x), x.to_pylist(), y.to_pylist()))
                return pc.fill_null(x, 0)

            return rows(module, function, sql, [int, int], int, type="arrow", **options), given

        assert seen(tandemdb) == seen(duckdb)


@pytest.mark.parametrize("form", ["native", "arrow"])
@pytest.mark.parametrize("volatile", [False, True])
def test_a_function_without_parameters_gives_one_value(form: str, volatile: bool) -> None:
    def seven() -> Any:
        return pa.array([7]) if form == "arrow" else 7

    found = rows(tandemdb, seven, "SELECT f() FROM range(3)", [], int, type=form, side_effects=volatile)
    assert found == [(7,)] * 3


# Errors -----------------------------------------------------------------------------------------------------
def failing(x: int) -> int:
    if x == 3:
        raise ValueError("bad x")
    return x


def test_an_error_names_function_row_and_reason_and_has_the_original_as_cause() -> None:
    con = tandemdb.connect().create_function("failing", failing)
    with pytest.raises(tandemdb.DataError) as found:
        con.execute("SELECT i,\n failing(i) FROM range(5) t(i)").fetchall()
    assert str(found.value).splitlines() == [
        'Invalid Input Error: The Python function "failing" failed for failing(3): ValueError: bad x',
        "LINE 2:  failing(i) FROM range(5) t(i)",
        "         ^~~~~~~~~",
        "Hint: With exception_handling='return_null' the value of such rows is NULL.",
    ]
    assert type(found.value.__cause__) is ValueError
    assert con.execute("SELECT failing(2)").fetchall() == [(2,)]


OUTER = "range(5) t(i) LEFT JOIN range(2) u(j) ON i = j"
SKIPPED = [
    ("SELECT CASE WHEN i <> 3 THEN failing(i) END FROM range(5) t(i)", [0, 1, 2, None, 4]),
    ("SELECT i FROM range(9) t(i) WHERE i > 6 AND failing(i - 3) = 5", [8]),
    ("SELECT i <> 3 AND failing(i) > 1 FROM range(5) t(i)", [False, False, True, False, True]),
    ("SELECT i = 3 OR failing(i) > 1 FROM range(5) t(i)", [False, False, True, True, True]),
    ("SELECT coalesce(CASE WHEN i = 3 THEN 0 END, failing(i)) FROM range(5) t(i)", [0, 1, 2, 0, 4]),
    (f"SELECT i FROM {OUTER} WHERE (i <> 3 OR j > 9) AND failing(i) > 1", [2, 4]),
    ("SELECT i FROM (SELECT * FROM range(5) t(i) LIMIT 3) WHERE failing(i) > 1", [2]),
]


@pytest.mark.parametrize(("sql", "expected"), SKIPPED)
def test_rows_that_need_no_value_raise_no_error(sql: str, expected: list[Any]) -> None:
    con = tandemdb.connect().create_function("failing", failing)
    assert [row[0] for row in con.execute(sql).fetchall()] == expected


@pytest.mark.parametrize("form", ["native", "arrow"])
def test_return_null_makes_null_of_errors_only(form: str) -> None:
    def arrow(x: Any) -> Any:
        raise ValueError

    function = failing if form == "native" else arrow
    sql = "SELECT f(i) FROM range(5) t(i)"
    options = {"type": form, "exception_handling": "return_null"}
    given = rows(tandemdb, function, sql, [int], int, **options)
    assert given == rows(duckdb, function, sql, [int], int, **options)
    assert (None,) in given
    for wrong in ("x", None):
        returned = wrong if form == "native" else pa.array([wrong] * 5)
        with pytest.raises(tandemdb.DataError):
            rows(tandemdb, functools.partial(lambda value, x: value, returned), sql, [int], int, **options)


def test_a_function_that_exits_or_cannot_be_shown_is_an_error_like_others() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

        __repr__ = __str__

    def leave(x: int) -> int:
        raise SystemExit("bye")

    def odd(x: int) -> int:
        raise Odd

    for function, text in ((leave, "SystemExit: bye"), (odd, "Odd")):
        with pytest.raises(tandemdb.DataError, match=f"failed for f\\(1\\): {text}"):
            rows(tandemdb, function, "SELECT f(1)")


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (pa.array([1]), "returned 1 values for 3 rows"),
        (5, "returned int 5 for a batch of 3 rows, not a BIGINT: it must be an array"),
        (pa.array(["q"] * 3), "returned an array of string for a batch of 3 rows, not a BIGINT"),
        (pa.array([True] * 3), "returned an array of bool"),
        (pa.array([[1]] * 3), "returned an array of list"),
        (pa.array([None] * 3, pa.int64()), "returned None for a batch of 3 rows"),
        ("abc", "it must be an array"),
        (pa.table({"a": [1, 2, 3], "b": [1, 2, 3]}), "it must be an array"),
        (pa.array([2.0**70] * 3), "not a BIGINT"),
    ],
    ids=str,
)
def test_what_an_arrow_function_may_not_return(returned: Any, message: str) -> None:
    with pytest.raises(tandemdb.DataError, match=message):
        rows(tandemdb, lambda x: returned, "SELECT f(i) FROM range(3) t(i)", [int], int, type="arrow")


@pytest.mark.parametrize(
    "returned",
    [
        pa.array([1, 2, 3], pa.int32()),
        pa.chunked_array([[1, 2], [3]]),
        pa.table({"a": [1, 2, 3]}),
        [1, 2, 3],
        np.array([1.2, 1.6, 3.0]),
        pa.array(["1", "2", "3"]),
        pa.array([D("1.2"), D("2.4"), D("3.3")]),
        pa.array(["1", "2", "3"]).dictionary_encode(),
        pa.array(["1", "2", "3"], pa.large_string()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_an_arrow_function_may_return(returned: Any) -> None:
    sql = "SELECT f(i) FROM range(3) t(i)"
    assert rows(tandemdb, lambda x: returned, sql, [int], int, type="arrow") == [(1,), (2,), (3,)]


KINDS = (
    "DECIMAL(10,2) DECIMAL(30,4) HUGEINT BOOLEAN VARCHAR BLOB TIME DATE TIMESTAMP TIMESTAMP_NS TIMESTAMPTZ "
    "INTERVAL FLOAT"
).split()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["native", "arrow"])
def test_every_type_goes_through(kind: str, form: str) -> None:
    texts = {"TIME": "01:02:03", "DATE": "2020-01-02", "INTERVAL": "3 days 02:00:00", "BOOLEAN": "true"}
    text = texts.get(kind, "2020-01-02 03:04:05" if "TIMESTAMP" in kind else "12")
    sql = f"SELECT x, f(x), typeof(f(x)) FROM (VALUES ('{text}'::{kind}), (NULL)) t(x)"
    first, second = rows(tandemdb, lambda x: x, sql, [kind], kind, type=form)
    assert first[0] == first[1]
    assert second[:2] == (None, None)
    assert first[2] == second[2]


# Cancellation, threads --------------------------------------------------------------------------------------
@pytest.mark.parametrize("form", ["native", "arrow"])
def test_an_interrupted_query_ends_between_calls(form: str) -> None:
    started = threading.Event()

    def slow(x: Any) -> Any:
        started.set()
        time.sleep(0.02)
        return x

    con = tandemdb.connect().create_function("f", slow, [int], int, type=form)
    timer = threading.Thread(target=lambda: started.wait(30) and con.interrupt())
    timer.start()
    began = time.monotonic()
    with pytest.raises(tandemdb.OperationalError, match="interrupted"):
        con.execute("SELECT sum(f(i)) FROM range(1000000) t(i)").fetchall()
    timer.join()
    assert time.monotonic() - began < 10


def test_many_rows_over_several_threads_keep_their_order() -> None:
    con = tandemdb.connect(config={"threads": 2}).create_function("f", lambda x: x * 3, [int], int)
    con.execute("CREATE TABLE t AS SELECT range AS i FROM range(150000)")
    found = con.execute("SELECT f(i) FROM t").fetch_arrow_table().column(0)
    assert pc.all(pc.equal(found, pc.multiply(pa.array(range(150000)), 3))).as_py()
