"""Columns are read by their place in the file; names that repeat, are empty or hold dots never mix them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from parquet_files import both, write_columns

NAMES = [
    ["a", "a"],
    ["a", "A"],
    ["a", "a", "A", "b", "a_1"],
    ["a", "a_1", "a"],
    ["a_1", "a", "a"],
    ["x", "X_1", "x", "x"],
    ["", "b"],
    ["b", "", ""],
    ["_1", "", ""],
    ["a.b", "a"],
    ["a", "a.b", "a.b.c"],
    ["0", "1", "0"],
    ["1", "0"],
    ["é", "É"],
    [" ", 'a"b', "select"],
]


@pytest.mark.parametrize("names", NAMES, ids=repr)
def test_repeated_and_empty_names(names: list[str], tmp_path: Path) -> None:
    write_columns(tmp_path / "t.parquet", names)
    mine, theirs = both("SELECT * FROM '@t.parquet'", tmp_path)
    if names == ["é", "É"]:
        # The binder folds letters beyond A to Z too.
        theirs = (["é", "É_1"], *theirs[1:])
    assert mine == theirs


def test_a_name_taken_by_an_empty_one_is_readable(tmp_path: Path) -> None:
    """DuckDB refuses such a file: column C1 would be there twice."""
    write_columns(tmp_path / "t.parquet", ["C1", ""])
    cursor = tandemdb.connect().execute(f"SELECT * FROM '{tmp_path}/t.parquet'")
    assert [c[0] for c in cursor.description or ()] == ["C1", "C1_1"]
    assert cursor.fetchall() == [(0, 1)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a_1, b FROM '@t.parquet' WHERE a_1 > 3",
        "SELECT a FROM '@t.parquet' WHERE \"A_2\" > 5",
        "SELECT a_1_1, a FROM '@t.parquet' WHERE a = 2",
        "SELECT s, a FROM '@t.parquet' WHERE s_1 = 'q'",
        "SELECT s, count(*) FROM '@t.parquet' GROUP BY s ORDER BY s",
        "SELECT max(a_1), min(\"A_2\") FROM '@t.parquet'",
        "SELECT x.a, y.a_1 FROM '@t.parquet' x JOIN '@t.parquet' y ON x.a + 2 = y.a_1 ORDER BY 1",
    ],
)
def test_filters_and_late_columns_take_the_right_one(sql: str, tmp_path: Path) -> None:
    names = ["a", "a", "A", "b", "a_1", "s", "s"]
    columns = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], ["x", "y"], ["p", "q"]]
    write_columns(tmp_path / "t.parquet", names, columns)
    mine, theirs = both(sql, tmp_path)
    assert mine == theirs


FILES = {
    "one": ["a", "A"],
    "two": ["A", "a"],
    "upper": ["A"],
    "lower": ["a"],
    "none": ["", "b"],
    "last": ["b", ""],
}
PAIRS = [(x, y) for x in FILES for y in FILES]


@pytest.mark.parametrize("union", ["false", "true"])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_many_files_agree_by_the_names_made_unique(
    first: str, second: str, union: str, tmp_path: Path
) -> None:
    for file in (first, second):
        write_columns(
            tmp_path / f"{file}.parquet", FILES[file], [[f"{file}{i}"] for i in range(len(FILES[file]))]
        )
    sql = f"SELECT * FROM read_parquet(['@{first}.parquet', '@{second}.parquet'], union_by_name = {union})"
    try:
        mine, theirs = both(sql, tmp_path)
    except tandemdb.Error as error:
        missing = {n.lower() for n in FILES[first]} - {n.lower() for n in FILES[second]}
        assert union == "false" and (missing or len(FILES[first]) > len(FILES[second])), error
        assert f"{second}.parquet' has no column" in str(error)
        return
    assert mine == theirs


def test_members_of_a_struct(tmp_path: Path) -> None:
    struct = pa.StructArray.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["x", "x", "X"])
    pq.write_table(pa.table({"s": struct, "S": struct}), tmp_path / "t.parquet")
    mine, theirs = both("SELECT * FROM '@t.parquet'", tmp_path)
    assert mine == theirs
