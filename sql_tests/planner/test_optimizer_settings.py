"""`SET disabled_rules` takes the names of rules and nothing else."""

from __future__ import annotations

import pytest
import tandemdb


def test_names_of_rules_are_taken() -> None:
    connection = tandemdb.connect()
    connection.execute("SET disabled_rules = 'push_filters, order_joins'")
    connection.execute("SET disabled_rules = 'all'")
    assert connection.execute("SELECT 1 WHERE 2 > 1").fetchall() == [(1,)]


@pytest.mark.parametrize("name", ["push_filter", "unnest_subqueries", "push_filters,nonsense"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(tandemdb.Error, match="can be switched off"):
        tandemdb.connect().execute(f"SET disabled_rules = '{name}'")
