"""The 22 TPC-H plans at scale factor 1: their shapes, from statistics alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import tandemdb
from optimizer_catalog import optimized
from tandemdb.planner.estimation import Estimator
from tandemdb.planner.expr import SUBQUERIES, ColumnRef, Comparison, conjuncts, references, walk
from tandemdb.planner.logical import (
    Aggregate,
    Cte,
    CteRef,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    Scan,
    Sort,
    walk_plan,
)
from tandemdb.planner.optimizer.verify import plan_problem

QUERIES = Path(tandemdb.__file__).parent / "tpch" / "queries"
ALL = [f"{number:02}" for number in range(1, 23)]


def tpch(number: str) -> Plan:
    return optimized((QUERIES / f"q{number}.sql").read_text())


def nodes(plan: Plan, kind: type) -> list:
    return [node for node in walk_plan(plan) if isinstance(node, kind)]


def tables(plan: Plan) -> list[str]:
    return [scan.table.name for scan in nodes(plan, Scan)]


def kinds(plan: Plan) -> list[str]:
    return [join.kind.value for join in nodes(plan, Join)]


def scan_of(plan: Plan, name: str) -> Scan:
    return next(scan for scan in nodes(plan, Scan) if scan.table.name == name)


@pytest.mark.parametrize("number", ALL)
def test_plan_is_plain(number: str) -> None:
    plan = tpch(number)
    assert plan_problem(plan) is None
    for node in walk_plan(plan):
        for expr in node.expressions:
            assert not any(isinstance(part, SUBQUERIES) for part in walk(expr))
        assert not isinstance(node, Distinct)
        if isinstance(node, Join):
            assert not node.lateral
            assert node.kind is not JoinKind.SINGLE
        if isinstance(node, Filter):
            # Conditions are in scans and joins; only those on groups stand alone.
            below = node.input
            while isinstance(below, Project):
                below = below.input
            assert isinstance(below, Aggregate), node.predicate


@pytest.mark.parametrize("number", ALL)
def test_joins_have_equalities_or_one_row(number: str) -> None:
    plan = tpch(number)
    estimator = Estimator()
    for node in walk_plan(plan):
        if isinstance(node, Cte):
            estimator.register_cte(node.cte_id, node.definition)
    for join in nodes(plan, Join):
        equal = any(isinstance(t, Comparison) and t.op == "=" for t in conjuncts(join.condition))
        # Q7 pairs two nations.
        small = estimator.rows(join.left) <= 2 and estimator.rows(join.right) <= 2
        assert equal or estimator.rows(join.right) == 1 or small


@pytest.mark.parametrize("number", ALL)
def test_smaller_side_is_built(number: str) -> None:
    plan = tpch(number)
    estimator = Estimator()
    for join in nodes(plan, Join):
        if join.kind is JoinKind.INNER and not nodes(plan, Cte):
            assert estimator.rows(join.right) <= estimator.rows(join.left)


@pytest.mark.parametrize("number", ALL)
def test_scans_read_only_what_is_used(number: str) -> None:
    plan = tpch(number)
    used = {c.id for c in plan.schema}
    for node in walk_plan(plan):
        for expr in node.expressions:
            used |= references(expr)
        if isinstance(node, Cte):
            used |= {c.id for c in node.definition.schema}
    for scan in nodes(plan, Scan):
        assert {c.id for c in scan.columns} <= used


@pytest.mark.parametrize("number", ["02", "03", "10", "18", "21"])
def test_order_with_limit_is_top_n(number: str) -> None:
    plan = tpch(number)
    (limit,) = nodes(plan, Limit)
    assert limit.keys
    assert not nodes(plan, Sort)


def test_q2_joins_the_cheapest_offers_by_part() -> None:
    plan = tpch("02")
    (aggregate,) = nodes(plan, Aggregate)
    assert [g.name for g in aggregate.groups] == ["ps_partkey"]
    assert set(kinds(plan)) == {"INNER"}
    # The other relations are put together first; they are few.
    join = nodes(plan, Join)[0]
    assert len(conjuncts(join.condition)) == 2


def test_q4_probes_the_orders_of_a_quarter() -> None:
    (join,) = nodes(tpch("04"), Join)
    assert join.kind is JoinKind.RIGHT_SEMI
    assert tables(join.right) == ["orders"]


def test_q5_begins_with_the_region() -> None:
    plan = tpch("05")
    deepest = min(
        (j for j in nodes(plan, Join)), key=lambda j: len(nodes(j, Scan)) * 100 - ("region" in tables(j))
    )
    assert set(tables(deepest)) == {"nation", "region"}
    top = nodes(plan, Join)[0]
    assert any(s.table.name == "lineitem" for s in nodes(top.left, Scan))


def test_q6_is_one_scan() -> None:
    plan = tpch("06")
    (scan,) = nodes(plan, Scan)
    assert len(conjuncts(scan.predicate)) == 5
    assert sorted(scan.names) == ["l_discount", "l_extendedprice", "l_quantity", "l_shipdate"]


def test_q7_restricts_both_nations() -> None:
    plan = tpch("07")
    nations = [s for s in nodes(plan, Scan) if s.table.name == "nation"]
    assert len(nations) == 2
    assert all(s.predicate is not None for s in nations)


def test_q9_joins_lines_by_part_and_supplier() -> None:
    plan = tpch("09")
    (join,) = [j for j in nodes(plan, Join) if len(conjuncts(j.condition)) == 2]
    read = {e.name for t in conjuncts(join.condition) for e in walk(t) if isinstance(e, ColumnRef)}
    assert {"l_suppkey", "l_partkey"} < read
    # With the parts and suppliers of the offers, which are fewer than the lines.
    assert tables(join.left) == ["lineitem"]
    assert "partsupp" in tables(join.right)


def test_q13_filters_below_the_outer_join() -> None:
    plan = tpch("13")
    (join,) = nodes(plan, Join)
    assert join.kind in (JoinKind.LEFT, JoinKind.RIGHT)
    assert scan_of(plan, "orders").predicate is not None


def test_q15_computes_the_revenue_once() -> None:
    plan = tpch("15")
    assert isinstance(plan, Cte)
    assert len(nodes(plan, CteRef)) == 2
    assert tables(plan).count("lineitem") == 1


def test_q16_needs_no_mark() -> None:
    assert sorted(kinds(tpch("16"))) == ["ANTI", "INNER"]


def test_q17_averages_by_part() -> None:
    plan = tpch("17")
    assert set(kinds(plan)) == {"INNER"}
    by_part = [a for a in nodes(plan, Aggregate) if a.groups]
    assert [[g.name for g in a.groups] for a in by_part] == [["l_partkey"]]


def test_q18_drops_orders_before_the_other_joins() -> None:
    plan = tpch("18")
    semi = next(j for j in nodes(plan, Join) if j.kind in (JoinKind.SEMI, JoinKind.RIGHT_SEMI))
    kept = semi.left if semi.kind is JoinKind.SEMI else semi.right
    assert tables(kept) == ["orders"]


def test_q19_takes_the_common_condition_out() -> None:
    plan = tpch("19")
    (join,) = nodes(plan, Join)
    assert any(
        isinstance(t, Comparison) and {t.left.name, t.right.name} == {"p_partkey", "l_partkey"}
        for t in conjuncts(join.condition)
        if isinstance(t, Comparison) and isinstance(t.left, ColumnRef) and isinstance(t.right, ColumnRef)
    )
    assert scan_of(plan, "part").predicate is not None
    assert scan_of(plan, "lineitem").predicate is not None


def test_q20_sums_by_part_and_supplier() -> None:
    plan = tpch("20")
    (aggregate,) = [a for a in nodes(plan, Aggregate) if a.groups]
    assert [g.name for g in aggregate.groups] == ["l_partkey", "l_suppkey"]
    assert kinds(plan).count("SEMI") == 2


def test_q21_looks_up_few_lines_late() -> None:
    plan = tpch("21")
    late = [j for j in nodes(plan, Join) if j.kind in (JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI)]
    assert len(late) == 2
    # Supplier, nation and orders have dropped most lines by then.
    assert all("nation" in tables(j.right) and "orders" in tables(j.right) for j in late)


def test_q22_compares_with_one_average() -> None:
    plan = tpch("22")
    assert "RIGHT_ANTI" in kinds(plan)
    inner = next(j for j in nodes(plan, Join) if j.kind is JoinKind.INNER)
    assert isinstance(inner.right, Aggregate)
    assert not inner.right.groups
