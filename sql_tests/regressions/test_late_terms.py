"""A term of AND or OR that is evaluated for some rows only keeps apart what only looks alike.

Its program numbers its slots anew. Comparisons were once told apart by these numbers, and the comparison of
strings below was taken for the one of integers before it.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb

ROWS = {"name": ["ALGERIA", "FRANCE", "GERMANY", "INDIA"], "key": [0, 6, 7, 8]}


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("name = 'FRANCE' and key = 7", []),
        ("key = 7 and name = 'FRANCE'", []),
        ("(name = 'FRANCE' and key = 7) or (name = 'GERMANY' and key = 6)", []),
        ("(name = 'FRANCE' and key = 6) or (name = 'GERMANY' and key = 7)", [6, 7]),
        ("key = 6 or name = 'GERMANY'", [6, 7]),
    ],
)
def test_a_late_comparison_is_not_taken_for_an_earlier_one(
    predicate: str, expected: list[int], tmp_path: Path
) -> None:
    pq.write_table(pa.table(ROWS), tmp_path / "t.parquet")
    with tandemdb.connect(lake=str(tmp_path)) as connection:
        found = connection.execute(f"select key from (select * from t limit 10) where {predicate}").fetchall()
    assert [key for (key,) in found] == expected
