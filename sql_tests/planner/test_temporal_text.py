"""Random text as intervals, dates and times: the same value, or a refusal, as in DuckDB."""

from __future__ import annotations

import random

import duckdb
import pytest
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


MAKERS = {"INTERVAL": interval_text}


@pytest.mark.parametrize("name", MAKERS)
def test_random_text_reads_as_in_duckdb(name: str) -> None:
    source = random.Random(7)
    texts = sorted({MAKERS[name](source) for _ in range(ROUNDS)})
    expected = duckdb.execute(
        f"SELECT x, TRY_CAST(x AS {name})::VARCHAR FROM (SELECT unnest(?) AS x)", [texts]
    ).fetchall()
    assert [(text, read(name, text)) for text, _ in expected] == expected
    assert sum(value is not None for _, value in expected) > ROUNDS / 10


def read(name: str, text: str) -> str | None:
    kind = type_named(name)
    try:
        return format_value(parse_text(text, kind), kind)
    except ValueError:
        return None
