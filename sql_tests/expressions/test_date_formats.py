"""strftime and strptime."""

from __future__ import annotations

import pytest
from expressions.harness import check_all, single
from expressions.values import DATE, TIMESTAMP

FORMATS = [
    *[
        "%Y-%m-%d",
        "%d/%m/%y",
        "%a %A %b %B",
        "%j %U %W %w %u",
        "%-d.%-m.%-y %-H:%-M:%-S %-I %p %-j",
        "%H:%M:%S.%f",
    ],
    *["%g|%n", "%G-W%V", "%c", "%x %X", "%%", "%z|%Z|", "no specifier", "%%Y", "%I %p"],
]
READ = [
    *[
        "%Y-%m-%d",
        "%Y-%m-%d %H:%M:%S",
        "%d/%m/%y",
        "%d %b %Y",
        "%d %B %Y",
        "%I:%M %p",
        "%Y-%m-%d %H:%M:%S.%f",
    ],
    *["%Y-%m-%d %H:%M:%S.%g", "%Y %j", "%Y", "%A, %d %B %Y", "%y", "%c", "%x"],
]
TEXTS = [
    *["NULL", "''", "'2020-05-07'", "'2020-05-07 13:04:05'", "'7/5/20'", "'07 May 2020'", "'1:05 PM'", "'x'"],
    *[
        "'2020-05-07 13:04:05.123'",
        "'2020-02-30'",
        "'2020 128'",
        "'  2020'",
        "'2020 '",
        "'Thursday, 07 May 2020'",
    ],
    *["'99'", "'68'", "'20201'", "'12:00 am'", "'2020-13-01'", "'2020-05-07 25:00:00'"],
]


@pytest.mark.parametrize(("kind", "values"), [("DATE", DATE), ("TIMESTAMP", TIMESTAMP)])
def test_strftime(kind: str, values: list[str]) -> None:
    check_all(single(kind, values), [f"strftime(a, '{form}')" for form in FORMATS], constants=4)


def test_the_format_may_come_first() -> None:
    check_all(single("DATE", ["'2020-05-07'", "NULL"]), ["strftime('%d.%m.', a)", "strftime(NULL, a)"])


def test_faulty_formats_are_errors() -> None:
    texts = [
        f"{call}"
        for form in ("%q", "%", "", "%-Y")
        for call in (f"strftime(DATE '2020-01-01', '{form}')", f"strptime(a, '{form}')")
    ]
    check_all(single("VARCHAR", ["'2020'"]), texts)


@pytest.mark.parametrize("function", ["strptime", "try_strptime"])
def test_strptime(function: str) -> None:
    check_all(single("VARCHAR", TEXTS), [f"{function}(a, '{form}')" for form in READ], constants=4)
