"""Temporal arithmetic and casts over the awkward table, and texts that are values or nearly such."""

from __future__ import annotations

TEMPORAL = (
    *(
        "day + 40 WHERE n NOT IN (10, 15)",
        "day - 40 WHERE n NOT IN (10, 15)",
        "day - DATE '2000-01-01'",
        "day + k WHERE n NOT IN (10, 15)",
    ),
    *("day + INTERVAL 1 MONTH WHERE n NOT IN (10, 15)", "day - INTERVAL 13 MONTH WHERE n NOT IN (10, 15)"),
    *(
        "INTERVAL 3 DAY + ts",
        "ts - INTERVAL '1 month 2 days 03:04:05.678'",
        "ts + INTERVAL 25 HOUR",
        "tn + INTERVAL 1 MONTH",
    ),
    *(
        "td + INTERVAL 1 SECOND",
        "tm - INTERVAL 1 MILLISECOND",
        "tn - INTERVAL 1 MICROSECOND",
        "ts + INTERVAL '-1 year'",
    ),
)
CASTS = (
    *(
        f"{column}::VARCHAR"
        for column in ("z", "t", "i", "b", "u", "h", "p", "q", "w", "v", "day", "ts", "td", "tm", "tn")
    ),
    *(
        "d::INTEGER WHERE abs(d) < 1e6",
        "TRY_CAST(d AS INTEGER)",
        "TRY_CAST(d AS BIGINT)",
        "TRY_CAST(d AS UTINYINT)",
    ),
    *(
        "TRY_CAST(d AS HUGEINT)",
        "TRY_CAST(x AS UBIGINT)",
        "TRY_CAST(d AS DECIMAL(9,2))",
        "TRY_CAST(d AS DECIMAL(18,4))",
    ),
    *(
        "TRY_CAST(d AS DECIMAL(38,3))",
        "TRY_CAST(f AS DECIMAL(5,1))",
        "TRY_CAST(d AS FLOAT)",
        "f::DOUBLE",
        "d::BOOLEAN",
    ),
    *(
        "TRY_CAST(i AS TINYINT)",
        "TRY_CAST(u AS BIGINT)",
        "TRY_CAST(h AS BIGINT)",
        "TRY_CAST(k AS UTINYINT)",
        "z::INTEGER",
    ),
    *(
        "z::DOUBLE",
        "z::DECIMAL(3,1)",
        "p::DECIMAL(12,4)",
        "p::DECIMAL(9,1)",
        "TRY_CAST(p AS DECIMAL(4,2))",
        "q::INTEGER WHERE abs(q) < 100",
    ),
    *(
        "w::DOUBLE",
        "q::DOUBLE",
        "q::FLOAT",
        "p::DOUBLE",
        "h::DOUBLE",
        "b::FLOAT",
        "v::DECIMAL(10,8)",
        "u::DOUBLE",
        "p::BOOLEAN",
    ),
    *(
        "TRY_CAST(day AS TIMESTAMP)",
        "ts::DATE",
        "tn::DATE",
        "ts::TIMESTAMP_S",
        "ts::TIMESTAMP_MS",
        "TRY_CAST(ts AS TIMESTAMP_NS)",
    ),
    *(
        "tn::TIMESTAMP",
        "tm::TIMESTAMP",
        "td::TIMESTAMP_NS",
        "td::DATE",
        "TRY_CAST(day AS TIMESTAMP_NS)",
        "h::DECIMAL(38,0)",
    ),
)
# Texts that are numbers, dates and timestamps, and that are nearly such.
NUMBERS = (
    *(
        "0",
        "-0",
        "+7",
        "  42 ",
        "127",
        "128",
        "-128",
        "-129",
        "1.5",
        "-1.5",
        "2.5",
        "0.49",
        ".5",
        "5.",
        ".",
        "",
        " ",
    ),
    *(
        "1e3",
        "1E-3",
        "1.25e1",
        "15e-1",
        "-25e-1",
        "1e400",
        "1e-400",
        "1e",
        "e1",
        "1_000",
        "1__0",
        "_1",
        "1_",
        "1_0.2_5",
    ),
    *(
        "0x1F",
        "0XfF",
        "0b101",
        "0b",
        "0x",
        "0x_1",
        "-0x1",
        "0b1111_0000",
        "99999999999999999999999999999999999999",
    ),
    *(
        "100000000000000000000000000000000000000",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
    ),
    *(
        "18446744073709551615",
        "0.00000000000000000000000000000000000000001",
        "12345678901234567890.5",
        "abc",
        "1a",
    ),
    *(
        "000000000000000000000000000000000000000000001",
        "--1",
        "+-1",
        "1 2",
        "é",
        "0xFFFFFFFFFFFFFFFF",
        "-0.4",
        "-0.5",
    ),
    *(
        "1e2147483648",
        "1e-99999999999",
        "0e5",
        "9.99",
        "9.995",
        "-9.995",
        "true",
        "TRUE",
        "t",
        "No",
        "n",
        "yes",
        "Y",
        "1",
        "fals",
    ),
)
MOMENTS = (
    *(
        "2000-02-29",
        "2001-02-29",
        "1900-02-29",
        "2000-1-2",
        "2000/01/02",
        "2000-01/02",
        "2000 1 2",
        "99999-12-31",
        "",
    ),
    *(
        "-0044-03-15",
        "0044-03-15 (BC)",
        "0000-01-01",
        "5877642-06-25",
        "1234567-01-01",
        "2000-13-01",
        "2000-00-10",
        "2000-01-32",
    ),
    *(
        "infinity",
        "-Infinity",
        "inf",
        "epoch",
        "EPOCH ",
        " 2000-01-02",
        "2000-01-02 ",
        "2000-01-02 10:11",
        "2000-01-02T10:11:12",
    ),
    *(
        "2000-01-02 10:11:12.5",
        "2000-01-02 10:11:12.1234567",
        "2000-01-02 24:00:00",
        "2000-01-02 24:00:01",
        "2000-01-02 10:60:00",
    ),
    *(
        "2000-01-02 10:11:12Z",
        "2000-01-02 10:11:12+02",
        "2000-01-02 10:11:12 +02:30",
        "2000-01-02 10:11:12 Europe/Paris",
    ),
    *(
        "2000-01-02 10:11:12 Nowhere",
        "2000-01-02 1:2:3",
        "2000-01-02  10:11",
        "2000-01-02x",
        "2000-01-02 10",
        "2000-01-02 10:",
        "abc",
    ),
    *(
        "290000-01-01 00:00:00",
        "300000-01-01 00:00:00",
        "0044-03-15 (BC) 10:00:00",
        "2000-01-02 10:11:12.",
        "1e3",
        "20000102",
    ),
)
FROM_TEXT = (
    *(
        (kind, "numbers")
        for kind in ("TINYINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "UBIGINT", "DECIMAL(9,2)")
    ),
    *((kind, "numbers") for kind in ("DECIMAL(18,4)", "DECIMAL(38,3)", "DECIMAL(3,3)", "BOOLEAN")),
    *((kind, "moments") for kind in ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")),
)


def texts(table: str) -> str:
    """The statement that makes the table `numbers` or `moments` of the texts above."""
    values = {"numbers": NUMBERS, "moments": MOMENTS}[table]
    rows = ", ".join(f"('{text}')" for text in values)
    return f"CREATE TABLE {table} AS SELECT s FROM (VALUES {rows}, (NULL)) v(s)"
