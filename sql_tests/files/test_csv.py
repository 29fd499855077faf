"""Reading CSV: dialect, header, names, types and values are those of DuckDB, for odd files too."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import tandemdb
from files.both import both

# Files that are read without options.
FILES = [
    "a,b\nx,y\n", "a,b\n1,y\n", "1,2\n3,4\n", "a\nb\nc\n", "a\n1\n2\n", "a;b\n1;2\n", "a|b\n1|2\n",
    "a\tb\n1\t2\n", "a b\n1 2\n", "a:b\n1:2\n", "a,b", "a,b\n", "1,2\n", "", "\n", "a\n", "\n\na,b\n1,2\n",
    "a,b\n\n1,2\n", "a,b\n1,2\n\n3,4\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", "\ufeffa,b\n1,2\n",
    'a,b\n"x,1",2\n', 'a,b\n"x\ny",2\n', 'a,b\n"x""y",2\n', "a,b\n'x,1',2\n", 'a,b\n"x\\"y",2\n',
    "a,b\n1,2,3\n", "a,b\n1\n2,3\n", "a,b,c\n1,2\n3,4\n", "a,a\n1,2\n", "a,\n1,2\n", ",b\n1,2\n",
    ",\n1,2\n", "a,b\n,\n1,2\n", 'a,b\n"",2\n', 'a,b\nx,""\ny,\n', "#c\na,b\n1,2\n", "a,b\n#x\n1,2\n",
    "a,b # foo\n1,2\n", "title\n\na,b\n1,2\n3,4\n", "title\na,b\n1,2\n", "a,b\nNULL,1\n",
    "id,name\n1,x\nfoo,y\n", "x,1\ny,2\n", "2020,2021\nx,y\n", "name,2020\nx,5\n", "a,b\n 1 , 2 \n",
    'a,b\n"x" ,2\n', 'a,b\nx"y,2\n', 'a,b\n"x"y,2\n', "a,b\nx\0y,2\n", 'a,b\n1,2\n3,"4\n', "a,b,\n1,2,\n",
    "a;b,c\n1;2,3\n", 'n,d\nx,"a;b"\ny,"c;d"\n', "text\nhello, world\nfoo\n", "ä,ö\nß,€\n",
    "text\nhello, world\nfoo, bar\n", "a,b\n1,it's\n2,don't\n", "a,b\n1,'x\n2,y'\n", " a , b \n1,2\n",
    "x,\ny,z\n",
]  # fmt: skip
# Columns of one value or more: what type they are found to have.
VALUES = [
    "2020-01-01", "01/02/2020", "13/01/2020\n01/02/2020", "01/13/2020", "2020/01/01", "2020-1-1",
    "20200101", "01-02-2020", "01.02.2020", "2020.01.01", "01/02/20", "20/02/01", "2020-13-01", "2020-01",
    "1.2.3", "2020-01-01 10:00:00", "2020-01-01T10:00:00Z", "2020-01-01 10:00",
    "2020-01-01 10:00:00.123456789", "2020-01-01 10:00:00+02", "01/02/2020 10:00:00",
    "01/02/2020 10:00:00 PM", "10:00:00", "12:00", "10:00:00.5", "10:00:00+01", "24:00:00", "true\nfalse",
    "T\nF", "yes", "y", "on", "0\n1", "1.5", "1\n1.5", "1e5", "nan", "99999999999999999999",
    "9223372036854775808\n1.5", "01", "00", "007.5", " 1", "+1", "1_000", "0x1F", "1.", ".5", "-0", "1e",
    "- 1", "1e400", "$5", "2020-01-01\n2020-01-01 10:00:00", "01/02/2020\n2020-01-01", "true\n1",
    "2020-01-01 10:00:00\n2020-01-01 10:00:00+01", "1\n\n2", "x\n\ny", '"1"', '{"a":1}',
    "10:00:00\n2020-01-01",
]  # fmt: skip
OPTIONS = [
    ("a,b\n1,2\n3\n4,5\n", "null_padding=true"), ("a,b\n1,2\n3,4,5\n", "ignore_errors=true"),
    ("a,b\n1,2\n3,4,5\n", "null_padding=true"), ("a,b\nNA,1\n-,2\n", "nullstr=['NA','-']"),
    ("a,b\n,1\n2,2\n", "nullstr='NA'"), ("a,b\n1,2\n", "header=false"), ("1,2\n3,4\n", "header=true"),
    ("a,b\n1,2\n", "all_varchar=true"), ("a,b\n1,2\n", "names=['x']"), ("a,b\n1,2\n", "names=['x','x']"),
    ("a,b\n1,2\n", "names=['x','y','z']"), ("a,b\n1,2\n", "columns={'x':'INT','y':'VARCHAR'}"),
    ("a,b\n1,2\n", "types={'a':'VARCHAR'}"), ("a,b\n1,2\n", "types=['VARCHAR','DOUBLE']"),
    ("a,b\n1,2\n", "dtypes={'zz':'VARCHAR'}"), ("a,b\n1,2\n", "types={'a':'NOPE'}"),
    ("x\na,b\n1,2\n", "skip=1"), ("a,b\n1,2\n", "skip=5"), ("a,b\n1,2\n", "header=false, skip=1"),
    ("A b,C-d,1x,select,É\n1,2,3,4,5\n", "normalize_names=true"),
    ("a;b\n1,5;2\n", "decimal_separator=','"),
    ("a;b\n1.000,5;2\n", "thousands='.', decimal_separator=',', delim=';'"),
    ("a,b\n1,2\n", "filename=true"), ("a,b\n1,2\n", "filename='fn'"), ("a,b\n1,2\n", "bogus=1"),
    ("a,b\n1,2\n", "sample_size=1"), ("a,b\n01/02/2020,2\n", "dateformat='%m/%d/%Y'"),
    ("a\n2020.01.02 03\n", "timestampformat='%Y.%m.%d %H'"), ("a,b\n1,2\nx,3\n", "types={'a':'INT'}"),
    ("a,b\n1,2\nx,3\n", "types={'a':'INT'}, ignore_errors=true"), ("a,b\n1,2\n", "auto_detect=false"),
    ("a,b\n1,2\n", "auto_detect=false, columns={'x':'VARCHAR','y':'VARCHAR'}"),
    ("a,b\n1,2\n", "header=1, delim=';'"), ("a\n" + "1\n" * 30000 + "x\n", ""),
    ("a\n" + "1\n" * 30000 + "x\n", "sample_size=-1"), ("#x\na,b\n1,2#c\n#y\n", "comment='#'"),
    ("a,b\n'1','x''y'\n", "quote=''''"), ('a,b\n1,"2"\n', "quote=''"), ("aXXb\n1XX2\n", "delim='XX'"),
    ("a,b\n1,2\n3\n", "header=true, delim=','"), ("a,b\n1,2\n3\n", "columns={'a':'INT','b':'INT'}"),
    ("a,b\n,2\n", "force_not_null=['a']"), ("a,b\n,2\n", "column_types={'a':'INTEGER'}"),
    ("a,b\n1,2.5\n", "auto_type_candidates=['INTEGER','FLOAT','VARCHAR']"),
    ("a,b\n1,2\n", "compression='gzip'"), ("a|b\n1|2\n", "sep='|', escape='\\', quote='\"'"),
    ("x,y\n1,2\n", "columns={'a':'INT','b':'INT'}"),
]  # fmt: skip


def _same(folder: Path, content: str, options: str = "") -> None:
    def write(own: Path) -> None:
        (own / "x.csv").write_bytes(content.encode())

    ours, theirs = both(folder, f"SELECT * FROM read_csv('x.csv'{options and ', ' + options})", write)
    if theirs.error is not None:
        assert ours.error is not None
        assert "Internal" not in ours.error
        return
    assert ours.error is None
    assert (ours.names, ours.types) == (theirs.names, theirs.types)
    assert str(ours.rows) == str(theirs.rows).replace("Etc/UTC", "UTC")


@pytest.mark.parametrize("content", FILES)
def test_files(tmp_path: Path, content: str) -> None:
    _same(tmp_path, content)


@pytest.mark.parametrize("values", VALUES)
def test_types(tmp_path: Path, values: str) -> None:
    _same(tmp_path, f"d\n{values}\n")


@pytest.mark.parametrize(("content", "options"), OPTIONS)
def test_options(tmp_path: Path, content: str, options: str) -> None:
    _same(tmp_path, content, options)


TREE = {
    "a.csv": "id,name\n1,x\n2,\n", "m/1.csv": "a,b\n1,2\n", "m/2.csv": "b,a\n3,4\n",
    "u/1.csv": "a,b\n1,2\n", "u/2.csv": "b,c\n3,x\n", "t/1.csv": "a\n1\n", "t/2.csv": "a\n1.5\n",
    "t/3.csv": "a\nx\n", "n/1.csv": "1,2\n", "n/2.csv": "3,4\n", "h/y=2024/m=1/a.csv": "v\n1\n",
    "h/y=2025/m=2/a.csv": "v\n2\n", "bad.csv": "a,b\n1,2\n3,x\n", "d/k=2024-01-01/a.csv": "v\n1\n",
    "d/k=2025-01-01/a.csv": "v\n2\n", "e/k=a%20b/a.csv": "v\n1\n",
    "e/k=__HIVE_DEFAULT_PARTITION__/a.csv": "v\n2\n",
}  # fmt: skip
QUERIES = [
    "FROM 'a.csv'", "SELECT count(*) FROM 'a.csv'", "SELECT name FROM 'a.csv' WHERE id > 1",
    "FROM 'z.csv.gz'", "FROM 'm/*.csv'", "FROM read_csv(['m/1.csv', 'm/2.csv'])",
    "FROM read_csv('u/*.csv', union_by_name=true)", "FROM read_csv('u/*.csv')", "FROM 't/*.csv'",
    "FROM read_csv('t/[12].csv')", "FROM 'n/*.csv'", "FROM 'nope.csv'",
    "FROM read_csv(['t/1.csv', 't/2.csv'], union_by_name=true)",
    "FROM read_csv('t/*.csv', union_by_name=true)", "FROM 'h/*/*/*.csv'",
    "FROM 'h/**/*.csv' WHERE y = 2025", "SELECT y, count(*) FROM 'h/**/*.csv' GROUP BY y ORDER BY y",
    "FROM read_csv('h/**/*.csv', hive_partitioning=false)",
    "FROM read_csv('h/**/*.csv', hive_types={'y':'VARCHAR'})",
    "FROM read_csv('h/**/*.csv', hive_types_autocast=false)", "FROM 'd/*/*.csv'",
    "FROM read_csv('e/*/*.csv', filename=true)",
    "FROM read_csv('h/**/*.csv', hive_types={'zz':'VARCHAR'})", "DESCRIBE FROM 'd/*/*.csv'",
    "FROM 'nope/*.csv'",
    "CREATE OR REPLACE TABLE t(i INT, n TEXT);;COPY t FROM 'a.csv';;COPY t(n, i) FROM 'm/1.csv';;FROM t",
    "{T};;COPY t FROM 'bad.csv' (header)",
    "{T};;COPY t FROM 'nope.csv'",
    "{T};;COPY t FROM 'bad.csv' (header, ignore_errors);;COPY t FROM 'm/*.csv';;FROM t",
    "{T};;COPY t FROM 'n/1.csv' (header false);;FROM t",
    "{T};;COPY t(zz) FROM 'm/1.csv'",
    "{T};;COPY t FROM 'm/1.csv' (no 1)",
    "CREATE OR REPLACE TABLE t(a INT, b INT DEFAULT 7);;COPY t(a) FROM 't/1.csv';;FROM t",
]  # fmt: skip


@pytest.mark.parametrize("sql", QUERIES)
def test_many_files_and_copy_from(tmp_path: Path, sql: str) -> None:
    def write(own: Path) -> None:
        for name, content in TREE.items():
            (own / name).parent.mkdir(parents=True, exist_ok=True)
            (own / name).write_text(content)
        (own / "z.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))

    ours, theirs = both(tmp_path, sql.replace("{T}", "CREATE OR REPLACE TABLE t(a INT, b INT)"), write)
    if theirs.error is not None:
        assert ours.error is not None
        assert "Internal" not in ours.error
        return
    assert ours.error is None
    assert (ours.names, ours.types, ours.rows) == (theirs.names, theirs.types, theirs.rows)


def test_big_files_come_in_blocks_cut_at_rows(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    rows = [f'{i},"line\n{i % 7}, ""q""",{i / 4}\n' for i in range(300_000)]
    path.write_text("i,s,d\n" + "".join(rows))
    assert path.stat().st_size > 2 * (4 << 20)
    with tandemdb.connect() as con:
        sql = f"SELECT count(*), sum(i), sum(d), min(s), max(s), count(DISTINCT s) FROM '{path}'"
        found = con.execute(sql).fetchall()
        assert found == [(300_000, 44999850000, 11249962500.0, 'line\n0, "q"', 'line\n6, "q"', 7)]
        assert con.execute(f"SELECT i FROM '{path}' LIMIT 2 OFFSET 250000").fetchall() == [
            (250000,),
            (250001,),
        ]
        path.write_text("i,s,d\n" + "".join(rows) + "x,y,1\n")
        with pytest.raises(tandemdb.Error, match=r"Line: 600002\nOriginal Line: x,y,1") as caught:
            con.execute(sql).fetchall()
        assert str(path) in str(caught.value)


def test_a_row_longer_than_a_block(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    text = "x" * (9 << 20)
    path.write_text(f'a,b\n1,"{text}"\n2,y\n')
    with tandemdb.connect() as con:
        assert con.execute(f"SELECT a, length(b) FROM '{path}'").fetchall() == [(1, 9 << 20), (2, 1)]


def test_scans_are_placed_on_the_cpu_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    with tandemdb.connect() as con:
        con.execute("SET gpu_profile = 'h100'")
        ((_, plan),) = con.execute(f"EXPLAIN SELECT * FROM '{tmp_path}/a.csv'").fetchall()
    assert "CSV and JSON are parsed on the CPU" in plan
