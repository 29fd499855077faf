"""Calls of all functions give what DuckDB gives: some at once, a hundred thousand in the slow tests."""

from __future__ import annotations

import pytest
from oracle import function_calls
from oracle.function_calls import Comparison, Signature


def _shown(compared: Comparison) -> str:
    return "\n".join(map(str, compared.differences[:20]))


def test_some_calls() -> None:
    compared = function_calls.run(100, seed=3, every=12)
    assert not compared.differences, _shown(compared)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_hundred_thousand_calls(seed: int) -> None:
    compared = function_calls.run(50_000, seed)
    assert compared.calls > 40_000
    assert not compared.differences, _shown(compared)


def test_differences_are_found() -> None:
    compared = Comparison()
    compared.ours.execute("CREATE TABLE nothing(i INTEGER)")
    compared.check(Signature("no_such_function", ("INTEGER",), True), [("1::INTEGER",)])
    assert not compared.differences
    compared.check(Signature("epoch_ns", ("TIMESTAMP",), True), [("'2300-01-01'::TIMESTAMP",)])
    compared.theirs.execute("CREATE MACRO strange(a) AS a + 1")
    compared.check(Signature("strange", ("INTEGER",), True), [("1::INTEGER",)])
    assert [d.ours for d in compared.differences] == [None]
