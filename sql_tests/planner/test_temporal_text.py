"""Random text as intervals, dates and times: the same value, or a refusal, as in DuckDB."""

from __future__ import annotations

import random

import duckdb
import pytest
import tandemdb
from oracle.bound_types import type_named
from tandemdb.planner.literals import format_value, parse_text

ROUNDS = 3000
UNITS = (
    "day days d month mon y year yr us ms s sec second m min minutes h hours w week quarters decade c mil "
    "foo dow epoch weekofyear"
).split()
NUMBERS = (
    "0 1 2 12 59 60 100 -1 -2 +1 1.5 -1.5 .5 1. 0.0000005 2147483647 2147483648 99999999999 1.999999999 1e2"
).split()
CLOCKS = (
    "5:30 05:30:00 -5:30 1:02:03.5 24:00 25:00:00 1:60 1:2:60 5: 5:3: 100:00 -1:00:00.000001 1:2:3.1234567 "
    "+5:30 5:30Z 5:3.5 5:30:"
).split()
WORDS = ["ago", "AGO", "ago ", "aga", "@", "P1D", ",", "and", "-", "x", "  ", "\t", "\v"]


def interval_text(source: random.Random) -> str:
    """Terms, times and words, most of them well formed."""
    parts = ["@"] if source.random() < 0.05 else []
    for _ in range(source.choice((1, 1, 2, 3))):
        kind = source.random()
        if kind < 0.7:
            parts.append(source.choice(NUMBERS) + source.choice((" ", "", "\t")) + source.choice(UNITS))
        else:
            parts.append(source.choice(CLOCKS if kind < 0.85 else NUMBERS if kind < 0.93 else WORDS))
    if source.random() < 0.15:
        parts.append(source.choice(WORDS))
    text = source.choice((" ", " ", "")).join(parts)
    return source.choice(("", "", "", "", " ", "\n")) + text + source.choice(("", "", "", "", " ", "\r"))


YEARS = "2020 2020 2020 1 0 -1 99 9999 10000 290000 294247 5877642 -290308 020 1969".split()
MONTHS, DAYS = "01 1 12 2 02 13 0 6 001".split(), "01 1 31 30 29 28 0 32 001".split()
ERAS = ["", "", "", "", "", "", "", " (BC)", " (bc)", "(BC)", " BC", " (BC) "]
DAY_TIMES = (
    "10:00 10:00:00 10:00:00.5 1:2:3 23:59:59.9999999 24:00 24:00:00 24:00:01 25:00 1:60 1:2:60 9: 9:8 9:8: "
    "9:8:7. 9 123:00 +1:00 10:00:00.123456789"
).split()
AFTER = [
    *(
        "",
        "",
        "",
        "",
        "Z",
        "z",
        "+01",
        "-05:30",
        " +01",
        "-0530",
        " -0530",
        "+1",
        "+01:3",
        "+01:30:15",
        "+24",
    ),
    *(
        "+16:00",
        " UTC",
        "UTC",
        " Etc/UTC",
        " utc",
        " GMT",
        " PM",
        "PM",
        "x",
        ".",
        " ",
        "\n",
        " +01:00 ",
        "Z ",
        " Z",
    ),
]


def date_text(source: random.Random) -> str:
    """Dates with an era, many of which exist."""
    mark = source.choice("----/ \\.")
    return mark.join((source.choice(YEARS), source.choice(MONTHS), source.choice(DAYS))) + source.choice(ERAS)


def moment_text(source: random.Random) -> str:
    """Dates and times with what may stand behind them."""
    text = date_text(source)
    if source.random() < 0.8:
        text += source.choice((" ", " ", " ", "T", "t", "  ", "")) + source.choice(DAY_TIMES)
    return source.choice(("", "", "", "", " ", "\n")) + text + source.choice(AFTER)


def time_text(source: random.Random) -> str:
    """Times with what may stand behind them, some after a date."""
    if source.random() < 0.3:
        return moment_text(source)
    return source.choice(("", "", "", "\t")) + source.choice(DAY_TIMES) + source.choice(AFTER)


MAKERS = {
    "INTERVAL": interval_text,
    "DATE": moment_text,
    "TIME": time_text,
    "TIMESTAMP": moment_text,
    "TIMESTAMP_NS": moment_text,
    "TIMESTAMP WITH TIME ZONE": moment_text,
}
ZONES = (
    "Europe/Paris America/New_York Australia/Lord_Howe Asia/Kolkata America/St_Johns Etc/GMT+5 europe/LONDON "
    "America/Sao_Paulo Africa/Cairo Pacific/Apia UTC No/Where PM"
).split()


@pytest.mark.parametrize("name", MAKERS)
def test_random_text_reads_as_in_duckdb(name: str) -> None:
    source = random.Random(7)
    texts = sorted({MAKERS[name](source) for _ in range(ROUNDS)})
    expected = in_duckdb(name, texts)
    assert [(text, read(name, text)) for text, _ in expected] == expected
    assert sum(value is not None for _, value in expected) > ROUNDS / 100


def test_named_zones_are_those_of_duckdb_from_1970_on() -> None:
    moments = ["1970-02-01 00:00:00", "1999-12-31 23:59:59.5", "2020-07-01 12:00:00", "12020-07-01 00:00:00"]
    # An hour that does not exist, and ones that come twice.
    moments += ["2020-03-29 02:30:00", "2020-10-25 02:30:00", "2020-11-01 01:30:00"]
    texts = [f"{moment} {zone}" for moment in moments for zone in ZONES]
    expected = in_duckdb("TIMESTAMP WITH TIME ZONE", texts)
    assert [(text, read("TIMESTAMP WITH TIME ZONE", text)) for text, _ in expected] == expected


@pytest.mark.parametrize(
    "text",
    ["1969-12-31 10:00:00 Europe/Paris", "0000-01-31 10:00:00 Europe/Paris", "2020-01-31 10:00:00 PST"],
)
def test_zones_whose_rules_are_not_known_are_refused_by_try_cast_too(text: str) -> None:
    for sql in (
        "SELECT TRY_CAST(? AS TIMESTAMPTZ)",
        "SELECT TRY_CAST(v AS TIMESTAMPTZ) FROM (VALUES (?)) AS t(v)",
    ):
        with (
            tandemdb.connect() as connection,
            pytest.raises(tandemdb.NotSupportedError, match="Write the offset"),
        ):
            connection.execute(sql, [text]).fetchall()


def in_duckdb(name: str, texts: list[str]) -> list[tuple[str, str | None]]:
    connection = duckdb.connect()
    connection.execute("SET timezone = 'UTC'")
    sql = f"SELECT x, TRY_CAST(x AS {name})::VARCHAR FROM (SELECT unnest(?) AS x)"
    return connection.execute(sql, [texts]).fetchall()


def read(name: str, text: str) -> str | None:
    kind = type_named(name)
    try:
        return format_value(parse_text(text, kind), kind)
    except ValueError:
        return None
