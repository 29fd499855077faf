"""Values for parameters: as many as the statement has, of the right names, and storable."""

import pytest
import tandemdb


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


@pytest.mark.parametrize(
    ("sql", "values", "row"),
    [
        ("SELECT ?::INT", [1], (1,)),
        ("SELECT ?::INT + ?::INT, ?", [1, 2, 3], (3, 3)),
        ("SELECT $1::INT, ?1::INT", [1], (1, 1)),
        ("SELECT $name::INT", {"name": 1}, (1,)),
        ("SELECT $Name", {"nAME": 1}, (1,)),
        ("SELECT $2, ?, $1", [1, 2, 3], (2, 3, 1)),
        ("SELECT 1; SELECT ?", [2], (2,)),
        ("SELECT (SELECT ?) + ? LIMIT ?", [1, 2, 3], (3,)),
    ],
)
def test_each_parameter_gets_its_value(con, sql: str, values: object, row: tuple) -> None:
    assert con.execute(sql, values).fetchall() == [row]


@pytest.mark.parametrize(
    ("sql", "values", "text"),
    [
        ("SELECT 1", [1], r"does not have: \$1"),
        ("SELECT ?", [1, 2, 3], r"does not have: \$2, \$3"),
        ("SELECT $2", [1, 2], r"does not have: \$1"),
        ("SELECT $a", {"a": 1, "b": 2}, r"does not have: \$b"),
        ("SELECT ?", [], r"No value was given for parameter \$1"),
        ("SELECT 1 WHERE false AND ? = 1", [], r"No value was given for parameter \$1"),
        ("SELECT $a", {"b": 1}, r"No value was given for parameter \$a"),
        ("SELECT ?; SELECT 1", [], r"No value was given for parameter \$1"),
        ("SELECT ?; SELECT ?", [1], r"the values go to the last statement"),
        ("SELECT $1, $a", {"1": 1, "a": 2}, "Named and numbered parameters"),
        ("CREATE VIEW v AS SELECT ?", [1], "cannot have parameters"),
    ],
)
def test_missing_and_surplus_values_are_errors(con, sql: str, values: object, text: str) -> None:
    with pytest.raises((tandemdb.ProgrammingError, tandemdb.NotSupportedError), match=text):
        con.execute(sql, values).fetchall()
    assert con.execute("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("sql", "values"), [("SELECT '\ud800'", None), ("SELECT 1 AS \udfff", None), ("SELECT ?", ["a\ud800"])]
)
def test_lone_surrogates_are_one_printable_error(con, sql: str, values: object) -> None:
    with pytest.raises(tandemdb.DatabaseError, match="lone surrogate") as caught:
        con.execute(sql, values).fetchall()
    assert str(caught.value).encode("utf-8")
