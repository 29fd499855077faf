"""The driver and the verifier: every rule is checked, timed, can be disabled, and is named when it
breaks a plan.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from planner_catalog import bind_query
from tandemdb.planner.expr import ColumnRef, Comparison, Literal, ref
from tandemdb.planner.logical import ColumnIds, Filter, Join, JoinKind, Limit, Plan, Project, Scan, walk_plan
from tandemdb.planner.optimizer import OptimizerContext, optimize, rule_names
from tandemdb.planner.optimizer.batches import BATCHES
from tandemdb.planner.optimizer.driver import Batch, Mode, Rule, run_batches, run_rule
from tandemdb.planner.optimizer.verify import InvalidPlan, plan_problem
from tandemdb.planner.types import BIGINT, BOOLEAN, INTEGER


def bound(sql: str = "SELECT a, b FROM t WHERE a > 1") -> tuple[Plan, OptimizerContext]:
    ids = ColumnIds()
    return bind_query(sql, ids=ids).plan, OptimizerContext(ids)


def broken(change) -> Rule:
    return Rule("breaker", lambda plan, context: change(plan), "breaks things")


def test_a_rule_that_changes_the_output_is_named() -> None:
    plan, context = bound()
    rule = broken(lambda p: Project(p.input, p.columns[:1], p.exprs[:1]))
    with pytest.raises(InvalidPlan, match="rule breaker: 2 output columns became 1"):
        run_rule(plan, rule, context)


def test_a_lost_column_is_found() -> None:
    plan, context = bound()
    rule = broken(lambda p: replace(p, exprs=(ColumnRef(INTEGER, 999, "a"), p.exprs[1])))
    with pytest.raises(InvalidPlan, match=r"rule breaker: column references \[999\] are produced nowhere"):
        run_rule(plan, rule, context)


def test_a_comparison_of_two_types_is_found() -> None:
    plan, context = bound()
    wrong = Comparison(BOOLEAN, "=", ref(plan.schema[0]), Literal(BIGINT, 1))
    with pytest.raises(InvalidPlan, match="INTEGER = BIGINT"):
        run_rule(plan, broken(lambda p: with_filter(p, wrong)), context)


def with_filter(plan: Project, predicate: Comparison) -> Plan:
    return replace(plan, input=Filter(plan.input, predicate))


def test_one_id_from_both_sides_of_a_join_is_found() -> None:
    plan, context = bound()
    rule = broken(lambda p: replace(p, input=Join(JoinKind.INNER, p.input, p.input)))
    with pytest.raises(InvalidPlan, match="both inputs produce columns"):
        run_rule(plan, rule, context)


def test_a_column_read_with_another_type_is_found() -> None:
    plan, _ = bound()
    assert isinstance(plan, Project)
    wrong = ColumnRef(BIGINT, plan.exprs[0].id, "a")
    column = replace(plan.columns[0], id=77, type=BIGINT)
    problem = plan_problem(Project(plan.input, (column,), (wrong,)))
    assert problem is not None
    assert "is INTEGER, read as BIGINT" in problem


def test_every_run_is_traced() -> None:
    plan, context = bound()
    optimize(plan, context)
    names = [name for name, _, _ in context.trace]
    assert set(names) == {rule.name for batch in BATCHES for rule in batch.rules}
    assert any(changed for _, _, changed in context.trace)
    assert all(milliseconds >= 0 for _, milliseconds, _ in context.trace)


def test_disabled_rules_do_not_run() -> None:
    for off in (frozenset({"push_filters"}), frozenset({"all"})):
        plan, context = bound()
        context.disabled_rules = off
        after = optimize(plan, context)
        assert any(isinstance(node, Filter) for node in walk_plan(after))
        ran = {name for name, _, _ in context.trace}
        assert "push_filters" not in ran
        assert "unnest_subqueries" in ran
        assert ("merge_projects" in ran) == (off != {"all"})


def test_required_rules_have_no_switch() -> None:
    assert "unnest_subqueries" not in rule_names()
    assert "push_filters" in rule_names()
    assert len(set(rule_names())) == len(rule_names())


def test_cancellation_is_looked_at_before_every_rule() -> None:
    class Stop(Exception):
        pass

    plan, context = bound()
    calls = 0

    def check() -> None:
        nonlocal calls
        calls += 1
        if calls > 3:
            raise Stop

    context.check = check
    with pytest.raises(Stop):
        optimize(plan, context)
    assert len(context.trace) == 3


def test_a_fixed_point_ends_when_all_rules_are_quiet() -> None:
    plan, context = bound()
    runs = []

    def once(p: Plan, _: OptimizerContext) -> Plan:
        runs.append("once")
        return Limit(p, 10) if not isinstance(p, Limit) else p

    def quiet(p: Plan, _: OptimizerContext) -> Plan:
        runs.append("quiet")
        return p

    batch = Batch("test", Mode.FIXED_POINT, (Rule("once", once, ""), Rule("quiet", quiet, "")))
    run_batches(plan, (batch,), context)
    assert runs == ["once", "quiet", "once"]


def test_rules_that_fight_come_to_an_end() -> None:
    plan, context = bound()
    other = Filter(plan, Literal(BOOLEAN, True))
    rules = (Rule("there", lambda p, c: other, ""), Rule("back", lambda p, c: plan, ""))
    assert run_batches(plan, (Batch("test", Mode.FIXED_POINT, rules),), context) is plan


def test_unchanged_plans_are_the_same_object() -> None:
    """Every rule returns its argument when there is nothing to do: a second optimisation changes nothing."""
    plan, context = bound(
        "SELECT t.a, count(*) FROM t JOIN u ON t.a = u.c WHERE t.b > 1 GROUP BY t.a ORDER BY 1"
    )
    once = optimize(plan, context)
    for batch in BATCHES:
        for rule in batch.rules:
            assert rule.apply(once, context) is once, rule.name


def test_schema_of_the_root_keeps_ids_names_and_types() -> None:
    sql = (
        "SELECT t.b AS x, u.c, t.a AS y, t.b AS z FROM u, t WHERE t.a = u.c AND u.c = 3 ORDER BY t.s LIMIT 5"
    )
    plan, context = bound(sql)
    after = optimize(plan, context)
    assert [(c.id, c.name, c.type) for c in after.schema] == [(c.id, c.name, c.type) for c in plan.schema]


def test_scan_predicates_stay_with_the_scan() -> None:
    plan, context = bound()
    after = optimize(plan, context)
    (scan,) = [node for node in walk_plan(after) if isinstance(node, Scan)]
    assert scan.predicate is not None
