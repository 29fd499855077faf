"""CAST and TRY_CAST between all types."""

from __future__ import annotations

import pytest
from expressions.harness import check_all, single
from expressions.values import BY_TYPE, DATE, DECIMALS, INTEGERS, TIME, TIMESTAMP

NUMBERS = [*INTEGERS, *DECIMALS, "FLOAT", "DOUBLE", "BOOLEAN"]
STAMPS = ["TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ"]
NUMBER_TEXTS = [
    *["NULL", "''", "' '", "'1'", "' 12 '", "'+5'", "'-7'", "'1e3'", "'1.5'", "'2.5'", "'-2.5'", "'1_000'"],
    *["'0x1F'", "'0b11'", "'abc'", "'1e'", "'.5'", "'5.'", "'inf'", "'-Infinity'", "'NaN'", "'99999999999'"],
    *["'300'", "'true'", "'F'", "'yes'", "'0'", "'1e400'", "'1e-400'", "'9223372036854775808'", "'- 5'"],
    *[
        "'-9223372036854775808'",
        "'0.0000001'",
        "'123456789012345678901234567890.5'",
        "'0xFFFFFFFF'",
        "'1e39'",
    ],
    *["'00012'", "'--5'", "'1,000'", "'1e+2'", "'1E2'", "'0.4999999999999999999'", "'1.255'"],
    *[
        "chr(9) || '3' || chr(10)",
        "'0x10 '",
        "' 0b11'",
        "'0e957'",
        "'0e40000'",
        "'5E0.'",
        "'15.e-1.'",
        "'1e1_0'",
    ],
    *[
        "'5e32_4'",
        "'+-9677'",
        "'-+1'",
        "'+-inf'",
        "'9903e-51'",
        "'999e-5'",
        "'0012e-1'",
        "'-0 '",
        "'-0e1'",
        "'٣'",
    ],
]
DATE_TEXTS = [
    *["NULL", "''", "'2020-01-31'", "'2020-1-3'", "' 2020-01-31 '", "'2020/01/31'", "'2020-02-30'", "'x'"],
    *[
        "'20200131'",
        "'2020-01-31 10:20:30'",
        "'2020-01-31T10:20:30Z'",
        "'2020-01-31 10:20'",
        "'2020-01-31 10'",
    ],
    *[
        "'2020-01-31 10:20:30.123456789'",
        "'2020-01-31 10:20:30+02'",
        "'2020-01-31 10:20:30 UTC'",
        "'infinity'",
    ],
    *[
        "'-infinity'",
        "'epoch'",
        "'0044-03-15 (BC)'",
        "'10000-01-01'",
        "'-0044-03-15'",
        "'2020-13-01'",
        "'2020'",
    ],
    *["'2020-01-31 abc'", "'2020-01-31 25:00:00'", "'10:20:30'", "'10:20'", "'1:2:3.456'", "'24:00:00'"],
    *["'25:00:00'", "'2020-01-31 24:00:00'", "'2020-01-31 10:20:30.5+05:30'", "'1 day'", "'01:02:03'", "'1'"],
    *["'-1 year 2 months'", "'3 weeks ago'", "'1.5 hours'", "'2020-06'", "'290309-12-22 (BC) 00:00:00'"],
    *["'20-01-01'", "'2020-01-31 10:20:30.'", "'P1Y2M'", "'1 foo'", "'2020-01-31 10:60:00'"],
]
BLOB_TEXTS = ["NULL", "''", "'abc'", "'\\xFF'", "'\\x4'", "'a\\x00b'", "'é'", "'\\'", "'\\xZZ'", "'\"'"]


def both(target: str) -> list[str]:
    """CAST and TRY_CAST of the column."""
    return [f"CAST(a AS {target})", f"TRY_CAST(a AS {target})"]


@pytest.mark.parametrize("source", NUMBERS)
def test_between_numbers(source: str) -> None:
    texts = [text for target in NUMBERS if target != source for text in both(target)]
    check_all(single(source, BY_TYPE[source]), texts, constants=20)


@pytest.mark.parametrize("source", [kind for kind in BY_TYPE if kind != "VARCHAR"])
def test_to_text(source: str) -> None:
    check_all(
        single(source, BY_TYPE[source]),
        ["CAST(a AS VARCHAR)", "a || '!'"] if source != "BLOB" else ["CAST(a AS VARCHAR)"],
    )


@pytest.mark.parametrize("target", NUMBERS)
def test_numbers_from_text(target: str) -> None:
    check_all(single("VARCHAR", NUMBER_TEXTS), both(target), constants=50)


@pytest.mark.parametrize("target", ["DATE", "TIME", "INTERVAL", *STAMPS])
def test_moments_from_text(target: str) -> None:
    check_all(single("VARCHAR", DATE_TEXTS), both(target), constants=50)


def test_blobs_from_text() -> None:
    check_all(single("VARCHAR", BLOB_TEXTS), both("BLOB"))


@pytest.mark.parametrize("source", ["DATE", *STAMPS])
def test_between_moments(source: str) -> None:
    values = DATE if source == "DATE" else TIMESTAMP
    if source == "TIMESTAMP_NS":
        values = [value for value in values if "BC" not in value]
    targets = [target for target in ("DATE", *STAMPS) if target != source]
    if source not in ("DATE", "TIMESTAMPTZ"):
        targets.append("TIME")
    if source == "TIMESTAMP_NS":
        targets.remove("TIMESTAMP_S")
    check_all(
        single(source, values), [*(text for target in targets for text in both(target)), "CAST(a AS VARCHAR)"]
    )


def test_times() -> None:
    check_all(single("TIME", TIME), ["CAST(a AS VARCHAR)"])


def test_many_days_written_out() -> None:
    days = [f"DATE '1992-01-01' + {day}" for day in range(0, 4000, 9)]
    check_all(
        single("DATE", ["NULL", *days]),
        ["CAST(a AS VARCHAR)", "year(a)", "CAST(a AS TIMESTAMP)"],
        constants=3,
    )


def test_shortest_digits_of_floats() -> None:
    values = [
        "1e15",
        "1e16",
        "123456789012345680",
        "0.0001",
        "0.00001",
        "1e-7",
        "5e-324",
        "1e22",
        "0.3",
        "1e308",
    ]
    check_all(single("DOUBLE", values), ["CAST(a AS VARCHAR)"])
    singles = ["0.1", "16777216", "1e38", "1.5e-10", "123456.7", "3.4028235e38", "1e-45", "1e10", "9999999"]
    check_all(single("FLOAT", singles), ["CAST(a AS VARCHAR)", "CAST(a AS DOUBLE)"])


def test_floats_near_halves_to_decimals() -> None:
    halves = ["1.005", "0.285", "8.575", "-0.145", "1.255", "0.125", "-2.5", "0.49999999999999994", "1.5"]
    large = ["35184372088.805", "140737488355328.5", "-3129594447812424.5", "3129594447812425.5", "1e17"]
    targets = ["DECIMAL(10,2)", "DECIMAL(18,0)", "DECIMAL(18,2)", "DECIMAL(38,0)", "DECIMAL(38,20)"]
    for source in ("DOUBLE", "FLOAT"):
        texts = [text for target in [*targets, "BIGINT", "HUGEINT"] for text in both(target)]
        check_all(single(source, [*halves, *large]), texts, constants=5)


def test_floats_between_two_short_texts() -> None:
    midway = ["72045296", "1099e6", "-128.953125", "0.000244140625", "1804693.75", "6103515625e-14"]
    on_borders = ["265189392", "-1029280832", "3967017282197206e4", "1.5474250491067253e26", "1e23", "5e22"]
    for source in ("FLOAT", "DOUBLE"):
        check_all(single(source, [*midway, *on_borders]), ["CAST(a AS VARCHAR)", "a || '!'"], constants=12)
