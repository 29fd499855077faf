"""Functions, casts and aggregates on the double: the CPU's values, types and errors over awkward data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import doubles
import pyarrow as pa
import pytest
import tandemdb
from awkward import aggregates, casts, data, functions
from tandemdb.engine import devices
from tandemdb.gpu_exec import library, support
from tandemdb.planner.functions import AGGREGATES, SCALARS


@pytest.fixture(scope="module")
def con() -> Iterator[tandemdb.Connection]:
    with pytest.MonkeyPatch.context() as patch, doubles.install():
        library.forget()
        patch.setattr(devices, "why_no_gpu", lambda: None)
        with tandemdb.connect(config={"threads": 1, "on_fallback": "error"}) as connection:
            connection.execute(data.table())
            for name in ("numbers", "moments"):
                connection.execute(casts.texts(name))
            yield connection
    library.forget()


def answer(con: Any, sql: str, device: str) -> Any:
    con.execute(f"SET device = '{device}'")
    try:
        cursor = con.execute(sql)
        found = cursor.fetch_arrow_table()
    except tandemdb.Error as error:
        return f"{type(error).__name__}: {error}"
    columns = [numbers(column.combine_chunks()).to_pylist() for column in found.columns]
    return [str(column[1]) for column in cursor.description], list(zip(*columns, strict=True))


def numbers(column: Any) -> Any:
    """Dates and timestamps as their integers: Python has no years beyond 9999."""
    if pa.types.is_date32(column.type):
        return column.view(pa.int32())
    return column.view(pa.int64()) if pa.types.is_timestamp(column.type) else column


def same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return math.copysign(1, a) == math.copysign(1, b) and math.isclose(a, b, rel_tol=2e-15)
    return type(a) is type(b) and a == b


def check(con: Any, sqls: list[str]) -> None:
    wrong = []
    for sql in sqls:
        expected, given = answer(con, sql, "cpu"), answer(con, sql, "gpu")
        equal = not isinstance(expected, str) and not isinstance(given, str) and expected[0] == given[0]
        if not equal or len(expected[1]) != len(given[1]):
            wrong.append(f"{sql}\n  cpu {expected}\n  gpu {given}")
            continue
        for row, (one, other) in enumerate(zip(expected[1], given[1], strict=True)):
            if not all(map(same, one, other)):
                wrong.append(f"{sql}\n  row {row}: cpu {one}, gpu {other}")
                break
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", functions.CASES)
def test_functions(con: Any, name: str) -> None:
    check(con, functions.selects(name, functions.CASES[name]))


@pytest.mark.parametrize("expression", functions.CONSTANTS)
def test_constants(con: Any, expression: str) -> None:
    check(con, functions.selects("", (expression,)))


def test_temporal_arithmetic(con: Any) -> None:
    check(con, functions.selects("", casts.TEMPORAL))


@pytest.mark.parametrize("expression", casts.CASTS)
def test_casts(con: Any, expression: str) -> None:
    check(con, functions.selects("", (expression,)))


def test_floats_near_halves_to_decimals(con: Any) -> None:
    values = "(VALUES (1.005), (0.285), (-8.575), (0.125), (-2.5), (140737488355328.5), (35184372088.805))"
    for kind in ("DOUBLE", "FLOAT"):
        casts_of_it = [f"CAST(x AS DECIMAL({to}))" for to in ("18,0", "18,2", "38,0", "38,3")]
        check(con, [f"SELECT {', '.join(casts_of_it)} FROM (SELECT p::{kind} AS x FROM {values} t(p))"])


@pytest.mark.parametrize(("kind", "table"), casts.FROM_TEXT)
def test_casts_from_text(con: Any, kind: str, table: str) -> None:
    check(con, [f"SELECT s, TRY_CAST(s AS {kind}) FROM {table}"])


@pytest.mark.parametrize(("expression", "message"), functions.FAILING)
def test_rows_that_fail(con: Any, expression: str, message: str) -> None:
    """The same class of error; no error where no row that fails is asked for."""
    sql = f"SELECT {expression} FROM awkward"
    expected, given = answer(con, sql, "cpu"), answer(con, sql, "gpu")
    assert isinstance(expected, str) and isinstance(given, str), (expected, given)
    assert expected.split(":")[0] == given.split(":")[0], (expected, given)
    assert re.search(message, expected) and re.search(message, given), (expected, given)
    skipped = f"SELECT CASE WHEN n < 0 THEN {expression} END FROM awkward"
    check(con, [skipped])


@pytest.mark.parametrize(("expression", "reason"), functions.REFUSED)
def test_what_stays_on_the_cpu_has_a_reason(con: Any, expression: str, reason: str) -> None:
    found = answer(con, f"SELECT {expression} FROM awkward", "gpu")
    assert isinstance(found, str) and "cannot run on the GPU" in found and reason in found, found


def test_sums_of_batches_of_both_widths(con: Any) -> None:
    """HUGEINT is stored in 64 or 128 bits, batch by batch."""
    rows = (
        "(SELECT 1::HUGEINT AS h UNION ALL SELECT 18446744073709551617::HUGEINT UNION ALL SELECT -3::HUGEINT)"
    )
    check(con, [f"SELECT sum(h), avg(h), min(h), max(h), count_if(h > 0) FROM {rows} v"])


@pytest.mark.parametrize("batch_size", [3, 1024])
@pytest.mark.parametrize("name", aggregates.AGGREGATES)
def test_aggregates(con: Any, name: str, batch_size: int) -> None:
    con.execute(f"SET batch_size = {batch_size}")
    calls = ", ".join(aggregates.AGGREGATES[name])
    check(
        con,
        [
            f"SELECT {calls} FROM awkward",
            f"SELECT n % 3, {calls} FROM awkward GROUP BY n % 3",
            f"SELECT {calls} FROM awkward WHERE n < 0",
            f"SELECT n % 2, {calls} FROM awkward WHERE n < 0 GROUP BY n % 2",
        ],
    )


def test_every_function_that_can_run_is_tried() -> None:
    assert {name for name, why in support.FUNCTIONS.items() if why is None} == set(functions.CASES)
    assert {name for name, why in support.AGGREGATES.items() if why is None} == set(aggregates.AGGREGATES)


@pytest.mark.parametrize(
    ("known", "table", "least"),
    [(SCALARS, support.FUNCTIONS, 126), (AGGREGATES, support.AGGREGATES, 27)],
    ids=["scalar", "aggregate"],
)
def test_every_function_has_an_answer(known: Any, table: Any, least: int) -> None:
    """Whether it runs, or why it cannot; none that ran is lost."""
    assert set(table) == set(known)
    assert sum(why is None for why in table.values()) >= least
