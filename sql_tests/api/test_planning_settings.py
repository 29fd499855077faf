"""Settings marked as planning ones change plans, and no other setting reaches planning."""

import pytest
import tandemdb
from tandemdb.engine.settings import SETTINGS

# A value other than the default.
CHANGES = {
    "device": "cpu",
    "gpu_profile": "h200",
    "gpu_memory_limit": "1MiB",
    "disabled_rules": "all",
    "runtime_filters": False,
    "default_order": "desc",
    "default_null_order": "nulls_first",
    "integer_division": True,
}

PLAN = """EXPLAIN SELECT count(*) FROM range(1000000) a JOIN range(10) b ON a.range = b.range
          WHERE CAST(b.range AS VARCHAR) LIKE '1%' AND 1 + 1 = 2"""
ORDERED = "EXPLAIN SELECT range / 2 FROM range(10) ORDER BY range"
# Its rows are more than a small GPU's memory.
MUCH = "EXPLAIN SELECT range FROM range(1000000) ORDER BY range DESC"


@pytest.fixture
def con():
    with tandemdb.connect() as connection:
        yield connection


def test_every_planning_setting_is_tried() -> None:
    assert {name for name, setting in SETTINGS.items() if setting.planning} == set(CHANGES)


@pytest.mark.parametrize("name", CHANGES)
def test_a_planning_setting_changes_plans(con, name: str) -> None:
    plan = ORDERED if name.startswith("default_") or name == "integer_division" else PLAN
    if name == "gpu_memory_limit":
        plan = MUCH
        con.execute("SET gpu_profile = 'h200'")
    ((_, before),) = con.execute(plan).fetchall()
    con.session.settings.set(name, CHANGES[name])
    ((_, after),) = con.execute(plan).fetchall()
    assert before != after


def test_without_runtime_filters_scans_have_none(con) -> None:
    ((_, text),) = con.execute(PLAN).fetchall()
    assert "runtime filter on range" in text
    con.execute("SET runtime_filters = false")
    ((_, text),) = con.execute(PLAN).fetchall()
    assert "runtime filter" not in text
    assert con.execute(PLAN.removeprefix("EXPLAIN ")).fetchall() == [(1,)]


def test_planning_is_given_planning_settings_only(con) -> None:
    assert set(con.session.settings.planning()) == set(CHANGES)
