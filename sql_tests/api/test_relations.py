"""Relations: queries put together in Python, compared with DuckDB's."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
import tandemdb
from tandemdb.engine.connection import Connection

SQL = "SELECT i, i % 3 AS k, 'x' || i AS s FROM range(10) t(i)"
OTHER = "SELECT * FROM (VALUES (0, 'a'), (2, 'b'), (7, NULL)) v(k, w)"


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


STEPS = {
    "filter": lambda r, o: r.filter("k = 1 AND s <> 'x1'"),
    "project": lambda r, o: r.project("i + 1 AS j, s"),
    "select": lambda r, o: r.select("s", "i"),
    "chosen": lambda r, o: r["k"],
    "aggregate": lambda r, o: r.aggregate("k, sum(i) AS n, max(s)"),
    "aggregate with group": lambda r, o: r.aggregate("count(*)", "k"),
    "aggregate of all": lambda r, o: r.aggregate("sum(i), min(s)"),
    "order": lambda r, o: r.order("k DESC, i"),
    "limit": lambda r, o: r.order("i DESC").limit(3, 2),
    "distinct": lambda r, o: r.project("k").distinct(),
    "unique": lambda r, o: r.unique("k"),
    "join on names": lambda r, o: r.join(o, "k"),
    "join on a condition": lambda r, o: r.set_alias("a").join(
        o.set_alias("b"), "a.k = b.k AND a.i > 2", how="left"
    ),
    "semi join": lambda r, o: r.join(o, "k", how="semi"),
    "cross": lambda r, o: r.cross(o.set_alias("o")),
    "union": lambda r, o: r.project("i").union(o.project("k")),
    "intersect": lambda r, o: r.project("i").intersect(o.project("k")),
    "except": lambda r, o: r.project("i").except_(o.project("k")),
    "count": lambda r, o: r.count("*"),
    "query": lambda r, o: r.query("named", "SELECT k, count(*) AS n FROM named GROUP BY k"),
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_give_what_duckdb_gives(con, name: str) -> None:
    step = STEPS[name]
    ours = step(con.sql(SQL), con.sql(OTHER))
    theirs = step(duckdb.sql(SQL), duckdb.sql(OTHER))
    if "count" not in name:
        assert [str(kind) for kind in ours.types] == [str(kind) for kind in theirs.types]
    assert ours.columns == theirs.columns
    rows, wanted = ours.fetchall(), theirs.fetchall()
    if name not in ("order", "limit"):
        rows, wanted = sorted(rows, key=str), sorted(wanted, key=str)
    assert rows == wanted
    assert ours.fetchall() != [] or not wanted  # it runs again


def test_wrong_names_are_told_when_a_step_is_made(con) -> None:
    with pytest.raises(tandemdb.SqlError, match="nope"):
        con.sql(SQL).filter("nope = 1")
    with pytest.raises(tandemdb.SqlError, match="nope"):
        con.sql("SELECT * FROM nope")
    with pytest.raises(tandemdb.SqlError, match="nope"):
        con.table("nope")
    with pytest.raises(tandemdb.SqlError, match='"sideways" is no kind of join'):
        con.sql(SQL).join(con.sql(OTHER), "k", how="sideways")
    with tandemdb.connect() as second, pytest.raises(tandemdb.SqlError, match="different connections"):
        con.sql(SQL).join(second.sql(OTHER), "k")


def test_a_relation_keeps_the_variables_it_was_made_of(con) -> None:
    def made(value: int) -> tandemdb.Relation:
        frame = pa.table({"a": [value]})
        return con.sql("SELECT a FROM frame") if frame else None

    one, two = made(1), made(2)
    assert one.filter("a > 0").fetchall() == [(1,)]
    assert two.fetchall() == [(2,)]
    with pytest.raises(tandemdb.SqlError, match='different Python objects by "frame"'):
        one.union(two)
    assert one.union(one).fetchall() == [(1,), (1,)]


def test_a_relation_is_a_table_by_its_variables_name(con) -> None:
    numbers = con.sql(SQL)
    assert con.sql("SELECT sum(i) FROM numbers").fetchall() == [(45,)], numbers
    assert duckdb.sql("SELECT count(*), sum(i) FROM numbers").fetchall() == [(10, 45)]


def test_fetches_go_on_and_start_again(con) -> None:
    relation = con.sql("SELECT i FROM range(5) t(i)")
    assert (relation.fetchone(), relation.fetchmany(2)) == ((0,), [(1,), (2,)])
    assert relation.fetchall() == [(3,), (4,)]
    assert relation.fetchall() == [(i,) for i in range(5)]
    assert relation.shape == (5, 1)
    assert len(relation) == 5
    assert relation.execute().fetchone() == (0,)
    assert relation.df()["i"].tolist() == [1, 2, 3, 4]
    assert relation.pl()["i"].to_list() == relation.arrow()["i"].to_pylist() == [0, 1, 2, 3, 4]
    assert relation.fetchnumpy()["i"].tolist() == relation.fetch_record_batch().read_all()["i"].to_pylist()
    assert "Range" in relation.explain() or "range" in relation.explain()


def test_rows_are_stored(con, tmp_path) -> None:
    relation = con.sql(SQL)
    relation.create('a "b"')
    relation.insert_into('a "b"')
    assert con.table('a "b"').count().fetchall() == [(20,)]
    assert relation.create_view("v").filter("i = 1").fetchall() == [(1, 1, "x1")]
    assert con.view("v").columns == ["i", "k", "s"]
    relation.write_parquet(str(tmp_path / "x.parquet"))
    relation.to_csv(str(tmp_path / "x.csv"), sep=";")
    assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/x.parquet'").fetchall() == [(10,)]
    assert (tmp_path / "x.csv").read_text().splitlines()[:2] == ["i;k;s", "0;0;x0"]


def test_statements_that_are_no_queries_run_at_once(con) -> None:
    assert con.sql("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2)") is None
    assert con.sql("SHOW TABLES").fetchall() == [("t",)]
    assert con.sql("SELECT sum(a) + ? AS s FROM t", params=[5]).filter("s > 1").fetchall() == [(8,)]
    assert con.sql("DESCRIBE t").columns[0] == "column_name"
    assert con.from_df(pa.table({"a": [1, 2]})).aggregate("sum(a)").fetchall() == [(3,)]


def test_it_is_shown_as_a_table_that_says_what_it_leaves_out(con, capsys) -> None:
    assert repr(con.sql("SELECT 1 AS a, NULL AS b, 'x\ny' AS c")) == (
        "┌─────────┬────────┬─────────┐\n"
        "│ a       │ b      │ c       │\n"
        '│ INTEGER │ "NULL" │ VARCHAR │\n'
        "├─────────┼────────┼─────────┤\n"
        "│ 1       │ NULL   │ x\\ny    │\n"
        "└─────────┴────────┴─────────┘\n"
        "1 row"
    )
    con.sql("SELECT repeat('é', 100) AS long FROM range(10)").show(max_rows=2)
    shown = capsys.readouterr().out
    assert shown.endswith("the first 2 rows; there are more (wide values cut)\n")
    assert "é" * 59 + "…" in shown


def test_the_default_connection_is_one_for_the_process() -> None:
    assert isinstance(tandemdb.default_connection(), Connection)
    tandemdb.execute("CREATE OR REPLACE TABLE of_the_process AS SELECT 5 AS a")
    assert tandemdb.sql("FROM of_the_process").fetchall() == [(5,)]
    frame = pa.table({"a": [7]})
    assert tandemdb.sql("FROM frame").fetchall() == tandemdb.execute("FROM frame").fetchall() == [(7,)], frame


CLIENT = """
import tandemdb

with tandemdb.connect() as con:
    cursor = con.execute("SELECT ? AS a", [1])
    row: tuple[object, ...] | None = cursor.fetchone()
    rows: list[tuple[object, ...]] = con.sql("SELECT 1").filter("true").fetchall()
    names: list[str] = con.sql("SELECT 1 AS a").columns
    kind: tandemdb.Relation = tandemdb.sql("SELECT 1")
    count: int = con.executemany("INSERT INTO t VALUES (?)", [[1], [2]]).rowcount
    try:
        con.execute("SELECT nope")
    except tandemdb.SqlError as error:
        print(error.message, error.hint)
"""


@pytest.mark.slow
def test_a_typed_client_passes_pyright_strict(tmp_path) -> None:
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    # An editable install is not found by pyright: a folder with a link is.
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "tandemdb").symlink_to(Path(tandemdb.__file__).parent)
    settings = {"typeCheckingMode": "strict", "include": ["client.py"], "extraPaths": ["lib"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
