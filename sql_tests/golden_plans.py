"""EXPLAIN texts of the TPC-H queries at scale factor 1, from mocked statistics, for each machine.

`python sql_tests/golden_plans.py` writes them anew; the difference in version control is then to be read.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import tandemdb
from optimizer_catalog import measured_catalog
from planner_catalog import bind_query
from tandemdb.engine.devices import placement_context
from tandemdb.engine.explain.text import explain_text
from tandemdb.engine.planning import plan_query
from tandemdb.engine.settings import SettingValues
from tandemdb.planner.logical import ColumnIds

QUERIES = Path(tandemdb.__file__).parent / "tpch" / "queries"
FOLDER = Path(__file__).parent / "plans" / "tpch"
PROFILES = ("none", "h200")
NUMBERS = tuple(f"{number:02}" for number in range(1, 23))


def golden_path(number: str, profile: str) -> Path:
    """The file of a query's plan for a hardware profile."""
    return FOLDER / f"q{number}.{profile}.txt"


def plan_of(number: str, profile: str) -> str:
    """The EXPLAIN text of a TPC-H query for a hardware profile ('none': a machine without a GPU)."""
    ids = ColumnIds()
    query = bind_query((QUERIES / f"q{number}.sql").read_text(), measured_catalog(), ids=ids)
    settings = SettingValues({"gpu_profile": profile, "threads": 2})
    placement = placement_context(settings, explaining=True)
    return explain_text(plan_query(query.plan, ids, settings, placement=placement).root) + "\n"


def main() -> None:
    """Writes all plans."""
    for number in NUMBERS:
        for profile in PROFILES:
            golden_path(number, profile).write_text(plan_of(number, profile), encoding="utf-8")


if __name__ == "__main__":
    main()
