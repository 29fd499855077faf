"""create_function and remove_function: signatures, names, options."""

from __future__ import annotations

import datetime
import functools
import math
from typing import Any, Optional

import numpy as np
import pyarrow as pa
import pytest
import tandemdb
from tandemdb.planner import types


@pytest.fixture
def con() -> Any:
    with tandemdb.connect() as connection:
        yield connection


def annotated(x: int, y: str | None = "q") -> str:
    return f"{x}{y}"


def any_number(*args: Any) -> int:
    return len(args)


def texts(first: int, *rest: str) -> str:
    return f"{first}{''.join(rest)}"


def dates(x: datetime.date, y: Optional[datetime.timedelta] = None) -> datetime.datetime:  # noqa: UP045
    return datetime.datetime(x.year, x.month, x.day) + (y or datetime.timedelta())


class Adder:
    def __call__(self, x: int) -> int:
        return x + 1

    def method(self, x: int) -> int:
        return x + 2


@pytest.mark.parametrize(
    ("function", "args", "sql", "expected"),
    [
        (annotated, (), "SELECT f(41, 'a'), typeof(f(41, 'a'))", ("41a", "VARCHAR")),
        (any_number, (), "SELECT f(), f(1), f(1, 'a', 2.5)", (0, 1, 3)),
        (any_number, (["INTEGER"], "BIGINT"), "SELECT f(1), f(1, 2)", (1, 2)),
        (texts, (), "SELECT f(1), f(1, 'a', 'b')", ("1", "1ab")),
        (dates, (), "SELECT typeof(f(DATE '2020-01-01', INTERVAL 1 DAY))", ("TIMESTAMP",)),
        (
            lambda x: x,
            (None, "VARCHAR"),
            "SELECT f('a'), f(3), f(DATE '2020-01-01')",
            ("a", "3", "2020-01-01"),
        ),
        (lambda x: x + 1, (["bigint"], "varchar"), "SELECT f(41)", ("42",)),
        (lambda x: x + 1, ([int], float), "SELECT f(41), typeof(f(41))", (42.0, "DOUBLE")),
        (lambda x: x, ([np.int32], pa.decimal128(9, 2)), "SELECT typeof(f(1::TINYINT))", ("DECIMAL(9,2)",)),
        (lambda x: x, ([types.decimal(9, 2)], types.VARCHAR), "SELECT f(1)", ("1.00",)),
        (lambda x: x, (["TIMESTAMP WITH TIME ZONE"], "DATE"), "SELECT typeof(f(NULL))", ("DATE",)),
        (lambda: 7, ([], int), "SELECT f()", (7,)),
        (len, (["VARCHAR"], int), "SELECT f('abc')", (3,)),
        (math.sqrt, ([float], float), "SELECT f(4)", (2.0,)),
        (Adder(), (), "SELECT f(4)", (5,)),
        (Adder().method, (), "SELECT f(4)", (6,)),
        (functools.partial(lambda a, b: a - b, 10), ([int], int), "SELECT f(4)", (6,)),
        (lambda x, *, k=3: x + k, ([int], int), "SELECT main.f(1)", (4,)),
    ],
)
def test_signatures(con: Any, function: Any, args: tuple[Any, ...], sql: str, expected: Any) -> None:
    assert con.create_function("f", function, *args) is con
    assert con.execute(sql).fetchall() == [expected]


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (lambda x: x, (), 'type that "f" returns is not known'),
        (lambda x: x, (["BIGINT"],), 'type that "f" returns is not known'),
        (lambda x: x, (["BIGINT", "BIGINT"], int), '2 types are given for "f", which takes 1 parameter'),
        (lambda x: x, ([], int), '0 types are given for "f", which takes 1 parameter'),
        (lambda x, y=2: x, ([int], int), '1 type is given for "f", which takes 2 parameters'),
        (lambda x, *y: x, ([], int), "takes at least 1 parameter"),
        (lambda *, k: k, ([], int), "keyword argument 'k'"),
        (lambda x: x, ("BIGINT", int), "parameters must be a list of types"),
        (lambda x: x, (["BIGINTX"], int), "BIGINTX"),
        (lambda x: x, (["INT) + (1"], int), "no SQL type stands for"),
        (lambda x: x, ([3], int), "no SQL type stands for 3"),
        (lambda x: x, ([dict], int), "no SQL type stands for"),
        (lambda x: x, ([int | str], int), "no SQL type stands for"),
        (lambda x: x, (["BIGINT[]"], int), "values of type BIGINT\\[\\] are not supported"),
        (lambda x: x, ([int], pa.list_(pa.int64())), "values of type BIGINT\\[\\] are not supported"),
        (lambda x: x, ([int], pa.null()), "not supported"),
        (max, (None, int), "Python does not tell what parameters"),
        (3, ([int], int), "must be a Python callable, not an int"),
    ],
)
def test_refused(con: Any, function: Any, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(tandemdb.DatabaseError, match=message):
        con.create_function("f", function, *args)
    with pytest.raises(tandemdb.ProgrammingError, match='Function "f" does not exist'):
        con.execute("SELECT f(1)")


@pytest.mark.parametrize(
    "options",
    [
        {"type": "foo"},
        {"null_handling": "no"},
        {"exception_handling": None},
        {"device": "tpu"},
        {"type": 3},
        {"side_effects": "no"},
    ],
)
def test_unknown_options(con: Any, options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(tandemdb.DataError, match=f"^Invalid Input Error: {name} must be .* or .*, not "):
        con.create_function("f", lambda x: x, [int], int, **options)


@pytest.mark.parametrize("name", ["abs", "ABS", "sum", "coalesce", "substr", "date_add"])
def test_the_names_of_built_in_functions_are_taken(con: Any, name: str) -> None:
    """docs/compatibility.md: DuckDB adds an overload where the types differ."""
    with pytest.raises(tandemdb.ProgrammingError, match="is a built-in function"):
        con.create_function(name, lambda x: x, ["BLOB"], "BLOB")


@pytest.mark.parametrize("name", ["", "  ", 3, None])
def test_names_that_no_text_can_call(con: Any, name: Any) -> None:
    with pytest.raises(tandemdb.DataError, match="name of a function"):
        con.create_function(name, lambda x: x, [int], int)


def test_a_function_that_is_known_but_not_built_in_can_be_made(con: Any) -> None:
    con.create_function("soundex", lambda x: x[:1], [str], str)
    assert con.execute("SELECT soundex('abc')").fetchall() == [("a",)]


def test_names_have_no_case_and_may_be_quoted(con: Any) -> None:
    con.create_function("My Fun", lambda x: x, [int], int)
    assert con.execute('SELECT "my fun"(1)').fetchall() == [(1,)]
    with pytest.raises(tandemdb.ProgrammingError, match="exists already"):
        con.create_function("MY FUN", lambda x: x, [int], int)
    con.remove_function("my FUN")
    with pytest.raises(tandemdb.ProgrammingError, match="does not exist"):
        con.execute('SELECT "my fun"(1)')


def test_a_removed_function_can_be_made_anew_and_is_another(con: Any) -> None:
    con.create_function("f", lambda x: x, [int], int)
    first = con.execute("SELECT f(i) FROM range(3) t(i)")
    con.execute("CREATE VIEW v AS SELECT f(1) AS a")
    con.remove_function("f").create_function("f", lambda x: str(x) * 2, [int], str)
    assert first.fetchall() == [(0,), (1,), (2,)]
    assert con.execute("SELECT a FROM v").fetchall() == [("11",)]
    con.remove_function("f")
    with pytest.raises(tandemdb.ProgrammingError, match='"f" does not exist'):
        con.execute("SELECT a FROM v")


def test_removing_what_is_not_there_names_what_is(con: Any) -> None:
    con.create_function("compute", lambda x: x, [int], int)
    with pytest.raises(tandemdb.ProgrammingError, match=r'(?s)no Python function called "komput".*"compute"'):
        con.remove_function("komput")
    with pytest.raises(tandemdb.ProgrammingError, match="no Python function"):
        con.remove_function("abs")


def test_functions_belong_to_their_connection(con: Any) -> None:
    con.create_function("f", lambda x: x, [int], int)
    assert con.cursor().execute("SELECT f(1)").fetchall() == [(1,)]
    with pytest.raises(tandemdb.ProgrammingError), tandemdb.connect() as other:
        other.execute("SELECT f(1)")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT comput(1)", '(?s)"comput" does not exist.*Did you mean "compute"'),
        ("SELECT compute('a', 2)", r"(?s)takes no arguments of these types.*compute\(BIGINT\)"),
        ("SELECT compute(DISTINCT 1)", "DISTINCT"),
        ("SELECT compute(x := 1)", "Named arguments"),
        ("SELECT * FROM compute(1)", "compute"),
    ],
)
def test_wrong_calls(con: Any, sql: str, message: str) -> None:
    con.create_function("compute", lambda x: x, [int], int)
    with pytest.raises(tandemdb.DatabaseError, match=message):
        con.execute(sql)


def test_a_closed_connection_takes_no_functions() -> None:
    con = tandemdb.connect()
    con.close()
    with pytest.raises(tandemdb.InterfaceError):
        con.create_function("f", lambda x: x, [int], int)
