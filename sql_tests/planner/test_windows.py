"""Window functions: errors, what shares a node, and where nodes stand."""

from __future__ import annotations

import pytest
from planner_catalog import bind_query, bind_sql
from tandemdb.planner.errors import SqlError
from tandemdb.planner.expr import Frame, FrameBound, Literal, WindowCall
from tandemdb.planner.logical import Aggregate, Filter, Plan, Project, Window, walk_plan
from tandemdb.planner.types import BIGINT

# SQL with what the caret must cover between < and >, the error's code, parts of the message and the hint.
ERRORS = [
    ("SELECT a FROM t WHERE <rank() OVER ()> = 1", "window_not_allowed", "not allowed in WHERE", "QUALIFY"),
    ("SELECT a FROM t GROUP BY a HAVING <rank() OVER ()> = 1", "window_not_allowed", "in HAVING", "QUALIFY"),
    ("SELECT a FROM t GROUP BY <rank() OVER ()>", "window_not_allowed", "in GROUP BY", ""),
    ("SELECT <rank() OVER (ORDER BY a)> FROM t GROUP BY 1", "window_not_allowed", "in GROUP BY", ""),
    ("SELECT 1 FROM t JOIN u ON <rank() OVER ()> = 1", "window_not_allowed", "in ON", ""),
    ("SELECT <rank() OVER ()> AS r FROM t WHERE r = 1", "window_not_allowed", "in WHERE", "QUALIFY"),
    ("VALUES (<rank() OVER ()>)", "window_not_allowed", "in VALUES", ""),
    ("SELECT sum(<rank() OVER ()>) FROM t", "nested_window", "inside an aggregate", "subquery"),
    ("SELECT sum(<rank() OVER ()>) OVER () FROM t", "nested_window", "inside another", "subquery"),
    ("SELECT rank() OVER (ORDER BY <rank() OVER ()>) FROM t", "nested_window", "inside another", ""),
    ("SELECT <lag>(a) FROM t", "needs_over", '"lag"', "lag(...) OVER"),
    ("SELECT <lower>(s) OVER () FROM t", "not_an_aggregate", "OVER is for aggregates", ""),
    ("SELECT <ran>() OVER () FROM t", "unknown_function", '"ran"', "rank"),
    ("SELECT <lag>(DISTINCT a) OVER () FROM t", "not_for_window_function", "DISTINCT", ""),
    ("SELECT <rank>() FILTER (WHERE a > 1) OVER () FROM t", "not_for_window_function", "FILTER", ""),
    ("SELECT <ntile>(a IGNORE NULLS) OVER () FROM t", "not_for_window_function", "IGNORE NULLS", ""),
    ("SELECT <sum>(a IGNORE NULLS) OVER () FROM t", "not_for_window_function", "aggregates", ""),
    ("SELECT <lag(a>) IGNORE NULLS OVER () FROM t", "syntax", "inside the parentheses", ""),
    ("SELECT rank() OVER <ww> FROM t WINDOW w AS ()", "unknown_window", '"ww"', '"w"'),
    ("SELECT 1 FROM t WINDOW w AS (), <W> AS ()", "duplicate_window", '"W"', ""),
    ("SELECT rank() OVER (<w> ORDER BY b) FROM t WINDOW w AS (ORDER BY a)", "window_overrides", "ORDER", ""),
    (
        "SELECT rank() OVER (<w> PARTITION BY b) FROM t WINDOW w AS (PARTITION BY a)",
        "window_overrides", "PARTITION BY", "",
    ),
    ("SELECT rank() OVER (<w>) FROM t WINDOW w AS (ROWS 1 PRECEDING)", "window_overrides", "has a", "OVER"),
    ("SELECT <sum(a) OVER (ORDER BY ALL)> FROM t", "order_all", "ALL", ""),
    ("SELECT a FROM t QUALIFY <a > 1>", "qualify_without_window", "QUALIFY", "WHERE"),
    ("SELECT <a> FROM t GROUP BY b QUALIFY rank() OVER () = 1", "must_be_grouped", "GROUP BY", ""),
    ("SELECT count(*) OVER (ORDER BY a, b RANGE <1> PRECEDING) FROM t", "range_order", "one", "ROWS"),
    ("SELECT count(*) OVER (ORDER BY a RANGE <NULL> PRECEDING) FROM t", "range_of_null", "NULL", ""),
    ("SELECT count(*) OVER (RANGE <1> PRECEDING) FROM t", "range_order", "exactly one", ""),
    ("SELECT count(*) OVER (ROWS BETWEEN <1> FOLLOWING AND CURRENT ROW) FROM t", "wrong_frame", "end", ""),
    (
        "SELECT count(*) OVER (ROWS BETWEEN <1 FOLLOWING AND 1> PRECEDING) FROM t",
        "wrong_frame", "cannot end at a row PRECEDING", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("marked", "code", "message", "hint"), ERRORS, ids=[c[0] for c in ERRORS])
def test_errors(marked: str, code: str, message: str, hint: str) -> None:
    start = marked.index("<")
    end = marked.rindex(">") if marked.count(">") == 1 or "QUALIFY <a" in marked else marked.index(">")
    sql = marked[:start] + marked[start + 1 : end] + marked[end + 1 :]
    with pytest.raises(SqlError) as caught:
        bind_sql(sql)
    error = caught.value
    assert error.code == code, error.render()
    assert message in error.message
    assert hint in (error.hint or "")
    assert error.span is not None
    assert sql[error.span.start : error.span.end] == marked[start + 1 : end]


@pytest.mark.parametrize(
    "frame",
    ["ROWS BETWEEN UNBOUNDED FOLLOWING AND UNBOUNDED FOLLOWING",
     "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED PRECEDING",
     "GROUPS BETWEEN CURRENT ROW AND 1 PRECEDING"],
)  # fmt: skip
def test_frames_without_a_row(frame: str) -> None:
    with pytest.raises(SqlError) as caught:
        bind_sql(f"SELECT sum(a) OVER (ORDER BY a {frame}) FROM t")
    assert caught.value.code == "wrong_frame"


def windows(sql: str) -> list[Window]:
    return [node for node in walk_plan(bind_query(sql).plan) if isinstance(node, Window)]


def test_calls_of_one_window_share_a_node_and_equal_calls_a_column() -> None:
    first, second = windows(
        """SELECT rank() OVER w, 1 + rank() OVER (ORDER BY a), sum(b) OVER (ORDER BY a ROWS 1 PRECEDING),
           rank() OVER () FROM t WINDOW w AS (ORDER BY a)"""
    )
    assert [[c.function for c in node.calls] for node in (second, first)] == [["rank", "sum"], ["rank"]]


def test_nodes_stand_above_groups_and_below_qualify() -> None:
    plan: Plan = bind_query(
        "SELECT b, sum(sum(a)) OVER () FROM t GROUP BY b HAVING b > 1 QUALIFY rank() OVER (ORDER BY b) < 3"
    ).plan
    kinds = [type(node) for node in walk_plan(plan)]
    assert kinds[:7] == [Project, Filter, Window, Window, Filter, Aggregate, kinds[6]]


def test_a_range_compares_keys_of_one_type() -> None:
    (node,) = windows("SELECT count(*) OVER (ORDER BY a RANGE BETWEEN 1.5 PRECEDING AND 2 FOLLOWING) FROM t")
    (call,) = node.calls
    types = {e.type for e in (node.order[0].expr, *call.frame.offsets)}
    assert len(types) == 1
    assert all(t.is_decimal for t in types)


def test_a_descending_range_goes_the_other_way() -> None:
    down, up = (
        windows(f"SELECT count(*) OVER (ORDER BY a {way} RANGE 1 PRECEDING) FROM t")[0]
        for way in ("DESC", "")
    )
    functions = [node.calls[0].frame.start.offset.function for node in (down, up)]  # type: ignore[union-attr]
    assert functions == ["+", "-"]


def test_rows_count() -> None:
    (node,) = windows(
        "SELECT count(*) OVER (ROWS BETWEEN 1.7 PRECEDING AND CURRENT ROW EXCLUDE GROUP) FROM t"
    )
    two = FrameBound("preceding", Literal(BIGINT, 2))
    frame = Frame("rows", two, FrameBound("current row"), "group")
    assert node.calls == (WindowCall(BIGINT, "count_star", (), frame),)
