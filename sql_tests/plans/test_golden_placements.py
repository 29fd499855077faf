"""Where the nodes of the TPC-H queries would run is what it was, and no forced placement would be cheaper."""

from __future__ import annotations

import json

import pytest
from golden_placements import PROFILES, SCALES, golden_path, golden_text, machine, unplaced
from golden_plans import NUMBERS
from tandemdb.engine.explain.costs import plan_costs
from tandemdb.physical.placement import place
from tandemdb.physical.profiles import PROFILES as KNOWN


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("profile", PROFILES)
def test_placements(profile: str, scale: float) -> None:
    assert golden_text(profile, scale) == golden_path(profile, scale).read_text(encoding="utf-8")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("profile", PROFILES)
def test_every_node_of_every_query_has_a_device_and_a_reason(profile: str, scale: float) -> None:
    queries = json.loads(golden_path(profile, scale).read_text(encoding="utf-8"))
    assert list(queries) == [f"q{number}" for number in NUMBERS]
    for nodes in queries.values():
        assert all(node["device"] in ("CPU", "GPU") and node["reason"] for node in nodes)
    everything = [node["device"] for nodes in queries.values() for node in nodes]
    assert {"CPU", "GPU"} <= set(everything)


@pytest.mark.parametrize("scale", [0.01, *SCALES])
@pytest.mark.parametrize("profile", sorted(KNOWN))
def test_forced_devices_cost_no_less(profile: str, scale: float) -> None:
    for number in NUMBERS:
        plan, where = unplaced(number, scale), machine(profile)
        costs = plan_costs(place(plan, where), plan, where)
        assert 0 < costs.chosen <= costs.cpu * (1 + 1e-9)
        if KNOWN[profile].has_gpu:
            assert costs.gpu is not None
            assert costs.chosen <= costs.gpu * (1 + 1e-9)
        else:
            assert costs.gpu is None
            assert costs.chosen == costs.cpu
