"""Reading JSON: formats, names, types and values are those of DuckDB."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import tandemdb
from files.both import both

FILES = [
    '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n', '[{"a":1},{"a":2}]', '{"a":1}\n{"b":2}\n', '{"a":1}{"a":2}',
    '{\n"a":1\n}\n{"a":2}', '[\n  {"a": 1},\n\n  {"a": 2}\n]\n', '{"a":null}', '{"a":1.5}\n{"a":2}\n',
    '{"a":true}', '{"a":"2020-01-01"}', '{"a":"2020-01-01 10:00:00"}', '{"a":"2020-01-01T10:00:00Z"}',
    '{"a":"10:00:00"}', '{"a":[1,2]}', '{"a":{"b":1,"c":"x"}}', '{"a":[{"b":1},{"c":2}]}',
    '{"a":99999999999999999999}', '{"a":1e5}', '{"a":-1}', '{"a":18446744073709551615}', "1\n2\n", "[1,2]",
    '"x"', "[[1],[2]]", '{"a":1}\nbad\n', '{"a":1', '{"A":1,"a":2}', '{"a":"01/02/2020"}',
    '{"a":"2020-01-01"}\n{"a":"x"}\n', '{"a":"1"}', '{"a":[1,2.5]}',
    '{"a":"2020-01-01"}\n{"a":"2020-01-01 10:00:00"}\n', '{"a":{"x":1}}\n{"a":{"y":2}}\n', '{"a":[null]}',
    '{"a":null}\n{"a":1}\n', '{"a":1}\n\n{"a":2}\n', '{"a":"\\u00e9\\n"}', '[{"a":1}]\n[{"a":2}]',
    '{"a":1}\n{"a":2.5,"b":{"c":[1,2]}}\n', '{"a":{"d":"2020-01-01","l":["10:00:00"]}}',
    '{"d":"2020-1-1"}', '{"d":"2020/01/01"}', '{"d":""}', '{"d":"12:00"}', '{"d":"nan"}',
    '{"d":"2020-01-01T10:00:00.123Z"}', '{"d":"2020-01-01 10:00:00+02"}', '{"d":"2020-13-01"}',
    '[{"a":[]},{"a":[1]}]',
]  # fmt: skip
OPTIONS = [
    ('{"a":1,"b":2}', "columns={'a':'INTEGER'}"), ('{"a":1,"b":2}', "columns={'b':'VARCHAR','zz':'INT'}"),
    ('{"a":"x"}', "columns={'a':'INTEGER'}"), ('{"a":"1"}', "columns={'a':'INTEGER'}"),
    ('{"a":1.5}', "columns={'a':'DECIMAL(5,2)'}"), ('{"a":[1]}', "columns={'a':'VARCHAR'}"),
    ('{"a":1}', "format='array'"), ('[{"a":1}]', "format='newline_delimited'"), ('{"a":1}', "format='nd'"),
    ('{"a":1}', "format='unstructured'"), ('{"a":1}', "records=false"), ('[{"a":1}]', "records=false"),
    ("1\n2", "records=true"), ('{"a":"01.02.2020"}', "dateformat='%d.%m.%Y'"),
    ('{"a":1}', "filename=true"), ('{"a":1}', "bogus=true"), ('{"a":1}\n{"b":2}\n', "sample_size=1"),
    ('{"a":1}\nbad\n', "ignore_errors=true"),
    ('{"a":1}\n{"a":"x"}\n', "columns={'a':'INT'}, ignore_errors=true"), ('{"a":1}', "compression='gzip'"),
    ('{"a":1}', "format='nope'"),
]  # fmt: skip
TREE = {
    "a.json": '{"id":1,"n":"x"}\n{"id":2}\n', "m/1.json": '{"a":1}', "m/2.json": '{"a":1.5,"b":"x"}',
    "h/y=2024/a.ndjson": '{"v":1}', "h/y=2025/a.ndjson": '{"v":2}',
    "n.json": '{"l":[1,2],"s":{"x":null,"d":"2020-01-01"}}', "arr.json": '[{"id":5,"n":"z"}]',
}  # fmt: skip
QUERIES = [
    "FROM 'a.json'", "SELECT count(*) FROM 'a.json'", "SELECT n FROM 'a.json' WHERE id = 1",
    "FROM 'm/*.json'", "FROM read_json(['m/1.json', 'm/2.json'])",
    "FROM read_json('m/*.json', union_by_name=true)", "FROM 'z.json.gz'", "FROM 'h/*/*.ndjson'",
    "FROM read_json('h/*/*.ndjson', hive_partitioning=false)", "FROM read_ndjson('a.json')",
    "SELECT v FROM 'h/*/*.ndjson' WHERE y = 2025", "FROM 'nope.json'", "FROM read_json_auto('arr.json')",
    "CREATE OR REPLACE TABLE t(id INT, n VARCHAR);;COPY t FROM 'a.json';;COPY t(n) FROM 'a.json';;FROM t",
    "CREATE OR REPLACE TABLE t(id INT, n VARCHAR);;COPY t FROM 'arr.json' (format json, array true);;FROM t",
    "COPY (FROM 'n.json') TO 'o.json';;FROM 'o.json'",
]  # fmt: skip


def _same(folder: Path, sql: str, files: dict[str, str]) -> None:
    def write(own: Path) -> None:
        for name, content in files.items():
            (own / name).parent.mkdir(parents=True, exist_ok=True)
            (own / name).write_text(content)
        (own / "z.json.gz").write_bytes(gzip.compress(b'{"a":1}\n'))

    ours, theirs = both(folder, sql, write)
    if theirs.error is not None:
        assert ours.error is not None
        assert "Internal" not in ours.error
        return
    assert ours.error is None
    assert (ours.names, ours.types) == (theirs.names, theirs.types)
    assert str(ours.rows) == str(theirs.rows).replace("Etc/UTC", "UTC")


@pytest.mark.parametrize("content", FILES)
def test_files(tmp_path: Path, content: str) -> None:
    _same(tmp_path, "FROM read_json('x.json')", {"x.json": content})


@pytest.mark.parametrize(("content", "options"), OPTIONS)
def test_options(tmp_path: Path, content: str, options: str) -> None:
    _same(tmp_path, f"FROM read_json('x.json', {options})", {"x.json": content})


@pytest.mark.parametrize("sql", QUERIES)
def test_many_files_and_copy_from(tmp_path: Path, sql: str) -> None:
    _same(tmp_path, sql, TREE)


@pytest.mark.parametrize("array", [False, True])
def test_big_files_come_in_blocks_cut_at_values(tmp_path: Path, array: bool) -> None:
    path = tmp_path / "big.json"
    rows = [json.dumps({"i": i, "s": f'}}{i % 7}"\n[', "l": [i, {"k": "]"}]}) for i in range(120_000)]
    path.write_text("[" + ",\n".join(rows) + "]\n" if array else "\n".join(rows) + "\n")
    assert path.stat().st_size > 1.2 * (4 << 20)
    with tandemdb.connect() as con:
        sql = f"SELECT count(*), sum(i), count(DISTINCT s), min(s) FROM '{path}'"
        assert con.execute(sql).fetchall() == [(120_000, 7199940000, 7, '}0"\n[')]
        late = con.execute(f"SELECT i, l FROM '{path}' LIMIT 1 OFFSET 110000").fetchall()
        assert late == [(110000, ["110000", '{"k":"]"}'])]


def test_json_of_no_one_type_is_its_text(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a":1,"b":{}}\n{"a":"x","b":{}}\n{"a":[1, null],"b":{}}\n')
    with tandemdb.connect() as con:
        found = con.execute(f"SELECT a, b FROM '{tmp_path}/a.json'").fetchall()
    assert found == [("1", "{}"), ('"x"', "{}"), ("[1,null]", "{}")]
