"""Row groups are ruled out only when no row of theirs can satisfy the predicate."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tandemdb.physical.parquet_meta import RowGroupStats
from tandemdb.physical.pruning import compile_checks
from tandemdb.planner import expr as e
from tandemdb.planner import types as t

COLUMN = e.Column(1, "x", t.BIGINT)
OPS = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def stats_of(values: list[int | None]) -> RowGroupStats:
    known = [v for v in values if v is not None]
    low, high = (min(known), max(known)) if known else (None, None)
    return RowGroupStats(low, high, len(values) - len(known))


def may_match(predicate: e.Expr, stats: RowGroupStats, rows: int) -> bool:
    checks, _ = compile_checks(predicate)
    return all(check({1: stats}, rows) for check in checks)


VALUES = st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=1, max_size=6)


@given(VALUES, st.sampled_from(sorted(OPS)), st.integers(-6, 6), st.booleans())
def test_no_matching_row_is_lost(values: list[int | None], op: str, constant: int, flipped: bool) -> None:
    column, literal = e.ref(COLUMN), e.Literal(t.BIGINT, constant)
    left, right = (literal, column) if flipped else (column, literal)
    predicate = e.Comparison(t.BOOLEAN, op, left, right)
    holds = [v is not None and (OPS[op](constant, v) if flipped else OPS[op](v, constant)) for v in values]
    assert may_match(predicate, stats_of(values), len(values)) or not any(holds)


@pytest.mark.parametrize(("op", "constant"), list(itertools.product(sorted(OPS), [-1, 0, 4, 9])))
def test_statistics_do_rule_out(op: str, constant: int) -> None:
    """A check that never rules anything out would pass the test above."""
    values: list[int | None] = [0, 4]
    predicate = e.Comparison(t.BOOLEAN, op, e.ref(COLUMN), e.Literal(t.BIGINT, constant))
    possible = any(OPS[op](v, constant) for v in range(5))
    assert may_match(predicate, stats_of(values), 2) == possible


def test_nulls_and_lists() -> None:
    column = e.ref(COLUMN)
    is_null = e.IsNull(t.BOOLEAN, column)
    assert not may_match(is_null, RowGroupStats(1, 2, 0), 2)
    assert may_match(is_null, RowGroupStats(1, 2, 1), 2)
    assert not may_match(e.Not(t.BOOLEAN, is_null), RowGroupStats(None, None, 2), 2)
    in_list = e.InList(t.BOOLEAN, column, (e.Literal(t.BIGINT, 7), e.Literal(t.BIGINT, None)))
    assert not may_match(in_list, RowGroupStats(1, 2, 0), 2)
    assert may_match(in_list, RowGroupStats(1, 8, 0), 2)


@pytest.mark.parametrize(
    ("op", "kept"), [("<", False), ("<=", False), (">", True), (">=", True), ("=", True)]
)
def test_nan_hides_above_the_bounds(op: str, kept: bool) -> None:
    """Statistics leave NaN out, and NaN is greater than every number."""
    column = e.Column(1, "x", t.DOUBLE)
    predicate = e.Comparison(t.BOOLEAN, op, e.ref(column), e.Literal(t.DOUBLE, 0.5 if op[0] == "<" else 9.0))
    assert may_match(predicate, RowGroupStats(1.0, 2.0, 0), 3) is kept
    nan = e.Comparison(t.BOOLEAN, "<=", e.ref(column), e.Literal(t.DOUBLE, math.nan))
    assert may_match(nan, RowGroupStats(1.0, 2.0, 0), 3)
