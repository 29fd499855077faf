"""The page of DuckDB's functions says what is built."""

from __future__ import annotations

from oracle import functions_page


def test_the_page_is_true() -> None:
    assert functions_page.PAGE.read_text() == functions_page.page(), f"run {functions_page.COMMAND}"


def test_what_is_missing_and_partial_is_told() -> None:
    assert functions_page.status("scalar", "no_such_function", [("INTEGER",)]) == "missing"
    assert functions_page.status("scalar", "upper", [("VARCHAR",), ("INTEGER[]",)]) != "missing"
    assert functions_page.status("scalar", "year", [("DATE",), ("TIMESTAMPTZ_NS",)]).startswith(
        "partial: 1 of 2"
    )
    assert functions_page.status("aggregate", "corr", [("DOUBLE", "DOUBLE")]) == "complete"
