"""Join ordering: the best tree of all, equality classes, attached joins, many relations."""

from __future__ import annotations

import itertools
import random

import pytest
from optimizer_catalog import optimized, optimized_text
from planner_catalog import MemoryCatalog, bind_query, table
from tandemdb.planner.cost import join_cost
from tandemdb.planner.estimation import Estimator
from tandemdb.planner.expr import ColumnRef, Comparison, Expr, conjuncts, ref, walk
from tandemdb.planner.logical import ColumnIds, Join, JoinKind, Plan, Scan, walk_plan
from tandemdb.planner.optimizer.joins.enumerate import MOST_GREEDY, Tree, best_tree
from tandemdb.planner.optimizer.joins.graph import JoinGraph, build_graph
from tandemdb.planner.types import BOOLEAN


def scan(ids: ColumnIds, name: str, rows: int) -> Scan:
    source = table(name, "a BIGINT, b BIGINT, c BIGINT", rows)
    columns = tuple(ids.column(c.name, c.type) for c in source.columns)
    return Scan(source, columns, tuple(c.name for c in source.columns), name)


def equal(left: Scan, i: int, right: Scan, j: int) -> Expr:
    return Comparison(BOOLEAN, "=", ref(left.columns[i]), ref(right.columns[j]))


def random_graph(seed: int, count: int) -> JoinGraph:
    choose = random.Random(seed)
    ids = ColumnIds()
    scans = [scan(ids, f"r{i}", choose.choice((3, 40, 1000, 50_000))) for i in range(count)]
    terms = [
        equal(scans[i], choose.randrange(3), scans[choose.randrange(i)], choose.randrange(3))
        for i in range(1, count)
    ]
    for _ in range(choose.randrange(3)):
        i, j = choose.sample(range(count), 2)
        terms.append(equal(scans[i], choose.randrange(3), scans[j], choose.randrange(3)))
    return build_graph(scans, [], terms, Estimator())


def cheapest(graph: JoinGraph) -> float:
    """The cost of the best tree without cross products, from all of them."""
    count = len(graph.relations)
    best: dict[int, tuple[float, float]] = {1 << i: (0.0, rows) for i, rows in enumerate(graph.rows)}
    for size in range(2, count + 1):
        for members in itertools.combinations(range(count), size):
            mask = sum(1 << i for i in members)
            part = (mask - 1) & mask
            while part:
                other = mask ^ part
                linked = any(graph.neighbours[i] & other for i in range(count) if part >> i & 1)
                if part in best and other in best and linked:
                    rows = graph.size(mask)
                    (c1, r1), (c2, r2) = best[part], best[other]
                    cost = c1 + c2 + join_cost(r1, r2, rows, hashed=graph.is_hashed(part, other))
                    if mask not in best or cost < best[mask][0]:
                        best[mask] = (cost, rows)
                part = (part - 1) & mask
    return best[(1 << count) - 1][0]


@pytest.mark.parametrize("seed", range(30))
def test_best_tree_is_the_best_of_all(seed: int) -> None:
    graph = random_graph(seed, 2 + seed % 6)
    assert best_tree(graph).cost == pytest.approx(cheapest(graph))


def leaves(tree: Tree) -> int:
    return 1 if tree.left is None or tree.right is None else leaves(tree.left) + leaves(tree.right)


@pytest.mark.parametrize("count", [13, 30, MOST_GREEDY + 20])
def test_many_relations_are_joined_once_each(count: int) -> None:
    graph = random_graph(5, count)
    tree = best_tree(graph)
    assert tree.mask == (1 << count) - 1
    assert leaves(tree) == count


def test_a_dozen_relations_on_one_key_take_the_greedy_way() -> None:
    ids = ColumnIds()
    scans = [scan(ids, f"r{i}", 10 * (i + 1)) for i in range(12)]
    graph = build_graph(scans, [], [equal(scans[i], 0, scans[i + 1], 0) for i in range(11)], Estimator())
    assert leaves(best_tree(graph)) == 12


# Plans --------------------------------------------------------------------------------------------
def joins(plan: Plan) -> list[Join]:
    return [node for node in walk_plan(plan) if isinstance(node, Join)]


def names(plan: Plan) -> list[str]:
    return [node.alias for node in walk_plan(plan) if isinstance(node, Scan)]


def sized(**rows: int) -> MemoryCatalog:
    return MemoryCatalog({n: table(n, "a BIGINT, b BIGINT, c BIGINT", r) for n, r in rows.items()})


def test_redundant_equalities_are_checked_once() -> None:
    sql = "SELECT count(*) FROM r, s, q WHERE r.a = s.a AND s.a = q.a AND r.a = q.a"
    plan = optimized(sql, catalog=sized(r=100, s=1000, q=10))
    assert [len(conjuncts(j.condition)) for j in joins(plan)] == [1, 1]


def test_equal_columns_of_one_relation_are_compared() -> None:
    sql = "SELECT count(*) FROM r, s WHERE r.a = s.a AND r.a = s.b"
    text = optimized_text(sql, catalog=sized(r=100, s=1000))
    assert "WHERE (a:2 = b)" in text
    assert text.count(" = ") == 2


def test_condition_over_three_relations_waits_for_all() -> None:
    sql = "SELECT count(*) FROM r, s, q WHERE r.a = s.a AND s.b = q.b AND r.c + s.c > q.c"
    plan = optimized(sql, catalog=sized(r=100, s=1000, q=10))
    top = joins(plan)[0]
    assert any(
        len({c.id for c in walk(t) if isinstance(c, ColumnRef)}) == 3 for t in conjuncts(top.condition)
    )


def test_cross_products_only_where_nothing_connects() -> None:
    plan = optimized(
        "SELECT count(*) FROM r, s, q, p WHERE r.a = s.a AND q.b = p.b", catalog=sized(r=9, s=99, q=9, p=99)
    )
    assert [j.condition is None for j in joins(plan)].count(True) == 1


def test_selective_semi_join_comes_early() -> None:
    sql = "SELECT count(*) FROM r JOIN s ON r.a = s.a WHERE r.b IN (SELECT b FROM q)"
    plan = optimized(sql, catalog=sized(r=100_000, s=200_000, q=3))
    semi = next(j for j in joins(plan) if j.kind in (JoinKind.SEMI, JoinKind.RIGHT_SEMI))
    assert sorted(names(semi)) == ["q", "r"]


def test_unselective_semi_join_comes_late() -> None:
    few = "r JOIN s ON r.a = s.a WHERE s.b = 7"
    sql = f"SELECT count(*) FROM {few} AND EXISTS (SELECT 1 FROM q WHERE q.c = r.c)"
    plan = optimized(sql, catalog=sized(r=100_000, s=100, q=1_000_000))
    top = joins(plan)[0]
    assert top.kind in (JoinKind.SEMI, JoinKind.RIGHT_SEMI)
    # The large side probes.
    assert top.kind is JoinKind.RIGHT_SEMI
    assert names(top.left) == ["q"]


def test_left_join_waits_for_the_joins_that_drop_rows() -> None:
    sql = "SELECT r.a, q.b FROM r LEFT JOIN q ON q.a = r.b JOIN s ON s.a = r.a WHERE s.b = 5"
    plan = optimized(sql, catalog=sized(r=100_000, q=100_000, s=50))
    top = joins(plan)[0]
    assert top.kind in (JoinKind.LEFT, JoinKind.RIGHT)


def test_condition_on_the_outer_side_stays_above_its_join() -> None:
    sql = "SELECT r.a FROM r LEFT JOIN q ON q.a = r.b, s WHERE s.a = r.a AND (q.b IS NULL OR q.b > s.b)"
    plan = optimized(sql, catalog=sized(r=100, q=100, s=100))
    for join in joins(plan):
        if join.kind in (JoinKind.LEFT, JoinKind.RIGHT):
            assert "IS NULL" not in str(join.condition)
            assert len(conjuncts(join.condition)) == 1


def test_smaller_side_of_an_outer_join_is_built() -> None:
    for rows, kind in (({"r": 10, "s": 10_000}, JoinKind.RIGHT), ({"r": 10_000, "s": 10}, JoinKind.LEFT)):
        plan = optimized("SELECT r.a, s.b FROM r LEFT JOIN s ON r.a = s.a", catalog=sized(**rows))
        assert joins(plan)[0].kind is kind


def test_projections_that_rename_do_not_divide_a_region() -> None:
    sql = """WITH k AS NOT MATERIALIZED (SELECT r.a AS x, s.b AS y FROM r JOIN s ON r.a = s.a)
             SELECT count(*) FROM k AS k1, k AS k2, q WHERE k1.y = q.b AND k2.y = q.b"""
    plan = optimized(sql, catalog=sized(r=1000, s=1000, q=10))
    assert len(joins(plan)) == 4
    assert "Project" not in "".join(type(n).__name__ for j in joins(plan)[1:] for n in j.inputs)


def test_columns_come_in_the_order_of_the_query() -> None:
    sql = "SELECT * FROM r, s, q WHERE r.a = s.a AND s.b = q.b"
    plan = optimized(sql, catalog=sized(r=100_000, s=10, q=1000))
    query = bind_query(sql, sized(r=1, s=1, q=1))
    assert [c.name for c in plan.schema] == [c.name for c in query.plan.schema]
