"""The capability table says what is built, no more and no less."""

from __future__ import annotations

from typing import Any

import pytest
from tandemdb.gpu_exec import support
from tandemdb.planner.expr import Cast, Literal
from tandemdb.planner.functions import AGGREGATES, SCALARS
from tandemdb.planner.types import INTERVAL, TIME, VARCHAR


@pytest.mark.usefixtures("gpu")
def test_functions_without_a_reason_are_those_there_are() -> None:
    from tandemdb.gpu_exec.functions import registry

    registry.load_all()
    promised = {name for name, reason in support.FUNCTIONS.items() if reason is None}
    built = {name for name in registry.FUNCTIONS if support.FUNCTIONS.get(name) is None}
    assert promised == built
    assert set(support.FUNCTIONS) <= set(SCALARS)


def test_aggregates_without_a_reason_are_those_there_are() -> None:
    from tandemdb.gpu_exec.operators.aggregate_plan import PLANS

    assert {name for name, reason in support.AGGREGATES.items() if reason is None} == set(PLANS)
    assert set(support.AGGREGATES) <= set(AGGREGATES)


def test_every_operator_in_the_table_has_its_module() -> None:
    from tandemdb.gpu_exec.operators import registry

    modules: set[Any] = set(registry.MODULES.values())
    assert {
        "scan",
        "filter",
        "project",
        "hash_join",
        "aggregate",
        "sort",
        "top_n",
        "limit",
        "transfer",
    } <= modules


def test_a_constant_that_is_cast_is_a_column_first() -> None:
    """There is none for times and intervals."""
    for literal in (Literal(TIME, 0), Literal(INTERVAL, (0, 1, 0))):
        (reason,) = support.expression_reasons(Cast(VARCHAR, literal))
        assert f"a value of type {literal.type}" in reason
