"""Damaged, vanished and replaced files are one IO Error that names the file, whatever path reads them."""

import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from tandemdb.engine.sources.filesystem import expand
from tandemdb.physical.parquet_footer import FooterError, plain_footer

ROWS = 1200
TABLE = pa.table(
    {
        "k": list(range(ROWS)),
        "g": [i % 7 for i in range(ROWS)],
        "s": [f"s{i % 50}" for i in range(ROWS)],
        "u": [f"text é {i}" for i in range(ROWS)],
        "n": [None if i % 3 else i / 2 for i in range(ROWS)],
        "l": [[i, i + 1] for i in range(ROWS)],
    }
)
QUERIES = [
    "SELECT * FROM '{}'",
    "SELECT u, s, n, l FROM '{}' WHERE k > 1000 AND g = 3",
    "SELECT g, count(DISTINCT s), min(u), max(u), sum(n) FROM '{}' GROUP BY g",
    "SELECT a.u FROM '{0}' a JOIN '{0}' b ON a.k = b.k AND a.s = b.s WHERE b.g = 2",
    "SELECT u FROM '{}' WHERE u LIKE '%9%' ORDER BY k DESC LIMIT 5",
]


@pytest.mark.parametrize("seed", range(25))
def test_any_damage_is_an_io_error_or_no_error(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "t.parquet"
    compression = rng.choice(["none", "snappy", "zstd"])
    pq.write_table(
        TABLE, path, row_group_size=500, compression=compression, use_dictionary=rng.random() < 0.6
    )
    data = bytearray(path.read_bytes())
    pages = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    low, high = (4, pages) if rng.random() < 0.6 else (pages, len(data))
    for _ in range(rng.choice([1, 2, 20])):
        data[rng.randrange(low, high)] = rng.randrange(256)
    if rng.random() < 0.2:
        del data[rng.randrange(len(data)) :]
    path.write_bytes(data)
    for query in QUERIES:
        try:
            tandemdb.connect().execute(query.format(path)).fetchall()
        except tandemdb.Error as error:
            assert str(error).startswith("IO Error: "), error
            assert str(path) in str(error)


@pytest.mark.parametrize("query", QUERIES)
def test_a_damaged_page_is_named_on_every_path(query: str, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path, row_group_size=500, compression="zstd")
    group = pq.read_metadata(path).row_group(2)
    data = bytearray(path.read_bytes())
    for index in range(group.num_columns):
        chunk = group.column(index)
        start = chunk.dictionary_page_offset or chunk.data_page_offset
        data[start + 30 : start + chunk.total_compressed_size] = bytes(chunk.total_compressed_size - 30)
    path.write_bytes(data)
    with pytest.raises(tandemdb.OperationalError, match=r"IO Error: cannot read") as caught:
        tandemdb.connect().execute(query.format(path)).fetchall()
    assert str(path) in str(caught.value)


def test_statistics_never_fail_a_statement_that_does_not_read_the_page(tmp_path: Path) -> None:
    """The middle row group, from which distinct values are estimated, is damaged but ruled out."""
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path, row_group_size=400, compression="none")
    chunk = pq.read_metadata(path).row_group(1).column(0)
    data = bytearray(path.read_bytes())
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start : start + 60] = bytes(60)
    path.write_bytes(data)
    sql = f"SELECT count(*) FROM '{path}' WHERE k < 300 AND k IN (SELECT k FROM '{path}' WHERE k < 200)"
    assert tandemdb.connect().execute(sql).fetchall() == [(200,)]


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    texts = pa.array([b"fine", b"\xff\xfe", b"also"], pa.binary())
    values = pa.StringArray.from_buffers(3, *texts.buffers()[1:])
    for dictionary in (True, False):
        pq.write_table(pa.table({"s": values}), path, use_dictionary=dictionary)
        for sql in (f"SELECT s FROM '{path}'", f"SELECT upper(s) FROM '{path}' WHERE s > 'a'"):
            with pytest.raises(tandemdb.OperationalError, match=r"IO Error.*UTF"):
                tandemdb.connect().execute(sql).fetchall()


def big_file(path: Path) -> None:
    rows = 400_000
    pq.write_table(pa.table({"a": list(range(rows)), "b": ["x" * 30] * rows}), path, row_group_size=20_000)


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    pq.write_table(pa.table({"a": ["other"], "b": [1]}), path.with_suffix(".new"))
    os.replace(path.with_suffix(".new"), path)


def truncate(path: Path) -> None:
    os.truncate(path, 1000)


@pytest.mark.parametrize(
    ("change", "message"),
    [(remove, "was removed"), (replace, "was changed"), (truncate, "was changed")],
)
def test_a_file_that_changes_between_planning_and_reading(change, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    big_file(path)
    session = tandemdb.connect().session
    plan, query = session.plan, session.run

    def changed(*arguments, **options):
        planned = plan(*arguments, **options)
        change(path)
        return planned

    session.plan = changed  # pyright: ignore[reportAttributeAccessIssue]
    assert query is not None
    with pytest.raises(tandemdb.OperationalError, match=f"IO Error: .*t.parquet' {message}"):
        for _ in session.execute(f"SELECT a, b FROM '{path}' WHERE a > 5") or ():
            pass


@pytest.mark.parametrize(
    "sql", ["SELECT * FROM ?", "SELECT * FROM read_parquet(?)", "SELECT * FROM read_parquet([?])"]
)
@pytest.mark.parametrize("path", ["a\0b.parquet", "a\0*.parquet", "\0/"])
def test_characters_that_paths_cannot_have(sql: str, path: str) -> None:
    text = sql.replace("?", "'" + path + "'")
    with pytest.raises(tandemdb.OperationalError, match=r"IO Error: .* cannot be a path"):
        tandemdb.connect().execute(text)


def test_halves_of_surrogate_pairs_are_no_path() -> None:
    """SQL text cannot hold them, other callers may."""
    with pytest.raises(tandemdb.OperationalError, match=r"'a\\ud800' cannot be a path"):
        expand("a\ud800")


def test_a_pipe_is_no_parquet_file(tmp_path: Path) -> None:
    """Opening it would wait for ever."""
    os.mkfifo(tmp_path / "p.parquet")
    with pytest.raises(tandemdb.OperationalError, match="not a regular file"):
        tandemdb.connect().execute(f"SELECT * FROM '{tmp_path}/p.parquet'")


@pytest.mark.parametrize("depth", [20, 100_000])
def test_a_hostile_footer_is_no_hang(depth: int) -> None:
    version, schema = b"\x15\x02", b"\x19"
    nested = version + schema + b"\x1c" + b"\x1c" * depth
    with pytest.raises(FooterError):
        plain_footer(nested)
    endless = version + schema + b"\x1c" + b"\x19\xf1\xff\xff\xff\xff\x0f"
    with pytest.raises(FooterError):
        plain_footer(endless)
