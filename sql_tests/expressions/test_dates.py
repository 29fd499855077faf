"""Parts, truncation, differences and arithmetic of dates, times, timestamps and intervals."""

from __future__ import annotations

import pytest
from expressions.harness import check_all, make_table, pairs, single
from expressions.values import DATE, INTEGER, INTERVAL, TIME, TIMESTAMP

CALENDAR = [
    *["year", "month", "day", "quarter", "week", "yearweek", "dayofweek", "isodow", "dayofyear", "isoyear"],
    *["decade", "century", "millennium", "era"],
]
CLOCK = ["hour", "minute", "second", "millisecond", "microsecond", "nanosecond"]
EPOCH = ["epoch", "epoch_ms", "epoch_us", "epoch_ns", "julian"]
NAMES = ["dayname", "monthname", "last_day", "isinf", "isfinite"]
TRUNC = [p for p in (*CALENDAR, *CLOCK, "epoch", "julian") if p not in ("era", "nanosecond")]
INTERVAL_PARTS = ["year", "month", "day", "quarter", "decade", "century", "millennium", *CLOCK, *EPOCH[:-1]]
DAYS = [
    *[
        "NULL",
        "'1970-01-01'",
        "'1969-12-31'",
        "'2020-02-29'",
        "'2021-01-31'",
        "'2000-03-01'",
        "'0044-03-15 (BC)'",
    ],
    *["'2026-06-15'", "'infinity'", "'2020-01-05'", "'2020-01-06'", "'2000-12-31'", "'2001-01-01'"],
]
MOMENTS = [
    *["NULL", "'1970-01-01 00:00:00'", "'1969-12-31 23:59:59.999999'", "'2020-02-29 12:34:56.789012'"],
    *["'2021-01-31 23:59:59'", "'1900-01-01 00:00:00.000001'", "'2020-03-29 12:34:56'", "'infinity'"],
]


@pytest.mark.parametrize(("kind", "values"), [("DATE", DATE), ("TIMESTAMP", TIMESTAMP)])
def test_parts(kind: str, values: list[str]) -> None:
    texts = [f"{part}(a)" for part in (*CALENDAR, *CLOCK, *EPOCH, *NAMES)]
    check_all(single(kind, values), [*texts, "date_part('dow', a)", "EXTRACT(year FROM a)"], constants=5)


@pytest.mark.parametrize(
    ("kind", "values"), [("DATE", DATE), ("TIMESTAMP", TIMESTAMP), ("INTERVAL", INTERVAL)]
)
def test_truncation(kind: str, values: list[str]) -> None:
    check_all(single(kind, values), [f"date_trunc('{part}', a)" for part in TRUNC], constants=5)


def test_parts_of_timestamps_with_time_zone() -> None:
    values = [value for value in TIMESTAMP if "BC" not in value]
    check_all(single("TIMESTAMPTZ", values), [f"date_trunc('{part}', a)" for part in TRUNC], constants=5)


def test_parts_of_intervals_and_times() -> None:
    check_all(single("INTERVAL", INTERVAL), [f"{part}(a)" for part in INTERVAL_PARTS], constants=5)
    check_all(single("TIME", TIME), [f"{part}(a)" for part in (*CLOCK, *EPOCH[:-1])], constants=5)


def test_parts_that_intervals_do_not_have() -> None:
    texts = ["week(a)", "dayofweek(a)", "isoyear(a)", "era(a)"]
    check_all(single("INTERVAL", ["'1 day'", "'3 months'"]), texts)


def test_nanoseconds() -> None:
    values = ["NULL", "'2020-01-31 10:20:30.123456789'", "'1969-12-31 23:59:59.999999999'", "'1970-01-01'"]
    texts = [
        "nanosecond(a)",
        "microsecond(a)",
        "second(a)",
        "hour(a)",
        "epoch(a)",
        "epoch_ns(a)",
        "epoch_us(a)",
    ]
    check_all(
        single("TIMESTAMP_NS", values),
        [*texts, "a + INTERVAL '1 month'", "a - INTERVAL '1 second'"],
        constants=3,
    )


def test_many_days() -> None:
    """Enough of them that a table of results a day is used."""
    table = single("DATE", ["NULL", *(f"DATE '1998-12-20' + {day}" for day in range(500))])
    texts = [f"{part}(a)" for part in (*CALENDAR, "dayname", "monthname", "last_day")]
    check_all(table, [*texts, "strftime(a, '%U %W %V %G %j')", "date_trunc('week', a)"], constants=3)


@pytest.mark.parametrize("function", ["date_diff", "date_sub"])
def test_differences(function: str) -> None:
    parts = [part for part in (*CALENDAR, *CLOCK, "julian") if part not in ("era", "nanosecond")]
    texts = [f"{function}('{part}', a, b)" for part in parts]
    check_all(pairs("DATE", "DATE", DAYS, DAYS), texts, constants=4)
    check_all(pairs("TIMESTAMP", "TIMESTAMP", MOMENTS, MOMENTS), texts, constants=4)
    check_all(
        pairs("TIME", "TIME", TIME, TIME), [f"{function}('{part}', a, b)" for part in CLOCK[:-1]], constants=4
    )


def test_between_moments() -> None:
    comparing = [
        "a < b",
        "a = b",
        "a >= b",
        "greatest(a, b)",
        "least(a, b)",
        "a IN (b)",
        "a - b",
        "coalesce(a, b)",
    ]
    check_all(pairs("DATE", "DATE", DAYS, DAYS), comparing, constants=4)
    check_all(pairs("TIMESTAMP", "TIMESTAMP", MOMENTS, MOMENTS), [*comparing, "age(a, b)"], constants=4)
    check_all(pairs("TIME", "TIME", TIME, TIME), comparing[:-2], constants=4)


@pytest.mark.parametrize(("kind", "values"), [("DATE", DATE), ("TIMESTAMP", TIMESTAMP), ("TIME", TIME)])
def test_plus_interval(kind: str, values: list[str]) -> None:
    check_all(pairs(kind, "INTERVAL", values, INTERVAL), ["a + b", "a - b", "b + a"])


def test_dates_and_numbers() -> None:
    check_all(pairs("DATE", "INTEGER", DATE, INTEGER), ["a + b", "a - b", "b + a"])
    check_all(pairs("DATE", "TIME", DATE, TIME), ["a + b", "b + a"])


def test_intervals() -> None:
    texts = [
        "a + b",
        "a - b",
        "a < b",
        "a = b",
        "a >= b",
        "a IS DISTINCT FROM b",
        "a IN (b, INTERVAL '30 days')",
    ]
    check_all(pairs("INTERVAL", "INTERVAL", INTERVAL, INTERVAL), texts)
    scaled = ["-a", "a * 2", "a * 1.5::DOUBLE", "a / 2", "a / 0", "2 * a", "a * 1e300", "a / 0.3"]
    check_all(single("INTERVAL", INTERVAL), scaled)


def test_the_part_is_a_column() -> None:
    parts = ["NULL", "'year'", "'Mon'", "'dow'", "'epoch'", "'julian'", "'us'"]
    day = "TIMESTAMP '2020-01-01'"
    texts = ["date_part(a, b)", "date_trunc(a, b)", f"date_diff(a, b, {day})", f"date_sub(a, b, {day})"]
    check_all(pairs("VARCHAR", "TIMESTAMP", parts, MOMENTS), texts)
    check_all(make_table({"a": "VARCHAR", "b": "DATE"}, [("'foo'", "'2020-01-01'")]), texts[:2])


def test_made_of_numbers() -> None:
    numbers = ["NULL", "2020", "0", "-5", "10000", "6000000"]
    table = pairs("BIGINT", "BIGINT", numbers, ["NULL", "0", "1", "2", "12", "13", "-1"])
    texts = [
        "make_date(a, b, 29)",
        "make_date(a, b, 31)",
        "make_date(a, 2, b)",
        "make_time(b, a, 1.5::DOUBLE)",
    ]
    check_all(
        table,
        [*texts, "make_timestamp(a, b, 1, b, b, 59.9999999::DOUBLE)", "make_timestamp(a)", "epoch_ms(a)"],
    )
    units = ["years", "quarters", "months", "weeks", "days", "decades", "centuries", "millennia"]
    check_all(single("INTEGER", INTEGER), ["make_date(a)", *(f"to_{unit}(a)" for unit in units)])
    longer = ["NULL", "0", "1", "-7", "100000"]
    check_all(
        single("BIGINT", longer),
        [f"to_{unit}(a)" for unit in ("years", "hours", "minutes", "microseconds", "days")],
    )
    check_all(
        single("DOUBLE", ["NULL", "0", "1.5", "-0.25", "'nan'", "1e300"]),
        ["to_seconds(a)", "to_milliseconds(a)"],
    )
