"""The rewritten footer reads the same rows, as plain strings and scaled integers."""

from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tandemdb.physical.parquet_footer import FooterError, plain_file, plain_footer


def footer_of(path: Path) -> bytes:
    data = path.read_bytes()
    size = int.from_bytes(data[-8:-4], "little")
    return data[-8 - size : -8]


@pytest.mark.parametrize("columns", [1, 14, 15, 40])
def test_same_rows_in_plain_storage(tmp_path: Path, columns: int) -> None:
    """15 columns and more need the long form of a Thrift list head."""
    table = pa.table(
        {
            **{f"i{n}": pa.array([n, None, -n]) for n in range(columns)},
            "d18": pa.array([Decimal("1.25"), None, Decimal("-0.01")], pa.decimal128(18, 2)),
            "d5": pa.array([Decimal("1.5"), None, Decimal("-9.9")], pa.decimal128(5, 1)),
            "wide": pa.array([Decimal("1.25"), None, Decimal("-0.01")], pa.decimal128(38, 2)),
            "s": pa.array(["a", None, "é"]).cast(pa.string_view()),
            "t": pa.array([0, None, 5], pa.timestamp("us")),
        }
    )
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, store_decimal_as_integer=True)
    footer, names = plain_file(footer_of(path))
    assert list(names) == table.column_names
    read = pq.ParquetFile(path, metadata=footer.metadata).read()
    assert read.column_names == [str(place) for place in range(len(names))]
    plain = read.rename_columns(list(names))
    assert plain.schema.field("d18").type == pa.int64()
    assert plain.column("d18").to_pylist() == [125, None, -1]
    assert plain.schema.field("d5").type == pa.int32()
    assert plain.column("d5").to_pylist() == [15, None, -99]
    assert plain.schema.field("wide").type == pa.decimal128(38, 2)
    assert plain.schema.field("s").type == pa.string()
    assert plain.column("s").to_pylist() == ["a", None, "é"]
    assert plain.schema.field("t").type == pa.timestamp("us")
    assert plain.column("i0").to_pylist() == [0, None, 0]


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_truncated_footer_is_an_error_of_its_own(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"]}), path)
    with pytest.raises(FooterError):
        plain_footer(footer_of(path)[:cut])
