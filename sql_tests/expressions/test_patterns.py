"""LIKE, ILIKE and regular expressions."""

from __future__ import annotations

import pytest
from expressions.harness import check_all, pairs, single
from expressions.values import VARCHAR
from tandemdb.cpu_fallback.functions import pattern
from tandemdb.cpu_fallback.functions.regexp import with_named_group

LIKE = [
    *[
        "'%'",
        "''",
        "'a%'",
        "'%a'",
        "'%b%'",
        "'a_c'",
        "'_'",
        "'__'",
        "'%_%'",
        "'a\\%b'",
        "'h_llo'",
        "'%é%'",
        "'%a%b%'",
    ],
    *["'abc'", "'a%c%c'", "'%o W%d'", "'%%'", "'_%_'", "'%b_c'", "'a%b_c'"],
]
REGEX = [
    *[
        "'b'",
        "'^a'",
        "'c$'",
        "'a.c'",
        "'.'",
        "'(a)(b)'",
        "'[[:alpha:]]+'",
        "'\\d+'",
        "'('",
        "'a|h'",
        "'(?i)A'",
        "'é'",
    ],
    *[
        "'(b)?c'",
        "'a{2}'",
        "'[^a]'",
        "''",
        "'(?P<n>b)c'",
        "'[]a]'",
        "'\\Qa%b\\E'",
        "'a(?:b)(c)'",
        "'^'",
        "'\\s'",
    ],
]
OTHERS = ["NULL", "''", "'a'", "'abc'", "'%b%'", "'_'", "'é'", "'a%'"]


@pytest.mark.parametrize("rows", [1, 32_768])
def test_like(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the compiled kernel, and by arrow as for few rows."""
    monkeypatch.setattr(pattern, "KERNEL_ROWS", rows)
    forms = [f"a {form} {p}" for p in LIKE for form in ("LIKE", "NOT LIKE", "ILIKE")]
    escapes = [f"a LIKE {p} ESCAPE '\\'" for p in LIKE]
    special = [
        "a LIKE 'a$%b$_c' ESCAPE '$'",
        "a LIKE 'abc' ESCAPE ''",
        "a ILIKE 'A$%B%' ESCAPE '$'",
        "contains(a, 'b_')",
    ]
    check_all(single("VARCHAR", VARCHAR), [*forms, *escapes, *special], constants=6)


def test_like_with_a_pattern_a_row() -> None:
    texts = ["a LIKE b", "a ILIKE b", "a NOT LIKE b", "a LIKE b ESCAPE '_'"]
    check_all(pairs("VARCHAR", "VARCHAR", VARCHAR, OTHERS), texts)


def test_faulty_patterns_are_errors() -> None:
    texts = ["a LIKE 'abc' ESCAPE 'xx'", "regexp_matches(a, 'b', 'x')", "regexp_matches(a, 'b', 'g')"]
    check_all(
        single("VARCHAR", ["'a'", "'abc'"]), [*texts, "a LIKE 'a$' ESCAPE '$' OR a LIKE 'abc$' ESCAPE '$'"]
    )


@pytest.mark.parametrize("expression", REGEX)
def test_regular_expressions(expression: str) -> None:
    texts = [
        *[f"regexp_matches(a, {expression})", f"regexp_full_match(a, {expression})"],
        *[f"regexp_matches(a, {expression}, '{option}')" for option in ("i", "s", "l", "c")],
        *[f"regexp_replace(a, {expression}, {new})" for new in ("'<\\0>'", "'\\1'", "'z', 'g'", "'', 'ig'")],
        *[f"regexp_extract(a, {expression})", f"regexp_extract(a, {expression}, 0, 'i')"],
        *[f"regexp_extract(a, {expression}, {group})" for group in (1, 2)],
    ]
    check_all(single("VARCHAR", VARCHAR), texts, constants=4, null_rows_may_differ=True)


def test_a_regular_expression_a_row() -> None:
    texts = [
        "regexp_matches(a, b)",
        "regexp_replace(a, b, '-', 'g')",
        "regexp_extract(a, b)",
        "regexp_full_match(a, b)",
    ]
    check_all(pairs("VARCHAR", "VARCHAR", VARCHAR, OTHERS), texts)


@pytest.mark.parametrize(
    ("expression", "group", "renamed"),
    [
        ("(a)(b)", 2, "(?:a)(?P<wanted>b)"),
        ("((a)b)", 1, "(?P<wanted>(?:a)b)"),
        ("(?:x)(?P<n>y)", 1, "(?:x)(?P<wanted>y)"),
        (r"\((a)", 1, r"\((?P<wanted>a)"),
        ("[(](a)", 1, "[(](?P<wanted>a)"),
        ("[](](a)", 1, "[](](?P<wanted>a)"),
        (r"\Q(\E(a)", 1, r"\Q(\E(?P<wanted>a)"),
        ("a", 1, None),
    ],
)
def test_groups_are_renamed(expression: str, group: int, renamed: str | None) -> None:
    assert with_named_group(expression, group) == renamed
