"""What is left of a pipeline's work that is done again: nothing is reserved or counted twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tandemdb.physical.batch import Device
from tandemdb.physical.context import OperatorMetrics, QueryContext
from tandemdb.physical.memory import MemoryBroker


class Again(Exception):
    pass


def attempt(query: QueryContext, work: Callable[[], None], error: Exception) -> None:
    """An attempt that does some work and then fails."""
    with query.attempt(Again):
        work()
        raise error


def test_reserved_memory_is_given_back() -> None:
    query = QueryContext({}, MemoryBroker(100))
    query.reservation("a build").grow(40)
    with pytest.raises(Again):
        attempt(query, lambda: query.reservation("a sort").grow(50), Again())
    assert query.memory.used == 40
    with query.attempt(Again):
        query.reservation("a sort").grow(50)
    assert query.memory.used == 90


def test_rows_are_forgotten_and_the_device_with_them() -> None:
    query = QueryContext({}, MemoryBroker(None))
    query.add_metrics(1, OperatorMetrics(Device.GPU, rows=5, extra={"bridged_rows": 2}))

    def count() -> None:
        query.add_metrics(1, OperatorMetrics(Device.GPU, rows=7, extra={"bridged_rows": 3}))
        query.add_metrics(2, OperatorMetrics(Device.GPU, rows=7))

    with pytest.raises(Again):
        attempt(query, count, Again())
    query.add_metrics(2, OperatorMetrics(Device.CPU, rows=9))
    assert query.metrics == {
        1: OperatorMetrics(Device.GPU, rows=5, extra={"bridged_rows": 2}),
        2: OperatorMetrics(Device.CPU, rows=9),
    }


def test_other_errors_leave_what_was_counted() -> None:
    query = QueryContext({}, MemoryBroker(None))
    with pytest.raises(ValueError, match="a user's"):
        attempt(query, lambda: query.add_metrics(1, OperatorMetrics(rows=5)), ValueError("a user's"))
    assert query.metrics[1].rows == 5
