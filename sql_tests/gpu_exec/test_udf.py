"""Python functions compiled for the GPU, on the double: the answers of their CPU twin, errors included."""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator
from typing import Any

import doubles
import pyarrow as pa
import pytest
import tandemdb
from doubles.testing import col, values
from oracle.compare import same_value
from tandemdb.engine import devices
from tandemdb.gpu_exec import library, udf
from tandemdb.gpu_exec.expressions import evaluate
from tandemdb.gpu_exec.operators.base import ops_of
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.planner.expr import Column, UserCall, ref
from tandemdb.planner.types import BIGINT


def mixed(x: float, k: int) -> float:
    """Branches, a loop, NaN, infinities and -0.0, division by zero."""
    total = 0.0
    for step in range(k % 4):
        total += x / (step - 1)
    return -total if x > 0 else math.floor(total) if k > 2 else total


def integers(a: int, b: int) -> int:
    """Wraps at 64 bits; division by zero is 0."""
    return a * a + a // b + (a % b)


def either(x: int | None, y: int | None) -> int | None:
    """NULL in, NULL out."""
    if x is None:
        return y
    if y is None:
        return None
    return x - y


def checked(x: int) -> int:
    """Fails for some rows, returns None for others."""
    if x > 6:
        raise ValueError("too large")
    return None if x == 5 else x


def flag(b: bool, day: int) -> bool:
    return not b or day % 2 == 0


SAFE = {"null_handling": "special", "exception_handling": "return_null"}
FUNCTIONS: dict[str, tuple[Any, list[str], str, dict[str, str]]] = {
    "mixed": (mixed, ["DOUBLE", "INTEGER"], "DOUBLE", {}),
    "integers": (integers, ["BIGINT", "BIGINT"], "BIGINT", {}),
    "either": (either, ["BIGINT", "SMALLINT"], "INTEGER", {"null_handling": "special"}),
    "checked": (checked, ["BIGINT"], "TINYINT", {}),
    "safe": (checked, ["BIGINT"], "TINYINT", SAFE),
    "flag": (flag, ["BOOLEAN", "DATE"], "BOOLEAN", {}),
    "later": (lambda day, k: day + k, ["DATE", "BIGINT"], "DATE", {}),
    "stamp": (lambda at: at - at % 3_600_000_000, ["TIMESTAMP"], "TIMESTAMP", {}),
}
TABLES = (
    """CREATE TABLE t AS SELECT range AS a, range % 3 AS b, DATE '2020-02-27' + range::INTEGER AS day,
    range % 2 = 0 AS q, TIMESTAMP '2020-01-01 01:02:03' + INTERVAL (range) MINUTE AS at FROM range(9)""",
    "INSERT INTO t VALUES (NULL, 1, NULL, NULL, NULL), (4, NULL, DATE '2020-01-01', true, NULL)",
    """CREATE TABLE f AS SELECT * FROM (VALUES (0, 1.5), (1, 'nan'::DOUBLE), (2, -0.0), (3, NULL),
    (NULL, 2.0), (5, 'inf'), (6, '-inf'), (7, 1e308), (2, -7.25), (-2147483648, 5e-324)) v(k, x)""",
    """CREATE TABLE i AS SELECT * FROM (VALUES (9223372036854775807, 2), (-9223372036854775808, -1), (7, 0),
    (-7, 2), (NULL, 1), (0, NULL), (3037000500, 9223372036854775807)) v(a, b)""",
)
STATEMENTS = (
    "SELECT mixed(x, k), mixed(x, 3), mixed(2, k) FROM f",
    "SELECT mixed(x, k) FROM f WHERE false",
    "SELECT integers(a, b), integers(b, a) FROM i",
    "SELECT either(a, b::SMALLINT), either(a, NULL), either(NULL, b::SMALLINT) FROM t",
    "SELECT checked(a) FROM t WHERE a < 5",
    "SELECT CASE WHEN a < 4 THEN checked(a) ELSE -1 END, coalesce(a, checked(a + 9)) FROM t",
    "SELECT a FROM t WHERE a < 5 AND checked(a) > 2",
    "SELECT safe(a), safe(a + b) FROM t",
    "SELECT flag(q, day), later(day, a), stamp(at) FROM t",
    "SELECT a FROM t WHERE flag(q, day) AND flag(NOT q, day + 1)",
    "SELECT integers(a, 1), count(*), sum(either(a, 2::SMALLINT)) FROM t GROUP BY integers(a, 1)",
    "SELECT x.a, y.a FROM t x JOIN t y ON integers(x.a, 1) = y.a + 2",
    "SELECT a FROM (SELECT a, b FROM t ORDER BY a LIMIT 6 OFFSET 2) WHERE integers(a, 3) > 8",
    "SELECT integers(2, 3), later(DATE '2020-02-28', 1)",
)
FAILING = (
    ("SELECT checked(a) FROM t WHERE a < 3 OR a = 7", r"failed for checked\(7\): ValueError: too large"),
    ("SELECT CASE WHEN a = 8 THEN checked(a) END FROM t", r"checked\(8\)"),
    ("SELECT checked(a) FROM t", r'"checked" returned None for checked\(5\)|checked\(7\)'),
    ("SELECT checked(-1000)", "out of (the )?range"),
    ("SELECT either(a * 1000000000000, 1::SMALLINT) FROM t", "range|cast"),
    ("SELECT later(day, 9000000000) FROM t", r'"later" returned a number of days .*2020'),
)


@pytest.fixture(scope="module")
def con() -> Iterator[Any]:
    with doubles.install(), pytest.MonkeyPatch.context() as patch:
        library.forget()
        patch.setattr(devices, "why_no_gpu", lambda: None)
        with tandemdb.connect(config={"threads": 2}) as connection:
            for name, (function, params, result, options) in FUNCTIONS.items():
                connection.create_function(name, function, params, result, device="gpu", **options)
            for statement in TABLES:
                connection.execute(statement)
            connection.execute("SET on_fallback = 'error'")
            yield connection
    library.forget()
    gc.collect()


def answers(con: Any, sql: str, device: str) -> list[tuple[Any, ...]]:
    con.execute(f"SET device = '{device}'")
    return con.execute(sql).fetchall()


def same(left: list[tuple[Any, ...]], right: list[tuple[Any, ...]]) -> bool:
    return len(left) == len(right) and all(
        same_value(a, b) and str(a) == str(b)  # -0.0 is not 0.0 here
        for one, other in zip(left, right, strict=True)
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("batch_size", [3, 1024])
@pytest.mark.parametrize("sql", STATEMENTS)
def test_the_answers_are_those_of_the_cpu_twin(con: Any, sql: str, batch_size: int) -> None:
    con.execute(f"SET batch_size = {batch_size}")
    expected, given = answers(con, sql, "cpu"), answers(con, sql, "gpu")
    assert same(given, expected), (given, expected)


def test_overflow_wraps_and_division_by_zero_is_zero(con: Any) -> None:
    """As docs/udf.md says."""
    for device in ("cpu", "gpu"):
        sql = "SELECT integers(7, 0), integers(3037000500, 9223372036854775807), mixed(1, 2) FROM range(1)"
        assert answers(con, sql, device) == [(49, 3037000500**2 - 2**64 + 3037000500, -math.inf)]


@pytest.mark.parametrize(("sql", "message"), FAILING)
def test_errors_are_those_of_the_cpu_twin(con: Any, sql: str, message: str) -> None:
    con.execute("SET batch_size = 1024")
    told = []
    for device in ("cpu", "gpu"):
        with pytest.raises(tandemdb.DataError, match=message) as found:
            answers(con, sql, device)
        told.append(type(found.value.__cause__))
    assert told[0] is told[1]
    assert answers(con, "SELECT 1", "gpu") == [(1,)]


def test_a_function_that_is_not_compiled_is_refused_by_name_and_bridged(con: Any) -> None:
    con.create_function("plain", lambda x: x + 1, [int], int)
    try:
        with pytest.raises(tandemdb.NotSupportedError, match="the Python function plain runs on the CPU"):
            answers(con, "SELECT plain(a) FROM t", "gpu")
        con.execute("SET on_fallback = 'report'")
        cursor = con.execute("SELECT plain(a) FROM t WHERE a < 2")
        assert cursor.fetchall() == [(1,), (2,)]
        told = "Bridge over the CPU: the Python function plain runs on the CPU"
        assert [str(fallback) for fallback in cursor.profile.fallbacks] == [told]
    finally:
        con.execute("SET on_fallback = 'error'")
        con.remove_function("plain")


def test_failures_leave_nothing_on_the_device(con: Any) -> None:
    gc.collect()
    before = doubles.device.live_allocations
    for sql, _ in FAILING:
        with pytest.raises(tandemdb.DataError):
            answers(con, sql, "gpu")
    gc.collect()
    assert doubles.device.live_allocations == before


def test_a_step_that_ran_out_of_memory_runs_again(con: Any) -> None:
    con.execute("SET batch_size = 1024")
    sql = "SELECT either(a, b::SMALLINT), integers(a, 3) FROM t WHERE flag(q, day)"
    expected = answers(con, sql, "cpu")
    start = doubles.device.allocations
    assert same(answers(con, sql, "gpu"), expected)
    count = doubles.device.allocations - start
    assert count > 20
    for number in range(1, count + 1, 13):
        with doubles.device.failing(number):
            assert same(answers(con, sql, "gpu"), expected)


def test_sliced_and_empty_columns(con: Any) -> None:
    made = con.session.functions.by_number
    query = QueryContext(con.session.settings.frozen(), con.session.memory, functions=made)
    task = Task(query, Device.GPU)
    ops = ops_of(task)
    (function,) = (f for f in con.session.functions.signatures.values() if f.name == "integers")
    a, b = Column(1, "a", BIGINT), Column(2, "b", BIGINT)
    call = UserCall(BIGINT, function, (ref(a), ref(b)))
    for skip in (0, 3, 5):
        columns = [col(pa.int64(), [9, None, 8, 7, None][: skip + 2], skip=min(skip, 3)) for _ in (a, b)]
        rows = columns[0].size()
        batch = Batch((a, b), columns, rows, device=Device.GPU)
        (value,) = evaluate([call], batch, ops)
        left = values(columns[0])
        assert values(value.column) == [None if x is None else x * x + 1 for x in left]
    empty = Batch((a, b), [col(pa.int64(), []), col(pa.int64(), [])], 0, device=Device.GPU)
    (value,) = evaluate([call], empty, ops)
    assert values(value.column) == []
    task.end()
    query.close()


def test_what_numba_cannot_compile_for_the_gpu_is_refused_when_it_is_made(
    con: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(made: Any) -> Any:
        raise RuntimeError("Failed in cuda mode\nno such instruction")

    monkeypatch.setattr(udf, "row_kernel", refuse)
    with pytest.raises(tandemdb.NotSupportedError, match='compile "f" for the GPU: no such instruction'):
        con.create_function("f", lambda x: x, [int], int, device="gpu")


def test_nothing_waits_for_the_device_while_rows_are_computed(con: Any) -> None:
    con.execute("SET batch_size = 1024")
    sql = "SELECT count(*) FROM t WHERE mixed(a, 2) > 0"
    answers(con, sql, "gpu")
    before = doubles.device.host_reads
    answers(con, sql.replace("mixed(a, 2) > 0", "a > 0"), "gpu")
    plain = doubles.device.host_reads - before
    answers(con, sql, "gpu")
    # One look at the failures of the batch: all rows of the table are one.
    assert doubles.device.host_reads - before - plain == plain + 1
