"""The plain reference of window functions against DuckDB, and the operator against it on random windows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from operators.harness import Relation, Runner, relation
from operators.oracle_duckdb import answers, load
from operators.test_window import EXCLUDES, bounds
from operators.window_calls import by, call_of, check, near, number, offset, table
from operators.window_reference import window_values
from tandemdb.planner.expr import (
    DEFAULT_FRAME,
    Expr,
    Frame,
    FrameBound,
    Literal,
    SortKey,
    WindowCall,
)
from tandemdb.planner.functions import AGGREGATES
from tandemdb.planner.types import BIGINT, BOOLEAN, DOUBLE, INTEGER, VARCHAR

# What the edge columns of `table` are from the key.
_DISTANCES = {"below": "2", "above": "2", "k": "0"}


def sql_of(call: WindowCall, partition: list[str], order: list[SortKey]) -> str:
    """The call as text."""

    def text(expr: Expr) -> str:
        if isinstance(expr, Literal):
            return "NULL" if expr.value is None else str(expr.value)
        return getattr(expr, "name", "") or f"CAST({text(expr.arg)} AS {expr.type})"  # type: ignore[attr-defined]

    def bound(edge: FrameBound) -> str:
        if edge.offset is None:
            return edge.kind
        shown = text(edge.offset)
        return f"{_DISTANCES[shown] if call.frame.unit == 'range' else shown} {edge.kind}"

    keys = ", ".join(
        f"{text(k.expr)} {'DESC' if k.descending else 'ASC'} NULLS {'FIRST' if k.nulls_first else 'LAST'}"
        for k in order
    )
    inside = ", ".join(map(text, call.args)) + (" IGNORE NULLS" if call.ignore_nulls else "")
    inside = ("DISTINCT " if call.distinct else "") + inside
    shown = "count(*)" if call.function == "count_star" else f"{call.function}({inside})"
    shown += "" if call.filter is None else f" FILTER (WHERE {text(call.filter)})"
    parts = f"PARTITION BY {', '.join(partition)} " if partition else ""
    frame = call.frame
    edges = f"{frame.unit} BETWEEN {bound(frame.start)} AND {bound(frame.end)} EXCLUDE {frame.exclude}"
    return f"{shown} OVER ({parts}ORDER BY {keys} {edges})"


def same_as_duckdb(duck: Any, data: Relation, order: list[SortKey], calls: list[WindowCall]) -> None:
    """The reference gives what DuckDB gives."""
    load(duck, "t", data)
    shown = ", ".join(sql_of(call, ["p"], order) for call in calls)
    found = answers(duck, f"SELECT {shown} FROM t ORDER BY row", [call.type for call in calls])
    for i, call in enumerate(calls):
        expected = [near(row[i]) for row in found]
        assert [near(v) for v in window_values(data, [data["p"]], order, call)] == expected, sql_of(
            call, ["p"], order
        )


@pytest.mark.parametrize("unit", ["rows", "range", "groups"])
def test_frames_of_the_reference(duck: Any, unit: str) -> None:
    """Every frame. Where equal rows can tell themselves apart DuckDB's order of them is its own."""
    data = table(11, 25, "it")
    rows = [(*row[:3], i * 7 % 25, *row[4:]) for i, row in enumerate(data.rows)]
    apart = relation(rows, **{c.name: c.type for c in data.columns})
    order = by(apart, "j") if unit == "rows" else by(apart, "k")
    calls = []
    for start, end in bounds(apart, unit, False):
        for exclude in EXCLUDES:
            frame = Frame(unit, start, end, exclude)
            calls += [
                call_of(apart, "count_star", frame=frame),
                call_of(apart, "max", "j", frame=frame, where="e"),
            ]
            if unit == "rows":
                calls += [
                    call_of(apart, "first_value", "i", frame=frame, ignore_nulls=True),
                    call_of(apart, "last_value", "t", frame=frame),
                    call_of(apart, "nth_value", "j", number(2), frame=frame),
                    call_of(apart, "arg_min", "t", "i", frame=frame),
                ]
    same_as_duckdb(duck, apart, order, calls)


def test_functions_of_the_reference(duck: Any) -> None:
    """Ranks, other rows and aggregates."""
    rows = [
        (i % 3 or None, i * 7 % 31, (None, 3, -1, 0, 2)[i % 5], bool(i % 2), i / 8, f"t{i * 5 % 9}")
        for i in range(31)
    ]
    data = relation(rows, p=INTEGER, k=INTEGER, m=BIGINT, e=BOOLEAN, f=DOUBLE, t=VARCHAR)
    frame = Frame("rows", offset("preceding", number(3)), FrameBound("current row"))
    calls = []
    ranks = ("row_number", "rank", "dense_rank", "percent_rank", "cume_dist")
    calls += [call_of(data, name) for name in ranks]
    for function in ("count", "sum", "avg", "median", "bit_xor"):
        calls.append(call_of(data, function, "m", frame=frame, distinct=True))
    for function in ("mode", "median", "string_agg"):
        calls.append(call_of(data, function, "t", frame=frame))
    calls.append(call_of(data, "string_agg", "t", frame=frame, distinct=True))
    calls.append(call_of(data, "quantile_cont", "k", Literal(DOUBLE, 0.25), frame=frame))
    calls.append(call_of(data, "quantile_disc", "f", Literal(DOUBLE, 0.75), frame=frame))
    calls += [call_of(data, "ntile", number(n)) for n in (1, 4, 50)]
    for function in ("lag", "lead"):
        calls += [
            call_of(data, function, "m", ignore_nulls=True),
            call_of(data, function, "t", "m", "t"),
            call_of(data, function, "m", "m", number(77), ignore_nulls=True),
        ]
    for function in ("sum", "avg", "product", "var_pop", "stddev_samp", "min", "count"):
        calls.append(call_of(data, function, "f", frame=frame))
    calls += [call_of(data, name, "e", frame=frame) for name in ("bool_and", "bool_or", "count_if", "last")]
    calls += [call_of(data, name, "m", frame=frame) for name in ("bit_and", "bit_or", "bit_xor", "any_value")]
    same_as_duckdb(duck, data, by(data, "k"), calls)


@pytest.fixture(scope="module")
def duck() -> Any:
    """A connection of DuckDB."""
    import duckdb

    with duckdb.connect() as connection:
        yield connection


# Random windows
_ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, 0, 1]),
        st.sampled_from([None, *range(6)]),
        st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
        st.one_of(st.none(), st.floats(width=32), st.sampled_from([0.0, -0.0])),
        st.one_of(st.none(), st.text(max_size=9)),
        st.integers(0, 4),
        st.booleans(),
    ),
    max_size=24,
)
_FUNCTIONS = [
    ("row_number",), ("rank",), ("dense_rank",), ("cume_dist",), ("lag", "t"), ("lead", "n", "o"),
    ("first_value", "t"), ("last_value", "n"), ("nth_value", "f", "o"), ("count", "t"), ("sum", "n"),
    ("avg", "n"), ("min", "f"), ("max", "t"), ("min", "n"), ("first", "f"), ("any_value", "t"),
    ("arg_max", "t", "n"), ("bit_xor", "n"), ("sum", "o"), ("bool_and", "e"),
    ("mode", "t"), ("median", "o"), ("string_agg", "t"),
]  # fmt: skip
_OFFSETS = st.one_of(st.integers(0, 5), st.just("o"))


@st.composite
def _frames(draw: Any) -> tuple[str, Any, Any, str]:
    unit = draw(st.sampled_from(["rows", "groups", "range"]))
    edges = st.sampled_from(
        ["unbounded preceding", "preceding", "current row", "following", "unbounded following"]
    )
    start, end = draw(edges), draw(edges)
    kinds = ["unbounded preceding", "preceding", "current row", "following", "unbounded following"]
    start, end = sorted((draw(st.sampled_from(kinds)), draw(st.sampled_from(kinds))), key=kinds.index)
    if start == "unbounded following":
        start = "current row"
    if end == "unbounded preceding":
        end = "current row"
    if unit == "range":
        start, end = (k if k not in ("preceding", "following") else "current row" for k in (start, end))
    first, last = ((k, draw(_OFFSETS) if k in ("preceding", "following") else None) for k in (start, end))
    return unit, first, last, draw(st.sampled_from(EXCLUDES))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=_ROWS, frame=_frames(), functions=st.lists(st.sampled_from(_FUNCTIONS), min_size=1, max_size=4),
       partition=st.sampled_from([[], ["p"], ["t"]]), order=st.sampled_from([[], ["k"], ["f"], ["t", "n"]]),
       descending=st.booleans(), nulls_first=st.booleans(),
       storage=st.sampled_from(["plain", "dictionary"]))  # fmt: skip
def test_random_windows(
    backend: Any, rows: Any, frame: Any, functions: Any, partition: Any, order: Any,
    descending: bool, nulls_first: bool, storage: str,
) -> None:  # fmt: skip
    """The operator gives what the reference gives, whatever the rows, functions and frames."""
    data = relation(rows, p=INTEGER, k=INTEGER, n=BIGINT, f=DOUBLE, t=VARCHAR, o=BIGINT, e=BOOLEAN)

    def bound(edge: tuple[str, Any]) -> FrameBound:
        if edge[1] is None:
            return FrameBound(edge[0])
        return offset(edge[0], data["o"] if edge[1] == "o" else number(edge[1]))

    unit, start, end, exclude = frame
    made = Frame(unit, bound(start), bound(end), exclude)
    calls = []
    for function, *arguments in functions:
        known = AGGREGATES.get(function)
        framed = known is not None or function in ("first_value", "last_value", "nth_value")
        calls.append(
            call_of(
                data,
                function,
                *arguments,
                frame=made if framed else DEFAULT_FRAME,
                where="e" if known and rows and rows[0][6] else None,
                distinct=known is not None and function not in ("first", "last") and len(rows) % 2 == 0,
                ignore_nulls=known is None and bool(arguments) and bool(rows) and rows[-1][6],
            )
        )
    keys = by(data, *order, descending=descending, nulls_first=nulls_first)
    check(Runner(backend), data, partition, keys, calls, storage)
