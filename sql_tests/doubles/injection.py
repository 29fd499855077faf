"""Memory that is short in every allocation, or in every call of the library, of a query in turn."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from oracle.compare import same_in_order

from .device import Device

Rows = list[tuple[Any, ...]]
Same = Callable[[Rows, Rows], bool]


def run(con: Any, sql: str) -> Rows:
    """The rows of a query."""
    return con.execute(sql).fetchall()


def fail_allocations(
    con: Any, double: Device, sql: str, *, times: int, step: int = 1, same: Same = same_in_order
) -> None:
    """Every `step`-th allocation fails, `times` in a row: the rows stay, and nothing is left on the
    device."""
    expected = run(con, sql)
    gc.collect()
    live, before = double.live_bytes, double.allocations
    run(con, sql)
    for number in range(1, double.allocations - before + 1, step):
        with double.failing(number, times):
            given = run(con, sql)
        assert same(given, expected), number
        gc.collect()
        assert double.live_bytes == live, number


def fail_calls(
    con: Any, double: Device, sql: str, *, times: int, step: int = 1, same: Same = same_in_order
) -> None:
    """Memory is short before the library has done anything, in every `step`-th of its calls."""
    expected = run(con, sql)
    gc.collect()
    live, before = double.live_bytes, sum(double.calls.values())
    run(con, sql)
    for first in range(1, sum(double.calls.values()) - before + 1, step):
        start = sum(double.calls.values())

        def fail(name: str, number: int, first: int = first, start: int = start) -> None:
            if first <= number - start < first + times:
                raise MemoryError("std::bad_alloc: injected by the test")

        double.before_call = fail
        try:
            given = run(con, sql)
        finally:
            double.before_call = None
        assert same(given, expected), first
        gc.collect()
        assert double.live_bytes == live, first


IN_TURN = {"allocation": fail_allocations, "call": fail_calls}
