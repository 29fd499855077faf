"""Lists and structs of Parquet files: grouped and ordered as in DuckDB, comparisons refused by name."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from oracle.duck import duck

NAN = float("nan")
COLUMNS = {
    "k": pa.array(range(8)),
    "l": pa.array([[1], [2], None, [], [None], [1, None], [1, 2], [1]], pa.list_(pa.int64())),
    "f": pa.array([[0.0], [-0.0], [NAN], [NAN], None, [], [1.0, NAN], [None]], pa.list_(pa.float64())),
    "s": pa.array(
        [
            {"a": 1, "b": "x"},
            {"a": 1, "b": None},
            None,
            {"a": None, "b": "x"},
            {"a": 1, "b": "x"},
            None,
            {"a": 0, "b": "z"},
            {"a": None, "b": None},
        ]
    ),
}


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("nested") / "n.parquet"
    pq.write_table(pa.table(COLUMNS), file)
    return str(file)


@pytest.mark.parametrize("column", ["l", "f", "s"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT k FROM t ORDER BY {c}, k",
        "SELECT k FROM t ORDER BY {c} DESC NULLS LAST, k",
        "SELECT count(*) FROM t GROUP BY {c} ORDER BY min(k)",
        "SELECT count(DISTINCT {c}), count(*) FROM t",
        "SELECT arg_max(k, {c}), arg_min(k, {c}) FROM t",
        "SELECT count(*) FROM (SELECT {c} FROM t WHERE k < 4 UNION SELECT {c} FROM t)",
        "SELECT count(*) FROM (SELECT {c} FROM t WHERE k < 4 INTERSECT SELECT {c} FROM t WHERE k > 3)",
    ],
)
def test_grouping_and_ordering_are_duckdbs(path: str, query: str, column: str) -> None:
    sql = query.format(c=column).replace("FROM t", f"FROM '{path}'")
    with tandemdb.connect() as con:
        assert con.execute(sql).fetchall() == duck().execute(sql).fetchall()


@pytest.mark.parametrize("column", ["l", "s"])
@pytest.mark.parametrize(
    "query",
    [
        "SELECT {c} = {c} FROM t",
        "SELECT {c} < {c} FROM t",
        "SELECT {c} IS DISTINCT FROM {c} FROM t",
        "SELECT {c} IN ({c}, NULL) FROM t",
        "SELECT {c} BETWEEN {c} AND {c} FROM t",
        "SELECT CASE {c} WHEN {c} THEN 1 END FROM t",
        "SELECT nullif({c}, {c}) FROM t",
        "SELECT ({c}, k) = ({c}, k) FROM t",
        "SELECT greatest({c}, {c}) FROM t",
        "SELECT k FROM t WHERE {c} IN (SELECT {c} FROM t)",
        "SELECT k FROM t WHERE {c} = ANY (SELECT {c} FROM t)",
        "SELECT k FROM t WHERE {c} = (SELECT {c} FROM t LIMIT 1)",
        "SELECT a.k FROM t AS a JOIN t AS b ON a.{c} = b.{c}",
        "SELECT a.k FROM t AS a JOIN t AS b USING ({c})",
        "SELECT a.k FROM t AS a NATURAL JOIN (SELECT {c} FROM t) AS b",
    ],
)
def test_comparisons_are_duckdbs(path: str, query: str, column: str) -> None:
    sql = query.format(c=column).replace("FROM t", f"FROM '{path}'").replace("JOIN t", f"JOIN '{path}'")
    with tandemdb.connect() as con:
        found, wanted = con.execute(sql).fetchall(), duck().execute(sql).fetchall()
        assert sorted(found, key=repr) == sorted(wanted, key=repr)


@pytest.mark.parametrize("column", ["l", "s"])
def test_plus_takes_numbers(path: str, column: str) -> None:
    with tandemdb.connect() as con, pytest.raises(tandemdb.ProgrammingError, match="takes no arguments"):
        con.execute(f"SELECT +{column} FROM '{path}'")


@pytest.mark.parametrize(
    "value",
    [[1, 2], (1, 2), {"a": 1}, [[1], [2.5]], [], [None], [1, None, 3], [1, "a"], {"a": [1, {"b": None}][:1]}],
    ids=repr,
)
def test_parameters(value: object) -> None:
    sql = "SELECT ?, typeof(?)"
    with tandemdb.connect() as con:
        found = con.execute(sql, [value, value]).fetchall()
    assert found == duck().execute(sql, [value, value]).fetchall()


def test_maps_of_parquet_files(tmp_path) -> None:
    file = str(tmp_path / "m.parquet")
    kind = pa.map_(pa.string(), pa.list_(pa.int32()))
    maps = pa.array([[("a", [1]), ("b", None)], [], None, [("a", [])]], kind)
    pq.write_table(pa.table({"m": maps, "k": pa.array(range(4))}), file)
    for query in (
        "SELECT * FROM t",
        "SELECT m['a'], map_keys(m), map_values(m), cardinality(m) FROM t",
        "SELECT m, count(*) FROM t GROUP BY m ORDER BY m",
        "SELECT k, unnest(map_entries(m)) FROM t",
    ):
        sql = query.replace("FROM t", f"FROM '{file}'")
        with tandemdb.connect() as con:
            assert con.execute(sql).fetchall() == duck().execute(sql).fetchall()


def test_arrow_types_of_results() -> None:
    sql = "SELECT [1.5, NULL] l, {'a': 1, 'b': ['x']} s, MAP {'k': 1} m, (1, 'a') t"
    with tandemdb.connect() as con:
        table = con.execute(sql).fetch_arrow_table()
    assert table.schema.types[:3] == [
        pa.list_(pa.decimal128(2, 1)),
        pa.struct([("a", pa.int32()), ("b", pa.list_(pa.string()))]),
        pa.map_(pa.string(), pa.int32()),
    ]
    table.validate(full=True)
