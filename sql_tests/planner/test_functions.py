"""The function registry: its entries, and the types of calls against DuckDB."""

from __future__ import annotations

import itertools

import pytest
from oracle.bound_types import COLUMNS, bind_text, duckdb_type, our_type
from tandemdb.planner import functions
from tandemdb.planner.errors import BinderError, CatalogError, UnsupportedError
from tandemdb.planner.expr import AggregateCall, Call, Literal, walk
from tandemdb.planner.functions import (
    AGGREGATES,
    DATE_PARTS,
    REFUSED,
    SCALARS,
    find_aggregate,
    find_scalar,
    function_names,
)

ANY_ARGUMENT = (*COLUMNS, "NULL", "'x'", "1", "1.5", "-1")
FIRST = ("i", "q", "d", "s", "dt", "ts", "iv", "bl", "1")
SECOND = ("i", "l", "q", "d", "s", "dt", "tz", "iv", "'x'", "1", "1.5")
# Called with an operator or as a plan node only.
_OPERATORS = {"neg", "like", "ilike", "count_star"}
NAMES = sorted(n for n in (*SCALARS, *AGGREGATES) if n[0].isalpha() and n not in _OPERATORS)

# DuckDB has overloads here that are not built, or checks the argument while running.
_LISTS = ("min", "max")
_DIFFERENT = {
    "octet_length('x')", "octet_length(NULL)", "make_date('x')", "hex(f)", "hex(d)", "bin(f)", "bin(d)",
    "timezone(iv, 'x')", "timezone(NULL)",
    "date_part('x', dt)",
    "strftime(NULL, dt)", "strftime(ts, s)", "strftime(dt, s)",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_types_of_calls_with_one_argument(name: str) -> None:
    for argument in ANY_ARGUMENT:
        text = f"{name}({argument})"
        if text not in _DIFFERENT:
            assert our_type(text) == duckdb_type(text), text


@pytest.mark.parametrize("part", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [n for n in NAMES if n not in _LISTS and n not in ("trim", "histogram")])
def test_types_of_calls_with_two_arguments(name: str, part: int) -> None:
    """Every second pair of types, like the white and the black fields of a chessboard."""
    for number, (left, right) in enumerate(itertools.product(FIRST, SECOND)):
        text = f"{name}({left}, {right})"
        if number % 2 != part or text in _DIFFERENT or (name == "strftime" and "s" in (left, right)):
            continue
        assert our_type(text) == duckdb_type(text), text


@pytest.mark.parametrize("name", ["date_trunc", "date_diff", "date_sub", "date_part"])
def test_types_of_calls_with_date_parts(name: str) -> None:
    for part in ("year", "mon", "epoch", "dow"):
        for one in ("dt", "ts", "tz", "tm", "iv", "tss", "s", "'2020-01-01'"):
            for two in ("", ", dt", ", ts", ", '2020-01-01'"):
                text = f"{name}('{part}', {one}{two})"
                # These parts of a time of day are an error of the value in DuckDB.
                if not (one == "tm" and part != "epoch" and not two):
                    assert our_type(text) == duckdb_type(text), text


@pytest.mark.parametrize("spelling", sorted(DATE_PARTS))
def test_date_part_names(spelling: str) -> None:
    text = f"date_part('{spelling}', ts)"
    assert our_type(text) == duckdb_type(text)


def test_every_entry_is_complete() -> None:
    for name, function in (SCALARS | AGGREGATES).items():
        assert name == name.lower()
        assert function.overloads, name
        assert function.help, name
        assert not function.help.endswith("."), name
        for overload in function.overloads:
            assert overload.result is not None or overload.bind is not None, name


def test_the_module_lists_every_canonical_name() -> None:
    listed = set((functions.__doc__ or "").replace("'", " ").split())
    assert not {*SCALARS, *AGGREGATES} - listed


def test_names_are_found_by_every_spelling() -> None:
    for name, function in SCALARS.items():
        assert all(find_scalar(alias) is function for alias in (name, *function.aliases))
    for name, aggregate in AGGREGATES.items():
        assert all(find_aggregate(alias) is aggregate for alias in (name, *aggregate.aliases))
    assert "substr" in function_names()
    assert "coalesce" in function_names()


def test_refused_functions_are_not_registered() -> None:
    assert not [n for n in REFUSED if find_scalar(n) or find_aggregate(n)]


def test_aliases_are_bound_to_the_canonical_name() -> None:
    for text, canonical in (
        ("substr(s, 1)", "substring"),
        ("mod(i, 2)", "%"),
        ("i ** 2", "pow"),
        ("log(d)", "log10"),
    ):
        call = bind_text(text)
        assert isinstance(call, Call)
        assert call.function == canonical
    aggregate = bind_text("mean(i)")
    assert isinstance(aggregate, AggregateCall)
    assert aggregate.function == "avg"


def test_a_null_argument_makes_a_null_where_the_function_passes_it_on() -> None:
    assert bind_text("substring('text', NULL)") == Literal(bind_text("s").type, None)
    assert isinstance(bind_text("concat('text', NULL)"), Call)


def test_what_reads_columns_stays_in_the_query_though_it_is_null() -> None:
    assert isinstance(bind_text("substring(s, NULL)"), Call)
    assert any(isinstance(part, AggregateCall) for part in walk(bind_text("NULL + min(i)")))
    assert any(isinstance(part, AggregateCall) for part in walk(bind_text("typeof(min(i))")))


def test_unknown_and_refused_functions() -> None:
    with pytest.raises(CatalogError, match="subsrt") as unknown:
        bind_text("subsrt(s, 1)")
    assert unknown.value.hint is not None
    assert "substr" in unknown.value.hint
    refused = min(REFUSED)
    with pytest.raises(UnsupportedError, match=refused):
        bind_text(f"{refused}(s)")
    with pytest.raises(BinderError, match="substring") as wrong:
        bind_text("substring(i, 1)")
    assert "substring(VARCHAR, BIGINT)" in (wrong.value.hint or "")
