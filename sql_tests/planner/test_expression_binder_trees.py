"""What expressions are bound to: nodes, casts, literals, spans; and depth."""

from __future__ import annotations

import datetime
import sys
import threading
from decimal import Decimal
from typing import Any

import pytest
from oracle.bound_types import bind_text, parse_expression
from tandemdb.planner.expr import (
    AggregateCall,
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    ColumnRef,
    Comparison,
    Exists,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    Quantified,
    ScalarSubquery,
    children,
)
from tandemdb.planner.literals import format_literal
from tandemdb.planner.logical import Project


def show(expr: Expr) -> str:
    """A compact text of a bound tree; casts and literals with their types."""
    parts = [show(c) for c in children(expr)]
    match expr:
        case ColumnRef(name=name):
            return name
        case Literal(value=value, type=kind):
            return format_literal(value, kind) if kind.is_decimal or kind.is_string else f"{value}:{kind}"
        case Cast(type=kind, safe=safe):
            return f"{'try' if safe else 'cast'}({parts[0]}, {kind})"
        case Call(function=name) | AggregateCall(function=name):
            return f"{name}({', '.join(parts)})"
        case Comparison(op=op):
            return f"({parts[0]} {op} {parts[1]})"
        case And() | Or():
            return "(" + f" {type(expr).__name__} ".join(parts) + ")"
        case _:
            return f"{type(expr).__name__}({', '.join(parts)})"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("q * (1 - q)", "*(q, -(1.00, q))"),
        ("i8 + 1", "+(i8, 1:TINYINT)"),
        ("q + p", "+(q, cast(p, DECIMAL(16,2)))"),
        ("q * 2", "*(q, 2)"),
        ("q < 24", "(q < 24.00)"),
        ("p = 1.25", "(cast(p, DECIMAL(5,2)) = 1.25)"),
        ("d > 0.05", "(d > 0.05:DOUBLE)"),
        ("f = 0.1", "(f = 0.10000000149011612:FLOAT)"),
        ("i8 = 300", "(cast(i8, INTEGER) = 300:INTEGER)"),
        ("s = 1", "(cast(s, INTEGER) = 1:INTEGER)"),
        ("dt < ts", "(cast(dt, TIMESTAMP) < ts)"),
        ("dt <= '1998-09-02'", "(dt <= 10471:DATE)"),
        ("i = 'abc'", "(i = cast('abc', INTEGER))"),
        ("date '1998-12-01' - interval '90' day", "-(10561:DATE, (0, 90, 0):INTERVAL)"),
        ("interval '1.5 days'", "(0, 1, 43200000000):INTERVAL"),
        ("interval 1.5 day", "(0, 1, 0):INTERVAL"),
        ("interval '1.5' day", "(0, 1, 0):INTERVAL"),
        ("interval '1.5' second", "(0, 0, 1500000):INTERVAL"),
        ("interval (i) month", "to_months(i)"),
        ("interval (d) second", "to_seconds(d)"),
        ("i between 1 and 2", "((i >= 1:INTEGER) And (i <= 2:INTEGER))"),
        ("i not in (1, 2)", "Not(InList(i, 1:INTEGER, 2:INTEGER))"),
        ("i in (1)", "(i = 1:INTEGER)"),
        ("i8 in (1, 300)", "InList(cast(i8, INTEGER), 1:INTEGER, 300:INTEGER)"),
        ("s not like 'a%'", "Not(like(s, 'a%'))"),
        ("s like 'a' escape '!'", "like_escape(s, 'a', '!')"),
        ("s is not null", "Not(IsNull(s))"),
        ("b is not true", "Not((b is not distinct from True:BOOLEAN))"),
        ("b is unknown", "IsNull(b)"),
        ("extract(year from dt)", "year(dt)"),
        ("date_part('mon', dt)", "month(dt)"),
        ("date_trunc('mon', dt)", "date_trunc('month', dt)"),
        ("strftime('%Y', dt)", "strftime(dt, '%Y')"),
        ("nullif(i, 1)", "Case((i = 1:INTEGER), None:INTEGER, i)"),
        ("if(b, 1, 2.5)", "Case(b, 1.0, 2.5)"),
        ("ifnull(i, 0)", "Coalesce(i, 0:INTEGER)"),
        ("case i when 1 then 'a' end", "Case((i = 1:INTEGER), 'a', NULL)"),
        ("not i", "Not(cast(i, BOOLEAN))"),
        ("-(-1)", "1:INTEGER"),
        ("-i", "neg(i)"),
        ("'1'::varchar", "cast('1', VARCHAR)"),
        ("try_cast(s as int)", "try(s, INTEGER)"),
        ("i::int", "i"),
        ("(i, l) = (1, 2)", "((i is not distinct from 1:INTEGER) And (l is not distinct from 2:BIGINT))"),
        ("s.upper()", "upper(s)"),
        ("sum(q) filter (where b)", "sum(q, b)"),
        ("count(*)", "count_star()"),
        ("fdiv(i, 2)", "floor(/(cast(i, DOUBLE), 2.0:DOUBLE))"),
    ],
)
def test_bound_trees(text: str, tree: str) -> None:
    assert show(bind_text(text)) == tree


def test_node_kinds() -> None:
    kinds = {
        "i is null": IsNull,
        "coalesce(i, l)": Coalesce,
        "case when b then 1 end": Case,
        "i in (1, 2)": InList,
        "(select i)": ScalarSubquery,
        "exists (select i)": Exists,
        "i in (select i)": Quantified,
        "(i, l) < (1, 2)": Or,
    }
    for text, kind in kinds.items():
        assert type(bind_text(text)) is kind, text


# Aggregates and subqueries
def test_aggregate_modifiers() -> None:
    call = bind_text("string_agg(distinct s, '-' order by s desc nulls first)")
    assert isinstance(call, AggregateCall)
    assert call.distinct
    assert [(k.descending, k.nulls_first) for k in call.order_by] == [(True, True)]
    assert isinstance(call.args[1], Literal)


def test_modifiers_that_change_nothing_are_dropped() -> None:
    for text in ("max(distinct i)", "sum(i order by l)"):
        call = bind_text(text)
        assert isinstance(call, AggregateCall)
        assert not call.distinct
        assert not call.order_by


def test_ordered_set_aggregates() -> None:
    call = bind_text("percentile_cont(0.5) within group (order by i)")
    assert isinstance(call, AggregateCall)
    assert show(call) == "quantile_cont(i, 0.5:DOUBLE)"


def test_all_is_the_negation_of_any() -> None:
    expr = bind_text("i > all (select 1)")
    assert isinstance(expr, Not)
    assert isinstance(expr.arg, Quantified)
    assert expr.arg.op == "<="


def test_sides_of_quantified_comparisons_have_one_type() -> None:
    expr = bind_text("l in (select i8)")
    assert isinstance(expr, Quantified)
    assert isinstance(expr.plan, Project)
    assert expr.plan.schema[0].type == expr.args[0].type
    expr = bind_text("(i8, s) in (select l, 'a')")
    assert isinstance(expr, Quantified)
    assert [str(a.type) for a in expr.args] == ["BIGINT", "VARCHAR"]


# Parameters
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1, "1:INTEGER"),
        (-(2**40), f"{-(2**40)}:BIGINT"),
        (1.5, "1.5:DOUBLE"),
        (True, "True:BOOLEAN"),
        ("a", "'a'"),
        (None, 'None:"NULL"'),
        (Decimal("-1.50"), "-1.50"),
        (datetime.date(1970, 1, 2), "1:DATE"),
        (datetime.datetime(1970, 1, 1, 0, 0, 1), "1000000:TIMESTAMP"),
        (datetime.datetime(1970, 1, 1, 1, tzinfo=datetime.UTC), "3600000000:TIMESTAMP WITH TIME ZONE"),
        (datetime.timedelta(days=1, seconds=1), "(0, 1, 1000000):INTERVAL"),
        (b"a", "b'a':BLOB"),
    ],
)
def test_parameters(value: Any, shown: str) -> None:
    assert show(bind_text("?", [value])) == shown


def test_parameters_are_found_by_place_number_and_name() -> None:
    assert show(bind_text("? - ?", [5, 3])) == "-(5:INTEGER, 3:INTEGER)"
    assert show(bind_text("$2 - $1", [5, 3])) == "-(3:INTEGER, 5:INTEGER)"
    assert show(bind_text("$a - $b", {"a": 5, "b": 3})) == "-(5:INTEGER, 3:INTEGER)"


def test_parameters_are_as_flexible_as_literals() -> None:
    assert show(bind_text("dt < ?", ["1998-09-02"])) == "(dt < 10471:DATE)"
    assert show(bind_text("i8 + ?", [1])) == "+(i8, 1:TINYINT)"


# Depth
def in_deep_thread(text: str) -> Expr:
    """The bound expression, on a stack as deep as a session gives."""
    result: list[Expr] = []

    def run() -> None:
        parse_expression(text)
        result.append(bind_text(text))

    limit, size = sys.getrecursionlimit(), threading.stack_size(512 * 2**20)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return result[0]


def test_chains_of_ten_thousand_terms_are_one_node() -> None:
    expr = in_deep_thread(" and ".join(["i > 1"] * 10_000))
    assert isinstance(expr, And)
    assert len(expr.args) == 10_000
    expr = in_deep_thread(" or ".join(f"(i = {n})" for n in range(10_000)))
    assert isinstance(expr, Or)
    assert len(expr.args) == 10_000


@pytest.mark.parametrize(
    "text", [" + ".join(["i"] * 3000), " || ".join(["s"] * 3000), "(" * 500 + "i" + ")" * 500]
)
def test_long_operator_chains_and_parentheses(text: str) -> None:
    expr = in_deep_thread(text)
    assert expr.span is not None
