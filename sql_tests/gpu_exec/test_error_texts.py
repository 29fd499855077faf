"""Errors of casts and arithmetic on the GPU are the CPU's to the letter: the values, the place, the hint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import tandemdb

TABLE = """CREATE TABLE t AS SELECT * FROM (VALUES
    (1, 'abc', 1e10::DOUBLE, 100000::BIGINT, 12345.678::DECIMAL(10,3), 'nan'::DOUBLE, 100::TINYINT,
     '99999999999999999999999999999999999999'::HUGEINT, 99999999999999999999.5::DECIMAL(38,1)),
    (0, '1', 1::DOUBLE, 1::BIGINT, 1.5::DECIMAL(10,3), 1::DOUBLE, 1::TINYINT, 1::HUGEINT, 1.5::DECIMAL(38,1)),
    (2, 'x', -1e10::DOUBLE, -100000::BIGINT, -12345.678::DECIMAL(10,3), 'inf'::DOUBLE, -100::TINYINT,
     -5::HUGEINT, -2.5::DECIMAL(38,1)),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)) x(i, s, d, l, q, n, t, h, w)"""

FAILING = [
    *(f"CAST({name} AS {type_})" for name in "dnlqwh" for type_ in ("TINYINT", "UTINYINT", "DECIMAL(3,2)")),
    *(f"CAST(s AS {type_})" for type_ in ("INTEGER", "DATE", "TIMESTAMP", "DECIMAL(5,2)")),
    "CAST(n AS BIGINT)", "CAST(d * 1e30 AS FLOAT)", "CAST(w AS BIGINT)", "CAST(n AS DECIMAL(38,10))",
    "t + t", "t * t", "-t - t", "l + 9223372036854775807", "9223372036854775807 - l * -1", "l * l * l * l",
    "CAST(l AS INTEGER) * 100000", "h + h", "h * 2::HUGEINT", "w * w", "w * 1000000000000000000000",
    "-(t - 28::TINYINT)", "abs(t - 28::TINYINT)", "make_date(2020, l, 1)", "make_date(l, 1, 1)",
    "make_timestamp(2020, 2, l, 0, 0, 0)", "l // 0", "l % (l - l)", "sum(l * 4611686018427387904)",
    "CASE WHEN i = 0 THEN 1 ELSE CAST(l AS SMALLINT) END", "i > 1 AND t * t > 0", "l // (i - 1)",
]  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> Iterator[tandemdb.Connection]:
    with tandemdb.connect(config={"on_fallback": "error"}) as con:
        con.execute(TABLE)
        yield con


def error_of(con: tandemdb.Connection, expression: str, device: str) -> str:
    con.execute(f"SET device = '{device}'")
    with pytest.raises(tandemdb.Error) as error:
        con.execute(f"SELECT {expression} FROM t").fetchall()
    assert type(error.value).__name__ != "InternalError"
    return str(error.value)


@pytest.mark.parametrize("expression", FAILING)
def test_an_error_is_the_cpus(tables: tandemdb.Connection, gpu: Any, expression: str) -> None:
    del gpu
    assert error_of(tables, expression, "gpu") == error_of(tables, expression, "cpu")
