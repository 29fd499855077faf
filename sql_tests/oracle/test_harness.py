"""The oracle's own parts: comparison, reduction, and that a wrong engine is found."""

from __future__ import annotations

from decimal import Decimal

import pytest
from oracle import engines
from oracle.choices import Choices
from oracle.compare import difference, same_value
from oracle.datasets import dataset
from oracle.differential import Pair
from oracle.engines import DuckDB, EngineError, Result
from oracle.queries import Query, query
from oracle.reduce import reduce, size
from oracle.reproduce import smallest


def result(types: str, *rows: tuple[object, ...]) -> Result:
    names = tuple(types.split())
    return Result(names, names, list(rows))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (None, None, True),
        (None, 0, False),
        (float("nan"), float("nan"), True),
        (0.0, -0.0, True),
        (1.0, 1.0 + 1e-12, True),
        (1.0, 1.0 + 1e-6, False),
        (float("inf"), float("-inf"), False),
        (Decimal("1.50"), Decimal("1.5"), True),
        (1, True, False),
        ("1", 1, False),
        ([1, None], [1, None], True),
        ({"a": 1.0}, {"a": 2.0}, False),
    ],
)
def test_values_are_compared_as_results_are(left: object, right: object, same: bool) -> None:
    assert same_value(left, right) is same


def test_types_and_order_matter_where_they_should() -> None:
    two = result("INTEGER", (1,), (2,))
    assert difference(two, result("INTEGER", (2,), (1,)), ordered=False) is None
    assert difference(two, result("INTEGER", (2,), (1,)), ordered=True) is not None
    assert "type INTEGER expected, BIGINT given" in str(
        difference(two, result("BIGINT", (1,), (2,)), ordered=True)
    )
    assert difference(two, result("INTEGER", (1,), (1,), (2,)), ordered=False) is not None
    assert difference(two, result("INTEGER", (1,)), ordered=False) is not None


def test_reduction_keeps_what_the_failure_needs() -> None:
    sql = "WITH w AS (SELECT 1 AS q) SELECT a + 1 AS x, abs(b) AS y FROM t JOIN u ON t.k = u.k WHERE a > 3"
    small = reduce(sql, lambda text: "ABS(" in text.upper())
    assert "ABS(" in small.upper()
    assert size(small) < size(sql) / 2
    assert "WHERE" not in small
    assert "JOIN" not in small


class ForgetsFullJoins(DuckDB):
    """A wrong engine: FULL JOIN loses the rows of its right side, and sqrt is refused."""

    name = "forgetful"

    def execute(self, sql: str) -> Result:
        if "sqrt" in sql.lower():
            raise EngineError("sqrt is not supported", unsupported=True)
        return super().execute(sql.replace("FULL JOIN", "LEFT JOIN").replace("FULL OUTER JOIN", "LEFT JOIN"))


def test_a_wrong_engine_is_found_and_its_failure_cut_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines.ENGINES, "forgetful", ForgetsFullJoins)
    pair = Pair("forgetful", dataset(0))
    kinds = set()
    for number in range(60):
        made = query(Choices(number), pair.data)
        outcome = pair.check(made)
        kinds.add(outcome.kind)
        if outcome.kind == "mismatch":
            script = smallest(pair, made, outcome)
            break
    else:
        pytest.fail("60 queries did not show a broken FULL JOIN")
    assert "FULL" in script
    assert "CREATE TABLE" in script
    assert len(script) < 2500
    assert pair.check(Query("SELECT sqrt(4)", False, frozenset())).kind == "unsupported"
    pair.close()
