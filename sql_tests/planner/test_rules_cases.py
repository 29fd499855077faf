"""Rules on their finer points: what may move where, and what must not."""

from __future__ import annotations

import pytest
from optimizer_catalog import optimized, optimized_text
from tandemdb.planner.errors import SqlError
from tandemdb.planner.logical import Aggregate, Cte, Join, Limit, Plan, Project, Sort, walk_plan


def kinds(plan: Plan) -> list[str]:
    return [type(node).__name__ for node in walk_plan(plan)]


# Filters ---------------------------------------------------------------------------------------------------
PUSHED = {
    "through a projection": ("SELECT * FROM (SELECT a + 1 AS z FROM t) WHERE z > 5", "WHERE (a > 4)"),
    "below groups, on keys": ("SELECT a, sum(b) FROM t GROUP BY a HAVING a > 3", "WHERE (a > 3)"),
    "not below groups, on values": (
        "SELECT a, sum(b) s FROM t GROUP BY a HAVING sum(b) > 3",
        "Filter (sum > 3)",
    ),
    "below DISTINCT": ("SELECT * FROM (SELECT DISTINCT a FROM t) WHERE a > 3", "WHERE (a > 3)"),
    "below ORDER BY": ("SELECT * FROM (SELECT a FROM t ORDER BY a) WHERE a > 3", "WHERE (a > 3)"),
    "not below LIMIT": ("SELECT * FROM (SELECT a FROM t LIMIT 3) WHERE a > 3", "Filter (a > 3)"),
    "into unions": (
        "SELECT * FROM (SELECT a FROM t UNION ALL SELECT c FROM u) WHERE a > 3",
        ["t [a] WHERE (a > 3)", "u [c] WHERE (c > 3)"],
    ),
    "into both sides of EXCEPT": (
        "SELECT * FROM (SELECT a FROM t EXCEPT SELECT c FROM u) WHERE a > 3",
        ["t [a] WHERE (a > 3)", "u [c] WHERE (c > 3)"],
    ),
    "into the right side of LEFT from ON": (
        "SELECT t.a FROM t LEFT JOIN u ON t.a = u.c AND u.s = 'x' AND t.s = 'y'",
        ["u [c, s:2] WHERE (s:2 = 'x')", "(s = 'y'))"],
    ),
    "into the left side of LEFT from WHERE": (
        "SELECT t.a, u.s FROM t LEFT JOIN u ON t.a = u.c WHERE t.b = 1",
        "t [a, b] WHERE (b = 1)",
    ),
    "not into FULL": (
        "SELECT t.a, u.s FROM t FULL JOIN u ON t.a = u.c WHERE t.b IS NULL",
        "Filter (b IS NULL)",
    ),
    "over an equality": ("SELECT u.s FROM t JOIN u ON t.a = u.c WHERE t.a = 7", "u [c, s] WHERE (c = 7)"),
    "over two equalities": (
        "SELECT w.v FROM t JOIN u ON t.a = u.c JOIN w ON w.k = u.c WHERE t.a IN (1, 2)",
        ["t [a] WHERE (a IN (1, 2))", "u [c] WHERE (c IN (1, 2))", "w [k, v] WHERE (k IN (1, 2))"],
    ),
    "over an equality to the padded side": (
        "SELECT t.a, u.s FROM t LEFT JOIN u ON t.a = u.c WHERE t.a > 7",
        "u [c, s] WHERE (c > 7)",
    ),
    "a term that may fail does not overtake": (
        "SELECT * FROM (SELECT a, b, count(*) n FROM t GROUP BY a, b) WHERE n > 1 AND 10 // a > b",
        "Filter ((count_star > 1) AND ((10 // a) > b))",
    ),
    "volatile terms stay": (
        "SELECT * FROM (SELECT a FROM t ORDER BY a) WHERE random() < 0.5",
        "Filter (random() <",
    ),
}


@pytest.mark.parametrize("case", PUSHED)
def test_filter(case: str) -> None:
    sql, expected = PUSHED[case]
    text = optimized_text(sql)
    for part in [expected] if isinstance(expected, str) else expected:
        assert part in text, text


# Outer joins -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE u.s = 'x'", "INNER"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE u.s IS NULL", "LEFT"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE u.s = 'x' OR t.b = 1", "LEFT"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE u.s = 'x' OR u.c > 1", "INNER"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE coalesce(u.s, 'y') = 'x'", "INNER"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE coalesce(u.s, 'x') = 'x'", "LEFT"),
        ("SELECT * FROM t LEFT JOIN u ON t.a = u.c WHERE u.s IS DISTINCT FROM 'x'", "LEFT"),
        ("SELECT * FROM t FULL JOIN u ON t.a = u.c WHERE u.s = 'x' AND t.s = 'y'", "INNER"),
        ("SELECT z FROM (SELECT t.a, u.c + 1 AS z FROM t LEFT JOIN u ON t.a = u.c) WHERE z > 1", "INNER"),
        ("SELECT t.a FROM t LEFT JOIN u ON t.a = u.c JOIN w ON w.k = u.c", "INNER"),
    ],
)
def test_outer_join(sql: str, kind: str) -> None:
    assert f"Join {kind} " in optimized_text(sql)


def test_full_join_keeps_one_side() -> None:
    text = optimized_text("SELECT t.a, u.s FROM t FULL JOIN u ON t.a = u.c WHERE u.s = 'x'")
    assert "Join RIGHT on" in text or "Join LEFT on" in text


def test_outer_join_to_a_key_that_nobody_reads() -> None:
    sql = "SELECT t.a FROM t LEFT JOIN (SELECT c, max(a) m FROM u GROUP BY c) g ON g.c = t.a"
    assert "Join" not in kinds(optimized(sql))
    kept = "SELECT t.a FROM t LEFT JOIN u ON u.c = t.a"
    assert "Join" in kinds(optimized(kept))


# Empty parts -----------------------------------------------------------------------------------------------
EMPTY = {
    "SELECT t.a FROM t JOIN u ON false": "Empty [a]",
    "SELECT t.a, u.c FROM t LEFT JOIN u ON false": "Project a, NULL AS c\n  Scan t [a]",
    "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE false)": "Empty [a]",
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE false)": "Scan t [a]",
    "SELECT a IN (SELECT c FROM u WHERE false) x FROM t": "Project FALSE AS x\n  Scan t []",
    "SELECT (SELECT c FROM u WHERE false) x FROM t": "Project NULL AS x\n  Scan t []",
    "SELECT count(*) FROM t WHERE false": (
        "Project count_star\n  Aggregate: count(*) AS count_star\n    Empty []"
    ),
    "SELECT a, count(*) n FROM t WHERE false GROUP BY a": "Empty [a, n]",
    "SELECT a FROM t WHERE false UNION ALL SELECT c FROM u": "Project c AS a\n  Scan u [c]",
    "SELECT a FROM t LIMIT 0": "Empty [a]",
    "WITH k AS (SELECT a FROM t WHERE false) SELECT * FROM k x, k y": "Empty [a, a:2]",
}


@pytest.mark.parametrize("sql", EMPTY)
def test_empty(sql: str) -> None:
    assert optimized_text(sql) == EMPTY[sql]


# Limits and order ------------------------------------------------------------------------------------------
def test_limit_into_unions_and_left_sides() -> None:
    text = optimized_text("SELECT a FROM t UNION ALL SELECT c FROM u LIMIT 3 OFFSET 2")
    assert text.count("Limit 5") == 2
    text = optimized_text("SELECT t.a, u.s FROM t LEFT JOIN u ON t.a = u.c ORDER BY t.a LIMIT 3")
    assert text.count("Limit 3 by a") == 2


def test_limits_of_limits_are_one() -> None:
    plan = optimized("SELECT * FROM (SELECT a FROM t ORDER BY a LIMIT 10 OFFSET 2) LIMIT 5 OFFSET 3")
    limits = [node for node in walk_plan(plan) if isinstance(node, Limit)]
    assert [(limit.limit, limit.offset, len(limit.keys)) for limit in limits] == [(5, 5, 1)]


@pytest.mark.parametrize(
    ("sql", "sorts"),
    [
        ("SELECT max(a) FROM (SELECT a FROM t ORDER BY b)", 0),
        ("SELECT string_agg(s, ',') FROM (SELECT s FROM t ORDER BY b)", 1),
        ("SELECT string_agg(s, ',' ORDER BY s) FROM (SELECT s FROM t ORDER BY b)", 0),
        ("SELECT first(s) FROM (SELECT s FROM t ORDER BY b)", 1),
        ("SELECT * FROM (SELECT a FROM t ORDER BY b) ORDER BY a", 1),
        ("SELECT a FROM (SELECT a FROM t ORDER BY b) WHERE a > 1", 1),
        ("SELECT * FROM (SELECT a FROM t ORDER BY b) x JOIN u ON x.a = u.c", 0),
        ("SELECT a FROM t WHERE a IN (SELECT c FROM u ORDER BY s)", 0),
    ],
)
def test_sorts(sql: str, sorts: int) -> None:
    assert sum(isinstance(node, Sort) for node in walk_plan(optimized(sql))) == sorts


# CTEs ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("sql", "shared"),
    [
        ("WITH k AS (SELECT a, sum(b) s FROM t GROUP BY a) SELECT * FROM k", 0),
        ("WITH k AS MATERIALIZED (SELECT a, sum(b) s FROM t GROUP BY a) SELECT * FROM k", 1),
        ("WITH k AS (SELECT a, sum(b) s FROM t GROUP BY a) SELECT * FROM k x, k y", 1),
        ("WITH k AS NOT MATERIALIZED (SELECT a, sum(b) s FROM t GROUP BY a) SELECT * FROM k x, k y", 0),
        ("WITH k AS NOT MATERIALIZED (SELECT random() r) SELECT * FROM k x, k y", 1),
        ("WITH k AS (SELECT * FROM t) SELECT x.a FROM k x, k y WHERE x.a = y.b", 0),
        ("WITH k AS (SELECT a FROM t WHERE a > 1), z AS (SELECT a FROM k) SELECT 1", 0),
    ],
)
def test_cte(sql: str, shared: int) -> None:
    assert sum(isinstance(node, Cte) for node in walk_plan(optimized(sql))) == shared


def test_shared_cte_is_pruned_and_filtered() -> None:
    sql = """WITH k AS (SELECT a, b, max(s) m, sum(p) q FROM t GROUP BY a, b)
             SELECT x.q FROM k x JOIN k y ON x.b = y.b WHERE x.a = 1 AND y.a = 2"""
    plan = optimized(sql)
    assert isinstance(plan, Cte)
    text = optimized_text(sql)
    assert "max" not in text
    assert "Scan t [a, b, p] WHERE (a IN (1, 2))" in text


# Grouping --------------------------------------------------------------------------------------------------
def groups(sql: str) -> list[int]:
    return [len(node.groups) for node in walk_plan(optimized(sql)) if isinstance(node, Aggregate)]


def test_keys_that_say_nothing_are_dropped() -> None:
    assert groups("SELECT t.a, u.c, count(*) FROM t JOIN u ON t.a = u.c GROUP BY t.a, u.c") == [1]
    assert groups("SELECT a, 1, count(*) FROM t GROUP BY 1, 2") == [1]
    assert groups("SELECT 1, count(*) FROM t GROUP BY 1") == [1]
    # -0.0 equals 0.0, but does not look like it.
    assert groups("SELECT t.x, v.x, count(*) FROM t JOIN t v ON t.x = v.x GROUP BY t.x, v.x") == [2]


def test_distinct() -> None:
    assert groups("SELECT DISTINCT a, b FROM t") == [2]
    assert groups("SELECT DISTINCT a, count(*) FROM t GROUP BY a") == [1]
    assert groups("SELECT DISTINCT count(*) FROM t") == [0]
    assert groups("SELECT a FROM t WHERE a IN (SELECT DISTINCT c FROM u)") == []
    assert groups("SELECT a FROM t UNION SELECT c FROM u") == [1]


# Subqueries ------------------------------------------------------------------------------------------------
SHAPES = {
    "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.c = t.a AND u.s <> t.s)": ["SEMI"],
    "SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.c = t.a)": ["ANTI"],
    "SELECT a FROM t WHERE a IN (SELECT c FROM u)": ["SEMI"],
    "SELECT a FROM t WHERE a NOT IN (SELECT c FROM u)": ["MARK"],
    "SELECT n_name FROM nation WHERE n_nationkey NOT IN (SELECT s_nationkey FROM supplier)": ["ANTI"],
    "SELECT a FROM t WHERE a IN (SELECT c FROM u) OR b = 1": ["MARK"],
    "SELECT a, EXISTS (SELECT 1 FROM u WHERE u.c = t.a) FROM t": ["MARK"],
    "SELECT a FROM t WHERE b > (SELECT max(c) FROM u)": ["INNER"],
    "SELECT a FROM t WHERE b > (SELECT max(c) FROM u WHERE u.c = t.a)": ["INNER"],
    "SELECT a, (SELECT max(c) FROM u WHERE u.c = t.a) FROM t": ["LEFT"],
    "SELECT a, (SELECT c FROM u) FROM t": ["SINGLE"],
    "SELECT a, (SELECT c FROM u LIMIT 1) FROM t": ["LEFT"],
    "SELECT a, (SELECT s FROM u WHERE u.c = t.a) FROM t": ["SINGLE"],
    "SELECT a, (SELECT max(s) FROM u WHERE u.c = t.a GROUP BY u.c) FROM t": ["LEFT"],
    "SELECT a, (SELECT s FROM u WHERE u.c = t.a ORDER BY u.a LIMIT 1) FROM t": ["LEFT"],
    "SELECT a FROM t WHERE EXISTS (SELECT count(*) FROM u WHERE u.c = t.a)": [],
    "SELECT a, (SELECT 1) FROM t": [],
    "SELECT * FROM t, LATERAL (SELECT s FROM u WHERE u.c = t.a) z": ["INNER"],
}


@pytest.mark.parametrize("sql", SHAPES)
def test_subquery_shape(sql: str) -> None:
    found = [
        node.kind.value.removeprefix("RIGHT_") for node in walk_plan(optimized(sql)) if isinstance(node, Join)
    ]
    assert found == SHAPES[sql]


def test_simple_correlation_needs_no_domain() -> None:
    for sql in SHAPES:
        assert "Cte" not in kinds(optimized(sql)), sql


def test_other_correlation_reads_the_outer_side_once() -> None:
    outer = "(SELECT DISTINCT a FROM t WHERE s LIKE '%x%') o"
    sql = f"SELECT a, (SELECT count(*) FROM u WHERE u.c < o.a) FROM {outer}"
    plan = optimized(sql)
    assert isinstance(plan, Cte)
    assert optimized_text(sql).count("Scan t") == 1


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, (SELECT s FROM u WHERE u.c = t.a ORDER BY s LIMIT 1 OFFSET (SELECT 1)) FROM t",
        "SELECT a FROM t WHERE b IN (SELECT a FROM u WHERE u.c = t.a LIMIT (SELECT max(a) FROM t))",
    ],
)
def test_a_computed_limit_for_each_outer_row_is_refused_by_name(sql: str) -> None:
    with pytest.raises(SqlError, match="LIMIT and OFFSET that are no constants in a correlated subquery"):
        optimized(sql)


def test_projections_are_merged_but_nothing_is_computed_twice() -> None:
    once = optimized("SELECT z + 1 FROM (SELECT a * b AS z FROM t)")
    assert kinds(once) == ["Project", "Scan"]
    twice = optimized("SELECT z + 1, z + 2 FROM (SELECT a * b AS z FROM t)")
    assert kinds(twice) == ["Project", "Project", "Scan"]
    volatile = optimized("SELECT z + 1 FROM (SELECT random() AS z FROM t)")
    assert sum(isinstance(node, Project) for node in walk_plan(volatile)) == 2
