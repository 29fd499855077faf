"""The types of the cells and their values, as SQL literals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CellType:
    """A type with distinct `values` in any order, the first occurs most, the second often.

    `kinds` say which features apply: see `features.txt`. The file of one that is `close` to another type runs
    with the slow tests.
    """

    name: str
    sql: str
    values: tuple[str, ...]
    kinds: frozenset[str] = frozenset()

    @property
    def close(self) -> bool:
        return "close" in self.kinds


def _of(name: str, sql: str, values: str, *kinds: str, quoted: bool = False) -> CellType:
    parts = values.split("|")
    return CellType(name, sql, tuple(f"'{p}'" if quoted else p for p in parts), frozenset(kinds))


TYPES = (
    _of("boolean", "BOOLEAN", "true|false", "logical"),
    _of("tinyint", "TINYINT", "5|-3|0|127|-128", "close", "number", "integer"),
    _of("smallint", "SMALLINT", "5|-3|0|32767|-32768", "close", "number", "integer"),
    _of("integer", "INTEGER", "5|-3|0|2147483647|-2147483648", "number", "integer"),
    _of("bigint", "BIGINT", "5|-3|0|9223372036854775807|-9223372036854775808", "number", "integer"),
    _of("hugeint", "HUGEINT", f"5|-3|0|{'9' * 37}|-{'9' * 37}", "number", "integer"),
    _of("utinyint", "UTINYINT", "5|3|0|255|128", "close", "number", "integer", "unsigned"),
    _of("usmallint", "USMALLINT", "5|3|0|65535|32768", "close", "number", "integer", "unsigned"),
    _of("uinteger", "UINTEGER", "5|3|0|4294967295|2147483648", "close", "number", "integer", "unsigned"),
    _of(
        "ubigint",
        "UBIGINT",
        "5|3|0|18446744073709551615|9223372036854775808",
        "number",
        "integer",
        "unsigned",
    ),
    _of("float", "FLOAT", "1.5|-0.25|0.0|3.0e38|inf|-inf|nan", "number", "floating", "close", quoted=True),
    _of("double", "DOUBLE", "1.5|-0.1|0.0|1.0e30|inf|-inf|nan", "number", "floating", quoted=True),
    _of("decimal_4_1", "DECIMAL(4,1)", "1.5|-0.1|0.0|999.9|-999.9", "close", "number", "decimal"),
    _of("decimal_9_2", "DECIMAL(9,2)", "1.50|-0.25|0.00|9999999.99|-9999999.99", "number", "decimal"),
    _of(
        "decimal_18_3",
        "DECIMAL(18,3)",
        f"1.500|-0.125|0.000|{'9' * 15}.999|-1.000",
        "close",
        "number",
        "decimal",
    ),
    _of("decimal_38_10", "DECIMAL(38,10)", f"1.5|-0.0000000001|0.0|{'9' * 26}.5|-1.0", "number", "decimal"),
    _of("varchar", "VARCHAR", "b|a||ab|B|ä|日本|😀|a b", "text", quoted=True),
    _of("blob", "BLOB", r"b|a||\x00|\xFF\xFE|ab", quoted=True),
    _of("date", "DATE", "2020-02-29|1999-12-31|1970-01-01|0001-01-01|9999-12-31", "moment", quoted=True),
    _of("time", "TIME", "12:30:00|00:00:00|23:59:59.999999|06:00:00.5", "close", quoted=True),
    _of(
        "timestamp",
        "TIMESTAMP",
        "2020-02-29 12:30:00|1999-12-31 23:59:59.999999|1970-01-01 00:00:00|0001-01-01 00:00:00|9999-12-31",
        "moment",
        quoted=True,
    ),
    _of(
        "timestamp_s",
        "TIMESTAMP_S",
        "2020-02-29 12:30:00|1999-12-31 23:59:59|1970-01-01 00:00:00|2262-04-11 00:00:00",
        "close",
        "moment",
        quoted=True,
    ),
    _of(
        "timestamp_ns",
        "TIMESTAMP_NS",
        "2020-02-29 12:30:00|1999-12-31 23:59:59.123456789|1970-01-01 00:00:00|2262-04-11 00:00:00",
        "moment",
        quoted=True,
    ),
    _of(
        "timestamptz",
        "TIMESTAMPTZ",
        "2020-02-29 12:30:00+00|1999-12-31 23:59:59.999999+00|1970-01-01 00:00:00+00|2038-01-19 03:14:08+00",
        "moment",
        quoted=True,
    ),
    _of("interval", "INTERVAL", "1 day|2 months|36 hours|-1 year|00:00:00.5", "interval", quoted=True),
)
