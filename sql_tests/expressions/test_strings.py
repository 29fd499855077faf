"""Functions of strings, over plain, sliced and dictionary-encoded columns."""

from __future__ import annotations

import pytest
from expressions.harness import bind_expression, check_all, evaluate, pairs, single
from expressions.values import BY_TYPE, VARCHAR
from tandemdb.cpu_fallback.functions import string_parts
from tandemdb.planner.errors import OutOfRangeError

OTHERS = ["NULL", "''", "'a'", "'abc'", "'%b%'", "'_'", "'é'", "'a%'"]
ONE = [
    *[
        "length(a)",
        "strlen(a)",
        "bit_length(a)",
        "lower(a)",
        "upper(a)",
        "reverse(a)",
        "ascii(a)",
        "unicode(a)",
    ],
    *["trim(a)", "ltrim(a)", "rtrim(a)", "trim(a, 'ah ')", "ltrim(a, 'ab')", "rtrim(a, 'cé')", "trim(a, '')"],
    *[
        "repeat(a, 3)",
        "repeat(a, -1)",
        "md5(a)",
        "sha256(a)",
        "hex(a)",
        "a || 'x'",
        "'y' || a || a",
        "a || NULL",
    ],
    *[
        "concat(a, 'z', a)",
        "concat(NULL, a)",
        "concat(a)",
        "concat_ws('-', a, NULL, 'q', a)",
        "concat_ws('', a)",
    ],
    *["replace(a, 'a', 'XY')", "replace(a, '', 'z')", "replace(a, 'b', '')", "translate(a, 'abé', 'xy')"],
    *["split_part(a, 'b', 1)", "split_part(a, '', 2)", "split_part(a, 'a', -1)", "split_part(a, 'a', 0)"],
    *["lpad(a, 5, 'xy')", "rpad(a, 5, 'é')", "lpad(a, 2, '')", "lpad(a, -1, 'x')", "rpad(a, 9, '')"],
    *["strpos(a, 'b')", "strpos(a, '')", "contains(a, 'b')", "contains(a, '')", "contains(a, '%')"],
    *[
        "starts_with(a, 'a')",
        "ends_with(a, 'c')",
        "levenshtein(a, 'abd')",
        "'abc' LIKE a",
        "substring('hello', 2)",
    ],
]
TWO = [
    *["a = b", "a < b", "a >= b", "a || b", "a IS DISTINCT FROM b", "concat(a, b)", "concat_ws(b, a, 'k')"],
    *["concat_ws(a, b)", "contains(a, b)", "starts_with(a, b)", "ends_with(a, b)", "strpos(a, b)"],
    *[
        "replace(a, b, 'z')",
        "split_part(a, b, 1)",
        "translate(a, b, 'xyz')",
        "levenshtein(a, b)",
        "trim(a, b)",
    ],
    *[
        "greatest(a, b)",
        "least(a, b, 'b')",
        "a IN (b, 'abc')",
        "a IN ('a', 'abc', NULL)",
        "a NOT IN ('a', b)",
    ],
    *["coalesce(a, b)", "nullif(a, b)", "CASE WHEN a < b THEN a WHEN a > b THEN b ELSE 'eq' END"],
    *["substring(a, length(b), 2)", "left(a, length(b))", "repeat(b, length(a))", "upper(a) = upper(b)"],
    "CASE WHEN a < b THEN 'less' WHEN a > b THEN 'more' ELSE 'less' END",
]


def test_one_column() -> None:
    check_all(single("VARCHAR", VARCHAR), ONE)


def test_two_columns() -> None:
    check_all(pairs("VARCHAR", "VARCHAR", VARCHAR, OTHERS), TWO)


@pytest.mark.parametrize("start", [-100, -6, -3, -1, 0, 1, 2, 3, 6, 100])
def test_parts_by_position(start: int) -> None:
    texts = [f"substring(a, {start}, {length})" for length in (-3, -1, 0, 1, 2, 100)]
    check_all(
        single("VARCHAR", VARCHAR),
        [f"substring(a, {start})", f"left(a, {start})", f"right(a, {start})", *texts],
    )


def test_parts_by_position_in_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled kernel, used from some thousand rows on."""
    monkeypatch.setattr(string_parts, "KERNEL_ROWS", 1)
    table = pairs("VARCHAR", "BIGINT", VARCHAR, ["NULL", "-100", "-2", "0", "1", "2", "50"])
    check_all(table, ["substring(a, b)", "substring(a, b, 2)", "substring(a, 2, b)", "substring(a, b, b)"])


def test_characters_that_people_see() -> None:
    values = [
        "'👨‍👩‍👧a'",
        "'🇩🇪🇫🇷x'",
        "'e' || chr(769) || 'x'",
        "'👍🏽!'",
        "chr(13) || chr(10) || 'a'",
        "'각힣'",
    ]
    check_all(single("VARCHAR", values), ["reverse(a)", "length(a)", "upper(a)"])


def test_codes() -> None:
    numbers = ["NULL", "0", "97", "233", "128512", "-1", "55296", "1114112", "65"]
    check_all(single("INTEGER", numbers), ["chr(a)", "hex(a)"])
    for kind in ("BIGINT", "UBIGINT", "HUGEINT"):
        check_all(single(kind, BY_TYPE[kind]), ["hex(a)"])


def test_blobs() -> None:
    texts = [
        "hex(a)",
        "md5(a)",
        "sha256(a)",
        "octet_length(a)",
        "a || a",
        "repeat(a, 2)",
        "a = 'abc'::BLOB",
        "a < '\\x80'::BLOB",
    ]
    check_all(single("BLOB", BY_TYPE["BLOB"]), texts)


def test_a_string_too_long_is_an_error() -> None:
    table = single("VARCHAR", ["'a'"])
    with pytest.raises(OutOfRangeError, match="2 GB"):
        evaluate(bind_expression(table, "repeat(a, 3000000000)"), table.batch)
