"""Where the nodes of the TPC-H queries would run, and why, on some machines at some scale factors, from
statistics without data.

`python sql_tests/golden_placements.py` writes them anew; the difference in version control is then to be
read.
"""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from golden_plans import NUMBERS, QUERIES
from optimizer_catalog import measured_catalog
from planner_catalog import bind_query
from tandemdb.engine.devices import placement_context
from tandemdb.engine.explain.describe_node import title
from tandemdb.engine.planning import plan_query
from tandemdb.engine.settings import SettingValues
from tandemdb.physical.nodes import Node
from tandemdb.physical.placement import PlacementContext, place
from tandemdb.planner.logical import ColumnIds

FOLDER = Path(__file__).parent / "plans" / "placements"
PROFILES = ("h200", "a100", "l4")
SCALES = (1, 100)


def golden_path(profile: str, scale: float) -> Path:
    """The file of the placements on a machine at a scale factor."""
    return FOLDER / f"{profile}.sf{scale}.json"


@functools.cache
def unplaced(number: str, scale: float) -> Node:
    """The physical plan of a TPC-H query."""
    return unplaced_query((QUERIES / f"q{number}.sql").read_text(), scale)


def unplaced_query(sql: str, scale: float) -> Node:
    """The physical plan of a query over the tables of TPC-H."""
    ids = ColumnIds()
    query = bind_query(sql, _catalog(scale), ids=ids)
    return plan_query(query.plan, ids, SettingValues(), placement=machine("cpu-2"), runs=False).created


@functools.cache
def _catalog(scale: float) -> Any:
    return measured_catalog(scale)


def machine(profile: str) -> PlacementContext:
    """What queries are placed by on a machine."""
    return placement_context(SettingValues({"gpu_profile": profile}), explaining=True)


def placements(root: Node, depth: int = 0) -> list[dict[str, Any]]:
    """Every node in preorder: its depth, operator, device and reason."""
    own = {"depth": depth, "operator": title(root), "device": root.device.value, "reason": root.reason}
    return [own, *(found for child in root.inputs for found in placements(child, depth + 1))]


def golden_text(profile: str, scale: float) -> str:
    """The placements of all queries as JSON, a node a line."""
    queries = []
    for number in NUMBERS:
        nodes = placements(place(unplaced(number, scale), machine(profile)))
        lines = ",\n".join(f"    {json.dumps(node, ensure_ascii=False)}" for node in nodes)
        queries.append(f'  "q{number}": [\n{lines}\n  ]')
    return "{\n" + ",\n".join(queries) + "\n}\n"


def main() -> None:
    """Writes all placements."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for profile in PROFILES:
        for scale in SCALES:
            golden_path(profile, scale).write_text(golden_text(profile, scale), encoding="utf-8")


if __name__ == "__main__":
    main()
