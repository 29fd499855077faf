"""Text as values of every type, and values as text, against DuckDB's casts."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb
import pytest
from oracle.bound_types import type_named
from tandemdb.planner.literals import (
    cast_value,
    format_literal,
    format_value,
    numeric_literal,
    parse_text,
    round_half_away,
)
from tandemdb.planner.temporal import civil_from_days, days_from_civil
from tandemdb.planner.types import BIGINT, DATE, DOUBLE, FLOAT, INTEGER, TIMESTAMP, TINYINT, VARCHAR, decimal

NUMBERS = (
    "1|12| 12 |1.5|1.6|2.5|-2.5|-1.5|1e3|1E3|0x1F|1_000|+5|5.|.5||300|1.5e1|true|abc|-|1e|1e-3|--1|"
    "1 2|99999999999|9223372036854775807|9223372036854775808|-9223372036854775808|0.5|-0.5|0b11|1__0|"
    "_1|1_|0x|1.2.3|1e400|1e40|nan|inf|-inf|Infinity|+inf|1e10|127.5|127.4|-128.5|255|255.5|-0.4|"
    "0.05|1.25|1.35|-1.25|1234|99.95|99.94|0.049999|  |1\t|1e+2|1e2.5|123456789012345678901234567890|"
    "0.1|1.0|100|1e15|1e16|1.5e300|-0.0|-0"
).split("|")
DATES = (
    "2020-1-5|2020/01/05|2020 01 05|2020-01/05| 2020-01-05 |20200105|2020-01-05 10:00:00|"
    "2020-01-05T10:00:00Z|2020-01-05 x|2020-02-30|2020-02-29|2019-02-29|1900-02-29|2000-02-29|"
    "0044-03-15 (BC)|-0044-03-15|epoch|Epoch|12020-01-01|5881580-07-10|5881580-07-11|20-01-01|1-1-1|"
    "2020-01|0000-01-01|0001-01-01|2020-13-01|2020-00-01|2020-01-00|2020-01-32|2020-01-05 |"
    "2020-01-05 10:00|2020-01-05 10:00:00.1234567|2020-01-05 10:00:00.5|2020-01-05 10:00:00+02|"
    "2020-01-05 10:00:00+02:30|2020-01-05 10:00:00-0230|2020-01-05 10:00:00 UTC|"
    "2020-01-05 10:00:00 Europe/Paris|2020-01-05 24:00:00|2020-01-05 25:00:00|2020-01-05 10:60:00|"
    "2020-01-05 10:00:60|2020-01-05T10|2020-01-05 10|2020-01-05 1:2:3|2020-01-05 10:00:00 |"
    "2020-01-05 10:00:00.|2020-01-05 10:00:00.000001|1969-12-31 23:59:59.999999|"
    "1969-12-31 23:59:59.5|1677-09-21|294246-01-01|2020-01-05  10:00:00|2020-01-05t10:00:00|"
    "2020-01-05 10:00:00+2|2020-01-05 10:00:00foo|9999-12-31 23:59:59.999999|"
    "2020-01-05 23:59:59.9999999|2020-01-0510:00:00"
).split("|")
TIMES = (
    "10:20:30|10:20|1:2:3.5|24:00:00|10:20:30.1234567|2020-01-01 10:20:30|10:20:30+02|10|24:00:01|"
    "23:60:00|10:20:60| 10:20:30 |10:20:30.|0:0:0|10:20:30 PM|10:20:30Z|100:00:00|-1:00:00|"
    "10:20:30.000001"
).split("|")
INTERVALS = (
    "1 day|1|1 day 2 hours|1 year 2 months 3 days 04:05:06.789|-1 day|1 day ago|1.5 days|1.5 years|"
    "1.5 months|04:05|@ 1 day|1day|1d|1 d 2 h|3 weeks|1 quarter|2 decades|1 century|1 millennium|"
    "100 ms|1 us|1.5 seconds|  1   day  |1 day, 2 hours|1 foo||-04:05:06|1 day -04:05:06|+1 day|"
    "1e2 days|1 minute 70 seconds|1-2|-1.5 days|-1.5 months|1 year 12 months|13 months|-13 months|"
    "25 hours|100:00:00|1.0000005 seconds|0.5 weeks|1.25 quarters|2 mins|5 min|1 m|1 mon|1 c|1 mil|"
    "90 seconds|-90 seconds|-1 year 1 month|1 day 1|1 dayofmonth|-|day|1.5|0.1 second|1000000 us|"
    "1 year -1 day|3000000000 days|12 dow|1.1 quarters|1.01 years|1.1 decades|1.001 centuries|"
    "1.55 months|1.9 us"
).split("|")
BOOLEANS = "t|true|TRUE|True|yes|y|Y|1|0|f|false|no|n|on|off| true|true |2|T|".split("|")
BLOBS = [r"\xAB\x00c", "abc", "ä", r"\x", r"a\b", r"\xAG", ""]

_NUMERIC = (
    "TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT UBIGINT DOUBLE FLOAT "
    "DECIMAL(4,1) DECIMAL(18,3) DECIMAL(38,10)"
).split()
_STAMPS = ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
CASES = {
    **dict.fromkeys(_NUMERIC, NUMBERS),
    **dict.fromkeys(_STAMPS, DATES),
    "TIME": TIMES,
    "INTERVAL": INTERVALS,
    "BOOLEAN": BOOLEANS,
    "BLOB": BLOBS,
}


@pytest.fixture(scope="module")
def utc() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET timezone = 'UTC'")
    return connection


@pytest.mark.parametrize("name", CASES)
def test_text_is_read_and_written_as_duckdb_does(name: str, utc: duckdb.DuckDBPyConnection) -> None:
    kind = type_named(name)
    for text in CASES[name]:
        try:
            row = utc.execute(f"SELECT CAST(CAST(? AS {name}) AS VARCHAR)", [text]).fetchone()
            theirs = row and row[0]
        except duckdb.Error:
            theirs = "error"
        try:
            ours = format_value(parse_text(text, kind), kind)
        except ValueError:
            ours = "error"
        assert ours == theirs, text


@pytest.mark.parametrize(
    "text", "1 2147483648 99999999999999999999 1.5 0.05 00.50 100. 1e3 1.5e2 1_000 .5".split()
)
def test_numbers_in_sql_text(text: str) -> None:
    kind, value = numeric_literal(text)
    row = duckdb.execute(f"SELECT typeof({text}), CAST({text} AS VARCHAR)").fetchone()
    assert row is not None
    assert str(kind) == row[0]
    assert format_value(value, kind) == row[1]


def test_calendar_agrees_with_python() -> None:
    epoch = date(1970, 1, 1)
    for days in range(-719_162, 2_932_896, 9_973):
        day = epoch + timedelta(days=days)
        assert civil_from_days(days) == (day.year, day.month, day.day)
        assert days_from_civil(day.year, day.month, day.day) == days


def test_calendar_before_year_one() -> None:
    assert civil_from_days(days_from_civil(0, 2, 29)) == (0, 2, 29)
    assert civil_from_days(days_from_civil(-4712, 1, 1)) == (-4712, 1, 1)


def test_casts_of_literals() -> None:
    assert cast_value(5, INTEGER, decimal(5, 2)) == 500
    assert cast_value(125, decimal(3, 2), decimal(2, 1)) == 13
    assert cast_value(5, decimal(3, 2), DOUBLE) == 0.05
    assert cast_value(1, decimal(2, 1), FLOAT) == 0.10000000149011612
    assert cast_value("1998-09-02", VARCHAR, DATE) == 10471
    assert cast_value(1, DATE, TIMESTAMP) == 86_400_000_000
    assert cast_value(None, VARCHAR, DATE) is None


@pytest.mark.parametrize(
    ("value", "source", "target"),
    [
        (300, INTEGER, TINYINT),
        ("abc", VARCHAR, INTEGER),
        (999, INTEGER, decimal(3, 1)),
        (2**63, decimal(20, 0), BIGINT),
    ],
)
def test_casts_that_do_not_fit(value: object, source: object, target: object) -> None:
    with pytest.raises(ValueError, match=r"range|number"):
        cast_value(value, source, target)  # type: ignore[arg-type]


def test_halves_are_rounded_away_from_zero() -> None:
    assert [round_half_away(n, 2) for n in (-3, -1, 0, 1, 3)] == [-2, -1, 0, 1, 2]


def test_literals_as_sql_text() -> None:
    assert format_literal("it's", VARCHAR) == "'it''s'"
    assert format_literal(10471, DATE) == "DATE '1998-09-02'"
    assert format_literal(-5, decimal(3, 2)) == "-0.05"
    assert format_literal(None, DATE) == "NULL"
